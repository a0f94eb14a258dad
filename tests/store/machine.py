"""The contract of a store as machines that do anything in any order, and compare with a model after every step.

Owners that were replaced go on trying, answers get lost and commands are repeated, callers are cancelled, leases run
out, the store is killed, or goes back to an older copy while its users remember what was lost.
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
    Known,
    Missing,
    Position,
    Snapshot,
    TableStore,
)
from tests.store.backends import Backend
from tests.store.model import Intent, TableModel, heads

TABLES = ("alpha", "beta")
PHASES = ("open", "running", "over")
MAX_LEASE = 3
KINDS = ("session", "user")

Result = TypeVar("Result")

tables = st.sampled_from(("alpha", "alpha", "beta"))  # one of them busy, one to be mixed up with it
workers = st.sampled_from(("ann", "bob"))
seconds = st.integers(1, MAX_LEASE)
payloads = st.lists(st.binary(min_size=1, max_size=2), min_size=1, max_size=3).map(tuple)
mostly = st.integers(0, 3).map(bool)  # true three times in four


class BackendMachine(RuleBasedStateMachine):
    """A store that is opened at the start and removed at the end."""

    backend: ClassVar[Callable[[], Backend]]

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.home = type(self).backend()
        self.run(self.home.start())

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run_until_complete(coroutine)

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
    """Tables, their owners, their logs and snapshots."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, TableModel] = {}
        self.copy: dict[str, TableModel] | None = None
        # What people remember, whatever became of it.
        self.fences: dict[str, list[str]] = {table: ["1.nobody"] for table in TABLES}
        self.positions: dict[str, list[Position]] = {table: [Position(0, bytes(32))] for table in TABLES}
        self.intents: list[Intent] = []

    # Tables and owners

    @rule(table=tables, phase=st.sampled_from(PHASES), events=st.one_of(st.just(()), payloads))
    def create(self, table: str, phase: str, events: tuple[bytes, ...]) -> None:
        result = self.run(self.store.create(table, phase, b"new", events))
        if table in self.tables:
            assert result == Exists()
            return
        made = self.tables[table] = TableModel(phase, b"new", self.now)
        made.grow("", events)
        assert result == Created(made.end().seq, made.end().head)

    @rule(table=tables, worker=workers, ttl_seconds=seconds)
    def claim(self, table: str, worker: str, ttl_seconds: int) -> None:
        result = self.run(self.store.claim(table, worker, ttl_seconds))
        model = self.tables.get(table)
        if model is None:
            assert result == Missing()
            return
        if model.owner is not None and self.now < model.leased_until:
            assert result == Held(model.worker)
            return
        assert isinstance(result, Claimed)
        assert Position(result.seq, result.head) == model.end()
        # I2: epochs increase by one in what is left of the past; a fence is never seen twice, not even after a loss.
        assert epoch(result.fence) == len(model.claims) + 1
        assert result.fence not in self.fences[table]
        model.claims.append(result.fence)
        model.owner, model.worker, model.leased_until = result.fence, worker, self.now + ttl_seconds
        self.fences[table].append(result.fence)

    @rule(table=tables, worker=workers)
    def take_over(self, table: str, worker: str) -> None:
        """A lease runs out, and at that very moment the table is claimed; the old owner goes on as before."""
        if table in self.tables:
            self.home.clock.now = max(self.now, self.tables[table].leased_until)
            self.claim(table, worker, 1)

    @rule(wanted=st.sets(tables), ttl_seconds=seconds, data=st.data())
    def renew(self, wanted: set[str], ttl_seconds: int, data: st.DataObject) -> None:
        fences = {table: self.some_fence(data, table) for table in sorted(wanted)}
        lost = self.run(self.store.renew(fences, ttl_seconds))
        assert lost == {table for table, fence in fences.items() if not self.owns(table, fence)}
        for table in fences.keys() - lost:
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
        intent = self.some_intent(data, table)
        self.expect(self.run(self.ask(intent)), intent)

    @precondition(lambda self: self.intents)
    @rule(data=st.data(), is_same_request=mostly, is_by_owner=st.booleans())
    def repeat(self, data: st.DataObject, is_same_request: bool, is_by_owner: bool) -> None:
        """An answer was lost, or an id is used again; the one who asks may be the old owner or the new one."""
        intent = data.draw(st.sampled_from(self.intents))
        model = self.tables.get(intent.table)
        if is_by_owner and model is not None and model.owner is not None:
            intent = intent.by(model.owner, model.end())
        # Were the command carried out again, the new answer would show it.
        intent = replace(intent, answer=b"another answer")
        if not is_same_request:
            intent = replace(intent, request_hash=b"another request")
        self.expect(self.run(self.ask(intent)), intent)

    @precondition(lambda self: self.intents)
    @rule(data=st.data(), is_same_request=mostly)
    def look_up(self, data: st.DataObject, is_same_request: bool) -> None:
        intent = data.draw(st.sampled_from(self.intents))
        request_hash = intent.request_hash if is_same_request else b"another request"
        if intent.command_id is not None:
            found = self.run(self.store.answer_to(intent.table, intent.command_id, request_hash))
            model = self.tables.get(intent.table)
            assert found == (model.answer_to(intent.command_id, request_hash) if model else None)

    @rule(data=st.data(), at=st.lists(tables, min_size=2, max_size=4))
    def append_at_once(self, data: st.DataObject, at: list[str]) -> None:
        """Several ask without waiting for each other; they are served in the order in which they asked."""
        intents = [self.some_intent(data, table) for table in at]

        async def ask_all() -> list[AppendResult]:
            return await asyncio.gather(*map(self.ask, intents))

        for result, intent in zip(self.run(ask_all()), intents, strict=True):
            self.expect(result, intent)

    @rule(table=tables, data=st.data(), has_begun=mostly)
    def append_cancelled(self, table: str, data: st.DataObject, has_begun: bool) -> None:
        """A caller is cancelled and cannot know whether its append took place; asking again tells."""
        intent = self.some_intent(data, table)
        if intent.command_id is None:
            return

        async def cancel_and_ask_again() -> AppendResult:
            task = asyncio.ensure_future(self.ask(intent))
            if has_begun:
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            return await self.ask(intent)

        result = self.run(cancel_and_ask_again())
        expected = self.judge(intent)
        assert result == expected or (isinstance(expected, Appended) and result == Known(intent.answer))

    # Snapshots and reading

    @rule(table=tables, data=st.data(), version=st.sampled_from(("1", "2")), blob=st.binary(max_size=2))
    def put_snapshot(self, table: str, data: st.DataObject, version: str, blob: bytes) -> None:
        self.find_an_owner(data, table)
        fence = self.some_fence(data, table)
        seen = self.some_position(data, table)
        is_kept = self.run(self.store.put_snapshot(table, fence, seen.seq, seen.head, version, blob))
        assert is_kept == (self.owns(table, fence) and seen in self.tables[table].positions())
        if is_kept:
            self.tables[table].snapshot = Snapshot(seen.seq, seen.head, version, blob)

    @rule(table=tables, data=st.data())
    def archive(self, table: str, data: st.DataObject) -> None:
        fence = self.some_fence(data, table)
        assert self.run(self.store.archive(table, fence)) == self.owns(table, fence)
        if self.owns(table, fence):
            self.tables[table].snapshot = None

    @rule(table=tables, after=st.integers(0, 6), limit=st.integers(1, 3))
    def read_on(self, table: str, after: int, limit: int) -> None:
        log = self.tables[table].log if table in self.tables else []
        assert self.run(self.store.read(table, after, limit)) == log[after : after + limit]

    # Accidents

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
    def go_back(self) -> None:
        self.run(self.home.go_back())
        assert self.copy is not None
        self.tables = copy.deepcopy(self.copy)
        # Whether the copy knew of a lease depends on the store; after this nobody has one.
        self.home.clock.now += MAX_LEASE + 1
        self.end_leases()

    # What must hold after every step

    @invariant()
    def everything_is_as_it_should_be(self) -> None:
        self.run(self.compare())

    async def compare(self) -> None:
        await asyncio.gather(*map(self.compare_table, TABLES), *map(self.compare_list, (None, *PHASES)))

    async def compare_table(self, table: str) -> None:
        model = self.tables.get(table)
        log, head, snapshot = await asyncio.gather(
            self.store.read(table), self.store.head(table), self.store.snapshot(table)
        )
        if model is None:
            assert (log, head, snapshot) == ([], None, None)
            return
        assert (log, head, snapshot) == (model.log, model.end(), model.snapshot)
        # I1: numbered from 1 without a gap. I4: the heads are those of the chain.
        assert [event.seq for event in log] == list(range(1, len(log) + 1))
        assert [event.head for event in log] == heads([event.payload for event in log])
        # I3: who claimed later never writes before who claimed earlier.
        places = [["", *model.claims].index(event.fence) for event in log]
        assert places == sorted(places)
        if model.owner is not None and self.now < model.leased_until:
            assert await self.store.claim(table, "intruder", 1) == Held(model.worker)
        stale = next(fence for fence in reversed(self.fences[table]) if fence != model.owner)
        assert await self.store.renew({table: stale}, 1) == {table}

    async def compare_list(self, phase: str | None) -> None:
        rows = [model.row(table) for table, model in self.tables.items() if phase in (None, model.phase)]
        assert await self.store.tables(phase) == sorted(rows, key=lambda row: (-row.updated, row.table))

    # Drawing and judging

    def some_fence(self, data: st.DataObject, table: str) -> str:
        """Mostly the owner's; else one that somebody once had, or a twin that shares only the epoch."""
        remembered = self.fences[table]
        model = self.tables.get(table)
        if model is not None and model.owner is not None and data.draw(mostly):
            return model.owner
        twin = f"{epoch(remembered[-1])}.twin"
        return data.draw(st.sampled_from([twin, *remembered]))

    def some_position(self, data: st.DataObject, table: str) -> Position:
        """Mostly the end; else one that somebody once saw, or one with a head that never was."""
        model = self.tables.get(table)
        end = model.end() if model else Position(0, bytes(32))
        if data.draw(mostly):
            return end
        return data.draw(st.sampled_from([Position(end.seq, b"?" * 32), *self.positions[table]]))

    def some_intent(self, data: st.DataObject, table: str) -> Intent:
        self.find_an_owner(data, table)
        seen = self.some_position(data, table)
        number = data.draw(st.integers(-2, 15))
        intent = Intent(
            table,
            self.some_fence(data, table),
            seen.seq,
            seen.head,
            f"command {number}" if number >= 0 else None,
            data.draw(st.sampled_from((b"one request", b"other request"))),
            f"answer {len(self.intents)}".encode(),
            data.draw(payloads),
            data.draw(st.sampled_from((None, b"changed"))),
            data.draw(st.sampled_from((None, *PHASES))),
        )
        self.intents.append(intent)
        return intent

    def find_an_owner(self, data: st.DataObject, table: str) -> None:
        """Mostly spare a writer the boredom of a table without an owner."""
        if table not in self.tables and data.draw(mostly):
            self.create(table, PHASES[0], ())
        if table in self.tables and self.tables[table].owner is None and data.draw(mostly):
            self.claim(table, "ann", 1)

    async def ask(self, intent: Intent) -> AppendResult:
        return await self.store.append(
            intent.table,
            intent.fence,
            intent.expected_seq,
            intent.expected_head,
            intent.command_id,
            intent.request_hash,
            intent.answer,
            intent.events,
            intent.summary,
            intent.phase,
        )

    def judge(self, intent: Intent) -> AppendResult:
        """What must be answered (I5 among it); the model changes with it, and people remember."""
        model = self.tables.get(intent.table)
        if model is None:
            return Fenced()
        result = model.append(intent, self.now)
        if isinstance(result, Appended):
            self.positions[intent.table] += model.positions()[-len(intent.events) :]
        return result

    def expect(self, result: AppendResult, intent: Intent) -> None:
        assert result == self.judge(intent)

    def owns(self, table: str, fence: str) -> bool:
        return table in self.tables and self.tables[table].owner == fence

    def end_leases(self) -> None:
        for model in self.tables.values():
            model.leased_until = self.now


