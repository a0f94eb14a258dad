"""What is particular to the store in Redis: mistakes in its scripts are noticed, failures are told, damage is found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
import redis

from server.redis_pipeline import Script
from server.store import redis as store_module
from server.store import redis_key_value
from server.store.api import Appended, Claimed, Conflict, Created, LogDamaged, StorageFailed, StoreUnusable
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from tests.store.backends import RedisBackend, shared_server
from tests.store.machine import RecordMachine, TableMachine
from tests.store.player import Player, payloads
from tests.store.redis_server import RedisServer
from tests.store.test_mutants import is_caught

TABLE_MISTAKES = {
    "a known command is not looked for": ("_APPEND", "if known then", "if false then"),
    "the fence is not looked at": ("_APPEND", "if fence ~= ARGV[2] then", "if false then"),
    "the head is not looked at": ("_APPEND", "or head_at(meta, log, expected) ~= ARGV[4]", ""),
    "a longer log is written over": ("_APPEND", "if expected < seq then", "if false then"),
    "answers are not kept": ("_APPEND", "redis.call('HSET', commands, ARGV[5], ARGV[6])", ""),
    "the phase is not kept": ("_APPEND", "phase = ARGV[8]", "phase = ''"),
    "the date is not kept": ("_APPEND", ", 'updated', written(time(ARGV[1]))", ""),
    "the end is not moved": ("_APPEND", "'head', ARGV[9], ", ""),
    "a running lease is ignored": ("_CLAIM", "and now < tonumber(until_)", "and false"),
    "a lease holds for ever": ("_CLAIM", "and now < tonumber(until_)", ""),
    "epochs do not increase": ("_CLAIM", "epoch = epoch + 1", ""),
    "a stale owner renews": ("_RENEW", "~= ARGV[2]", "== nil"),
    "a released fence still writes": ("_RELEASE", "redis.call('HSET', meta, 'fence', '')", ""),
    "anybody releases": ("_RELEASE", "~= ARGV[1]", "== nil"),
    "a table is made twice": ("_CREATE", "== 1", "== 2"),
    "a stale owner puts a snapshot": ("_PUT_SNAPSHOT", "~= ARGV[1]", "== nil"),
    "anybody archives": ("_ARCHIVE", "fence ~= ARGV[1] or", ""),
    "an archive says nothing of where it ends": ("_ARCHIVE", "'archived_head', head", "'archived_head', ''"),
    "the archive is not asked for commands": ("_APPEND", "if archived and ARGV[10] == '0' then", "if false then"),
    "a command is answered from the archive alone": (
        "_APPEND",
        "if archived and ARGV[10] == '0' then",
        "if archived then",
    ),
    "reading begins one too late": ("_READ", "(after + 1)", "(after + 2)"),
}
RECORD_MISTAKES = {
    "records do not expire": ("_GET", "tonumber(expires) <= now", "false"),
    "taking leaves the record": ("_TAKE", "forget(ARGV[2])", ""),
    "put if absent replaces": ("_PUT", "ARGV[5] == '1' and", "false and"),
    "a record keeps its old time of expiry": ("_PUT", "forget(key)\nredis.call('HSET'", "redis.call('HSET'"),
    "finding goes beyond the prefix": ("_FIND", "'(' .. prefix .. '\\255'", "'+'"),
    "finding shows what has expired": ("_FIND", "tonumber(expires) <= now", "false"),
    "finding misses the prefix itself": ("_FIND", "'[' .. prefix", "'(' .. prefix"),
}


def with_mistake(script: Script, text: str, wrong: str) -> Script:
    """Give the script with a mistake in it."""
    assert script.text.count(text) == 1, f"{text!r} occurs {script.text.count(text)} times"
    return Script(script.text.replace(text, wrong))


@pytest.mark.parametrize("mistake", TABLE_MISTAKES)
def test_a_mistake_with_tables_is_caught(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, text, wrong = TABLE_MISTAKES[mistake]
    monkeypatch.setattr(store_module, name, with_mistake(getattr(store_module, name), text, wrong))
    assert is_caught(TableMachine, RedisBackend)


@pytest.mark.parametrize("mistake", RECORD_MISTAKES)
def test_a_mistake_with_records_is_caught(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, text, wrong = RECORD_MISTAKES[mistake]
    monkeypatch.setattr(redis_key_value, name, with_mistake(getattr(redis_key_value, name), text, wrong))
    assert is_caught(RecordMachine, RedisBackend)


@pytest_asyncio.fixture
async def store() -> AsyncIterator[RedisStore]:
    backend = RedisBackend()
    await backend.start()
    yield backend.store
    await backend.stop()


@pytest.fixture
def own_server() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.remove()


async def test_what_was_answered_outlives_the_redis_that_answered(own_server: RedisServer) -> None:
    store = RedisStore.at(own_server.url)
    player = await Player.sit(store, "alpha")
    await player.play("a", "b")
    own_server.kill()
    with pytest.raises(StorageFailed):
        await player.ask("c")
    own_server.start()
    assert isinstance(await player.ask("c"), Appended)
    assert await payloads(store, "alpha") == ["a", "b", "c"]
    await store.close()


async def test_a_redis_that_forgot_the_scripts_learns_them_again(store: RedisStore) -> None:
    player = await Player.sit(store, "alpha")
    await player.play("a")
    with redis.Redis.from_url(shared_server().url) as client:
        client.script_flush()
    with pytest.raises(StorageFailed, match="No matching script"):
        await player.ask("b")
    assert isinstance(await player.ask("b"), Appended)


async def test_a_full_redis_refuses_and_nothing_is_half_written(own_server: RedisServer) -> None:
    store = RedisStore.at(own_server.url)
    player = await Player.sit(store, "alpha")
    with redis.Redis.from_url(own_server.url) as client:
        client.config_set("maxmemory", 1)
        with pytest.raises(StorageFailed, match="OOM"):
            await player.ask("a")
        client.config_set("maxmemory", 0)
    assert isinstance(await player.ask("a"), Appended)
    assert await payloads(store, "alpha") == ["a"]
    await store.close()


async def test_a_lost_event_is_named(store: RedisStore) -> None:
    player = await Player.sit(store, "alpha")
    await player.play("a", "b", "c")
    with redis.Redis.from_url(shared_server().url) as client:
        client.xdel("sf:{alpha}:log", "2-0")
    with pytest.raises(LogDamaged) as damage:
        await store.read("alpha")
    assert damage.value.seq == 2
    with pytest.raises(LogDamaged):
        await store.read("alpha", after=2)


async def test_two_workers_see_one_log(store: RedisStore) -> None:
    other = RedisStore.at(shared_server().url)
    player = await Player.sit(store, "alpha")
    late = Player(other, "alpha", Claimed(player.fence, player.seq, player.head))
    await player.play("a")
    assert isinstance(await late.ask("b"), Conflict)
    assert await payloads(other, "alpha") == ["a"]
    await other.close()


async def test_whoever_gives_up_leaves_the_conversation_in_order(store: RedisStore) -> None:
    """Callers that are cancelled at any moment never get, or cause others to get, the answer of somebody else."""
    names = [f"t{number}" for number in range(40)]
    assert all(isinstance(each, Created) for each in await asyncio.gather(*(store.create(n, n, b"") for n in names)))
    for turn in range(20):
        asked = [asyncio.ensure_future(store.head(name)) for name in names]
        await asyncio.sleep(0 if turn % 2 else 0.0005)
        for task in asked[:: turn % 3 + 1]:
            task.cancel()
        await asyncio.wait(asked)
    assert {(row.table, row.phase) for row in await store.tables()} == {(name, name) for name in names}


async def test_a_closed_store_says_so(store: RedisStore) -> None:
    await store.close()
    with pytest.raises(StorageFailed, match="closed"):
        await store.head("alpha")


async def test_an_append_that_must_look_into_the_archive_is_not_overtaken(store: RedisStore) -> None:
    await store.create("table", "over", b"about", [b"opened"])
    claimed = await store.claim("table", "ann", 10)
    assert isinstance(claimed, Claimed)
    assert await store.archive("table", claimed.fence)
    first, second = await asyncio.gather(
        store.append("table", claimed.fence, 1, claimed.head, "command", b"", b"", [b"first"]),
        store.append("table", claimed.fence, 1, claimed.head, None, b"", b"", [b"second"]),
    )
    assert isinstance(first, Appended)
    assert isinstance(second, Conflict)


async def test_a_redis_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(StoreUnusable, match=r"^Redis cannot be reached: .*[^.]\.$"):
        await check_redis("redis://127.0.0.1:1")
