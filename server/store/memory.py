"""A store in memory, for tests; also the simplest implementation of the contract to read.

Nothing is durable: its data ends with the process.
"""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .api import (
    GENESIS,
    Appended,
    AppendResult,
    Claimed,
    Conflict,
    Created,
    Exists,
    Fenced,
    Held,
    KeyValue,
    KeyValueStore,
    Known,
    LogEntry,
    Missing,
    NewEntry,
    Position,
    Reused,
    Rewound,
    StorageFailed,
    TableCopy,
    TableRow,
    chain,
    chained,
    end_of,
    verified,
)
from .games_api import GameIndex
from .memory_games import MemoryGameIndex


@dataclass(slots=True)
class _Command:
    request_hash: bytes
    answer: bytes


@dataclass(slots=True)
class _Table:
    phase: str
    summary: bytes
    updated: float
    entries: list[LogEntry] = field(default_factory=list)
    commands: dict[str, _Command] = field(default_factory=dict)
    epoch: int = 0
    fence: str | None = None
    worker: str = ""
    leased_until: float = 0.0

    def end(self) -> Position:
        return end_of(self.entries)

    def head_at(self, seq: int) -> bytes | None:
        if seq == 0:
            return GENESIS
        return self.entries[seq - 1].head if 0 < seq <= len(self.entries) else None

    def answer_to(self, idempotency_key: str, request_hash: bytes) -> Known | Reused | None:
        known = self.commands.get(idempotency_key)
        if known is None:
            return None
        return Known(known.answer) if known.request_hash == request_hash else Reused()

    def write(self, fence: str, payload: bytes) -> None:
        end = self.end()
        seq = end.seq + 1
        self.entries.append(LogEntry(seq, chain(end.head, seq, payload), fence, payload))


