"""The connections that are subscribed to a table: they get views, updates and presence.

A viewer is a seat, or all spectators; its connections all see the same, so each update is built and encoded once for a
viewer. Nothing here decides or waits, and only durable events may be handed in. `Subscriber.send` may find its
connection closed and unsubscribe it, so the loops that send run over copies.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from protocol.codec import Frame, ResumePoint
from server.games.engine.events import Event, Seat, Viewer
from server.model import Refused, User
from server.tables import events
from server.tables.api import Subscriber, Summary
from server.tables.chairs import Chair
from server.tables.chat import Chat
from server.tables.chat_lines import Line
from server.tables.context import TableContext
from server.tables.core import TableCore
from server.tables.delayed_subscribers import DelayedSubscribers
from server.tables.failures import log_failure
from server.tables.history import History
from server.tables.predictions import Predictions
from server.tables.replies import reply_message
from server.tables.summary import SUMMARY_EVENTS, summary_of
from server.tables.view_parts import PatchCache, ViewParts
from server.tables.views import PublicView, VisibleEvents, public_view, public_view_after, view_parts

PRESENCE_DELAY_SECONDS = 0.25
"""The delay of presence messages, which collects changes: many people come back at once after a restart."""

_SEATING_EVENTS: Final = frozenset({events.SeatTaken, events.SeatLeft, events.SeatMoved})
"""Events after which a user may be another viewer."""


class Subscribers:
    """All subscribers of a table as it is in memory. `on_change` is called when somebody has joined or left."""

    def __init__(
        self,
        core: TableCore,
        history: History,
        chat: Chat,
        predictions: Predictions,
        context: TableContext,
        on_change: Callable[[], None],
        delayed: DelayedSubscribers,
    ) -> None:
        self.delayed = delayed
        """Those that see the table late; they are no other viewers here."""

        self._core = core
        self._chat = chat
        self._predictions = predictions
        self._table = core.state
        self._history = history
        self._context = context
        self._on_change = on_change
        self._of_viewer: dict[Viewer, dict[Subscriber, None]] = {None: {}}
        """By viewer; a seat is added when its first connection subscribes."""

        self._viewer_of: dict[Subscriber, Viewer] = {}
        self._connections_of: Counter[str] = Counter()
        """By user: the number of subscribed connections."""

        self._named: set[Subscriber] = set()
        """Connections whose users want to be seen while they watch."""

        self._views: dict[Viewer, ViewParts] = {}
        """The view that the connections of a viewer have; only for viewers that have connections."""

        self._public_view: PublicView | None = None
        """None until a view is needed, and again while nobody is subscribed."""

        self._presence: tuple[list[str], int, tuple[int | None, ...]] | None = None
        """What was sent last: the presence of the seats, the spectators, and since when people have been away."""

        self._presence_timer: asyncio.TimerHandle | None = None
        self._published: Summary | None = None
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._viewer_of) + len(self.delayed)

    def has(self, user: str) -> bool:
        """Return whether a user has a subscribed connection, other than as a commentator."""
        return user in self._connections_of or user in self.delayed.spectators

    # -- joining and leaving ----------------------------------------------------------------------------------

    def add(
        self,
        subscriber: Subscriber,
        resume_point: ResumePoint | None,
        *,
        is_commentator: bool = False,
        is_named: bool = False,
    ) -> None:
        """Subscribe a connection, and send it the view and the events after its resume point, if it has one.

        `is_named` says that its user wants to be seen while watching; commentators never are.
        """
        if is_commentator or self._is_delayed(subscriber):
            self._leave(subscriber)
            self.delayed.add(subscriber, resume_point, is_commentator=is_commentator)
        else:
            self._join(subscriber)
            self._send_view(subscriber, self._missed(subscriber, resume_point))
        if is_named and not is_commentator:
            self._named.add(subscriber)
        self.on_people_changed()

    def _is_delayed(self, subscriber: Subscriber) -> bool:
        return self._table.delays_spectators and self._table.seat_of(subscriber.user.id) is None

    def remove(self, subscriber: Subscriber) -> None:
        """End the subscription of a connection, if it has one."""
        if subscriber in self._viewer_of or subscriber in self.delayed:
            self._leave(subscriber)
            self.on_people_changed()

    def refresh(self, subscriber: Subscriber) -> None:
        """Send the current view to a connection that dropped frames."""
        if subscriber in self._viewer_of:
            self._send_view(subscriber, missed=None)
        else:
            self.delayed.refresh(subscriber)

    def show_again(self) -> None:
        """Send the view to everybody, and the summary to the lists, after a change that is not in the log."""
        self._public_view = None
        self._views.clear()
        for subscriber in list(self._viewer_of):
            if subscriber in self._viewer_of:
                self._send_view(subscriber, missed=None)
        self.delayed.show_again()
        self.publish_summary()

    def adopt(self, earlier: Subscribers) -> None:
        """Take over the subscribers of the table as it was in memory before, and send them the view again."""
        subscribers = earlier.close()
        self.delayed.adopt(earlier.delayed)
        self._named |= earlier._named
        for subscriber in earlier._viewer_of:
            if self._is_delayed(subscriber):
                self.delayed.add(subscriber, subscribers[subscriber], is_commentator=False)
                continue
            self._join(subscriber)
            if subscriber in earlier._named:
                self._named.add(subscriber)
            self._send_view_or_evict(subscriber, self._missed(subscriber, subscribers[subscriber]))

    def evict_all(self, refusal: Refused) -> None:
        """End all subscriptions and send the reason."""
        for subscriber in list(self._viewer_of):
            self._evict(subscriber, refusal)
        self.delayed.evict_all(refusal)

    def close(self) -> dict[Subscriber, ResumePoint]:
        """Send nothing any more; return the subscribers with the points from which they can resume."""
        self._is_closed = True
        if self._presence_timer is not None:
            self._presence_timer.cancel()
            self._presence_timer = None
            self.publish_summary()
        resume_points = {each: self._history.resume_point(viewer) for each, viewer in self._viewer_of.items()}
        return resume_points | self.delayed.close()

    def _join(self, subscriber: Subscriber) -> None:
        """Subscribe a connection as the viewer that its user is now; the view must be sent next."""
        self._leave(subscriber)
        viewer = self._table.seat_of(subscriber.user.id)
        self._viewer_of[subscriber] = viewer
        self._connections_of[subscriber.user.id] += 1
        self._of_viewer.setdefault(viewer, {})[subscriber] = None

    def _leave(self, subscriber: Subscriber) -> None:
        self.delayed.remove(subscriber)
        self._named.discard(subscriber)
        if subscriber in self._viewer_of:
            viewer = self._viewer_of.pop(subscriber)
            self._connections_of[subscriber.user.id] -= 1
            if not self._connections_of[subscriber.user.id]:
                del self._connections_of[subscriber.user.id]
            del self._of_viewer[viewer][subscriber]
            if not self._of_viewer[viewer]:
                self._views.pop(viewer, None)

    def _evict(self, subscriber: Subscriber, refusal: Refused) -> None:
        self._leave(subscriber)
        self._send([subscriber], Frame(reply_message(None, refusal)))

    def _missed(self, subscriber: Subscriber, resume_point: ResumePoint | None) -> list[dict[str, Any]] | None:
        return None if resume_point is None else self._history.missed(self._viewer_of[subscriber], resume_point)

    # -- updates and views ------------------------------------------------------------------------------------

    def send_update(self, new_events: Sequence[Event], at: int) -> None:
        """Send every viewer what it may know of a log entry that is durable and already part of the table."""
        kinds = set(map(type, new_events))
        if events.GameStarted in kinds:
            for subscriber in list(self._of_viewer[None]):
                refusal = self._core.may_watch(subscriber.user)
                if refusal is not None:
                    self._evict(subscriber, refusal)
                elif self._is_delayed(subscriber):
                    # It has seen all that came before the game.
                    is_named, resume_point = subscriber in self._named, self._history.resume_point(None)
                    self._leave(subscriber)
                    self.delayed.add(subscriber, resume_point, is_commentator=False)
                    if is_named:
                        self._named.add(subscriber)
        self._send_updates(new_events, at)
        self.delayed.on_entry(new_events)
        self._predictions.note_step(self._table)
        if not kinds.isdisjoint(_SEATING_EVENTS):
            self._regroup()
        if not kinds.isdisjoint(SUMMARY_EVENTS) or self._table.phase == "over":
            self.on_people_changed()
            self.publish_summary()

    def _send_updates(self, new_events: Sequence[Event], at: int) -> None:
        table, history = self._table, self._history
        viewers = history.add(new_events, at)
        if not self._viewer_of:
            self._public_view = None
            return
        now = self._public_view = public_view_after(self._public_view, table, new_events)
        patches = PatchCache()
        visible = VisibleEvents(table, new_events)
        proof, elapsed, shown = history.proof(at), self._core.stopwatch.elapsed, history.chain.shown(visible.public)
        frames: dict[tuple[int, int, int], Frame] = {}
        """By update number and the ids of events and patch: viewers that see the same get the same objects."""

        for viewer in viewers:
            subscribers = self._of_viewer.get(viewer)
            if not subscribers:
                continue
            before = self._views[viewer]
            after = self._views[viewer] = view_parts(table, viewer, now, before)
            number, seen, patch = history.number(viewer), visible.to(viewer), patches.patch(before, after)
            key = number, id(seen), id(patch)
            frame = frames.get(key)
            if frame is None:
                update = {
                    "type": "update",
                    "table": table.id,
                    "number": number,
                    "stamp": proof,
                    "events": seen,
                    "patch": patch,
                    "elapsed": elapsed,
                    **shown,
                }
                frame = frames[key] = Frame(update, can_wait=viewer is None)
            elif frame.can_wait:
                # Spectators come first and have got it.
                frame = frames[key] = frame.urgent()
            self._send(subscribers, frame)

    def send_line(self, line: Line) -> None:
        """Send a line that is kept beside the log to all who may see it. It has no number, like presence."""
        message = {"type": "chat", "table": self._table.id, "lines": [line.shown()]}
        to_players, to_spectators = Frame(message), Frame(message, can_wait=True)
        for viewer, subscribers in list(self._of_viewer.items()):
            if line.is_shown_to(viewer):
                self._send(subscribers, to_spectators if viewer is None else to_players)
        self.delayed.send_line(line)

    def send_predictions(self) -> None:
        """Send the predictions of spectators to them, and after the end to everybody. They have no number."""
        message = self._predictions.message(self._table)
        to_players, to_spectators = Frame(message), Frame(message, can_wait=True)
        for viewer, subscribers in list(self._of_viewer.items()):
            if self._predictions.are_for(self._table, viewer):
                self._send(subscribers, to_spectators if viewer is None else to_players)

    def _regroup(self) -> None:
        """Move connections whose user has sat down or stood up to their new viewer, and send them its view."""
        regrouped = [
            subscriber
            for subscriber, viewer in self._viewer_of.items()
            if self._table.seat_of(subscriber.user.id) != viewer
        ]
        for subscriber in regrouped:
            self._join(subscriber)
        for subscriber in regrouped:
            self._send_view_or_evict(subscriber, missed=None)

    def _send_view_or_evict(self, subscriber: Subscriber, missed: list[dict[str, Any]] | None) -> None:
        refusal = self._core.may_watch(subscriber.user)
        if refusal is None:
            self._send_view(subscriber, missed)
        else:
            self._evict(subscriber, refusal)

    def _send_view(self, subscriber: Subscriber, missed: list[dict[str, Any]] | None) -> None:
        viewer = self._viewer_of[subscriber]
        if viewer not in self._views:
            if self._public_view is None:
                self._public_view = public_view(self._table)
            self._views[viewer] = view_parts(self._table, viewer, self._public_view)
        stopwatch = self._core.stopwatch
        stopwatch.advance(self._context.milliseconds())
        number, proof = self._history.resume_point(viewer)
        message = {
            "type": "view",
            "table": self._table.id,
            "number": number,
            "stamp": proof,
            "view": self._views[viewer].whole(),
            "elapsed": stopwatch.elapsed,
            "missed": missed,
            "chat": self._chat.shown_to(viewer),
            **self._history.chain.shown(),
        }
        predictions = self._predictions.shown_to(self._table, viewer, subscriber.user.id)
        if predictions is not None:
            message["predictions"] = predictions
        self._send([subscriber], Frame(message))
        if self._presence is not None:
            self._send([subscriber], Frame(self._presence_message()))

    def _send(self, subscribers: Iterable[Subscriber], frame: Frame) -> None:
        for subscriber in list(subscribers):
            try:
                subscriber.send(frame)
            except Exception as error:  # noqa: BLE001 - a broken connection must not affect the others
                log_failure("connection failed", self._table.id, error)
                self._leave(subscriber)

    # -- presence and lists -----------------------------------------------------------------------------------

    def on_people_changed(self) -> None:
        """Note which seats are connected, and send the presence soon."""
        if self._is_closed:
            return
        self._core.set_connected(self._connected_seats(), self._context.milliseconds())
        self._on_change()
        if self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_DELAY_SECONDS, self._send_presence)

    def publish_summary(self) -> None:
        """Update the lists of tables if the summary has changed."""
        summary = summary_of(self._table, self.count_spectators())
        if summary != self._published:
            self._published = summary
            self._context.directory.update(summary, self._table.settings.private)

    def _send_presence(self) -> None:
        self._presence_timer = None
        since = tuple(self._core.absences.since(seat) for seat in range(len(self._table.chairs)))
        seats, spectators = self._presence_of_seats(), self.count_spectators()
        if (seats, spectators, since) != self._presence:
            self._presence = (seats, spectators, since)
            message = self._presence_message()
            for viewer, subscribers in list(self._of_viewer.items()):
                self._send(subscribers, Frame(message, can_wait=viewer is None))
            self.publish_summary()

    def _presence_message(self) -> dict[str, Any]:
        """Return the presence, with the absences up to now."""
        self._core.absences.advance(self._context.milliseconds())
        seats = self._presence_of_seats()
        is_running = self._table.phase == "running"
        away = [
            self._core.absences.of(seat) if presence == "away" and is_running else None
            for seat, presence in enumerate(seats)
        ]
        return {
            "type": "presence",
            "table": self._table.id,
            "seats": seats,
            "spectators": self.count_spectators(),
            "away": away,
        }

    def _presence_of_seats(self) -> list[str]:
        connected = set(self._connected_seats())
        return [_presence_of(chair, seat in connected) for seat, chair in enumerate(self._table.chairs)]

    def named_spectators(self) -> list[User]:
        """Return the spectators who want to be seen, each once, in the order in which they came."""
        watching = (*self._of_viewer[None], *self.delayed.watching())
        return list({each.user.id: each.user for each in watching if each in self._named}.values())

    def _connected_seats(self) -> list[Seat]:
        return [viewer for viewer, subscribers in self._of_viewer.items() if viewer is not None and subscribers]

    def count_spectators(self) -> int:
        """Return the number of users who watch; a user with several connections counts once."""
        return len({subscriber.user.id for subscriber in self._of_viewer[None]} | set(self.delayed.spectators))


def _presence_of(chair: Chair, is_connected: bool) -> str:
    if chair.is_free:
        return "free"
    if chair.bot is not None:
        return "bot"
    return "here" if is_connected else "away"
