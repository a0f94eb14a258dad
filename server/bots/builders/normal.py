"""Normal: plans whole turns and takes the one with the highest value."""

from __future__ import annotations

from random import Random

from server.bots.builders.evaluation import WEIGHTS, Evaluation, Weights
from server.bots.builders.knowledge import known_state
from server.bots.builders.plans import best_plan
from server.bots.builders.reasons import with_reason
from server.bots.builders.styles import styled
from server.bots.strategy import BotChoice, Question


class Normal:
    """A strategy that evaluates plans, without search."""

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self._weights = weights

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        weights = styled(self._weights, question.style)
        evaluation = Evaluation(known_state(question), question.seat, weights)
        return with_reason(evaluation, best_plan(evaluation))
