"""Bids by influence and by cheques (RULES 4.1 to 4.4)."""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.investors.prospects import Prospects
from server.bots.investors.purse import payments
from server.bots.investors.wants import influence_costs, likely_card, loss, price, streets_on_offer, wants
from server.bots.strategy import Chosen, Reason
from server.games.game import Seat
from server.games.investors.commands import Abstain, PassBid, PlayInfluence, RaiseBid
from server.games.investors.state import ChequeBidding, InfluenceBidding
from server.games.prompt import Prompt

_GUESSES: Final = 16
"""How many times the cards of all others are guessed."""

_EAGERNESS: Final = (1.3, 1.1, 0.8, 0.6, 0.5)
"""How near to its worth a right is bid for, by the number of rights on offer."""


def influence_bid(prospects: Prospects, seat: Seat, prompt: Prompt, chooser: Random) -> Chosen:
    """Play the card that does best against guesses of what the others play."""
    stage = prospects.state.stage
    assert isinstance(stage, InfluenceBidding)
    may_abstain = prospects.state.action is not None
    worth = wants(prospects)
    others = [other for other in range(prospects.seats) if other != seat]
    if worth[seat] <= 0 and stage.rights > 1:
        return _idle(may_abstain)
    by_rank = _worth_by_rank(prospects, seat, worth[seat], stage.rights)
    if stage.rights == 1:
        by_rank[0] += loss(prospects, seat, others, worth)
    if by_rank[0] <= 0:
        return _idle(may_abstain)
    costs = influence_costs(prospects, seat)
    rival_costs = {other: influence_costs(prospects, other) for other in others}
    eagerness = _EAGERNESS[stage.rights - 1]
    results = [0.0] * len(costs)
    for _ in range(_GUESSES):
        cards = [likely_card(rival_costs[other], worth[other], eagerness, chooser) for other in others]
        alone = sum(1 << card for card in cards if cards.count(card) == 1)
        for card, cost in enumerate(costs):
            if card not in cards:
                rank = (alone >> card).bit_count()
                if rank < stage.rights:
                    results[card] += by_rank[rank] - cost
    best = max(range(len(costs)), key=lambda card: (results[card], -card))
    if may_abstain and results[best] <= 0:
        return _idle(may_abstain)
    key = "inv.hint.influence" if best else "inv.hint.influence_none"
    return Chosen(PlayInfluence(best), Reason(key, {"card": best}))


def _idle(may_abstain: bool) -> Chosen:
    if may_abstain:
        return Chosen(Abstain(), Reason("inv.hint.abstain"))
    return Chosen(PlayInfluence(0), Reason("inv.hint.influence_none", {"card": 0}))


def _worth_by_rank(prospects: Prospects, seat: Seat, worth: float, rights: int) -> list[float]:
    """Give what a right is worth when so many others invest before: some of them take what one wants."""
    if rights == 1 or prospects.state.action is not None:
        return [worth]
    gains = [spot.gain for spot in prospects.ranked(streets_on_offer(prospects), seat)]
    return [gains[min((rank + 1) // 2, len(gains) - 1)] for rank in range(rights)]


def cheque_bid(prospects: Prospects, seat: Seat, prompt: Prompt, chooser: Random) -> Chosen:
    """Raise as little as can be while that is worth it."""
    stage = prospects.state.stage
    assert isinstance(stage, ChequeBidding)
    hand, own = prospects.state.hands[seat], sum(stage.bids[seat])
    lead = max(map(sum, stage.bids)) - own
    if sum(hand) <= lead:
        return Chosen(PassBid(), Reason("inv.hint.pass_short"))
    worth = wants(prospects)
    rivals = [other for other, passed in enumerate(stage.passed) if not passed and other != seat]
    value = worth[seat] + loss(prospects, seat, rivals, worth)
    limit = price(prospects, value, sum(hand) + own)
    ways = payments(hand, len(hand))
    raised = min((total for total in ways if total > lead), default=None)
    if worth[seat] <= 0 or raised is None or own + raised > limit:
        return Chosen(PassBid(), Reason("inv.hint.pass", {"limit": limit}))
    return Chosen(RaiseBid(ways[raised]), Reason("inv.hint.raise", {"bid": own + raised, "limit": limit}))
