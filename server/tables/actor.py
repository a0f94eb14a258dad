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
from server.tables.api import Subscriber
from server.tables.bots import RETRY_SECONDS, BotSeats
from server.tables.by_day import rhythms_adopted, takes_rhythms
from server.tables.chat import Chat
from server.tables.context import TableContext
from server.tables.core import TableCore
from server.tables.delayed_subscribers import may_commentate
from server.tables.entries import UnreadableEntry
from server.tables.events import SeatTaken
from server.tables.failures import INTERNAL_ERROR, FailureCounter, log_failure
from server.tables.history import History
from server.tables.loaded_table import LoadedTable
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
from server.tables.people import SeatedPeople
from server.tables.predictions import Predictions
from server.tables.queries import Queries, Query, opened
from server.tables.replies import stored_reply
from server.tables.results import Result, refused
from server.tables.turns import BackgroundJob
from server.tables.watching import Watching

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
"""Attempts to handle a request: one fails if another owner has appended to the log meanwhile."""

_MAY_NOT_JOIN = Refused("no_free_seat", "You cannot take a seat at this table.", "not_you")
"""Somebody at the table blocks the user. The sentence does not say so."""

_QUARANTINED = Refused("table_unavailable", "This table has failed several times and is closed for now.", "failed")


class TableActor:
    """The owner of one table."""

    def __init__(self, table: str, context: TableContext, predecessor: TableActor | None = None) -> None:
        self.table = table
        self._context = context
        self._predecessor = predecessor
        self._people = SeatedPeople(context.people)
        clock = None if context.is_alone else context.milliseconds
        self._log = TableLog(table, context.store, context.worker, context.hooks.is_dead, clock, self._people)
        self._queries = Queries(table, self._log, context)
        self._chat = Chat(table, context, self._log, self._people)
        self._predictions = Predictions(table, context, self._send_predictions)
        self._watching = Watching(table, context, self._predictions)
        self._loaded: LoadedTable | None = None
        self._is_current = False
        """The table in memory is the table of the log, as far as we know."""

        self._knows_rhythms = False
        """The table has the rhythms of its people as they were when it was loaded, or as they are now."""

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
        return self._loaded is not None and self._loaded.core.state.seat_of(user) is not None

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """End the subscription of a connection, and cancel its message if that is still pending."""
        pending = self._pending_subscriptions.pop(subscriber, None)
        if self._loaded is not None:
            self._loaded.subscribers.remove(subscriber)
        if pending is not None:
            pending.respond(Done())

    def refresh(self, subscriber: Subscriber) -> None:
        """Send the current view to a connection that dropped frames."""
        if self._loaded is not None:
            self._loaded.subscribers.refresh(subscriber)

    def on_user_deleted(self, user_id: str) -> None:
        """Show "former player" in place of a user, if the user sits here or has written here."""
        loaded = self._loaded
        if loaded is None:
            return
        self._predictions.on_user_deleted(user_id)
        lines = [*self._chat.kept_lines(), *(line for room in loaded.core.state.talk.values() for line in room)]
        if user_id in loaded.users or any(line.user == user_id for line in lines):
            loaded.subscribers.show_again()

    @property
    def fence(self) -> str:
        """Return the fencing token of our lease; empty if another worker may own the table."""
        return self._log.fence

    def on_lease_renewed(self, fence: str, at: int) -> None:
        """Take note that a lease was renewed by a request that was sent at this time."""
        self._log.renewed(fence, at)

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
        loaded = self._loaded
        is_subscribed = loaded is not None and bool(loaded.subscribers)
        is_due = self._alarm.is_set and not (loaded and loaded.core.can_be_unloaded(self._context.milliseconds()))
        return not (is_subscribed or is_due or self._bots.is_thinking) or self._unavailable is not None

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
            if self._loaded is not None:
                self._loaded.subscribers.close()
        finally:
            self._alarm.close()
            await self._queries.close()
            await self._watching.close()
            await self._predictions.close()
            await self._chat.close()
            is_over = self._loaded is not None and self._loaded.core.state.phase == "over"
            await self._log.release(is_over=is_over)
            self._loaded = None

    async def _process(self, message: Message) -> None:
        """Handle a message, and every failure that it may cause."""
        if isinstance(message, BotDecided):
            self._bots.on_decided(message)
        try:
            if self._unavailable is not None:
                raise Unavailable(self._unavailable)
            if not self._is_current or self._log.has_lapsed:
                await self._load()
            if not self._knows_rhythms:
                await self._adopt_rhythms()
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
        loaded, self._loaded = self._loaded, None
        self._log.forget()
        self._chat.forget()
        self._predictions.forget()
        self._alarm.set(None)
        self._bots.close()
        self._bots = BotSeats(self._context.bots, self.post)
        if loaded is not None:
            for subscriber, resume_point in loaded.subscribers.close().items():
                self._context.hooks.on_subscription_moved(self.table, subscriber, resume_point)

    def _fail(self, message: Message, refusal: Refused) -> None:
        """Refuse a message, and set the alarm again: nobody would repeat the messages of bots and clocks."""
        self._is_current = False
        refuse(message, refusal)
        if self._loaded is not None and self._unavailable is None and self._mailbox.is_open:
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
        if self._loaded is not None:
            self._loaded.subscribers.evict_all(refusal)
            self._loaded.subscribers.close()
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
                message.respond(opened(message.user, self._current().core))
            case UserRenamed(user):
                await self._execute(lambda core: core.user_renamed(user))
                if self._people.note(user, self._current().users):
                    self._current().subscribers.show_again()
            case BotDecided(seat, number, command):
                await self._execute(lambda core: core.bot_decided(seat, number, command, now()))
            case TimerFired():
                await self._execute(lambda core: core.time_ran_out(now(), self._context.entropy))
            case TableDeserted(seq):
                if seq == self._log.seq and not self._current().subscribers:
                    await self._execute(TableCore.deserted)
            case PeopleAway(connected, closes):
                subscribers = self._current().subscribers
                await self._execute(lambda core: core.people_away(connected, subscribers.has, closes=closes))

    async def _handle_request(self, message: RequestReceived) -> None:
        user, request, _ = message
        context, loaded = self._context, self._current()
        if isinstance(request, Query):
            is_subscribed = loaded.subscribers.has(user.id)
            self._queries.answer(message, request, loaded, is_subscribed=is_subscribed)
            return
        if isinstance(request, messages.Say):
            is_taken = await self._chat.take(message, request, loaded.core, loaded.subscribers)
            if is_taken:
                return
        if isinstance(request, messages.Predict):
            self._predictions.take(message, request, loaded.core, loaded.subscribers)
            return
        if isinstance(request, messages.GetWatching):
            self._watching.answer(message, request, loaded.core, loaded.subscribers)
            return
        if isinstance(request, messages.PlayAgain):
            message = RequestReceived(user, request, Responder(partial(self._seat_at_rematch, message)))
        key: str | None = None
        if isinstance(request, messages.TakeSeat):
            key, seated = request.key, loaded.users
            self._people.note(user, seated)
            if user.id not in seated and not await context.people.may_join(user.id, seated):
                # A private table must not show itself to somebody without its key.
                is_subscribed = loaded.subscribers.has(user.id)
                refusal = loaded.core.may_enter(user, key, is_subscribed=is_subscribed) or _MAY_NOT_JOIN
                await self._queries.refuse(message, refusal, is_player=self._is_player(user.id))
                return

        differs = loaded.core.other_history(user, request)
        if differs is not None:
            await self._execute(lambda core: core.history_differed(differs))

        def handle(core: TableCore) -> Result:
            is_subscribed = self._current().subscribers.has(user.id)
            refusal = core.may_enter(user, key, is_subscribed=is_subscribed)
            if refusal is not None:
                return refusal
            return core.handle(user, request, context.entropy, context.milliseconds())

        if isinstance(request, messages.AdoptRhythm) and self._is_player(user.id):
            await self._adopt_rhythms()
        await self._execute(handle, message)
        if isinstance(request, (messages.TakeSeat, messages.ChangeSettings)):
            await self._adopt_rhythms()

    async def _adopt_rhythms(self) -> None:
        """Copy the weekly rhythms of the people at a table by the day into its log, as far as they are new there."""
        if not takes_rhythms(self._current().core.state):
            self._knows_rhythms = True
            return
        try:
            kept = await self._context.people.rhythms(self._current().users)
        except store_api.StorageFailed:
            log.warning("rhythms not read", extra={"table": self.table})
            return
        clocks = self._current().core.state.day_clocks
        await self._execute(lambda core: rhythms_adopted(core, kept))
        if self._current().core.state.day_clocks is not clocks:
            # The first rhythm of somebody counts at once, and nobody is shown its event.
            self._current().subscribers.show_again()
        self._knows_rhythms = True

    def _seat_at_rematch(self, message: RequestReceived, reply: Reply) -> None:
        """Reply to `play_again` only when its user has a seat at the next table."""
        user, request, respond = message
        if isinstance(reply, Refused):
            respond(reply)
            return
        table, key = reply.result["table"], reply.result["key"]
        self._context.open_rematch(self._current().core.state, user, request.id, table, key, respond)

    async def _subscribe(self, message: Subscribe) -> None:
        user, request, loaded = message.user, message.request, self._current()
        core, is_subscribed = loaded.core, loaded.subscribers.has(user.id)
        if request.delayed:
            refusal = may_commentate(core.state, user, request.key)
        else:
            refusal = core.may_enter(user, request.key, is_subscribed=is_subscribed) or core.may_watch(user)
        if refusal is not None:
            message.respond(refusal)
            return
        lost_time = loaded.history.proves_rollback(request.stamp)
        if lost_time is not None:
            await loaded.append_rollback(1, not_before=lost_time)
        message.respond(Done())
        if self._is_pending(message):
            resume_point = None if request.have is None else ResumePoint(request.have, request.stamp)
            loaded.subscribers.add(
                message.subscriber, resume_point, is_commentator=request.delayed, is_named=request.named
            )

    # -- making it durable ------------------------------------------------------------------------------------

    async def _execute(self, handle: Callable[[TableCore], Result], received: RequestReceived | None = None) -> None:
        """Handle, append, reply, and send updates; handle again if another owner has appended to the log."""
        for _ in range(MAX_ATTEMPTS):
            loaded = self._current()
            result = handle(loaded.core)
            if isinstance(result, Refused):
                if received is not None:
                    await self._queries.refuse(received, result, is_player=self._is_player(received.user.id))
                return
            done = Done(result.result or {})
            if result.events:
                at = loaded.entry_time()
                appended = await loaded.append(result, at, received, done)
                if received is not None and isinstance(appended, (store_api.Known, store_api.Reused)):
                    received.respond(stored_reply(appended))
                    return
                if not isinstance(appended, store_api.Appended):
                    await self._load()
                    continue
                loaded.commit(result, at)
                if SeatTaken in map(type, result.events):
                    self._mailbox.promote(self._is_player)
            if received is not None:
                received.respond(done)
            if result.events:
                loaded.show(result.events, at)
            return
        if received is not None:
            received.respond(refused("busy"))

    async def _load(self) -> None:
        """Own the table, and rebuild it from its log unless it is in memory as the log has it."""
        self._is_current = False
        if not await self._log.acquire():
            await self._chat.load()
            await self._predictions.load()
            try:
                history = await self._log.replay(BackgroundJob(self._context.turns))
            except (store_api.LogDamaged, UnreadableEntry) as error:
                # An unreadable log concerns this table alone: it is quarantined, and the others play on.
                log_failure("log unreadable", self.table, error)
                self._quarantine(refused("table_unavailable"))
                raise Unavailable(refused("table_unavailable")) from error
            # Nothing may fail in between: the log counts as read now.
            await self._people.read([chair.user for chair in history.table.chairs if chair.user is not None])
            self._replace(history)
            self._knows_rhythms = False
            if lost := await self._log.count_lost():
                await self._current().append_rollback(lost)
        self._is_current = True

    def _replace(self, history: History) -> None:
        """Replace the table in memory with one that was rebuilt from the log."""
        earlier = self._loaded
        loaded = LoadedTable(history, self._log, self._chat, self._predictions, self._context, self._schedule, earlier)
        self._loaded = loaded
        if earlier is not None:
            loaded.subscribers.adopt(earlier.subscribers)
        loaded.subscribers.on_people_changed()
        loaded.subscribers.publish_summary()
        loaded.publish_status()
        self._predictions.note_step(loaded.core.state)
        self._queries.on_replaced()
        self._mailbox.promote(self._is_player)

    def _current(self) -> LoadedTable:
        """Return the table in memory, which a message that is handled has."""
        assert self._loaded is not None
        return self._loaded

    def _send_predictions(self) -> None:
        if self._loaded is not None:
            self._loaded.subscribers.send_predictions()

    # -- clocks and bots --------------------------------------------------------------------------------------

    def _schedule(self) -> None:
        """Set the alarm for the clock that runs out next, and ask the bots that are awaited."""
        loaded = self._loaded
        if loaded is None or self._unavailable is not None or not self._mailbox.is_open:
            return
        due = loaded.core.next_due(self._context.milliseconds())
        self._alarm.set(None if due is None else max(0, due) / 1000)
        self._bots.ask_awaited(loaded.core)

    def _on_alarm(self) -> None:
        # If the mailbox is full, the alarm is set again after the next message.
        self.post(TimerFired())
