"""Rate limits that are kept elsewhere: one contract for all sources, and what each does when its place fails."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from typing import Any, Protocol, cast

import pytest
import redis

from server.rate_limit import FREE, Limiter, LimiterSource, LocalLimits, Rate
from server.redis_pipeline import Pipeline, Script, pipeline_from_url
from server.store import redis_limits
from server.store.api import StorageFailed
from server.store.memory import MemoryKeyValueStore
from server.store.redis_limits import LimitsUnavailable, RedisLimits
from server.store.sqlite import SqliteStore
from server.store.stored_limits import KIND, MAX_SAVED, StoredLimits
from tests.store.backends import Clock, shared_cluster, shared_server
from tests.store.redis_server import RedisServer

RATE = Rate(1, 10, burst=3)


class Place(Protocol):
    """Where limits are kept, for tests."""

    clock: Clock

    async def open(self) -> LimiterSource:
        """Return a source, like a process that starts."""
        ...

    async def close(self) -> None: ...


class LocalPlace:
    def __init__(self) -> None:
        self.clock = Clock()
        self.source = LocalLimits(self.clock)

    async def open(self) -> LimiterSource:
        return self.source

    async def close(self) -> None:
        pass


class StoredPlace:
    """One process at a time: opening a source ends the one before."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.key_values = MemoryKeyValueStore(self.clock)
        self.source: StoredLimits | None = None

    async def open(self) -> LimiterSource:
        await self.close()
        self.source = await StoredLimits.open(self.key_values, self.clock, self.clock)
        return self.source

    async def close(self) -> None:
        if self.source is not None:
            await self.source.close()


class RedisPlace:
    def __init__(self, url: str) -> None:
        self.clock = Clock()
        self._url = url
        self._sources: list[RedisLimits] = []
        self._prefix = f"{os.urandom(4).hex()}:"

    async def open(self) -> RedisLimits:
        pipeline = pipeline_from_url(self._url, LimitsUnavailable)
        self._sources.append(RedisLimits(pipeline, self._prefix, self.clock, self.clock))
        return self._sources[-1]

    async def close(self) -> None:
        for source in self._sources:
            await source.close()


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine may take longer than a player should wait.
    monkeypatch.setattr(redis_limits, "REPLY_SECONDS", 20.0)


@pytest.fixture(params=["local", "stored", "redis", "cluster"])
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    made: Place
    match request.param:
        case "local":
            made = LocalPlace()
        case "stored":
            made = StoredPlace()
        case "redis":
            made = RedisPlace(shared_server().url)
        case _:
            made = RedisPlace(shared_cluster().url)
    yield made
    await made.close()


async def granted(limiter: Limiter, key: str, tries: int) -> int:
    return [await limiter.take(key) for _ in range(tries)].count(FREE)


async def test_a_burst_is_granted_and_then_one_for_each_interval(place: Place) -> None:
    limiter = (await place.open()).limiter("creations", RATE)
    assert limiter.rate == RATE
    assert await granted(limiter, "ann", 10) == 3
    place.clock.now += 10
    assert await granted(limiter, "ann", 10) == 1
    place.clock.now += 1_000
    assert await granted(limiter, "ann", 10) == 3


async def test_the_wait_is_enough_and_not_longer_than_needed(place: Place) -> None:
    limiter = (await place.open()).limiter("creations", RATE)
    assert limiter.wait("ann") == FREE
    assert await granted(limiter, "ann", 3) == 3
    wait = await limiter.take("ann")
    assert wait == pytest.approx(10, abs=1e-4)
    assert limiter.wait("ann") == pytest.approx(10, abs=1e-4)
    place.clock.now += wait - 0.01
    assert await limiter.take("ann") != FREE
    place.clock.now += 0.0101
    assert limiter.wait("ann") == FREE
    assert await limiter.take("ann") == FREE


async def test_looking_at_the_wait_takes_nothing(place: Place) -> None:
    limiter = (await place.open()).limiter("creations", RATE)
    for _ in range(10):
        assert limiter.wait("ann") == FREE
    assert await granted(limiter, "ann", 10) == 3


async def test_keys_and_names_are_limited_independently(place: Place) -> None:
    source = await place.open()
    creations, codes = source.limiter("creations", RATE), source.limiter("codes", RATE)
    for key in ("ann", "2001:db8::", "{x}", "a b"):
        assert await granted(creations, key, 5) == 3
    assert await granted(codes, "ann", 5) == 3


async def test_limiters_of_one_name_are_one_limit_even_when_asked_at_once(place: Place) -> None:
    source = await place.open()
    sources = [source] if isinstance(place, StoredPlace) else [source, await place.open(), await place.open()]
    limiters = [one.limiter("creations", Rate(10, 3_600, burst=10)) for one in sources] * 20
    waits = await asyncio.gather(*(limiter.take("ann") for limiter in limiters))
    assert waits.count(FREE) == 10
    assert all(limiter.wait("ann") > 0 for limiter in limiters[: len(sources)])


@pytest.mark.parametrize("place", ["stored", "redis", "cluster"], indirect=True)
async def test_a_restart_gives_no_new_burst(place: Place) -> None:
    assert await granted((await place.open()).limiter("codes", RATE), "ann", 2) == 2
    again = (await place.open()).limiter("codes", RATE)
    assert await granted(again, "ann", 5) == 1
    assert await granted(again, "bob", 5) == 3


async def test_a_clock_that_is_set_back_costs_no_more_than_a_burst(place: Place) -> None:
    limiter = (await place.open()).limiter("creations", RATE)
    await granted(limiter, "ann", 5)
    place.clock.now -= 100_000
    assert await limiter.take("ann") <= 10.001
    later = []
    for _ in range(RATE.burst):
        place.clock.now += 10.001
        later.append(await limiter.take("ann"))
    assert FREE in later


