"""Whole games of bots only."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from server.bots.strategy import Strategy, question_from_play
from server.games.engine.dice import Dice
from server.games.engine.game import Game, Outcome
from server.games.engine.options import read_options
from server.games.engine.play import begin
from tests.games.players import seed_bytes
from tests.games.playing import accepted


def play_game(game: Game[Any], strategies: Sequence[Strategy], seed: int, **agreed: Any) -> Outcome:
    """Return the outcome of a game of these strategies, one for each seat."""
    options = read_options(game.options, agreed)
    dice = Dice(seed_bytes(seed))
    play, _ = begin(game, len(strategies), options, dice)
    while play.decision is not None:
        seat = play.awaited[0]
        rng = random.Random(f"{seed}/{play.number}/{seat}")
        choice = strategies[seat].choose(question_from_play(play, seat, options), rng, math.inf)
        play, _ = accepted(play.answer(seat, play.number, choice.command, dice))
    outcome = game.outcome(play.state)
    assert outcome is not None
    return outcome
