"""A first opponent: it keeps its money together, bids little, and builds where its sticks already lie.

It does not ask what others want, takes a good street as gladly as the best, and never squanders anything. Whoever
looks at the others can beat it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from server.bots.investors import bidding, building, option_bids, subsidies
from server.bots.investors.effects import NO_USE, Use, placings
from server.bots.investors.evaluation import Temper
from server.bots.investors.knowledge import known_state
from server.bots.investors.prospects import Prospects, Weights
from server.bots.investors.purse import payments
from server.bots.investors.wants import highest_card, influence_costs, likely_card, price, target_on_offer
from server.bots.strategy import BotChoice, Question
from server.games.engine.game import Seat
from server.games.engine.prompts import OneOf, Prompt
from server.games.investors.commands import PayCheque
from server.games.investors.components import MAX_SEALED_CHEQUES
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

_WEIGHTS: Final = Weights(temper=Temper(rivalry=0.0))

_CARELESSNESS: Final = 0.5
"""How much of what it could gain it may overlook."""

_EAGERNESS: Final = 0.8
"""The part of what a right is worth that it bids at most."""

_POOR: Final = 12
"""With less influence than this it asks for more."""


class Easy:
    """Answers quickly and plausibly."""

    def choose(self, question: Question, rng: Random, seconds: float) -> BotChoice:
        prospects = Prospects(known_state(question), _WEIGHTS)
        return _ANSWERS[type(prospects.state.stage)](prospects, question.seat, question.prompt, rng)


def _careless(found: Sequence[Use], rng: Random) -> Use:
    """Give one of the better uses."""
    return max((NO_USE, *found), key=lambda use: use.gain * (1 - _CARELESSNESS * rng.random()))


def _invest(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    found = placings(prospects, building.streets_of(prompt), seat)
    return building.explained(prospects, seat, _careless(found, rng))


def _act(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    found = building.action_uses(prospects, seat, prompt)
    return building.explained(prospects, seat, _careless(found, rng))


def _consider(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    return building.ACCEPT


def _worth(prospects: Prospects, seat: Seat) -> float:
    """Give what one right on offer is worth; action cards are all alike to it."""
    if prospects.state.action is not None:
        return 1.0
    return prospects.best_at(target_on_offer(prospects))[seat].gain


def _influence_bid(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    costs = influence_costs(prospects, seat)
    card = likely_card(highest_card(costs, _worth(prospects, seat)), _EAGERNESS, rng)
    may_abstain = prospects.state.action is not None
    return bidding.influence(card) if card or not may_abstain else bidding.ABSTAIN


def _cheque_bid(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    stage = prospects.state.stage
    assert isinstance(stage, ChequeBidding)
    raising = bidding.least_raise(prospects, seat)
    own = sum(stage.bids[seat])
    limit = price(prospects, _worth(prospects, seat), sum(prospects.state.hands[seat]) + own) * _EAGERNESS
    if raising is None or bidding.bid_with(prospects, seat, raising) > limit:
        return bidding.passed(prospects)
    return raising


def _choose_option(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    space = prompt.choices[0].spaces["option"]
    assert isinstance(space, OneOf)
    best = max(space.values, key=lambda option: prospects.best_at(str(option))[seat].gain * rng.random())
    return option_bids.chosen_option(str(best))


def _option_bid(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    if prompt.choices[0].command is PayCheque:
        return option_bids.option_bid(prospects, seat, prompt, rng)
    limit = option_bids.most_for(prospects, seat) * _EAGERNESS * rng.random()
    ways = payments(prospects.state.hands[seat], MAX_SEALED_CHEQUES)
    return option_bids.sealed(ways[max(total for total in ways if total <= limit)])


def _claim(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    if "sticks" in prompt.choices[0].spaces:
        return subsidies.claim(prospects, seat, prompt, rng)
    is_poor = prospects.state.influence[seat] < _POOR or not prospects.state.bank
    return subsidies.claimed("influence" if is_poor else "cheques")


_ANSWERS: Final[Mapping[type[Stage], Answer]] = {
    Laying: building.lay,
    Considering: _consider,
    InfluenceBidding: _influence_bid,
    ChequeBidding: _cheque_bid,
    OptionChoosing: _choose_option,
    OptionBidding: _option_bid,
    Bargaining: option_bids.bargain,
    Investing: _invest,
    Acting: _act,
    Claiming: _claim,
    Drawing: subsidies.draw,
}
