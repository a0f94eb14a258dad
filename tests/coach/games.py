"""Games of bots for the coach, with all their decisions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import Any

from server.bots.registry import STRATEGIES
from server.bots.strategy import Question, question_from_play
from server.coach.decisions import Decided, DecisionReader, PlayedGame, own_answers
from server.games.engine.dice import Dice
from server.games.engine.events import Event, Seat
from server.games.engine.options import read_options
from server.games.engine.play import Answered, Play, begin
from server.games.engine.prompts import Command
from server.games.registry import GAMES
from tests.games.players import seed_bytes
from tests.games.playing import accepted

Choose = Callable[[Question, random.Random], Command]


def usual(game: str, strength: str = "normal") -> Choose:
    """Return how a bot chooses."""
    strategy = STRATEGIES[game][strength]
    return lambda question, rng: strategy.choose(question, rng, math.inf).command


def played_game(
    game: str, seats: int, seed: int, choose: Mapping[Seat, Choose] | None = None, **agreed: Any
) -> PlayedGame:
    """Return a whole game; the seats that are not in `choose` play as `normal`."""
    rules = GAMES[game]
    options, dice = read_options(rules.options, agreed), Dice(seed_bytes(seed))
    play, step = begin(rules, seats, options, dice)
    reader = DecisionReader(seats, options)
    reader.add(play, of_game(step), {})
    given: dict[Seat, Command] = {}
    while play.decision is not None:
        seat, before = play.awaited[0], play
        chooser = (choose or {}).get(seat) or usual(game)
        rng = random.Random(f"{seed}/{play.number}/{seat}")
        given[seat] = chooser(question_from_play(play, seat, options), rng)
        play, step = accepted(play.answer(seat, play.number, given[seat], dice))
        if play.number != before.number:
            reader.add(play, of_game(step), own_answers(given))
            given = {}
    found = reader.game()
    assert found is not None
    return found


def of_game(step: Any) -> list[Event]:
    return [event for event in step if not isinstance(event, Answered)]


def decision_at(game: PlayedGame, step: int, seat: Seat) -> Decided:
    """Return the decision of a seat that led to a step."""
    return next(one for one in game.decisions if (one.step, one.seat) == (step, seat))


def play_before(game: PlayedGame, step: int) -> Play:
    """Return the play in which the decision that led to a step was open."""
    return [moment.play for moment in game.moments if moment.step < step][-1]
