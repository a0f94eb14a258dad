"""Who follows a table with whose eyes, and what they have before them.

Each frame is made and encoded once for all connections with the same eyes. In a rush, those who only watch are told of
several records at a time; whatever else is told to one of them, or asked about them, comes behind what is still due.
A connection may find out that it is lost while it sends, and then leaves in the middle of it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from protocol.codec import Bundle, Frame, Mark
from server.games.game import Event, Seat, Viewer
from server.table.history import History
from server.table.interface import Listener
from server.table.mistakes import log_mistake
from server.table.rush import Rush
from server.table.sight import Changes, Sight
from server.table.view import Account, scene, scene_after, sight

WATCHERS_WAIT_SECONDS: Final = 0.04
"""How long those who only watch wait at most in a rush: less than anybody notices."""


class Audiences:
    """All connections that follow one table."""

    def __init__(self, history: History, rush: Rush) -> None:
        self._table = history.table
        self._history = history
        self._listeners: dict[Viewer, dict[Listener, None]] = {
            viewer: {} for viewer in (None, *range(len(self._table.chairs)))
        }
        self._viewer_of: dict[Listener, Viewer] = {}
        self._users: Counter[str] = Counter()
        self._sights: dict[Viewer, Sight] = {}
        """What the connections of an audience have before them; only for audiences that have any."""

        self._scene = scene(self._table)
        self._rush = rush
        self._due: list[Frame] = []
        """What those who only watch have not been told yet."""

        self._timer: asyncio.TimerHandle | None = None

    def __contains__(self, listener: Listener) -> bool:
        return listener in self._viewer_of

    def __len__(self) -> int:
        return len(self._viewer_of)

    def listeners(self) -> list[Listener]:
        return list(self._viewer_of)

    def spectators(self) -> list[Listener]:
        return list(self._listeners[None])

    def here(self) -> list[Seat]:
        """Give the seats that somebody is connected to."""
        return [viewer for viewer, listeners in self._listeners.items() if viewer is not None and listeners]

    def has(self, user: str) -> bool:
        """Tell whether a user follows the table."""
        return user in self._users

    def add(self, listener: Listener) -> None:
        """Let a connection follow the table with the eyes that its user has now; it must be shown the view next."""
        self.tell_watchers()
        self.remove(listener)
        viewer = self._table.seat_of(listener.user.id)
        self._viewer_of[listener] = viewer
        self._users[listener.user.id] += 1
        self._listeners[viewer][listener] = None

    def remove(self, listener: Listener) -> None:
        """Let a connection go; nothing happens if it did not follow."""
        if listener in self._viewer_of:
            viewer = self._viewer_of.pop(listener)
            self._users[listener.user.id] -= 1
            if not self._users[listener.user.id]:
                del self._users[listener.user.id]
            del self._listeners[viewer][listener]
            if not self._listeners[viewer]:
                self._sights.pop(viewer, None)

    def regroup(self) -> list[Listener]:
        """Give the connections their users' present eyes; gives those that see with others than before."""
        moved = [
            listener for listener, viewer in self._viewer_of.items() if self._table.seat_of(listener.user.id) != viewer
        ]
        for listener in moved:
            self.add(listener)
        return moved

    def mark(self, listener: Listener) -> Mark:
        """Give how far a connection that follows has been shown the table."""
        self.tell_watchers()
        return self._history.mark(self._viewer_of[listener])

    def tell(self, happened: Sequence[Event], at: int) -> None:
        """Tell every audience what it may know of a record that is durable and already part of the table."""
        table, history = self._table, self._history
        now = self._scene = scene_after(self._scene, table, happened)
        changes = Changes()
        account = Account(table, happened)
        frames: list[Frame] = []
        told = history.add(happened, at)
        stamp = history.stamp(at)
        for viewer in told:
            listeners = self._listeners[viewer]
            if not listeners:
                continue
            before = self._sights[viewer]
            after = self._sights[viewer] = sight(table, viewer, now)
            update = {
                "type": "update",
                "table": table.id,
                "number": history.number(viewer),
                "stamp": stamp,
                "events": account.to(viewer),
                "patch": changes.patch(before, after),
            }
            can_wait = viewer is None
            # Audiences that are told the same share the frame.
            for frame in frames:
                if frame.message == update and frame.can_wait is can_wait:
                    break
            else:
                frame = Frame(update, can_wait=can_wait)
                frames.append(frame)
            if can_wait:
                self._tell_soon(frame)
            else:
                self._send(listeners, frame)

    def _tell_soon(self, frame: Frame) -> None:
        self._due.append(frame)
        if not self._rush.is_on:
            self.tell_watchers()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(WATCHERS_WAIT_SECONDS, self.tell_watchers)

    def tell_watchers(self) -> None:
        """Tell those who only watch all that is due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due, self._due = self._due, []
        if due:
            self._send(self._listeners[None], due[0] if len(due) == 1 else Bundle(due))

    def show(self, listener: Listener, elapsed: int, missed: list[dict[str, Any]] | None) -> None:
        """Send one connection the whole view of its audience."""
        viewer = self._viewer_of[listener]
        if viewer not in self._sights:
            self._sights[viewer] = sight(self._table, viewer, self._scene)
        message = {
            "type": "view",
            "table": self._table.id,
            **self._history.mark(viewer)._asdict(),
            "view": self._sights[viewer].whole(),
            "elapsed": elapsed,
            "missed": missed,
        }
        self.send(listener, message)

    def send(self, listener: Listener, message: dict[str, Any]) -> None:
        """Send one connection a message."""
        self.tell_watchers()
        self._send([listener], Frame(message))

    def send_all(self, message: dict[str, Any]) -> None:
        """Send everybody the same message."""
        self.tell_watchers()
        self._send(self._viewer_of, Frame(message))

    def _send(self, listeners: Iterable[Listener], frame: Frame | Bundle) -> None:
        for listener in list(listeners):
            try:
                listener.send(frame)
            except Exception as mistake:  # noqa: BLE001 - one broken connection is no concern of the others
                log_mistake("connection failed", self._table.id, mistake)
                self.remove(listener)