class RecordMachine(BackendMachine):
    """KeyValueStore, which expire, are replaced, and can be taken once."""

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
        assert is_new == (self.living(kind, key) is None)
        if is_new:
            self.model[kind, key] = (value, self.expiry(lifetime))

    @rule(kind=kinds, key=keys)
    def take_twice_at_once(self, kind: str, key: str) -> None:
        async def race() -> list[bytes | None]:
            return await asyncio.gather(*(self.store.key_values.take(kind, key) for _ in range(2)))

        assert self.run(race()) == [self.living(kind, key), None]
        self.model.pop((kind, key), None)

    @rule(kind=kinds, key=keys)
    def delete(self, kind: str, key: str) -> None:
        assert self.run(self.store.key_values.delete(kind, key)) == (self.living(kind, key) is not None)
        self.model.pop((kind, key), None)

    @rule(passed=st.integers(1, 2))
    def time_passes(self, passed: int) -> None:
        self.home.clock.now += passed

    @invariant()
    def every_record_is_as_it_should_be(self) -> None:
        self.run(self.compare())

    async def compare(self) -> None:
        # Finding comes first: a store may use a get to tidy up.
        await asyncio.gather(*itertools.starmap(self.compare_found, itertools.product(KINDS, ("", "a", "ab", "b"))))
        await asyncio.gather(*(self.compare_one(kind, key) for kind, key in self.model))

    async def compare_found(self, kind: str, prefix: str) -> None:
        living = [(key, self.living(kind, key)) for of_kind, key in sorted(self.model) if of_kind == kind]
        expected = [(key, value) for key, value in living if value is not None and key.startswith(prefix)]
        assert await self.store.key_values.find(kind, prefix) == expected

    async def compare_one(self, kind: str, key: str) -> None:
        assert await self.store.key_values.get(kind, key) == self.living(kind, key)

    def expiry(self, lifetime: int | None) -> float | None:
        return None if lifetime is None else self.now + lifetime

    def living(self, kind: str, key: str) -> bytes | None:
        value, expires_at = self.model.get((kind, key), (None, None))
        return value if expires_at is None or self.now < expires_at else None


def epoch(fence: str) -> int:
    return int(fence.split(".", maxsplit=1)[0])
