"""What the right on offer is worth to each seat, and what each may bid for it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from server.bots.investors.effects import best_use
from server.bots.investors.prospects import Prospects
from server.bots.investors.purse import USUAL_CHEQUE, affordable, influence_worth
from server.games.engine.game import Seat
from server.games.investors.components import ACTION_CARDS, INFLUENCE_CARDS, TENDER_CARDS

_EXPECTED_LOSS: Final = 0.7
"""How likely the keenest rival gets what oneself does not."""


def target_on_offer(prospects: Prospects) -> str:
    """Give what the tender card opens; not for a tender by options."""
    state = prospects.state
    assert state.tender is not None
    return TENDER_CARDS[state.tender].target


def wants(prospects: Prospects) -> list[float]:
    """Give what one right on offer is worth to each seat: on the action card if one is open, else on the tender."""
    action = prospects.state.action
    if action is None:
        return [spot.gain for spot in prospects.best_at(target_on_offer(prospects))]
    if prospects.action_worth is None:
        effect = ACTION_CARDS[action].effect
        prospects.action_worth = [best_use(prospects, effect, seat).gain for seat in range(prospects.seats)]
    return prospects.action_worth


def loss(prospects: Prospects, seat: Seat, rivals: Iterable[Seat], worth: Sequence[float]) -> float:
    """Give what a seat can expect to lose when the keenest of its rivals gets the one right on offer."""
    rival = max(rivals, key=lambda other: worth[other], default=None)
    if rival is None or worth[rival] <= 0:
        return 0.0
    if prospects.state.action is not None:
        rivalry = prospects.weights.temper.rivalry / (prospects.seats - 1)
        return _EXPECTED_LOSS * rivalry * worth[rival]
    spot = prospects.best_at(target_on_offer(prospects))[rival]
    return -_EXPECTED_LOSS * prospects.standing_after(((spot.street, rival),), seat)


def influence_costs(prospects: Prospects, seat: Seat) -> list[float]:
    """Give what each influence card that a seat can play would cost it."""
    held, years, thrift = prospects.state.influence[seat], prospects.years, prospects.weights.thrift
    now = influence_worth(held, years, thrift)
    return [now - influence_worth(held - card, years, thrift) for card in INFLUENCE_CARDS if card <= held]


def highest_card(costs: Sequence[float], worth: float) -> int:
    """Give the highest card that does not cost more than it is worth; costs rise from card to card."""
    return max(bisect_right(costs, worth) - 1, 0)


def likely_card(highest: int, eagerness: float, rng: Random) -> int:
    """Give a card that a seat may well play for which the highest would just pay."""
    return min(int(highest * eagerness * rng.random() + 0.5), INFLUENCE_CARDS[-1])


def likely_money(prospects: Prospects, seat: Seat) -> int:
    """Give how much money a seat seems to have, from the number of its cheques."""
    return int(len(prospects.state.hands[seat]) * USUAL_CHEQUE) // 10 * 10


def price(prospects: Prospects, worth: float, money: int) -> int:
    """Give the most money that a gain is worth to somebody who has so much."""
    return affordable(worth, money, prospects.years, prospects.weights.thrift)
