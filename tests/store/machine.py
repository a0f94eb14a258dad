"""The contract of a store as state machines that call it in any order, and compare with a model after every step.

Replaced owners keep appending, answers get lost and requests are repeated, callers are cancelled, leases expire, the
store is killed, or is rolled back to an older copy while its users remember what came later.
"""

import asyncio
import copy
import itertools
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from server.store.api import (
    Appended,
    AppendResult,
    Claimed,
    Created,
    Exists,
    Fenced,
    Held,
    KeyValue,
    Known,
    Missing,
    NewEntry,
    Position,
    TableCopy,
    TableStore,
)
from tests.store.backends import Backend
from tests.store.model import AppendCall, TableModel, heads

TABLES = ("alpha", "beta")
PHASES = ("open", "running", "over")
MAX_LEASE = 3
KINDS = ("session", "user")

Result = TypeVar("Result")

tables = st.sampled_from(("alpha", "alpha", "beta"))  # most calls on one table; the other must not be affected
workers = st.sampled_from(("ann", "bob"))
seconds = st.integers(1, MAX_LEASE)
payloads = st.binary(min_size=1, max_size=2)
mostly = st.integers(0, 3).map(bool)  # true in three cases of four


class BackendMachine(RuleBasedStateMachine):
    """A state machine on a store that is opened at the start and removed at the end."""

    backend: ClassVar[Callable[[], Backend]]

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.home = type(self).backend()
        self.run(self.home.start())

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        before = asyncio.all_tasks(self.loop)
        try:
            return self.loop.run_until_complete(coroutine)
        except BaseException:
            # A bug that was found leaves calls behind. Without an end, they would fail the test that runs when they are
            # collected as garbage.
            if left := asyncio.all_tasks(self.loop) - before:
                self.loop.run_until_complete(asyncio.wait(left, timeout=5))
            raise

    @property
    def store(self) -> TableStore:
        return self.home.store

    @property
    def now(self) -> float:
        return self.home.clock.now

    def teardown(self) -> None:
        self.run(self.home.stop())
        self.loop.close()


