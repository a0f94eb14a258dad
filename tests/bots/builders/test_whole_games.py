"""Games of bots only: every turn is finished, every game ends, and the stronger bot is better."""

from __future__ import annotations

from typing import Any

import pytest

from server.bots.builders import STRATEGIES
from server.bots.builders.hard import Hard, SearchBudget
from server.bots.random_strategy import RandomStrategy
from server.bots.strategy import Strategy
from tests.bots.games import play_game
from tests.games.builders import GAME

EASY, NORMAL = STRATEGIES["easy"], STRATEGIES["normal"]
FAST_HARD = Hard(SearchBudget(simulations=4, max_per_candidate=2, candidates=2, turns=1))
VARIANTS: list[dict[str, Any]] = [
    {},
    {"plot_sides": "A", "park_order": "falling", "first_seat": "1"},
    {"plot_sides": "B", "strict_wild": True, "adjacent_across_cards": True, "majorities_rank_all": True},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "falling parks", "strict wild"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("strategy", [EASY, NORMAL], ids=["easy", "normal"])
def test_games_end_with_a_city_worth_something(strategy: Strategy, seats: int, variant: dict[str, Any]) -> None:
    assert min(play_game(GAME, [strategy] * seats, 1, **variant).scores) > 15


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "falling parks", "strict wild"])
def test_hard_gets_along_with_every_variant(variant: dict[str, Any]) -> None:
    assert play_game(GAME, [FAST_HARD, EASY], 5, **variant).scores[0] > 15


def test_normal_wins_against_easy() -> None:
    """In most of so few games; the arena measures how often."""
    assert sum(0 in play_game(GAME, [NORMAL, EASY, EASY], seed).winners for seed in range(12)) > 6


def test_easy_wins_against_chance() -> None:
    assert all(0 in play_game(GAME, [EASY, RandomStrategy(), RandomStrategy()], seed).winners for seed in range(4))
