"""Live: the whole server with real rules and websockets, and every move durable before its reply.

The figures are absolute, so they need an idle machine; `tables.py` compares servers.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop

from tests.bench.bench_server import our_server, separate_cores
from tests.bench.contestants import GAME
from tests.bench.dialects.ours import OurDialect, connect, guests
from tests.bench.live_restart import first_move_after_restart
from tests.bench.load import Connection
from tests.bench.measurement import Effort, Report
from tests.bench.workload import opened_tables, raise_file_limit, run_load
from tests.store.speed import measure_appends

TITLE = "Live: the server under load"
MAX_ROUNDS = 3
THINKING_SECONDS = 2.0
"""The mean think time at the busy tables."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The amount of load; the brief one is only to see that everything runs."""

    idle: int
    busy_tables: int
    stored_tables: int


FULL_SCALE = Scale(idle=5_000, busy_tables=500, stored_tables=1_000)
QUICK_SCALE = Scale(idle=200, busy_tables=10, stored_tables=20)


def run(effort: Effort) -> Report:
    scale = FULL_SCALE if effort.is_full else QUICK_SCALE
    raise_file_limit()
    report = Report(TITLE, rows=[["", "figure", "to reach"]])
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for case in CASES:
            runner.run(case(report, effort, scale, cores))
    report.notes += [sentence, "Moves are durable; times in milliseconds are medians with the 99th percentile."]
    return report


async def idle(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    """Measure the memory of idle connections, each of a different user."""
    with our_server(cores) as server:
        tokens = await guests(server.port, scale.idle)
        before = server.memory_kib()
        connections = [Connection() for _ in tokens]
        for start in range(0, len(connections), 50):
            pairs = zip(connections[start : start + 50], tokens[start : start + 50], strict=True)
            await asyncio.gather(*(connect(connection, server.port, token) for connection, token in pairs))
        await asyncio.sleep(1)
        after = server.memory_kib()
        for connection in connections:
            connection.close()
    report.add(f"memory with {scale.idle} idle connections", after / 1024, f"{after / 1024:.0f} MiB", "at most 300 MiB")
    each = (after - before) / scale.idle
    report.add("memory of an idle connection", each, f"{each:.1f} KiB", "at most 28 KiB")


async def busy_tables(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    """Measure the latency of moves at many tables with think time."""
    pace = scale.busy_tables / THINKING_SECONDS
    with our_server(cores) as server:
        opened = await opened_tables(OurDialect(server.port, game=GAME), scale.busy_tables, watchers=0, seats=3)
        play = await run_load(server, opened, max(1.0, 3 * effort.seconds), pace)
        for table in opened:
            table.close()
    title = f"{scale.busy_tables} busy tables"
    report.add(f"{title}: moves per second", play.moves_per_second, f"{play.moves_per_second:,.0f}")
    report.add(f"{title}: server CPU per move", play.microseconds_per_move, f"{play.microseconds_per_move:,.0f} µs")
    report.add_times(f"{title}: from move to answer", play.stats.to_answer, "20 ms, 100 ms")


async def appends(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    """Measure the store alone."""
    with tempfile.TemporaryDirectory() as folder:
        speed = await measure_appends(Path(folder), in_flight=64, seconds=effort.seconds)
    name = "durable appends per second, 64 tables at once"
    report.add(name, speed.appends_per_second, f"{speed.appends_per_second:,.0f}", "at least 2,000")


async def restart(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    """Measure the time from a restart to the first move."""
    waits = [await first_move_after_restart(scale.stored_tables, cores) for _ in range(min(effort.rounds, MAX_ROUNDS))]
    name = f"first move after a restart with {scale.stored_tables} tables"
    report.add(name, max(waits), f"{max(waits):.2f} s", "at most 3 s")


CASES: tuple[Callable[[Report, Effort, Scale, set[int]], Coroutine[Any, Any, None]], ...] = (
    idle,
    busy_tables,
    appends,
    restart,
)
