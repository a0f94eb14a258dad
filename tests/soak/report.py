"""Whether the samples of a soak test grow, and the report that says so."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tests.soak.server_sample import Sample

WARM_UP = 0.25
"""The part of the samples at the start that does not count: caches fill, and games spread out."""

BLOCKS = 12
"""Samples are averaged in so many blocks before the slope is fitted, since neighbouring samples are not independent."""


class Slope(NamedTuple):
    """A straight line through values: its growth from the first to the last block, and the standard error of that."""

    growth: float
    error: float
    mean: float

    @property
    def is_flat(self) -> bool:
        """Return whether the growth is within noise: less than three standard errors, or than one percent."""
        return self.growth < max(3 * self.error, 0.01 * self.mean)


class Samples:
    """The samples of a run."""

    def __init__(self, warm_up: float = WARM_UP) -> None:
        self._warm_up = warm_up
        self._samples: list[Sample] = []

    def __len__(self) -> int:
        return len(self._samples)

    def add(self, sample: Sample) -> None:
        self._samples.append(sample)

    def slopes(self) -> dict[str, Slope]:
        """Return the slopes of what must not grow; descriptors and tasks beyond what connections and tables explain."""
        counted = self._samples[int(len(self._samples) * self._warm_up) :]
        return {
            "memory in MiB": slope_of([sample.memory for sample in counted]),
            "descriptors without connections": slope_of(
                [float(sample.descriptors - sample.connections) for sample in counted]
            ),
            "tasks without tables": slope_of([float(sample.tasks - sample.tables) for sample in counted]),
            "threads": slope_of([float(sample.threads) for sample in counted]),
        }


def slope_of(values: Sequence[float]) -> Slope:
    """Fit a line by least squares through the means of blocks of values."""
    size = max(1, len(values) // BLOCKS)
    means = [sum(block) / len(block) for block in (values[at : at + size] for at in range(0, len(values), size))]
    count, mean = len(means), sum(means) / len(means)
    if count < 3:
        return Slope(0.0, math.inf, mean)
    middle = (count - 1) / 2
    spread = sum((at - middle) ** 2 for at in range(count))
    slope = sum((at - middle) * (value - mean) for at, value in enumerate(means)) / spread
    residual = sum((value - mean - slope * (at - middle)) ** 2 for at, value in enumerate(means))
    error = math.sqrt(residual / (count - 2) / spread)
    return Slope(slope * (count - 1), error * (count - 1), mean)


def print_report(samples: Samples, counts: Counter[str], log: str) -> int:
    """Print what was found, and return the exit code."""
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    troubles = Counter(f"{line['level']}: {line['event']}" for line in lines if line["level"] in ("warning", "error"))
    slopes = samples.slopes()
    print(f"{len(samples)} samples, {dict(counts)}")
    for name, slope in slopes.items():
        found = "flat" if slope.is_flat else "GROWS"
        print(f"{name}: mean {slope.mean:.1f}, growth {slope.growth:+.2f} ± {slope.error:.2f} after warm-up: {found}")
    print(f"log: {dict(troubles) or 'no warnings and no errors'}")
    return 0 if not troubles and all(slope.is_flat for slope in slopes.values()) else 1
