"""A table in memory: its core, its history, its subscribers, and the summary of it that the store has.

Its actor calls the methods one at a time. What is appended here is committed and shown by the caller, or not at all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from server.games.engine.events import Event
from server.model import Done
from server.store import api as store_api
from server.tables.api import TableStatus
from server.tables.chat import Chat
from server.tables.context import TableContext
from server.tables.core import TableCore
from server.tables.delayed_subscribers import DelayedSubscribers
from server.tables.entries import write_entry
from server.tables.events import LogRolledBack
from server.tables.history import History
from server.tables.log import TableLog
from server.tables.messages import RequestReceived
from server.tables.predictions import Predictions
from server.tables.replies import pack_reply
from server.tables.results import Accepted
from server.tables.subscribers import Subscribers
from server.tables.summary import StoredSummary, status_of

log = logging.getLogger(__name__)


class LoadedTable:
    """A table that was rebuilt from its log. `earlier` is the table as it was in memory before, if it was.

    `schedule` sets the alarm and asks the bots; subscribers call it when somebody comes or goes.
    """

    def __init__(
        self,
        history: History,
        table_log: TableLog,
        chat: Chat,
        predictions: Predictions,
        context: TableContext,
        schedule: Callable[[], None],
        earlier: LoadedTable | None,
    ) -> None:
        self._log = table_log
        self._context = context
        self.history = history
        status = status_of(history.table, history.table.play, history.decision_opened_at)
        self._stored_summary = StoredSummary(history.table.phase, status)
        self._published_status: TableStatus | None = None
        strengths = context.bots.strengths(history.table.settings.game)
        now, last = context.milliseconds(), history.last_time
        if earlier is not None:
            # The log may have been rolled back: what it has lost was dated too.
            last = max(last, earlier.core.entry_time(0, now))
        self.core: TableCore = TableCore(
            history.table, now, strengths, chat.kept_lines, history.chain, context.wall_ahead
        )
        self.core.date_after(last, now)
        self.delayed = DelayedSubscribers(history.table, history, chat, context, table_log)
        self.subscribers = Subscribers(self.core, history, chat, predictions, context, schedule, self.delayed)

    @property
    def users(self) -> list[str]:
        """Return the users who sit at the table."""
        return [chair.user for chair in self.core.state.chairs if chair.user is not None]

    def entry_time(self) -> int:
        """Return the time of the next log entry."""
        self._context.wall_offset.observe()
        return self.core.entry_time(self._context.wall_milliseconds(), self._context.milliseconds())

    async def append(
        self, accepted: Accepted, at: int, received: RequestReceived | None, done: Done
    ) -> store_api.AppendResult:
        """Append the events of an accepted request, with the reply to it and the summary after it."""
        before = self._stored_summary
        after = before.after(self.core.state, accepted, at)
        key, request_hash, answer = None, b"", b""
        if received is not None:
            key, request_hash = received.idempotency
            answer = pack_reply(received.request.id, done)
        # The lists must not show less than the log, so both are written in one transaction.
        entry = store_api.NewEntry(
            write_entry(accepted.events, at),
            key,
            request_hash,
            answer,
            summary=None if after is before else after.to_bytes(),
            phase=None if after.phase == before.phase else after.phase,
        )
        appended = await self._log.append(entry)
        if isinstance(appended, store_api.Appended):
            self._stored_summary = after
            if after.phase == "over" and before.phase != "over":
                self._context.hooks.on_game_over(self.core.state.id)
        return appended

    async def append_rollback(self, lost: int, not_before: int = 0) -> None:
        """Append that the storage has lost at least so many entries, which people may have seen, and show it.

        `not_before` is the time of a lost entry: the wall clock may have been ahead of its present time then.
        """
        accepted, at = Accepted([LogRolledBack(lost)]), max(self.entry_time(), not_before)
        appended = await self.append(accepted, at, None, Done())
        if not isinstance(appended, store_api.Appended):
            raise store_api.StorageFailed("The log of a table keeps changing.")
        # Only now: a worker that lost its lease has not seen the latest entries, and takes them for lost.
        log.error("log rolled back", extra={"table": self.core.state.id, "entries": lost})
        self._context.hooks.on_game_over(self.core.state.id)
        self.commit(accepted, at)
        self.show(accepted.events, at)

    def commit(self, accepted: Accepted, at: int) -> None:
        """Apply events that were appended."""
        self.core.commit(accepted, self._context.milliseconds(), at)

    def show(self, events: Sequence[Event], at: int) -> None:
        """Send an update with events that were committed, and the status to the lists if it has changed."""
        self.subscribers.send_update(events, at)
        self.publish_status()

    def publish_status(self) -> None:
        """Update the lists of the people who sit here if the table waits for somebody else, or has got further."""
        status = self._stored_summary.status
        if status is not self._published_status:
            self._published_status = status
            self._context.directory.update_status(self.core.state.id, status)
