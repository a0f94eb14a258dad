"""Games of bots only: they end, with something in every city, for any number of seats and all options."""

from __future__ import annotations

from typing import Any

import pytest

from server.bots.planners import STRATEGIES
from server.bots.planners.hard import Hard, SearchBudget
from server.bots.random_strategy import RandomStrategy
from server.bots.strategy import Strategy
from tests.bots.games import play_game
from tests.games.planners import GAME

EASY, NORMAL = STRATEGIES["easy"], STRATEGIES["normal"]
FAST_HARD = Hard(SearchBudget(simulations=4, max_per_candidate=1, rounds=1))
VARIANTS: list[dict[str, Any]] = [
    {},
    {
        "allow_decline_bonus": True,
        "resolve_bonus_on_final_card": False,
        "sold_out_bonus": "nothing",
        "rows_below_by_total": True,
    },
]


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "other"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("strategy", [EASY, NORMAL], ids=["easy", "normal"])
def test_games_end_with_cities_worth_something(strategy: Strategy, seats: int, variant: dict[str, Any]) -> None:
    outcome = play_game(GAME, [strategy] * seats, 1, **variant)
    assert outcome.reason in ("foundations", "full")
    assert max(outcome.scores) > 10


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "other"])
def test_hard_gets_along_with_every_variant(variant: dict[str, Any]) -> None:
    assert play_game(GAME, [FAST_HARD, NORMAL, EASY], 5, **variant).reason in ("foundations", "full")


def test_normal_wins_against_easy() -> None:
    """In most of so few games; the arena measures how often."""
    wins = sum(0 in play_game(GAME, [NORMAL, EASY, EASY], seed).winners for seed in range(5))
    assert wins > 2


def test_easy_wins_against_chance() -> None:
    wins = sum(0 in play_game(GAME, [EASY, RandomStrategy(), RandomStrategy()], seed).winners for seed in range(3))
    assert wins == 3
