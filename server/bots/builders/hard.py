"""A strong opponent: it plays its best plans on, in positions that could be the true one, and counts the wins.

Every plan is tried in the same possible positions with the same luck, so that plans are told apart by what they do and
not by what was dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from server.bots.builders.ahead import chance_to_win, played_on, turn_taken
from server.bots.builders.evaluation import WEIGHTS, Evaluation, Weights
from server.bots.builders.knowledge import known_state, possible_state
from server.bots.builders.plans import Plan, plans
from server.bots.builders.reasons import explained
from server.bots.strategy import BotChoice, Question
from server.bots.trials import best_of
from server.games.engine.dice import SEED_BYTES, Dice


class Effort(NamedTuple):
    """How much is tried for one decision."""

    trials: int = 40
    """How many times positions are played on, for all plans together."""

    most_per_idea: int = 12
    ideas: int = 5
    """How many plans are tried."""

    turns: int = 12
    """How many turns are played after the plan, of all seats together."""

    margin: float = 3.0
    """By how many points a plan may seem worse than the best and still be tried."""


_TRUST: Final = 0.01
"""How much less likely to win normal's own plan may seem before another one is preferred: trials are few."""


class Hard:
    """Answers by looking ahead."""

    def __init__(self, effort: Effort = Effort(), weights: Weights = WEIGHTS) -> None:  # noqa: B008 (never changed)
        self._effort, self._weights = effort, weights

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        end = monotonic() + seconds
        effort, weights, seat = self._effort, self._weights, question.seat
        evaluation = Evaluation(known_state(question), seat, weights)
        ideas = self._ideas(evaluation)

        def try_out(order: Sequence[int]) -> list[float]:
            state = possible_state(question, rng)
            dice = Dice(rng.randbytes(SEED_BYTES))
            results = []
            for idea in order:
                later = played_on(turn_taken(state, ideas[idea].commands, dice), effort.turns, weights, dice)
                results.append(chance_to_win(later, seat, weights) + (0.0 if idea else _TRUST))
            return results

        best = best_of(len(ideas), try_out, effort.trials, effort.most_per_idea, lambda: monotonic() >= end)
        return explained(evaluation, ideas[best])

    def _ideas(self, evaluation: Evaluation) -> list[Plan]:
        """Give the plans to try, normal's own first."""
        found = plans(evaluation)
        least = found[0].worth - self._effort.margin
        return [plan for plan in found[: self._effort.ideas] if plan.worth >= least]
