"""Valuations of an auction: the value of the right on offer for each seat, and what each may bid for it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from server.bots.investors.action_cards import best_use
from server.bots.investors.evaluation import Evaluation
from server.bots.investors.resources import MEAN_CHEQUE, affordable, influence_worth
from server.games.engine.game import Seat
from server.games.investors.components import ACTION_CARDS, INFLUENCE_CARDS, TENDER_CARDS

_EXPECTED_LOSS: Final = 0.7
"""The probability that the rival with the highest valuation gets a right that the seat does not get."""


def target_on_offer(evaluation: Evaluation) -> str:
    """Return the target of the tender card; not for a tender by options."""
    state = evaluation.state
    assert state.tender is not None
    return TENDER_CARDS[state.tender].target


def valuations(evaluation: Evaluation) -> list[float]:
    """Return the value of one right for each seat: on the action card if one is open, else on the tender."""
    action = evaluation.state.action
    if action is None:
        return [spot.gain for spot in evaluation.best_at(target_on_offer(evaluation))]
    if evaluation.action_worth is None:
        effect = ACTION_CARDS[action].effect
        evaluation.action_worth = [best_use(evaluation, effect, seat).gain for seat in range(evaluation.seats)]
    return evaluation.action_worth


def expected_loss(evaluation: Evaluation, seat: Seat, rivals: Iterable[Seat], worth: Sequence[float]) -> float:
    """Return the expected loss of a seat when the rival with the highest valuation gets the only right."""
    rival = max(rivals, key=lambda other: worth[other], default=None)
    if rival is None or worth[rival] <= 0:
        return 0.0
    if evaluation.state.action is not None:
        rivalry = evaluation.weights.district.rivalry / (evaluation.seats - 1)
        return _EXPECTED_LOSS * rivalry * worth[rival]
    spot = evaluation.best_at(target_on_offer(evaluation))[rival]
    return -_EXPECTED_LOSS * evaluation.gain_after(((spot.street, rival),), seat)


def influence_costs(evaluation: Evaluation, seat: Seat) -> list[float]:
    """Return the cost, in prestige, of each influence card that a seat can play."""
    held, years, resources = evaluation.state.influence[seat], evaluation.years, evaluation.weights.resources
    now = influence_worth(held, years, resources)
    return [now - influence_worth(held - card, years, resources) for card in INFLUENCE_CARDS if card <= held]


def max_card(costs: Sequence[float], worth: float) -> int:
    """Return the highest card that does not cost more than the value; costs rise from card to card."""
    return max(bisect_right(costs, worth) - 1, 0)


def sampled_card(highest: int, eagerness: float, rng: Random) -> int:
    """Return a random card of a seat for which the highest card would just pay."""
    return min(int(highest * eagerness * rng.random() + 0.5), INFLUENCE_CARDS[-1])


def estimated_money(evaluation: Evaluation, seat: Seat) -> int:
    """Return the estimated money of a seat, from the number of its cheques."""
    return int(len(evaluation.state.hands[seat]) * MEAN_CHEQUE) // 10 * 10


def max_price(evaluation: Evaluation, worth: float, money: int) -> int:
    """Return the highest price for a gain, for a seat with this money."""
    return affordable(worth, money, evaluation.years, evaluation.weights.resources)
