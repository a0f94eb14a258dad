"""Bids by influence and by cheques (RULES 4.1 to 4.4)."""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.investors.prospects import Prospects
from server.bots.investors.purse import least_above
from server.bots.investors.wants import (
    highest_card,
    influence_costs,
    likely_card,
    loss,
    price,
    target_on_offer,
    wants,
)
from server.bots.strategy import BotChoice, Reason
from server.games.engine.game import Seat
from server.games.engine.prompts import Prompt
from server.games.investors.commands import Abstain, PassBid, PlayInfluence, RaiseBid
from server.games.investors.state import ChequeBidding, InfluenceBidding

_GUESSES: Final = 10
"""How many times the cards of all others are guessed."""

_EAGERNESS: Final = (1.3, 1.1, 0.8, 0.6, 0.5)
"""How near to its worth a right is bid for, by the number of rights on offer."""

_MIN_MOOD: Final = 0.6
_MAX_MOOD: Final = 1.4
"""Between these, the eagerness of others is thought to be less or more from tender to tender."""

_PASS_AT_ONCE: Final = Reason("inv.hint.pass_at_once")

ABSTAIN: Final = BotChoice(Abstain(), Reason("inv.hint.abstain"))


def influence_bid(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Play the card that does best against guesses of what the others play."""
    stage = prospects.state.stage
    assert isinstance(stage, InfluenceBidding)
    may_abstain = prospects.state.action is not None
    idle = ABSTAIN if may_abstain else influence(0)
    worth = wants(prospects)
    others = [other for other in range(prospects.seats) if other != seat]
    if worth[seat] <= 0 and stage.rights > 1:
        return idle
    by_rank = _worth_by_rank(prospects, seat, worth[seat], stage.rights)
    if stage.rights == 1:
        by_rank[0] += loss(prospects, seat, others, worth)
    if by_rank[0] <= 0:
        return idle
    costs = [cost for cost in influence_costs(prospects, seat) if cost < by_rank[0]]
    rivals = [highest_card(influence_costs(prospects, other), worth[other]) for other in others]
    # Equal cards drop out: whoever always guessed alike would be met by all who think alike.
    eagerness = _EAGERNESS[stage.rights - 1] * (_MIN_MOOD + (_MAX_MOOD - _MIN_MOOD) * rng.random())
    results = [0.0] * len(costs)
    for _ in range(_GUESSES):
        cards = [likely_card(highest, eagerness, rng) for highest in rivals]
        alone = sum(1 << card for card in cards if cards.count(card) == 1)
        for card, cost in enumerate(costs):
            if card not in cards:
                rank = (alone >> card).bit_count()
                if rank < stage.rights:
                    results[card] += by_rank[rank] - cost
    best = max(range(len(costs)), key=lambda card: (results[card], -card))
    return idle if may_abstain and results[best] <= 0 else influence(best)


def influence(card: int) -> BotChoice:
    """Give the playing of a card."""
    key = "inv.hint.influence" if card else "inv.hint.influence_none"
    return BotChoice(PlayInfluence(card), Reason(key, {"card": card}))


def _worth_by_rank(prospects: Prospects, seat: Seat, worth: float, rights: int) -> list[float]:
    """Give what a right is worth when so many others invest before: some of them take what one wants."""
    if rights == 1 or prospects.state.action is not None:
        return [worth]
    streets = prospects.state.open_streets(target_on_offer(prospects))
    gains = [spot.gain for spot in prospects.ranked(streets, seat)]
    return [gains[min((rank + 1) // 2, len(gains) - 1)] for rank in range(rights)]


def cheque_bid(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Raise as little as can be while that is worth it."""
    raising = least_raise(prospects, seat)
    worth = wants(prospects)
    if raising is None or worth[seat] <= 0:
        return passed(prospects)
    stage = _bidding(prospects)
    rivals = [other for other, gone in enumerate(stage.passed) if not gone and other != seat]
    value = worth[seat] + loss(prospects, seat, rivals, worth)
    limit = price(prospects, value, sum(prospects.state.hands[seat]) + sum(stage.bids[seat]))
    return raising if bid_with(prospects, seat, raising) <= limit else passed(prospects)


def least_raise(prospects: Prospects, seat: Seat) -> BotChoice | None:
    """Give the smallest raise that the hand allows, if it allows any."""
    stage, hand = _bidding(prospects), prospects.state.hands[seat]
    lead = _lead(stage) - sum(stage.bids[seat])
    if sum(hand) <= lead:
        return None
    cheques = least_above(hand, lead)
    reason = Reason("inv.hint.raise", {"bid": sum(stage.bids[seat]) + sum(cheques)})
    return BotChoice(RaiseBid(cheques), reason)


def bid_with(prospects: Prospects, seat: Seat, raising: BotChoice) -> int:
    """Give the whole bid of a seat after a raise."""
    assert isinstance(raising.command, RaiseBid)
    return sum(_bidding(prospects).bids[seat]) + sum(raising.command.cheques)


def passed(prospects: Prospects) -> BotChoice:
    """Give the passing of a bid."""
    lead = _lead(_bidding(prospects))
    return BotChoice(PassBid(), Reason("inv.hint.pass", {"bid": lead}) if lead else _PASS_AT_ONCE)


def _lead(stage: ChequeBidding) -> int:
    return max(map(sum, stage.bids))


def _bidding(prospects: Prospects) -> ChequeBidding:
    stage = prospects.state.stage
    assert isinstance(stage, ChequeBidding)
    return stage
