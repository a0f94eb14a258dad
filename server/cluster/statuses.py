"""The statuses of tables for people who are connected to other workers than the table's owner.

The owner sends a worker only what the users there may know: of who is awaited, whether they are. All changes of half a
second go out together, at times that do not depend on when they happened; otherwise a message about one user could be
delayed by the sealed answer of another. Envelopes may get lost: a worker then reads the statuses from the store, as it
does for a user who connects to it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from itertools import count
from typing import Any

from server.cluster.channels import PeerChannels
from server.cluster.presence import ClusterPresence
from server.lobby.directory import TableDirectory
from server.store.api import StorageFailed, TableStore
from server.tables.api import TableStatus

log = logging.getLogger(__name__)

SEND_INTERVAL_SECONDS = 0.5
MAX_DELAY_SECONDS = 1.0
"""A process that was suspended for longer may have lost its tables; it waits until it has renewed its leases."""

RENEWED_SECONDS = 2.0
"""The time in which a process that goes on finds out which tables it has lost."""


class StatusSender:
    """Sends the statuses of the tables here to the workers of their people."""

    def __init__(
        self,
        channels: PeerChannels,
        presence: ClusterPresence,
        directory: TableDirectory,
        owns: Callable[[str], bool],
    ) -> None:
        self._channels = channels
        self._presence = presence
        self._directory = directory
        self._owns = owns
        self._loop = asyncio.get_running_loop()
        self._pending: set[tuple[str, str]] = set()
        """User and table of each status that has changed."""

        self._timer: asyncio.TimerHandle | None = None

    def changed(self, table: str, users: Iterable[str]) -> None:
        """Send the status of a table here to the workers of these users, soon."""
        self._add((user, table) for user in users if self._presence.has(user))

    def on_users_joined(self, users: Iterable[str]) -> None:
        """Send users who have connected to another worker the statuses of their tables here, soon."""
        for user in users:
            tables = [summary["table"] for summary in self._directory.tables_of(user)]
            self._add((user, table) for table in tables if self._owns(table))

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._pending.clear()

    def _add(self, statuses: Iterable[tuple[str, str]]) -> None:
        self._pending.update(statuses)
        if self._pending and self._timer is None:
            intervals = self._loop.time() // SEND_INTERVAL_SECONDS + 1
            self._send_at(intervals * SEND_INTERVAL_SECONDS)

    def _send_at(self, when: float) -> None:
        self._timer = self._loop.call_at(when, self._send, when)

    def _send(self, due: float) -> None:
        self._timer = None
        if self._loop.time() - due > MAX_DELAY_SECONDS:
            self._send_at(self._loop.time() + RENEWED_SECONDS)
            return
        pending, self._pending = sorted(self._pending), set()
        for peer in self._channels.peers:
            rows = [row for user, table in pending if (row := self._row(peer, user, table)) is not None]
            if rows:
                self._channels.send(peer, "statuses", [rows])

    def _row(self, peer: str, user: str, table: str) -> list[Any] | None:
        if not self._presence.is_at(peer, user) or not self._owns(table):
            return None
        status = self._directory.status_for(table, user)
        if status is None:
            return None
        # Only where there are some: workers of an earlier version expect none.
        by_day = [status.deadlines, status.holidays] if status.deadlines or status.holidays else []
        return [table, user, bool(status.awaited), status.about, status.since, status.progress, *by_day]


class StatusReceiver:
    """Applies the statuses that other workers send, and reads them from the store where none was sent."""

    def __init__(self, store: TableStore, directory: TableDirectory, owns: Callable[[str], bool]) -> None:
        self._store = store
        self._directory = directory
        self._owns = owns
        self._tasks: set[asyncio.Task[None]] = set()
        self._received: dict[int, set[str]] = {}
        """By reading of the store: the tables whose statuses were received meanwhile, and may be newer."""

        self._readings = count()

    def on_statuses(self, peer: str, rows: list[list[Any]]) -> None:
        for table, user, is_awaited, *rest in rows:
            if self._owns(table):
                continue
            for received in self._received.values():
                received.add(table)
            awaited = frozenset({user} if is_awaited else ())
            self._directory.update_status_for(table, user, TableStatus(awaited, *rest))

    def read(self, user_id: str, tables: list[str]) -> None:
        """Read the statuses of a user's tables; then the directory sends them to the user."""
        task = asyncio.get_running_loop().create_task(self._read(user_id, tables))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self, user_id: str, tables: list[str]) -> None:
        reading = next(self._readings)
        received = self._received[reading] = set()
        try:
            rows = await self._store.rows([table for table in tables if not self._owns(table)])
        except StorageFailed:
            log.warning("statuses not read", extra={"user": user_id})
            rows = []
        finally:
            del self._received[reading]
        self._directory.refreshed(user_id, rows, lambda table: table in received or self._owns(table))

    async def refresh(self, tables: Collection[str]) -> None:
        """Read the statuses of tables at other workers, or at none. Raises `StorageFailed`."""
        missing = [table for table in tables if not self._owns(table)]
        reading = next(self._readings)
        received = self._received[reading] = set()
        try:
            rows = await self._store.rows(missing) if missing else []
        finally:
            del self._received[reading]
        self._directory.read_again(rows, lambda table: table in received or self._owns(table))

    async def reload(self, phases: Iterable[str]) -> None:
        """Read all summaries and statuses again."""
        reading = next(self._readings)
        received = self._received[reading] = set()
        try:
            rows = [row for phase in phases for row in await self._store.tables(phase)]
        finally:
            del self._received[reading]
        self._directory.reload(rows, lambda table: table in received or self._owns(table))

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
