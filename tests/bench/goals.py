"""The goals of the benchmarks: each with its figure, the bound to reach first and in the end, and which are met.

Comparisons with others are medians of ratios within rounds of one interleaved run; see `measurement.py`.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests.bench.accelerated import HARD_BOTS, WHOLE_MOVE
from tests.bench.builds import ACCELERATED
from tests.bench.cluster import TWO_BY_ONE
from tests.bench.contestants import BOARDGAME_IO, COLYSEUS, RAW, REAL, TRIVIAL
from tests.bench.human import FEW, LIMIT, RESTING
from tests.bench.human_limit import MAX_P99, MAX_SHARE
from tests.bench.measurement import Report
from tests.bench.replay import MAX_MILLISECONDS
from tests.bench.rules import ACCELERATED_RATIOS, PLAIN_RATIOS
from tests.bench.tables import ALONE, CROWD, WATCHED
from tests.bench.workload import SEATS

TITLE = "Figures to reach"
MAX_GROWTH = 1.3
"""The tolerance for a figure that must not depend on a size: machines are not exact."""

NEGLIGIBLE_KIB = 1.0
"""Less than this counts as nothing: resident memory is counted in pages and varies by itself."""

KEPT_BY_RAW, KEPT_BY_COLYSEUS = 1.11, 1.53
"""The ratios to keep with a thousand spectators: 1.01 and 1.68, with a tolerance of a tenth for noise."""

Figures = Mapping[str, Mapping[str, Any]]
"""The figures of each benchmark by its name."""


class Goal(NamedTuple):
    """A figure with the bound to reach first, the bound to reach in the end if there is one, and its unit."""

    name: str
    figure: float
    first: float
    moonshot: float | None = None
    is_minimum: bool = False
    unit: str = ""

    @property
    def state(self) -> str:
        """Return which bounds are met, in words."""
        if not self._is_met(self.first):
            return "not met"
        if self.moonshot is None:
            return "met"
        return "moonshot met" if self._is_met(self.moonshot) else "first met"

    def _is_met(self, bound: float) -> bool:
        return self.figure >= bound if self.is_minimum else self.figure <= bound

    def row(self) -> list[str]:
        sign = "≥" if self.is_minimum else "≤"
        moonshot = "" if self.moonshot is None else f"{sign} {_shown(self.moonshot)}{self.unit}"
        first = f"{sign} {_shown(self.first)}{self.unit}"
        return [self.name, f"{_shown(self.figure)}{self.unit}", first, moonshot, self.state]


def _shown(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


def goals(figures: Figures) -> Report:
    """Return a report of all goals for which there are figures."""
    found = [goal for part in _PARTS for goal in part(figures)]
    report = Report(TITLE, rows=[["", "figure", "first", "moonshot", ""], *(goal.row() for goal in found)])
    report.figures = {
        goal.name: {"figure": goal.figure, "first": goal.first, "moonshot": goal.moonshot, "state": goal.state}
        for goal in found
    }
    states = [goal.state for goal in found]
    moonshots = sum(goal.moonshot is not None for goal in found)
    report.notes.append(
        f"{len(found) - states.count('not met')} of {len(found)} figures are met, "
        f"and {states.count('moonshot met')} of {moonshots} moonshots."
    )
    return report


def _human(figures: Figures) -> Iterator[Goal]:
    human_figures = figures.get("human", {})
    measured = human_figures.get(FEW)
    if measured is not None:
        title, cpu = f"human pace, {measured['tables']:,} tables: CPU per move", "microseconds_per_move"
        for ratio in _ratio(measured, REAL, BOARDGAME_IO, cpu):
            yield Goal(f"{title}, Investors durable by {BOARDGAME_IO}", ratio, 0.75, 0.5, unit="×")
        for ratio in _ratio(measured, TRIVIAL, COLYSEUS, cpu):
            yield Goal(f"{title}, trivial game by {COLYSEUS}", ratio, 1.1, 0.8, unit="×")
    limit = human_figures.get(LIMIT, {}).get(REAL)
    if limit is not None:
        name = f"human pace: durable tables of one core, {MAX_SHARE:.0%} of it, p99 {MAX_P99:g} ms"
        yield Goal(name, limit["tables"], 5_000, 8_000, True)
    resting = human_figures.get(RESTING)
    if resting is not None and REAL in resting["contestants"]:
        tables, shares = resting["tables"], resting["contestants"][REAL]["rest_share"]
        name = f"at rest: {tables:,} tables with {SEATS * tables:,} connections"
        yield Goal(name, 100 * statistics.median(shares), 2, 1, unit=" % of a core")


def _tables(figures: Figures) -> Iterator[Goal]:
    measured = figures.get("tables", {})
    for workload, first, moonshot in ((ALONE, 4_500, 6_500), (WATCHED, 2_200, 3_000)):
        if workload in measured:
            moves = measured[workload]["contestants"].get(REAL, {}).get("moves_per_second")
            if moves:
                name = f"{_title(measured[workload])}: durable moves per second of a core"
                yield Goal(name, statistics.median(moves), first, moonshot, True)
    cpu = "microseconds_per_delivery"
    if WATCHED in measured:
        watched = measured[WATCHED]
        title = _title(watched)
        for ratio in _ratio(watched, TRIVIAL, RAW, cpu):
            yield Goal(f"{title}: CPU per delivery, trivial game by {RAW}", ratio, 1.9, 1.5, unit="×")
        for ratio in _ratio(watched, COLYSEUS, TRIVIAL, cpu):
            yield Goal(f"{title}: CPU per delivery, {COLYSEUS} by our trivial game", ratio, 1.0, 1.3, True, "×")
        for ratio in _ratio(watched, REAL, BOARDGAME_IO, "deliveries_per_second"):
            name = f"{title}: deliveries per second, Investors durable by {BOARDGAME_IO}'s trivial game"
            yield Goal(name, ratio, 2.2, 3.0, True, "×")
    if CROWD in measured:
        title = _title(measured[CROWD])
        for ratio in _ratio(measured[CROWD], TRIVIAL, RAW, cpu):
            yield Goal(f"{title}: CPU per delivery, trivial game by {RAW} (kept)", ratio, KEPT_BY_RAW, unit="×")
        for ratio in _ratio(measured[CROWD], COLYSEUS, TRIVIAL, cpu):
            name = f"{title}: CPU per delivery, {COLYSEUS} by our trivial game (kept)"
            yield Goal(name, ratio, KEPT_BY_COLYSEUS, None, True, "×")


def _title(measured: Mapping[str, Any]) -> str:
    return f"T={measured['tables']} S={measured['spectators']}"


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


def _sizes(figures: Figures) -> Iterator[Goal]:
    measured = figures.get("tables", {}).get(WATCHED)
    if measured is not None and measured["contestants"].get(REAL, {}).get("update_bytes"):
        updates = measured["contestants"][REAL]["update_bytes"]
        yield Goal("Investors: an update, median", statistics.median(updates), 400, unit=" bytes")
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
    for name, figure in figures.get("rules", {}).items():
        if "ratio_by_cpu_time" in figure:
            ratio = figure["ratio_by_cpu_time"]["median"]
            bounds = ACCELERATED_RATIOS if name.endswith(ACCELERATED) else PLAIN_RATIOS
            yield Goal(f"rules of {name}: decisions per CPU second, by catanatron", ratio, *bounds, True, "×")
    for name, figure in figures.get("accelerated", {}).items():
        if name == WHOLE_MOVE or name.startswith(HARD_BOTS):
            yield Goal(f"accelerated by plain: {name}", figure["median"], 1.4, 1.8, True, "×")


def _workers(figures: Figures) -> Iterator[Goal]:
    ratio = figures.get("cluster", {}).get(TWO_BY_ONE)
    if ratio is not None:
        yield Goal(f"spectators on another worker: {TWO_BY_ONE}", ratio, 1.3, 1.15, unit="×")


def _replay(figures: Figures) -> Iterator[Goal]:
    for name, figure in figures.get("replay", {}).items():
        if name.endswith("from text"):
            slowest = figure["cpu_milliseconds"]["most"]
            yield Goal(f"replay of {name}: the slowest game", slowest, MAX_MILLISECONDS, unit=" ms")


_PARTS = (_human, _tables, _rules, _workers, _sizes, _scaling, _replay)
