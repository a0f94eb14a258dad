"""A real opponent: it plans whole turns and takes the one that leads to most points."""

from __future__ import annotations

from random import Random

from server.bots.builders.evaluation import WEIGHTS, Evaluation, Weights
from server.bots.builders.knowledge import known_state
from server.bots.builders.plans import best_plan
from server.bots.builders.reasons import explained
from server.bots.strategy import BotChoice, Question


class Normal:
    """Answers by its own judgement, without looking ahead."""

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self._weights = weights

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        evaluation = Evaluation(known_state(question), question.seat, self._weights)
        return explained(evaluation, best_plan(evaluation))
