"""Reads of logs for requests that change nothing: outside of the mailboxes, and a few at a time in the whole process.

All tables share the storage, and with a file one thread of it also writes the decisions of players. So the whole
process reads a few pages at a time, players before spectators, and refuses spectators as `busy` when too many wait.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from server.model import Reply
from server.store.api import LogDamaged, StorageFailed
from server.tables.api import OnReply
from server.tables.entries import UnreadableEntry
from server.tables.failures import INTERNAL_ERROR, log_failure
from server.tables.results import refused

READS_AT_ONCE: Final = 2
"""Reads of this process that run at the same time."""

MAX_READS: Final = 64
"""Reads for spectators of one table that may wait or run; one more is refused as `busy`."""

MAX_PLAYERS_READS: Final = 64
"""Reads for players of one table that may wait or run in addition; one more is refused as `busy`."""

MAX_WAITING: Final = 512
"""Reads for spectators that may wait in the whole process; one more is refused as `busy`."""


class ReadSlots:
    """A semaphore with two queues: players get the next free slot before spectators do."""

    def __init__(self, slots: int = READS_AT_ONCE) -> None:
        self._free = slots
        self._players: deque[asyncio.Future[None]] = deque()
        self._spectators: deque[asyncio.Future[None]] = deque()

    @property
    def is_crowded(self) -> bool:
        """Return whether so many spectators wait that one more is refused."""
        return len(self._spectators) >= MAX_WAITING

    @asynccontextmanager
    async def slot(self, *, is_player: bool) -> AsyncIterator[None]:
        """Hold a slot while the context is open."""
        if self._free:
            self._free -= 1
        else:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            (self._players if is_player else self._spectators).append(waiting)
            try:
                await waiting
            except asyncio.CancelledError:
                if waiting.done() and not waiting.cancelled():
                    self._release()
                raise
        try:
            yield
        finally:
            self._release()

    def _release(self) -> None:
        """Pass a slot on to the next one that waits, or keep it free."""
        for queue in (self._players, self._spectators):
            while queue:
                waiting = queue.popleft()
                if not waiting.done():
                    waiting.set_result(None)
                    return
        self._free += 1


class TableReads:
    """The reads for the requests to one table, each in a task of its own, so that no decision waits for them."""

    def __init__(self, table: str, slots: ReadSlots) -> None:
        self._table = table
        self._slots = slots
        self._tasks: dict[bool, set[asyncio.Task[None]]] = {True: set(), False: set()}
        """For players and for spectators."""

    def start(self, read: Callable[[], Awaitable[Reply]], on_reply: OnReply, *, is_player: bool) -> None:
        """Reply with what a function returns that reads the log, as soon as it may run and has returned."""
        tasks = self._tasks[is_player]
        is_full = len(tasks) >= (MAX_PLAYERS_READS if is_player else MAX_READS)
        if is_full or (not is_player and self._slots.is_crowded):
            on_reply(refused("busy"))
            return
        task = asyncio.get_running_loop().create_task(self._reply(read, on_reply, is_player))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def finish(self) -> None:
        """Wait until all requests have their replies."""
        tasks = [task for tasks in self._tasks.values() for task in tasks]
        if tasks:
            await asyncio.wait(tasks)

    async def _reply(self, read: Callable[[], Awaitable[Reply]], on_reply: OnReply, is_player: bool) -> None:
        reply: Reply
        async with self._slots.slot(is_player=is_player):
            try:
                reply = await read()
            except StorageFailed:
                reply = refused("storage_failed")
            except (LogDamaged, UnreadableEntry) as error:
                log_failure("log unreadable", self._table, error)
                reply = refused("table_unavailable")
            except Exception as error:  # noqa: BLE001 - every request gets a reply
                log_failure("log not read", self._table, error)
                reply = INTERNAL_ERROR
        on_reply(reply)
