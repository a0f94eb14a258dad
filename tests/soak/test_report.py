"""The report of the soak test tells growth from noise."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.soak.report import Samples, print_report, slope_of
from tests.soak.server_sample import Sample


def samples(growth: float, rng: random.Random, count: int = 400) -> Samples:
    found = Samples()
    for number in range(count):
        memory = 200 + growth * number / count + rng.gauss(0, 2)
        found.add(Sample(memory, 2_030, 3, 520, 2_000, 500))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_flat_and_a_leak_grows(seed: int) -> None:
    rng = random.Random(seed)
    assert samples(0, rng).slopes()["memory in MiB"].is_flat
    assert not samples(30, rng).slopes()["memory in MiB"].is_flat


def test_a_fall_is_flat_and_few_values_prove_nothing() -> None:
    assert slope_of([float(-each) for each in range(100)]).is_flat
    assert slope_of([1.0, 2.0]).is_flat


def test_errors_in_the_log_and_leaks_fail(capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(1)
    assert print_report(samples(0, rng), Counter(games=3), '{"level": "info", "event": "listening"}\n') == 0
    assert print_report(samples(0, rng), Counter(), '{"level": "error", "event": "table failed"}\n') == 1
    assert print_report(samples(60, rng), Counter(), "") == 1
    assert "GROWS" in capsys.readouterr().out
