"""One task that owns a table: takes one message at a time, makes it durable, answers, and tells those who follow.

Between looking at the table and changing it there is only the append; nothing is answered or shown before that has
succeeded. A request that storage could not take is refused, and before the next one the log is looked at again, since
a failed append may have happened all the same. A request that brings a mistake to light is refused, and the table is
read from its log anew; one that fails too often is closed, and the others play on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from protocol import messages
from protocol.codec import pack
from server.model import Refused, User
from server.store import api as store_api
from server.tables.api import Subscriber
from server.tables.bots import RETRY_SECONDS, SeatsOfBots
from server.tables.context import TableContext
from server.tables.core import TableCore
from server.tables.entries import UnreadableEntry, write_entry
from server.tables.events import LogRolledBack
from server.tables.failures import INTERNAL_ERROR, FailureCounter, log_failure
from server.tables.handlers import NEED_ENTROPY
from server.tables.history import History
from server.tables.log import HeldElsewhere, TableLog, Unavailable
from server.tables.mailbox import Mailbox
from server.tables.messages import (
    BotDecided,
    Message,
    OneReply,
    RequestReceived,
    Subscribe,
    TableDeserted,
    TableQueried,
    TimerFired,
    UserRenamed,
    done_message,
    forward,
    known_message,
    refusal_message,
    refuse,
)
from server.tables.queries import hint, look_back
from server.tables.results import Accepted, Result, refused
from server.tables.subscribers import Subscribers
from server.tables.summary import changes_lists, pack_summary

log = logging.getLogger(__name__)

TRIES = 3
_CLOSED = Refused("table_unavailable", "This table fails again and again, so it is closed for now.")


class TableActor:
    """The owner of one table."""

    def __init__(self, table: str, context: TableContext, predecessor: TableActor | None = None) -> None:
        self.table = table
        self._context = context
        self._predecessor = predecessor
        self._log = TableLog(table, context.store, context.worker)
        self._core: TableCore | None = None
        self._history: History | None = None
        self._subscribers: Subscribers | None = None
        self._is_sure = False
        """What is in memory is what the log tells, as far as we know."""

        self._unavailable: Refused | None = None
        self._failures = FailureCounter()
        self._mailbox = Mailbox()
        self._coming: dict[Subscriber, Subscribe] = {}
        """The messages of connections that want to follow, until they do or no longer want to."""

        self._timer: asyncio.TimerHandle | None = None
        self._bots = SeatsOfBots(context.bots, self.post)
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"table {table}")

    # -- from outside, without waiting ------------------------------------------------------------------------

    def post(self, message: Message) -> bool:
        """Put a message into the mailbox; False if it is full or the table is being put to rest."""
        is_posted = self._mailbox.post(message)
        if is_posted and isinstance(message, Subscribe):
            self._coming[message.subscriber] = message
        return is_posted

    def unwatch(self, subscriber: Subscriber) -> None:
        """Let a connection go, also one whose message has not been read yet."""
        self._coming.pop(subscriber, None)
        if self._subscribers is not None:
            self._subscribers.remove(subscriber)

    def refresh(self, subscriber: Subscriber) -> None:
        """Send a connection that dropped frames the view as it is now."""
        if self._subscribers is not None:
            self._subscribers.refresh(subscriber)

    @property
    def fence(self) -> str:
        return self._log.fence

    def lost(self, fence: str) -> None:
        """Note that another owner has taken the table: it must be claimed and read again before anything else."""
        if self._log.void(fence):
            self._is_sure = False
            self.post(TimerFired())

    @property
    def is_idle(self) -> bool:
        """Tell whether nobody follows the table and nothing will happen at it by itself."""
        if not self._mailbox.is_idle:
            return False
        return not (self._subscribers or self._timer or self._bots.is_thinking) or self._unavailable is not None

    async def close(self) -> None:
        """Finish what is in the mailbox, give the table up and end."""
        self._bots.close()
        self._mailbox.close()
        await asyncio.wait([self._task])

    # -- the task ---------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        if self._predecessor is not None:
            await self._predecessor.close()
            self._predecessor = None
        try:
            await self._mailbox.serve(self._take)
            if self._subscribers is not None:
                self._subscribers.close()
        finally:
            self._set_timer(None)
            is_over = self._core is not None and self._core.state.phase == "over"
            await self._log.release(is_over=is_over)

    async def _take(self, message: Message) -> None:
        """Handle a message, whatever happens."""
        if isinstance(message, BotDecided):
            self._bots.heard(message)
        try:
            if self._unavailable is not None:
                raise Unavailable(self._unavailable)
            if not self._is_sure:
                await self._load()
            await self._handle(message)
            self._look_ahead()
        except Unavailable as reason:
            refuse(message, reason.refusal)
        except HeldElsewhere as held:
            if not self._context.is_alone:
                self._let_go()
            if not forward(message, held.by):
                self._try_later(message, refused("busy"))
        except store_api.StorageFailed:
            log.warning("storage failed", extra={"table": self.table})
            self._try_later(message, refused("storage_failed"))
        except Exception as error:  # noqa: BLE001 - whatever it is, it concerns this table alone
            self._note_failure(error)
            self._try_later(message, self._unavailable or INTERNAL_ERROR)
        finally:
            if isinstance(message, Subscribe) and self._coming.get(message.subscriber) is message:
                del self._coming[message.subscriber]

    def _let_go(self) -> None:
        """Forget the table, which is another worker's; those who follow it here must be shown it by that one."""
        subscribers, self._subscribers = self._subscribers, None
        self._core = self._history = None
        self._log.forget()
        self._set_timer(None)
        self._bots.close()
        self._bots = SeatsOfBots(self._context.bots, self.post)
        if subscribers is not None:
            for subscriber, resume_point in subscribers.close().items():
                self._context.moved(self.table, subscriber, resume_point)

    def _try_later(self, message: Message, refusal: Refused) -> None:
        """Refuse a message; bots and clocks have nobody who would ask again for them."""
        self._is_sure = False
        refuse(message, refusal)
        if self._subscribers is not None and self._unavailable is None and self._mailbox.is_open:
            self._set_timer(RETRY_SECONDS)

    def _note_failure(self, error: Exception) -> None:
        """Read the table anew from its log before the next message, and close it if that does not help."""
        log_failure("table made a mistake", self.table, error)
        self._log.forget()
        if self._failures.note(self._context.milliseconds()):
            self._quarantine(_CLOSED)

    def _quarantine(self, refusal: Refused) -> None:
        log.error("table quarantined", extra={"table": self.table})
        self._unavailable = refusal
        self._set_timer(None)
        if self._subscribers is not None:
            self._subscribers.turn_away_all(refusal)
            self._subscribers.close()
        self._context.directory.gone(self.table)

    # -- messages ----------------------------------------------------------------------------------------------

    async def _handle(self, message: Message) -> None:
        now = self._context.milliseconds
        match message:
            case RequestReceived():
                await self._handle_request(message)
            case Subscribe():
                await self._watch(message)
            case TableQueried():
                self._answer_opened(message)
            case UserRenamed(user):
                await self._settle(lambda core: core.renamed(user))
            case BotDecided(seat, number, command):
                await self._settle(lambda core: core.bot_decided(seat, number, command, now()))
            case TimerFired():
                await self._settle(lambda core: core.overdue(now()))
            case TableDeserted(seq):
                if seq == self._log.seq and not self._loaded_subscribers():
                    await self._settle(TableCore.deserted)

    async def _handle_request(self, message: RequestReceived) -> None:
        user, request, reply = message
        context = self._context
        if isinstance(request, (messages.LookBack, messages.Hint)):
            await self._enquire(message, request)
            return
        if isinstance(request, messages.PlayAgain):
            message = RequestReceived(user, request, OneReply(partial(self._seat_again, user, reply)))
        key = request.key if isinstance(request, messages.TakeSeat) else None

        def handle(core: TableCore) -> Result:
            is_subscribed = self._loaded_subscribers().has(user.id)
            refusal = core.may_enter(user, key, is_subscribed=is_subscribed)
            if refusal is not None:
                return refusal
            if isinstance(request, messages.Say) and not is_subscribed and core.state.seat_of(user.id) is None:
                return refused("not_following")
            entropy = context.entropy() if isinstance(request, NEED_ENTROPY) else b""
            return core.handle(user, request, entropy, context.milliseconds())

        await self._settle(handle, message)

    def _seat_again(self, user: User, reply: OneReply, answer: dict[str, Any]) -> None:
        """Answer who wants to play again only when they have a seat at the next table."""
        if answer["type"] == "done":
            result = answer["result"]
            state = self._loaded().state
            self._context.play_again(state, user, answer["id"], result["table"], result["key"], reply)
        else:
            reply(answer)

    async def _watch(self, message: Subscribe) -> None:
        user, request, core = message.user, message.request, self._loaded()
        is_subscribed = self._loaded_subscribers().has(user.id)
        refusal = core.may_enter(user, request.key, is_subscribed=is_subscribed) or core.may_watch(user)
        if refusal is not None:
            refuse(message, refusal)
            return
        if self._past().has_lost(request.stamp):
            await self._tell_loss(1)
        missed = await self._log.missed(self._past(), user, request)
        message.reply(done_message(request.id, {}))
        if self._coming.get(message.subscriber) is message:
            self._loaded_subscribers().add(message.subscriber, missed)

    async def _enquire(self, message: RequestReceived, request: messages.LookBack | messages.Hint) -> None:
        core, is_subscribed = self._loaded(), self._loaded_subscribers().has(message.user.id)
        refusal = core.may_enter(message.user, None, is_subscribed=is_subscribed)
        if refusal is not None:
            refuse(message, refusal)
        elif isinstance(request, messages.LookBack):
            await look_back(message, request, core, self._log)
        else:
            hint(message, request, core, self._context.bots)

    def _answer_opened(self, message: TableQueried) -> None:
        state = self._loaded().state
        if message.user.id != state.opener:
            refuse(message, refused("id_reused"))
            return
        message.reply(done_message(message.request_id, {"table": self.table, "seat": 0, "key": state.key}))

    # -- making it durable ------------------------------------------------------------------------------------

    async def _settle(self, handle: Callable[[TableCore], Result], received: RequestReceived | None = None) -> None:
        """Judge, make it durable, answer, and tell; judge again where the log has gone on without us."""
        for _ in range(TRIES):
            core = self._loaded()
            result = handle(core)
            if isinstance(result, Refused):
                if received is not None:
                    await self._refuse(received, result)
                return
            done = done_message("" if received is None else received.request.id, result.result or {})
            if result.events:
                at = self._context.wall_milliseconds()
                appended = await self._append(result, at, received, done)
                if received is not None and isinstance(appended, (store_api.Known, store_api.Reused)):
                    received.reply(known_message(received.request.id, appended))
                    return
                if not isinstance(appended, store_api.Appended):
                    await self._load()
                    continue
                core.commit(result, self._context.milliseconds())
            if received is not None:
                received.reply(done)
            if result.events:
                self._loaded_subscribers().tell(result.events, at)
            return
        if received is not None:
            refuse(received, refused("busy"))

    async def _refuse(self, received: RequestReceived, refusal: Refused) -> None:
        """Refuse, unless this repeats something that was accepted and has changed what is possible since."""
        known = await self._log.answer_to(*received.command)
        received.reply(
            refusal_message(received.request.id, refusal)
            if known is None
            else known_message(received.request.id, known)
        )

    async def _append(
        self, accepted: Accepted, at: int, received: RequestReceived | None, done: dict[str, Any]
    ) -> store_api.AppendResult:
        summary, phase = None, None
        if changes_lists(accepted):
            # The lists must not say less than the log, so both are written at once.
            after = self._loaded().state.after(accepted.events, accepted.play)
            summary, phase = pack_summary(after), after.phase
        command_id, request_hash = (None, b"") if received is None else received.command
        payload = write_entry(accepted.events, at)
        return await self._log.append(store_api.NewEntry(payload, command_id, request_hash, pack(done), summary, phase))

    async def _load(self) -> None:
        """Own the table and have in memory what its log tells."""
        self._is_sure = False
        if not await self._log.is_current():
            try:
                history = await self._log.replay()
            except (store_api.LogDamaged, UnreadableEntry) as error:
                # A log that cannot be read concerns this table alone: it is closed, the others play on.
                log_failure("log unreadable", self.table, error)
                self._quarantine(refused("table_unavailable"))
                raise Unavailable(refused("table_unavailable")) from error
            self._replace(history)
            if lost := await self._log.lost():
                await self._tell_loss(lost)
        self._is_sure = True

    async def _tell_loss(self, lost: int) -> None:
        """Tell everybody, for good, that the storage has lost at least so many records which they may have seen."""
        core, accepted, at = self._loaded(), Accepted([LogRolledBack(lost)]), self._context.wall_milliseconds()
        appended = await self._append(accepted, at, None, {})
        if not isinstance(appended, store_api.Appended):
            raise store_api.StorageFailed("The log of a table goes on changing.")
        # Only now: an owner that is none any more takes for lost what it has not seen.
        log.error("the log went back", extra={"table": self.table, "records": lost})
        core.commit(accepted, self._context.milliseconds())
        self._loaded_subscribers().tell(accepted.events, at)

    def _replace(self, history: History) -> None:
        """Put a table that was just read in the place of what was in memory."""
        self._history = history
        strengths = self._context.bots.strengths(history.table.settings.game)
        self._core = TableCore(history.table, self._context.milliseconds(), strengths)
        earlier, self._subscribers = (
            self._subscribers,
            Subscribers(self._core, history, self._context, self._look_ahead),
        )
        if earlier is not None:
            self._subscribers.take_over(earlier)
        self._subscribers.people_changed()
        self._subscribers.publish()

    def _loaded(self) -> TableCore:
        assert self._core is not None
        return self._core

    def _past(self) -> History:
        assert self._history is not None
        return self._history

    def _loaded_subscribers(self) -> Subscribers:
        assert self._subscribers is not None
        return self._subscribers

    # -- what happens by itself -------------------------------------------------------------------------------

    def _look_ahead(self) -> None:
        """Set the alarm for whoever runs out of time next, and let bots think whose turn it is."""
        core = self._core
        if core is None or self._unavailable is not None or not self._mailbox.is_open:
            return
        due = core.due()
        self._set_timer(None if due is None else max(0, due[0]) / 1000)
        self._bots.look_ahead(core)

    def _set_timer(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._ring)

    def _ring(self) -> None:
        self._timer = None
        # If the mailbox is full, the alarm is set again after the next message.
        self.post(TimerFired())