# -- the key-value store --------------------------------------------------------------------------------------


class FailingKeyValueStore(MemoryKeyValueStore):
    """A key-value store whose writes fail while a test says so."""

    fails = False
    puts = 0

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        if self.fails:
            raise StorageFailed("The disk is full.")
        self.puts += 1
        await super().put(kind, key, value, expires_at)


async def test_debts_are_written_once_for_many_grants_and_end_by_themselves() -> None:
    clock = Clock()
    key_values = FailingKeyValueStore(clock)
    limits = await StoredLimits.open(key_values, clock, clock)
    limiter = limits.limiter("sessions", Rate(1, 1, burst=100))
    await granted(limiter, "192.0.2.1", 50)
    await granted(limiter, "192.0.2.2", 3)
    assert await limits.save()
    assert key_values.puts == 1
    assert [key for key, _ in await key_values.find(KIND)] == ["sessions 192.0.2.1"]
    clock.now += 51
    assert await key_values.find(KIND) == []


async def test_debts_that_cannot_be_written_are_written_later() -> None:
    clock = Clock()
    key_values = FailingKeyValueStore(clock)
    limits = await StoredLimits.open(key_values, clock, clock)
    limiter = limits.limiter("codes", RATE)
    key_values.fails = True
    assert await granted(limiter, "ann", 5) == 3
    assert not await limits.save()
    key_values.fails = False
    await limits.close()
    again = await StoredLimits.open(key_values, clock, clock)
    assert await granted(again.limiter("codes", RATE), "ann", 5) == 0


async def test_one_write_is_bounded_and_the_rest_follows() -> None:
    clock = Clock()
    key_values = FailingKeyValueStore(clock)
    limits = await StoredLimits.open(key_values, clock, clock)
    limiter = limits.limiter("codes", RATE)
    for number in range(MAX_SAVED + 20):
        await limiter.take(f"address {number}")
    await limits.save()
    assert key_values.puts == MAX_SAVED
    await limits.close()
    assert key_values.puts == MAX_SAVED + 20


async def test_limits_survive_in_the_database_file(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "tables.db"  # type: ignore[operator]
    for expected in (3, 0):
        store = await SqliteStore.open(path, "fast")
        limits = await StoredLimits.open(store.key_values)
        limits.start()
        assert await granted(limits.limiter("codes", Rate(1, 3_600, burst=3)), "192.0.2.1", 5) == expected
        await limits.close()
        await store.close()


# -- Redis ----------------------------------------------------------------------------------------------------


async def test_a_refusal_that_is_known_asks_redis_nothing() -> None:
    place = RedisPlace(shared_server().url)
    limiter = (await place.open()).limiter("codes", RATE)
    await granted(limiter, "ann", 4)
    with redis.Redis.from_url(shared_server().url) as client:
        before = client.info("stats")["total_commands_processed"]
        assert await granted(limiter, "ann", 500) == 0
        assert client.info("stats")["total_commands_processed"] - before < 10
    await place.close()


async def test_a_key_in_redis_expires_when_its_debt_is_paid() -> None:
    place = RedisPlace(shared_server().url)
    limiter = (await place.open()).limiter("codes", RATE)
    await granted(limiter, "ann", 2)
    with redis.Redis.from_url(shared_server().url) as client:
        [key] = client.keys(f"{place._prefix}*")
        assert 0 < client.pttl(key) <= 20_000
    await place.close()


class CountingPipeline:
    """A pipeline that counts the scripts it runs."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.runs = 0
        self.close = pipeline.close
        self._pipeline = pipeline

    def run(self, script: Script, keys: tuple[str, ...], *arguments: Any) -> asyncio.Future[Any]:
        self.runs += 1
        return self._pipeline.run(script, keys, *arguments)


@pytest.mark.parametrize("failure", ["killed", "stopped"])
async def test_without_redis_the_worker_decides_alone_and_counts_it(
    failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = RedisServer()
    server.start()
    clock = Clock()
    counted: list[int] = []
    pipeline = CountingPipeline(pipeline_from_url(server.url, LimitsUnavailable))
    limits = RedisLimits(cast("Pipeline", pipeline), clock=clock)
    limits.on_unavailable = lambda: counted.append(1)
    try:
        limiter = limits.limiter("codes", Rate(1, 3_600, burst=4))
        assert await limiter.take("ann") == FREE
        monkeypatch.setattr(redis_limits, "REPLY_SECONDS", 0.25)
        if failure == "killed":
            server.kill()
        else:
            os.kill(server.pid, signal.SIGSTOP)
        async with asyncio.timeout(10):
            # One of four is spent already: what Redis said before still counts.
            assert await granted(limiter, "ann", 10) == 3
            assert await granted(limiter, "bob", 10) == 4
        assert len(counted) == 3 + 4
        # The first failure pauses, so that requests do not pile up in front of Redis.
        assert pipeline.runs == 2
        monkeypatch.setattr(redis_limits, "REPLY_SECONDS", 20.0)
        if failure == "killed":
            server.start()
        else:
            os.kill(server.pid, signal.SIGCONT)
        clock.now += redis_limits.PAUSE_SECONDS
        async with asyncio.timeout(30):
            while len(counted) > 7 or await granted(limiter, "eve", 5) != 4:
                counted.clear()
                clock.now += 100_000
        assert await granted(limiter, "eve", 5) == 0
    finally:
        server.remove()
        await limits.close()
