"""Variant 1: seats on the same option deal before they bid. Here y and b, sometimes r too, share market or leisure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from server.games.engine.game import view_of
from server.games.investors.commands import (
    AcceptOffer,
    DeclineOffer,
    MakeOffer,
    PassOffer,
    PayOffer,
)
from server.games.investors.components import CHEQUES
from server.games.investors.events import (
    BargainingFailed,
    BargainingOpened,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    OfferPaid,
    OfferPassed,
    OptionBidsRevealed,
    Right,
    TenderClosed,
)
from tests.games.investors import GAME
from tests.games.investors.scenes import Scene

MARKET = "market_leisure"
A_MARKET = """
    +-1-+
    2 M 3
    +-4-+
"""


def bargaining(chosen: str = "mmfv", *, offers: int = 1, **position: object) -> Scene:
    """Let seats choose option tiles and begin to bargain."""
    seats = "ybrgv"[: len(chosen)]
    scene = Scene(A_MARKET, tenders=("options/options/3",), bargaining_offers=offers, seats=len(chosen), **position)
    scene.accept()
    scene.options(**dict(zip(seats, chosen, strict=True)))
    return scene


def offer(
    investor: str, amounts: Sequence[int], draws: Sequence[int] | None = None, avoid: Sequence[int] = ()
) -> MakeOffer:
    return MakeOffer("ybrgv".index(investor), tuple(amounts), tuple(draws or (0,) * len(amounts)), tuple(sorted(avoid)))


def all_cheques(scene: Scene) -> Counter[int]:
    return Counter([*scene.state.bank, *(cheque for hand in scene.state.hands for cheque in hand)])


# -- who bargains, and in which order ------------------------------------------------------------------------


def test_seats_on_one_option_bargain_before_anybody_pays() -> None:
    scene = bargaining(start="b")
    assert scene.new_events(BargainingOpened) == [BargainingOpened(MARKET, (1, 0))]
    assert (scene.kind, scene.awaited) == ("make_offer", "b")


def test_without_the_variant_nobody_bargains() -> None:
    scene = bargaining(offers=0)
    assert scene.kind == "option_bids"


def test_a_sole_seat_does_not_bargain() -> None:
    scene = bargaining("mfv", offers=3)
    assert scene.kind == "option_bids"


def test_two_shared_options_are_bargained_over_one_after_the_other() -> None:
    scene = bargaining("vmvm")
    assert scene.new_events(BargainingOpened) == [BargainingOpened(MARKET, (1, 3))]
    scene.do("b", PassOffer())
    scene.do("g", PassOffer())
    assert scene.new_events(BargainingOpened)[1:] == [BargainingOpened("villa_residential", (0, 2))]


@pytest.mark.parametrize("offers", [1, 2, 3])
def test_each_seat_may_speak_as_often_as_the_table_allows(offers: int) -> None:
    scene = bargaining(offers=offers)
    for _ in range(offers):
        scene.do("y", PassOffer())
        scene.do("b", PassOffer())
    assert len(scene.new_events(OfferPassed)) == 2 * offers
    assert scene.new_events(BargainingFailed) == [BargainingFailed(MARKET)]


def test_without_a_deal_sealed_cheques_decide() -> None:
    scene = bargaining()
    scene.do("y", PassOffer())
    scene.do("b", PassOffer())
    assert (scene.kind, scene.awaited) == ("option_bids", "ybrg")
    scene.cheques(y=(50,), b=(20,), r=10, g=10)
    assert scene.investors == "ryg"
    assert scene.paid("y") == (50,)


# -- a deal --------------------------------------------------------------------------------------------------


def dealt(**position: object) -> Scene:
    """Let yellow invest for 30 to blue, with one blind draw, keeping off two streets of the market."""
    scene = bargaining(chance={"blind": (100, 10, 10, 20, 20, 40, 50, 60, 70, 80, 90)}, **position)
    scene.do("y", offer("y", (30,), (1,), scene.streets("12")))
    scene.do("b", AcceptOffer())
    scene.do("y", PayOffer(((30,),)))
    return scene


def test_a_deal_is_paid_to_the_partner_and_not_to_the_bank() -> None:
    scene = dealt()
    assert scene.paid("y") == (30, 100)
    assert scene.hand("b") == tuple(sorted((*CHEQUES, 30, 100)))
    assert scene.state.bank == ()


def test_a_deal_replaces_the_sealed_bids_of_its_option_and_only_those() -> None:
    scene = dealt()
    assert (scene.kind, scene.awaited) == ("option_bids", "rg")
    scene.cheques(r=10, g=20)
    assert scene.new_events(OptionBidsRevealed) == [OptionBidsRevealed((None,) * 4)]
    assert scene.investors == "ryg"


def test_the_investor_keeps_off_the_streets_that_were_agreed() -> None:
    scene = dealt()
    scene.cheques(r=10, g=20)
    scene.waive("r")
    assert scene.awaited == "y"
    assert scene.open_streets("y") & scene.streets("1234") == scene.streets("34")


def test_what_was_agreed_ends_with_its_tender() -> None:
    scene = dealt()
    scene.cheques(r=10, g=20)
    assert scene.new_events(TenderClosed)[0].rights[1] == Right(0, MARKET, tuple(sorted(scene.streets("12"))))
    scene.waive("r", "y", "g")
    assert (scene.state.deals, scene.state.dealt, scene.kind) == ((), (), "consider_tender")


def test_cheques_are_conserved_in_a_deal() -> None:
    before = all_cheques(bargaining())
    assert all_cheques(dealt()) == before


def test_a_blind_draw_comes_from_what_is_left_after_paying() -> None:
    scene = bargaining(hands={"y": (30, 100)}, chance={"blind": (100,)})
    scene.do("y", offer("y", (30,), (1,)))
    scene.do("b", AcceptOffer())
    scene.do("y", PayOffer(((30,),)))
    assert scene.new_events(OfferPaid)[0].drawn == ((100,),)
    assert scene.hand("y") == ()


def test_partners_draw_blindly_one_after_the_other() -> None:
    scene = bargaining("mmmv", hands={"y": (10, 20, 30, 40)}, chance={"blind": (40, 20, 30)})
    scene.do("y", offer("y", (10, 0), (1, 2)))
    scene.do("b", AcceptOffer())
    scene.do("r", AcceptOffer())
    scene.do("y", PayOffer(((10,), ())))
    assert scene.new_events(OfferPaid)[0].drawn == ((40,), (20, 30))


def test_more_than_agreed_may_be_paid_but_not_less() -> None:
    scene = bargaining(hands={"y": (20, 40)})
    scene.do("y", offer("y", (30,)))
    scene.do("b", AcceptOffer())
    assert scene.refused("y", PayOffer(((20,),)))
    assert not scene.refused("y", PayOffer(((20, 40),)))
    scene.do("y", PayOffer(((40,),)))
    assert scene.hand("y") == (20,)


def test_each_partner_gets_at_least_the_own_amount() -> None:
    scene = bargaining("mmmv")
    scene.do("y", offer("y", (30, 50)))
    scene.do("b", AcceptOffer())
    scene.do("r", AcceptOffer())
    assert scene.refused("y", PayOffer(((50,), (30,))))
    scene.do("y", PayOffer(((30,), (50,))))
    assert (scene.hand("b").count(30), scene.hand("r").count(50)) == (2, 2)


# -- agreeing ------------------------------------------------------------------------------------------------


def test_all_others_on_the_option_must_accept() -> None:
    scene = bargaining("mmmv")
    scene.do("y", offer("y", (30, 30)))
    assert (scene.kind, scene.awaited) == ("answer_offer", "br")
    scene.do("b", AcceptOffer())
    assert scene.new_events(OfferAccepted) == []
    scene.do("r", DeclineOffer())
    assert scene.new_events(OfferDeclined) == [OfferDeclined((2,))]
    assert (scene.kind, scene.awaited) == ("make_offer", "b")


def test_answers_to_an_offer_are_sealed() -> None:
    scene = bargaining("mmmv")
    scene.do("y", offer("y", (30, 30)))
    scene.do("b", DeclineOffer())
    assert scene.new_events(OfferDeclined) == []
    scene.do("b", AcceptOffer())
    scene.do("r", AcceptOffer())
    assert scene.new_events(OfferAccepted) == [OfferAccepted()]


def test_another_seat_can_be_offered_the_right_and_agrees_by_paying() -> None:
    scene = bargaining("mmmv")
    scene.do("y", offer("b", (20, 40)))
    assert scene.awaited == "r"
    scene.do("r", AcceptOffer())
    assert (scene.kind, scene.awaited) == ("pay_offer", "b")
    scene.do("b", PayOffer(((20,), (40,))))
    assert scene.new_events(OfferPaid)[0].investor == 1
    assert (scene.hand("y").count(20), scene.hand("r").count(40)) == (3, 2)


def test_with_two_on_the_option_an_offer_to_the_other_needs_only_its_payment() -> None:
    scene = bargaining()
    scene.do("y", offer("b", (20,)))
    assert (scene.kind, scene.awaited) == ("pay_offer", "b")


def test_the_investor_may_still_decline_instead_of_paying() -> None:
    scene = bargaining()
    scene.do("y", offer("b", (20,)))
    scene.do("b", DeclineOffer())
    assert scene.new_events(OfferDeclined) == [OfferDeclined((1,))]
    assert (scene.kind, scene.awaited) == ("make_offer", "b")


def test_an_investor_without_the_money_can_only_decline() -> None:
    scene = bargaining(hands={"b": (10, 10)})
    scene.do("y", offer("b", (50,)))
    assert scene.prompt("b").fallback == DeclineOffer()
    assert [choice.command for choice in scene.prompt("b").choices] == [DeclineOffer]


def test_who_proposed_to_invest_pays_what_the_others_accepted() -> None:
    scene = bargaining(hands={"y": (10, 20, 40)})
    scene.do("y", offer("y", (30,)))
    scene.do("b", AcceptOffer())
    assert [choice.command for choice in scene.prompt("y").choices] == [PayOffer]
    assert scene.refused("y", DeclineOffer())


def test_an_accepted_offer_is_paid_when_the_time_of_its_proposer_runs_out() -> None:
    scene = bargaining(hands={"y": (10, 10, 20, 30, 50)}, chance={"blind": (30, 10, 20, 10)})
    scene.do("y", offer("y", (40,), (4,)))
    scene.do("b", AcceptOffer())
    scene.do("y", scene.prompt("y").fallback)
    (paid,) = scene.new_events(OfferPaid)
    assert (paid.cheques, paid.drawn) == (((50,),), ((30, 10, 20, 10),))


def test_the_last_offer_that_falls_leads_to_sealed_cheques() -> None:
    scene = bargaining()
    scene.do("y", PassOffer())
    scene.do("b", offer("b", (20,)))
    scene.do("y", DeclineOffer())
    assert scene.new_events(BargainingFailed) == [BargainingFailed(MARKET)]
    assert scene.kind == "option_bids"


# -- what can be offered -------------------------------------------------------------------------------------


@pytest.mark.parametrize("investor", ["y", "b"])
def test_at_least_one_cheque_must_change_hands(investor: str) -> None:
    scene = bargaining("mmmv")
    assert scene.refused("y", offer(investor, (0, 0)))
    assert not scene.refused("y", offer(investor, (0, 10)))
    assert not scene.refused("y", offer(investor, (0, 0), (0, 1)))


def test_blind_draws_alone_buy_the_right() -> None:
    scene = bargaining(hands={"y": (20, 50, 80)}, chance={"blind": (80, 20, 50)})
    scene.do("y", offer("y", (0,), (3,)))
    scene.do("b", AcceptOffer())
    assert scene.play.decision is not None
    assert list(scene.play.decision.forced) == [0]
    scene.do("y", PayOffer(((),)))
    assert scene.new_events(OfferPaid)[0].drawn == ((80, 20, 50),)
    assert scene.hand("y") == ()


def test_another_seat_may_still_decline_to_let_cheques_be_drawn() -> None:
    scene = bargaining()
    scene.do("y", offer("b", (0,), (3,)))
    assert scene.play.decision is not None
    assert not scene.play.decision.forced
    assert not scene.refused("b", PayOffer(((),)))
    scene.do("b", DeclineOffer())
    assert scene.new_events(OfferDeclined) == [OfferDeclined((1,))]


@pytest.mark.parametrize("amount, legal", [(10, True), (580, True), (590, False), (15, False), (-10, False)])
def test_an_own_offer_is_in_tens_and_within_the_own_money(amount: int, legal: bool) -> None:
    assert bargaining().refused("y", offer("y", (amount,))) is not legal


@pytest.mark.parametrize(
    "hand, amounts, draws, legal",
    [
        ((30, 40), (30, 40), (0, 0), True),
        ((30, 40), (40, 40), (0, 0), False),  # together more than there is
        ((30, 40), (10, 60), (0, 0), False),  # no change is given: one of them would get too little
        ((10, 100), (50, 50), (0, 0), False),
        ((10, 10, 20, 40), (30, 10), (0, 0), True),
        ((10, 10, 20, 40), (30, 10), (1, 1), True),  # two of the cheques are enough, and two are left
        ((10, 10, 20, 40), (30, 10), (1, 2), False),
        ((10, 10, 20, 40), (30, 30), (1, 0), True),
        ((10, 10, 20, 40), (30, 30), (1, 1), False),  # the 40, and the 20 with a 10: one is left
        ((10, 20, 30), (0, 0), (1, 2), True),
        ((10, 20, 30), (0, 0), (2, 2), False),  # together more than there are
    ],
)
def test_who_proposes_to_invest_can_cover_money_and_draws_for_all_together(
    hand: tuple[int, ...], amounts: tuple[int, ...], draws: tuple[int, ...], legal: bool
) -> None:
    scene = bargaining("mmmv", hands={"y": hand})
    assert scene.refused("y", offer("y", amounts, draws)) is not legal


@pytest.mark.parametrize(
    "amounts, draws, legal",
    [
        ((200, 100), (0, 0), True),
        ((200, 110), (0, 0), False),  # four cheques at least
        ((10, 10), (1, 0), True),
        ((10, 10), (1, 1), False),
        ((0, 0), (3, 0), True),
        ((0, 0), (3, 1), False),
    ],
)
def test_an_offer_to_another_knows_only_the_number_of_cheques(
    amounts: tuple[int, ...], draws: tuple[int, ...], legal: bool
) -> None:
    scene = bargaining("mmmv", hands={"b": (10, 10, 20)})
    assert scene.refused("y", offer("b", amounts, draws)) is not legal


def test_a_payment_leaves_the_cheques_that_are_to_be_drawn() -> None:
    scene = bargaining(hands={"y": (10, 20, 30)}, chance={"blind": (20, 10)})
    scene.do("y", offer("y", (30,), (2,)))
    scene.do("b", AcceptOffer())
    assert scene.refused("y", PayOffer(((10, 20),)))
    scene.do("y", PayOffer(((30,),)))
    assert scene.new_events(OfferPaid)[0].drawn == ((20, 10),)


def test_who_is_owed_no_money_gets_none() -> None:
    scene = bargaining("mmmv")
    scene.do("y", offer("y", (30, 0), (0, 2)))
    scene.do("b", AcceptOffer())
    scene.do("r", AcceptOffer())
    assert scene.refused("y", PayOffer(((30,), (10,))))
    assert not scene.refused("y", PayOffer(((30,), ())))


def test_a_seat_without_cheques_cannot_be_the_investor() -> None:
    scene = bargaining(hands={"b": ()})
    assert scene.refused("y", offer("b", (10,)))
    assert not scene.refused("y", offer("y", (10,)))


def test_only_seats_on_the_option_can_be_the_investor() -> None:
    assert bargaining().refused("y", offer("r", (10,)))


def test_one_street_at_least_stays_open_to_the_investor() -> None:
    scene = bargaining()
    streets = scene.state.open_streets(MARKET)
    assert scene.refused("y", offer("y", (10,), avoid=streets))
    assert not scene.refused("y", offer("y", (10,), avoid=streets[1:]))


def test_an_offer_is_made_in_the_open() -> None:
    scene = bargaining()
    scene.do("y", offer("y", (30,), (2,), scene.streets("1")))
    (made,) = scene.new_events(OfferMade)
    assert all(made.shown_to(viewer) == made.shown_to(None) for viewer in range(4))


# -- secrecy -------------------------------------------------------------------------------------------------


def test_only_the_two_hands_of_a_deal_know_which_cheques_were_paid() -> None:
    (paid,) = dealt().new_events(OfferPaid)
    shown = {viewer: paid.shown_to(viewer) or {} for viewer in (0, 1, 2, None)}
    assert (shown[0]["cheques"], shown[0]["drawn"]) == ([[30]], [[100]])
    assert shown[1]["received"] == [30, 100]
    assert shown[2] == shown[None]
    assert shown[None]["given"] == [2]
    assert not shown[None].keys() & {"cheques", "drawn", "received"}


def test_a_partner_does_not_learn_what_another_partner_got() -> None:
    scene = bargaining("mmmv")
    scene.do("y", offer("y", (30, 50)))
    scene.do("b", AcceptOffer())
    scene.do("r", AcceptOffer())
    scene.do("y", PayOffer(((30,), (50,))))
    (paid,) = scene.new_events(OfferPaid)
    shown = paid.shown_to(1) or {}
    assert shown["received"] == [30]
    assert not shown.keys() & {"cheques", "drawn"}


def test_views_of_others_are_the_same_whatever_was_paid() -> None:
    def view_after(cheques: tuple[int, ...], viewer: int | None) -> object:
        scene = bargaining()
        scene.do("y", offer("y", (30,)))
        scene.do("b", AcceptOffer())
        scene.do("y", PayOffer((cheques,)))
        return view_of(GAME, scene.state, viewer)

    assert all(view_after((30,), viewer) == view_after((100,), viewer) for viewer in (2, 3, None))
    assert view_after((30,), 1) != view_after((100,), 1)
