"""Tables that move as people do: once in about five seconds each, independently of one another."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.bench.bench_server import BenchServer
from tests.bench.contestants import Contestant
from tests.bench.dialects import Dialect
from tests.bench.dialects.ours import OurMover
from tests.bench.load import LoadFailed, LoadTable
from tests.bench.measurement import percentile
from tests.bench.workload import LoadResult, measured_play, opened_tables

PAUSE_SECONDS = 5.0
"""The mean time between the moves of a table."""

SETTLE_SECONDS = 2.0
"""The time until a server has finished what opening or closing many tables left it to do."""


@dataclass(slots=True)
class Rounds:
    """The figures of one contestant in each round. Waits are in milliseconds, shares are of one core."""

    numbers: list[int] = field(default_factory=list)
    microseconds_per_move: list[float] = field(default_factory=list)
    p50: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    share: list[float] = field(default_factory=list)
    load_share: list[float] = field(default_factory=list)
    rest_share: list[float] = field(default_factory=list)
    """The server's share of its core while nothing happens."""

    kib_per_table: list[float] = field(default_factory=list)
    """The memory of a table with its four connections."""

    def add(self, number: int, play: LoadResult) -> None:
        self.numbers.append(number)
        self.microseconds_per_move.append(play.microseconds_per_move)
        self.p50.append(1000 * percentile(play.stats.to_all, 50))
        self.p99.append(1000 * percentile(play.stats.to_all, 99))
        self.share.append(play.server_share)
        self.load_share.append(play.load_share)


@dataclass(slots=True)
class Entrant:
    """A contestant with its running server and open tables."""

    server: BenchServer
    dialect: Dialect
    tables: list[LoadTable] = field(default_factory=list)

    async def resize(self, tables: int) -> None:
        """Open or close tables until there are so many."""
        for table in self.tables[tables:]:
            table.close()
        del self.tables[tables:]
        self.tables += await opened_tables(self.dialect, tables - len(self.tables), watchers=0)
        await asyncio.sleep(SETTLE_SECONDS)

    async def warm_up(self, seconds: float, times: float = 1.0) -> None:
        """Play so that the first moves and their costs do not count; there may be none."""
        with contextlib.suppress(LoadFailed):
            await self.play(seconds, times)

    async def play(self, seconds: float, times: float = 1.0) -> LoadResult:
        """Let every table move at the human pace, or so many times as fast; a game that is over makes no more moves."""
        pause, rng = PAUSE_SECONDS / times, random.Random(1)

        def start() -> None:
            for table in self.tables:
                table.play(uneven(pause, rng), rng.uniform(0, pause))

        return await measured_play(self.server, self.tables, start, lambda: asyncio.sleep(seconds))


@contextlib.asynccontextmanager
async def entered(contestant: Contestant, cores: set[int]) -> AsyncIterator[Entrant]:
    """Start the server of a contestant; it may raise `PeerMissing` or `ServerMissing`."""
    with contestant.start(cores) as server:
        entrant = Entrant(server, contestant.dialect(server.port))
        try:
            yield entrant
        finally:
            for table in entrant.tables:
                table.close()


def uneven(mean: float, rng: random.Random) -> Callable[[], float]:
    """Return a function that returns pauses of half to one and a half times the mean."""
    return lambda: rng.uniform(0.5, 1.5) * mean


@contextlib.contextmanager
def page_pings(entrants: Sequence[Entrant], seconds: tuple[float, float] | None) -> Iterator[None]:
    """Let each connection send a ping again and again, after so many seconds (least, most), as an open page does."""
    timers: dict[OurMover, asyncio.TimerHandle] = {}
    loop, rng = asyncio.get_running_loop(), random.Random(2)

    def ping(mover: OurMover) -> None:
        if seconds is not None:
            mover.ask(lambda answer: None, "ping")
            timers[mover] = loop.call_later(rng.uniform(*seconds), ping, mover)

    if seconds is not None:
        movers = [mover for entrant in entrants for table in entrant.tables for mover in table.movers]
        for mover in (mover for mover in movers if isinstance(mover, OurMover)):
            timers[mover] = loop.call_later(rng.uniform(0, seconds[1]), ping, mover)
    try:
        yield
    finally:
        for timer in timers.values():
            timer.cancel()


async def share_at_rest(servers: Sequence[BenchServer], seconds: float) -> list[float]:
    """Return the share of a core that each server takes while nothing happens, all at the same time."""
    wall, spent = time.perf_counter(), [server.cpu_seconds() for server in servers]
    await asyncio.sleep(seconds)
    wall = time.perf_counter() - wall
    return [(server.cpu_seconds() - before) / wall for server, before in zip(servers, spent, strict=True)]
