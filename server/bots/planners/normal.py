"""A real opponent: it plans each column, knows what the others would make of it, and minds contracts and the clock."""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.planners import building, turns
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.knowledge import known_state
from server.bots.planners.market import Market
from server.bots.strategy import BotChoice, Question
from server.games.engine.prompts import Prompt
from server.games.planners.state import Choosing, Laying, Placing, State

_WEIGHTS: Final = Weights()

BREADTH: Final = 3
"""How many plans for a column are followed side by side."""


class Normal:
    """Answers by its own judgement, without looking ahead."""

    def __init__(self, weights: Weights = _WEIGHTS) -> None:
        self._weights = weights

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        return answered(known_state(question), question.prompt, self._weights, BREADTH)


def answered(state: State, prompt: Prompt, weights: Weights, breadth: int) -> BotChoice:
    """Give the answer of the seat to move; nothing hidden is looked at."""
    evaluation = Evaluation(state, weights)
    stage = state.stage
    if isinstance(stage, Choosing):
        return building.bonus(evaluation, prompt)
    if isinstance(stage, Placing):
        return building.place(evaluation, breadth)
    market = Market(evaluation, breadth)
    return (turns.lay if isinstance(stage, Laying) else turns.turn)(market)[0].chosen
