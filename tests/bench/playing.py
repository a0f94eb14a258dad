"""Tables under load: opening them at a server, and letting them play for a while."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.bench.dialects import Dialect
from tests.bench.load import ConcurrencyLimit, LoadFailed, LoadTable
from tests.bench.served import Served

SEATS = 4
AT_ONCE = 25
"""Tables that are opened, and spectators of a table that come, at the same time: a server must carry that easily."""

SETTLE_SECONDS = 0.6
"""Until everybody has been told who came: that is not what is measured."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a stretch of play gave and what it took. Times in seconds."""

    wall: float
    server_cpu: float
    load_cpu: float
    tally: ConcurrencyLimit

    @property
    def moves_per_second(self) -> float:
        return self.tally.moves / self.wall

    @property
    def deliveries_per_second(self) -> float:
        return self.tally.deliveries / self.wall

    @property
    def microseconds_per_delivery(self) -> float:
        return 1e6 * self.server_cpu / self.tally.deliveries

    @property
    def microseconds_per_move(self) -> float:
        return 1e6 * self.server_cpu / self.tally.moves

    @property
    def load_share(self) -> float:
        """The load generator's share of its core."""
        return self.load_cpu / self.wall


def raise_file_limit() -> None:
    """Let this process have as many connections as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def opened_tables(
    dialect: Dialect, tables: int, watchers: int, seats: int = SEATS, watched_by: Dialect | None = None
) -> list[LoadTable]:
    """Give so many tables at which a game has begun and everybody follows, spectators perhaps at another server."""
    await (watched_by or dialect).invite(watchers)
    opened = [LoadTable() for _ in range(tables)]
    for start in range(0, tables, AT_ONCE):
        await asyncio.gather(
            *(
                _open(dialect, table, watchers, seats, watched_by or dialect)
                for table in opened[start : start + AT_ONCE]
            )
        )
    await asyncio.sleep(SETTLE_SECONDS)
    return opened


async def _open(dialect: Dialect, table: LoadTable, watchers: int, seats: int, watched_by: Dialect) -> None:
    table.movers = [dialect.mover(table, seat) for seat in range(seats)]
    await dialect.found(table)
    for mover in table.movers:
        await dialect.enter(mover)
    table.watchers = [watched_by.watcher(table) for _ in range(watchers)]
    for start in range(0, watchers, AT_ONCE):
        await asyncio.gather(*map(watched_by.enter, table.watchers[start : start + AT_ONCE]))


async def played(
    server: Served, tables: Sequence[LoadTable], seconds: float, moves_per_second: float | None = None
) -> Played:
    """Let all tables play for a while, or until one game is over: as fast as they can, or so many moves together."""
    interval = None if moves_per_second is None else len(tables) / moves_per_second
    phases = random.Random(1)
    with _undisturbed():
        wall, server_cpu, load_cpu = time.perf_counter(), server.cpu_seconds(), time.process_time()
        for table in tables:
            table.play(interval, phases.uniform(0, interval or 0))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await _first_over(tables)
        for table in tables:
            table.stop()
        wall, server_cpu = time.perf_counter() - wall, server.cpu_seconds() - server_cpu
        load_cpu = time.process_time() - load_cpu
    tally = sum_of(tables)
    failure = next((table.failure for table in tables if table.failure), None)
    if failure or not tally.moves:
        raise LoadFailed(failure or "Nothing was delivered.")
    await asyncio.gather(*(table.finished() for table in tables))
    return Played(wall, server_cpu, load_cpu, tally)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Keep the collector of garbage out of what is timed."""
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


def sum_of(tables: Sequence[LoadTable]) -> ConcurrencyLimit:
    total = ConcurrencyLimit()
    for table in tables:
        total.deliveries += table.tally.deliveries
        total.to_all += table.tally.to_all
        total.to_answer += table.tally.to_answer
    return total
