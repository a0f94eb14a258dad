"""The log of one table at its owner: the lease with its fencing token, the last position, and replaying."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Sequence

from server.games.engine.events import Event
from server.model import Refused
from server.store import api as store_api
from server.tables.entries import UnreadableEntry, open_entry, read_dated
from server.tables.history import History
from server.tables.people import NOBODY_KNOWN, SeatedPeople
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.turns import BackgroundJob

log = logging.getLogger(__name__)

LEASE_SECONDS = 3.0
"""The duration of a lease after its last renewal; then another worker may claim the table.

A worker that is known to be dead loses its leases at once."""

LOAD_BATCH = 500
"""Entries that are read at once. A file is read by the thread that writes decisions, so a read must be short."""


class Unavailable(Exception):
    """The table does not exist, or its log cannot be replayed."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


class HeldElsewhere(Exception):
    """Another worker holds the lease of the table."""

    def __init__(self, by: str) -> None:
        super().__init__(f"held by {by}")
        self.by = by


class TableLog:
    """Appends to and reads from the log of one table."""

    def __init__(
        self,
        table: str,
        store: store_api.TableStore,
        worker: str,
        is_dead: Callable[[str], bool] = lambda worker: False,
        clock: Callable[[], int] | None = None,
        people: SeatedPeople = NOBODY_KNOWN,
    ) -> None:
        """`clock` returns monotonic milliseconds; without one, nobody else can claim the table."""
        self._table = table
        self._people = people
        self._store = store
        self._worker = worker
        self._is_dead = is_dead
        self._clock = clock
        self._fence = ""
        self._leased_at = 0
        self._end: store_api.Position | None = None
        self._seen = store_api.Position(0, store_api.GENESIS)
        """The last position that this process has seen. People may have been shown everything up to it."""

    @property
    def fence(self) -> str:
        """Return the fencing token of our lease; empty if we hold none."""
        return self._fence

    @property
    def seq(self) -> int:
        """Return the number of the last entry that was read or appended here."""
        return 0 if self._end is None else self._end.seq

    @property
    def has_lapsed(self) -> bool:
        """Return whether our lease may have run out, so that another worker may have appended to the log."""
        return self._clock is not None and self._clock() - self._leased_at >= LEASE_SECONDS * 1000

    def renewed(self, fence: str, at: int) -> None:
        """Take note that our lease was renewed by a request that was sent at this time."""
        if fence == self._fence:
            self._leased_at = at

    def invalidate(self, fence: str) -> bool:
        """Drop a fencing token that is no longer valid; return False if we hold another one by now."""
        is_held = fence == self._fence
        if is_held:
            self._fence = ""
        return is_held

    def forget(self) -> None:
        """Forget the last position, so that the log is replayed."""
        self._end = None

    async def acquire(self) -> bool:
        """Claim the table unless we hold its lease; return whether the log still ends at the last known position."""
        if self._fence:
            return self._end is not None and await self._store.head(self._table) == self._end
        asked_at = 0 if self._clock is None else self._clock()
        claimed = await self._store.claim(self._table, self._worker, LEASE_SECONDS)
        if isinstance(claimed, store_api.Held) and self._is_dead(claimed.by):
            claimed = await self._store.claim(self._table, self._worker, LEASE_SECONDS, claimed.by)
        if isinstance(claimed, store_api.Missing):
            raise Unavailable(refused("no_such_table"))
        if isinstance(claimed, store_api.Held):
            raise HeldElsewhere(claimed.by)
        self._fence, self._leased_at = claimed.fence, asked_at
        return self._end == store_api.Position(claimed.seq, claimed.head)

    async def replay(self, job: BackgroundJob) -> History:
        """Replay the log in slices; return the table's history.

        Raises `LogDamaged` or `UnreadableEntry` if the log cannot be replayed.
        """
        history: History | None = None
        end = store_api.Position(0, store_api.GENESIS)
        async for entry, table, at, events in self.folded(job, None, 0):
            try:
                history = history or History(table)
                history.add(events, at)
            except Exception as error:
                raise _unreadable(entry) from error
            end = store_api.Position(entry.seq, entry.head)
        if history is None:
            raise UnreadableEntry("the log is empty")
        self._end = end
        return history

    async def count_lost(self) -> int:
        """Return how many entries that we have seen are missing because the storage was rolled back."""
        assert self._end is not None
        seen = self._seen
        if seen.seq > 0:
            found = await self._store.read(self._table, seen.seq - 1, 1)
            if not found or found[0].head != seen.head:
                return max(1, seen.seq - self._end.seq)
        self._seen = self._end
        return 0

    async def fold(
        self, job: BackgroundJob, table: TableState | None = None, after: int = 0
    ) -> AsyncGenerator[tuple[int, TableState, Sequence[Event]]]:
        """Yield each entry after a position: its position, the table, which changes with each entry, and its events.

        `table` is the table at the position `after`; it is changed. Raises as `replay` does.
        """
        async for entry, folded, _, events in self.folded(job, table, after):
            yield entry.seq, folded, events

    async def read(self, first: int, last: int) -> list[store_api.LogEntry]:
        """Return the entries from one position to another, as far as the log has them."""
        return await self._store.read(self._table, first - 1, last - first + 1)

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
        """Return the stored reply to a request, if there is one."""
        return await self._store.answer_to(self._table, command_id, request_hash)

    async def release(self, *, is_over: bool = False) -> None:
        """Release the lease; the log of a finished game is compressed first."""
        fence, self._fence = self._fence, ""
        if not fence:
            return
        try:
            if is_over:
                await self._store.archive(self._table, fence)
            await self._store.release(self._table, fence)
        except store_api.StorageFailed:
            # Another worker can claim the table when the lease has expired.
            log.warning("lease not released", extra={"table": self._table})

    async def folded(
        self, job: BackgroundJob, table: TableState | None, after: int, until: int | None = None
    ) -> AsyncGenerator[tuple[store_api.LogEntry, TableState, int, Sequence[Event]]]:
        """Yield each log entry after a position, the table with it applied, its time, and its events.

        Nothing after the position `until` is read. The table is changed as by `fold`. Raises as `replay` does.
        """
        seq = after
        while (limit := _batch_size(seq, until)) and (batch := await self._store.read(self._table, seq, limit)):
            for entry in batch:
                # A long log must not block the event loop.
                await job.give_way()
                try:
                    if table is None:
                        at, events = read_dated(entry.payload, None)
                        table = open_entry(entry.payload)
                        table.people = self._people
                    else:
                        at, events = read_dated(entry.payload, table.settings.game)
                        table.apply(events, at=at)
                except Exception as error:
                    raise _unreadable(entry) from error
                yield entry, table, at, events
            seq = batch[-1].seq


def _batch_size(seq: int, until: int | None) -> int:
    return LOAD_BATCH if until is None else min(LOAD_BATCH, until - seq)


def _unreadable(entry: store_api.LogEntry) -> UnreadableEntry:
    """Return the error for an entry that cannot be applied: reducers trust events, and may raise any exception."""
    return UnreadableEntry(f"entry {entry.seq} cannot be applied")
