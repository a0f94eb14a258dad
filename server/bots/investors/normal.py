"""Normal: compares the value of every right for itself and for others with what it can still afford."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from server.bots.investors import bargaining, bidding, building, option_bids, subsidies
from server.bots.investors.evaluation import Evaluation, Weights
from server.bots.investors.styles import evaluation_of
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

Answer = Callable[[Evaluation, Seat, Prompt, Random], BotChoice]

ANSWERS: Final[Mapping[type[Stage], Answer]] = {
    Laying: building.lay,
    Considering: building.consider,
    InfluenceBidding: bidding.influence_bid,
    ChequeBidding: bidding.cheque_bid,
    OptionChoosing: option_bids.choose_option,
    OptionBidding: option_bids.option_bid,
    Bargaining: bargaining.bargain,
    Investing: building.invest,
    Acting: building.act,
    Claiming: subsidies.claim,
    Drawing: subsidies.draw,
}


def normal_choice(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Return the answer to a prompt; it uses only the seat's own hand and the open parts of the state."""
    return ANSWERS[type(evaluation.state.stage)](evaluation, seat, prompt, rng)


class Normal:
    """A strategy that evaluates positions, without search."""

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights or Weights()

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        evaluation = evaluation_of(question, self._weights)
        return normal_choice(evaluation, question.seat, question.prompt, rng)
