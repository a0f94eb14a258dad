"""The store of a single process: one SQLite file, one connection, one thread.

No other process can open the file, so leases are in memory and end with the process that granted them. Fencing tokens
are in the file, so a stale owner is refused after a restart too.
"""

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
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
    NewEntry,
    Position,
    Reused,
    Rewound,
    TableCopy,
    TableRow,
    chain,
    chained,
    end_of,
    verified,
)
from .backup import OnProgress, check_target, copied, put_in_place
from .database_file import Durability, check_integrity, open_database, open_read_only
from .games_api import GameIndex
from .group_commit import GroupCommit
from .sqlite_copies import copy_table, restore_table
from .sqlite_games import SqliteGameIndex
from .sqlite_key_value import SqliteKeyValueStore


class _Row(NamedTuple):
    number: int
    seq: int
    head: bytes
    epoch: int
    fence: str | None
    worker: str


class _Lease(NamedTuple):
    fence: str  # the lease is valid only while this fencing token owns the table
    until: float


class SqliteStore:
    """A TableStore in one SQLite file. Use `open` to make one, and await `close` at the end."""

    def __init__(
        self, path: Path, commits: GroupCommit, monotonic: Callable[[], float], wall: Callable[[], float]
    ) -> None:
        self._path = path
        self._commits = commits
        self._monotonic = monotonic
        self._wall = wall
        self._leases: dict[str, _Lease] = {}
        self._numbers: dict[str, int] = {}
        """Primary keys by table, cached for tables that their owner has appended to."""
        self._key_values = SqliteKeyValueStore(commits, wall)
        self._games = SqliteGameIndex(commits)

    @classmethod
    async def open(
        cls,
        path: Path,
        durability: Durability = "full",
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> Self:
        """Open the file, or create it. Raise StoreUnusable, with a sentence for the operator, if that fails."""
        return cls(path, await GroupCommit.start(open_database(path, durability)), monotonic, wall)

    @classmethod
    async def open_read_only(cls, path: Path, wall: Callable[[], float] = time.time) -> Self:
        """Open a file that no process uses, such as a backup, to read it. Raise StoreUnusable if that fails."""
        return cls(path, await GroupCommit.start(open_read_only(path)), time.monotonic, wall)

    @property
    def key_values(self) -> KeyValueStore:
        return self._key_values

    @property
    def games(self) -> GameIndex:
        return self._games

    async def create(self, table: str, phase: str, summary: bytes, payloads: Sequence[bytes] = ()) -> Created | Exists:
        entries = chained(("", payload) for payload in payloads)
        end = end_of(entries)

        def work(db: sqlite3.Connection) -> Created | Exists:
            if _find(db, table) is not None:
                return Exists()
            number = db.execute(
                "INSERT INTO tables (name, phase, about, seq, head, updated) VALUES (?, ?, ?, ?, ?, ?)",
                (table, phase, summary, end.seq, end.head, self._wall()),
            ).lastrowid
            assert number is not None
            for entry in entries:
                _insert(db, number, entry.seq, entry.head, entry.fence, entry.payload)
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

    async def rows(self, tables: Sequence[str]) -> list[TableRow]:
        def work(db: sqlite3.Connection) -> list[TableRow]:
            query = "SELECT name, phase, about, seq, updated FROM tables WHERE name = ?"
            return [TableRow(*row) for table in set(tables) for row in db.execute(query, (table,))]

        return await self._commits.read(work)

    async def claim(
        self, table: str, worker: str, ttl_seconds: float, dead_worker: str = ""
    ) -> Claimed | Held | Missing:
        def work(db: sqlite3.Connection) -> Claimed | Held | Missing:
            row = _find(db, table)
            if row is None:
                return Missing()
            now = self._monotonic()
            lease = self._leases.get(table)
            is_running = lease is not None and lease.fence == row.fence and now < lease.until
            if is_running and row.worker != dead_worker:
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
        to_renew = dict(fences)

        def work(db: sqlite3.Connection) -> frozenset[str]:
            until = self._monotonic() + ttl_seconds
            not_owned = set()
            for table, fence in to_renew.items():
                row = _find(db, table)
                if row is None or row.fence != fence:
                    not_owned.add(table)
                else:
                    self._leases[table] = _Lease(fence, until)
            return frozenset(not_owned)

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

    async def append(self, table: str, fence: str, expected: Position, entry: NewEntry) -> AppendResult:
        def work(db: sqlite3.Connection) -> AppendResult:
            return self._append_unread(db, table, fence, expected, entry) or self._append_checked(
                db, table, fence, expected, entry
            )

        return await self._commits.write(work)

    def _append_unread(
        self, db: sqlite3.Connection, table: str, fence: str, expected: Position, entry: NewEntry
    ) -> Appended | None:
        """Append by one conditional UPDATE, without reading first; return None, with nothing written, if it fails.

        This optimistic path succeeds for nearly every append.
        """
        number = self._numbers.get(table)
        if number is None or entry.phase is not None:
            return None
        key = entry.idempotency_key
        if key is not None:
            inserted = db.execute(
                "INSERT OR IGNORE INTO commands (number, command_id, request_hash, answer) VALUES (?, ?, ?, ?)",
                (number, key, entry.request_hash, entry.answer),
            )
            if inserted.rowcount == 0:
                return None
        seq = expected.seq + 1
        head = chain(expected.head, seq, entry.payload)
        updated = db.execute(
            "UPDATE tables SET seq = ?, head = ?, updated = ?, about = COALESCE(?, about)"
            " WHERE number = ? AND fence = ? AND seq = ? AND head = ?",
            (seq, head, self._wall(), entry.summary, number, fence, expected.seq, expected.head),
        )
        if updated.rowcount == 0:
            if key is not None:
                db.execute("DELETE FROM commands WHERE number = ? AND command_id = ?", (number, key))
            return None
        _insert(db, number, seq, head, fence, entry.payload)
        return Appended(seq, head)

    def _append_checked(
        self, db: sqlite3.Connection, table: str, fence: str, expected: Position, entry: NewEntry
    ) -> AppendResult:
        """Append after checking each condition in turn, which tells a caller why an append is refused."""
        row = _find(db, table)
        if row is None:
            return Fenced()
        key = entry.idempotency_key
        if key is not None:
            known = _answer_to(db, row, key, entry.request_hash)
            if known is not None:
                return known
        if row.fence != fence:
            return Fenced()
        if _head_at(db, row, expected.seq) != expected.head:
            return Rewound(row.seq, row.head)
        if row.seq != expected.seq:
            return Conflict(row.seq, row.head)
        seq = row.seq + 1
        head = chain(row.head, seq, entry.payload)
        _insert(db, row.number, seq, head, fence, entry.payload)
        db.execute(
            "UPDATE tables SET seq = ?, head = ?, updated = ? WHERE number = ?", (seq, head, self._wall(), row.number)
        )
        self._numbers[table] = row.number
        if key is not None:
            db.execute(
                "INSERT INTO commands (number, command_id, request_hash, answer) VALUES (?, ?, ?, ?)",
                (row.number, key, entry.request_hash, entry.answer),
            )
        if entry.summary is not None:
            db.execute("UPDATE tables SET about = ? WHERE number = ?", (entry.summary, row.number))
        if entry.phase is not None:
            db.execute("UPDATE tables SET phase = ? WHERE number = ?", (entry.phase, row.number))
        return Appended(seq, head)

    async def answer_to(self, table: str, idempotency_key: str, request_hash: bytes) -> Known | Reused | None:
        def work(db: sqlite3.Connection) -> Known | Reused | None:
            row = _find(db, table)
            return None if row is None else _answer_to(db, row, idempotency_key, request_hash)

        return await self._commits.read(work)

    async def read(self, table: str, after: int = 0, limit: int = 1000) -> list[LogEntry]:
        def work(db: sqlite3.Connection) -> list[LogEntry]:
            row = _find(db, table)
            if row is None or after >= row.seq:
                return []
            head = _head_at(db, row, after)
            if head is None:
                raise LogDamaged(table, after)
            entries = _log_entries(db, row, after, limit)
            return verified(table, Position(after, head), Position(row.seq, row.head), limit, entries)

        return await self._commits.read(work)

    async def head(self, table: str) -> Position | None:
        def work(db: sqlite3.Connection) -> Position | None:
            row = _find(db, table)
            return None if row is None else Position(row.seq, row.head)

        return await self._commits.read(work)

    async def archive(self, table: str, fence: str) -> bool:
        # The file has no more compact form of a table, so this only checks the owner.
        def work(db: sqlite3.Connection) -> bool:
            row = _find(db, table)
            return row is not None and row.fence == fence

        return await self._commits.read(work)

    async def check_integrity(self) -> None:
        """Check the whole file, indexes included. Raise StoreUnusable or StorageFailed if it is damaged."""
        await self._commits.exclusive(lambda db: check_integrity(db, self._path))

    async def names(self) -> list[str]:
        return await self._commits.read(
            lambda db: [name for (name,) in db.execute("SELECT name FROM tables ORDER BY 1")]
        )

    async def copy(self, table: str) -> TableCopy | None:
        return await self._commits.read(lambda db: copy_table(db, table))

    async def restore(self, copy: TableCopy, *, compact: bool = False) -> bool:
        return await self._commits.write(lambda db: restore_table(db, copy))

    def copied(
        self, folder: Path, on_progress: OnProgress = lambda done, total: None, name: str | None = None
    ) -> AbstractAsyncContextManager[Path]:
        """Yield a copy of the whole store, which `open` accepts, with a temporary name in `folder`.

        It is deleted afterwards unless it was renamed. Appends go on meanwhile.
        """
        part = folder / (name or f".{self._path.name}.backup.part")
        return copied(self._commits, self._path, part, on_progress)

    async def backup(
        self, target: Path, on_progress: OnProgress = lambda done, total: None, *, replace: bool = False
    ) -> None:
        """Copy the whole store to another file, atomically: if this fails, `target` is what it was before."""
        check_target(target, replace=replace)
        async with self.copied(target.parent, on_progress) as part:
            await asyncio.to_thread(put_in_place, part, target, replace=replace)

    async def close(self) -> None:
        await self._commits.close()


def _insert(db: sqlite3.Connection, number: int, seq: int, head: bytes, fence: str, payload: bytes) -> None:
    db.execute(
        "INSERT INTO events (number, seq, head, fence, payload) VALUES (?, ?, ?, ?, ?)",
        (number, seq, head, fence, payload),
    )


def _find(db: sqlite3.Connection, table: str) -> _Row | None:
    row = db.execute("SELECT number, seq, head, epoch, fence, worker FROM tables WHERE name = ?", (table,)).fetchone()
    return None if row is None else _Row(*row)


def _answer_to(db: sqlite3.Connection, row: _Row, idempotency_key: str, request_hash: bytes) -> Known | Reused | None:
    known = db.execute(
        "SELECT request_hash, answer FROM commands WHERE number = ? AND command_id = ?", (row.number, idempotency_key)
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
