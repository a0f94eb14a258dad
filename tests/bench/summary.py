"""The first lines of BENCHMARKS.md: what the results mean to somebody who has never seen the project."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.bench.contestants import BOARDGAME_IO, COLYSEUS, RAW, REAL, TRIVIAL
from tests.bench.goals import Figures
from tests.bench.human import FEW, LIMIT, MANY, RESTING
from tests.bench.rules import PEER
from tests.bench.tables import ALONE, CROWD, WATCHED
from tests.bench.workload import SEATS

FIRST = (
    "This server judges every move, writes it to disk before showing it, and shows nobody what they may not know.",
    "People move once in some seconds; so do the tables of the first plot. Those of the second move without a pause.",
)
LAST = "All of it ran in turn on one shared machine, whose times vary by a factor of two: only the ratios count."


def summary(figures: Figures) -> list[str]:
    """Return the sentences for which there are figures."""
    parts = (_pace, _limit, _rest, _full_speed, _crowd, _rules, _take_over)
    return [*FIRST, *(sentence for part in parts for sentence in part(figures)), LAST]


def _pace(figures: Figures) -> Iterator[str]:
    few = figures.get("human", {}).get(FEW, {})
    rounds = few.get("contestants", {})
    if not rounds.get(REAL):
        return
    own = rounds[REAL]
    yield (
        f"At {few['tables']:,} tables of four, a durable move of a real game takes "
        f"{_milliseconds(own['microseconds_per_move'])} of one core and is on all four screens after "
        f"{_median(own['p50']):.1f} ms (99 of 100 within {_median(own['p99']):.0f} ms)."
    )
    others = [
        (BOARDGAME_IO, "which stores nothing"),
        (COLYSEUS, "which neither judges nor stores"),
        (RAW, "which only copies bytes"),
    ]
    shown = [
        f"{name}, {what}, takes {_milliseconds(rounds[name]['microseconds_per_move'])}"
        for name, what in others
        if rounds.get(name)
    ]
    if shown and rounds.get(TRIVIAL):
        trivial = _milliseconds(rounds[TRIVIAL]["microseconds_per_move"])
        yield f"With a trivial game in memory, we take {trivial}; {'; '.join(shown)}."


def _limit(figures: Figures) -> Iterator[str]:
    limit = figures.get("human", {}).get(LIMIT, {}).get(REAL)
    if limit is not None and limit["tables"]:
        tables = limit["tables"]
        carried = f"carries {tables:,} such tables, {SEATS * tables:,} people,"
        if limit["open"] < tables:
            carried = f"carries the moves of {tables:,} such tables ({limit['open']:,} could be open)"
        yield f"One core {carried} at 70 % of its time, with 99 of 100 moves shown within 50 ms."


def _rest(figures: Figures) -> Iterator[str]:
    human = figures.get("human", {})
    resting = human.get(RESTING, {})
    share = resting.get("contestants", {}).get(REAL, {}).get("rest_share")
    if share:
        memory = human.get(MANY, {}).get("contestants", {}).get(REAL, {}).get("kib_per_table")
        kib = f"; each takes {_median(memory):,.0f} KiB with its connections" if memory else ""
        tables = resting["tables"]
        yield (
            f"{tables:,} tables with {SEATS * tables:,} connections at which nothing happens take "
            f"{_median(share):.1%} of a core{kib}."
        )


def _full_speed(figures: Figures) -> Iterator[str]:
    moves = {
        name: measured["contestants"].get(REAL, {}).get("moves_per_second")
        for name, measured in figures.get("tables", {}).items()
    }
    if moves.get(ALONE) and moves.get(WATCHED):
        spectators = figures["tables"][WATCHED]["spectators"]
        yield (
            f"As fast as it can, one core makes {_median(moves[ALONE]):,.0f} durable moves a second, "
            f"or {_median(moves[WATCHED]):,.0f} with {spectators} spectators at each table."
        )


def _crowd(figures: Figures) -> Iterator[str]:
    crowd = figures.get("tables", {}).get(CROWD)
    if crowd is None:
        return
    spent: Mapping[str, Sequence[float]] = {
        name: rounds["microseconds_per_delivery"] for name, rounds in crowd["contestants"].items()
    }
    if spent.get(TRIVIAL) and spent.get(RAW) and spent.get(COLYSEUS):
        yield (
            f"To {crowd['spectators']:,} spectators of a trivial game an update costs {_median(spent[TRIVIAL]):.1f} µs "
            f"each; {RAW}, the lower bound, {_median(spent[RAW]):.1f} µs; {COLYSEUS} {_median(spent[COLYSEUS]):.1f} µs."
        )


def _rules(figures: Figures) -> Iterator[str]:
    ratios = [
        figure["ratio_by_cpu_time"]["median"]
        for name, figure in figures.get("rules", {}).items()
        if "ratio_by_cpu_time" in figure and ", " not in name
    ]
    if ratios:
        yield f"The rules alone are {min(ratios):.1f} to {max(ratios):.1f} times as fast as those of {PEER}."


def _take_over(figures: Figures) -> Iterator[str]:
    seconds = figures.get("cluster", {}).get("take-over after SIGKILL")
    if seconds is not None:
        yield f"When one of several servers is killed, another continues its tables within {seconds:.1f} s."


def _median(values: Sequence[Any]) -> float:
    return float(statistics.median(values))


def _milliseconds(microseconds: Sequence[float]) -> str:
    return f"{_median(microseconds) / 1000:.2f} ms"
