"""The connections that see a table late: commentators, who see all hands, and spectators where the table delays them.

The table is folded from its log a second time, up to the position that is released (`delay.py`); nothing after it is
even read. Views, updates and their numbers are made from that table alone, once for all connections that see the same.
Presence is not sent, and clocks start anew with each decision: neither is in the log.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import aclosing
from itertools import islice
from typing import Any, Final

from protocol.codec import Frame, ResumePoint
from protocol.patch import Patch, entries_changed
from server.games.engine.events import Event
from server.model import Refused, User
from server.store.api import StorageFailed
from server.tables import events
from server.tables.alarm import Alarm
from server.tables.answer_secrecy import is_step
from server.tables.api import Subscriber
from server.tables.chat import Chat
from server.tables.chat_lines import COMMENTARY, Line
from server.tables.context import TableContext
from server.tables.delay import DelaySchedule
from server.tables.events import TableEvent
from server.tables.failures import log_failure
from server.tables.history import RECENT_KEPT, History
from server.tables.log import TableLog
from server.tables.proofs import proof_of
from server.tables.public_chain import PublicChain
from server.tables.replay_steps import open_seat
from server.tables.replies import reply_message
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.turns import BackgroundJob
from server.tables.view_parts import PatchCache, ViewParts
from server.tables.views import (
    PublicView,
    entry_shown,
    event_seen_by_all,
    event_shown,
    public_view,
    public_view_after,
    view_parts,
    who_may_know,
)

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 2.0
"""The time after which a log that could not be read is read again."""

_PLAYS_HERE: Final = Refused("already_seated", "You play at this table, so you cannot see the hands.", "commentary")


def may_commentate(table: TableState, user: User, key: str | None) -> Refused | None:
    """Return a refusal for a user who may not see a table as a commentator with this key."""
    has_key = (
        key is not None
        and table.commentary_key is not None
        and hmac.compare_digest(key.encode(), table.commentary_key.encode())
    )
    if not has_key or user.id in table.kicked:
        return refused("no_such_table")
    if table.commentary is None:
        return refused("commentary_ended")
    return None if table.seat_of(user.id) is None else _PLAYS_HERE


class _DelayedViewer:
    """All commentators, or all delayed spectators: they see the same, and their updates have the same numbers."""

    def __init__(self, *, sees_all: bool) -> None:
        self.sees_all = sees_all
        self.subscribers: dict[Subscriber, None] = {}
        """The connections that have a view."""

        self.waiting: dict[Subscriber, ResumePoint | None] = {}
        """The connections that get a view next, with the points from which they resume."""

        self.connections_of: Counter[str] = Counter()
        """By user: the number of these connections."""

        self.forget()

    def forget(self) -> None:
        """Begin again before the first log entry; all connections will need a view."""
        self.waiting = {**self.waiting, **dict.fromkeys(self.subscribers)}
        self.subscribers = {}
        self.number = 0
        self.shown_at = 0
        self.recent: deque[Sequence[Event]] = deque(maxlen=RECENT_KEPT)
        self.parts: ViewParts | None = None
        self.open: list[dict[str, Any]] | None = None

    def __iter__(self) -> Iterator[Subscriber]:
        yield from list(self.subscribers)
        yield from list(self.waiting)

    def remove(self, subscriber: Subscriber) -> None:
        self.subscribers.pop(subscriber, None)
        self.waiting.pop(subscriber, None)
        self.connections_of[subscriber.user.id] -= 1
        if not self.connections_of[subscriber.user.id]:
            del self.connections_of[subscriber.user.id]

    def shown(self, table: TableState, new_events: Sequence[Event]) -> list[dict[str, Any]]:
        """Return the events of a log entry as this viewer may know them."""
        if not self.sees_all:
            return entry_shown(table, new_events, None)
        seen = [_seen_by_commentators(table, new_events, event) for event in new_events]
        return [event for event in seen if event is not None]

    def may_know(self, table: TableState, new_events: Sequence[Event]) -> bool:
        """Return whether this viewer may know of a log entry, if only that there was one."""
        if not self.sees_all:
            return bool(who_may_know(table, new_events, (None,)))
        return is_step(new_events) or bool(self.shown(table, new_events))

    def advance(self, table: TableState, public: PublicView, patches: PatchCache) -> Patch:
        """Take the views after a log entry, and return the patch from those before."""
        before, was_open = self.parts, self.open
        self.look(table, public)
        assert before is not None
        assert self.parts is not None
        patch = patches.patch(before, self.parts)
        if self.sees_all and was_open != self.open:
            patch = [*patch, *entries_changed({"open": was_open}, {"open": self.open}, [])]
        return patch

    def look(self, table: TableState, public: PublicView) -> None:
        """Take the view of the table as it is."""
        self.parts = view_parts(table, None, public, self.parts)
        if self.sees_all and table.play is not None:
            play = table.play
            self.open = [open_seat(play, seat, play.answers.get(seat)) for seat in range(len(table.chairs))]

    def view(self) -> dict[str, Any]:
        """Return the whole view."""
        assert self.parts is not None
        return self.parts.whole() | ({"open": self.open} if self.sees_all else {})


def _seen_by_commentators(table: TableState, new_events: Sequence[Event], event: Event) -> dict[str, Any] | None:
    """Return what commentators may know of an event: all of the game, and around it what spectators may know.

    So what a table tells a single seat, such as notes and keys, stays with that seat.
    """
    if isinstance(event, TableEvent):
        return event_shown(table, new_events, event, None)
    return event_seen_by_all(table, event)


class DelayedSubscribers:
    """All delayed connections of a table as it is in memory."""

    def __init__(
        self, table: TableState, history: History, chat: Chat, context: TableContext, table_log: TableLog
    ) -> None:
        self._table = table
        self._history = history
        self._chat = chat
        self._context = context
        self._log = table_log
        now = context.milliseconds()
        self._schedule = DelaySchedule(history, context.wall_offset.observe(), now)
        self._commentators = _DelayedViewer(sees_all=True)
        self._spectators = _DelayedViewer(sees_all=False)
        self._viewers = (self._commentators, self._spectators)
        self._viewer_of: dict[Subscriber, _DelayedViewer] = {}
        self._alarm = Alarm(self._go_on)
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._position = 0
        """The position of the log up to which the delayed table was folded."""

        self._delayed: TableState | None = None
        self._public: PublicView | None = None
        self._chain: PublicChain | None = None

    def __len__(self) -> int:
        return len(self._viewer_of)

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self._viewer_of

    def has_commentator(self, user: str) -> bool:
        """Return whether a user watches as a commentator."""
        return user in self._commentators.connections_of

    @property
    def spectators(self) -> Collection[str]:
        """Return the users who watch as spectators."""
        return self._spectators.connections_of.keys()

    def watching(self) -> list[Subscriber]:
        """Return the connections of spectators."""
        return list(self._spectators)

    @property
    def released(self) -> int:
        """Return the position of the last log entry that delayed viewers may know of."""
        return self._schedule.released(self._table.delay, self._context.milliseconds())

    # -- joining and leaving ----------------------------------------------------------------------------------

    def add(self, subscriber: Subscriber, resume_point: ResumePoint | None, *, is_commentator: bool) -> None:
        """Subscribe a connection; the view follows as soon as the log was read."""
        self.remove(subscriber)
        self._join(self._commentators if is_commentator else self._spectators, subscriber, resume_point)
        self._go_on()

    def _join(self, viewer: _DelayedViewer, subscriber: Subscriber, resume_point: ResumePoint | None) -> None:
        self._viewer_of[subscriber] = viewer
        viewer.connections_of[subscriber.user.id] += 1
        viewer.waiting[subscriber] = resume_point

    def remove(self, subscriber: Subscriber) -> None:
        """End the subscription of a connection, if it has one."""
        viewer = self._viewer_of.pop(subscriber, None)
        if viewer is None:
            return
        viewer.remove(subscriber)
        if not self._viewer_of and self._task is None:
            self._forget()

    def refresh(self, subscriber: Subscriber) -> None:
        """Send the view again to a connection that dropped frames."""
        viewer = self._viewer_of.get(subscriber)
        if viewer is not None and subscriber in viewer.subscribers:
            del viewer.subscribers[subscriber]
            viewer.waiting[subscriber] = None
            self._go_on()

    def show_again(self) -> None:
        """Send the view to everybody, after a change that is not in the log."""
        self._public = None
        for viewer in self._viewers:
            viewer.parts = None
        for subscriber in [each for viewer in self._viewers for each in viewer.subscribers]:
            self.refresh(subscriber)

    def evict_all(self, refusal: Refused) -> None:
        """End all subscriptions and send the reason."""
        self._evict(list(self._viewer_of), refusal)

    def close(self) -> dict[Subscriber, ResumePoint]:
        """Send nothing any more; return the subscribers with the points from which they can resume."""
        self._is_closed = True
        self._alarm.close()
        if self._task is not None:
            self._task.cancel()
        return {each: self._resume_point(viewer, each) for each, viewer in self._viewer_of.items()}

    def adopt(self, earlier: DelayedSubscribers) -> None:
        """Take over the subscribers of the table as it was in memory before, which was closed."""
        for before, viewer in zip(earlier._viewers, self._viewers, strict=True):
            for subscriber in before:
                self._join(viewer, subscriber, earlier._resume_point(before, subscriber))
        if earlier._table.commentary_key != self._table.commentary_key:
            self._evict(list(self._commentators), refused("no_such_table"))
        self._evict_unwanted()
        self._go_on()

    def _resume_point(self, viewer: _DelayedViewer, subscriber: Subscriber) -> ResumePoint:
        if subscriber in viewer.waiting:
            return viewer.waiting[subscriber] or ResumePoint(0, None)
        return ResumePoint(viewer.number, self._proof(viewer))

    def _evict(self, subscribers: Sequence[Subscriber], refusal: Refused) -> None:
        for subscriber in subscribers:
            self.remove(subscriber)
            self._send([subscriber], Frame(reply_message(None, refusal)))

    def _forget(self) -> None:
        """Forget the delayed table, which is folded anew when somebody needs it."""
        self._alarm.set(None)
        self._position, self._delayed, self._public, self._chain = 0, None, None, None
        for viewer in self._viewers:
            viewer.forget()

    # -- releasing --------------------------------------------------------------------------------------------

    def on_entry(self, new_events: Sequence[Event]) -> None:
        """Take note of a log entry that is part of the table now, and end what it does not allow any more."""
        self._schedule.note(self._context.milliseconds())
        if not self._viewer_of:
            return
        if events.CommentaryKeyMade in map(type, new_events):
            self._evict(list(self._commentators), refused("no_such_table"))
        self._evict_unwanted()
        self._go_on()

    def _evict_unwanted(self) -> None:
        """End the subscriptions of commentators that players do not want any more, or who sit down."""
        if self._table.commentary is None:
            self._evict(list(self._commentators), refused("commentary_ended"))
        seated = [each for each in self._commentators if self._table.seat_of(each.user.id) is not None]
        self._evict(seated, _PLAYS_HERE)

    def _go_on(self) -> None:
        """Show what is released by now, and come back when time releases more."""
        if self._is_closed or self._task is not None or not self._viewer_of:
            return
        if self._position < self.released:
            self._task = asyncio.get_running_loop().create_task(self._release())
            return
        self._send_views()
        wait = self._schedule.wait(self._table.delay, self._context.milliseconds())
        self._alarm.set(None if wait is None else max(0, wait) / 1000)

    async def _release(self) -> None:
        """Read the log up to the released position, and show every entry."""
        try:
            await self._read(self.released)
        except StorageFailed:
            log.warning("storage failed", extra={"table": self._table.id})
            self._retry()
        except Exception as error:  # noqa: BLE001 - players play on
            log_failure("delayed view failed", self._table.id, error)
            self._retry()
        else:
            self._task = None
            if not self._viewer_of:
                self._forget()
            self._go_on()

    def _retry(self) -> None:
        """Fold the log again from its beginning, in a moment: an entry may have been applied and not shown."""
        self._task = None
        if not self._is_closed:
            self._forget()
            self._alarm.set(RETRY_SECONDS)

    async def _read(self, until: int) -> None:
        job = BackgroundJob(self._context.turns)
        async with (
            self._context.read_slots.slot(is_player=False),
            aclosing(self._log.folded(job, self._delayed, self._position, until)) as entries,
        ):
            async for entry, table, at, new_events in entries:
                if at != self._history.times[entry.seq - 1]:
                    break
                self._delayed, self._position = table, entry.seq
                self._show(table, new_events, at)
        if self._position < until:
            # The log was rolled back. The table finds out with its next message, and is then replaced with another.
            raise StorageFailed("the log is shorter than it was")

    def _show(self, table: TableState, new_events: Sequence[Event], at: int) -> None:
        """Send an entry, which the table has applied, to all who have the view before it."""
        chain = self._chain = self._chain or PublicChain(table)
        chain.add(new_events)
        patches = PatchCache()
        if not any(viewer.subscribers for viewer in self._viewers):
            self._public = None
        else:
            self._public = public_view_after(self._public, table, new_events)
        for viewer in self._viewers:
            if not viewer.subscribers:
                viewer.parts = None
            if not viewer.may_know(table, new_events):
                continue
            viewer.number += 1
            viewer.shown_at = at
            viewer.recent.append(new_events)
            if not viewer.subscribers:
                continue
            assert self._public is not None
            update = {
                "type": "update",
                "table": table.id,
                "number": viewer.number,
                "stamp": self._proof(viewer),
                "events": viewer.shown(table, new_events),
                "patch": viewer.advance(table, self._public, patches),
                **chain.shown(),
            }
            self._send(list(viewer.subscribers), Frame(update, can_wait=True))

    def _send_views(self) -> None:
        """Send the view to all connections that wait for one."""
        for viewer in self._viewers:
            frames: dict[ResumePoint | None, Frame] = {}
            for subscriber, resume_point in list(viewer.waiting.items()):
                if self._is_ahead(viewer, resume_point):
                    # It has seen more, at an owner whose clock was ahead: no view may be a step back.
                    continue
                if resume_point not in frames:
                    frames[resume_point] = Frame(self._view(viewer, resume_point), can_wait=True)
                del viewer.waiting[subscriber]
                viewer.subscribers[subscriber] = None
                self._send([subscriber], frames[resume_point])

    def _is_ahead(self, viewer: _DelayedViewer, resume_point: ResumePoint | None) -> bool:
        if resume_point is None or resume_point.number <= viewer.number:
            return False
        return self._history.has_shown(resume_point.proof)

    def _view(self, viewer: _DelayedViewer, resume_point: ResumePoint | None) -> dict[str, Any]:
        """Return the message with the whole view, for those who resume from this point."""
        table, chain = self._delayed, self._chain
        assert table is not None
        assert chain is not None
        if viewer.parts is None or self._public is None:
            self._public = self._public or public_view(table)
            viewer.look(table, self._public)
        return {
            "type": "view",
            "table": table.id,
            "number": viewer.number,
            "stamp": self._proof(viewer),
            "view": viewer.view(),
            "elapsed": 0,
            "missed": self._missed(viewer, table, resume_point),
            "chat": self._chat.shown_in(COMMENTARY) if viewer.sees_all else self._chat.shown_to(None),
            **chain.shown(),
        }

    def _missed(
        self, viewer: _DelayedViewer, table: TableState, resume_point: ResumePoint | None
    ) -> list[dict[str, Any]] | None:
        """Return the events after a resume point; None if it is not valid, or too old to be in memory."""
        if resume_point is None or not self._history.has_shown(resume_point.proof):
            return None
        missing = viewer.number - resume_point.number
        if not 0 <= missing <= len(viewer.recent):
            return None
        recent = islice(viewer.recent, len(viewer.recent) - missing, None)
        return [event for new_events in recent for event in viewer.shown(table, new_events)]

    def _proof(self, viewer: _DelayedViewer) -> str | None:
        return proof_of(self._table.secret, viewer.shown_at)

    def send_line(self, line: Line) -> None:
        """Send a line that is kept beside the log to those of these connections that may see it."""
        viewer = self._commentators if line.room == COMMENTARY else self._spectators
        if line.room == COMMENTARY or line.is_shown_to(None):
            message = {"type": "chat", "table": self._table.id, "lines": [line.shown()]}
            self._send(list(viewer.subscribers), Frame(message, can_wait=True))

    def _send(self, subscribers: Sequence[Subscriber], frame: Frame) -> None:
        for subscriber in subscribers:
            try:
                subscriber.send(frame)
            except Exception as error:  # noqa: BLE001 - a broken connection must not affect the others
                log_failure("connection failed", self._table.id, error)
                self.remove(subscriber)
