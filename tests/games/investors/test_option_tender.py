"""Tenders by option tiles: f is factory or office, m is market or leisure, v is villa or residential."""

from __future__ import annotations

import pytest

from server.games.investors.commands import BidCheques, ChooseOption, PayCheque, Waive
from server.games.investors.components import CHEQUES, OPTION_TILES
from server.games.investors.events import (
    OptionBidsRevealed,
    OptionLapsed,
    OptionPaid,
    OptionsRevealed,
    OptionWon,
    TenderClosed,
    TenderVoided,
)
from tests.games.investors.cities import FULL_VILLAS_AND_RESIDENTIAL, LOWER_LEFT, NEARLY_FULL
from tests.games.investors.scenes import Scene

OPTIONS_CARD = "options/options/3"


def choosing(drawing: str = "", **position: object) -> Scene:
    scene = Scene(drawing, tenders=(OPTIONS_CARD,), **position)
    scene.accept()
    return scene


def test_vector_options_two_alone_and_two_on_one_tile() -> None:
    scene = choosing()
    scene.options(r="v", b="m", g="m", y="f")
    scene.cheques(r=20, b=(100, 20), g=(70,), y=10)
    assert scene.investors == "ybr"
    assert scene.paid("b") == (20, 100)
    assert (scene.paid("y"), scene.paid("r"), scene.paid("g")) == ((10,), (20,), ())


@pytest.mark.parametrize("chosen, rights", [("mmmm", 1), ("mmvv", 2), ("mmfv", 3)])
def test_vector_options_give_one_right_for_each_kind_of_tile_chosen(chosen: str, rights: int) -> None:
    scene = choosing()
    scene.options(**dict(zip("ybrg", chosen, strict=True)))
    sole = {seat: chosen.count(letter) == 1 for seat, letter in zip("ybrg", chosen, strict=True)}
    bids = zip("ybrg", (10, 20, 30, 40), strict=True)
    scene.cheques(**{seat: cheque if sole[seat] else (cheque,) for seat, cheque in bids})
    assert len(scene.investors) == rights


def test_option_tiles_are_sealed_until_all_have_chosen() -> None:
    scene = choosing()
    scene.options(y="f", b="m", r="v")
    assert scene.new_events(OptionsRevealed) == []
    scene.options(y="m", g="v")
    assert scene.new_events(OptionsRevealed)[0].options == (
        "market_leisure",
        "market_leisure",
        "villa_residential",
        "villa_residential",
    )


def test_ruling_20_the_right_of_a_sole_seat_without_a_cheque_lapses() -> None:
    scene = choosing(hands={"y": ()})
    scene.options(y="f", b="m", r="v", g="v")
    assert scene.awaited == "brg"
    scene.cheques(b=10, r=(10,), g=(20,))
    assert OptionLapsed("factory_office") in scene.events
    assert scene.investors == "bg"


def test_ruling_20_if_no_sole_seat_has_a_cheque_the_round_goes_on_without_asking() -> None:
    scene = choosing(hands={"y": (), "b": (), "r": ()}, seats=3)
    scene.options(y="f", b="m", r="v")
    assert len(scene.new_events(OptionLapsed)) == 3
    assert scene.kind == "consider_tender"


def test_ruling_21_a_sole_seat_must_pay_and_may_then_waive() -> None:
    scene = choosing()
    scene.options(y="f", b="m", r="v", g="v")
    assert not scene.offers("y", Waive)
    assert [choice.command for choice in scene.prompt("y").choices] == [PayCheque]
    scene.cheques(y=50, b=10, r=(10,), g=(20,))
    scene.waive("y")
    assert scene.paid("y") == (50,)
    assert scene.supply("y") == 15


def test_ruling_22_nothing_can_be_sealed_and_wins_nothing() -> None:
    scene = choosing()
    scene.options(y="m", b="m", r="m", g="m")
    scene.cheques(y=(), b=(), r=(), g=())
    assert scene.new_events(OptionLapsed) == [OptionLapsed("market_leisure")]
    assert scene.new_events(TenderClosed) == [TenderClosed(())]


def test_ruling_22_nothing_does_not_win_even_when_it_is_the_only_single_sum() -> None:
    scene = choosing()
    scene.options(y="m", b="m", r="m", g="f")
    scene.cheques(y=(50,), b=(50,), r=(), g=10)
    assert OptionLapsed("market_leisure") in scene.events
    assert scene.investors == "g"


def test_at_most_five_cheques_can_be_sealed() -> None:
    scene = choosing()
    scene.options(y="m", b="m", r="m", g="f")
    assert not scene.refused("y", BidCheques((10, 10, 20, 20, 30)))
    assert scene.refused("y", BidCheques((10, 10, 20, 20, 30, 40)))


def test_ruling_23_the_lower_unique_sum_wins_when_the_highest_tie() -> None:
    scene = choosing()
    scene.options(y="m", b="m", r="m", g="f")
    scene.cheques(y=(100,), b=(60, 40), r=(10,), g=10)
    assert scene.new_events(OptionWon) == [OptionWon(2, "market_leisure", (10,))]
    assert (scene.paid("y"), scene.paid("b")) == ((), ())


def test_ruling_24_two_equal_sums_win_nothing_and_nobody_pays() -> None:
    scene = choosing()
    scene.options(y="m", b="m", r="f", g="v")
    scene.cheques(y=(100,), b=(60, 40), r=10, g=10)
    assert OptionLapsed("market_leisure") in scene.events
    assert scene.investors == "rg"
    assert scene.hand("y") == scene.hand("b") == CHEQUES


def test_ruling_25_all_pay_and_bid_at_once_before_anybody_places() -> None:
    scene = choosing()
    scene.options(y="v", b="m", r="m", g="f")
    assert (scene.kind, scene.awaited) == ("option_bids", "ybrg")
    scene.cheques(y=10, b=(20,), r=(30,), g=10)
    assert scene.investors == "gry"


def test_ruling_25_sealed_bids_are_revealed_together_and_sole_payments_are_not() -> None:
    scene = choosing()
    scene.options(y="v", b="m", r="m", g="f")
    scene.cheques(y=10, b=(20,), r=(30,), g=40)
    assert scene.new_events(OptionBidsRevealed) == [OptionBidsRevealed((None, (20,), (30,), None))]
    assert scene.new_events(OptionPaid) == [OptionPaid(3, "factory_office", 40), OptionPaid(0, "villa_residential", 10)]


def test_ruling_26_a_tile_without_a_free_street_cannot_be_chosen() -> None:
    scene = choosing(FULL_VILLAS_AND_RESIDENTIAL, at=LOWER_LEFT)
    assert scene.open_streets("y", ChooseOption, "option") == {"factory_office", "market_leisure"}


def test_ruling_26_every_tile_with_a_free_street_can_be_chosen() -> None:
    assert choosing().open_streets("y", ChooseOption, "option") == set(OPTION_TILES)


def test_ruling_26_an_options_card_for_which_no_tile_has_a_street_is_discarded() -> None:
    """Only the bank's street at the edge stays free, and no option tile shows the bank."""
    deck = ("residential/cheques/1", OPTIONS_CARD, "edge/cheques/1")
    scene = Scene(NEARLY_FULL, seats=5, tender_deck=deck).investing("v", "residential")
    scene.place("v", "1")
    assert scene.new_events(TenderVoided) == [TenderVoided(OPTIONS_CARD)]
    assert scene.state.tender == "edge/cheques/1"
