"""A real opponent: it weighs what every right is worth to itself and to others, and what it can still afford."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from server.bots.investors import bidding, building, option_bids, subsidies
from server.bots.investors.knowledge import known_state
from server.bots.investors.prospects import Prospects, Weights
from server.bots.strategy import BotChoice, Question
from server.games.engine.game import Seat
from server.games.engine.prompts import Prompt
from server.games.investors.state import (
    Acting,
    Bargaining,
    ChequeBidding,
    Claiming,
    Considering,
    Drawing,
    InfluenceBidding,
    Investing,
    Laying,
    OptionBidding,
    OptionChoosing,
    Stage,
)

Answer = Callable[[Prospects, Seat, Prompt, Random], BotChoice]

ANSWERS: Final[Mapping[type[Stage], Answer]] = {
    Laying: building.lay,
    Considering: building.consider,
    InfluenceBidding: bidding.influence_bid,
    ChequeBidding: bidding.cheque_bid,
    OptionChoosing: option_bids.choose_option,
    OptionBidding: option_bids.option_bid,
    Bargaining: option_bids.bargain,
    Investing: building.invest,
    Acting: building.act,
    Claiming: subsidies.claim,
    Drawing: subsidies.draw,
}


def answered(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Give the answer to a prompt in a position of which the seat's own hand and all that is open are looked at."""
    return ANSWERS[type(prospects.state.stage)](prospects, seat, prompt, rng)


class Normal:
    """Answers by its own judgement, without looking ahead."""

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights or Weights()

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        prospects = Prospects(known_state(question), self._weights)
        return answered(prospects, question.seat, question.prompt, rng)
