"""Tables by the day whose time has come: they are loaded, since nobody may be there.

A table by the day need not stay in memory until somebody's time runs out. The time at which it goes on by itself is
part of its status, which the store keeps beside the log, in the transaction of each entry; so the statuses are the
schedule. Every worker looks at those that it knows: all as they were when it started, and newer ones of tables that it
has owned. When a worker is gone, the others read all statuses again.

What a worker knows may be out of date, so it reads the statuses of due tables from the store before it loads them. Two
workers may load the same table; its lease decides.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from server.lobby.directory import TableDirectory
from server.store.api import StorageFailed, TableStore

log = logging.getLogger(__name__)

INTERVAL_SECONDS: Final = 15.0
"""The time between two looks, by which the time of somebody may run out late."""

MAX_LOADED: Final = 100
"""Tables that are loaded in one look, the longest due ones; the others follow in the next ones."""


class DueTables:
    """Looks for due tables every few seconds.

    `owns` returns whether a table is in the memory of this process, where it has a timer of its own; `time` returns the
    time by which tables by the day go.
    """

    def __init__(
        self,
        directory: TableDirectory,
        store: TableStore,
        load: Callable[[str], None],
        owns: Callable[[str], bool],
        time: Callable[[], int],
    ) -> None:
        self._directory = directory
        self._store = store
        self._load = load
        self._owns = owns
        self._time = time
        self._tried: dict[str, int] = {}
        """Due tables that were loaded before, by since when they were due; they come after the others."""

        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look now, and then every few seconds."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="tables that are due")

    def close(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()

    async def look(self) -> list[str]:
        """Load the tables that are due, and return them."""
        now = self._time()
        due = {table: since for table, since in self._directory.due(now).items() if not self._owns(table)}
        self._tried = {table: since for table, since in self._tried.items() if due.get(table) == since}
        tables = sorted(due, key=lambda table: (table in self._tried, due[table]))[:MAX_LOADED]
        if not tables:
            return []
        self._directory.read_again(await self._store.rows(tables), self._owns)
        still_due = self._directory.due(now)
        loaded = [table for table in tables if table in still_due]
        for table in loaded:
            self._tried[table] = still_due[table]
            self._load(table)
        return loaded

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except StorageFailed:
                log.warning("storage failed", extra={"task": "tables that are due"})
            except Exception:
                log.exception("periodic task failed", extra={"task": "tables that are due"})
            await asyncio.sleep(INTERVAL_SECONDS)
