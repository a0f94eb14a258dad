"""Games of bots only: they end, and they end as games among people should, when twelve years are over."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from server.bots.chance import Chance
from server.bots.investors import STRATEGIES
from server.bots.investors.hard import Effort, Hard
from server.bots.strategy import Strategy, question_in
from server.games.dice import Dice
from server.games.game import Outcome
from server.games.options import read_options
from server.games.play import begin
from tests.games.investors import GAME, TWELVE_CARDS
from tests.games.players import seed_bytes
from tests.games.playing import accepted

EASY, NORMAL = STRATEGIES["easy"], STRATEGIES["normal"]
HASTY = Hard(Effort(trials=4, most_per_idea=2, rounds=0))
VARIANTS: list[dict[str, Any]] = [
    {},
    {"layout": "players", "tender_deck": "alternative"},
    {"bargaining_offers": 2, "kind_tender_may_use_edge": False},
    {"action_cards": list(TWELVE_CARDS), "move_axis_only": True, "influence_cap": 30},
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


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "laid", "bargaining", "chosen cards"])
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("strategy", [EASY, NORMAL], ids=["easy", "normal"])
def test_games_end_with_the_years(strategy: Strategy, seats: int, variant: dict[str, Any]) -> None:
    outcome = played([strategy] * seats, 1, **variant)
    assert outcome.reason == "years"
    assert sum(outcome.scores) > 40, "there is something to win"


@pytest.mark.parametrize("variant", VARIANTS, ids=["usual", "laid", "bargaining", "chosen cards"])
def test_hard_gets_along_with_every_variant(variant: dict[str, Any]) -> None:
    assert played([HASTY, NORMAL, EASY], 5, **variant).reason == "years"


def test_normal_wins_against_easy() -> None:
    """In most of so few games; the arena measures how often."""
    wins = sum(0 in played([NORMAL, EASY, EASY], seed).winners for seed in range(6))
    assert wins > 3


def test_easy_wins_against_chance() -> None:
    wins = sum(0 in played([EASY, Chance(), Chance()], seed).winners for seed in range(3))
    assert wins == 3
