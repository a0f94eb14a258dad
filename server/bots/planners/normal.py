"""A real opponent: it plans each column, knows what the others would make of it, and minds contracts and the clock."""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.planners import building, turns
from server.bots.planners.knowledge import known_state
from server.bots.planners.market import Market
from server.bots.planners.outlook import Manner, Outlook
from server.bots.strategy import Chosen, Question
from server.games.engine.prompts import Prompt
from server.games.planners.state import Choosing, Laying, Placing, State

_MANNER: Final = Manner()

BREADTH: Final = 3
"""How many plans for a column are followed side by side."""


class Normal:
    """Answers by its own judgement, without looking ahead."""

    def __init__(self, manner: Manner = _MANNER) -> None:
        self._manner = manner

    def choose(self, question: Question, chooser: Random, seconds: float) -> Chosen:
        return answered(known_state(question), question.prompt, self._manner, BREADTH)


def answered(state: State, prompt: Prompt, manner: Manner, breadth: int) -> Chosen:
    """Give the answer of the seat to move; nothing hidden is looked at."""
    outlook = Outlook(state, manner)
    stage = state.stage
    if isinstance(stage, Choosing):
        return building.bonus(outlook, prompt)
    if isinstance(stage, Placing):
        return building.place(outlook, breadth)
    market = Market(outlook, breadth)
    return (turns.lay if isinstance(stage, Laying) else turns.turn)(market)[0].chosen
