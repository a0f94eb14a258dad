"""Plots of the results as SVG, drawn here so that nothing has to be installed. They fit light and dark pages."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from tests.bench.contestants import BOARDGAME_IO, COLYSEUS, RAW, REAL, TRIVIAL
from tests.bench.goals import Figures
from tests.bench.human import FEW, LIMIT, MANY, RESTING
from tests.bench.tables import ALONE, CROWD, WATCHED
from tests.bench.workload import SEATS

COST, DELIVERIES = "cost-by-tables.svg", "deliveries-by-viewers.svg"
WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 210, 64, 56
_LABEL_HEIGHT = 18.0

Point = tuple[float, float]

_STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f }
.title { font-size: 16px; font-weight: 600 }
.soft { fill: #57606a }
.card { fill: #ffffff; stroke: #d0d7de }
.grid { stroke: #d8dee4; stroke-width: 1 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.soft { fill: #9198a1 }
.card { fill: #0d1117; stroke: #30363d }
.grid { stroke: #262c34 }
}
"""


@dataclass(frozen=True, slots=True)
class Line:
    """The style of a contestant's line; its colour is readable on white and on black."""

    colour: str
    width: float = 2.0
    dash: str = ""


LINES: Mapping[str, Line] = {
    REAL: Line("#2f81f7", 3.5),
    TRIVIAL: Line("#2f81f7", 2.0, "6 4"),
    COLYSEUS: Line("#d9730d"),
    BOARDGAME_IO: Line("#bf4b8a"),
    RAW: Line("#7d8590", 2.0, "2 4"),
}
"""The contestants that are drawn, the most important one first."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines through points over a logarithmic axis."""

    title: str
    subtitle: str
    x_label: str
    lines: Mapping[str, Sequence[Point]]
    y_unit: str

    def svg(self) -> str:
        """Return the plot as the text of a file."""
        every = [point for points in self.lines.values() for point in points]
        columns = Axis(min(x for x, _ in every), max(x for x, _ in every), is_logarithmic=True)
        rows = Axis(0.0, max(y for _, y in every))

        def place(point: Point) -> Point:
            x, y = columns.part(point[0]), rows.part(point[1])
            return LEFT + x * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - y * (HEIGHT - TOP - BOTTOM)

        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" role="img"',
            f' viewBox="0 0 {WIDTH} {HEIGHT}">',
            f"<title>{escape(self.title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>',
            f'<text class="title" x="20" y="28">{escape(self.title)}</text>',
            f'<text class="soft" x="20" y="47">{escape(self.subtitle)}</text>',
        ]
        for tick in rows.ticks():
            _, y = place((columns.start, tick))
            parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
            shown = f"{tick:,.10g}{self.y_unit}"
            parts.append(f'<text class="soft" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>')
        for tick in columns.ticks():
            x, y = place((tick, 0.0))
            parts.append(f'<line class="grid" x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{y + 5:.1f}"/>')
            parts.append(f'<text class="soft" x="{x:.1f}" y="{y + 20:.1f}" text-anchor="middle">{tick:,.0f}</text>')
        middle = (LEFT + WIDTH - RIGHT) / 2
        label = escape(self.x_label)
        parts.append(f'<text class="soft" x="{middle:.1f}" y="{HEIGHT - 14}" text-anchor="middle">{label}</text>')
        # The most important line is drawn last, over the others.
        for name in reversed([name for name in LINES if self.lines.get(name)]):
            parts += _drawn(LINES[name], [place(point) for point in self.lines[name]])
        parts += self._labels({name: place(points[-1]) for name, points in self.lines.items() if points})
        return "\n".join([*parts, "</svg>", ""])

    def _labels(self, ends: Mapping[str, Point]) -> Iterator[str]:
        """Yield the names of the lines beside their ends, one below the other."""
        names = sorted(ends, key=lambda name: ends[name][1])
        heights = spread([ends[name][1] for name in names], _LABEL_HEIGHT, HEIGHT - BOTTOM)
        for name, y in zip(names, heights, strict=True):
            x, (end_x, end_y) = WIDTH - RIGHT + 14, ends[name]
            colour = LINES[name].colour
            yield (
                f'<path d="M{end_x + 5:.1f} {end_y:.1f} L{x - 4:.1f} {y:.1f}" fill="none" stroke="{colour}"'
                ' stroke-width="0.7" stroke-dasharray="1 2"/>'
            )
            weight = 600 if name == REAL else 400
            style = f"fill: {colour}; font-weight: {weight}"
            yield f'<text x="{x}" y="{y + 4:.1f}" style="{style}">{escape(name)}</text>'


