"""The actor that owns one table: takes one message at a time, appends the entry, replies, and sends updates.

The append is the only await between reading the table's state and changing it, and nothing is replied or shown before
the append has succeeded. After a failed append the log is compared again before the next message, since the entry may
have been written all the same. After an exception the table is rebuilt from its log; a table that fails too often is
quarantined, and the others play on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from protocol import messages
from protocol.codec import ResumePoint
from server.model import Done, Refused, Reply
from server.store import api as store_api
from server.tables.alarm import Alarm
from server.tables.api import Subscriber, TableStatus
from server.tables.bots import RETRY_SECONDS, BotSeats
from server.tables.chat import Chat
from server.tables.context import TableContext
from server.tables.core import TableCore
from server.tables.entries import UnreadableEntry, write_entry
from server.tables.events import LogRolledBack, SeatTaken
from server.tables.failures import INTERNAL_ERROR, FailureCounter, log_failure
from server.tables.history import History
from server.tables.log import HeldElsewhere, TableLog, Unavailable
from server.tables.mailbox import Mailbox
from server.tables.messages import (
    BotDecided,
    Message,
    PeopleAway,
    RequestReceived,
    Responder,
    Subscribe,
    TableDeserted,
    TableQueried,
    TimerFired,
    UserRenamed,
    redirect,
    refuse,
    sender_of,
)
from server.tables.queries import Queries, Query, opened
from server.tables.replies import pack_reply, stored_reply
from server.tables.results import Accepted, Result, refused
from server.tables.subscribers import Subscribers
from server.tables.summary import StoredSummary, status_of
from server.tables.turns import BackgroundJob

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
"""Attempts to handle a request: one fails if another owner has appended to the log meanwhile."""

_QUARANTINED = Refused("table_unavailable", "This table has failed several times and is closed for now.")


class TableActor:
    """The owner of one table."""

    def __init__(self, table: str, context: TableContext, predecessor: TableActor | None = None) -> None:
        self.table = table
        self._context = context
        self._predecessor = predecessor
        self._log = TableLog(table, context.store, context.worker, context.hooks.is_dead)
        self._queries = Queries(table, self._log, context)
        self._chat = Chat(table, context, self._log)
        self._core: TableCore | None = None
        self._history: History | None = None
        self._stored_summary: StoredSummary | None = None
        self._published_status: TableStatus | None = None
        self._subscribers: Subscribers | None = None
        self._is_current = False
        """The table in memory is the table of the log, as far as we know."""

        self._unavailable: Refused | None = None
        self._failures = FailureCounter()
        self._mailbox = Mailbox(context.turns, lambda: context.milliseconds() / 1000)
        self._pending_subscriptions: dict[Subscriber, Subscribe] = {}
        """Messages of connections that are not subscribed yet, until they are or unsubscribe."""

        self._alarm = Alarm(self._on_alarm)
        self._bots = BotSeats(context.bots, self.post)
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"table {table}")

    # -- from outside, without waiting ------------------------------------------------------------------------

    def post(self, message: Message) -> bool:
        """Put a message into the mailbox; return False if it is not accepted."""
        sender = sender_of(message)
        is_posted = self._mailbox.post(message, is_first=sender is None or self._is_player(sender))
        if is_posted and isinstance(message, Subscribe):
            self._pending_subscriptions[message.subscriber] = message
        return is_posted

    def _is_player(self, user: str) -> bool:
        """Return whether a user sits at the table. Nobody does, as far as we know, until the table is loaded."""
        return self._core is not None and self._core.state.seat_of(user) is not None

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """End the subscription of a connection, and cancel its message if that is still pending."""
        pending = self._pending_subscriptions.pop(subscriber, None)
        if self._subscribers is not None:
            self._subscribers.remove(subscriber)
        if pending is not None:
            pending.respond(Done())

    def refresh(self, subscriber: Subscriber) -> None:
        """Send the current view to a connection that dropped frames."""
        if self._subscribers is not None:
            self._subscribers.refresh(subscriber)

    @property
    def fence(self) -> str:
        """Return the fencing token of our lease; empty if another worker may own the table."""
        return self._log.fence

    def on_lease_lost(self, fence: str) -> None:
        """Claim the table and compare its log before the next message: another owner may have taken it."""
        if self._log.invalidate(fence):
            self._is_current = False
            self.post(TimerFired())

    @property
    def is_idle(self) -> bool:
        """Return whether the table has no subscriber and nothing will happen at it by itself."""
        if not self._mailbox.is_idle:
            return False
        return not (self._subscribers or self._alarm.is_set or self._bots.is_thinking) or self._unavailable is not None

    async def close(self) -> None:
        """Finish the messages in the mailbox, release the lease and end."""
        self._bots.close()
        self._mailbox.close()
        await asyncio.wait([self._task])

    # -- the task ---------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        if self._predecessor is not None:
            await self._predecessor.close()
            self._predecessor = None
        try:
            await self._mailbox.serve(self._process)
            if self._subscribers is not None:
                self._subscribers.close()
        finally:
            self._alarm.set(None)
            await self._queries.close()
            await self._chat.close()
            is_over = self._core is not None and self._core.state.phase == "over"
            await self._log.release(is_over=is_over)
            # The actor is part of reference cycles and waits for the garbage collector; what is large need not.
            self._core = self._history = self._subscribers = None

    async def _process(self, message: Message) -> None:
        """Handle a message, and every failure that it may cause."""
        if isinstance(message, BotDecided):
            self._bots.on_decided(message)
        try:
            if self._unavailable is not None:
                raise Unavailable(self._unavailable)
            if not self._is_current:
                await self._load()
            await self._handle(message)
            self._schedule()
        except Unavailable as reason:
            refuse(message, reason.refusal)
        except HeldElsewhere as held:
            if not self._context.is_alone:
                self._hand_over()
            if not redirect(message, held.by):
                self._fail(message, refused("busy"))
        except store_api.StorageFailed:
            log.warning("storage failed", extra={"table": self.table})
            self._fail(message, refused("storage_failed"))
        except Exception as error:  # noqa: BLE001 - an exception of any kind concerns this table alone
            self._note_failure(error)
            self._fail(message, self._unavailable or INTERNAL_ERROR)
        finally:
            if isinstance(message, Subscribe) and self._is_pending(message):
                del self._pending_subscriptions[message.subscriber]

    def _is_pending(self, message: Subscribe) -> bool:
        return self._pending_subscriptions.get(message.subscriber) is message

    def _hand_over(self) -> None:
        """Forget the table, which another worker owns; its subscribers here are moved to that worker."""
        subscribers, self._subscribers = self._subscribers, None
        self._core = self._history = None
        self._log.forget()
        self._chat.forget()
        self._alarm.set(None)
        self._bots.close()
        self._bots = BotSeats(self._context.bots, self.post)
        if subscribers is not None:
            for subscriber, resume_point in subscribers.close().items():
                self._context.hooks.on_subscription_moved(self.table, subscriber, resume_point)

    def _fail(self, message: Message, refusal: Refused) -> None:
        """Refuse a message, and set the alarm again: nobody would repeat the messages of bots and clocks."""
        self._is_current = False
        refuse(message, refusal)
        if self._subscribers is not None and self._unavailable is None and self._mailbox.is_open:
            self._alarm.set(RETRY_SECONDS)

    def _note_failure(self, error: Exception) -> None:
        """Rebuild the table from its log before the next message, and quarantine it if it fails too often."""
        log_failure("table failed", self.table, error)
        self._log.forget()
        if self._failures.note(self._context.milliseconds()):
            self._quarantine(_QUARANTINED)

    def _quarantine(self, refusal: Refused) -> None:
        log.error("table quarantined", extra={"table": self.table})
        self._unavailable = refusal
        self._alarm.set(None)
        if self._subscribers is not None:
            self._subscribers.evict_all(refusal)
            self._subscribers.close()
        self._context.directory.remove(self.table)

    # -- messages ---------------------------------------------------------------------------------------------

    async def _handle(self, message: Message) -> None:
        now = self._context.milliseconds
        match message:
            case RequestReceived():
                await self._handle_request(message)
            case Subscribe():
                await self._subscribe(message)
            case TableQueried():
                message.respond(opened(message.user, self._loaded()))
            case UserRenamed(user):
                await self._execute(lambda core: core.user_renamed(user))
            case BotDecided(seat, number, command):
                await self._execute(lambda core: core.bot_decided(seat, number, command, now()))
            case TimerFired():
                await self._execute(lambda core: core.time_ran_out(now()))
            case TableDeserted(seq):
                if seq == self._log.seq and not self._loaded_subscribers():
                    await self._execute(TableCore.deserted)
            case PeopleAway(connected, closes):
                subscribers = self._loaded_subscribers()
                await self._execute(lambda core: core.people_away(connected, subscribers.has, closes=closes))

    async def _handle_request(self, message: RequestReceived) -> None:
        user, request, _ = message
        context = self._context
        if isinstance(request, Query):
            is_subscribed = self._loaded_subscribers().has(user.id)
            self._queries.answer(message, request, self._loaded(), self._loaded_history(), is_subscribed=is_subscribed)
            return
        if isinstance(request, messages.Say):
            is_taken = await self._chat.take(message, request, self._loaded(), self._loaded_subscribers())
            if is_taken:
                return
        if isinstance(request, messages.PlayAgain):
            message = RequestReceived(user, request, Responder(partial(self._seat_at_rematch, message)))
        key = request.key if isinstance(request, messages.TakeSeat) else None

        def handle(core: TableCore) -> Result:
            is_subscribed = self._loaded_subscribers().has(user.id)
            refusal = core.may_enter(user, key, is_subscribed=is_subscribed)
            if refusal is not None:
                return refusal
            return core.handle(user, request, context.entropy, context.milliseconds())

        await self._execute(handle, message)

    def _seat_at_rematch(self, message: RequestReceived, reply: Reply) -> None:
        """Reply to `play_again` only when its user has a seat at the next table."""
        user, request, respond = message
        if isinstance(reply, Refused):
            respond(reply)
            return
        table, key = reply.result["table"], reply.result["key"]
        self._context.open_rematch(self._loaded().state, user, request.id, table, key, respond)

    async def _subscribe(self, message: Subscribe) -> None:
        user, request, core = message.user, message.request, self._loaded()
        is_subscribed = self._loaded_subscribers().has(user.id)
        refusal = core.may_enter(user, request.key, is_subscribed=is_subscribed) or core.may_watch(user)
        if refusal is not None:
            message.respond(refusal)
            return
        lost_time = self._loaded_history().proves_rollback(request.stamp)
        if lost_time is not None:
            await self._append_rollback(1, not_before=lost_time)
        message.respond(Done())
        if self._is_pending(message):
            resume_point = None if request.have is None else ResumePoint(request.have, request.stamp)
            self._loaded_subscribers().add(message.subscriber, resume_point)

    # -- making it durable ------------------------------------------------------------------------------------

    async def _execute(self, handle: Callable[[TableCore], Result], received: RequestReceived | None = None) -> None:
        """Handle, append, reply, and send updates; handle again if another owner has appended to the log."""
        for _ in range(MAX_ATTEMPTS):
            core = self._loaded()
            result = handle(core)
            if isinstance(result, Refused):
                if received is not None:
                    await self._queries.refuse(received, result, is_player=self._is_player(received.user.id))
                return
            done = Done(result.result or {})
            if result.events:
                at = self._entry_time()
                appended = await self._append(result, at, received, done)
                if received is not None and isinstance(appended, (store_api.Known, store_api.Reused)):
                    received.respond(stored_reply(appended))
                    return
                if not isinstance(appended, store_api.Appended):
                    await self._load()
                    continue
                core.commit(result, self._context.milliseconds(), at)
                if SeatTaken in map(type, result.events):
                    self._mailbox.promote(self._is_player)
            if received is not None:
                received.respond(done)
            if result.events:
                self._loaded_subscribers().send_update(result.events, at)
                self._publish_status()
            return
        if received is not None:
            received.respond(refused("busy"))

    async def _append(
        self, accepted: Accepted, at: int, received: RequestReceived | None, done: Done
    ) -> store_api.AppendResult:
        before = self._stored_summary
        assert before is not None
        after = before.after(self._loaded().state, accepted, at)
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
        return appended

    async def _load(self) -> None:
        """Own the table, and rebuild it from its log unless it is in memory as the log has it."""
        self._is_current = False
        if not await self._log.acquire():
            await self._chat.load()
            try:
                history = await self._log.replay(BackgroundJob(self._context.turns))
            except (store_api.LogDamaged, UnreadableEntry) as error:
                # An unreadable log concerns this table alone: it is quarantined, and the others play on.
                log_failure("log unreadable", self.table, error)
                self._quarantine(refused("table_unavailable"))
                raise Unavailable(refused("table_unavailable")) from error
            # Nothing may fail in between: the log counts as read now.
            self._replace(history)
            if lost := await self._log.count_lost():
                await self._append_rollback(lost)
        self._is_current = True

    def _entry_time(self) -> int:
        return self._loaded().entry_time(self._context.wall_milliseconds(), self._context.milliseconds())

    async def _append_rollback(self, lost: int, not_before: int = 0) -> None:
        """Append that the storage has lost at least so many entries, which people may have seen.

        `not_before` is the time of a lost entry: the wall clock may have been ahead of its present time then.
        """
        core, accepted, at = self._loaded(), Accepted([LogRolledBack(lost)]), max(self._entry_time(), not_before)
        appended = await self._append(accepted, at, None, Done())
        if not isinstance(appended, store_api.Appended):
            raise store_api.StorageFailed("The log of a table keeps changing.")
        # Only now: a worker that lost its lease has not seen the latest entries, and takes them for lost.
        log.error("log rolled back", extra={"table": self.table, "entries": lost})
        core.commit(accepted, self._context.milliseconds(), at)
        self._loaded_subscribers().send_update(accepted.events, at)
        self._publish_status()

    def _publish_status(self) -> None:
        """Update the lists of the people who sit here if the table waits for somebody else, or has got further."""
        assert self._stored_summary is not None
        status = self._stored_summary.status
        if status is not self._published_status:
            self._published_status = status
            self._context.directory.update_status(self.table, status)

    def _replace(self, history: History) -> None:
        """Replace the table in memory with one that was rebuilt from the log."""
        self._history = history
        status = status_of(history.table, history.table.play, history.decision_opened_at)
        self._stored_summary = StoredSummary(history.table.phase, status)
        strengths = self._context.bots.strengths(history.table.settings.game)
        now, last = self._context.milliseconds(), history.last_time
        if self._core is not None:
            # The log may have been rolled back: what it has lost was dated too.
            last = max(last, self._core.entry_time(0, now))
        self._core = TableCore(history.table, now, strengths, self._chat.kept_lines)
        self._core.date_after(last, now)
        earlier = self._subscribers
        self._subscribers = Subscribers(self._core, history, self._chat, self._context, self._schedule)
        if earlier is not None:
            self._subscribers.adopt(earlier)
        self._subscribers.on_people_changed()
        self._subscribers.publish_summary()
        self._publish_status()
        self._queries.on_replaced()
        self._mailbox.promote(self._is_player)

    def _loaded(self) -> TableCore:
        assert self._core is not None
        return self._core

    def _loaded_history(self) -> History:
        assert self._history is not None
        return self._history

    def _loaded_subscribers(self) -> Subscribers:
        assert self._subscribers is not None
        return self._subscribers

    # -- clocks and bots --------------------------------------------------------------------------------------

    def _schedule(self) -> None:
        """Set the alarm for the clock that runs out next, and ask the bots that are awaited."""
        core = self._core
        if core is None or self._unavailable is not None or not self._mailbox.is_open:
            return
        due = core.next_due(self._context.milliseconds())
        self._alarm.set(None if due is None else max(0, due) / 1000)
        self._bots.ask_awaited(core)

    def _on_alarm(self) -> None:
        # If the mailbox is full, the alarm is set again after the next message.
        self.post(TimerFired())
