"""Hard: determinized Monte Carlo search; sequential halving picks the plan with the best win probability.

Every plan is simulated in the same determinized states with the same dice, so that luck affects all of them alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from server.bots.builders.evaluation import WEIGHTS, Evaluation, Weights
from server.bots.builders.knowledge import determinized_state, known_state
from server.bots.builders.plans import Plan, plans
from server.bots.builders.reasons import with_reason
from server.bots.builders.rollout import after_turn, rollout, win_probability
from server.bots.builders.styles import styled
from server.bots.sequential_halving import sequential_halving
from server.bots.strategy import BotChoice, Question
from server.games.engine.dice import SEED_BYTES, Dice


class SearchBudget(NamedTuple):
    """The amount of search for one decision."""

    simulations: int = 40
    """Rollouts for all plans together."""

    max_per_candidate: int = 12
    candidates: int = 5
    """The maximum of plans."""

    turns: int = 12
    """Turns of a rollout after the plan, counting the turns of all seats."""

    margin: float = 3.0
    """By how many points the value of a plan may be below the best one."""


_PRIOR: Final = 0.01
"""The bonus on the win probability of the plan of `normal`: with few simulations, others win by luck."""
_PRIOR_OF_STYLE: Final = 0.025
"""The same for the plan that a style prefers, so that it can be seen in the choices."""


class Hard:
    """A strategy that searches."""

    def __init__(self, budget: SearchBudget = SearchBudget(), weights: Weights = WEIGHTS) -> None:  # noqa: B008 (never changed)
        self._budget, self._weights = budget, weights

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        end = monotonic() + seconds
        budget, weights, seat = self._budget, self._weights, question.seat
        # The style ranks the plans; how the game goes on after them, and who wins it, is estimated without one.
        evaluation = Evaluation(known_state(question), seat, styled(weights, question.style))
        candidates = self._candidates(evaluation)
        prior = _PRIOR if question.style is None else _PRIOR_OF_STYLE

        def simulate(order: Sequence[int]) -> list[float]:
            state = determinized_state(question, rng)
            dice = Dice(rng.randbytes(SEED_BYTES))
            results = []
            for candidate in order:
                later = rollout(after_turn(state, candidates[candidate].commands, dice), budget.turns, weights, dice)
                results.append(win_probability(later, seat, weights) + (0.0 if candidate else prior))
            return results

        best = sequential_halving(
            len(candidates), simulate, budget.simulations, budget.max_per_candidate, lambda: monotonic() >= end
        )
        return with_reason(evaluation, candidates[best])

    def _candidates(self, evaluation: Evaluation) -> list[Plan]:
        """Return the plans to simulate, the one of `normal` first."""
        found = plans(evaluation)
        minimum = found[0].worth - self._budget.margin
        return [plan for plan in found[: self._budget.candidates] if plan.worth >= minimum]
