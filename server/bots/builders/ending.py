"""The end of the game that an eighth house brings: build it when that wins, and wait when it loses.

The house ends the game after this card, so it is not worth its points, but the difference between the chance to win now
and the chance to win if the game goes on.
"""

from __future__ import annotations

import math
from typing import Final

from server.bots.builders.evaluation import Evaluation
from server.games.builders.components import BEST_BUILDER_POINTS, BUILDINGS_PER_SEAT
from server.games.builders.scoring import points
from server.games.builders.state import State
from server.games.engine.game import Seat

_POINTS_OF_A_WIN: Final = 25.0
"""The points that the evaluation takes a whole win for."""

_TURN_WORTH: Final = 5.0
"""The points that a good plan for one more turn gains.

A plan that ends the game and wins must not be rated lower, since a win cannot be lost any more.
"""

_UNKNOWN_GOAL: Final = 5.0
"""The points of the goal that another seat was dealt, as long as it is not known."""

_TURN: Final = 1.5
"""The points that another seat gains in its last turn."""

_SPREAD, _SPREAD_PER_TURN = 2.5, 0.15
"""The uncertainty of a lead, in points: now, and more for each turn to come."""


def ends_game(evaluation: Evaluation) -> bool:
    """Return whether the next house of the seat ends the game before its time."""
    state = evaluation.state
    is_first_eighth = state.best_builder is None and state.built(evaluation.seat) + 1 == BUILDINGS_PER_SEAT
    return is_first_eighth and evaluation.remaining.turns > 0


def finishing_gain(evaluation: Evaluation, gained: float, continuing: float) -> float:
    """Return the value of ending the game with a house that adds so many final points, by the chance to win without."""
    state, seat = evaluation.state, evaluation.seat
    own = sum(points(state, seat).values()) + gained + BEST_BUILDER_POINTS
    chance = _chance(own - _best_other(state, seat), _SPREAD)
    return _POINTS_OF_A_WIN * (chance - continuing) + _TURN_WORTH * chance


def continuing_chance(evaluation: Evaluation) -> float:
    """Return the chance to win if the game goes on, by the expected points of all seats."""
    state, seat = evaluation.state, evaluation.seat
    others = [Evaluation(state, other, evaluation.weights).total for other in range(state.seats) if other != seat]
    return _chance(evaluation.total - max(others), _SPREAD + _SPREAD_PER_TURN * evaluation.remaining.turns)


def _best_other(state: State, seat: Seat) -> float:
    """Return the points that the best other seat has when the game ends after this card."""
    turns_left = state.order[state.acted + 1 :]
    return max(
        sum(points(state, other).values())
        + (0.0 if state.hidden_goals[other] else _UNKNOWN_GOAL)
        + (_TURN if other in turns_left else 0.0)
        for other in range(state.seats)
        if other != seat
    )


def _chance(lead: float, spread: float) -> float:
    return 1 / (1 + math.exp(max(-40.0, min(40.0, -lead / spread))))
