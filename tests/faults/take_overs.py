"""Measures take-overs: `python -m tests.faults.take_overs [--times 200] [--alarms 60] [--burners 2] [--freeze 1.5]`.

The owner of a table is killed with SIGKILL. Measured is the time until the next request of a person is accepted: (a) of
a person on another worker, (b) of a person on the killed worker, who reconnects to another one at once. Then, with
`--alarms`, nobody is killed for so many seconds while burners load all cores and workers are frozen for a moment; every
table that changes its owner then, and every living worker that others dropped, is a false alarm.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import signal
import tempfile
import time
from contextlib import AsyncExitStack
from math import ceil
from pathlib import Path
from typing import NamedTuple

import redis.asyncio

from protocol.client import Client
from tests.faults.fork_server import ForkedServer, ForkServer
from tests.faults.kills import free_port
from tests.faults.observers import Observer
from tests.scenarios.people import UNLIMITED, guest_token, socket_url
from tests.store.redis_server import RedisServer

CLUSTERS = 4
"""Clusters that are measured at the same time: most of the time they only wait."""

BACKOFF_SECONDS = 0.05
TABLES = 10
SETTINGS = {"game": "investors", "seats": 3, "absence_seconds": None, "bots": False}


class Cluster:
    """Two workers on one Redis, forked from a template."""

    def __init__(self, forks: ForkServer, folder: Path, workers: int = 2) -> None:
        self.log = folder / "log.jsonl"
        self.redis = RedisServer()
        self._forks = forks
        self._ports = [free_port() for _ in range(workers)]
        self.workers: list[ForkedServer] = []

    async def start(self) -> None:
        await asyncio.to_thread(self.redis.start)
        for port in self._ports:
            self.workers.append(await self._fork(port))

    async def restart(self, worker: int) -> None:
        self.workers[worker] = await self._fork(self._ports[worker])

    async def close(self) -> None:
        for worker in self.workers:
            worker.tell(signal.SIGKILL)
            await worker.until_ended()
        self.redis.remove()

    async def guest(self, worker: int) -> str:
        return await asyncio.to_thread(guest_token, self.workers[worker].http)

    def url(self, worker: int) -> str:
        return socket_url(f"http://127.0.0.1:{self._ports[worker]}")

    async def _fork(self, port: int) -> ForkedServer:
        arguments = (*UNLIMITED, "--web=nowhere", f"--port={port}", f"--redis={self.redis.url}")
        server = await self._forks.fork(arguments, self.log)
        await server.until_listening()
        return server


class FalseAlarms(NamedTuple):
    """How often something happened to workers that were alive."""

    tables: int
    """Tables that changed their owner."""

    dropped: int
    """Workers that another one gave no more requests, because their heartbeats were missing."""

    dead: int
    """Workers that another one took for dead."""

    freezes: int


class Moving:
    """The worker that a person connects to."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.worker = 0

    def __call__(self) -> str:
        return self._cluster.url(self.worker)


async def measure(forks: ForkServer, times: int, seed: int) -> tuple[list[float], list[float]]:
    """Return the seconds from SIGKILL to the next accepted request, of people on another worker and on the killed."""
    others, moved = [], []
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(forks, Path(folder))
        try:
            await cluster.start()
            async with AsyncExitStack() as stack:
                other = await stack.enter_async_context(
                    Client(cluster.url(1), await cluster.guest(1), max_backoff_seconds=BACKOFF_SECONDS)
                )
                token = await cluster.guest(0)
                for _ in range(times):
                    where = Moving(cluster)
                    async with Observer(where, token, BACKOFF_SECONDS) as host:
                        # The worker through which a table is opened owns it.
                        opened = await host.request("create_table", settings=SETTINGS)
                        table = opened["table"]
                        await other.request("take_seat", table=table, key=opened["key"], seat=1)
                        await asyncio.sleep(rng.uniform(1.0, 2.0))
                        cluster.workers[0].tell(signal.SIGKILL)
                        where.worker = 1
                        killed_at = time.monotonic()

                        async def seconds(request: asyncio.Task[object], since: float = killed_at) -> float:
                            await asyncio.wait_for(request, 30)
                            return time.monotonic() - since

                        asked = asyncio.create_task(other.request("ready", table=table, ready=True))
                        came_back = asyncio.create_task(host.request("take_seat", table=table, seat=2))
                        both = await asyncio.gather(seconds(asked), seconds(came_back))
                        others.append(both[0])
                        moved.append(both[1])
                    await cluster.workers[0].until_ended()
                    await cluster.restart(0)
        finally:
            await cluster.close()
    return others, moved


