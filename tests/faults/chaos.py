"""Chaos testing: several real workers and a real Redis, with random faults while people play."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from protocol.client import Client
from server.store.redis import RedisStore
from server.tables.state import TableState
from tests.faults.faulty_proxy import FaultyProxy
from tests.faults.kills import Report, counted_play, free_port
from tests.faults.observers import Observer, check_observer, read_history
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, choose_by_number, guest_token, open_table, socket_url, until_over
from tests.store.redis_server import RedisServer

GAMES = (("investors", 3), ("planners", 3), ("builders", 3))


@dataclass
class ChaosReport(Report):
    """The statistics of a run with faults."""

    faults: Counter[str] = field(default_factory=Counter)


class WorkerProcesses:
    """The workers of a run, each on its own port, all on one Redis behind a faulty proxy."""

    def __init__(self, folder: Path, workers: int, rng: random.Random, report: ChaosReport) -> None:
        self.folder = folder
        self.redis = RedisServer()
        self.proxy = FaultyProxy(self.redis.folder / "redis.sock", folder / "proxy.sock")
        self.rng = rng
        self.report = report
        self._arguments = [(*UNLIMITED, f"--port={free_port()}", f"--redis={self.proxy.url}") for _ in range(workers)]
        self.workers: list[ServerProcess] = []

    async def start(self) -> None:
        self.redis.start()
        await self.proxy.open()
        for place in range(len(self._arguments)):
            self.workers.append(await self._worker(place))

    async def stop_all(self) -> None:
        for worker in self.workers:
            worker.end()
        await self.proxy.close()
        self.redis.remove()

    def some_url(self) -> str:
        """Return the address of any worker, alive or not, as a load balancer would."""
        return socket_url(self.rng.choice(self.workers).http)

    async def new_guest(self) -> str:
        """Return the token of a new guest; retry while the server is unavailable."""
        while True:
            try:
                return await asyncio.to_thread(guest_token, self.workers[-1].http)
            except httpx.HTTPStatusError as refused:
                if refused.response.status_code != 503:
                    raise

    async def one_fault(self) -> None:
        """Inject a random fault, and wait until it is over."""
        fault = self.rng.choice(
            (self.kill, self.kill, self.stop, self.freeze, self.kill_redis, self.cut, self.refuse, self.slow)
        )
        self.report.faults[fault.__name__] += 1
        await fault()

    async def kill(self) -> None:
        await self._replace(signal.SIGKILL)

    async def stop(self) -> None:
        await self._replace(signal.SIGTERM)

    async def freeze(self) -> None:
        worker = self.rng.choice(self.workers)
        worker.tell(signal.SIGSTOP)
        await asyncio.sleep(self.rng.uniform(0.5, 6))
        worker.tell(signal.SIGCONT)

    async def kill_redis(self) -> None:
        self.redis.kill()
        await asyncio.sleep(self.rng.uniform(0, 2))
        await asyncio.to_thread(self.redis.start)

    async def cut(self) -> None:
        self.proxy.cut()

    async def refuse(self) -> None:
        self.proxy.is_closed = True
        self.proxy.cut()
        await asyncio.sleep(self.rng.uniform(0.5, 3))
        self.proxy.is_closed = False

    async def slow(self) -> None:
        self.proxy.delay_seconds = self.rng.uniform(0.02, 0.3)
        await asyncio.sleep(self.rng.uniform(0.5, 2))
        self.proxy.delay_seconds = 0.0

    async def _replace(self, sign: signal.Signals) -> None:
        place = self.rng.randrange(len(self.workers))
        self.workers[place].tell(sign)
        await asyncio.to_thread(self.workers[place].exit_code)
        self.workers[place].end()
        self.workers[place] = await self._worker(place)
        self.report.kills += 1

    async def _worker(self, place: int) -> ServerProcess:
        return await asyncio.to_thread(ServerProcess, self.folder, *self._arguments[place])


async def play_through_chaos(
    folder: Path, workers: int, tables: int, faults: int, seed: int
) -> tuple[ChaosReport, list[tuple[TableState, int]]]:
    """Play games during faults of workers and Redis; return the statistics and the tables.

    Assert that all requests were answered, and that all frames agree with the logs.
    """
    report = ChaosReport()
    cluster = WorkerProcesses(folder, workers, random.Random(seed), report)
    try:
        await cluster.start()
        async with AsyncExitStack() as stack:

            async def people(count: int) -> list[Observer]:
                tokens = [await cluster.new_guest() for _ in range(count)]
                return [await stack.enter_async_context(Observer(cluster.some_url, token)) for token in tokens]

            groups = [await people(3) for _ in range(tables)]
            ids = [
                await open_table([*group], *GAMES[number % len(GAMES)], absence_seconds=None)
                for number, group in enumerate(groups)
            ]
            watchers = await people(2)
            watch_tasks = [asyncio.create_task(_watch(watcher, ids)) for watcher in watchers]
            games = [
                asyncio.create_task(counted_play(client, table, choose_by_number(number), report))
                for number, (group, table) in enumerate(zip(groups, ids, strict=True))
                for client in group
            ]
            while report.faults.total() < faults and not all(game.done() for game in games):
                await asyncio.sleep(cluster.rng.uniform(0.1, 1.0))
                await cluster.one_fault()
            await asyncio.gather(*games, *watch_tasks)
            everybody = [*watchers, *(client for group in groups for client in group)]
            report.reconnects = sum(client.reconnects for client in everybody)
            for client in everybody:
                await client.all_answered()
        store = RedisStore.at(cluster.redis.url)
        try:
            histories = {table: await read_history(store, table) for table in ids}
            for client in everybody:
                await check_observer(client, histories, store)
        finally:
            await store.close()
        return report, [(expected.state, expected.steps) for expected in histories.values()]
    finally:
        await cluster.stop_all()


async def _watch(watcher: Client, tables: list[str]) -> None:
    """Watch all tables until they are over."""
    for table in tables:
        watched = await watcher.watch(table)
        await until_over(watched)


async def failover_seconds(folder: Path, sign: signal.Signals, times: int) -> list[float]:
    """Return the failover times of a table when its owner ends: the longest latency of a request.

    Requests are sent until the owner has ended and one more was answered, since a terminating owner may still answer
    the first ones.
    """
    rng, report = random.Random(1), ChaosReport()
    cluster = WorkerProcesses(folder, 2, rng, report)
    waits = []
    try:
        await cluster.start()
        async with AsyncExitStack() as stack:
            http = cluster.workers[1].http
            token = await cluster.new_guest()
            other = await stack.enter_async_context(
                Client(socket_url(http), await cluster.new_guest(), max_backoff_seconds=0.3)
            )
            for _ in range(times):
                # Open the table through the worker that will end, so that it is the owner; send requests to the other.
                first = cluster.workers[0].http
                async with Client(socket_url(first), token, max_backoff_seconds=0.3) as opener:
                    opened = await opener.request(
                        "create_table", settings={"game": "investors", "seats": 3, "absence_seconds": None}
                    )
                table = opened["table"]
                await other.request("take_seat", table=table, key=opened["key"])
                cluster.workers[0].tell(sign)
                longest, has_ended, is_ready = 0.0, False, False
                while not has_ended:
                    has_ended, is_ready = cluster.workers[0].process.poll() is not None, not is_ready
                    start = time.perf_counter()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(other.request("ready", table=table, ready=is_ready), 30)
                    longest = max(longest, time.perf_counter() - start)
                    await asyncio.sleep(0.02)
                waits.append(longest)
                cluster.workers[0].end()
                cluster.workers[0] = await cluster._worker(0)
    finally:
        await cluster.stop_all()
    return waits
