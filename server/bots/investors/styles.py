"""Styles: the weights of the evaluation by the style of a bot."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from server.bots.investors.evaluation import Evaluation, Weights
from server.bots.investors.knowledge import known_state
from server.bots.strategy import Question, Style
from server.games.investors.state import Bargaining, ChequeBidding, InfluenceBidding, OptionBidding

_SPITE: Final = 1.0
"""The weight that a spoiler gives to the losses of the leading opponent."""

_PAYING: Final = (InfluenceBidding, ChequeBidding, OptionBidding, Bargaining)
"""The stages in which a seat decides what a right may cost."""


@lru_cache(maxsize=64)
def styled(weights: Weights, style: Style | None) -> Weights:
    """Return the weights with which a bot of a style plays; without a style, the weights as they are."""
    district, resources, bidding = weights.district, weights.resources, weights.bidding
    match style:
        case None:
            return weights
        case Style.CAUTIOUS:
            # What is kept counts for more, so less is bid; and a draw must promise more than it risks.
            return weights._replace(
                resources=resources._replace(
                    max_influence_worth=resources.max_influence_worth * 1.08,
                    max_money_worth=resources.max_money_worth * 1.08,
                ),
                bidding=bidding._replace(part=bidding.part * 0.92),
                risk_aversion=0.5,
            )
        case Style.GREEDY:
            # The prestige of others counts for less, and resources are there to be spent.
            return weights._replace(
                district=district._replace(rivalry=district.rivalry * 0.6),
                resources=resources._replace(
                    max_influence_worth=resources.max_influence_worth * 0.85,
                    max_money_worth=resources.max_money_worth * 0.85,
                ),
                bidding=bidding._replace(part=bidding.part * 1.1),
                risk_aversion=-0.6,
            )
        case Style.SPOILER:
            return weights._replace(spite=_SPITE)


def evaluation_of(question: Question, weights: Weights) -> Evaluation:
    """Return the evaluation of what a seat knows, with the weights of its style.

    Spite decides where sticks go, not what they may cost: a spoiler that paid for it would only ruin itself.
    """
    state = known_state(question)
    weights = styled(weights, question.style)
    return Evaluation(state, weights._replace(spite=0.0) if isinstance(state.stage, _PAYING) else weights)
