"""Games that end while their servers are killed all the time; afterwards the index must be what the logs say.

A round begins with rated games that are nearly over, whose people have all resigned. A spectator watches some of them
at a time, so that bots play them to the end, while servers are killed at any moment and at the points around a commit
of the index. At the end every game must be in the index once, with the ratings of the fold over all of them.
"""

from __future__ import annotations

import asyncio
import random
import signal
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from protocol.client import Client, RequestRefused, socket_url
from tests.faults.fork_server import ForkServer
from tests.faults.kill_lanes import Servers, opened_store
from tests.faults.kill_points import INDEX_POINTS
from tests.faults.kill_schedule import MOMENT, Backend
from tests.history.indexes import contents, expected_of
from tests.history.logs import BEGIN, Log
from tests.scenarios.people import guest_token
from tests.store.redis_server import RedisServer

GAMES_PER_ROUND = 24
GAMES_PER_KILL = 4
"""A short run has fewer games."""

WATCHED = 6
"""Tables that are played at a time."""

WORKERS: dict[Backend, int] = {"file": 1, "redis": 2}
PEOPLE = ("ann", "bea", "cai", "dev", "eli")
POINTS = (*INDEX_POINTS, *INDEX_POINTS, "before append", "before reply")
POINT_SHARE = 0.6
POINT_SECONDS = 1.0
MAX_DELAY_SECONDS = 0.3
MAX_KILLS_WITHOUT_PROGRESS = 8
STANDSTILL_SECONDS = 120.0
BACKOFF_SECONDS = 0.05
WATCH_SECONDS = 3.0


@dataclass
class Report:
    """What a run has done."""

    kills: Counter[str] = field(default_factory=Counter)
    games: int = 0
    ended_between_kills: int = 0
    """Games that ended while servers were still being killed."""


def nearly_over(table: str, rng: random.Random) -> Log:
    """Return the log of a rated game that bots finish with a few decisions."""
    people, seed = rng.sample(PEOPLE, rng.randint(2, 3)), rng.randrange(1000)
    decisions = len(Log(table, "planners", people).start(seed).play(seed).entries) - 2
    log = Log(table, "planners", people, BEGIN, rated=True, hints="none")
    log.start(seed).play(seed, decisions - rng.randint(2, 12))
    for seat in range(len(people)):
        log.resign(seat)
    return log


async def run(backend: Backend, kills: int, seed: int) -> Report:
    """Play rounds until there were so many kills; raise `AssertionError` if an index is wrong."""
    report, rng, forks = Report(), random.Random(f"{backend}/{seed}"), ForkServer()
    try:
        while report.kills.total() < kills:
            with tempfile.TemporaryDirectory(prefix=f"index-kills-{backend}-") as folder:
                redis = RedisServer() if backend == "redis" else None
                if redis is not None:
                    await asyncio.to_thread(redis.start)
                try:
                    await _Round(backend, forks, Path(folder), redis, rng, report).play(kills)
                finally:
                    if redis is not None:
                        redis.remove()
    finally:
        forks.close()
    return report