async def count_false_alarms(forks: ForkServer, seconds: float, burners: int, freeze_seconds: float) -> FalseAlarms:
    """Count the false alarms while nobody is killed."""
    burning = [multiprocessing.get_context("spawn").Process(target=_burn, daemon=True) for _ in range(burners)]
    frozen = 0
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(forks, Path(folder), 3)
        try:
            await cluster.start()
            async with AsyncExitStack() as stack:
                people = [
                    await stack.enter_async_context(Client(cluster.url(worker), await cluster.guest(worker)))
                    for worker in range(3)
                ]
                tables = []
                for number in range(TABLES):
                    opened = await people[number % 3].request("create_table", settings=SETTINGS)
                    for person in people:
                        if person is not people[number % 3]:
                            await person.request("take_seat", table=opened["table"], key=opened["key"])
                        # A table that nobody watches would be unloaded, and then change its owner.
                        await person.watch(opened["table"])
                    tables.append(opened["table"])
                before = await epochs(cluster, tables)
                for burner in burning:
                    burner.start()
                asking = [asyncio.create_task(_ask(person, tables)) for person in people]
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    await asyncio.sleep(1)
                    if freeze_seconds:
                        worker = cluster.workers[frozen % 3]
                        worker.tell(signal.SIGSTOP)
                        await asyncio.sleep(freeze_seconds)
                        worker.tell(signal.SIGCONT)
                        frozen += 1
                for task in asking:
                    task.cancel()
                await asyncio.gather(*asking, return_exceptions=True)
                after = await epochs(cluster, tables)
        finally:
            for burner in burning:
                if burner.is_alive():
                    burner.kill()
            await cluster.close()
        lines = [json.loads(line)["event"] for line in cluster.log.read_text().splitlines()]
    return FalseAlarms(
        tables=sum(after[table] - before[table] for table in tables),
        dropped=lines.count("worker left"),
        dead=lines.count("worker was not dead"),
        freezes=frozen,
    )


async def _ask(person: Client, tables: list[str]) -> None:
    is_ready = False
    while True:
        is_ready = not is_ready
        for table in tables:
            await asyncio.gather(person.request("ready", table=table, ready=is_ready), return_exceptions=True)
        await asyncio.sleep(0.02)


async def epochs(cluster: Cluster, tables: list[str]) -> dict[str, int]:
    """Return how often each table was claimed."""
    async with redis.asyncio.Redis.from_url(cluster.redis.url) as client:
        return {table: int(await client.hget(f"sf:{{{table}}}:table", "epoch")) for table in tables}  # type: ignore[misc,arg-type]


def _burn() -> None:
    while True:
        sum(range(10_000))


def summary(waits: list[float]) -> str:
    """Return the percentiles of a measurement as one sentence."""
    ranked = sorted(waits)
    p50, p99 = (ranked[ceil(share * len(ranked)) - 1] for share in (0.5, 0.99))
    return f"p50 {p50:.2f} s, p99 {p99:.2f} s, at most {ranked[-1]:.2f} s of {len(ranked)}"


async def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(description="Measure take-overs after SIGKILL, and false alarms.")
    parser.add_argument("--times", type=int, default=200, help="take-overs to measure")
    parser.add_argument("--alarms", type=float, default=0.0, help="seconds in which false alarms are counted")
    parser.add_argument("--burners", type=int, default=2, help="processes that load the cores meanwhile")
    parser.add_argument("--freeze", type=float, default=0.0, help="seconds for which workers are frozen meanwhile")
    args = parser.parse_args()
    forks = ForkServer()
    try:
        if args.times:
            share = ceil(args.times / CLUSTERS)
            measured = await asyncio.gather(*(measure(forks, share, seed) for seed in range(CLUSTERS)))
            for who, place in (("person on another worker", 0), ("person on the killed worker", 1)):
                _show(
                    f"take-over after SIGKILL, {who}: {summary([wait for waits in measured for wait in waits[place]])}"
                )
        if args.alarms:
            alarms = await count_false_alarms(forks, args.alarms, args.burners, args.freeze)
            _show(
                f"false alarms in {args.alarms:g} s with {args.burners} burners, three workers and {TABLES} tables, "
                f"{alarms.freezes} freezes of {args.freeze:g} s: {alarms.tables} tables taken from living workers, "
                f"which were dropped {alarms.dropped} times and taken for dead {alarms.dead} times"
            )
    finally:
        forks.close()


def _show(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - the result of the command


if __name__ == "__main__":
    asyncio.run(main())
