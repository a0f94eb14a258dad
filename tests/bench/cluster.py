"""The cost of Redis between processes: appends, moves, deliveries to another worker, memory, and a failover."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import redis

from server.store.api import Claimed
from server.store.redis import RedisStore
from tests.bench.bench_server import BenchServer, our_server, separate_cores
from tests.bench.contestants import GAME
from tests.bench.dialects.ours import OurDialect
from tests.bench.load import LoadTable
from tests.bench.measurement import Effort, Report
from tests.bench.workload import opened_tables, run_load
from tests.faults.chaos import failover_seconds
from tests.gateway.measure import processor_seconds
from tests.store.redis_server import RedisServer
from tests.store.speed import measure_store

TABLES, WATCHERS = 20, 16
MAX_ROUNDS = 3
MAX_TAKE_OVERS = 8
TWO_BY_ONE = "CPU of the workers per delivery, two workers by one"
ELSEWHERE_BY_HERE = "CPU of the workers per move, spectators elsewhere by one worker"


def run(effort: Effort) -> Report:
    report = Report("A Redis between processes", rows=[["", "figure", "to reach"]])
    with separate_cores() as (cores, sentence):
        report.notes.append(sentence)
        asyncio.run(_appends(report, effort))
        asyncio.run(_tables(report, effort, cores))
        asyncio.run(_workers(report, effort))
        asyncio.run(_take_overs(report, effort))
    return report


@contextmanager
def _redis(*settings: str) -> Iterator[RedisServer]:
    server = RedisServer(*settings)
    server.start()
    try:
        yield server
    finally:
        server.remove()


async def _appends(report: Report, effort: Effort) -> None:
    for policy in ("always", "everysec"):
        with _redis("--appendfsync", policy) as server:
            store = RedisStore.at(server.url)
            speed = await measure_store(store, 64, effort.seconds)
            await store.close()
        figure = speed.appends_per_second
        to_reach = "at least 2,000" if policy == "always" else ""
        report.add(f"appends per second, 64 at once, appendfsync {policy}", figure, f"{figure:,.0f}", to_reach)


@dataclass(slots=True)
class _Cost:
    """Processor microseconds and moves per second, by round."""

    moves: list[float]
    owner: list[float]
    other: list[float]
    redis: list[float]
    to_all: list[float]


async def _tables(report: Report, effort: Effort, cores: set[int]) -> None:
    """Play the same on a file, on Redis, and with all spectators at another worker, in interleaved rounds."""
    costs = {
        name: _Cost([], [], [], [], []) for name in ("one process, file", "one worker, Redis", "spectators elsewhere")
    }
    for number in range(min(effort.rounds, MAX_ROUNDS)):
        with our_server(cores) as server:
            await _measure(costs["one process, file"], effort, number, server)
        for name in ("one worker, Redis", "spectators elsewhere"):
            with _redis() as store, our_server(cores, arguments=(f"--redis={store.url}",)) as server:
                if name == "one worker, Redis":
                    opened = await _measure(costs[name], effort, number, server, None, store)
                    if number == 0:
                        await _memory(report, store, opened)
                else:
                    with our_server(cores, arguments=(f"--redis={store.url}",)) as other:
                        await asyncio.sleep(1)
                        await _measure(costs[name], effort, number, server, other, store)
    for name, cost in costs.items():
        title = f"{TABLES} tables, 4 players and {WATCHERS} spectators each, {name}"
        median = statistics.median(cost.moves)
        report.add(f"{title}: moves per second", median, f"{median:,.0f}")
        for part, spent in (("owner", cost.owner), ("other worker", cost.other), ("Redis", cost.redis)):
            if any(spent):
                median = statistics.median(spent)
                report.add(f"{title}: CPU per move, {part}", median, f"{median:,.0f} µs")
        report.add_times(f"{title}: from move to last viewer", cost.to_all)
    here, elsewhere = costs["one worker, Redis"], costs["spectators elsewhere"]
    both = [owner + other for owner, other in zip(elsewhere.owner, elsewhere.other, strict=True)]
    ratio = statistics.median(apart / alone for apart, alone in zip(both, here.owner, strict=True))
    report.add(ELSEWHERE_BY_HERE, ratio, f"{ratio:.2f}")


async def _measure(
    cost: _Cost,
    effort: Effort,
    seed: int,
    server: BenchServer,
    other: BenchServer | None = None,
    store: RedisServer | None = None,
) -> list[LoadTable]:
    watched_by = OurDialect((other or server).port, game=GAME)
    opened = await opened_tables(OurDialect(server.port, seed, game=GAME), TABLES, WATCHERS, watched_by=watched_by)
    before = (other.cpu_seconds() if other else 0.0, processor_seconds(store.pid) if store else 0.0)
    play = await run_load(server, opened, effort.seconds)
    after = (other.cpu_seconds() if other else 0.0, processor_seconds(store.pid) if store else 0.0)
    cost.moves.append(play.moves_per_second)
    cost.owner.append(play.microseconds_per_move)
    cost.other.append(1e6 * (after[0] - before[0]) / play.stats.moves)
    cost.redis.append(1e6 * (after[1] - before[1]) / play.stats.moves)
    cost.to_all += play.stats.to_all
    for table in opened:
        table.close()
    return opened


@dataclass(slots=True)
class _Shown:
    """The deliveries of a number of workers to spectators, and their cost, by round."""

    deliveries: list[float] = field(default_factory=list)
    cost: list[float] = field(default_factory=list)
    load: list[float] = field(default_factory=list)


async def _workers(report: Report, effort: Effort) -> None:
    """Compare one worker with two in interleaved rounds; Redis and the load share all cores with them."""
    cores = set(range(os.cpu_count() or 1))
    one, two = _Shown(), _Shown()
    for number in range(min(effort.rounds, MAX_ROUNDS)):
        for workers, shown in ((1, one), (2, two)):
            with _redis() as store:
                arguments = (f"--redis={store.url}", f"--workers={workers}")
                with our_server(cores, arguments=arguments) as server:
                    await _show(shown, effort, number, server)
    for workers, shown in (("one worker", one), ("two workers", two)):
        title = f"{TABLES} tables, {WATCHERS} spectators each, all cores for {workers}"
        median = statistics.median(shown.deliveries)
        report.add(f"{title}: deliveries per second", median, f"{median:,.0f}")
        median = statistics.median(shown.cost)
        report.add(f"{title}: CPU of the workers per delivery", median, f"{median:.1f} µs")
        median = statistics.median(shown.load)
        report.add(f"{title}: cores that the load took", median, f"{median:.2f} of {len(cores)}")
    ratio = statistics.median(both / alone for alone, both in zip(one.deliveries, two.deliveries, strict=True))
    report.add("deliveries of two workers against one", ratio, f"{ratio:.2f} times as many")
    ratio = statistics.median(both / alone for alone, both in zip(one.cost, two.cost, strict=True))
    report.add(TWO_BY_ONE, ratio, f"{ratio:.2f}", "at most 1.3")
    report.notes.append("Two workers can only show more than one where load and Redis leave them cores to do it with.")


async def _show(shown: _Shown, effort: Effort, seed: int, server: BenchServer) -> None:
    # The second worker may still be starting.
    await asyncio.sleep(2)
    opened = await opened_tables(OurDialect(server.port, seed, game=GAME), TABLES, WATCHERS)
    play = await run_load(server, opened, effort.seconds)
    shown.deliveries.append(play.deliveries_per_second)
    shown.cost.append(play.microseconds_per_delivery)
    shown.load.append(play.load_share)
    for table in opened:
        table.close()


async def _memory(report: Report, server: RedisServer, tables: list[LoadTable]) -> None:
    """Add the memory of a table in Redis, while it is played and when it is archived."""
    await asyncio.sleep(5)  # until the leases of the worker have expired; it does not renew those that it gave up
    store = RedisStore.at(server.url)
    with redis.Redis.from_url(server.url) as client:

        def size(table: str) -> int:
            return sum(int(client.memory_usage(key, samples=0) or 0) for key in client.scan_iter(f"sf:{{{table}}}:*"))

        sizes, entry_counts, archived = [], [], []
        for table in tables[:5]:
            end = await store.head(table.id)
            assert end is not None
            sizes.append(size(table.id))
            entry_counts.append(end.seq)
            client.hset(f"sf:{{{table.id}}}:table", "until", "0")
            claimed = await store.claim(table.id, "bench", 60)
            assert isinstance(claimed, Claimed)
            await store.archive(table.id, claimed.fence)
            archived.append(size(table.id))
    await store.close()
    per_record = sum(sizes) / sum(entry_counts)
    report.add("memory of Redis per record of a log, answer included", per_record, f"{per_record:,.0f} bytes")
    ratio = sum(sizes) / sum(archived)
    report.add("the same table archived", ratio, f"{ratio:.1f} times smaller")


async def _take_overs(report: Report, effort: Effort) -> None:
    for sign, to_reach in ((signal.SIGKILL, "p99 2 s"), (signal.SIGTERM, "1 s")):
        with tempfile.TemporaryDirectory() as folder:
            waits = await failover_seconds(Path(folder), sign, min(effort.rounds, MAX_TAKE_OVERS))
        most = max(waits)
        shown = f"{statistics.median(waits):.2f} s, at most {most:.2f} s"
        report.add(f"take-over after {sign.name}", most, shown, to_reach)
