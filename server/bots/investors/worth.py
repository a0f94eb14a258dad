"""The value of a right to a seat, as the highest influence card that it should play for it."""

from __future__ import annotations

from server.bots.investors.evaluation import Evaluation, Weights
from server.bots.investors.knowledge import known_state
from server.bots.investors.valuations import expected_loss, influence_costs, max_card, valuations
from server.bots.strategy import Question
from server.games.investors.state import InfluenceBidding

_WEIGHTS = Weights()


def max_worthwhile_card(question: Question) -> int:
    """Return the highest card that the seat could play and that did not cost more than the right was worth."""
    evaluation, seat = Evaluation(known_state(question), _WEIGHTS), question.seat
    stage = evaluation.state.stage
    assert isinstance(stage, InfluenceBidding)
    worth = valuations(evaluation)
    value = worth[seat]
    if stage.rights == 1:
        others = [other for other in range(evaluation.seats) if other != seat]
        value += expected_loss(evaluation, seat, others, worth)
    return max_card(influence_costs(evaluation, seat), value)
