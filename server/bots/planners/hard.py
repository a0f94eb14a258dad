"""Hard: determinized Monte Carlo search; sequential halving picks the answer with the best win probability.

Every answer is simulated with the same shuffled decks, so that luck affects all of them alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from server.bots.planners import building, turns
from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.knowledge import determinized_state, known_state
from server.bots.planners.market import Market
from server.bots.planners.normal import BEAM_WIDTH
from server.bots.planners.rollout import rollout, win_probability
from server.bots.planners.styles import styled
from server.bots.sequential_halving import sequential_halving
from server.bots.strategy import BotChoice, Question
from server.games.planners.state import Choosing, Laying, Placing


class SearchBudget(NamedTuple):
    """The amount of search for one decision."""

    simulations: int = 48
    """Rollouts for all answers together."""

    max_per_candidate: int = 20
    """The maximum of rollouts of one answer before the weaker half is dropped."""

    rounds: int = 1
    """Turns of each seat in a rollout."""

    beam_width: int = 5
    """The width of the beam search over plans for the taken cards."""


_PRIOR: Final = 0.002
"""The bonus on the win probability for each half point of the rating of `normal`: it decides between answers that
simulations do not tell apart."""

_STYLED_PRIOR: Final = 0.006
"""The same for a bot with a style, whose rating follows its style: more, so that the style is seen."""

_BUDGET: Final = SearchBudget()
_ROLLOUT_WEIGHTS: Final = Weights()
"""The weights by which all seats play in rollouts: those of `normal`."""

_EVALUATION_WEIGHTS: Final = Weights(contract=5.0)
"""The weights by which the last position of a rollout is rated.

Contracts go back when every seat has one, so a seat that holds one has taken a column more than another seat, which
will catch up: a contract costs about what a column gains. This value predicted the results of `normal` games best.
"""


class Hard:
    """A strategy that searches."""

    def __init__(self, budget: SearchBudget = _BUDGET) -> None:
        self._budget = budget

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        end = monotonic() + seconds
        state, budget = known_state(question), self._budget
        weights = styled(_ROLLOUT_WEIGHTS, question.style)
        evaluation = Evaluation(state, weights)
        if isinstance(state.stage, Choosing):
            return building.bonus(evaluation, question.prompt)
        if isinstance(state.stage, Placing):
            return building.place(evaluation, budget.beam_width)
        own_market = Market(evaluation, BEAM_WIDTH)
        answers = (turns.lay if isinstance(state.stage, Laying) else turns.turn)(own_market)
        # Rollouts know nothing of styles: in them the others play as `normal` does.
        market = own_market if question.style is None else Market(Evaluation(state, _ROLLOUT_WEIGHTS), BEAM_WIDTH)
        prior = _PRIOR if question.style is None else _STYLED_PRIOR
        ahead = budget.rounds * state.settings.seats - 1

        def simulate(order: Sequence[int]) -> list[float]:
            deal = determinized_state(state, rng)
            results = []
            for candidate in order:
                later = rollout(market, deal, answers[candidate].choice.command, ahead)
                probability = win_probability(market, later, question.seat, _EVALUATION_WEIGHTS)
                results.append(probability + prior * answers[candidate].rating)
            return results

        best = sequential_halving(
            len(answers), simulate, budget.simulations, budget.max_per_candidate, lambda: monotonic() >= end
        )
        return answers[best].choice
