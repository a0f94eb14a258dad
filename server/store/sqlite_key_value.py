"""The key-value store in the SQLite file, in the same commits as the logs."""

import sqlite3
from collections.abc import Callable
from itertools import takewhile

from .api import KeyValue
from .group_commit import GroupCommit


class SqliteKeyValueStore:
    """A KeyValueStore in one SQLite table."""

    def __init__(self, commits: GroupCommit, wall: Callable[[], float]) -> None:
        self._commits = commits
        self._wall = wall

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        def work(db: sqlite3.Connection) -> None:
            self._delete_expired(db)
            db.execute(
                "INSERT OR REPLACE INTO records (kind, key, value, expires_at) VALUES (?, ?, ?, ?)",
                (kind, key, value, expires_at),
            )

        await self._commits.write(work)

    async def put_if_absent(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            self._delete_expired(db)
            written = db.execute(
                "INSERT OR IGNORE INTO records (kind, key, value, expires_at) VALUES (?, ?, ?, ?)",
                (kind, key, value, expires_at),
            )
            return written.rowcount == 1

        return await self._commits.write(work)

    async def replace(
        self, kind: str, key: str, expected: bytes, value: bytes, expires_at: float | None = None
    ) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            self._delete_expired(db)
            written = db.execute(
                "UPDATE records SET value = ?, expires_at = ? WHERE kind = ? AND key = ? AND value = ?",
                (value, expires_at, kind, key, expected),
            )
            return written.rowcount == 1

        return await self._commits.write(work)

    async def get(self, kind: str, key: str) -> bytes | None:
        return await self._commits.read(lambda db: self._get(db, kind, key))

    async def take(self, kind: str, key: str) -> bytes | None:
        def work(db: sqlite3.Connection) -> bytes | None:
            value = self._get(db, kind, key)
            db.execute("DELETE FROM records WHERE kind = ? AND key = ?", (kind, key))
            return value

        return await self._commits.write(work)

    async def delete(self, kind: str, key: str) -> bool:
        return await self.take(kind, key) is not None

    async def find(self, kind: str, prefix: str = "") -> list[tuple[str, bytes]]:
        def work(db: sqlite3.Connection) -> list[tuple[str, bytes]]:
            rows = db.execute(
                "SELECT key, value, expires_at FROM records WHERE kind = ? AND key >= ? ORDER BY key", (kind, prefix)
            )
            now = self._wall()
            return [
                (key, value)
                for key, value, expires_at in takewhile(lambda row: row[0].startswith(prefix), rows)
                if expires_at is None or expires_at > now
            ]

        return await self._commits.read(work)

    async def kinds(self) -> list[str]:
        # Hops from kind to kind in the primary key; DISTINCT would read every row.
        def work(db: sqlite3.Connection) -> list[str]:
            found = db.execute(
                "WITH RECURSIVE hop (kind) AS (SELECT min(kind) FROM records UNION ALL"
                " SELECT (SELECT min(kind) FROM records WHERE kind > hop.kind) FROM hop WHERE kind IS NOT NULL)"
                " SELECT kind FROM hop WHERE kind IS NOT NULL"
            )
            return [kind for (kind,) in found]

        return await self._commits.read(work)

    async def page(self, kind: str, after: str = "", limit: int = 1000) -> list[KeyValue]:
        def work(db: sqlite3.Connection) -> list[KeyValue]:
            found = db.execute(
                "SELECT key, value, expires_at FROM records WHERE kind = ? AND key > ?"
                " AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ?",
                (kind, after, self._wall(), limit),
            )
            return [KeyValue(*row) for row in found]

        return await self._commits.read(work)

    def _get(self, db: sqlite3.Connection, kind: str, key: str) -> bytes | None:
        found = db.execute(
            "SELECT value FROM records WHERE kind = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)",
            (kind, key, self._wall()),
        ).fetchone()
        value: bytes | None = None if found is None else found[0]
        return value

    def _delete_expired(self, db: sqlite3.Connection) -> None:
        """Delete expired values. Every write does this, so no timer is needed."""
        db.execute("DELETE FROM records WHERE expires_at <= ?", (self._wall(),))
