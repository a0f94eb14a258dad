"""A Redis Cluster keeps tables as one Redis does, on whichever of its masters they lie."""

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
from server.store.api import Appended, Claimed, StorageFailed, StoreUnusable
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from tests.gateway.process import ServerProcess
from tests.scenarios.people import FREELY, open_table, person, play_until
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
    """Own a table and write to it."""
    claimed = await store.claim(table, "worker", 0.0)
    assert isinstance(claimed, Claimed)
    command = f"ann/{payload.decode()}"
    written = await store.append(table, claimed.fence, claimed.seq, claimed.head, command, b"", b"done", [payload])
    assert isinstance(written, Appended)
    return written


async def test_tables_lie_on_all_masters_and_each_is_whole(cluster: RedisCluster) -> None:
    store = RedisStore.at(cluster.url, "first:")
    for table in TABLES:
        await store.create(table, "open", b"about", [b"opened"])
    written = await asyncio.gather(*(append(store, table, b"one") for table in TABLES))
    assert {each.seq for each in written} == {2}
    assert {row.table for row in await store.tables("open")} == set(TABLES)
    for table in TABLES:
        assert [event.payload for event in await store.read(table)] == [b"opened", b"one"]
    masters = await store._pipeline.clients()
    assert len(masters) == 3
    assert all([await client.dbsize() > 5 for client in masters])
    await store.key_values.put("session", "a", b"ann")
    assert await store.key_values.find("session") == [("a", b"ann")]
    await store.close()
    with pytest.raises(StorageFailed, match="is closed"):
        await store.head(TABLES[0])


async def test_a_master_that_is_away_takes_only_its_own_tables_along_until_it_is_back(cluster: RedisCluster) -> None:
    store = RedisStore.at(cluster.url, "second:")
    for table in TABLES:
        await store.create(table, "open", b"about", [b"opened"])
    cluster.nodes[0].kill()
    away = [table for table in TABLES if not await is_there(store, table)]
    assert 0 < len(away) < len(TABLES)
    cluster.nodes[0].start()
    async with asyncio.timeout(30):
        while True:
            # For a moment nodes take the cluster for broken, and say so.
            if all([await is_there(store, table) for table in TABLES]):
                break
            await asyncio.sleep(0.2)
    assert {(await append(store, table, b"later")).seq for table in TABLES} == {2}
    await store.close()


async def is_there(store: RedisStore, table: str) -> bool:
    try:
        return await store.head(table) is not None
    except StorageFailed:
        return False


async def test_letters_go_from_any_node_to_any_other(cluster: RedisCluster) -> None:
    heard: dict[str, list[bytes]] = {}
    buses = {}
    for name in ("ant", "bee", "cow", "dog", "eel"):
        bus = buses[name] = RedisBus.at(cluster.url)
        await bus.join(name, heard.setdefault(name, []).append)
    for name, bus in buses.items():
        bus.send_all(f"all from {name}".encode())
        for other in buses:
            bus.send(other, f"{other} from {name}".encode())
    async with asyncio.timeout(20):
        while True:
            if all(len(envelopes) >= 2 * len(buses) for envelopes in heard.values()):
                break
            await asyncio.sleep(0.05)
    for name, envelopes in heard.items():
        expected = [word for other in buses for word in (f"all from {other}", f"{name} from {other}")]
        assert sorted(envelopes) == sorted(word.encode() for word in expected)
    for bus in buses.values():
        await bus.close()


async def test_what_is_no_cluster_and_what_is_one_is_said_in_a_sentence(cluster: RedisCluster) -> None:
    assert await check_redis(cluster.url) == "always"
    with pytest.raises(StoreUnusable, match=r"^This Redis is a node of a cluster\. Write its address as .*\.$"):
        await check_redis(cluster.url.replace(CLUSTER, ""))
    with pytest.raises(StoreUnusable, match=r"^The Redis Cluster cannot be used: .*[^.]\.$"):
        await check_redis("redis+cluster://127.0.0.1:1")


def has_come_to(watched: WatchedTable, number: int) -> bool:
    return bool(watched.view["play"]["decision"]["number"] >= number)


async def test_a_game_is_played_at_two_workers_that_share_a_cluster(cluster: RedisCluster, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, *FREELY, "--workers=2", f"--redis={cluster.url}")
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
