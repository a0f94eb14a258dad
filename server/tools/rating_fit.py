"""Fit ratings of bots to results of the arena: maximum a posteriori in the Plackett–Luce model, by Newton's method.

The model is that of `openskill` for players whose ratings are certain: in a game of k seats, the chance of i to come
before all of a group is e^(mu_i / c) in the sum of the group, with c = beta · sqrt(k). One strength is the anchor; each
other one has the prior that a new person has, which keeps a strength finite that has won or lost every game.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

MEAN: Final = 25.0
DEVIATION: Final = 25.0 / 3
BETA: Final = 25.0 / 6

_MAX_STEPS: Final = 100
_PRECISION: Final = 1e-9
_MAX_STEP: Final = 5.0
"""The most that a step of Newton's method changes a mean, since the first steps may be far too long."""

Contest = tuple[tuple[int, str], ...]
"""The place and the strength of each seat of a game, in their order."""


class Fitted(NamedTuple):
    """A mean and its standard deviation."""

    mu: float
    sigma: float


def contest(places: Iterable[int], strengths: Iterable[str]) -> Contest:
    """Return a game as the fit counts it: who sat where does not matter."""
    return tuple(sorted(zip(places, strengths, strict=True)))


def fit(contests: Iterable[Contest], anchor: str) -> dict[str, Fitted]:
    """Return the rating of each strength but the anchor, whose mean is `MEAN`."""
    counted = Counter(contests)
    strengths = sorted({strength for game in counted for _, strength in game} - {anchor})
    means = dict.fromkeys((anchor, *strengths), MEAN)
    for _ in range(_MAX_STEPS):
        gradient, information = _derivatives(counted, means, strengths)
        inverse = _inverted(information)
        steps = [sum(row[j] * gradient[j] for j in range(len(gradient))) for row in inverse]
        for strength, step in zip(strengths, steps, strict=True):
            means[strength] += max(-_MAX_STEP, min(_MAX_STEP, step))
        if all(abs(step) < _PRECISION for step in steps):
            break
    else:
        raise ArithmeticError("The fit of the ratings does not converge.")
    return {
        strength: Fitted(means[strength], math.sqrt(inverse[index][index])) for index, strength in enumerate(strengths)
    }


def _derivatives(
    counted: Mapping[Contest, int], means: Mapping[str, float], strengths: list[str]
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of the log posterior, and the negative of its matrix of second derivatives."""
    index = {strength: number for number, strength in enumerate(strengths)}
    gradient = [(MEAN - means[strength]) / DEVIATION**2 for strength in strengths]
    information = [[0.0] * len(strengths) for _ in strengths]
    for number in range(len(strengths)):
        information[number][number] = 1 / DEVIATION**2
    for game, times in counted.items():
        scale = BETA * math.sqrt(len(game))
        for place, winner in game:
            # Those who tie share one comparison with everybody who is not before them, as in openskill.
            weight = times / sum(other == place for other, _ in game)
            group = Counter(strength for other, strength in game if other >= place)
            total = sum(count * math.exp(means[strength] / scale) for strength, count in group.items())
            shares = {
                index[strength]: count * math.exp(means[strength] / scale) / total
                for strength, count in group.items()
                if strength in index
            }
            if winner in index:
                gradient[index[winner]] += weight / scale
            for i, share in shares.items():
                gradient[i] -= weight * share / scale
                information[i][i] += weight * share / scale**2
                for j, other in shares.items():
                    information[i][j] -= weight * share * other / scale**2
    return gradient, information


def _inverted(matrix: list[list[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix (Gauss–Jordan elimination)."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for i in range(size):
            if i != pivot:
                factor = rows[i][pivot]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[pivot], strict=True)]
    return [row[size:] for row in rows]
