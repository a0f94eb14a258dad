"""What influence and cheques are worth in prestige, and which cheques to give for an amount.

Both are worth nothing when the game is over, and the first of them are worth more than the last. Money is in
thousands of dollars, as on the cheques.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from server.games.investors.components import CHEQUES, YEARS

STEP: Final = min(CHEQUES)
USUAL_CHEQUE: Final = sum(CHEQUES) / len(CHEQUES)


class Thrift(NamedTuple):
    """How resources are valued; found by trial in many games."""

    influence_most: float = 9.4
    """The prestige that influence without end would bring in a whole game."""

    influence_scale: float = 22.0
    """How much influence brings most of that."""

    money_most: float = 17.0
    money_scale: float = 450.0


@lru_cache(maxsize=8192)
def influence_worth(influence: int, years: int, thrift: Thrift) -> float:
    """Give the prestige that so much influence promises in the years to come."""
    return _worth(influence, years, thrift.influence_most, thrift.influence_scale)


@lru_cache(maxsize=65536)
def money_worth(money: int, years: int, thrift: Thrift) -> float:
    """Give the prestige that so much money promises in the years to come."""
    return _worth(money, years, thrift.money_most, thrift.money_scale)


def _worth(amount: float, years: int, most: float, scale: float) -> float:
    if years <= 0:
        return 0.0
    part = years / YEARS
    return most * part * (1 - math.exp(-amount / (scale * part)))


def unseen_cheques(seats: int, seen: Iterable[int]) -> list[int]:
    """Give all cheques of the game but those that are seen."""
    return list((Counter(CHEQUES * seats) - Counter(seen)).elements())


def affordable(value: float, money: int, years: int, thrift: Thrift) -> int:
    """Give the highest price, in steps, that is not worth more than the value."""
    now = money_worth(money, years, thrift)
    least, most = 0, money // STEP
    while least < most:
        middle = (least + most + 1) // 2
        if now - money_worth(money - middle * STEP, years, thrift) <= value:
            least = middle
        else:
            most = middle - 1
    return least * STEP


@lru_cache(maxsize=4096)
def payments(hand: tuple[int, ...], most_cheques: int) -> dict[int, tuple[int, ...]]:
    """Give, for each sum that the hand can pay with so many cheques, the fewest cheques that do."""
    ways: dict[int, tuple[int, ...]] = {0: ()}
    for cheque in sorted(hand, reverse=True):
        for total, way in list(ways.items()):
            if len(way) < most_cheques:
                longer = ways.get(total + cheque)
                if longer is None or len(longer) > len(way) + 1:
                    ways[total + cheque] = (*way, cheque)
    return ways


def least_above(hand: Sequence[int], amount: int) -> tuple[int, ...]:
    """Give cheques with the smallest sum above an amount that the hand exceeds, large ones rather than many."""
    cheques = sorted(hand, reverse=True)
    # Bit n of the last number stands for a sum of n steps that can be paid with the cheques from here on.
    payable = [1]
    for cheque in reversed(cheques):
        payable.append(payable[-1] | payable[-1] << cheque // STEP)
    above = payable[-1] >> amount // STEP + 1
    left = amount // STEP + (above & -above).bit_length()
    given = []
    for cheque, rest in zip(cheques, reversed(payable[:-1]), strict=True):
        steps = cheque // STEP
        if steps <= left and rest >> left - steps & 1:
            given.append(cheque)
            left -= steps
    return tuple(given)