def _drawn(line: Line, points: Sequence[Point]) -> Iterator[str]:
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
    yield f'<path d="M{path}" fill="none" stroke="{line.colour}" stroke-width="{line.width}"{dash}/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{line.width + 1:.1f}" fill="{line.colour}"/>'


def spread(heights: Sequence[float], distance: float, most: float) -> list[float]:
    """Return increasing heights with at least this distance between them, as near to the given ones as is simple."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + distance) if placed else height)
    limit = most
    for number in reversed(range(len(placed))):
        placed[number] = min(placed[number], limit)
        limit = placed[number] - distance
    return placed


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of an axis."""

    start: float
    end: float
    is_logarithmic: bool = False

    def part(self, value: float) -> float:
        """Return where a value lies on the axis, from 0 to 1."""
        if self.is_logarithmic:
            if self.start == self.end:
                return 0.5
            return math.log(value / self.start) / math.log(self.end / self.start)
        return (value - self.start) / (self._top - self.start)

    def ticks(self) -> list[float]:
        """Return round values on the axis."""
        if not self.is_logarithmic:
            step = self._step
            return [step * number for number in range(round(self._top / step) + 1)]
        powers = range(math.floor(math.log10(self.start)), math.ceil(math.log10(self.end)) + 1)
        values = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
        return [value for value in values if self.start * 0.999 <= value <= self.end * 1.001]

    @property
    def _step(self) -> float:
        least = self.end / 5
        power = 10.0 ** math.floor(math.log10(least))
        return next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= least)

    @property
    def _top(self) -> float:
        return self._step * math.ceil(self.end / self._step)


def plots(figures: Figures) -> dict[str, str]:
    """Return the plots for which there are figures, by the name of their file."""
    drawn: dict[str, str] = {}
    costs = _costs(figures.get("human", {}))
    if costs:
        drawn[COST] = Plot(
            "What a move costs at a human pace",
            "milliseconds of one core for each move; a table of four moves once in five seconds; lower is better",
            "tables",
            costs,
            " ms",
        ).svg()
    deliveries = _deliveries(figures.get("tables", {}))
    if deliveries:
        drawn[DELIVERIES] = Plot(
            "How many updates one core sends in a second",
            "every move reaches every viewer of its table; tables move as fast as they can; higher is better",
            "viewers of a table: four players and its spectators",
            deliveries,
            "",
        ).svg()
    return drawn


def _costs(human: Mapping[str, Any]) -> dict[str, list[Point]]:
    """Return for each contestant the milliseconds of a move by the number of tables."""
    points: dict[str, dict[float, list[float]]] = {name: {} for name in LINES}
    for part in (FEW, RESTING, MANY):
        for name, rounds in human.get(part, {}).get("contestants", {}).items():
            if name in points and rounds["microseconds_per_move"]:
                points[name][human[part]["tables"]] = rounds["microseconds_per_move"]
    for name, limit in human.get(LIMIT, {}).items():
        for one in limit["tries"]:
            if one["is_carried"] and one["tables"] == one["open_tables"]:
                points[name].setdefault(one["tables"], []).append(one["microseconds_per_move"])
    return {
        name: sorted((tables, statistics.median(spent) / 1000) for tables, spent in sizes.items())
        for name, sizes in points.items()
        if sizes
    }


def _deliveries(tables: Mapping[str, Any]) -> dict[str, list[Point]]:
    """Return for each contestant the deliveries in a second of processor time by the viewers of a table."""
    points: dict[str, list[Point]] = {name: [] for name in LINES}
    for workload in (ALONE, WATCHED, CROWD):
        for name, rounds in tables.get(workload, {}).get("contestants", {}).items():
            if name in points and rounds["microseconds_per_delivery"]:
                spent = statistics.median(rounds["microseconds_per_delivery"])
                points[name].append((SEATS + tables[workload]["spectators"], 1e6 / spent))
    return {name: found for name, found in points.items() if found}
