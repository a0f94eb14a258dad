"""Scaling: the cost of a move by the number of tables, of spectators, and of moves before it.

The sizes of a case are measured in interleaved rounds, so that noise hits all of them alike. The game is the trivial
one, which never ends; costs that grow are in the table, the log and the gateway.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import uvloop

from tests.bench.bench_server import BenchServer, our_server, separate_cores
from tests.bench.dialects.ours import OurDialect
from tests.bench.load import LoadTable
from tests.bench.measurement import Effort, Report, turns
from tests.bench.trivial_server import IN_MEMORY, MODULE
from tests.bench.workload import opened_tables, raise_file_limit, run_load

TITLE = "Scaling: the cost of a move as the load gets larger"
MAX_ROUNDS = 3
IDLE_SECONDS = 2.0
NEWCOMERS = 5
PACE = 20.0
"""Moves per second of each game whose length is measured: so few that its length hardly changes."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The sizes to compare."""

    tables: Sequence[int]
    moves_per_second: float
    """Moves per second of all tables together, however many there are."""

    spectators: Sequence[int]
    lengths: Sequence[int]
    length_tables: int


FULL_SCALE = Scale((1, 10, 100, 1_000), 200.0, (1, 10, 100, 1_000, 2_000), (10, 100, 1_000, 3_000), 5)
QUICK_SCALE = Scale((1, 5, 25), 50.0, (1, 10, 50), (10, 50, 100), 2)


@dataclass(slots=True)
class Size:
    """One of several sizes, and its figures in each round."""

    amount: int
    server: BenchServer
    tables: list[LoadTable]
    per_move: list[float] = field(default_factory=list)
    per_delivery: list[float] = field(default_factory=list)
    at_rest: list[float] = field(default_factory=list)


def run(effort: Effort) -> Report:
    scale = FULL_SCALE if effort.is_full else QUICK_SCALE
    raise_file_limit()
    report = Report(TITLE, rows=[_HEAD])
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for case in (tables, spectators, length):
            runner.run(case(report, scale, effort, cores))
    report.notes += [
        sentence,
        "Medians over the rounds. Tables: durable, together always the same moves a second, no spectators.",
        "Spectators: of one table in memory, which moves as fast as it can.",
        f"Moves before: durable tables without spectators, each at a pace of {PACE:g} moves a second.",
        "At rest: the server's share of its core while nothing happens. What grows is in the column of ratios.",
    ]
    return report


_HEAD = ["", "CPU per move", "ratio to the first", "CPU per delivery", "ratio to the first", "at rest"]


def _cpu(microseconds: float) -> str:
    return f"{microseconds:,.0f} µs" if microseconds >= 100 else f"{microseconds:.1f} µs"


def _section(report: Report, title: str) -> None:
    report.rows.append([title, *[""] * (len(_HEAD) - 1)])


def _add(report: Report, title: str, sizes: Sequence[Size], unit: str) -> None:
    """Add a section with a row for each size."""
    _section(report, title)
    first_move = statistics.median(sizes[0].per_move)
    first_delivery = statistics.median(sizes[0].per_delivery)
    figures = report.figures[title] = {}
    for size in sizes:
        move, delivery = statistics.median(size.per_move), statistics.median(size.per_delivery)
        rest = f"{statistics.median(size.at_rest):.1%}" if size.at_rest else ""
        what = unit.removesuffix("s") if size.amount == 1 else unit
        ratios = [f"{move / first_move:.2f}", f"{delivery / first_delivery:.2f}"]
        report.rows.append([f"  {size.amount:,} {what}", _cpu(move), ratios[0], _cpu(delivery), ratios[1], rest])
        figures[str(size.amount)] = {
            "microseconds_per_move": size.per_move,
            "microseconds_per_delivery": size.per_delivery,
            "share_at_rest": size.at_rest,
        }


