"""Lanes: each plays rounds of games on its own servers, which are killed all the time, and checks every round.

A lane with a file has one server; a lane with Redis has three workers and a Redis of its own. A killed server is
started again at once on the same port. Clients reconnect at once, in a lane with Redis to any worker.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from server.cli.arguments import BAD_INPUT
from server.store.api import TableStore
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from tests.faults.fork_server import Died, ForkedServer, ForkServer
from tests.faults.kill_games import TABLES, Rule, Tally, check_chat, check_game, open_game, play_by_rule
from tests.faults.kill_schedule import MOMENT, REDIS, START, Backend, Kill, schedule
from tests.faults.kills import free_port
from tests.faults.observers import Observer, check_observer, read_history
from tests.scenarios.people import UNLIMITED, guest_token, socket_url
from tests.store.redis_server import RedisServer

WORKERS: dict[Backend, int] = {"file": 1, "redis": 3}
BACKOFF_SECONDS = 0.05
THINK_SECONDS: dict[Backend, float] = {"file": 0.01, "redis": 0.1}
"""People think for so long, so that a game outlasts many kills."""

POINT_SECONDS = 1.0
"""A process that has not passed its point for so long is killed all the same, or in a lane with Redis stays armed."""

PROGRESS_SECONDS = 5.0
"""In a lane with Redis the next kill comes after a decision was accepted, or after this time."""

MAX_KILLS_WITHOUT_PROGRESS = 10
"""After so many kills in a lane with a file the next one waits likewise: on a busy machine a server may be slow."""

STANDSTILL_SECONDS = 60.0
"""Games that accept no decision for so long have failed."""

START_ATTEMPTS = 10
UNAVAILABLE = "sanfrancisco serve: "
"""The beginning of the sentence with which a worker ends that cannot start."""

EXPECTED_WARNINGS: dict[Backend, frozenset[str]] = {
    "file": frozenset(),
    "redis": frozenset(
        {"bus lost", "storage failed", "envelopes lost", "lists not read", "statuses not read", "store is new"}
    ),
}


@dataclass
class LaneReport:
    """The statistics of a lane so far."""

    backend: Backend
    lane: int
    kills: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def to_json(self) -> str:
        return json.dumps(vars(self))


class Lane:
    """The servers of a lane, and the games at them."""

    def __init__(
        self, backend: Backend, lane: int, seed: int, on_progress: Callable[[LaneReport], None] = lambda report: None
    ) -> None:
        self.report = LaneReport(backend, lane)
        self._backend = backend
        self._name = f"{seed}/{lane}"
        self._kills: Iterator[Kill] = schedule(backend, WORKERS[backend], self._name)
        self._rng = random.Random(f"connections/{self._name}")
        self._on_progress = on_progress
        self._forks = ForkServer()
        self._tallies: list[Tally] = []
        self._people: list[Observer] = []
        self._is_killing = False
        self._armed: dict[int, str] = {}
        """By worker: the point at which it will kill itself."""

    def close(self) -> None:
        self._forks.close()

    async def run(self, kills: int) -> LaneReport:
        """Play rounds until there were so many kills; a failed round is reported, and its files are kept."""
        for number in range(10_000):
            if self.report.kills.total() >= kills:
                break
            folder = Path(tempfile.mkdtemp(prefix=f"kills-{self._backend}-"))
            redis = RedisServer() if self._backend == "redis" else None
            try:
                if redis is not None:
                    await asyncio.to_thread(redis.start)
                await self._round(folder, redis, number, kills)
            except Exception:  # noqa: BLE001 - a failed round must not end a run of hours
                self.report.failures.append(f"round {number}, files in {folder}: {traceback.format_exc()}")
                self._keep_frames(folder)
                if redis is not None:
                    shutil.copytree(redis.folder, folder / "redis", ignore=shutil.ignore_patterns("*.sock"))
                # At once: the others may go on for an hour.
                print(self.report.failures[-1], file=sys.stderr, flush=True)  # noqa: T201
                if len(self.report.failures) >= 3:
                    break
            else:
                shutil.rmtree(folder)
            finally:
                if redis is not None:
                    redis.remove()
                self._on_progress(self.report)
        return self.report

    def _keep_frames(self, folder: Path) -> None:
        """Write down what the people of a failed round have received."""
        for number, person in enumerate(self._people):
            received = {
                "user": person.user,
                "acknowledged": person.acknowledged,
                "refusals": person.refusals,
                "frames": person.frames,
            }
            (folder / f"person-{number}.json").write_text(json.dumps(received, default=str, indent=1))

    # -- a round ----------------------------------------------------------------------------------------------

    async def _round(self, folder: Path, redis: RedisServer | None, number: int, kills: int) -> None:
        servers = Servers(self._forks, folder, redis, WORKERS[self._backend])
        self._armed.clear()
        try:
            await servers.start_all()
            async with AsyncExitStack() as stack:

                def some_url() -> str:
                    return socket_url(self._rng.choice(servers.addresses))

                async def person() -> Observer:
                    token = await asyncio.to_thread(guest_token, servers.addresses[0])
                    return await stack.enter_async_context(Observer(some_url, token, BACKOFF_SECONDS))

                groups = [[await person() for _ in range(people)] for _, people, _ in TABLES]
                people = self._people = [client for group in groups for client in group]
                ids = [
                    await open_game(group, game, **settings)
                    for group, (game, _, settings) in zip(groups, TABLES, strict=True)
                ]
                rules = [Rule(f"{self._name}/{number}/{game}") for game, _, _ in TABLES]
                self._tallies = [Tally() for _ in TABLES]
                async with playing(groups, ids, rules, self._tallies, self._think) as games:
                    self._is_killing = True
                    await self._kill(servers, games, kills)
                    self._is_killing = False
                    await self._finish(servers, games)
                for client in people:
                    await client.all_answered()
            await servers.stop_all(self._armed.keys())
            self._check_log(folder)
            async with opened_store(folder, redis) as store:
                histories = {table: await read_history(store, table) for table in ids}
                for client in people:
                    await check_observer(client, histories, store)
            for group, table, rule, tally in zip(groups, ids, rules, self._tallies, strict=True):
                check_game(histories[table], rule, tally)
                for client in group:
                    check_chat(client, table, tally)
            self.report.counts += Counter(
                games=len(ids),
                reconnects=sum(client.reconnects for client in people),
                decisions=sum(tally.decisions for tally in self._tallies),
                undos=sum(tally.undos for tally in self._tallies),
                lines=sum(len(tally.lines) for tally in self._tallies),
            )
        finally:
            await servers.kill_all()

    def _check_log(self, folder: Path) -> None:
        """Assert that no server logged an error, nor a warning that kills do not explain."""
        for text in (folder / "log.jsonl").read_text().splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                # A process was killed while it wrote, or could not start, or something else than the log was written.
                assert text.startswith(("{", UNAVAILABLE)), text
                continue
            if line["level"] != "info":
                self.report.warnings[line["event"]] += 1
                is_redis_away = self._backend == "redis" and (
                    line.get("error") == "StorageFailed"
                    # The periodic check of the durability found no Redis to ask.
                    or (line["event"] == "durability changed" and "unverified" in (line["was"], line["now"]))
                )
                is_expected = line["level"] == "warning" and line["event"] in EXPECTED_WARNINGS[self._backend]
                assert is_expected or is_redis_away, text

    async def _think(self) -> None:
        await asyncio.sleep(THINK_SECONDS[self._backend] if self._is_killing else 0)

    @property
    def _accepted(self) -> int:
        return sum(tally.decisions for tally in self._tallies)

    async def _finish(self, servers: Servers, games: asyncio.Future[Any]) -> None:
        """Wait until the games are over, with servers that are killed no more unless they are still armed."""
        accepted, since = self._accepted, time.monotonic()
        while not games.done():
            await self._restart_dead(servers)
            await asyncio.wait([games], timeout=0.1)
            if self._accepted > accepted:
                accepted, since = self._accepted, time.monotonic()
            assert time.monotonic() - since < STANDSTILL_SECONDS, "the games stand still"
        await games
        await self._restart_dead(servers)

    # -- kills ------------------------------------------------------------------------------------------------

    async def _kill(self, servers: Servers, games: asyncio.Future[Any], kills: int) -> None:
        accepted, since, kills_since = -1, time.monotonic(), 0
        while self.report.kills.total() < kills and not games.done():
            await self._kill_once(servers, games, next(self._kills))
            await self._restart_dead(servers)
            kills_since += 1
            if self._accepted > accepted:
                accepted, since, kills_since = self._accepted, time.monotonic(), 0
            assert time.monotonic() - since < STANDSTILL_SECONDS, "the games stand still"
            if self._backend == "redis" or kills_since >= MAX_KILLS_WITHOUT_PROGRESS:
                await self._until_progress(games, accepted)
            if not self.report.kills.total() % 10:
                self._on_progress(self.report)

    async def _kill_once(self, servers: Servers, games: asyncio.Future[Any], kill: Kill) -> None:
        server = servers.servers[kill.worker]
        if kill.kind == REDIS:
            await asyncio.sleep(kill.delay_seconds)
            servers.kill_redis()
            self.report.kills[REDIS] += 1
        elif kill.kind == MOMENT:
            await asyncio.sleep(kill.delay_seconds)
            await self._end(kill.worker, server, MOMENT)
        elif kill.kind == START:
            # One kill ends a running server, the other one its successor.
            await self._end(kill.worker, server, MOMENT)
            successor = await servers.fork(kill.worker)
            await asyncio.sleep(kill.delay_seconds)
            await self._end(kill.worker, successor, START)
        else:
            server.arm(kill.kind, kill.passing)
            self._armed[kill.worker] = kill.kind
            ended = asyncio.ensure_future(server.until_ended())
            await asyncio.wait([ended, games], timeout=POINT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
            if server.is_running and self._backend == "file" and not games.done():
                await self._end(kill.worker, server, MOMENT)

    async def _end(self, worker: int, server: ForkedServer, kind: str) -> None:
        """Kill a server; an armed one may have died at its point just before."""
        if server.is_running:
            server.tell(signal.SIGKILL)
            await server.until_ended()
            self.report.kills[kind] += 1
            self._armed.pop(worker, None)

    async def _restart_dead(self, servers: Servers) -> None:
        """Start every server again that is not running."""
        for worker, server in enumerate(servers.servers):
            if not server.is_running:
                code = await self._forks.exit_code(server)
                assert code == -signal.SIGKILL, f"a server ended by itself with {code}"
                if worker in self._armed:
                    self.report.kills[self._armed.pop(worker)] += 1
                await servers.start(worker)

    async def _until_progress(self, games: asyncio.Future[Any], accepted: int) -> None:
        end = time.monotonic() + PROGRESS_SECONDS
        while not games.done():
            if self._accepted > accepted or time.monotonic() > end:
                return
            await asyncio.sleep(0.01)


class Servers:
    """The server processes of a round, each on its own port."""

    def __init__(self, forks: ForkServer, folder: Path, redis: RedisServer | None, count: int) -> None:
        self._forks = forks
        self._folder = folder
        self._redis = redis
        self._ports = [free_port() for _ in range(count)]
        self.servers: list[ForkedServer] = []

    @property
    def addresses(self) -> list[str]:
        """Return the addresses of all servers, running or not."""
        return [f"http://127.0.0.1:{port}" for port in self._ports]

    async def start_all(self) -> None:
        for port in self._ports:
            self.servers.append(await self._forks.fork(self._arguments(port), self._folder / "log.jsonl"))
            await self.servers[-1].until_listening()

    async def fork(self, worker: int) -> ForkedServer:
        """Start a server in place of one that has ended, without waiting until it listens."""
        log = self._folder / "log.jsonl"
        server = self.servers[worker] = await self._forks.fork(self._arguments(self._ports[worker]), log)
        return server

    async def start(self, worker: int) -> None:
        """Start a server in place of one that has ended."""
        for _ in range(START_ATTEMPTS):
            server = await self.fork(worker)
            try:
                await server.until_listening()
                return
            except Died:
                code = await self._forks.exit_code(server)
                # A worker does not start while Redis does not answer, as after it was killed.
                is_redis_away = self._redis is not None and code == BAD_INPUT
                assert is_redis_away, f"a server did not start: exit code {code}"
        raise AssertionError("Redis does not answer any more")

    def kill_redis(self) -> None:
        """Kill Redis and start it again at once."""
        assert self._redis is not None
        self._redis.kill()
        self._redis.start()

    async def stop_all(self, armed: Collection[int]) -> None:
        """Stop all servers. An armed one may kill itself while it stops."""
        for server in self.servers:
            server.tell(signal.SIGTERM)
        for worker, server in enumerate(self.servers):
            code = await self._forks.exit_code(server)
            # A server that has just announced its address may not handle the signal yet.
            expected = (0, -signal.SIGTERM, -signal.SIGKILL) if worker in armed else (0, -signal.SIGTERM)
            assert code in expected, f"a server stopped with {code}"

    async def kill_all(self) -> None:
        for server in self.servers:
            server.tell(signal.SIGKILL)
            await server.until_ended()

    def _arguments(self, port: int) -> tuple[str, ...]:
        where = f"--database={self._folder}/tables.db" if self._redis is None else f"--redis={self._redis.url}"
        return (*UNLIMITED, "--web=nowhere", f"--port={port}", where)


@asynccontextmanager
async def playing(
    groups: list[list[Observer]],
    ids: list[str],
    rules: list[Rule],
    tallies: list[Tally],
    think: Callable[[], Awaitable[None]],
) -> AsyncIterator[asyncio.Future[Any]]:
    """Let all people play; yield the future of all games, which fails with the first game that fails."""
    tasks = [
        asyncio.create_task(play_by_rule(client, table, rule, tally, think))
        for group, table, rule, tally in zip(groups, ids, rules, tallies, strict=True)
        for client in group
    ]
    games = asyncio.gather(*tasks)
    try:
        yield games
    finally:
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await games


@asynccontextmanager
async def opened_store(folder: Path, redis: RedisServer | None) -> AsyncIterator[TableStore]:
    """Open the store in which the games are; a file only after its server has stopped."""
    if redis is not None:
        store: TableStore = RedisStore.at(redis.url)
    else:
        store = await SqliteStore.open(folder / "tables.db")
    try:
        yield store
    finally:
        await store.close()
