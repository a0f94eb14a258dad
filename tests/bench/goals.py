"""The goals of the benchmarks: each with its figure, its bound, and whether it is met.

Comparisons with others are medians of ratios within rounds of one interleaved run; see `measurement.py`.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests.bench.contestants import BOARDGAME_IO, COLYSEUS, RAW, REAL, TRIVIAL
from tests.bench.measurement import Report
from tests.bench.replay import MAX_MILLISECONDS
from tests.bench.rules import MIN_RATIO
from tests.bench.tables import ALONE, CROWD, WATCHED

TITLE = "Figures to reach"
MAX_GROWTH = 1.3
"""The tolerance for a figure that must not depend on a size: machines are not exact."""

NEGLIGIBLE_KIB = 1.0
"""Less than this counts as nothing: resident memory is counted in pages and varies by itself."""

Figures = Mapping[str, Mapping[str, Any]]
"""The figures of each benchmark by its name."""


class Goal(NamedTuple):
    """A figure with its bound and unit."""

    name: str
    figure: float
    bound: float
    is_minimum: bool = False
    unit: str = ""

    @property
    def is_met(self) -> bool:
        return self.figure >= self.bound if self.is_minimum else self.figure <= self.bound

    def row(self) -> list[str]:
        bound = f"{'at least' if self.is_minimum else 'at most'} {_shown(self.bound)}{self.unit}"
        return [self.name, f"{_shown(self.figure)}{self.unit}", bound, "met" if self.is_met else "not met"]


def _shown(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


def goals(figures: Figures) -> Report:
    """Return a report of all goals for which there are figures."""
    found = [goal for part in _PARTS for goal in part(figures)]
    report = Report(TITLE, rows=[["", "figure", "to reach", ""], *(goal.row() for goal in found)])
    report.figures = {goal.name: {"figure": goal.figure, "bound": goal.bound, "met": goal.is_met} for goal in found}
    report.notes.append(f"{sum(goal.is_met for goal in found)} of {len(found)} figures are met.")
    return report


_TRANSPORT = {
    WATCHED: {RAW: 1.35, COLYSEUS: 1.4, BOARDGAME_IO: 8.0},
    CROWD: {RAW: 1.35, COLYSEUS: 1.6, BOARDGAME_IO: 7.0},
    ALONE: {RAW: 2.0, COLYSEUS: 1.0, BOARDGAME_IO: 8.0},
}
"""By workload: the maximum ratio of our CPU to that of the raw limit, and the minimum ratio of others to ours."""


def _transport(figures: Figures) -> Iterator[Goal]:
    for workload, bounds in _TRANSPORT.items():
        measured = figures.get("tables", {}).get(workload)
        if measured is None:
            continue
        title = f"T={measured['tables']} S={measured['spectators']}"
        cpu = "microseconds_per_delivery"
        for name, bound in bounds.items():
            if name == RAW:
                for ratio in _ratio(measured, TRIVIAL, RAW, cpu):
                    yield Goal(f"{title}: CPU per delivery, trivial game, by {RAW}", ratio, bound, unit="×")
            else:
                for ratio in _ratio(measured, name, TRIVIAL, cpu):
                    yield Goal(f"{title}: CPU per delivery, {name} by our trivial game", ratio, bound, True, "×")
        for ratio in _ratio(measured, TRIVIAL, COLYSEUS, "paced_p99"):
            yield Goal(f"{title}: p99 at the same pace, trivial game by {COLYSEUS}", ratio, 1.0, unit="×")


def _ratio(measured: Mapping[str, Any], above: str, below: str, figure: str) -> list[float]:
    """Return the median of the ratios within rounds, or an empty list if there are none."""
    one, other = (_by_round(measured["contestants"].get(name), figure) for name in (above, below))
    ratios = [one[number] / other[number] for number in one.keys() & other.keys()]
    return [statistics.median(ratios)] if ratios else []


def _by_round(rounds: Mapping[str, list[Any]] | None, figure: str) -> dict[int, float]:
    if rounds is None:
        return {}
    pairs = zip(rounds["numbers"], rounds[figure], strict=True)
    return {number: value for number, value in pairs if value is not None}


def _real_game(figures: Figures) -> Iterator[Goal]:
    measured = figures.get("tables", {}).get(WATCHED)
    if measured is not None and measured["contestants"].get(REAL, {}).get("moves_per_second"):
        title = f"T={measured['tables']} S={measured['spectators']}, Investors"
        for ratio in _ratio(measured, REAL, BOARDGAME_IO, "deliveries_per_second"):
            yield Goal(f"{title}: deliveries per second, by {BOARDGAME_IO}", ratio, 3.0, True, "×")
        real = measured["contestants"][REAL]
        yield Goal(f"{title}: durable moves per second", statistics.median(real["moves_per_second"]), 1_000, True)
        yield Goal(f"{title}: an update, median", statistics.median(real["update_bytes"]), 400, unit=" bytes")
    connections = figures.get("connections", {}).get(REAL)
    if connections is not None:
        yield Goal("Investors: first view, most", max(connections["first_bytes"]), 8_192, unit=" bytes")
        yield Goal("Investors: joining a running table", statistics.median(connections["joining_p50"]), 50, unit=" ms")
        yield Goal("an idle connection", statistics.median(connections["idle_kib"]), 28, unit=" KiB")
    for name, figure in figures.get("memory", {}).items():
        if name.startswith("one of"):
            yield Goal("a table that is played", figure, 200, unit=" KiB")
        elif name == "a table at rest":
            yield Goal(name, figure, NEGLIGIBLE_KIB, unit=" KiB")


def _scaling(figures: Figures) -> Iterator[Goal]:
    for case, unit in (("moves before", "moves before"), ("tables", "tables")):
        sizes = figures.get("scaling", {}).get(case)
        if sizes:
            first, *_, last = sizes
            pairs = zip(sizes[last]["microseconds_per_move"], sizes[first]["microseconds_per_move"], strict=True)
            ratio = statistics.median(one / other for one, other in pairs)
            name = f"CPU per move: {int(last):,} {unit}, by {int(first):,}"
            yield Goal(name, ratio, MAX_GROWTH, unit="×")


def _rules(figures: Figures) -> Iterator[Goal]:
    for game, figure in figures.get("rules", {}).items():
        if "ratio_by_cpu_time" in figure:
            ratio = figure["ratio_by_cpu_time"]["median"]
            yield Goal(f"rules of {game}: decisions per CPU second, by catanatron", ratio, MIN_RATIO, True, "×")
    for name, figure in figures.get("replay", {}).items():
        if name.endswith("from text"):
            slowest = figure["cpu_milliseconds"]["most"]
            yield Goal(f"replay of {name}: the slowest game", slowest, MAX_MILLISECONDS, unit=" ms")


_PARTS = (_transport, _real_game, _scaling, _rules)
