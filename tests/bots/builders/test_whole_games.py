"""Games of bots only: every turn is finished, every game ends, and the stronger bot is better."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from server.bots.builders import STRATEGIES
from server.bots.builders.hard import Effort, Hard
from server.bots.chance import Chance
from server.bots.strategy import Strategy, question_in
from server.games.dice import Dice
from server.games.game import Outcome
from server.games.options import read_options
from server.games.play import begin
from tests.games.builders import GAME
from tests.games.players import seed_bytes
from tests.games.playing import accepted

EASY, NORMAL = STRATEGIES["easy"], STRATEGIES["normal"]
HASTY = Hard(Effort(trials=4, most_per_idea=2, ideas=2, turns=1))
VARIANTS: list[dict[str, Any]] = [
    {},
    {"plot_sides": "A", "park_order": "falling", "first_seat": "1"},
    {"plot_sides": "B", "strict_wild": True, "adjacent_across_cards": True},
]


def played(strategies: list[Strategy], seed: int, **agreed: Any) -> Outcome:
    options = read_options(GAME.options, agreed)
    dice = Dice(seed_bytes(seed))
    play, _ = begin(GAME, len(strategies), options, dice)
    while play.decision is not None:
        seat = play.awaited[0]
        luck = random.Random(f"{seed}/{play.number}/{seat}")
        chosen = strategies[seat].choose(question_in(play, seat, options), luck, math.inf)
        play, _ = accepted(play.answer(seat, play.number, chosen.command, dice))
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "falling parks", "strict wild"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("strategy", [EASY, NORMAL], ids=["easy", "normal"])
def test_games_end_with_a_city_worth_something(strategy: Strategy, seats: int, variant: dict[str, Any]) -> None:
    assert min(played([strategy] * seats, 1, **variant).scores) > 15


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "falling parks", "strict wild"])
def test_hard_gets_along_with_every_variant(variant: dict[str, Any]) -> None:
    assert played([HASTY, EASY], 5, **variant).scores[0] > 15


def test_normal_wins_against_easy() -> None:
    """In most of so few games; the arena measures how often."""
    assert sum(0 in played([NORMAL, EASY, EASY], seed).winners for seed in range(4)) > 2


def test_easy_wins_against_chance() -> None:
    assert all(0 in played([EASY, Chance(), Chance()], seed).winners for seed in range(4))
