"""Bids by influence and by cheques (RULES 4.1 to 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.investors.evaluation import Evaluation
from server.bots.investors.resources import raising_cheques
from server.bots.investors.valuations import (
    estimated_money,
    expected_loss,
    influence_costs,
    max_card,
    max_price,
    sampled_card,
    target_on_offer,
    valuations,
)
from server.bots.strategy import BotChoice, Reason
from server.games.engine.game import Seat
from server.games.engine.prompts import Prompt
from server.games.investors.commands import Abstain, PassBid, PlayInfluence, RaiseBid
from server.games.investors.state import ChequeBidding, InfluenceBidding

_SAMPLES: Final = 10
"""Samples of the cards of all others (Monte Carlo)."""

_EAGERNESS: Final = (1.3, 1.1, 0.8, 0.6, 0.5)
"""The part of its value that a seat bids for a right, by the number of rights on offer."""

_MIN_EAGERNESS_FACTOR: Final = 0.6
_MAX_EAGERNESS_FACTOR: Final = 1.4
"""The range of the random factor by which the eagerness of others varies from tender to tender."""

_LIMIT_FACTORS: Final = (0.6, 1.0, 1.4)
"""The parts of its limit within which a seat that searches considers a raise."""

_PASS_AT_ONCE: Final = Reason("inv.hint.pass_at_once")

ABSTAIN: Final = BotChoice(Abstain(), Reason("inv.hint.abstain"))


def influence_bid(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Play the card with the best expected gain against sampled cards of the others."""
    stage = evaluation.state.stage
    assert isinstance(stage, InfluenceBidding)
    may_abstain = evaluation.state.action is not None
    no_bid = ABSTAIN if may_abstain else influence_choice(0)
    worth = valuations(evaluation)
    others = [other for other in range(evaluation.seats) if other != seat]
    by_rank = _worth_by_rank(evaluation, seat, others, worth, stage.rights)
    if by_rank[0] <= 0:
        return no_bid
    costs = [cost for cost in influence_costs(evaluation, seat) if cost < by_rank[0]]
    max_cards = [max_card(influence_costs(evaluation, other), worth[other]) for other in others]
    gains = _sampled_gains(costs, by_rank, stage.rights, max_cards, rng)
    best = max(range(len(costs)), key=lambda card: (gains[card], -card))
    return no_bid if may_abstain and gains[best] <= 0 else influence_choice(best)


def _sampled_gains(
    costs: Sequence[float], by_rank: Sequence[float], rights: int, max_cards: Sequence[int], rng: Random
) -> list[float]:
    """Return the total gain of each affordable card over samples of the rivals' cards (Monte Carlo)."""
    # Equal cards drop out, so bots that all sampled from the same range would tie with each other too often.
    factor = _MIN_EAGERNESS_FACTOR + (_MAX_EAGERNESS_FACTOR - _MIN_EAGERNESS_FACTOR) * rng.random()
    eagerness = _EAGERNESS[rights - 1] * factor
    gains = [0.0] * len(costs)
    for _ in range(_SAMPLES):
        cards = [sampled_card(highest, eagerness, rng) for highest in max_cards]
        unique = sum(1 << card for card in cards if cards.count(card) == 1)
        for card, cost in enumerate(costs):
            if card not in cards and (rank := (unique >> card).bit_count()) < rights:
                gains[card] += by_rank[rank] - cost
    return gains


def influence_choice(card: int) -> BotChoice:
    """Return the choice of an influence card."""
    key = "inv.hint.influence" if card else "inv.hint.influence_none"
    return BotChoice(PlayInfluence(card), Reason(key, {"card": card}))


def _worth_by_rank(
    evaluation: Evaluation, seat: Seat, others: Sequence[Seat], worth: Sequence[float], rights: int
) -> list[float]:
    """Return the value of a right by the number of seats that invest earlier: they take some of the best streets."""
    if rights == 1:
        return [worth[seat] + expected_loss(evaluation, seat, others, worth)]
    if evaluation.state.action is not None or worth[seat] <= 0:
        return [worth[seat]]
    streets = evaluation.state.open_streets(target_on_offer(evaluation))
    gains = [spot.gain for spot in evaluation.ranked(streets, seat)]
    return [gains[min((rank + 1) // 2, len(gains) - 1)] for rank in range(rights)]


def cheque_bid(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Raise the bid while it stays below the value of the right, most of the way to what the rivals can pay."""
    worth = valuations(evaluation)
    if worth[seat] <= 0:
        return pass_choice(evaluation)
    limit = _price_limit(evaluation, seat, worth)
    return jump_raise(evaluation, seat, limit, worth) or pass_choice(evaluation)


def raises(evaluation: Evaluation, seat: Seat) -> list[BotChoice]:
    """Return sensible raises: to what rivals may pay, and further than the right seems to be worth to the seat."""
    worth = valuations(evaluation)
    limit = _price_limit(evaluation, seat, worth)
    found = (jump_raise(evaluation, seat, int(limit * factor), worth) for factor in _LIMIT_FACTORS)
    return [choice for choice in found if choice is not None]


def _rivals(evaluation: Evaluation, seat: Seat) -> list[Seat]:
    passed = _bidding(evaluation).passed
    return [other for other, has_passed in enumerate(passed) if not has_passed and other != seat]


def _price_limit(evaluation: Evaluation, seat: Seat, worth: Sequence[float]) -> int:
    return price_limit(
        evaluation, seat, worth[seat] + expected_loss(evaluation, seat, _rivals(evaluation, seat), worth)
    )


def price_limit(evaluation: Evaluation, seat: Seat, value: float) -> int:
    """Return the highest bid, on the table and from the hand, that a gain is worth to a seat."""
    money = sum(evaluation.state.hands[seat]) + sum(_bidding(evaluation).bids[seat])
    return max_price(evaluation, value * evaluation.paid_part, money)


def jump_raise(evaluation: Evaluation, seat: Seat, limit: int, worth: Sequence[float]) -> BotChoice | None:
    """Return a raise towards the price at which the rivals should give up, or None if none stays within the limit.

    An ascending auction ends near the second-highest limit, whatever the steps: the jump skips the way there.
    """
    stage, bidding = _bidding(evaluation), evaluation.weights.bidding
    own, lead = sum(stage.bids[seat]), _lead(stage)
    expected = max((_rival_limit(evaluation, other, worth[other]) for other in _rivals(evaluation, seat)), default=0)
    target = lead + bidding.jump * max(0, min(limit, expected) - lead)
    above = int(lead * (1 + bidding.min_step))
    hand = evaluation.state.hands[seat]
    cheques = raising_cheques(hand, above - own, limit - own, int(target) - own, bidding.cheque_cost)
    if cheques is None:
        return None
    return BotChoice(RaiseBid(cheques), Reason("inv.hint.raise", {"bid": own + sum(cheques)}))


def _rival_limit(evaluation: Evaluation, rival: Seat, worth: float) -> int:
    own = sum(_bidding(evaluation).bids[rival])
    return max_price(evaluation, worth * evaluation.paid_part, estimated_money(evaluation, rival) + own)


def pass_choice(evaluation: Evaluation) -> BotChoice:
    """Return the choice to pass."""
    lead = _lead(_bidding(evaluation))
    return BotChoice(PassBid(), Reason("inv.hint.pass", {"bid": lead}) if lead else _PASS_AT_ONCE)


def _lead(stage: ChequeBidding) -> int:
    return max(map(sum, stage.bids))


def _bidding(evaluation: Evaluation) -> ChequeBidding:
    stage = evaluation.state.stage
    assert isinstance(stage, ChequeBidding)
    return stage
