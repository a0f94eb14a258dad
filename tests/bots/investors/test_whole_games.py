"""Games of bots only: they end, and they end as games among people should, when twelve years are over."""

from __future__ import annotations

from typing import Any

import pytest

from server.bots.investors import STRATEGIES
from server.bots.investors.hard import Hard, SearchBudget
from server.bots.random_strategy import RandomStrategy
from server.bots.strategy import Strategy
from tests.bots.games import play_game
from tests.games.investors import GAME, TWELVE_CARDS

EASY, NORMAL = STRATEGIES["easy"], STRATEGIES["normal"]
FAST_HARD = Hard(SearchBudget(simulations=4, max_per_candidate=2, rounds=0))
VARIANTS: list[dict[str, Any]] = [
    {},
    {"layout": "players", "tender_deck": "alternative"},
    {"bargaining_offers": 2, "kind_tender_may_use_edge": False},
    {"action_cards": list(TWELVE_CARDS), "move_axis_only": True, "influence_cap": 30},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "laid", "bargaining", "chosen cards"])
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("strategy", [EASY, NORMAL], ids=["easy", "normal"])
def test_games_end_with_the_years(strategy: Strategy, seats: int, variant: dict[str, Any]) -> None:
    outcome = play_game(GAME, [strategy] * seats, 1, **variant)
    assert outcome.reason == "years"
    assert sum(outcome.scores) > 40, "there is something to win"


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "laid", "bargaining", "chosen cards"])
def test_hard_gets_along_with_every_variant(variant: dict[str, Any]) -> None:
    assert play_game(GAME, [FAST_HARD, NORMAL, EASY], 5, **variant).reason == "years"


def test_normal_wins_against_easy() -> None:
    """In most of so few games; the arena measures how often."""
    wins = sum(0 in play_game(GAME, [NORMAL, EASY, EASY], seed).winners for seed in range(6))
    assert wins > 3


def test_easy_wins_against_chance() -> None:
    wins = sum(0 in play_game(GAME, [EASY, RandomStrategy(), RandomStrategy()], seed).winners for seed in range(3))
    assert wins == 3
