"""The log of one table as its owner knows it: our right to write to it, where it ends, and what it tells."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

from protocol.codec import ResumePoint
from protocol.messages import Watch
from server.games.engine.game import Event
from server.model import Refused, User
from server.store import api as store_api
from server.tables.entries import UnreadableEntry, open_entry, read_dated
from server.tables.history import History
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.views import is_step

log = logging.getLogger(__name__)

LEASE_SECONDS = 3.0
"""How long a table stays ours after the last sign of life; then another worker may take it."""

LOAD_BATCH = 500
ENTRIES_PER_SLICE = 20


class Unavailable(Exception):
    """There is no such table, or nothing can be made of its log."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


class HeldElsewhere(Exception):
    """Another worker owns the table."""

    def __init__(self, by: str) -> None:
        super().__init__(f"held by {by}")
        self.by = by


class TableLog:
    """Where a table's records are written and read."""

    def __init__(self, table: str, store: store_api.TableStore, worker: str) -> None:
        self._table = table
        self._store = store
        self._worker = worker
        self._fence = ""
        self._end: store_api.Position | None = None
        self._seen = store_api.Position(0, store_api.GENESIS)
        """How far the log went when we last had to do with it; people may have been told of all that."""

    @property
    def fence(self) -> str:
        """What proves that the table is ours; empty if it is not."""
        return self._fence

    @property
    def seq(self) -> int:
        """The number of the last record that was read or written here."""
        return 0 if self._end is None else self._end.seq

    def invalidate(self, fence: str) -> bool:
        """Note that a fence is void; False if we have another one by now."""
        is_ours = fence == self._fence
        if is_ours:
            self._fence = ""
        return is_ours

    def forget(self) -> None:
        """Take nothing for granted that was read before."""
        self._end = None

    async def acquire(self) -> bool:
        """Own the table from now on; tell whether its log still ends where it ended when we last knew."""
        if self._fence:
            return self._end is not None and await self._store.head(self._table) == self._end
        claimed = await self._store.claim(self._table, self._worker, LEASE_SECONDS)
        if isinstance(claimed, store_api.Missing):
            raise Unavailable(refused("no_such_table"))
        if isinstance(claimed, store_api.Held):
            raise HeldElsewhere(claimed.by)
        self._fence = claimed.fence
        return self._end == store_api.Position(claimed.seq, claimed.head)

    async def replay(self) -> History:
        """Read the log and give the table that it tells of, with the latest records at hand.

        Raises `LogDamaged` or `UnreadableEntry` if nothing can be made of it.
        """
        history: History | None = None
        end = store_api.Position(0, store_api.GENESIS)
        async for entry, history, _ in self._retold():  # noqa: B007 - the last one counts
            end = store_api.Position(entry.seq, entry.head)
        if history is None:
            raise UnreadableEntry("the log is empty")
        self._end = end
        return history

    async def count_lost(self) -> int:
        """Give how many records that we have seen are no longer in the log: the storage went back to an older copy."""
        assert self._end is not None
        seen = self._seen
        if seen.seq > 0:
            found = await self._store.read(self._table, seen.seq - 1, 1)
            if not found or found[0].head != seen.head:
                return max(1, seen.seq - self._end.seq)
        self._seen = self._end
        return 0

    async def steps(self) -> AsyncIterator[tuple[TableState, Sequence[Event]]]:
        """Tell the game again: the events of each of its steps, and the table after them, which then goes on."""
        async for _, history, events in self._retold():
            if is_step(events):
                yield history.table, events

    async def missed(self, history: History, user: User, request: Watch) -> list[dict[str, Any]] | None:
        """Give the events that a connection has not seen; None if it had nothing, or something that is no more."""
        viewer = history.table.seat_of(user.id)
        have = None if request.have is None else history.resume_number(viewer, ResumePoint(request.have, request.stamp))
        if have is None:
            return None
        if not history.is_complete_after(viewer, have):
            history = await self._whole_history(history.table)
        return history.events_after(viewer, have)

    async def _whole_history(self, table: TableState) -> History:
        """Give every record of a table that is already known."""
        history = History(table, kept=None)
        async for entry in self._entries():
            at, events = read_dated(entry.payload, table.settings.game)
            history.add(events, at)
        return history

    async def append(self, entry: store_api.NewEntry) -> store_api.AppendResult:
        """Append an entry after the last one that was read or written here, and return the result of the store."""
        assert self._end is not None
        fence = self._fence
        appended = await self._store.append(self._table, fence, self._end, entry)
        if isinstance(appended, store_api.Appended):
            self._seen = self._end = store_api.Position(appended.seq, appended.head)
        elif isinstance(appended, store_api.Fenced):
            self.invalidate(fence)
        return appended

    async def answer_to(self, command_id: str, request_hash: bytes) -> store_api.Known | store_api.Reused | None:
        """Give the answer that a request got before, if it did."""
        return await self._store.answer_to(self._table, command_id, request_hash)

    async def release(self, *, is_over: bool = False) -> None:
        """Let somebody else own the table; one that is over is kept as small as can be."""
        fence, self._fence = self._fence, ""
        if not fence:
            return
        try:
            if is_over:
                await self._store.archive(self._table, fence)
            await self._store.release(self._table, fence)
        except store_api.StorageFailed:
            # It can be claimed when the lease has run out.
            log.warning("lease not released", extra={"table": self._table})

    async def _retold(self) -> AsyncIterator[tuple[store_api.LogEntry, History, Sequence[Event]]]:
        """Fold the log, record by record: each with what it says and the history that goes on with it."""
        history: History | None = None
        async for entry in self._entries():
            try:
                if history is None:
                    at, events = read_dated(entry.payload, None)
                    history = History(open_entry(entry.payload))
                else:
                    at, events = read_dated(entry.payload, history.table.settings.game)
                    history.table.apply(events)
                history.add(events, at)
            except Exception as stumble:
                # Rules take an event at its word, so a senseless one can make them fail in any way at all.
                raise UnreadableEntry(f"record {entry.seq} makes no sense") from stumble
            yield entry, history, events

    async def _entries(self) -> AsyncIterator[store_api.LogEntry]:
        seq = 0
        while batch := await self._store.read(self._table, seq, LOAD_BATCH):
            for entry in batch:
                yield entry
                if not entry.seq % ENTRIES_PER_SLICE:
                    # A long log must not keep all other tables waiting.
                    await asyncio.sleep(0)
            seq = batch[-1].seq
