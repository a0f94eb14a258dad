"""Replicas that confirm writes, and masters that are killed: behind Sentinels and in a Redis Cluster."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest
import redis

from server.store.api import Appended, NewEntry, Position, StorageFailed, StoreUnusable
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from tests.store.redis_cluster import RedisCluster
from tests.store.redis_sentinels import NAME, RedisSentinels
from tests.store.redis_server import RedisServer
from tests.store.test_cluster import append


@pytest.fixture(scope="module")
def sentinels() -> Iterator[RedisSentinels]:
    sentinels = RedisSentinels()
    try:
        sentinels.start()
        yield sentinels
    finally:
        sentinels.remove()


async def append_patiently(store: RedisStore, table: str, payload: bytes) -> Appended:
    """Append an entry, again and again while the storage fails."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await append(store, table, payload)
            except StorageFailed:
                await asyncio.sleep(0.05)


def suspend(node: RedisServer) -> None:
    node.tell(signal.SIGSTOP)


def resume(node: RedisServer) -> None:
    node.tell(signal.SIGCONT)


async def test_a_write_that_too_few_replicas_confirm_is_not_acknowledged(sentinels: RedisSentinels) -> None:
    store = RedisStore.at(sentinels.url, "second:", replicas=2)
    await store.create("table", "open", b"about", [b"opened"])
    claimed = await store.claim("table", "worker", 60.0)
    head = await store.head("table")
    assert head is not None
    replica = next(node for node in sentinels.nodes if node.role == "slave")
    suspend(replica)
    try:
        with pytest.raises(StorageFailed, match=r"only 1 of 2 replicas have confirmed"):
            await store.append("table", claimed.fence, head, NewEntry(b"move", "ann/1", b"", b"done"))  # type: ignore[union-attr]
        # The master has the entry, but nobody may see it before the replicas have it too.
        with pytest.raises(StorageFailed, match=r"only 1 of 2 replicas have confirmed"):
            await store.read("table")
    finally:
        resume(replica)
    async with asyncio.timeout(30):
        while True:
            try:
                entries = await store.read("table")
                break
            except StorageFailed:
                await asyncio.sleep(0.05)
    assert [entry.payload for entry in entries] == [b"opened", b"move"]
    repeated = await store.append("table", claimed.fence, head, NewEntry(b"move", "ann/1", b"", b"done"))  # type: ignore[union-attr]
    assert not isinstance(repeated, Appended)
    await store.close()


async def test_a_read_needs_no_confirmation_while_every_write_is_confirmed(sentinels: RedisSentinels) -> None:
    store = RedisStore.at(sentinels.url, "third:", replicas=2)
    await store.create("table", "open", b"about", [b"opened"])
    replica = next(node for node in sentinels.nodes if node.role == "slave")
    suspend(replica)
    try:
        assert [entry.payload for entry in await store.read("table")] == [b"opened"]
        assert await store.head("table") is not None
    finally:
        resume(replica)
    await store.close()
    await asyncio.to_thread(sentinels.wait_for_replicas)


async def test_sentinels_that_cannot_help_are_reported_in_one_sentence(sentinels: RedisSentinels) -> None:
    assert await check_redis(sentinels.url, replicas=2) == "always"
    with pytest.raises(StoreUnusable, match=r"^The Redis behind the Sentinels cannot be used: .*[^.]\.$"):
        await check_redis("redis+sentinel://127.0.0.1:1/tables")
    with pytest.raises(StoreUnusable, match="do not know a master 'other'"):
        await check_redis(sentinels.url.replace(f"/{NAME}", "/other"))
    with pytest.raises(StoreUnusable, match=r"^A master has 2 connected replicas, and --redis-replicas requires 3\.$"):
        await check_redis(sentinels.url, replicas=3)


async def test_a_demoted_master_is_not_used_any_more(sentinels: RedisSentinels) -> None:
    store = RedisStore.at(sentinels.url, "fourth:")
    await store.create("table", "open", b"about", [b"opened"])
    before = sentinels.master
    with redis.Redis(port=sentinels.ports[-1]) as sentinel:
        sentinel.execute_command("SENTINEL", "FAILOVER", NAME)  # type: ignore[no-untyped-call]
    async with asyncio.timeout(30):
        while True:
            if sentinels.master is not before:
                break
            await asyncio.sleep(0.05)
    appended = await append_patiently(store, "table", b"after")
    assert await store.head("table") == Position(appended.seq, appended.head)
    await store.close()


async def test_what_was_acknowledged_survives_the_promotion_of_a_replica(sentinels: RedisSentinels) -> None:
    store = RedisStore.at(sentinels.url, "first:", replicas=1)
    await store.create("table", "open", b"about", [b"opened"])
    acknowledged = [(await append(store, "table", b"%d" % number)).head for number in range(20)]
    await asyncio.to_thread(sentinels.kill_master)
    acknowledged.append((await append_patiently(store, "table", b"after")).head)
    # An unacknowledged attempt may have been stored too.
    heads = [entry.head for entry in await store.read("table")]
    assert [head for head in heads if head in acknowledged] == acknowledged
    await store.close()


async def test_a_promoted_replica_of_a_cluster_has_everything_that_was_acknowledged() -> None:
    cluster = RedisCluster(replicas=True)
    try:
        await asyncio.to_thread(cluster.start)
        assert await check_redis(cluster.url, replicas=1) == "always"
        store = RedisStore.at(cluster.url, replicas=1)
        tables = [f"table{number}" for number in range(12)]
        for table in tables:
            await store.create(table, "open", b"about", [b"opened"])
        heads = {table: [(await append(store, table, b"%d" % each)).head for each in range(5)] for table in tables}
        await asyncio.to_thread(cluster.kill_master, cluster.masters[0])
        for table in tables:
            heads[table].append((await append_patiently(store, table, b"after")).head)
        for table in tables:
            stored = [entry.head for entry in await store.read(table)]
            assert [head for head in stored if head in heads[table]] == heads[table]
        await store.close()
    finally:
        cluster.remove()
