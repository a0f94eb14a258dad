"""The value of influence and cheques in prestige, and the cheques to pay an amount with.

Both have diminishing returns and are worth nothing when the game is over. Money is in thousands of dollars, as on the
cheques.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from server.games.investors.components import CHEQUES, YEARS

STEP: Final = min(CHEQUES)
MEAN_CHEQUE: Final = sum(CHEQUES) / len(CHEQUES)

_MAX_RAISING_CHEQUES: Final = 3
"""The number of cheques that a bid is raised by, unless only more are enough."""


class ResourceWeights(NamedTuple):
    """The weights of resources, tuned in many games."""

    max_influence_worth: float = 9.4
    """The limit of the prestige that ever more influence would bring in a whole game."""

    influence_scale: float = 22.0
    """The amount of influence that brings 63 % of that limit."""

    max_money_worth: float = 17.0
    money_scale: float = 450.0


@lru_cache(maxsize=8192)
def influence_worth(influence: int, years: int, weights: ResourceWeights) -> float:
    """Return the prestige that an amount of influence is worth in the years to come."""
    return _worth(influence, years, weights.max_influence_worth, weights.influence_scale)


@lru_cache(maxsize=65536)
def money_worth(money: int, years: int, weights: ResourceWeights) -> float:
    """Return the prestige that an amount of money is worth in the years to come."""
    return _worth(money, years, weights.max_money_worth, weights.money_scale)


def _worth(amount: float, years: int, limit: float, scale: float) -> float:
    if years <= 0:
        return 0.0
    part = years / YEARS
    return limit * part * (1 - math.exp(-amount / (scale * part)))


def unseen_cheques(seats: int, seen: Iterable[int]) -> list[int]:
    """Return all cheques of the game except for those that are seen."""
    return list((Counter(CHEQUES * seats) - Counter(seen)).elements())


def affordable(value: float, money: int, years: int, weights: ResourceWeights) -> int:
    """Return the highest price, in steps, that does not cost more prestige than the value (binary search)."""
    now = money_worth(money, years, weights)
    low, high = 0, money // STEP
    while low < high:
        middle = (low + high + 1) // 2
        if now - money_worth(money - middle * STEP, years, weights) <= value:
            low = middle
        else:
            high = middle - 1
    return low * STEP


@lru_cache(maxsize=4096)
def payments(hand: tuple[int, ...], max_cheques: int) -> dict[int, tuple[int, ...]]:
    """Return the fewest cheques for each sum that the hand can pay with so many cheques (subset-sum table)."""
    ways: dict[int, tuple[int, ...]] = {0: ()}
    for cheque in sorted(hand, reverse=True):
        for total, way in list(ways.items()):
            if len(way) < max_cheques:
                longer = ways.get(total + cheque)
                if longer is None or len(longer) > len(way) + 1:
                    ways[total + cheque] = (*way, cheque)
    return ways


def smallest_sum_above(hand: Sequence[int], amount: int) -> tuple[int, ...]:
    """Return cheques with the smallest sum above an amount that the hand exceeds, large ones first.

    Subset sum over bit sets: bit n says that a sum of n steps can be paid.
    """
    cheques = sorted(hand, reverse=True)
    payable = [1]
    for cheque in reversed(cheques):
        payable.append(payable[-1] | payable[-1] << cheque // STEP)
    above = payable[-1] >> amount // STEP + 1
    left = amount // STEP + (above & -above).bit_length()
    paid = []
    for cheque, rest in zip(cheques, reversed(payable[:-1]), strict=True):
        steps = cheque // STEP
        if steps <= left and rest >> left - steps & 1:
            paid.append(cheque)
            left -= steps
    return tuple(paid)


def raising_cheques(
    hand: Sequence[int], above: int, limit: int, target: int, cheque_cost: float
) -> tuple[int, ...] | None:
    """Return few cheques with a sum near the target, above an amount and up to the limit, or None if none fit.

    Each cheque costs as much as a distance of `cheque_cost` from the target.
    """
    found, lowest = None, math.inf
    for total, cheques in payments(tuple(sorted(hand)), _MAX_RAISING_CHEQUES).items():
        cost = abs(total - target) + cheque_cost * len(cheques)
        if above < total <= limit and cost < lowest:
            found, lowest = cheques, cost
    if found is None and above < sum(hand):
        cheques = smallest_sum_above(hand, above)
        found = cheques if sum(cheques) <= limit else None
    return found
