"""Hard: determinized Monte Carlo search; sequential halving picks the candidate with the best win probability.

Every candidate is simulated in the same determinized states with the same random numbers, so that luck affects all of
them alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from server.bots.investors.candidates import candidates
from server.bots.investors.evaluation import Weights
from server.bots.investors.knowledge import determinized_state
from server.bots.investors.rollout import rollout, win_probability
from server.bots.investors.styles import evaluation_of, styled
from server.bots.sequential_halving import sequential_halving
from server.bots.strategy import BotChoice, Question
from server.games.engine.dice import SEED_BYTES, Dice


class SearchBudget(NamedTuple):
    """The amount of search for one decision."""

    simulations: int = 60
    """Rollouts for all candidates together."""

    max_per_candidate: int = 16
    """The maximum of rollouts of one candidate before the weaker half is dropped."""

    rounds: int = 1
    """Rounds of a rollout beyond the open one."""


_PRIOR: Final = 0.01
"""The bonus on the win probability of the answer of `normal`: with few simulations, others win by luck."""

_STYLED_PRIOR: Final = 0.03
"""The same for a bot with a style: it shows in the answer of `normal`, while the search looks for wins alone."""

_BUDGET: Final = SearchBudget()
_WEIGHTS: Final = Weights()


class Hard:
    """A strategy that searches."""

    def __init__(self, budget: SearchBudget = _BUDGET, weights: Weights = _WEIGHTS) -> None:
        self._budget, self._weights = budget, weights

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        end = monotonic() + seconds
        budget, seat = self._budget, question.seat
        weights = styled(self._weights, question.style)._replace(spite=0.0)
        prior = _PRIOR if question.style is None else _STYLED_PRIOR
        choices = candidates(evaluation_of(question, self._weights), seat, question.prompt, rng)

        def simulate(order: Sequence[int]) -> list[float]:
            state = determinized_state(question, rng)
            dice, seed = Dice(rng.randbytes(SEED_BYTES)), rng.getrandbits(64)
            results = []
            for candidate in order:
                given = {seat: choices[candidate].command}
                later = rollout(state, given, budget.rounds, weights, dice, Random(seed))  # noqa: S311
                results.append(win_probability(later, seat, weights) + (0.0 if candidate else prior))
            return results

        best = sequential_halving(
            len(choices), simulate, budget.simulations, budget.max_per_candidate, lambda: monotonic() >= end
        )
        return choices[best]
