"""Option tiles: which one, and what for it. y decides."""

from __future__ import annotations

from collections import Counter

import pytest

from server.bots.investors import STRATEGIES
from server.bots.strategy import Strategy
from server.games.investors.commands import BidCheques, ChooseOption, PayCheque
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
