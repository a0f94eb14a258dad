"""A real opponent: it plans whole turns and takes the one that leads to most points."""

from __future__ import annotations

from random import Random

from server.bots.builders.knowledge import known_state
from server.bots.builders.outlook import MANNER, Manner, Outlook
from server.bots.builders.plans import best_plan
from server.bots.builders.reasons import explained
from server.bots.strategy import Chosen, Question


class Normal:
    """Answers by its own judgement, without looking ahead."""

    def __init__(self, manner: Manner = MANNER) -> None:
        self._manner = manner

    def choose(self, question: Question, chooser: Random, seconds: float) -> Chosen:
        outlook = Outlook(known_state(question), question.seat, self._manner)
        return explained(outlook, best_plan(outlook))