class TableMachine(BackendMachine):
    """Tables, their owners and their logs."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, TableModel] = {}
        self.copy: dict[str, TableModel] | None = None
        # What callers remember, whether or not it is still in the store.
        self.fences: dict[str, list[str]] = {table: ["1.nobody"] for table in TABLES}
        self.positions: dict[str, list[Position]] = {table: [Position(0, bytes(32))] for table in TABLES}
        self.calls: list[AppendCall] = []

    # Tables and owners

    @rule(table=tables, phase=st.sampled_from(PHASES), first=st.lists(payloads, max_size=3))
    def create(self, table: str, phase: str, first: list[bytes]) -> None:
        result = self.run(self.store.create(table, phase, b"new", first))
        if table in self.tables:
            assert result == Exists()
            return
        created = self.tables[table] = TableModel(phase, b"new", self.now)
        created.add("", first)
        assert result == Created(created.end().seq, created.end().head)

    @rule(table=tables, worker=workers, ttl_seconds=seconds)
    def claim(self, table: str, worker: str, ttl_seconds: int, dead_worker: str = "") -> None:
        result = self.run(self.store.claim(table, worker, ttl_seconds, dead_worker))
        model = self.tables.get(table)
        if model is None:
            assert result == Missing()
            return
        is_running = model.owner is not None and self.now < model.leased_until
        if is_running and model.worker != dead_worker:
            assert result == Held(model.worker)
            return
        assert isinstance(result, Claimed)
        assert Position(result.seq, result.head) == model.end()
        # Epochs increase by one with each claim in the log; a fencing token never occurs twice, even after a rollback.
        assert epoch(result.fence) == len(model.claims) + 1
        assert result.fence not in self.fences[table]
        model.claims.append(result.fence)
        model.owner, model.worker, model.leased_until = result.fence, worker, self.now + ttl_seconds
        self.fences[table].append(result.fence)

    @rule(table=tables, worker=workers, ttl_seconds=seconds, dead_worker=workers)
    def claim_from_the_dead(self, table: str, worker: str, ttl_seconds: int, dead_worker: str) -> None:
        """Claim a table whose lease may still run, though its holder may be taken for dead."""
        self.claim(table, worker, ttl_seconds, dead_worker)

    @rule(table=tables, worker=workers)
    def take_over(self, table: str, worker: str) -> None:
        """Let a lease expire and claim the table at that very moment; the old owner does not notice."""
        if table in self.tables:
            self.home.clock.now = max(self.now, self.tables[table].leased_until)
            self.claim(table, worker, 1)

    @rule(to_renew=st.sets(tables), ttl_seconds=seconds, data=st.data())
    def renew(self, to_renew: set[str], ttl_seconds: int, data: st.DataObject) -> None:
        fences = {table: self.some_fence(data, table) for table in sorted(to_renew)}
        not_owned = self.run(self.store.renew(fences, ttl_seconds))
        assert not_owned == {table for table, fence in fences.items() if not self.owns(table, fence)}
        for table in fences.keys() - not_owned:
            self.tables[table].leased_until = self.now + ttl_seconds

    @rule(table=tables, data=st.data())
    def release(self, table: str, data: st.DataObject) -> None:
        fence = self.some_fence(data, table)
        assert self.run(self.store.release(table, fence)) == self.owns(table, fence)
        if self.owns(table, fence):
            self.tables[table].owner = None

    @rule(passed=seconds)
    def time_passes(self, passed: int) -> None:
        self.home.clock.now += passed

    # Appends

    @rule(table=tables, data=st.data())
    def append(self, table: str, data: st.DataObject) -> None:
        call = self.some_call(data, table)
        self.expect(self.run(self.send(call)), call)

    @precondition(lambda self: self.calls)
    @rule(data=st.data(), is_same_request=mostly, is_by_owner=st.booleans())
    def repeat(self, data: st.DataObject, is_same_request: bool, is_by_owner: bool) -> None:
        """Use an idempotency key again, by its first owner or the present one, for the same request or another."""
        call = data.draw(st.sampled_from(self.calls))
        model = self.tables.get(call.table)
        if is_by_owner and model is not None and model.owner is not None:
            call = call.repeated_by(model.owner, model.end())
        # If the store carried out the request again, the new answer would show it.
        entry = call.entry._replace(answer=b"another answer")
        if not is_same_request:
            entry = entry._replace(request_hash=b"another request")
        call = replace(call, entry=entry)
        self.expect(self.run(self.send(call)), call)

    @precondition(lambda self: self.calls)
    @rule(data=st.data(), is_same_request=mostly)
    def look_up(self, data: st.DataObject, is_same_request: bool) -> None:
        call = data.draw(st.sampled_from(self.calls))
        key = call.entry.idempotency_key
        request_hash = call.entry.request_hash if is_same_request else b"another request"
        if key is not None:
            found = self.run(self.store.answer_to(call.table, key, request_hash))
            model = self.tables.get(call.table)
            assert found == (model.answer_to(key, request_hash) if model else None)

    @rule(data=st.data(), at=st.lists(tables, min_size=2, max_size=4))
    def append_at_once(self, data: st.DataObject, at: list[str]) -> None:
        """Append concurrently; the store serves the calls in order."""
        calls = [self.some_call(data, table) for table in at]

        async def send_all() -> list[AppendResult]:
            return await asyncio.gather(*map(self.send, calls))

        for result, call in zip(self.run(send_all()), calls, strict=True):
            self.expect(result, call)

    @rule(table=tables, data=st.data(), has_begun=mostly)
    def append_cancelled(self, table: str, data: st.DataObject, has_begun: bool) -> None:
        """Cancel a caller, which cannot know whether its append took effect; repeating it tells."""
        call = self.some_call(data, table)
        if call.entry.idempotency_key is None:
            return

        async def cancel_and_repeat() -> AppendResult:
            task = asyncio.ensure_future(self.send(call))
            if has_begun:
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            return await self.send(call)

        result = self.run(cancel_and_repeat())
        expected = self.expected_result(call)
        assert result == expected or (isinstance(expected, Appended) and result == Known(call.entry.answer))

    # Reading

    @rule(table=tables, data=st.data())
    def archive(self, table: str, data: st.DataObject) -> None:
        fence = self.some_fence(data, table)
        assert self.run(self.store.archive(table, fence)) == self.owns(table, fence)

    @rule(table=tables, after=st.integers(0, 6), limit=st.integers(1, 3))
    def read_on(self, table: str, after: int, limit: int) -> None:
        log = self.tables[table].log if table in self.tables else []
        assert self.run(self.store.read(table, after, limit)) == log[after : after + limit]

    @rule(table=tables, name=tables, compact=st.booleans())
    def restore_from_copy(self, table: str, name: str, compact: bool) -> None:
        """Create a table from the copy of another one, or of itself, which is refused."""
        copied = self.run(self.store.copy(table))
        assert (copied is None) == (table not in self.tables)
        if copied is None:
            return
        assert self.run(self.store.restore(replace(copied, table=name), compact=compact)) == (name not in self.tables)
        if name not in self.tables:
            model = self.tables[name] = copy.deepcopy(self.tables[table])
            model.owner, model.leased_until = None, 0.0
            self.fences[name] += model.claims
            self.positions[name] += model.positions()

    # Failures

    @rule()
    def restart(self) -> None:
        self.run(self.home.restart())
        if self.home.leases_end_with_a_restart:
            self.end_leases()

    @rule()
    def keep_copy(self) -> None:
        self.run(self.home.keep_copy())
        self.copy = copy.deepcopy(self.tables)

    @precondition(lambda self: self.copy is not None)
    @rule()
    def restore_copy(self) -> None:
        self.run(self.home.restore_copy())
        assert self.copy is not None
        self.tables = copy.deepcopy(self.copy)
        # Whether the copy has leases depends on the store; let all of them expire.
        self.home.clock.now += MAX_LEASE + 1
        self.end_leases()

    # Invariants

    @invariant()
    def every_table_equals_its_model(self) -> None:
        self.run(self.compare())

    async def compare(self) -> None:
        await asyncio.gather(*map(self.compare_table, TABLES), *map(self.compare_list, (None, *PHASES)))

    async def compare_table(self, table: str) -> None:
        model = self.tables.get(table)
        log, head = await asyncio.gather(self.store.read(table), self.store.head(table))
        if model is None:
            assert (log, head, await self.store.copy(table)) == ([], None, None)
            return
        assert (log, head) == (model.log, model.end())
        copied = await self.store.copy(table)
        assert copied == TableCopy(
            table, model.phase, model.summary, model.updated, len(model.claims), model.log, model.answers
        )
        # Entries are numbered from 1 without a gap, and their heads form the hash chain.
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        assert [entry.head for entry in log] == heads([entry.payload for entry in log])
        # No entry of an earlier owner comes after one of a later owner.
        owners = [["", *model.claims].index(entry.fence) for entry in log]
        assert owners == sorted(owners)
        if model.owner is not None and self.now < model.leased_until:
            assert await self.store.claim(table, "intruder", 1) == Held(model.worker)
        stale = next(fence for fence in reversed(self.fences[table]) if fence != model.owner)
        assert await self.store.renew({table: stale}, 1) == {table}

    async def compare_list(self, phase: str | None) -> None:
        rows = [model.row(table) for table, model in self.tables.items() if phase in (None, model.phase)]
        assert await self.store.tables(phase) == sorted(rows, key=lambda row: (-row.updated, row.table))
        names = [row.table for row in rows]
        if phase is None:
            assert await self.store.names() == sorted(names)
        assert sorted(await self.store.rows([*names, "no such table"]), key=lambda row: row.table) == sorted(
            rows, key=lambda row: row.table
        )

    # Drawn arguments and expected results

    def some_fence(self, data: st.DataObject, table: str) -> str:
        """Return mostly the current fencing token; else an earlier one, or one that shares only the epoch."""
        remembered = self.fences[table]
        model = self.tables.get(table)
        if model is not None and model.owner is not None and data.draw(mostly):
            return model.owner
        twin = f"{epoch(remembered[-1])}.twin"
        return data.draw(st.sampled_from([twin, *remembered]))

    def some_position(self, data: st.DataObject, table: str) -> Position:
        """Return mostly the end; else a position that was in the log once, or one with a wrong head."""
        model = self.tables.get(table)
        end = model.end() if model else Position(0, bytes(32))
        if data.draw(mostly):
            return end
        return data.draw(st.sampled_from([Position(end.seq, b"?" * 32), *self.positions[table]]))

    def some_call(self, data: st.DataObject, table: str) -> AppendCall:
        self.find_an_owner(data, table)
        expected = self.some_position(data, table)
        number = data.draw(st.integers(-2, 15))
        entry = NewEntry(
            data.draw(payloads),
            f"command {number}" if number >= 0 else None,
            data.draw(st.sampled_from((b"one request", b"other request"))),
            f"answer {len(self.calls)}".encode(),
            data.draw(st.sampled_from((None, b"changed"))),
            data.draw(st.sampled_from((None, *PHASES))),
        )
        call = AppendCall(table, self.some_fence(data, table), expected, entry)
        self.calls.append(call)
        return call

    def find_an_owner(self, data: st.DataObject, table: str) -> None:
        """Mostly create and claim the table first, since appends without an owner test little."""
        if table not in self.tables and data.draw(mostly):
            self.create(table, PHASES[0], [])
        if table in self.tables and self.tables[table].owner is None and data.draw(mostly):
            self.claim(table, "ann", 1)

    async def send(self, call: AppendCall) -> AppendResult:
        return await self.store.append(call.table, call.fence, call.expected, call.entry)

    def expected_result(self, call: AppendCall) -> AppendResult:
        """Return what the store must return, change the model with it, and remember the new position."""
        model = self.tables.get(call.table)
        if model is None:
            return Fenced()
        result = model.append(call, self.now)
        if isinstance(result, Appended):
            self.positions[call.table].append(model.end())
        return result

    def expect(self, result: AppendResult, call: AppendCall) -> None:
        assert result == self.expected_result(call)

    def owns(self, table: str, fence: str) -> bool:
        return table in self.tables and self.tables[table].owner == fence

    def end_leases(self) -> None:
        for model in self.tables.values():
            model.leased_until = self.now


class KeyValueMachine(BackendMachine):
    """Values that expire, are replaced, and can be taken once."""

    kinds = st.sampled_from(KINDS)
    keys = st.sampled_from(("a", "ab", "ä"))
    values = st.binary(max_size=2)
    lifetimes = st.sampled_from((None, 1, 2))

    def __init__(self) -> None:
        super().__init__()
        self.model: dict[tuple[str, str], tuple[bytes, float | None]] = {}

    @rule(kind=kinds, key=keys, value=values, lifetime=lifetimes)
    def put(self, kind: str, key: str, value: bytes, lifetime: int | None) -> None:
        self.run(self.store.key_values.put(kind, key, value, self.expiry(lifetime)))
        self.model[kind, key] = (value, self.expiry(lifetime))

    @rule(kind=kinds, key=keys, value=values, lifetime=lifetimes)
    def put_if_absent(self, kind: str, key: str, value: bytes, lifetime: int | None) -> None:
        is_new = self.run(self.store.key_values.put_if_absent(kind, key, value, self.expiry(lifetime)))
        assert is_new == (self.current(kind, key) is None)
        if is_new:
            self.model[kind, key] = (value, self.expiry(lifetime))

    @rule(kind=kinds, key=keys, expected=values, value=values, lifetime=lifetimes)
    def replace(self, kind: str, key: str, expected: bytes, value: bytes, lifetime: int | None) -> None:
        is_stored = self.run(self.store.key_values.replace(kind, key, expected, value, self.expiry(lifetime)))
        assert is_stored == (self.current(kind, key) == expected)
        if is_stored:
            self.model[kind, key] = (value, self.expiry(lifetime))

    @rule(kind=kinds, key=keys, lifetime=lifetimes)
    def replace_twice_at_once(self, kind: str, key: str, lifetime: int | None) -> None:
        present = self.current(kind, key)
        if present is None:
            return
        expires = self.expiry(lifetime)

        async def race() -> list[bool]:
            replace = self.store.key_values.replace
            return await asyncio.gather(*(replace(kind, key, present, present + b"+", expires) for _ in range(2)))

        assert self.run(race()) == [True, False]
        self.model[kind, key] = (present + b"+", expires)

    @rule(kind=kinds, key=keys)
    def take_twice_at_once(self, kind: str, key: str) -> None:
        async def race() -> list[bytes | None]:
            return await asyncio.gather(*(self.store.key_values.take(kind, key) for _ in range(2)))

        assert self.run(race()) == [self.current(kind, key), None]
        self.model.pop((kind, key), None)

    @rule(kind=kinds, key=keys)
    def delete(self, kind: str, key: str) -> None:
        assert self.run(self.store.key_values.delete(kind, key)) == (self.current(kind, key) is not None)
        self.model.pop((kind, key), None)

    @rule(passed=st.integers(1, 2))
    def time_passes(self, passed: int) -> None:
        self.home.clock.now += passed

    @invariant()
    def every_value_equals_its_model(self) -> None:
        self.run(self.compare())

    async def compare(self) -> None:
        # Find before get: a get may delete expired values.
        await self.compare_pages()
        await asyncio.gather(*itertools.starmap(self.compare_found, itertools.product(KINDS, ("", "a", "ab", "b"))))
        await asyncio.gather(*(self.compare_one(kind, key) for kind, key in self.model))

    async def compare_found(self, kind: str, prefix: str) -> None:
        current = [(key, self.current(kind, key)) for each_kind, key in sorted(self.model) if each_kind == kind]
        expected = [(key, value) for key, value in current if value is not None and key.startswith(prefix)]
        assert await self.store.key_values.find(kind, prefix) == expected

    async def compare_pages(self) -> None:
        kinds = await self.store.key_values.kinds()
        assert kinds == sorted(kinds)
        current = {(kind, key): self.current(kind, key) for kind, key in self.model}
        assert {kind for (kind, _), value in current.items() if value is not None} <= set(kinds)
        for kind in KINDS:
            found: list[KeyValue] = []
            while page := await self.store.key_values.page(kind, found[-1].key if found else "", 2):
                assert len(page) <= 2
                assert page[0] not in found
                found += page
            expected = [
                KeyValue(key, *self.model[kind, key])
                for each_kind, key in sorted(self.model)
                if each_kind == kind and current[kind, key] is not None
            ]
            assert found == expected

    async def compare_one(self, kind: str, key: str) -> None:
        assert await self.store.key_values.get(kind, key) == self.current(kind, key)

    def expiry(self, lifetime: int | None) -> float | None:
        return None if lifetime is None else self.now + lifetime

    def current(self, kind: str, key: str) -> bytes | None:
        value, expires_at = self.model.get((kind, key), (None, None))
        return value if expires_at is None or self.now < expires_at else None


def epoch(fence: str) -> int:
    return int(fence.split(".", maxsplit=1)[0])
