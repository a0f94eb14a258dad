"""The store of a server that is one process: one SQLite file, one connection, one thread.

Only this process has the file, so leases are kept in memory: whoever held one before a restart is dead. Fences are
in the file, so an owner from before, or a stale one inside this process, is refused all the same.
"""

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Self

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
    LogDamaged,
    LogEntry,
    Missing,
    Position,
    Reused,
    Rewound,
    Snapshot,
    TableRow,
    chain,
    checked,
)
from .database_file import Durability, open_database, write_backup
from .group_commit import GroupCommit
from .sqlite_key_value import SqliteKeyValueStore


class _Row(NamedTuple):
    number: int
    seq: int
    head: bytes
    epoch: int
    fence: str | None
    worker: str


class _Lease(NamedTuple):
    fence: str  # the lease counts only while this fence owns the table
    until: float


@dataclass(frozen=True, slots=True)
class _Append:
    table: str
    fence: str
    expected_seq: int
    expected_head: bytes
    command_id: str | None
    request_hash: bytes
    answer: bytes
    entries: tuple[bytes, ...]
    summary: bytes | None
    phase: str | None


class SqliteStore:
    """A TableStore in one file. Made by `open`; `close` must be awaited at the end."""

    def __init__(
        self, path: Path, commits: GroupCommit, monotonic: Callable[[], float], wall: Callable[[], float]
    ) -> None:
        self._path = path
        self._commits = commits
        self._monotonic = monotonic
        self._wall = wall
        self._leases: dict[str, _Lease] = {}
        self._numbers: dict[str, int] = {}
        """By which number the file knows a table; of those that somebody owns and has written to."""
        self._key_values = SqliteKeyValueStore(commits, wall)

    @classmethod
    async def open(
        cls,
        path: Path,
        durability: Durability = "full",
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> Self:
        """Open the file, making it if missing. Raises StoreUnusable with a sentence for the operator."""
        return cls(path, await GroupCommit.start(open_database(path, durability)), monotonic, wall)

    @property
    def key_values(self) -> KeyValueStore:
        return self._key_values

    async def create(self, table: str, phase: str, summary: bytes, entries: Sequence[bytes] = ()) -> Created | Exists:
        payloads = tuple(entries)

        def work(db: sqlite3.Connection) -> Created | Exists:
            if _find(db, table) is not None:
                return Exists()
            number = db.execute(
                "INSERT INTO tables (name, phase, about, seq, head, updated) VALUES (?, ?, ?, 0, ?, ?)",
                (table, phase, summary, GENESIS, self._wall()),
            ).lastrowid
            assert number is not None
            end = self._write(db, number, Position(0, GENESIS), "", payloads)
            return Created(end.seq, end.head)

        return await self._commits.write(work)

    async def tables(self, phase: str | None = None) -> list[TableRow]:
        def work(db: sqlite3.Connection) -> list[TableRow]:
            if phase is None:
                rows = db.execute("SELECT name, phase, about, seq, updated FROM tables ORDER BY updated DESC, name")
            else:
                rows = db.execute(
                    "SELECT name, phase, about, seq, updated FROM tables WHERE phase = ? ORDER BY updated DESC, name",
                    (phase,),
                )
            return [TableRow(*row) for row in rows]

        return await self._commits.read(work)

    async def claim(self, table: str, worker: str, ttl_seconds: float) -> Claimed | Held | Missing:
        def work(db: sqlite3.Connection) -> Claimed | Held | Missing:
            row = _find(db, table)
            if row is None:
                return Missing()
            now = self._monotonic()
            lease = self._leases.get(table)
            if lease is not None and lease.fence == row.fence and now < lease.until:
                return Held(row.worker)
            fence = f"{row.epoch + 1}.{secrets.token_hex(8)}"
            db.execute(
                "UPDATE tables SET epoch = epoch + 1, fence = ?, worker = ? WHERE number = ?",
                (fence, worker, row.number),
            )
            self._leases[table] = _Lease(fence, now + ttl_seconds)
            return Claimed(fence, row.seq, row.head)

        return await self._commits.write(work)

    async def renew(self, fences: Mapping[str, str], ttl_seconds: float) -> frozenset[str]:
        wanted = dict(fences)

        def work(db: sqlite3.Connection) -> frozenset[str]:
            until = self._monotonic() + ttl_seconds
            lost = set()
            for table, fence in wanted.items():
                row = _find(db, table)
                if row is None or row.fence != fence:
                    lost.add(table)
                else:
                    self._leases[table] = _Lease(fence, until)
            return frozenset(lost)

        return await self._commits.read(work)

    async def release(self, table: str, fence: str) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            row = _find(db, table)
            if row is None or row.fence != fence:
                return False
            db.execute("UPDATE tables SET fence = NULL WHERE number = ?", (row.number,))
            self._leases.pop(table, None)
            self._numbers.pop(table, None)
            return True

        return await self._commits.write(work)

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
        wanted = _Append(
            table,
            fence,
            expected_seq,
            expected_head,
            command_id,
            request_hash,
            answer,
            tuple(entries),
            summary,
            phase,
        )
        return await self._commits.write(lambda db: self._append(db, wanted))

    def _append(self, db: sqlite3.Connection, wanted: _Append) -> AppendResult:
        return self._append_straight(db, wanted) or self._append_carefully(db, wanted)

    def _append_straight(self, db: sqlite3.Connection, wanted: _Append) -> Appended | None:
        """Append without a look at the file, as goes well nearly always; None, and nothing written, if it does not."""
        number = self._numbers.get(wanted.table)
        if number is None or wanted.summary is not None or wanted.phase is not None:
            return None
        if wanted.command_id is not None:
            noted = db.execute(
                "INSERT OR IGNORE INTO commands (number, command_id, request_hash, answer) VALUES (?, ?, ?, ?)",
                (number, wanted.command_id, wanted.request_hash, wanted.answer),
            )
            if noted.rowcount == 0:
                return None
        entries = _chained(wanted.expected_seq, wanted.expected_head, wanted.entries)
        seq, head, _ = entries[-1]
        moved = db.execute(
            "UPDATE tables SET seq = ?, head = ?, updated = ? WHERE number = ? AND fence = ? AND seq = ? AND head = ?",
            (seq, head, self._wall(), number, wanted.fence, wanted.expected_seq, wanted.expected_head),
        )
        if moved.rowcount == 0:
            if wanted.command_id is not None:
                db.execute("DELETE FROM commands WHERE number = ? AND command_id = ?", (number, wanted.command_id))
            return None
        _insert(db, number, wanted.fence, entries)
        return Appended(seq, head)

    def _append_carefully(self, db: sqlite3.Connection, wanted: _Append) -> AppendResult:
        row = _find(db, wanted.table)
        if row is None:
            return Fenced()
        if wanted.command_id is not None:
            known = _answer_to(db, row, wanted.command_id, wanted.request_hash)
            if known is not None:
                return known
        if row.fence != wanted.fence:
            return Fenced()
        if _head_at(db, row, wanted.expected_seq) != wanted.expected_head:
            return Rewound(row.seq, row.head)
        if row.seq != wanted.expected_seq:
            return Conflict(row.seq, row.head)
        end = self._write(db, row.number, Position(row.seq, row.head), wanted.fence, wanted.entries)
        self._numbers[wanted.table] = row.number
        if wanted.command_id is not None:
            db.execute(
                "INSERT INTO commands (number, command_id, request_hash, answer) VALUES (?, ?, ?, ?)",
                (row.number, wanted.command_id, wanted.request_hash, wanted.answer),
            )
        if wanted.summary is not None:
            db.execute("UPDATE tables SET about = ? WHERE number = ?", (wanted.summary, row.number))
        if wanted.phase is not None:
            db.execute("UPDATE tables SET phase = ? WHERE number = ?", (wanted.phase, row.number))
        return Appended(end.seq, end.head)

    def _write(
        self, db: sqlite3.Connection, number: int, end: Position, fence: str, payloads: tuple[bytes, ...]
    ) -> Position:
        entries = _chained(end.seq, end.head, payloads)
        _insert(db, number, fence, entries)
        seq, head = entries[-1][:2] if entries else (end.seq, end.head)
        db.execute(
            "UPDATE tables SET seq = ?, head = ?, updated = ? WHERE number = ?", (seq, head, self._wall(), number)
        )
        return Position(seq, head)

    async def answer_to(self, table: str, command_id: str, request_hash: bytes) -> Known | Reused | None:
        def work(db: sqlite3.Connection) -> Known | Reused | None:
            row = _find(db, table)
            return None if row is None else _answer_to(db, row, command_id, request_hash)

        return await self._commits.read(work)

    async def read(self, table: str, after: int = 0, limit: int = 1000) -> list[LogEntry]:
        def work(db: sqlite3.Connection) -> list[LogEntry]:
            row = _find(db, table)
            if row is None or after >= row.seq:
                return []
            head = _head_at(db, row, after)
            if head is None:
                raise LogDamaged(table, after)
            return checked(
                table, Position(after, head), Position(row.seq, row.head), limit, _log_entries(db, row, after, limit)
            )

        return await self._commits.read(work)

    async def head(self, table: str) -> Position | None:
        def work(db: sqlite3.Connection) -> Position | None:
            row = _find(db, table)
            return None if row is None else Position(row.seq, row.head)

        return await self._commits.read(work)

    async def put_snapshot(self, table: str, fence: str, seq: int, head: bytes, version: str, blob: bytes) -> bool:
        snapshot = Snapshot(seq, head, version, blob)

        def work(db: sqlite3.Connection) -> bool:
            row = _find(db, table)
            if row is None or row.fence != fence or _head_at(db, row, seq) != head:
                return False
            db.execute(
                "INSERT OR REPLACE INTO snapshots (number, seq, head, version, blob, digest) VALUES (?, ?, ?, ?, ?, ?)",
                (row.number, seq, head, version, blob, _digest(snapshot)),
            )
            return True

        return await self._commits.write(work)

    async def snapshot(self, table: str) -> Snapshot | None:
        def work(db: sqlite3.Connection) -> Snapshot | None:
            row = _find(db, table)
            if row is None:
                return None
            stored = db.execute(
                "SELECT seq, head, version, blob, digest FROM snapshots WHERE number = ?", (row.number,)
            ).fetchone()
            if stored is None:
                return None
            snapshot = Snapshot(*stored[:4])
            is_whole = stored[4] == _digest(snapshot)
            return snapshot if is_whole and _head_at(db, row, snapshot.seq) == snapshot.head else None

        return await self._commits.read(work)

    async def archive(self, table: str, fence: str) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            row = _find(db, table)
            if row is None or row.fence != fence:
                return False
            db.execute("DELETE FROM snapshots WHERE number = ?", (row.number,))
            return True

        return await self._commits.write(work)

    async def backup(self, path: Path) -> None:
        """Copy the whole store to another file, which a store can be opened on. Appends wait meanwhile."""
        await self._commits.alone(lambda db: write_backup(db, self._path, path))

    async def close(self) -> None:
        await self._commits.close()


def _chained(seq: int, head: bytes, payloads: tuple[bytes, ...]) -> list[tuple[int, bytes, bytes]]:
    """Give each of the next events with its number and the head behind it."""
    entries = []
    for payload in payloads:
        seq += 1
        head = chain(head, seq, payload)
        entries.append((seq, head, payload))
    return entries


def _insert(db: sqlite3.Connection, number: int, fence: str, entries: list[tuple[int, bytes, bytes]]) -> None:
    for seq, head, payload in entries:
        db.execute(
            "INSERT INTO events (number, seq, head, fence, payload) VALUES (?, ?, ?, ?, ?)",
            (number, seq, head, fence, payload),
        )


def _find(db: sqlite3.Connection, table: str) -> _Row | None:
    row = db.execute("SELECT number, seq, head, epoch, fence, worker FROM tables WHERE name = ?", (table,)).fetchone()
    return None if row is None else _Row(*row)


def _answer_to(db: sqlite3.Connection, row: _Row, command_id: str, request_hash: bytes) -> Known | Reused | None:
    known = db.execute(
        "SELECT request_hash, answer FROM commands WHERE number = ? AND command_id = ?", (row.number, command_id)
    ).fetchone()
    if known is None:
        return None
    return Known(known[1]) if known[0] == request_hash else Reused()


def _head_at(db: sqlite3.Connection, row: _Row, seq: int) -> bytes | None:
    if seq == row.seq:
        return row.head
    if seq == 0:
        return GENESIS
    found = db.execute("SELECT head FROM events WHERE number = ? AND seq = ?", (row.number, seq)).fetchone()
    head: bytes | None = None if found is None else found[0]
    return head


def _log_entries(db: sqlite3.Connection, row: _Row, after: int, limit: int) -> Iterator[LogEntry]:
    found = db.execute(
        "SELECT seq, head, fence, payload FROM events WHERE number = ? AND seq > ? ORDER BY seq LIMIT ?",
        (row.number, after, limit),
    )
    return (LogEntry(*columns) for columns in found)


def _digest(snapshot: Snapshot) -> bytes:
    """A snapshot stands outside the chain of the log, so it carries a hash of its own."""
    digest = sha256(b"snapshot/v1" + snapshot.head + snapshot.seq.to_bytes(8, "big"))
    digest.update(sha256(snapshot.version.encode()).digest() + snapshot.blob)
    return digest.digest()
