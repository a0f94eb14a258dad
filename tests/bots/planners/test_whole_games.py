"""Games of bots only: they end, with something in every city, for any number of seats and all options."""

from __future__ import annotations

from typing import Any

import pytest

from server.bots.chance import Chance
from server.bots.planners import STRATEGIES
from server.bots.planners.hard import Effort, Hard
from server.bots.strategy import Strategy
from tests.bots.games import played
from tests.games.planners import GAME

EASY, NORMAL = STRATEGIES["easy"], STRATEGIES["normal"]
HASTY = Hard(Effort(trials=4, most_per_answer=1, rounds=1))
VARIANTS: list[dict[str, Any]] = [{}, {"allow_decline_bonus": True, "resolve_bonus_on_final_card": False}]


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "other"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("strategy", [EASY, NORMAL], ids=["easy", "normal"])
def test_games_end_with_cities_worth_something(strategy: Strategy, seats: int, variant: dict[str, Any]) -> None:
    outcome = played(GAME, [strategy] * seats, 1, **variant)
    assert outcome.reason in ("foundations", "full")
    assert max(outcome.scores) > 10


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "other"])
def test_hard_gets_along_with_every_variant(variant: dict[str, Any]) -> None:
    assert played(GAME, [HASTY, NORMAL, EASY], 5, **variant).reason in ("foundations", "full")


def test_normal_wins_against_easy() -> None:
    """In most of so few games; the arena measures how often."""
    wins = sum(0 in played(GAME, [NORMAL, EASY, EASY], seed).winners for seed in range(5))
    assert wins > 2


def test_easy_wins_against_chance() -> None:
    wins = sum(0 in played(GAME, [EASY, Chance(), Chance()], seed).winners for seed in range(3))
    assert wins == 3
