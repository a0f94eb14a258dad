"""A strong opponent: it plays its best answers on, with the deck in orders that are possible, and counts the wins.

Every answer is tried with the same decks, so that answers are told apart by what they do and not by what was drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from server.bots.planners import building, turns
from server.bots.planners.ahead import chance_to_win, played_on
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.knowledge import known_state, shuffled
from server.bots.planners.market import Market
from server.bots.planners.normal import BREADTH
from server.bots.strategy import BotChoice, Question
from server.bots.trials import best_of
from server.games.planners.state import Choosing, Laying, Placing


class Effort(NamedTuple):
    """How much is tried for one decision."""

    trials: int = 48
    """How many times positions are played on, for all answers together."""

    most_per_answer: int = 20
    """How many times one answer is tried at most before the weaker half is dropped."""

    rounds: int = 1
    """How many turns of each seat are played on."""

    breadth: int = 5
    """How many plans for the taken cards are followed side by side."""


_TRUST: Final = 0.002
"""By how much an answer seems more likely to win for each half point that `normal` rates it higher: it decides between
answers that trials do not tell apart."""

_EFFORT: Final = Effort()
_PLAYER: Final = Weights()
"""How everybody is thought to play on: as `normal` does."""

_JUDGE: Final = Weights(contract=5.0)
"""How a position is judged in the end.

Contracts go back when everybody has one, so who holds one has taken a column more than somebody else, who will make up
for it: a contract costs about what a column brings. This is what foretold best how games of `normal` end.
"""


class Hard:
    """Answers by looking ahead."""

    def __init__(self, effort: Effort = _EFFORT) -> None:
        self._effort = effort

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        end = monotonic() + seconds
        state, effort = known_state(question), self._effort
        evaluation = Evaluation(state, _PLAYER)
        if isinstance(state.stage, Choosing):
            return building.bonus(evaluation, question.prompt)
        if isinstance(state.stage, Placing):
            return building.place(evaluation, effort.breadth)
        market = Market(evaluation, BREADTH)
        answers = (turns.lay if isinstance(state.stage, Laying) else turns.turn)(market)
        ahead = effort.rounds * state.settings.seats - 1

        def try_out(order: Sequence[int]) -> list[float]:
            possible = shuffled(state, rng)
            results = []
            for number in order:
                later = played_on(market, possible, answers[number].chosen.command, ahead)
                chance = chance_to_win(market, later, question.seat, _JUDGE)
                results.append(chance + _TRUST * answers[number].rating)
            return results

        best = best_of(len(answers), try_out, effort.trials, effort.most_per_answer, lambda: monotonic() >= end)
        return answers[best].chosen
