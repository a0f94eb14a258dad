"""Measuring several contestants so that the machine's noise hits all of them alike.

Machines that are shared or change their speed are easily off by a factor of two, so a single figure says little.
Contestants therefore take turns in rounds, and what counts is the ratio of two that ran next to each other,
as the median over all rounds. CPU time does not see what other programs take from a core; wall time does.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

    is_full: bool = False
    """Measured under the whole load; else only so much that one sees it run."""


FULL = Effort(rounds=9, seconds=3.0, games=50, is_full=True)
QUICK = Effort(rounds=2, seconds=0.5, games=10)


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

    def to_json(self) -> dict[str, float]:
        return {"median": self.median, "least": self.least, "most": self.most}


@dataclass(slots=True)
class Report:
    """What one benchmark found: a table and sentences for people, and all figures for programs."""

    title: str
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, figure: float, shown: str, to_reach: str = "") -> None:
        """Add a row with one figure, and what it should be."""
        self.rows.append([name, shown, to_reach])
        self.figures[name] = figure

    def add_times(self, name: str, seconds: Sequence[float], to_reach: str = "") -> None:
        """Add a row with the median and the 99th percentile of times."""
        median, late = (1000 * percentile(seconds, part) for part in (50, 99))
        self.rows.append([name, f"{median:.1f} ms, {late:.1f} ms", to_reach])
        self.figures[name] = {"median_milliseconds": median, "p99_milliseconds": late}

    def note_once(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def to_json(self) -> dict[str, Any]:
        return {"title": self.title, "rows": self.rows, "notes": self.notes, "figures": self.figures}

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
    for _, name in turns(contestants, rounds):
        samples[name].append(contestants[name].measure())
    return samples


def turns(names: Iterable[str], rounds: int) -> Iterator[tuple[int, str]]:
    """Give whose turn it is, with the number of the round, and show how far that is; see `interleaved`."""
    order = list(names)
    progress = Progress(sys.stderr, rounds * len(order), "measurements")
    for number in range(rounds):
        for done, name in enumerate(order if number % 2 == 0 else reversed(order)):
            progress.advance(number * len(order) + done)
            yield number, name
    progress.clear()


def percentile(seconds: Sequence[float], part: int) -> float:
    """Give what so many of a hundred do not exceed."""
    return sorted(seconds)[min(len(seconds) - 1, len(seconds) * part // 100)]


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