class _Round:
    def __init__(
        self,
        backend: Backend,
        forks: ForkServer,
        folder: Path,
        redis: RedisServer | None,
        rng: random.Random,
        report: Report,
    ) -> None:
        self._forks = forks
        self._folder = folder
        self._redis = redis
        self._rng = rng
        self._report = report
        self._servers = Servers(forks, folder, redis, WORKERS[backend])
        self._over: set[str] = set()

    async def play(self, kills: int) -> None:
        tables = [f"t{number:04}" for number in range(min(GAMES_PER_ROUND, GAMES_PER_KILL * kills))]
        async with opened_store(self._folder, self._redis) as store:
            for table in tables:
                await nearly_over(table, self._rng).store_in(store)
        await self._servers.start_all()
        try:
            token = await asyncio.to_thread(guest_token, self._servers.addresses[0])

            def some_url() -> str:
                return socket_url(self._rng.choice(self._servers.addresses))

            async with Client(some_url(), token, max_backoff_seconds=BACKOFF_SECONDS) as client:
                watching = asyncio.create_task(self._watch(client, tables))
                await self._kill(watching, kills)
                async with asyncio.timeout(STANDSTILL_SECONDS):
                    await watching
                await self._until_indexed(client, len(tables))
            await self._stop()
        finally:
            await self._servers.kill_all()
        async with opened_store(self._folder, self._redis) as store:
            records, ratings = await contents(store.games)
            assert (records, ratings) == await expected_of(store), "the index does not follow from the logs"
            assert sorted(record.table for record in records) == tables
            assert ratings, "no game was rated"
            assert await store.games.unindexed(10) == []
        self._report.games += len(tables)

    async def _watch(self, client: Client, tables: list[str]) -> None:
        """Watch all tables, some at a time, until their games are over."""
        waiting = asyncio.Semaphore(WATCHED)

        async def watch(table: str) -> None:
            async with waiting:
                while not await self._is_over(client, table):
                    pass
                self._over.add(table)
                # Otherwise it would be watched again after each reconnect, and a connection watches 16 tables at most.
                client.tables.pop(table, None)
                with suppress(RequestRefused):
                    # A request that is sent again after a reconnect may find that nobody watches the table.
                    await client.request("unwatch", table=table)

        await asyncio.gather(*map(watch, tables))

    async def _is_over(self, client: Client, table: str) -> bool:
        """Watch a table until its game is over; return False if nothing happens, so that it must be watched again.

        A watch request may be refused while its table has no owner.
        """
        with suppress(RequestRefused, TimeoutError):
            async with asyncio.timeout(WATCH_SECONDS):
                watched = await client.watch(table)
            while watched.view["table"]["phase"] != "over":
                watched.changed.clear()
                await asyncio.wait_for(watched.changed.wait(), WATCH_SECONDS)
            return True
        return False

    async def _kill(self, games: asyncio.Task[None], kills: int) -> None:
        over, since, kills_since = -1, time.monotonic(), 0
        while self._report.kills.total() < kills and not games.done():
            before = len(self._over)
            await self._kill_once(games)
            kills_since += 1
            if kills_since >= MAX_KILLS_WITHOUT_PROGRESS:
                await self._until_progress(games)
            self._report.ended_between_kills += len(self._over) - before
            if len(self._over) > over:
                over, since, kills_since = len(self._over), time.monotonic(), 0
            assert time.monotonic() - since < STANDSTILL_SECONDS, "the games stand still"

    async def _until_progress(self, games: asyncio.Task[None]) -> None:
        """Wait until another game has ended: on a busy machine every server may be killed before it gets far."""
        over, end = len(self._over), time.monotonic() + STANDSTILL_SECONDS / 2
        while not games.done():
            if len(self._over) > over or time.monotonic() > end:
                return
            await asyncio.sleep(0.01)

    async def _kill_once(self, games: asyncio.Task[None]) -> None:
        worker = self._rng.randrange(len(self._servers.servers))
        server, kind = self._servers.servers[worker], MOMENT
        if self._rng.random() < POINT_SHARE:
            kind = self._rng.choice(POINTS)
            server.arm(kind, self._rng.randint(1, 3))
            ended = asyncio.ensure_future(server.until_ended())
            await asyncio.wait([ended, games], timeout=POINT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
        else:
            await asyncio.sleep(self._rng.uniform(0, MAX_DELAY_SECONDS))
        if server.is_running:
            kind = MOMENT
            server.tell(signal.SIGKILL)
            await server.until_ended()
        assert await self._forks.exit_code(server) == -signal.SIGKILL
        self._report.kills[kind] += 1
        await self._servers.start(worker)

    async def _until_indexed(self, client: Client, games: int) -> None:
        """Wait until the servers list all games. Those whose worker was killed are found by a sweep."""
        async with asyncio.timeout(STANDSTILL_SECONDS):
            while True:
                if len((await client.request("list_games", limit=100))["games"]) == games:
                    return
                await asyncio.sleep(0.1)

    async def _stop(self) -> None:
        """Stop all servers; one that is armed still may kill itself while it stops."""
        for server in self._servers.servers:
            server.tell(signal.SIGTERM)
        for server in self._servers.servers:
            assert await self._forks.exit_code(server) in (0, -signal.SIGTERM, -signal.SIGKILL)
