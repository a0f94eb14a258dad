"""Who follows a table, and telling each audience what it may know.

An audience is all connections with the same eyes: those of one seat, or all spectators. Each has its own frame
numbers, counted from the log alone: a record that shows an audience nothing does not use up a number, so nobody can
count the secrets of others, and a number means the same before and after a restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from protocol.codec import Frame
from protocol.patch import difference
from server.games.game import Event, Seat, Viewer
from server.table.interface import Listener
from server.table.state import TableState
from server.table.view import table_event_shown, table_view


class Audiences:
    """All connections that follow one table."""

    def __init__(self, table: TableState) -> None:
        self._table = table
        self._numbers: dict[Viewer, int] = dict.fromkeys((None, *range(len(table.chairs))), 0)
        self._listeners: dict[Viewer, dict[Listener, None]] = {viewer: {} for viewer in self._numbers}
        self._viewer_of: dict[Listener, Viewer] = {}
        self._views: dict[Viewer, dict[str, Any]] = {}
        """What the connections of an audience have before them; only for audiences that have any."""

    def __contains__(self, listener: Listener) -> bool:
        return listener in self._viewer_of

    def __len__(self) -> int:
        return len(self._viewer_of)

    def count(self, happened: Sequence[Event]) -> None:
        """Number a record that nobody is told of: one from the log, while loading."""
        for viewer in self._numbers:
            if self.shown(happened, viewer):
                self._numbers[viewer] += 1

    def numbers(self) -> dict[Viewer, int]:
        """Give the number of the last frame of every audience."""
        return dict(self._numbers)

    def listeners(self) -> list[Listener]:
        return list(self._viewer_of)

    def number(self, viewer: Viewer) -> int:
        return self._numbers[viewer]

    def shown(self, happened: Iterable[Event], viewer: Viewer) -> list[dict[str, Any]]:
        """Give what an audience may know of a record."""
        facts = (table_event_shown(self._table, event, viewer) for event in happened)
        return [fact for fact in facts if fact is not None]

    def add(self, listener: Listener) -> Viewer:
        """Let a connection follow the table with the eyes that its user has now."""
        self.remove(listener)
        viewer = self._table.seat_of(listener.user.id)
        self._viewer_of[listener] = viewer
        self._listeners[viewer][listener] = None
        return viewer

    def remove(self, listener: Listener) -> None:
        """Let a connection go; nothing happens if it did not follow."""
        if listener in self._viewer_of:
            viewer = self._viewer_of.pop(listener)
            del self._listeners[viewer][listener]
            if not self._listeners[viewer]:
                self._views.pop(viewer, None)

    def follows(self, user: str) -> bool:
        return any(listener.user.id == user for listener in self._viewer_of)

    def here(self) -> list[Seat]:
        """Give the seats that somebody is connected to."""
        return [viewer for viewer, listeners in self._listeners.items() if viewer is not None and listeners]

    def spectators(self) -> list[Listener]:
        return list(self._listeners[None])

    def tell(self, happened: Sequence[Event]) -> None:
        """Tell every audience what it may know of a durable record, encoded once for each."""
        for viewer, listeners in self._listeners.items():
            facts = self.shown(happened, viewer)
            if not facts:
                continue
            self._numbers[viewer] += 1
            if not listeners:
                continue
            before = self._view(viewer)
            after = self._views[viewer] = table_view(self._table, viewer)
            update = {
                "type": "update",
                "table": self._table.id,
                "number": self._numbers[viewer],
                "events": facts,
                "patch": difference(before, after),
            }
            self._send(listeners, Frame(update))

    def regroup(self) -> list[Listener]:
        """Give the connections their users' present eyes; gives those that see with others than before."""
        moved = [
            listener for listener, viewer in self._viewer_of.items() if self._table.seat_of(listener.user.id) != viewer
        ]
        for listener in moved:
            self.add(listener)
        return moved

    def show(self, listener: Listener, elapsed: int, missed: list[dict[str, Any]] | None) -> None:
        """Send one connection the whole view of its audience."""
        viewer = self._viewer_of[listener]
        message = {
            "type": "view",
            "table": self._table.id,
            "number": self._numbers[viewer],
            "view": self._view(viewer),
            "elapsed": elapsed,
            "missed": missed,
        }
        listener.send(Frame(message))

    def send_all(self, message: dict[str, Any]) -> None:
        """Send everybody the same message."""
        self._send(self._viewer_of, Frame(message))

    def _view(self, viewer: Viewer) -> dict[str, Any]:
        view = self._views.get(viewer)
        if view is None:
            view = self._views[viewer] = table_view(self._table, viewer)
        return view

    def _send(self, listeners: Iterable[Listener], frame: Frame) -> None:
        for listener in listeners:
            listener.send(frame)
