"""A strong opponent: it plays its best answers on, with the deck in orders that are possible, and counts the wins.

Every answer is tried with the same decks, so that answers are told apart by what they do and not by what was drawn.
"""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Final, NamedTuple

from server.bots.planners import building, turns
from server.bots.planners.ahead import chance_to_win, played_on
from server.bots.planners.knowledge import known_state, shuffled
from server.bots.planners.market import Market
from server.bots.planners.outlook import Manner, Outlook
from server.bots.strategy import Chosen, Question
from server.games.planners.state import Choosing, Laying, Placing


class Effort(NamedTuple):
    """How much is tried for one decision."""

    decks: int = 12
    """How many orders of the deck each answer is tried with."""

    rounds: int = 2
    """How many turns of each seat are played on."""

    breadth: int = 6
    """How many plans for the taken cards are followed side by side."""


_TRUST: Final = 0.004
"""How much less likely to win normal's own answer may seem before another one is preferred: trials are few."""

_EFFORT: Final = Effort()
_MANNER: Final = Manner()


class Hard:
    """Answers by looking ahead."""

    def __init__(self, effort: Effort = _EFFORT, manner: Manner = _MANNER) -> None:
        self._effort, self._manner = effort, manner

    def choose(self, question: Question, chooser: Random, seconds: float) -> Chosen:
        end = monotonic() + seconds
        state, effort = known_state(question), self._effort
        outlook = Outlook(state, self._manner)
        if isinstance(state.stage, Choosing):
            return building.bonus(outlook, question.prompt)
        if isinstance(state.stage, Placing):
            return building.place(outlook, effort.breadth)
        market = Market(outlook, effort.breadth)
        answers = [rated.chosen for rated in (turns.lay if isinstance(state.stage, Laying) else turns.turn)(market)]
        if len(answers) == 1:
            return answers[0]
        quick = Market(outlook, 0)
        totals = [0.0] * len(answers)
        ahead = effort.rounds * state.settings.seats - 1
        for _ in range(effort.decks):
            if monotonic() >= end:
                break
            possible = shuffled(state, chooser)
            for number, answer in enumerate(answers):
                later = played_on(quick, possible, answer.command, ahead)
                totals[number] += chance_to_win(later, question.seat, self._manner) + _TRUST * (number == 0)
        return answers[max(range(len(answers)), key=totals.__getitem__)]
