"""The store and the bus in a Redis Cluster."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from protocol.client import WatchedTable
from server.cluster.bus.redis import RedisBus
from server.redis_pipeline import CLUSTER
from server.store.api import Appended, Claimed, NewEntry, Position, StorageFailed, StoreUnusable
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from server.store.redis_restore import RedisRestore
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, open_table, person, play_until
from tests.store.redis_cluster import RedisCluster

TABLES = [f"table{number}" for number in range(30)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[RedisCluster]:
    cluster = RedisCluster()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


async def append(store: RedisStore, table: str, payload: bytes) -> Appended:
    """Claim a table and append an entry to it."""
    claimed = await store.claim(table, "worker", 0.0)
    assert isinstance(claimed, Claimed)
    entry = NewEntry(payload, f"ann/{payload.decode()}", b"", b"done")
    result = await store.append(table, claimed.fence, Position(claimed.seq, claimed.head), entry)
    assert isinstance(result, Appended)
    return result


async def test_a_restore_empties_all_masters_and_sees_workers_on_any(cluster: RedisCluster) -> None:
    store, restore = RedisStore.at(cluster.url, "restored:"), RedisRestore.at(cluster.url, "restored:")
    for table in TABLES:
        await store.create(table, "open", b"about", [b"opened"])
    await store.key_values.put("user", "ann", b"Ann")
    assert not await restore.is_empty()
    assert not await restore.has_workers()
    await store.claim(TABLES[7], "worker", 60)
    assert await restore.has_workers()
    await restore.begin()
    assert (await restore.is_empty(), await restore.is_incomplete(), await restore.has_workers()) == (True, True, False)
    assert await store.names() == []
    assert await store.key_values.kinds() == []
    bus = RedisBus.at(cluster.url, "restored:")
    await bus.join("ann", lambda envelope: None)
    assert await restore.has_workers()
    await bus.close()
    await restore.end()
    assert not await restore.is_incomplete()
    await restore.close()
    await store.close()


async def test_tables_are_on_all_masters_and_each_table_on_one(cluster: RedisCluster) -> None:
    store = RedisStore.at(cluster.url, "first:")
    for table in TABLES:
        await store.create(table, "open", b"about", [b"opened"])
    results = await asyncio.gather(*(append(store, table, b"one") for table in TABLES))
    assert {result.seq for result in results} == {2}
    assert {row.table for row in await store.tables("open")} == set(TABLES)
    for table in TABLES:
        assert [entry.payload for entry in await store.read(table)] == [b"opened", b"one"]
    masters = await store._pipeline.clients()
    assert len(masters) == 3
    assert all([await client.dbsize() > 5 for client in masters])
    await store.key_values.put("session", "a", b"ann")
    assert await store.key_values.find("session") == [("a", b"ann")]
    await store.close()
    with pytest.raises(StorageFailed, match="is closed"):
        await store.head(TABLES[0])


async def test_while_a_master_is_down_only_its_tables_fail(cluster: RedisCluster) -> None:
    store = RedisStore.at(cluster.url, "second:")
    for table in TABLES:
        await store.create(table, "open", b"about", [b"opened"])
    cluster.nodes[0].kill()
    failing = [table for table in TABLES if not await is_available(store, table)]
    assert 0 < len(failing) < len(TABLES)
    cluster.nodes[0].start()
    async with asyncio.timeout(30):
        while True:
            # For a moment the nodes still report the cluster as down.
            if all([await is_available(store, table) for table in TABLES]):
                break
            await asyncio.sleep(0.2)
    assert {(await append(store, table, b"later")).seq for table in TABLES} == {2}
    await store.close()


async def is_available(store: RedisStore, table: str) -> bool:
    try:
        return await store.head(table) is not None
    except StorageFailed:
        return False


async def test_envelopes_reach_workers_on_every_node(cluster: RedisCluster) -> None:
    received: dict[str, list[bytes]] = {}
    buses = {}
    for name in ("ant", "bee", "cow", "dog", "eel"):
        bus = buses[name] = RedisBus.at(cluster.url)
        await bus.join(name, received.setdefault(name, []).append)
    for name, bus in buses.items():
        bus.send_all(f"all from {name}".encode())
        for other in buses:
            bus.send(other, f"{other} from {name}".encode())
    async with asyncio.timeout(20):
        while True:
            if all(len(envelopes) >= 2 * len(buses) for envelopes in received.values()):
                break
            await asyncio.sleep(0.05)
    for name, envelopes in received.items():
        expected = [text for other in buses for text in (f"all from {other}", f"{name} from {other}")]
        assert sorted(envelopes) == sorted(text.encode() for text in expected)
    while len(buses) > 1:
        name, ended = buses.popitem()
        bus = next(iter(buses.values()))
        assert await bus.reaches(name, b"probe"), "every node counts the subscribers of its own channels"
        await ended.close()
        async with asyncio.timeout(20):
            while True:
                if not await bus.reaches(name, b"probe"):
                    break
                await asyncio.sleep(0.02)
    await buses.popitem()[1].close()


async def test_a_wrong_kind_of_address_is_reported_in_one_sentence(cluster: RedisCluster) -> None:
    assert await check_redis(cluster.url) == "always"
    with pytest.raises(StoreUnusable, match=r"^This Redis is a node of a cluster\. Write its address as .*\.$"):
        await check_redis(cluster.url.replace(CLUSTER, ""))
    with pytest.raises(StoreUnusable, match=r"^The Redis Cluster cannot be used: .*[^.]\.$"):
        await check_redis("redis+cluster://127.0.0.1:1")


def has_come_to(watched: WatchedTable, number: int) -> bool:
    return bool(watched.view["play"]["decision"]["number"] >= number)


async def test_a_game_is_played_at_two_workers_that_share_a_cluster(cluster: RedisCluster, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, *UNLIMITED, "--workers=2", f"--redis={cluster.url}")
    try:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            people = [await stack.enter_async_context(person(server.http)) for _ in range(6)]
            tables = [await open_table(people[each : each + 2], "investors", seats=3) for each in (0, 2, 4)]
            for first, table in zip((0, 2, 4), tables, strict=True):
                pair = people[first : first + 2]
                watched = [await client.watch(table) for client in pair]
                await play_until(pair, watched, partial(has_come_to, watched[0], 20))
            assert server.process.poll() is None
    finally:
        server.tell(signal.SIGTERM)
        assert server.exit_code() == 0
        server.end()
