"""Option tiles: which one, what for it, and deals instead of bids. y decides."""

from __future__ import annotations

from collections import Counter

import pytest

from server.bots.investors import STRATEGIES
from server.bots.strategy import Strategy
from server.games.investors.commands import (
    AcceptOffer,
    BidCheques,
    ChooseOption,
    DeclineOffer,
    MakeOffer,
    PassOffer,
    PayCheque,
    PayOffer,
)
from tests.bots.investors import answer, answers
from tests.games.investors.scenes import Scene

every_strength = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)

MARKET = "market_leisure"
THE_BANK_IN_REACH = """
    +---+-y-+
    | M 1 B y
    +---+-y-+
"""


def options(drawing: str = THE_BANK_IN_REACH, **position: object) -> Scene:
    scene = Scene(drawing, tenders=("options/options/3",), **position)
    scene.accept()
    return scene


def test_the_option_of_a_majority_in_reach_is_chosen_most() -> None:
    chosen = Counter(answers(options(years=6), "y"))
    assert chosen.most_common(1)[0][0] == ChooseOption(MARKET)


@every_strength
def test_the_only_one_on_an_option_pays_the_smallest_cheque(strategy: Strategy) -> None:
    scene = options()
    scene.options(y="m", b="f", r="f", g="v")
    assert answer(scene, "y", strategy) == PayCheque(10)


def test_a_sealed_bid_is_less_than_all_and_more_than_nothing() -> None:
    scene = options(years=6)
    scene.options(y="m", b="m", r="f", g="v")
    for command in answers(scene, "y"):
        assert isinstance(command, BidCheques)
        assert 0 < sum(command.cheques) < sum(scene.hand("y")) / 2


# -- deals -----------------------------------------------------------------------------------------------------


def bargaining(drawing: str = THE_BANK_IN_REACH, **position: object) -> Scene:
    """Let y and b share market or leisure, with y to speak first."""
    scene = options(drawing, bargaining_offers=1, years=6, **position)
    scene.options(y="m", b="m", r="f", g="v")
    return scene


def test_who_gains_most_offers_to_invest() -> None:
    command = answer(bargaining(), "y")
    assert isinstance(command, MakeOffer)
    assert command.investor == 0
    assert 10 <= sum(command.amounts) < 300


def test_who_gains_less_waits_for_an_offer() -> None:
    scene = bargaining(THE_BANK_IN_REACH.replace("y", "r").replace("b", "y").replace("r", "b"))
    assert answer(scene, "y") == PassOffer()


@pytest.mark.parametrize("amount, normal_choice", [(10, DeclineOffer()), (580, AcceptOffer())])
def test_an_offer_is_taken_by_what_it_brings(amount: int, normal_choice: object) -> None:
    """Seat r offers y money for the right of b."""
    scene = Scene(THE_BANK_IN_REACH, tenders=("options/options/3",), bargaining_offers=1, years=6, start="r")
    scene.accept()
    scene.options(y="m", b="m", r="m", g="v")
    scene.do("r", MakeOffer(2, (amount, amount), (0, 0), ()))
    assert answer(scene, "y") == normal_choice


def test_an_offer_of_ones_own_that_is_accepted_is_paid() -> None:
    scene = bargaining()
    offer = answer(scene, "y")
    assert isinstance(offer, MakeOffer)
    scene.do("y", offer)
    scene.do("b", AcceptOffer())
    command = answer(scene, "y")
    assert isinstance(command, PayOffer)
    assert sum(map(sum, command.cheques)) >= sum(offer.amounts)


def test_a_price_beyond_all_worth_is_not_paid() -> None:
    scene = bargaining(THE_BANK_IN_REACH.replace("y", "-"), start="b")
    scene.do("b", MakeOffer(0, (550,), (0,), ()))
    assert answer(scene, "y") == DeclineOffer()
