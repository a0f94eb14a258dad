"""The store in Redis: mutants of its scripts, failures of Redis, damaged logs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
import redis

from server.redis_pipeline import Script, redis_version
from server.store import redis as store_module
from server.store import redis_key_value
from server.store.api import (
    Appended,
    Claimed,
    Conflict,
    Created,
    Held,
    LogDamaged,
    NewEntry,
    Position,
    StorageFailed,
    StoreUnusable,
)
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from tests.store.backends import RedisBackend, shared_server
from tests.store.machine import KeyValueMachine, TableMachine
from tests.store.redis_server import RedisServer
from tests.store.table_owner import TableOwner, payloads
from tests.store.test_mutants import is_found

TABLE_MUTANTS = {
    "a known idempotency key is not looked for": ("_APPEND", "if known then", "if false then"),
    "the fence is not checked": ("_APPEND", "if fence ~= ARGV[2] then", "if false then"),
    "the head is not compared": ("_APPEND", "or head_at(meta, log, expected) ~= ARGV[4]", ""),
    "an earlier position is accepted": ("_APPEND", "if expected < seq then", "if false then"),
    "answers are not stored": ("_APPEND", "redis.call('HSET', commands, ARGV[5], ARGV[6])", ""),
    "the phase is not stored": ("_APPEND", "phase = ARGV[8]", "phase = ''"),
    "the time is not stored": ("_APPEND", ", 'updated', format_time(time(ARGV[1]))", ""),
    "the head is not stored": ("_APPEND", "'head', ARGV[10], ", ""),
    "a running lease is ignored": ("_CLAIM", "and now < tonumber(until_)", "and false"),
    "a lease never expires": ("_CLAIM", "and now < tonumber(until_)", ""),
    "epochs do not increase": ("_CLAIM", "epoch = epoch + 1", ""),
    "a stale owner renews": ("_RENEW", "== ARGV[2 + number]", "~= nil"),
    "a released fencing token still appends": ("_RELEASE", "redis.call('HSET', meta, 'fence', '')", ""),
    "any fencing token releases": ("_RELEASE", "~= ARGV[1]", "== nil"),
    "a table is created twice": ("_CREATE", "== 1", "== 2"),
    "any fencing token archives": ("_ARCHIVE", "fence ~= ARGV[1] or", ""),
    "the head of the archive is not stored": ("_ARCHIVE", "'archived_head', head", "'archived_head', ''"),
    "idempotency keys are not looked for in the archive": (
        "_APPEND",
        "if archived and ARGV[9] == '0' then",
        "if false then",
    ),
    "idempotency keys are looked for in the archive alone": (
        "_APPEND",
        "if archived and ARGV[9] == '0' then",
        "if archived then",
    ),
    "reading skips an entry": ("_READ", "(after + 1)", "(after + 2)"),
}
VALUE_MUTANTS = {
    "values do not expire": ("_GET", "tonumber(expires) <= now", "false"),
    "take does not delete the value": ("_TAKE", "\ndelete(ARGV[2])", ""),
    "put if absent replaces": ("_PUT", "ARGV[5] == '1' and", "false and"),
    "a value keeps its old time of expiry": ("_PUT", "\nelse\n    redis.call('ZREM', expiry, key)", ""),
    "find ignores the prefix": ("_FIND", "'(' .. prefix .. '\\255'", "'+'"),
    "find returns expired values": ("_FIND", "tonumber(expires) <= now", "false"),
    "find misses a key that equals the prefix": ("_FIND", "'[' .. prefix", "'(' .. prefix"),
}


def mutant(script: Script, text: str, wrong: str) -> Script:
    """Return the script with a bug in it."""
    assert script.text.count(text) == 1, f"{text!r} occurs {script.text.count(text)} times"
    return Script(script.text.replace(text, wrong))


@pytest.mark.parametrize("bug", TABLE_MUTANTS)
def test_a_bug_with_tables_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, text, wrong = TABLE_MUTANTS[bug]
    monkeypatch.setattr(store_module, name, mutant(getattr(store_module, name), text, wrong))
    assert is_found(TableMachine, RedisBackend)


@pytest.mark.parametrize("bug", VALUE_MUTANTS)
def test_a_bug_with_key_values_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, text, wrong = VALUE_MUTANTS[bug]
    monkeypatch.setattr(redis_key_value, name, mutant(getattr(redis_key_value, name), text, wrong))
    assert is_found(KeyValueMachine, RedisBackend)


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


async def test_acknowledged_appends_survive_a_killed_redis(own_server: RedisServer) -> None:
    store = RedisStore.at(own_server.url)
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a", "b")
    own_server.kill()
    with pytest.raises(StorageFailed):
        await owner.append("c")
    own_server.start()
    assert isinstance(await owner.append("c"), Appended)
    assert await payloads(store, "alpha") == ["a", "b", "c"]
    await store.close()


async def test_scripts_are_loaded_again_after_redis_has_lost_them(store: RedisStore) -> None:
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a")
    with redis.Redis.from_url(shared_server().url) as client:
        client.script_flush()
    with pytest.raises(StorageFailed, match="No matching script"):
        await owner.append("b")
    assert isinstance(await owner.append("b"), Appended)


async def test_a_full_redis_refuses_and_nothing_is_half_written(own_server: RedisServer) -> None:
    store = RedisStore.at(own_server.url)
    owner = await TableOwner.create(store, "alpha")
    with redis.Redis.from_url(own_server.url) as client:
        client.config_set("maxmemory", 1)
        with pytest.raises(StorageFailed, match="OOM"):
            await owner.append("a")
        client.config_set("maxmemory", 0)
    assert isinstance(await owner.append("a"), Appended)
    assert await payloads(store, "alpha") == ["a"]
    await store.close()


async def test_a_missing_entry_is_named(store: RedisStore) -> None:
    owner = await TableOwner.create(store, "alpha")
    await owner.append_all("a", "b", "c")
    with redis.Redis.from_url(shared_server().url) as client:
        client.xdel("sf:{alpha}:log", "2-0")
    with pytest.raises(LogDamaged) as damage:
        await store.read("alpha")
    assert damage.value.seq == 2
    with pytest.raises(LogDamaged):
        await store.read("alpha", after=2)


async def test_two_workers_see_one_log(store: RedisStore) -> None:
    other = RedisStore.at(shared_server().url)
    owner = await TableOwner.create(store, "alpha")
    late = TableOwner(other, "alpha", Claimed(owner.fence, owner.end.seq, owner.end.head))
    await owner.append_all("a")
    assert isinstance(await late.append("b"), Conflict)
    assert await payloads(other, "alpha") == ["a"]
    await other.close()


async def test_cancelled_callers_never_shift_replies_to_other_callers(store: RedisStore) -> None:
    names = [f"t{number}" for number in range(40)]
    assert all(isinstance(each, Created) for each in await asyncio.gather(*(store.create(n, n, b"") for n in names)))
    for attempt in range(20):
        tasks = [asyncio.ensure_future(store.head(name)) for name in names]
        await asyncio.sleep(0 if attempt % 2 else 0.0005)
        for task in tasks[:: attempt % 3 + 1]:
            task.cancel()
        await asyncio.wait(tasks)
    assert {(row.table, row.phase) for row in await store.tables()} == {(name, name) for name in names}


async def test_a_closed_store_refuses_every_call(store: RedisStore) -> None:
    await store.close()
    with pytest.raises(StorageFailed, match="closed"):
        await store.head("alpha")


async def test_the_next_append_does_not_overtake_one_that_looks_into_the_archive(store: RedisStore) -> None:
    await store.create("table", "over", b"about", [b"opened"])
    claimed = await store.claim("table", "ann", 10)
    assert isinstance(claimed, Claimed)
    assert await store.archive("table", claimed.fence)
    end = Position(1, claimed.head)
    first, second = await asyncio.gather(
        store.append("table", claimed.fence, end, NewEntry(b"first", "key")),
        store.append("table", claimed.fence, end, NewEntry(b"second")),
    )
    assert isinstance(first, Appended)
    assert isinstance(second, Conflict)


async def test_an_unreachable_redis_is_reported_in_one_sentence() -> None:
    with pytest.raises(StoreUnusable, match=r"^Redis cannot be reached: .*[^.]\.$"):
        await check_redis("redis://127.0.0.1:1")


@pytest.mark.parametrize("version, expected", [("6.2", (6, 2)), ("7.4.1", (7, 4)), ("10.0.0", (10, 0))])
def test_the_version_of_redis_is_compared_by_numbers(version: str, expected: tuple[int, int]) -> None:
    assert redis_version({"redis_version": version}) == expected


async def test_the_lease_of_a_dead_owner_ends_although_the_clock_was_set_back() -> None:
    now = 2_000_000.0
    store = RedisStore.at(shared_server().url, "set-back:", lambda: now)
    try:
        await store.create("table", "running", b"")
        assert isinstance(await store.claim("table", "ann", 3), Claimed)
        now -= 2
        assert await store.claim("table", "ben", 3) == Held("ann"), "a small step only makes the lease longer"
        now -= 3_600
        taken_over = await store.claim("table", "ben", 3)
        assert isinstance(taken_over, Claimed)
        assert await store.claim("table", "ann", 3) == Held("ben")
        # The owner renews its lease by the clock as it is.
        now += 3_600
        assert await store.renew({"table": taken_over.fence}, 3) == frozenset()
        now -= 3_600
        assert await store.renew({"table": taken_over.fence}, 3) == frozenset()
        assert await store.claim("table", "ann", 3) == Held("ben")
        now += 3
        assert isinstance(await store.claim("table", "ann", 3), Claimed)
    finally:
        await store.close()


async def test_leases_are_renewed_in_few_steps_and_only_by_their_owners(own_server: RedisServer) -> None:
    store = RedisStore.at(own_server.url)
    owners = [await TableOwner.create(store, f"table{number}") for number in range(250)]
    fences = {owner.table: owner.fence for owner in owners} | {"table7": "stale", "missing": "x"}
    with redis.Redis.from_url(own_server.url) as client:
        client.config_resetstat()
        assert await store.renew(fences, 7200) == {"table7", "missing"}
        assert client.info("commandstats")["cmdstat_evalsha"]["calls"] == 3
        until = [float(client.hget(f"sf:{{table{number}}}:table", "until") or 0) for number in (0, 7, 249)]
    assert min(until[0], until[2]) > until[1] + 30
    await store.close()