class MemoryStore:
    """A TableStore in memory. `monotonic` times leases; `wall` dates tables and expires key-value pairs."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._monotonic = monotonic
        self._wall = wall
        self._tables: dict[str, _Table] = {}
        self._key_values = MemoryKeyValueStore(wall)
        self._games = MemoryGameIndex(self._finished)
        self._closed = False

    @property
    def key_values(self) -> KeyValueStore:
        return self._key_values

    @property
    def games(self) -> GameIndex:
        return self._games

    async def create(self, table: str, phase: str, summary: bytes, payloads: Sequence[bytes] = ()) -> Created | Exists:
        if table in self._open_tables():
            return Exists()
        row = self._tables[table] = _Table(phase, summary, self._wall())
        row.entries = chained(("", payload) for payload in payloads)
        end = row.end()
        return Created(end.seq, end.head)

    async def tables(self, phase: str | None = None) -> list[TableRow]:
        rows = [
            TableRow(name, row.phase, row.summary, len(row.entries), row.updated)
            for name, row in self._open_tables().items()
            if phase is None or row.phase == phase
        ]
        return sorted(rows, key=lambda row: (-row.updated, row.table))

    async def rows(self, tables: Sequence[str]) -> list[TableRow]:
        return [row for row in await self.tables() if row.table in tables]

    async def claim(
        self, table: str, worker: str, ttl_seconds: float, dead_worker: str = ""
    ) -> Claimed | Held | Missing:
        row = self._open_tables().get(table)
        if row is None:
            return Missing()
        now = self._monotonic()
        if row.fence is not None and now < row.leased_until and row.worker != dead_worker:
            return Held(row.worker)
        row.epoch += 1
        row.fence = f"{row.epoch}.{secrets.token_hex(8)}"
        row.worker = worker
        row.leased_until = now + ttl_seconds
        end = row.end()
        return Claimed(row.fence, end.seq, end.head)

    async def renew(self, fences: Mapping[str, str], ttl_seconds: float) -> frozenset[str]:
        until = self._monotonic() + ttl_seconds
        not_owned = set()
        for table, fence in fences.items():
            row = self._open_tables().get(table)
            if row is None or row.fence != fence:
                not_owned.add(table)
            else:
                row.leased_until = until
        return frozenset(not_owned)

    async def release(self, table: str, fence: str) -> bool:
        row = self._open_tables().get(table)
        if row is None or row.fence != fence:
            return False
        row.fence = None
        return True

    async def append(self, table: str, fence: str, expected: Position, entry: NewEntry) -> AppendResult:
        row = self._open_tables().get(table)
        if row is None:
            return Fenced()
        key = entry.idempotency_key
        if key is not None and (known := row.answer_to(key, entry.request_hash)):
            return known
        if row.fence != fence:
            return Fenced()
        end = row.end()
        if row.head_at(expected.seq) != expected.head:
            return Rewound(end.seq, end.head)
        if end.seq != expected.seq:
            return Conflict(end.seq, end.head)
        row.write(fence, entry.payload)
        if key is not None:
            row.commands[key] = _Command(entry.request_hash, entry.answer)
        row.summary = row.summary if entry.summary is None else entry.summary
        row.phase = row.phase if entry.phase is None else entry.phase
        row.updated = self._wall()
        end = row.end()
        return Appended(end.seq, end.head)

    async def answer_to(self, table: str, idempotency_key: str, request_hash: bytes) -> Known | Reused | None:
        row = self._open_tables().get(table)
        return None if row is None else row.answer_to(idempotency_key, request_hash)

    async def read(self, table: str, after: int = 0, limit: int = 1000) -> list[LogEntry]:
        row = self._open_tables().get(table)
        head = None if row is None else row.head_at(after)
        if row is None or head is None:
            return []
        return verified(table, Position(after, head), row.end(), limit, row.entries[after : after + limit])

    async def head(self, table: str) -> Position | None:
        row = self._open_tables().get(table)
        return None if row is None else row.end()

    async def archive(self, table: str, fence: str) -> bool:
        row = self._open_tables().get(table)
        return row is not None and row.fence == fence

    async def names(self) -> list[str]:
        return sorted(self._open_tables())

    async def copy(self, table: str) -> TableCopy | None:
        row = self._open_tables().get(table)
        if row is None:
            return None
        answers = {key: (known.request_hash, known.answer) for key, known in row.commands.items()}
        return TableCopy(table, row.phase, row.summary, row.updated, row.epoch, list(row.entries), answers)

    async def restore(self, copy: TableCopy, *, compact: bool = False) -> bool:
        if copy.table in self._open_tables():
            return False
        row = _Table(copy.phase, copy.summary, copy.updated, list(copy.entries), epoch=copy.epoch)
        row.commands = {key: _Command(*known) for key, known in copy.answers.items()}
        self._tables[copy.table] = row
        return True

    async def close(self) -> None:
        self._closed = True
        self._key_values.close()

    def _finished(self) -> list[str]:
        rows = [(row.updated, name) for name, row in self._open_tables().items() if row.phase == "over"]
        return [name for _, name in sorted(rows)]

    def _open_tables(self) -> dict[str, _Table]:
        if self._closed:
            raise StorageFailed("The store is closed.")
        return self._tables


class MemoryKeyValueStore:
    """A KeyValueStore in a dictionary, as (value, expires_at)."""

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall
        self._values: dict[tuple[str, str], tuple[bytes, float | None]] = {}
        self._closed = False

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        self._delete_if_expired(kind, key)
        self._values[kind, key] = (value, expires_at)

    async def put_if_absent(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        self._delete_if_expired(kind, key)
        return self._values.setdefault((kind, key), new := (value, expires_at)) is new

    async def replace(
        self, kind: str, key: str, expected: bytes, value: bytes, expires_at: float | None = None
    ) -> bool:
        self._delete_if_expired(kind, key)
        found = self._values.get((kind, key))
        is_expected = found is not None and found[0] == expected
        if is_expected:
            self._values[kind, key] = value, expires_at
        return is_expected

    async def get(self, kind: str, key: str) -> bytes | None:
        self._delete_if_expired(kind, key)
        found = self._values.get((kind, key))
        return None if found is None else found[0]

    async def take(self, kind: str, key: str) -> bytes | None:
        self._delete_if_expired(kind, key)
        found = self._values.pop((kind, key), None)
        return None if found is None else found[0]

    async def delete(self, kind: str, key: str) -> bool:
        return await self.take(kind, key) is not None

    async def find(self, kind: str, prefix: str = "") -> list[tuple[str, bytes]]:
        keys = sorted(key for each_kind, key in self._values if each_kind == kind and key.startswith(prefix))
        for key in keys:
            self._delete_if_expired(kind, key)
        return [(key, self._values[kind, key][0]) for key in keys if (kind, key) in self._values]

    async def kinds(self) -> list[str]:
        return sorted({kind for kind, _ in self._values})

    async def page(self, kind: str, after: str = "", limit: int = 1000) -> list[KeyValue]:
        found = await self.find(kind)
        return [KeyValue(key, value, self._values[kind, key][1]) for key, value in found if key > after][:limit]

    def close(self) -> None:
        self._closed = True

    def _delete_if_expired(self, kind: str, key: str) -> None:
        if self._closed:
            raise StorageFailed("The store is closed.")
        _, expires_at = self._values.get((kind, key), (b"", None))
        if expires_at is not None and expires_at <= self._wall():
            del self._values[kind, key]
