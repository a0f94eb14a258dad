"""Who follows a table with whose eyes, and what they have before them.

Each frame is made and encoded once for all connections with the same eyes. A connection may find out that it is lost
while it sends, and then leaves in the middle of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from protocol.codec import Frame, ResumePoint
from server.games.engine.game import Event, Seat, Viewer
from server.tables.api import Subscriber
from server.tables.failures import log_failure
from server.tables.history import History
from server.tables.view_parts import PatchCache, ViewParts
from server.tables.views import VisibleEvents, public_view, public_view_after, view_parts


class ViewerGroups:
    """All connections that follow one table."""

    def __init__(self, history: History) -> None:
        self._table = history.table
        self._history = history
        self._subscribers: dict[Viewer, dict[Subscriber, None]] = {
            viewer: {} for viewer in (None, *range(len(self._table.chairs)))
        }
        self._viewer_of: dict[Subscriber, Viewer] = {}
        self._users: Counter[str] = Counter()
        self._views: dict[Viewer, ViewParts] = {}
        """What the connections of an audience have before them; only for audiences that have any."""

        self._public_view = public_view(self._table)

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self._viewer_of

    def __len__(self) -> int:
        return len(self._viewer_of)

    def subscribers(self) -> list[Subscriber]:
        return list(self._viewer_of)

    def spectators(self) -> list[Subscriber]:
        return list(self._subscribers[None])

    def here(self) -> list[Seat]:
        """Give the seats that somebody is connected to."""
        return [viewer for viewer, subscribers in self._subscribers.items() if viewer is not None and subscribers]

    def has(self, user: str) -> bool:
        """Tell whether a user follows the table."""
        return user in self._users

    def add(self, subscriber: Subscriber) -> None:
        """Let a connection follow the table with the eyes that its user has now; it must be shown the view next."""
        self.remove(subscriber)
        viewer = self._table.seat_of(subscriber.user.id)
        self._viewer_of[subscriber] = viewer
        self._users[subscriber.user.id] += 1
        self._subscribers[viewer][subscriber] = None

    def remove(self, subscriber: Subscriber) -> None:
        """Let a connection go; nothing happens if it did not follow."""
        if subscriber in self._viewer_of:
            viewer = self._viewer_of.pop(subscriber)
            self._users[subscriber.user.id] -= 1
            if not self._users[subscriber.user.id]:
                del self._users[subscriber.user.id]
            del self._subscribers[viewer][subscriber]
            if not self._subscribers[viewer]:
                self._views.pop(viewer, None)

    def regroup(self) -> list[Subscriber]:
        """Give the connections their users' present eyes; gives those that see with others than before."""
        moved = [
            subscriber
            for subscriber, viewer in self._viewer_of.items()
            if self._table.seat_of(subscriber.user.id) != viewer
        ]
        for subscriber in moved:
            self.add(subscriber)
        return moved

    def resume_point(self, subscriber: Subscriber) -> ResumePoint:
        """Give how far a connection that follows has been shown the table."""
        return self._history.resume_point(self._viewer_of[subscriber])

    def tell(self, events: Sequence[Event], at: int) -> None:
        """Tell every audience what it may know of a record that is durable and already part of the table."""
        table, history = self._table, self._history
        now = self._public_view = public_view_after(self._public_view, table, events)
        changes = PatchCache()
        visible = VisibleEvents(table, events)
        frames: list[Frame] = []
        told = history.add(events, at)
        proof = history.proof(at)
        for viewer in told:
            subscribers = self._subscribers[viewer]
            if not subscribers:
                continue
            before = self._views[viewer]
            after = self._views[viewer] = view_parts(table, viewer, now)
            update = {
                "type": "update",
                "table": table.id,
                "number": history.number(viewer),
                "stamp": proof,
                "events": visible.to(viewer),
                "patch": changes.patch(before, after),
            }
            can_wait = viewer is None
            # ViewerGroups that are told the same share the frame.
            for frame in frames:
                if frame.message == update and frame.can_wait is can_wait:
                    break
            else:
                frame = Frame(update, can_wait=can_wait)
                frames.append(frame)
            self._send(subscribers, frame)

    def show(self, subscriber: Subscriber, elapsed: int, missed: list[dict[str, Any]] | None) -> None:
        """Send one connection the whole view of its audience."""
        viewer = self._viewer_of[subscriber]
        if viewer not in self._views:
            self._views[viewer] = view_parts(self._table, viewer, self._public_view)
        number, proof = self._history.resume_point(viewer)
        message = {
            "type": "view",
            "table": self._table.id,
            "number": number,
            "stamp": proof,
            "view": self._views[viewer].whole(),
            "elapsed": elapsed,
            "missed": missed,
        }
        self.send(subscriber, message)

    def send(self, subscriber: Subscriber, message: dict[str, Any]) -> None:
        """Send one connection a message."""
        self._send([subscriber], Frame(message))

    def send_all(self, message: dict[str, Any]) -> None:
        """Send everybody the same message."""
        self._send(self._viewer_of, Frame(message))

    def _send(self, subscribers: Iterable[Subscriber], frame: Frame) -> None:
        for subscriber in list(subscribers):
            try:
                subscriber.send(frame)
            except Exception as error:  # noqa: BLE001 - one broken connection is no concern of the others
                log_failure("connection failed", self._table.id, error)
                self.remove(subscriber)
