"""A store that lives and dies with its process: for tests, and the plainest account of what a store does."""

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
    KeyValueStore,
    Known,
    LogEntry,
    Missing,
    Position,
    Reused,
    Rewound,
    Snapshot,
    StorageFailed,
    TableRow,
    chain,
    checked,
)


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
    snapshot: Snapshot | None = None

    def end(self) -> Position:
        return Position(len(self.entries), self.entries[-1].head if self.entries else GENESIS)

    def head_at(self, seq: int) -> bytes | None:
        if seq == 0:
            return GENESIS
        return self.entries[seq - 1].head if 0 < seq <= len(self.entries) else None

    def answer_to(self, command_id: str, request_hash: bytes) -> Known | Reused | None:
        known = self.commands.get(command_id)
        if known is None:
            return None
        return Known(known.answer) if known.request_hash == request_hash else Reused()

    def write(self, fence: str, entries: Sequence[bytes]) -> Position:
        seq, head = len(self.entries), self.end().head
        for payload in entries:
            seq += 1
            head = chain(head, seq, payload)
            self.entries.append(LogEntry(seq, head, fence, payload))
        return self.end()


class MemoryStore:
    """A TableStore without a disk. `monotonic` times leases; `wall` dates tables and lets records expire."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._monotonic = monotonic
        self._wall = wall
        self._tables: dict[str, _Table] = {}
        self._key_values = MemoryKeyValueStore(wall)
        self._closed = False

    @property
    def key_values(self) -> KeyValueStore:
        return self._key_values

    async def create(self, table: str, phase: str, summary: bytes, entries: Sequence[bytes] = ()) -> Created | Exists:
        if table in self._open_tables():
            return Exists()
        row = self._tables[table] = _Table(phase, summary, self._wall())
        end = row.write("", entries)
        return Created(end.seq, end.head)

    async def tables(self, phase: str | None = None) -> list[TableRow]:
        rows = [
            TableRow(name, row.phase, row.summary, len(row.entries), row.updated)
            for name, row in self._open_tables().items()
            if phase is None or row.phase == phase
        ]
        return sorted(rows, key=lambda row: (-row.updated, row.table))

    async def claim(self, table: str, worker: str, ttl_seconds: float) -> Claimed | Held | Missing:
        row = self._open_tables().get(table)
        if row is None:
            return Missing()
        now = self._monotonic()
        if row.fence is not None and now < row.leased_until:
            return Held(row.worker)
        row.epoch += 1
        row.fence = f"{row.epoch}.{secrets.token_hex(8)}"
        row.worker = worker
        row.leased_until = now + ttl_seconds
        end = row.end()
        return Claimed(row.fence, end.seq, end.head)

    async def renew(self, fences: Mapping[str, str], ttl_seconds: float) -> frozenset[str]:
        until = self._monotonic() + ttl_seconds
        lost = set()
        for table, fence in fences.items():
            row = self._open_tables().get(table)
            if row is None or row.fence != fence:
                lost.add(table)
            else:
                row.leased_until = until
        return frozenset(lost)

    async def release(self, table: str, fence: str) -> bool:
        row = self._open_tables().get(table)
        if row is None or row.fence != fence:
            return False
        row.fence = None
        return True

    async def append(
        self,
        table: str,
        fence: str,
        expected_seq: int,
        expected_head: bytes,
        command_id: str | None,
        request_hash: bytes,
        answer: bytes,
        entries: Sequence[bytes],
        summary: bytes | None = None,
        phase: str | None = None,
    ) -> AppendResult:
        if not entries:
            raise ValueError("An append needs at least one event.")
        row = self._open_tables().get(table)
        if row is None:
            return Fenced()
        if command_id is not None and (known := row.answer_to(command_id, request_hash)):
            return known
        if row.fence != fence:
            return Fenced()
        end = row.end()
        if row.head_at(expected_seq) != expected_head:
            return Rewound(end.seq, end.head)
        if end.seq != expected_seq:
            return Conflict(end.seq, end.head)
        end = row.write(fence, entries)
        if command_id is not None:
            row.commands[command_id] = _Command(request_hash, answer)
        row.summary = row.summary if summary is None else summary
        row.phase = row.phase if phase is None else phase
        row.updated = self._wall()
        return Appended(end.seq, end.head)

    async def answer_to(self, table: str, command_id: str, request_hash: bytes) -> Known | Reused | None:
        row = self._open_tables().get(table)
        return None if row is None else row.answer_to(command_id, request_hash)

    async def read(self, table: str, after: int = 0, limit: int = 1000) -> list[LogEntry]:
        row = self._open_tables().get(table)
        head = None if row is None else row.head_at(after)
        if row is None or head is None:
            return []
        return checked(table, Position(after, head), row.end(), limit, row.entries[after : after + limit])

    async def head(self, table: str) -> Position | None:
        row = self._open_tables().get(table)
        return None if row is None else row.end()

    async def put_snapshot(self, table: str, fence: str, seq: int, head: bytes, version: str, blob: bytes) -> bool:
        row = self._open_tables().get(table)
        if row is None or row.fence != fence or row.head_at(seq) != head:
            return False
        row.snapshot = Snapshot(seq, head, version, blob)
        return True

    async def snapshot(self, table: str) -> Snapshot | None:
        row = self._open_tables().get(table)
        return None if row is None else row.snapshot

    async def archive(self, table: str, fence: str) -> bool:
        row = self._open_tables().get(table)
        if row is None or fence != row.fence:
            return False
        row.snapshot = None
        return True

    async def close(self) -> None:
        self._closed = True
        self._key_values.close()

    def _open_tables(self) -> dict[str, _Table]:
        if self._closed:
            raise StorageFailed("The store is closed.")
        return self._tables


class MemoryKeyValueStore:
    """KeyValueStore in a dictionary, as (value, expires_at)."""

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall
        self._key_values: dict[tuple[str, str], tuple[bytes, float | None]] = {}
        self._closed = False

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        self._forget_if_expired(kind, key)
        self._key_values[kind, key] = (value, expires_at)

    async def put_if_absent(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        self._forget_if_expired(kind, key)
        return self._key_values.setdefault((kind, key), record := (value, expires_at)) is record

    async def get(self, kind: str, key: str) -> bytes | None:
        self._forget_if_expired(kind, key)
        record = self._key_values.get((kind, key))
        return None if record is None else record[0]

    async def take(self, kind: str, key: str) -> bytes | None:
        self._forget_if_expired(kind, key)
        record = self._key_values.pop((kind, key), None)
        return None if record is None else record[0]

    async def delete(self, kind: str, key: str) -> bool:
        return await self.take(kind, key) is not None

    async def find(self, kind: str, prefix: str = "") -> list[tuple[str, bytes]]:
        keys = sorted(key for of_kind, key in self._key_values if of_kind == kind and key.startswith(prefix))
        for key in keys:
            self._forget_if_expired(kind, key)
        return [(key, self._key_values[kind, key][0]) for key in keys if (kind, key) in self._key_values]

    def close(self) -> None:
        self._closed = True

    def _forget_if_expired(self, kind: str, key: str) -> None:
        if self._closed:
            raise StorageFailed("The store is closed.")
        _, expires_at = self._key_values.get((kind, key), (b"", None))
        if expires_at is not None and expires_at <= self._wall():
            del self._key_values[kind, key]
