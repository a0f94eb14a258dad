"""Measuring several contestants so that the machine's noise hits all of them alike.

Machines that are shared or change their speed are easily off by a factor of two, so a single figure says little.
Contestants therefore take turns in rounds, and what counts is the ratio of two that ran next to each other,
as the median over all rounds. CPU time does not see what other programs take from a core; wall time does.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from server.tools.progress import Progress


@dataclass(frozen=True, slots=True)
class Effort:
    """How thoroughly to measure."""

    rounds: int
    seconds: float
    """CPU seconds that a contestant runs in each round, where it can run for as long as one likes."""

    games: int


FULL = Effort(rounds=9, seconds=3.0, games=50)
QUICK = Effort(rounds=3, seconds=0.5, games=10)


@dataclass(frozen=True, slots=True)
class Sample:
    """What one contestant did in one round."""

    amount: int
    wall_seconds: float
    cpu_seconds: float

    @property
    def per_wall_second(self) -> float:
        return self.amount / self.wall_seconds

    @property
    def per_cpu_second(self) -> float:
        return self.amount / self.cpu_seconds


class Contestant(Protocol):
    """Something that can be measured again and again."""

    def measure(self) -> Sample: ...


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure that was measured several times."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> Spread:
        return cls(statistics.median(figures), min(figures), max(figures))

    def plain(self) -> dict[str, float]:
        return {"median": self.median, "least": self.least, "most": self.most}


@dataclass(slots=True)
class Report:
    """What one benchmark found: a table and sentences for people, and all figures for programs."""

    title: str
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        widths = [max(map(len, column)) for column in zip(*self.rows, strict=True)]
        lines = []
        for name, *figures in self.rows:
            cells = [figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True)]
            lines.append("  ".join([name.ljust(widths[0]), *cells]).rstrip())
        return "\n".join([self.title, "=" * len(self.title), "", *lines, "", *self.notes, ""])


def interleaved(contestants: Mapping[str, Contestant], rounds: int) -> dict[str, list[Sample]]:
    """Give a sample of every contestant for each round, measured by turns; every other round goes backwards."""
    samples: dict[str, list[Sample]] = {name: [] for name in contestants}
    progress = Progress(sys.stderr, rounds * len(contestants), "measurements")
    for done_rounds in range(rounds):
        names = list(contestants)
        for done, name in enumerate(names if done_rounds % 2 == 0 else reversed(names)):
            progress.advance(done_rounds * len(names) + done)
            samples[name].append(contestants[name].measure())
    progress.clear()
    return samples


@contextmanager
def on_one_core() -> Iterator[str]:
    """Keep this process, and those it starts, on one core where the system can do that; give a sentence about it."""
    if not hasattr(os, "sched_setaffinity"):
        yield "This system cannot keep a process on one core."
        return
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})
    try:
        yield f"All contestants ran on core {core} of {os.cpu_count()}."
    finally:
        os.sched_setaffinity(0, before)
