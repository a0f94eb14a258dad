"""Interleaved measurements of several contestants, so that the machine's noise hits all of them alike.

A shared machine, or one that changes its clock speed, is easily off by a factor of two, so a single figure says little.
Contestants therefore take turns in rounds, and the figure that counts is the median over all rounds of the ratio within
a round. CPU time excludes what other programs take from a core; wall time does not.
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
    """The length of a measurement."""

    rounds: int
    seconds: float
    """CPU seconds of a contestant in each round, where it can run for any time."""

    games: int

    is_full: bool = False
    """Whether the whole load is measured; else only enough to see that it runs."""

    accelerated: str | None = None
    """The folder of an accelerated build; by default one is compiled."""


FULL = Effort(rounds=9, seconds=3.0, games=50, is_full=True)
QUICK = Effort(rounds=2, seconds=0.5, games=10)


@dataclass(frozen=True, slots=True)
class Sample:
    """The amount of work and the times of one contestant in one round."""

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
    """Something that can be measured repeatedly."""

    def measure(self) -> Sample: ...


@dataclass(frozen=True, slots=True)
class Spread:
    """The median and the range of a repeated figure."""

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
    """The result of a benchmark: a table and sentences for people, and all figures for programs."""

    title: str
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, figure: float, shown: str, to_reach: str = "") -> None:
        """Add a row with one figure and its goal."""
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
    """Return a sample of every contestant for each round; every other round runs in reverse order."""
    samples: dict[str, list[Sample]] = {name: [] for name in contestants}
    for _, name in turns(contestants, rounds):
        samples[name].append(contestants[name].measure())
    return samples


def turns(names: Iterable[str], rounds: int) -> Iterator[tuple[int, str]]:
    """Yield the number of the round and the contestant to measure next, and show the progress; see `interleaved`."""
    order = list(names)
    progress = Progress(sys.stderr, rounds * len(order), "measurements")
    for number in range(rounds):
        for done, name in enumerate(order if number % 2 == 0 else reversed(order)):
            progress.advance(number * len(order) + done)
            yield number, name
    progress.clear()


def percentile(seconds: Sequence[float], part: int) -> float:
    """Return a percentile, by the nearest rank."""
    return sorted(seconds)[min(len(seconds) - 1, len(seconds) * part // 100)]


@contextmanager
def on_one_core() -> Iterator[str]:
    """Pin this process and its children to one core where the system supports it; yield a sentence about it."""
    if not hasattr(os, "sched_setaffinity"):
        yield "This system cannot pin a process to one core."
        return
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})
    try:
        yield f"All contestants ran on core {core} of {os.cpu_count()}."
    finally:
        os.sched_setaffinity(0, before)
