"""Wall clocks are stepped back and forth under play: no clock of a table jumps, and no order changes.

The number of steps comes from the environment variable CLOCK_STEPS: a few in the normal tests, more with `make cuts`.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import pytest

from server.store.api import TableStore
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from server.tables.entries import read_dated
from tests.faults.clock_steps import DAY, HOUR, SteppedClock, TimedGame, step_during
from tests.faults.kills import free_port
from tests.faults.observers import read_history
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, wait_until
from tests.store.redis_server import RedisServer

GAME = "builders"
STEPS = int(os.environ.get("CLOCK_STEPS", "6"))
long_run = pytest.mark.skipif(STEPS < 20, reason="only with `make cuts`; tests/tables and tests/store have short ones")
SEED = 18

CLOCKS = ({"kind": "decision", "seconds": 3_000}, {"kind": "bank", "seconds": 2_000, "increment": 0})
"""Shorter than a step of a clock, and much longer than the test."""


@pytest.fixture
def clock(tmp_path: Path) -> SteppedClock:
    return SteppedClock(tmp_path / "clock")


async def begin(stack: AsyncExitStack, http: str, seed: int) -> list[TimedGame]:
    return [await TimedGame.begin(stack, http, GAME, seed, clock=settings) for settings in CLOCKS]


async def check_log(store: TableStore, game: TimedGame) -> int:
    """Assert that the log of a game is in order, without rollback; return how often it was claimed."""
    table = game.watched[0].table
    await read_history(store, table)
    entries = await store.read(table, 0, 1_000_000)
    dated = [read_dated(entry.payload, GAME if entry.seq > 1 else None) for entry in entries]
    times = [at for at, _ in dated]
    assert times == sorted(times), "the order of times is not that of the log"
    names = [event.name for _, events in dated for event in events]
    assert not {"went_back", "time_ran_out"} & {*names, *game.events()}
    return len({entry.fence for entry in entries[1:]})


async def test_steps_of_the_servers_clock_move_no_clock_of_a_table(tmp_path: Path, clock: SteppedClock) -> None:
    arguments = (*UNLIMITED, f"--port={free_port()}")
    server = ServerProcess(tmp_path, *arguments, environment=clock.environment())
    played: list[TimedGame] = []
    try:
        made = 0
        for seed in count(SEED):
            async with asyncio.timeout(120), AsyncExitStack() as stack:
                games = await begin(stack, server.http, seed)
                played += games
                made += await step_during(games, [clock], (STEPS - made) // 2, seed)
                # After a restart the clock is another one than that of the entries in the log.
                server.tell(signal.SIGKILL)
                server.end()
                for game in games:
                    game.forget_times()
                clock.step_to(-DAY)
                server = await asyncio.to_thread(ServerProcess, tmp_path, *arguments, environment=clock.environment())
                made += await step_during(games, [clock], STEPS - made, seed + 1_000)
            if made >= STEPS:
                break
    finally:
        server.end()
    store = await SqliteStore.open(tmp_path / "tables.db")
    for game in played:
        await check_log(store, game)
    await store.close()
    print(f"{made} steps of the server's clock, {len(played)} games")  # noqa: T201 - output of the long run


@long_run
async def test_time_runs_out_although_the_clock_was_set_back(tmp_path: Path, clock: SteppedClock) -> None:
    server = ServerProcess(tmp_path, *UNLIMITED, environment=clock.environment())
    try:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            settings = {"kind": "decision", "seconds": 5}
            game = await TimedGame.begin(stack, server.http, GAME, SEED, clock=settings)
            clock.step_to(-HOUR)
            number = game.number
            await wait_until(game.watched[0], lambda view: view["play"]["decision"]["number"] > number)
    finally:
        server.end()
    assert "time_ran_out" in game.events()


@pytest.fixture
def redis_clock(tmp_path: Path) -> SteppedClock:
    return SteppedClock(tmp_path / "redis-clock")


@pytest.fixture
def redis(redis_clock: SteppedClock) -> Iterator[RedisServer]:
    server = RedisServer(environment=redis_clock.environment())
    server.start()
    yield server
    server.remove()


def two_workers(folder: Path, redis: RedisServer, clock: SteppedClock) -> list[ServerProcess]:
    workers = []
    for name in ("first", "second"):
        (folder / name).mkdir()
        workers.append(ServerProcess(folder / name, *UNLIMITED, "--redis", redis.url, environment=clock.environment()))
    return workers


@long_run
async def test_steps_of_the_clocks_of_redis_and_workers_lose_nothing(
    tmp_path: Path, clock: SteppedClock, redis_clock: SteppedClock, redis: RedisServer
) -> None:
    workers = two_workers(tmp_path, redis, clock)
    try:
        made, played = 0, []
        for seed in count(SEED):
            async with asyncio.timeout(120), AsyncExitStack() as stack:
                games = [game for worker in workers for game in await begin(stack, worker.http, seed)]
                made += await step_during(games, [redis_clock, clock], STEPS - made, seed)
                played += games
            if made >= STEPS:
                break
    finally:
        for worker in workers:
            worker.end()
    store = RedisStore.at(redis.url)
    owners = [await check_log(store, game) for game in played]
    await store.close()
    print(f"{made} steps of the clocks of Redis and two workers: {owners} owners of {len(played)} games")  # noqa: T201
    # A step of Redis' clock may end leases early; each lets at most one other worker take over.
    assert max(owners) <= 1 + made


@long_run
async def test_the_tables_of_a_killed_worker_are_taken_over_although_the_clock_of_redis_was_set_back(
    tmp_path: Path, clock: SteppedClock, redis_clock: SteppedClock, redis: RedisServer
) -> None:
    first, second = two_workers(tmp_path, redis, clock)
    try:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            game = await TimedGame.begin(stack, first.http, GAME, SEED)
            others = await TimedGame.begin(stack, second.http, GAME, SEED)
            redis_clock.step_to(-HOUR)
            # Before it can renew its leases.
            first.tell(signal.SIGKILL)
            found = await others._people[0].watch(game.watched[0].table)
            assert found.view["table"]["phase"] == "running"
    finally:
        first.end()
        second.end()
