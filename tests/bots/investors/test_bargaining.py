"""Deals instead of bids: which offers are made, accepted and paid. y decides, and shares market or leisure."""

from __future__ import annotations

import random

import pytest

from server.games.engine.prompts import Command
from server.games.investors.commands import (
    AcceptOffer,
    DeclineOffer,
    MakeOffer,
    PassOffer,
    PayOffer,
)
from server.games.investors.components import CHEQUES
from tests.bots.investors import answer
from tests.bots.investors.test_option_bids import THE_BANK_IN_REACH, options
from tests.games.investors.scenes import Scene

A_MARKET_AT_THE_BANK = """
    +-y-+-b-+---+-y-+
    y M 1 B |   2 M y
    +-r-+-b-+---+---+
"""
"""Yellow wins a market on either street; on the first it would also take the bank from blue."""


SWAPPED = str.maketrans("yb", "by")


def bargaining(drawing: str = THE_BANK_IN_REACH, chosen: str = "mmfv", **position: object) -> Scene:
    """Let seats share market or leisure, with y to speak first."""
    scene = options(drawing, bargaining_offers=1, years=6, **position)
    scene.options(**dict(zip("ybrg", chosen, strict=True)))
    return scene


def made(scene: Scene) -> MakeOffer:
    """Return the offer of y."""
    command = answer(scene, "y")
    assert isinstance(command, MakeOffer)
    return command


def test_who_gains_most_offers_to_invest() -> None:
    offer = made(bargaining())
    assert offer.investor == 0
    assert 10 <= sum(offer.amounts) < 300


def test_who_gains_less_offers_that_the_other_invests_and_pays() -> None:
    scene = bargaining(THE_BANK_IN_REACH.translate(SWAPPED))
    offer = made(scene)
    assert offer.investor == 1
    assert 10 <= sum(offer.amounts) < 300
    scene.do("y", offer)
    assert isinstance(answer(scene, "b"), PayOffer)


def test_another_investor_is_not_asked_for_more_than_the_right_is_worth_to_it() -> None:
    """Blue has few cheques left."""
    scene = bargaining(THE_BANK_IN_REACH.translate(SWAPPED), hands={"b": (10, 40, 50)})
    command = answer(scene, "y")
    assert isinstance(command, PassOffer) or sum(command.amounts) + 50 * sum(command.draws) < 150


def test_every_offer_can_be_paid_in_full() -> None:
    """Of ten hands, also such in which no cheques add up to what was meant to be offered (RULES 10.4)."""
    for number in range(10):
        hands = {seat: tuple(random.Random(f"{number}{seat}").sample(CHEQUES, 4)) for seat in "yb"}
        scene = bargaining("", chosen="mmmv", hands=hands)
        command = answer(scene, "y")
        assert scene.prompt("y").admit(command) is None
        if isinstance(command, MakeOffer) and command.investor == 0:
            assert sum(command.amounts) + 10 * sum(command.draws) <= sum(hands["y"])


def test_who_has_small_cheques_lets_them_be_drawn_instead_of_paying_money() -> None:
    offer = made(bargaining(hands={"y": (10, 10, 20, 20, 30)}))
    assert sum(offer.draws) >= 1
    assert not any(offer.amounts)


def test_who_gains_almost_as_much_elsewhere_keeps_off_the_street_that_hurts_the_other() -> None:
    scene = bargaining(A_MARKET_AT_THE_BANK)
    assert set(made(scene).avoid) == scene.streets("1")
    assert made(bargaining(A_MARKET_AT_THE_BANK.replace("b", "-"))).avoid == ()


# -- judging offers --------------------------------------------------------------------------------------------


def offered(drawing: str, amount: int, draws: int = 0, avoid: str = "") -> Command:
    """Return what y answers when b offers to invest, and to give this to y."""
    scene = bargaining(drawing, start="b")
    scene.do("b", MakeOffer(1, (amount,), (draws,), tuple(scene.streets(avoid))))
    return answer(scene, "y")


@pytest.mark.parametrize("amount, normal_choice", [(10, DeclineOffer()), (280, AcceptOffer())])
def test_an_offer_is_taken_by_what_it_brings(amount: int, normal_choice: object) -> None:
    assert offered(THE_BANK_IN_REACH, amount) == normal_choice


@pytest.mark.parametrize("draws, normal_choice", [(1, DeclineOffer()), (6, AcceptOffer())])
def test_draws_count_as_cheques_of_average_value(draws: int, normal_choice: object) -> None:
    assert offered(THE_BANK_IN_REACH, 0, draws) == normal_choice


def test_streets_to_keep_off_count_for_what_the_investor_would_take_there() -> None:
    drawing = A_MARKET_AT_THE_BANK.translate(SWAPPED)
    assert offered(drawing, 40) == DeclineOffer()
    assert offered(drawing, 40, avoid="1") == AcceptOffer()


@pytest.mark.parametrize("amount, normal_choice", [(10, DeclineOffer()), (280, AcceptOffer())])
def test_an_offer_that_a_third_invests_is_judged_by_the_own_part(amount: int, normal_choice: object) -> None:
    """Blue proposes that red pays yellow and blue."""
    scene = bargaining(chosen="mmmv", start="b")
    scene.do("b", MakeOffer(2, (10, amount), (0, 0), ()))
    assert answer(scene, "y") == normal_choice


# -- paying ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount, normal_choice", [(60, PayOffer), (500, DeclineOffer)])
def test_an_investor_whom_another_proposed_pays_if_more_is_left_than_bidding_promises(
    amount: int, normal_choice: type[Command]
) -> None:
    scene = bargaining(start="b")
    scene.do("b", MakeOffer(0, (amount,), (0,), ()))
    assert isinstance(answer(scene, "y"), normal_choice)


def test_an_offer_of_ones_own_that_is_accepted_is_paid() -> None:
    scene = bargaining()
    offer = made(scene)
    scene.do("y", offer)
    scene.do("b", AcceptOffer())
    command = answer(scene, "y")
    assert isinstance(command, PayOffer)
    assert sum(map(sum, command.cheques)) >= sum(offer.amounts)


def test_an_offer_of_ones_own_is_paid_even_if_it_was_too_high() -> None:
    scene = bargaining(THE_BANK_IN_REACH.replace("y", "-"))
    scene.do("y", MakeOffer(0, (550,), (1,), ()))
    scene.do("b", AcceptOffer())
    assert isinstance(answer(scene, "y"), PayOffer)


@pytest.mark.parametrize("amount, draws", [(550, 0), (0, 11)])
def test_a_price_beyond_all_worth_is_not_paid(amount: int, draws: int) -> None:
    scene = bargaining(THE_BANK_IN_REACH.replace("y", "-"), start="b")
    scene.do("b", MakeOffer(0, (amount,), (draws,), ()))
    assert answer(scene, "y") == DeclineOffer()
