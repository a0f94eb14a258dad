"""Stores that mark in a recording which writes were submitted and which were acknowledged, in exact order.

A write is marked before it is handed to the store, in the order in which the store carries writes out, and again when
the store has acknowledged it. So the state on the disk must always be the one after some number of submitted writes,
and that number must be at least that of the last acknowledged one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import msgpack

from server.store.api import (
    Appended,
    AppendResult,
    Created,
    Exists,
    KeyValue,
    KeyValueStore,
    NewEntry,
    Position,
    TableStore,
    chain,
    chained,
)
from server.store.sqlite import SqliteStore
from tests.faults.power_recording import MARKS

Mark = Callable[[list[Any]], None]


def marks_in(folder: Path) -> Mark:
    """Return a function that writes marks into the recorded folder of this process."""
    file = os.open(folder / MARKS, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    return lambda mark: _write(file, mark)


def _write(file: int, mark: list[Any]) -> None:
    os.write(file, msgpack.packb(mark))


class Submissions:
    """Numbers the writes of this process."""

    def __init__(self, mark: Mark) -> None:
        self._mark = mark
        self._count = 0

    def submitted(self, *write: Any) -> int:
        self._count += 1
        self._mark(["submitted", self._count, list(write)])
        return self._count

    def acknowledged(self, number: int, *, has_effect: bool) -> None:
        self._mark(["acknowledged", number, has_effect])


class MarkingStore:
    """A TableStore around another one."""

    def __init__(self, store: TableStore, mark: Mark) -> None:
        self._store = store
        self._submissions = Submissions(mark)
        self._key_values = MarkingKeyValueStore(store.key_values, self._submissions)

    def __getattr__(self, name: str) -> Any:
        # Whatever changes neither a log nor a key-value pair is not marked.
        return getattr(self._store, name)

    @property
    def key_values(self) -> KeyValueStore:
        return self._key_values

    async def create(self, table: str, phase: str, summary: bytes, payloads: Sequence[bytes] = ()) -> Created | Exists:
        heads = [entry.head for entry in chained(("", payload) for payload in payloads)]
        number = self._submissions.submitted("create", table, heads)
        result = await self._store.create(table, phase, summary, payloads)
        self._submissions.acknowledged(number, has_effect=isinstance(result, Created))
        return result

    async def append(self, table: str, fence: str, expected: Position, entry: NewEntry) -> AppendResult:
        seq = expected.seq + 1
        head = chain(expected.head, seq, entry.payload)
        number = self._submissions.submitted(
            "append", table, seq, head, entry.idempotency_key, entry.request_hash, entry.answer
        )
        result = await self._store.append(table, fence, expected, entry)
        self._submissions.acknowledged(number, has_effect=isinstance(result, Appended))
        return result


class MarkingKeyValueStore:
    """A KeyValueStore around another one."""

    def __init__(self, key_values: KeyValueStore, submissions: Submissions) -> None:
        self._key_values = key_values
        self._submissions = submissions

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        number = self._submissions.submitted("put", kind, key, value)
        await self._key_values.put(kind, key, value, expires_at)
        self._submissions.acknowledged(number, has_effect=True)

    async def put_if_absent(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        number = self._submissions.submitted("put_if_absent", kind, key, value)
        is_stored = await self._key_values.put_if_absent(kind, key, value, expires_at)
        self._submissions.acknowledged(number, has_effect=is_stored)
        return is_stored

    async def replace(
        self, kind: str, key: str, expected: bytes, value: bytes, expires_at: float | None = None
    ) -> bool:
        number = self._submissions.submitted("put", kind, key, value)
        is_stored = await self._key_values.replace(kind, key, expected, value, expires_at)
        self._submissions.acknowledged(number, has_effect=is_stored)
        return is_stored

    async def take(self, kind: str, key: str) -> bytes | None:
        number = self._submissions.submitted("take", kind, key)
        value = await self._key_values.take(kind, key)
        self._submissions.acknowledged(number, has_effect=True)
        return value

    async def delete(self, kind: str, key: str) -> bool:
        return await self.take(kind, key) is not None

    async def get(self, kind: str, key: str) -> bytes | None:
        return await self._key_values.get(kind, key)

    async def find(self, kind: str, prefix: str = "") -> list[tuple[str, bytes]]:
        return await self._key_values.find(kind, prefix)

    async def page(self, kind: str, after: str = "", limit: int = 1000) -> list[KeyValue]:
        return await self._key_values.page(kind, after, limit)


class MarkingSqliteStore(MarkingStore):
    """A file, opened like a SqliteStore, with marks in its folder."""

    @classmethod
    async def open(cls, path: Path, *arguments: Any) -> Self:
        mark = marks_in(path.parent)
        store = await SqliteStore.open(path, *arguments)
        values = await store._commits.read(lambda db: db.execute("SELECT kind, key, value FROM records").fetchall())
        mark(["opened", {row.table: row.seq for row in await store.tables()}, values])
        return cls(store, mark)
