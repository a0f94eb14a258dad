"""Connections: the memory of an idle one, the time to join a running table, and a reconnect storm.

In a reconnect storm all connections break at once and all come back at once, as after a network failure.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import uvloop

from tests.bench.bench_server import BenchServer, ServerMissing, separate_cores
from tests.bench.contestants import CONTESTANTS, Contestant
from tests.bench.dialects import Dialect
from tests.bench.load import LoadFailed, LoadTable, Viewer
from tests.bench.measurement import Effort, Report, percentile, turns
from tests.bench.peers import PeerMissing
from tests.bench.workload import MAX_CONCURRENT, opened_tables, raise_file_limit, run_load

TITLE = "Connections: idle, joining, and a reconnect storm"
MAX_ROUNDS = 2
PLAY_SECONDS = 0.5
SETTLE_SECONDS = 1.0
TIMEOUT_SECONDS = 240.0


@dataclass(frozen=True, slots=True)
class Scale:
    """The number of tables, spectators of each, idle connections, and newcomers that join one by one."""

    tables: int
    watchers: int
    idle: int
    newcomers: int


FULL_SCALE = Scale(tables=50, watchers=16, idle=1_000, newcomers=50)
QUICK_SCALE = Scale(tables=5, watchers=6, idle=100, newcomers=10)


@dataclass(slots=True)
class Rounds:
    """The figures of one contestant in each round. Times in milliseconds."""

    idle_kib: list[float] = field(default_factory=list)
    first_bytes: list[float] = field(default_factory=list)
    joining_p50: list[float] = field(default_factory=list)
    joining_most: list[float] = field(default_factory=list)
    storm: list[float] = field(default_factory=list)
    """The time until the last connection has received its view again."""

    storm_cpu: list[float] = field(default_factory=list)
    """The server's processor time for each connection that came back."""

    storm_load: list[float] = field(default_factory=list)
    """The load generator's share of its core meanwhile."""


def run(effort: Effort) -> Report:
    report = Report(TITLE, rows=[_HEAD])
    raise_file_limit()
    scale = FULL_SCALE if effort.is_full else QUICK_SCALE
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(measure(report, CONTESTANTS, scale, min(effort.rounds, MAX_ROUNDS), cores))
    connections = scale.tables * (4 + scale.watchers)
    report.notes += [
        sentence,
        f"Medians over the rounds. Idle: one of {scale.idle:,} spectators of a table at which nothing happens.",
        "Joining: from opening the connection to the first view of a running game.",
        f"Storm: {connections:,} connections to {scale.tables} tables come back at once, until the last has its view.",
    ]
    return report


_HEAD = [
    *("", "KiB per idle connection", "first view", "joining: p50", "most"),
    *("storm: all are back", "server CPU for each", "load's CPU"),
]


async def measure(
    report: Report, contestants: Sequence[Contestant], scale: Scale, rounds: int, cores: set[int]
) -> None:
    """Measure all contestants in interleaved rounds, each with a fresh server, and add them to the report."""
    by_name = {contestant.name: contestant for contestant in contestants}
    measured = {name: Rounds() for name in by_name}
    for _, name in turns(by_name, rounds):
        try:
            with by_name[name].start(cores) as server:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await _take_turn(measured[name], server, by_name[name].dialect(server.port), scale)
        except (PeerMissing, ServerMissing, LoadFailed, OSError, TimeoutError) as failure:
            report.note_once(f"{name}: {str(failure) or 'It takes too long.'}")
    for name, figures in measured.items():
        if not figures.storm:
            continue
        report.rows.append(
            [
                name,
                f"{statistics.median(figures.idle_kib):.1f}",
                f"{statistics.median(figures.first_bytes):,.0f} bytes",
                f"{statistics.median(figures.joining_p50):.1f} ms",
                f"{statistics.median(figures.joining_most):.1f} ms",
                f"{statistics.median(figures.storm):,.0f} ms",
                f"{statistics.median(figures.storm_cpu):.2f} ms",
                f"{statistics.median(figures.storm_load):.0%}",
            ]
        )
        report.figures[name] = asdict(figures)


async def _take_turn(rounds: Rounds, server: BenchServer, dialect: Dialect, scale: Scale) -> None:
    await dialect.prepare_spectators(scale.idle + scale.newcomers + scale.watchers)
    # Idle connections come first: a server that has worked before has spare memory.
    rounds.idle_kib.append(await _idle(server, dialect, scale))
    tables = await opened_tables(dialect, scale.tables, scale.watchers)
    try:
        await run_load(server, tables, PLAY_SECONDS)
        waits = [
            await _join_seconds(dialect, tables[number % len(tables)], rounds) for number in range(scale.newcomers)
        ]
        rounds.joining_p50.append(1000 * percentile(waits, 50))
        rounds.joining_most.append(1000 * max(waits))
        await _storm(rounds, server, dialect, tables)
    finally:
        for table in tables:
            table.close()


async def _join_seconds(dialect: Dialect, table: LoadTable, rounds: Rounds) -> float:
    """Return the seconds that a newcomer takes to join a running game."""
    viewer = dialect.watcher(table)
    start = time.perf_counter()
    await dialect.join(viewer)
    waited = time.perf_counter() - start
    viewer.close()
    rounds.first_bytes.append(viewer.first_bytes)
    return waited


async def _idle(server: BenchServer, dialect: Dialect, scale: Scale) -> float:
    """Return the memory in KiB of each spectator of a table without moves."""
    (table,) = await opened_tables(dialect, 1, scale.watchers)
    viewers: list[Viewer] = [dialect.watcher(table) for _ in range(scale.idle)]
    await asyncio.sleep(SETTLE_SECONDS)
    before = server.memory_kib()
    for start in range(0, scale.idle, MAX_CONCURRENT):
        await asyncio.gather(*map(dialect.join, viewers[start : start + MAX_CONCURRENT]))
    await asyncio.sleep(SETTLE_SECONDS)
    after = server.memory_kib()
    for viewer in viewers:
        viewer.close()
    table.close()
    await asyncio.sleep(SETTLE_SECONDS)
    return (after - before) / scale.idle


async def _storm(rounds: Rounds, server: BenchServer, dialect: Dialect, tables: list[LoadTable]) -> None:
    """Break all connections and let all come back at once."""
    viewers = [viewer for table in tables for viewer in table.viewers]
    for viewer in viewers:
        viewer.close()
    await asyncio.sleep(SETTLE_SECONDS)
    start, server_cpu, load_cpu = time.perf_counter(), server.cpu_seconds(), time.process_time()
    await asyncio.gather(*map(dialect.join, viewers))
    wall = time.perf_counter() - start
    rounds.storm.append(1000 * wall)
    rounds.storm_load.append((time.process_time() - load_cpu) / wall)
    rounds.storm_cpu.append(1000 * (server.cpu_seconds() - server_cpu) / len(viewers))
    await asyncio.sleep(SETTLE_SECONDS)
    if not any(table.over.is_set() for table in tables):
        # Check that they can play on, not only that they are connected.
        await run_load(server, tables, PLAY_SECONDS)
