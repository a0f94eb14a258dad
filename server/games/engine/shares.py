"""Shares: how listed numbers, such as the cheques of a hand, can be given away so that every due is covered.

Numbers are never split, so a share may exceed its due.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import ceil, gcd
from operator import or_


def covering_shares(
    values: Sequence[int], dues: Sequence[int], maximum: int | None = None
) -> tuple[tuple[int, ...], ...] | None:
    """Return shares of the values that cover every due, each as closely as possible in turn; None if there are none.

    With a maximum, the shares have so many values in all: the smallest values are left out until that is so.
    """
    assert maximum is None or maximum >= 0
    left = sorted(values)
    while (shares := _closest_shares(left, dues)) is not None and maximum is not None:
        if sum(map(len, shares)) <= maximum:
            break
        del left[0]
    return shares


def can_cover(values: Sequence[int], dues: Sequence[int], maximum: int) -> bool:
    """Return whether so many of the values can cover every due."""
    # If any can, the largest can, since a due may be exceeded.
    largest = sorted(values)[max(0, len(values) - maximum) :]
    return maximum >= 0 and (not dues or _closest_cover(largest, dues) is not None)


def _closest_shares(values: Sequence[int], dues: Sequence[int]) -> tuple[tuple[int, ...], ...] | None:
    left = list(values)
    shares = []
    for position in range(len(dues)):
        share = _closest_cover(left, dues[position:])
        if share is None:
            return None
        for value in share:
            left.remove(value)
        shares.append(share)
    return tuple(shares)


def _closest_cover(values: Sequence[int], dues: Sequence[int]) -> tuple[int, ...] | None:
    """Return the values with the smallest sum that cover the first due and leave enough for the others.

    A subset-sum search by dynamic programming over bit sets: distributions with the same sums are equivalent, and the
    last due gets the rest. A distribution is a few sums, read as the digits of a number; all reachable ones are the
    bits of one large integer.
    """
    unit = gcd(*values) or 1
    coins = [value // unit for value in values]
    *needs, rest = (ceil(due / unit) for due in (dues if len(dues) > 1 else (*dues, 0)))
    spare = sum(coins) - sum(needs) - rest
    if spare < 0:
        return None
    weights = [(sum(coins) + 1) ** place for place in reversed(range(len(needs)))]
    ways = [1]  # reachable with no coin, with the first coin, with the first two, ...
    for coin in coins:
        ways.append(reduce(or_, (ways[-1] << coin * weight for weight in weights), ways[-1]))
    # A minimal cover exceeds its due by less than its largest coin.
    for excess in product(range(max(coins, default=1)), repeat=len(needs)):
        way = sum((need + more) * weight for need, more, weight in zip(needs, excess, weights, strict=True))
        if sum(excess) <= spare and ways[-1] >> way & 1:
            return tuple(
                value for value, key in zip(values, _traced(way, ways, coins, weights), strict=True) if key == 0
            )
    return None


def _traced(way: int, ways: Sequence[int], coins: Sequence[int], weights: Sequence[int]) -> list[int | None]:
    """Return the due that each coin goes to in a reachable way, walking back; None for a coin that goes to none."""
    keys: list[int | None] = []
    for coin, before in zip(reversed(coins), reversed(ways[:-1]), strict=True):
        key = None
        if not before >> way & 1:
            moves = [way - coin * weight for weight in weights]
            key = next(key for key, earlier in enumerate(moves) if earlier >= 0 and before >> earlier & 1)
            way = moves[key]
        keys.append(key)
    return keys[::-1]
