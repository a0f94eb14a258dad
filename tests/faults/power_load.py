"""A process that writes to a store in every way that the server does: `python -m tests.faults.power_load FILE …`.

Arguments: the file, the number of entries to append, a seed, the durability, and how the process ends: `close`, or
`kill` for a kill in the middle of its work. Its writes are marked (see `power_marks.py`).
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from itertools import count
from pathlib import Path

from server.store.api import Appended, Claimed, Created, NewEntry, Position, TableStore
from tests.faults.power_marks import MarkingSqliteStore

TABLES = 6
MAX_PAYLOAD = 9_000
"""Larger than a page of SQLite, so that entries have overflow pages."""


class Load:
    """Concurrent writers: one for each table, and two for key-value pairs."""

    def __init__(self, store: TableStore, entries: int, seed: int) -> None:
        self._store = store
        self._left = entries
        self._rng = random.Random(seed)
        self._names = (f"{seed}-{number}" for number in count())
        self.is_over = asyncio.Event()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for row in (await self._store.tables("running"))[: TABLES // 2]:
                group.create_task(self._play(row.table))
            for _ in range(TABLES):
                group.create_task(self._play())
            for number in range(2):
                group.create_task(self._keep_values(f"writer-{number}"))

    def _take(self) -> bool:
        self._left -= 1
        if self._left == 0:
            self.is_over.set()
        return self._left >= 0

    async def _play(self, table: str | None = None) -> None:
        """Append to one table after the other, and archive and release each."""
        rng, store = self._rng, self._store
        while self._left > 0:
            if table is None:
                table = next(self._names)
                payloads = [rng.randbytes(rng.randint(1, 3_000)) for _ in range(rng.randint(1, 3))]
                assert isinstance(await store.create(table, "running", rng.randbytes(100), payloads), Created)
            claimed = await store.claim(table, "worker", 3_600)
            assert isinstance(claimed, Claimed), claimed
            end = Position(claimed.seq, claimed.head)
            for _ in range(rng.randint(1, 120)):
                if not self._take():
                    break
                entry = self._entry(f"{table}/{end.seq}")
                appended = await store.append(table, claimed.fence, end, entry)
                assert isinstance(appended, Appended), appended
                end = Position(appended.seq, appended.head)
            await store.archive(table, claimed.fence)
            await store.release(table, claimed.fence)
            table = None

    def _entry(self, key: str) -> NewEntry:
        rng = self._rng
        size = rng.randint(1, MAX_PAYLOAD) if rng.random() < 0.3 else rng.randint(1, 300)
        summary = rng.randbytes(rng.randint(10, 400)) if rng.random() < 0.3 else None
        if rng.random() < 0.1:
            # The clock of a table has run out: no request, so no idempotency key.
            return NewEntry(rng.randbytes(size), summary=summary)
        return NewEntry(rng.randbytes(size), key, rng.randbytes(32), rng.randbytes(rng.randint(1, 60)), summary)

    async def _keep_values(self, writer: str) -> None:
        rng, values = self._rng, self._store.key_values
        while self._left > 0:
            key = f"{writer}/{rng.randrange(30)}"
            match rng.randrange(4):
                case 0:
                    await values.take("session", key)
                case 1:
                    await values.put_if_absent("session", key, rng.randbytes(rng.randint(1, 200)))
                case _:
                    await values.put("session", key, rng.randbytes(rng.randint(1, 200)))
            # Not as often as appends.
            await self._store.head("none")
            await self._store.head("none")


async def main(path: str, entries: str, seed: str, durability: str, end: str) -> None:
    """Write, then close the store, or die in the middle."""
    store = await MarkingSqliteStore.open(Path(path), durability)
    # A server copies its journal into the file too rarely for a short load; cuts must hit that as well.
    await store._commits.exclusive(lambda db: db.execute("PRAGMA wal_autocheckpoint = 200").fetchall())
    load = Load(store, int(entries), int(seed))
    working = asyncio.create_task(load.run())
    if end == "kill":
        await load.is_over.wait()
        os.kill(os.getpid(), signal.SIGKILL)
    await working
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
