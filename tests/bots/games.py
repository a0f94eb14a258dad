"""Whole games of bots only."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from server.bots.strategy import Strategy, question_in
from server.games.engine.dice import Dice
from server.games.engine.game import Game, Outcome
from server.games.engine.options import read_options
from server.games.engine.play import begin
from tests.games.players import seed_bytes
from tests.games.playing import accepted


def played(game: Game[Any], strategies: Sequence[Strategy], seed: int, **agreed: Any) -> Outcome:
    """Give how a game of these strategies ends, with one of them in each seat."""
    options = read_options(game.options, agreed)
    dice = Dice(seed_bytes(seed))
    play, _ = begin(game, len(strategies), options, dice)
    while play.decision is not None:
        seat = play.awaited[0]
        luck = random.Random(f"{seed}/{play.number}/{seat}")
        chosen = strategies[seat].choose(question_in(play, seat, options), luck, math.inf)
        play, _ = accepted(play.answer(seat, play.number, chosen.command, dice))
    outcome = game.outcome(play.state)
    assert outcome is not None
    return outcome
