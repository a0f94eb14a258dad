"""Easy: saves its money, bids little, and builds where its sticks already lie.

It ignores the valuations of others and misjudges gains at random, but never wastes anything. A player who watches the
others can beat it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from server.bots.investors import bidding, building, option_bids, subsidies
from server.bots.investors.action_cards import NO_USE, Use, placements
from server.bots.investors.districts import DistrictWeights
from server.bots.investors.evaluation import BiddingWeights, Evaluation, Weights
from server.bots.investors.normal import ANSWERS, Answer
from server.bots.investors.resources import payments
from server.bots.investors.styles import evaluation_of
from server.bots.investors.valuations import influence_costs, max_card, sampled_card, target_on_offer
from server.bots.strategy import BotChoice, Question
from server.games.engine.game import Seat
from server.games.engine.prompts import OneOf, Prompt
from server.games.investors.commands import PayCheque
from server.games.investors.components import MAX_SEALED_CHEQUES
from server.games.investors.state import (
    Acting,
    ChequeBidding,
    Claiming,
    Considering,
    InfluenceBidding,
    Investing,
    OptionBidding,
    OptionChoosing,
    Stage,
)

_WEIGHTS: Final = Weights(district=DistrictWeights(rivalry=0.0), bidding=BiddingWeights(part=0.9))

_NOISE: Final = 0.5
"""The largest part of a gain that it may overlook."""

_EAGERNESS: Final = 0.8
"""The largest part of the value of a right that it bids under cover; open bids say how far one must go."""

_LOW_INFLUENCE: Final = 12
"""With less influence than this it claims influence."""


class Easy:
    """A strategy that answers quickly and plausibly."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        evaluation = evaluation_of(question, _WEIGHTS)
        return _ANSWERS[type(evaluation.state.stage)](evaluation, question.seat, question.prompt, rng)


def _noisy_best(found: Sequence[Use], rng: Random) -> Use:
    """Return the best of some uses after random noise on their gains."""
    return max((NO_USE, *found), key=lambda use: use.gain * (1 - _NOISE * rng.random()))


def _invest(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    found = placements(evaluation, building.streets_of(prompt), seat)
    return building.with_reason(evaluation, seat, _noisy_best(found, rng))


def _act(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    found = building.action_uses(evaluation, seat, prompt)
    return building.with_reason(evaluation, seat, _noisy_best(found, rng))


def _consider(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    return building.ACCEPT


def _worth(evaluation: Evaluation, seat: Seat) -> float:
    """Return the value of one right on offer; all action cards count the same."""
    if evaluation.state.action is not None:
        return 1.0
    return evaluation.best_at(target_on_offer(evaluation))[seat].gain


def _influence_bid(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    costs = influence_costs(evaluation, seat)
    card = sampled_card(max_card(costs, _worth(evaluation, seat)), _EAGERNESS, rng)
    may_abstain = evaluation.state.action is not None
    return bidding.influence_choice(card) if card or not may_abstain else bidding.ABSTAIN


def _cheque_bid(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    worth = [_worth(evaluation, other) for other in range(evaluation.seats)]
    limit = bidding.price_limit(evaluation, seat, worth[seat])
    return bidding.jump_raise(evaluation, seat, limit, worth) or bidding.pass_choice(evaluation)


def _choose_option(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    space = prompt.choices[0].spaces["option"]
    assert isinstance(space, OneOf)
    best = max(space.values, key=lambda option: evaluation.best_at(str(option))[seat].gain * rng.random())
    return option_bids.option_choice(str(best))


def _option_bid(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    if prompt.choices[0].command is PayCheque:
        return option_bids.option_bid(evaluation, seat, prompt, rng)
    limit = option_bids.max_option_price(evaluation, seat) * _EAGERNESS * rng.random()
    ways = payments(evaluation.state.hands[seat], MAX_SEALED_CHEQUES)
    return option_bids.sealed_choice(ways[max(total for total in ways if total <= limit)])


def _claim(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    if "sticks" in prompt.choices[0].spaces:
        return subsidies.claim(evaluation, seat, prompt, rng)
    needs_influence = evaluation.state.influence[seat] < _LOW_INFLUENCE or not evaluation.state.bank
    return subsidies.claim_choice("influence" if needs_influence else "cheques")


_ANSWERS: Final[Mapping[type[Stage], Answer]] = {
    **ANSWERS,
    Considering: _consider,
    InfluenceBidding: _influence_bid,
    ChequeBidding: _cheque_bid,
    OptionChoosing: _choose_option,
    OptionBidding: _option_bid,
    Investing: _invest,
    Acting: _act,
    Claiming: _claim,
}
"""The answers of `normal`, except for decisions that it makes more simply."""
