"""Means with intervals, from trials: Student's t, without a library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

USUAL_ERROR: Final = 0.05
"""An interval at this error is one at 95 %."""

_NORMAL: Final = NormalDist()


class Estimate(NamedTuple):
    """A mean, and the interval in which the true mean is, unless an error of the given probability occurs."""

    value: float
    low: float
    high: float


def estimate(results: Sequence[float], error: float = USUAL_ERROR) -> Estimate:
    """Return the mean of independent results, with an interval on both sides; two results at least."""
    mean, half = mean_of(results), student_t(error, len(results) - 1) * standard_error(results)
    return Estimate(mean, mean - half, mean + half)


def chance(results: Sequence[float]) -> Estimate:
    """Return the mean of results from 0 to 1, with Wilson's interval at 95 %: it is not empty where all are 0."""
    number, value, z = len(results), mean_of(results), _NORMAL.inv_cdf(1 - USUAL_ERROR / 2)
    scale = 1 + z * z / number
    middle = (value + z * z / (2 * number)) / scale
    half = z * math.sqrt(value * (1 - value) / number + z * z / (4 * number * number)) / scale
    return Estimate(value, max(0.0, middle - half), min(1.0, middle + half))


def mean_of(results: Sequence[float]) -> float:
    return math.fsum(results) / len(results)


def standard_error(results: Sequence[float]) -> float:
    """Return the standard error of the mean of two results or more."""
    mean = mean_of(results)
    return math.sqrt(math.fsum((one - mean) ** 2 for one in results) / (len(results) - 1) / len(results))


def student_t(error: float, freedom: int) -> float:
    """Return the quantile of Student's t for a two-sided interval (Cornish-Fisher expansion)."""
    z = _NORMAL.inv_cdf(1 - error / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
