"""The workload: open tables at a server, and let them play for a while."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import resource
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.bench.bench_server import BenchServer
from tests.bench.dialects import Dialect
from tests.bench.load import LoadFailed, LoadStats, LoadTable

SEATS = 4
MAX_CONCURRENT = 25
"""Tables that are opened, and spectators that join, at the same time: few enough for any server."""

SETTLE_SECONDS = 0.6
"""The time until the presence messages of all newcomers are sent; they are not part of the measurement."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The result and the cost of a run. Times in seconds."""

    wall: float
    server_cpu: float
    load_cpu: float
    stats: LoadStats

    @property
    def moves_per_second(self) -> float:
        return self.stats.moves / self.wall

    @property
    def deliveries_per_second(self) -> float:
        return self.stats.deliveries / self.wall

    @property
    def microseconds_per_delivery(self) -> float:
        return 1e6 * self.server_cpu / self.stats.deliveries

    @property
    def microseconds_per_move(self) -> float:
        return 1e6 * self.server_cpu / self.stats.moves

    @property
    def server_share(self) -> float:
        """Return the server's share of its core."""
        return self.server_cpu / self.wall

    @property
    def load_share(self) -> float:
        """Return the load generator's share of its core."""
        return self.load_cpu / self.wall


def raise_file_limit() -> None:
    """Raise the limit of open files to the maximum that the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def opened_tables(
    dialect: Dialect, tables: int, watchers: int, seats: int = SEATS, watched_by: Dialect | None = None
) -> list[LoadTable]:
    """Return tables with a running game and all viewers joined, the spectators perhaps at another server."""
    await (watched_by or dialect).prepare_spectators(watchers)
    opened = [LoadTable() for _ in range(tables)]
    for start in range(0, tables, MAX_CONCURRENT):
        await asyncio.gather(
            *(
                _open(dialect, table, watchers, seats, watched_by or dialect)
                for table in opened[start : start + MAX_CONCURRENT]
            )
        )
    await asyncio.sleep(SETTLE_SECONDS)
    return opened


async def _open(dialect: Dialect, table: LoadTable, watchers: int, seats: int, watched_by: Dialect) -> None:
    table.movers = [dialect.mover(table, seat) for seat in range(seats)]
    await dialect.create_table(table)
    for mover in table.movers:
        await dialect.join(mover)
    table.watchers = [watched_by.watcher(table) for _ in range(watchers)]
    for start in range(0, watchers, MAX_CONCURRENT):
        await asyncio.gather(*map(watched_by.join, table.watchers[start : start + MAX_CONCURRENT]))


async def run_load(
    server: BenchServer, tables: Sequence[LoadTable], seconds: float, moves_per_second: float | None = None
) -> LoadResult:
    """Let all tables play for some seconds, or until one game is over: at full speed, or at a total rate of moves."""
    interval = 0.0 if moves_per_second is None else len(tables) / moves_per_second
    pause = None if moves_per_second is None else lambda: interval
    phases = random.Random(1)

    def start() -> None:
        for table in tables:
            table.play(pause, phases.uniform(0, interval))

    async def until_over() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await _first_over(tables)

    return await measured_play(server, tables, start, until_over)


async def measured_play(
    server: BenchServer,
    tables: Sequence[LoadTable],
    start: Callable[[], None],
    until: Callable[[], Coroutine[Any, Any, None]],
) -> LoadResult:
    """Let `start` start all tables, stop them after `until`, and return what they did and what it cost."""
    with _without_garbage_collection():
        wall, server_cpu, load_cpu = time.perf_counter(), server.cpu_seconds(), time.process_time()
        start()
        await until()
        for table in tables:
            table.stop()
        wall, server_cpu = time.perf_counter() - wall, server.cpu_seconds() - server_cpu
        load_cpu = time.process_time() - load_cpu
    stats = total_stats(tables)
    failure = next((table.failure for table in tables if table.failure), None)
    if failure or not stats.moves:
        raise LoadFailed(failure or "No update was delivered.")
    await asyncio.gather(*(table.finished() for table in tables))
    return LoadResult(wall, server_cpu, load_cpu, stats)


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disable garbage collection while times are measured."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


async def _first_over(tables: Sequence[LoadTable]) -> None:
    overs = [asyncio.ensure_future(table.over.wait()) for table in tables]
    try:
        await asyncio.wait(overs, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for over in overs:
            over.cancel()


def total_stats(tables: Sequence[LoadTable]) -> LoadStats:
    total = LoadStats()
    for table in tables:
        total.deliveries += table.stats.deliveries
        total.to_all += table.stats.to_all
        total.to_answer += table.stats.to_answer
    return total
