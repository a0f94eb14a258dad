"""Means with intervals: compared with the tables of Student's t, and with what an interval promises."""

from __future__ import annotations

import random

import pytest

from server.coach.statistics import chance, estimate, mean_of, standard_error, student_t


@pytest.mark.parametrize(
    "error, freedom, quantile",
    [(0.05, 11, 2.201), (0.05, 39, 2.023), (0.05, 199, 1.972), (0.05 / 3, 199, 2.414), (0.01, 29, 2.756)],
)
def test_the_quantiles_are_those_of_the_tables(error: float, freedom: int, quantile: float) -> None:
    assert student_t(error, freedom) == pytest.approx(quantile, abs=0.002)


def test_an_interval_is_symmetric_and_empty_without_luck() -> None:
    assert estimate([0.25] * 5) == (0.25, 0.25, 0.25)
    found = estimate([0.0, 1.0, 1.0, 0.0])
    assert found.value == mean_of([0, 1, 1, 0]) == 0.5
    assert found.high - found.value == pytest.approx(found.value - found.low)
    assert standard_error([0.0, 1.0, 1.0, 0.0]) == pytest.approx((1 / 12) ** 0.5)


@pytest.mark.parametrize(
    "won, of, low, high", [(0, 40, 0.0, 0.088), (40, 40, 0.912, 1.0), (10, 40, 0.142, 0.402), (100, 200, 0.431, 0.569)]
)
def test_the_interval_of_a_chance_is_that_of_wilson(won: int, of: int, low: float, high: float) -> None:
    found = chance([1.0] * won + [0.0] * (of - won))
    assert (found.value, found.low, found.high) == pytest.approx((won / of, low, high), abs=0.001)


def test_the_true_mean_is_outside_as_often_as_the_error_says() -> None:
    rng = random.Random(1)
    outside = 0
    for _ in range(2_000):
        found = estimate([rng.gauss(0.1, 0.3) for _ in range(20)], 0.1)
        outside += not found.low <= 0.1 <= found.high
    assert 160 <= outside <= 240