async def tables(report: Report, scale: Scale, effort: Effort, cores: set[int]) -> None:
    """Measure a move while more and more tables share the same number of moves."""
    with ExitStack() as stack:
        sizes: dict[str, Size] = {}
        for amount in scale.tables:
            server = stack.enter_context(our_server(cores, module=MODULE))
            opened = await opened_tables(OurDialect(server.port), amount, watchers=0)
            sizes[str(amount)] = Size(amount, server, opened)
        for _, name in turns(sizes, min(effort.rounds, MAX_ROUNDS)):
            size = sizes[name]
            size.at_rest.append(await _share_at_rest(size.server, min(IDLE_SECONDS, effort.seconds)))
            play = await run_load(size.server, size.tables, effort.seconds, scale.moves_per_second)
            size.per_move.append(play.microseconds_per_move)
            size.per_delivery.append(play.microseconds_per_delivery)
        _close(sizes.values())
    _add(report, "tables", list(sizes.values()), "tables")


async def spectators(report: Report, scale: Scale, effort: Effort, cores: set[int]) -> None:
    """Measure a move with more and more spectators."""
    with ExitStack() as stack:
        sizes: dict[str, Size] = {}
        for amount in scale.spectators:
            server = stack.enter_context(our_server(cores, module=(*MODULE, *IN_MEMORY)))
            sizes[str(amount)] = Size(amount, server, await opened_tables(OurDialect(server.port), 1, amount))
        for _, name in turns(sizes, min(effort.rounds, MAX_ROUNDS)):
            size = sizes[name]
            play = await run_load(size.server, size.tables, effort.seconds)
            size.per_move.append(play.microseconds_per_move)
            size.per_delivery.append(play.microseconds_per_delivery)
        _close(sizes.values())
    _add(report, "spectators", list(sizes.values()), "spectators")


async def length(report: Report, scale: Scale, effort: Effort, cores: set[int]) -> None:
    """Measure a move of longer and longer games, and the time to join them."""
    with ExitStack() as stack:
        sizes: dict[str, Size] = {}
        for amount in scale.lengths:
            server = stack.enter_context(our_server(cores, module=MODULE))
            sizes[str(amount)] = Size(amount, server, [])
        for _, name in turns(sizes, min(effort.rounds, MAX_ROUNDS)):
            size = sizes[name]
            await _play_to_length(size, scale.length_tables)
            play = await run_load(size.server, size.tables, effort.seconds, PACE * scale.length_tables)
            size.per_move.append(play.microseconds_per_move)
            size.per_delivery.append(play.microseconds_per_delivery)
        _add(report, "moves before", list(sizes.values()), "moves before")
        for size in sizes.values():
            await _add_newcomers(report, size)
        _close(sizes.values())


async def _play_to_length(size: Size, tables: int) -> None:
    """Play until the games have about the right length; games that have grown too long are replaced."""
    if not size.tables or size.tables[0].moves > 2 * size.amount:
        _close([size])
        size.tables = await opened_tables(OurDialect(size.server.port), tables, watchers=0)
    pace = None if size.amount >= 1_000 else 2 * PACE * tables
    while min(table.moves for table in size.tables) < size.amount:
        await run_load(size.server, size.tables, 0.5, pace)


async def _add_newcomers(report: Report, size: Size) -> None:
    """Add the time to join a game of this length, and the size of the first view."""
    dialect, table = OurDialect(size.server.port), size.tables[0]
    await dialect.prepare_spectators(NEWCOMERS)
    waits = []
    for _ in range(NEWCOMERS):
        viewer = dialect.watcher(table)
        start = time.perf_counter()
        await dialect.join(viewer)
        waits.append(1000 * (time.perf_counter() - start))
        viewer.close()
    report.figures["moves before"][str(size.amount)] |= {
        "joining_milliseconds": waits,
        "first_bytes": viewer.first_bytes,
        "moves_at_the_end": table.moves,
    }
    report.notes.append(
        f"After {table.moves:,} moves, joining takes {statistics.median(waits):.1f} ms, {viewer.first_bytes:,} bytes."
    )


async def _share_at_rest(server: BenchServer, seconds: float) -> float:
    wall, cpu = time.perf_counter(), server.cpu_seconds()
    await asyncio.sleep(seconds)
    return (server.cpu_seconds() - cpu) / (time.perf_counter() - wall)


def _close(sizes: Iterable[Size]) -> None:
    for size in sizes:
        for table in size.tables:
            table.close()
