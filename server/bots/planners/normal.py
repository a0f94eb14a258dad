"""Normal: plans each column, knows its value for the others, and minds contracts and the end of the game."""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.planners import building, turns
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.knowledge import known_state
from server.bots.planners.market import Market
from server.bots.planners.styles import styled
from server.bots.strategy import BotChoice, Question
from server.games.engine.prompts import Prompt
from server.games.planners.state import Choosing, Laying, Placing, State

_WEIGHTS: Final = Weights()

BEAM_WIDTH: Final = 3
"""The width of the beam search over plans for a column."""


class Normal:
    """A strategy that evaluates positions, without search."""

    def __init__(self, weights: Weights = _WEIGHTS) -> None:
        self._weights = weights

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        return normal_choice(known_state(question), question.prompt, styled(self._weights, question.style), BEAM_WIDTH)


def normal_choice(state: State, prompt: Prompt, weights: Weights, beam_width: int) -> BotChoice:
    """Return the choice of the seat to move; it uses only the open parts of the state."""
    evaluation = Evaluation(state, weights)
    stage = state.stage
    if isinstance(stage, Choosing):
        return building.bonus(evaluation, prompt)
    if isinstance(stage, Placing):
        return building.place(evaluation, beam_width)
    market = Market(evaluation, beam_width)
    return (turns.lay if isinstance(stage, Laying) else turns.turn)(market)[0].choice
