"""The checks of a store: whether it works, is still the one of the start, and how durable it is."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import redis

from server.app import build
from server.config import Settings
from server.store import health
from server.store.api import TableStore
from server.store.health import PROBE_BYTES, StoreHealth, StoreState, redis_durability
from server.store.memory import MemoryStore
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from tests.store.redis_server import RedisServer


class Clock:
    """A clock on which the last check is always too old."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 2 * health.INTERVAL
        return self.now


async def full() -> str:
    return "full"


async def opened(store: TableStore, file: Path | None = None) -> StoreHealth:
    return await StoreHealth.open(store, full, "full", file, Clock())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@asynccontextmanager
async def sqlite_health(path: Path) -> AsyncIterator[tuple[SqliteStore, StoreHealth]]:
    store = await SqliteStore.open(path, "fast")
    try:
        yield store, await opened(store, path)
    finally:
        await store.close()


async def test_a_store_is_new_once(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        async with sqlite_health(path) as (_, check):
            first = await check()
        assert first.state == "ok"
        assert [record.message for record in caplog.records] == ["store is new"]
        caplog.clear()
        async with sqlite_health(path) as (_, check):
            assert await check() == first
        assert caplog.records == []


async def test_an_empty_shared_store_is_worth_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    await opened(MemoryStore())
    [record] = caplog.records
    assert (record.message, record.levelname) == ("store is new", "WARNING")


async def test_a_store_of_an_earlier_version_is_as_old_as_its_oldest_table(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore(wall=lambda: 86_400.0)
    await store.create("abcd", "open", b"")
    assert (await (await opened(store))()).since == "1970-01-02T00:00:00+00:00"
    assert caplog.records == []


async def test_two_workers_that_start_at_once_agree_on_the_marker() -> None:
    store = MemoryStore()
    one, other = await opened(store), await opened(store)
    assert (await one()).state == (await other()).state == "ok"
    assert await one() == await other()


async def test_a_test_write_is_as_large_as_a_move(path: Path) -> None:
    async with sqlite_health(path) as (store, check):

        def leave_room(db: sqlite3.Connection) -> None:
            pages = db.execute("PRAGMA page_count").fetchone()[0]
            db.execute(f"PRAGMA max_page_count = {pages + 2}")

        await store._commits.write(leave_room)
        await store.key_values.put("small", "value", b"")
        assert (await check()).state == "failing"
        await store._commits.write(lambda db: db.execute("PRAGMA max_page_count = 1000000"))
        assert (await check()).state == "ok"
        assert len(await store.key_values.get("probe", "health") or b"") == PROBE_BYTES


@pytest.mark.parametrize("name", ["tables.db", "tables.db-wal"])
@pytest.mark.parametrize("is_replaced", [False, True])
async def test_a_file_that_is_deleted_or_replaced_under_the_server_is_noticed(
    path: Path, caplog: pytest.LogCaptureFixture, name: str, is_replaced: bool
) -> None:
    async with sqlite_health(path) as (_, check):
        assert (await check()).state == "ok"
        file = path.with_name(name)
        kept = shutil.copy(file, file.with_name("copy"))
        file.unlink()
        if is_replaced:
            shutil.copy(kept, file)
        assert [(await check()).state for _ in range(2)] == ["replaced", "replaced"]
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == ["store replaced"]


@pytest.mark.parametrize("value", [b"", b"{}", b"[]", b"\xff", b'{"id": "x", "since": "y", "more": 1}'])
async def test_a_marker_that_is_not_ours_is_another_store(value: bytes) -> None:
    store = MemoryStore()
    check = await opened(store)
    await store.key_values.put("store", "identity", value)
    assert (await check()).state == "replaced"


async def test_checks_are_not_repeated_within_an_interval() -> None:
    store = MemoryStore()
    now = 0.0
    check = await StoreHealth.open(store, full, "full", None, lambda: now)
    assert (await check()).state == "ok"
    await store.key_values.delete("store", "identity")
    assert (await check()).state == "ok"
    now = health.INTERVAL
    assert (await check()).state == "emptied"


# -- a real Redis ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def redis_process() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def client(redis_process: RedisServer) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_process.url) as client:
        client.flushall()
        yield client
        for name, value in {"appendonly": "yes", "maxmemory-policy": "noeviction", "maxmemory": "0"}.items():
            client.config_set(name, value)


@asynccontextmanager
async def redis_health(server: RedisServer) -> AsyncIterator[StoreHealth]:
    store = RedisStore.at(server.url)
    try:
        yield await StoreHealth.open(store, lambda: redis_durability(server.url), "always", None, Clock())
    finally:
        await store.close()


async def test_the_durability_of_a_redis_is_looked_at_again(
    redis_process: RedisServer, client: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    async with redis_health(redis_process) as check:
        found = []
        for name, value in (
            ("appendfsync", "always"),
            ("appendfsync", "everysec"),
            ("appendonly", "no"),
            ("appendonly", "yes"),
            ("appendfsync", "always"),
            ("maxmemory-policy", "allkeys-lru"),
        ):
            client.config_set(name, value)
            state = await check()
            assert state.state == "ok"
            found.append(state.durability)
        assert found == ["always", "everysec", "off", "everysec", "always", "evicting"]
    changes = [(record.was, record.now) for record in caplog.records if record.message == "durability changed"]  # type: ignore[attr-defined]
    assert changes[:2] == [("always", "everysec"), ("everysec", "off")]


async def test_a_redis_that_does_not_say_is_unverified(redis_process: RedisServer, client: redis.Redis) -> None:
    async with redis_health(redis_process) as check:
        client.acl_setuser("default", enabled=True, nopass=True, commands=["-config"])
        try:
            assert (await check()).durability == "unverified"
        finally:
            client.acl_setuser("default", enabled=True, nopass=True, commands=["+config"])
        assert (await check()).durability == "always"


async def test_a_redis_that_is_full_is_failing(redis_process: RedisServer, client: redis.Redis) -> None:
    async with redis_health(redis_process) as check:
        client.config_set("maxmemory", "100kb")
        assert (await check()).state == "failing"
        client.config_set("maxmemory", "0")
        assert (await check()).state == "ok"


async def test_a_redis_that_is_away_is_failing_and_then_the_same_one(caplog: pytest.LogCaptureFixture) -> None:
    server = RedisServer()
    server.start()
    try:
        async with redis_health(server) as check:
            first = await check()
            server.kill()
            assert await check() == StoreState("failing", "unverified", first.since)
            assert await redis_durability(server.url) == "unverified"
            server.start()
            assert await check() == first
    finally:
        server.remove()
    assert not any(record.levelname == "ERROR" for record in caplog.records)


async def test_a_redis_that_was_emptied_is_told_apart_from_a_new_one(
    redis_process: RedisServer, client: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    async with redis_health(redis_process) as check:
        first = await check()
        saved = {key: client.dump(key) for key in client.keys("sf:records:*")}
        client.flushall()
        # Its own test write does not make it another store.
        assert [(await check()).state for _ in range(2)] == ["emptied", "emptied"]
        async with redis_health(redis_process) as restarted:
            assert (await restarted()).state == "ok"
            assert (await check()).state == "replaced"
        client.flushall()
        for key, value in saved.items():
            client.restore(key, 0, value)
        assert await check() == first
    errors = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert errors == ["store emptied", "store replaced"]


async def test_the_health_page_says_that_the_store_was_emptied(
    redis_process: RedisServer, client: redis.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "INTERVAL", 0.01)
    async with build(Settings(redis=redis_process.url, web=tmp_path)) as app:
        transport = httpx.ASGITransport(app.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as browser:

            async def wait_for(name: str, value: str) -> httpx.Response:
                async with asyncio.timeout(20):
                    while True:
                        answer = await browser.get("/healthz")
                        if answer.json()[name] == value:
                            return answer
                        await asyncio.sleep(0.01)

            assert (await wait_for("durability", "always")).status_code == 200
            client.config_set("appendonly", "no")
            assert (await wait_for("durability", "off")).status_code == 200
            client.flushall()
            emptied = await wait_for("store", "emptied")
            assert (emptied.status_code, emptied.json()["ok"]) == (503, False)
