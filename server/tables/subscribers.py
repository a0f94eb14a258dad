"""The connections that follow a table: shown the whole, told what happens, counted, and turned away.

Nothing here decides anything or waits for anything. It may only be told of what is durable.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from protocol.codec import ResumePoint
from server.games.engine.game import Event
from server.model import Refused
from server.tables import events
from server.tables.api import Subscriber, Summary
from server.tables.context import TableContext
from server.tables.core import TableCore
from server.tables.history import History
from server.tables.messages import refusal_message
from server.tables.state import Chair
from server.tables.summary import LISTED, summary_of
from server.tables.viewers import ViewerGroups

PRESENCE_DELAY_SECONDS = 0.25
"""How long coming and going is gathered before it is told: many come back at once after a restart."""


class Subscribers:
    """All who follow a table as it stands in memory. `stirred` is called when somebody has come or gone."""

    def __init__(self, core: TableCore, history: History, context: TableContext, stirred: Callable[[], None]) -> None:
        self._core = core
        self._history = history
        self._context = context
        self._stirred = stirred
        self._groups = ViewerGroups(history)
        self._presence: dict[str, Any] | None = None
        self._presence_timer: asyncio.TimerHandle | None = None
        self._published: Summary | None = None
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._groups)

    def has(self, user: str) -> bool:
        """Tell whether a user follows the table."""
        return self._groups.has(user)

    # -- coming and going -------------------------------------------------------------------------------------

    def add(self, subscriber: Subscriber, missed: list[dict[str, Any]] | None) -> None:
        """Let a connection follow, and show it the table."""
        self._groups.add(subscriber)
        self._show(subscriber, missed)
        self.people_changed()

    def remove(self, subscriber: Subscriber) -> None:
        """Let a connection go."""
        if subscriber in self._groups:
            self._groups.remove(subscriber)
            self.people_changed()

    def refresh(self, subscriber: Subscriber) -> None:
        """Send a connection that dropped frames the table as it is now."""
        if subscriber in self._groups:
            self._show(subscriber, missed=None)

    def take_over(self, earlier: Subscribers) -> None:
        """Go on for all who followed the table as it was in memory before; they are shown it anew."""
        for subscriber, resume_point in earlier.close().items():
            self._groups.add(subscriber)
            refusal = self._core.may_watch(subscriber.user)
            if refusal is None:
                self._show(subscriber, self._missed(subscriber, resume_point))
            else:
                self._turn_away(subscriber, refusal)

    def turn_away_all(self, refusal: Refused) -> None:
        """Tell everybody why nobody can follow the table any more."""
        for subscriber in self._groups.subscribers():
            self._turn_away(subscriber, refusal)

    def close(self) -> dict[Subscriber, ResumePoint]:
        """Tell nothing any more; gives those who still follow, and how far each has been shown the table."""
        self._is_closed = True
        if self._presence_timer is not None:
            self._presence_timer.cancel()
            self._presence_timer = None
            self.publish()
        return {subscriber: self._groups.resume_point(subscriber) for subscriber in self._groups.subscribers()}

    # -- telling ----------------------------------------------------------------------------------------------

    def tell(self, new_events: Sequence[Event], at: int) -> None:
        """Tell everybody what they may know of a record that is durable and already part of the table."""
        groups, core = self._groups, self._core
        kinds = set(map(type, new_events))
        if events.GameStarted in kinds:
            for subscriber in groups.spectators():
                refusal = core.may_watch(subscriber.user)
                if refusal is not None:
                    self._turn_away(subscriber, refusal)
        groups.tell(new_events, at)
        if events.SeatTaken in kinds or events.SeatLeft in kinds:
            for subscriber in groups.regroup():
                refusal = core.may_watch(subscriber.user)
                if refusal is None:
                    self._show(subscriber, missed=None)
                else:
                    self._turn_away(subscriber, refusal)
        if not kinds.isdisjoint(LISTED) or core.state.phase == "over":
            self.people_changed()
            self.publish()

    def publish(self) -> None:
        """Tell the lists what they should show of the table, if that has changed."""
        state = self._core.state
        summary = summary_of(state, self._spectators())
        if summary != self._published:
            self._published = summary
            self._context.directory.changed(summary, state.settings.private)

    def people_changed(self) -> None:
        """Take note of who is connected, and tell it soon."""
        if self._is_closed:
            return
        self._core.stopwatch.set_here(self._groups.here(), self._context.milliseconds())
        self._stirred()
        if self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_DELAY_SECONDS, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_timer = None
        state, here = self._core.state, set(self._groups.here())
        presence = {
            "type": "presence",
            "table": state.id,
            "seats": [_presence_of(chair, seat in here) for seat, chair in enumerate(state.chairs)],
            "spectators": self._spectators(),
        }
        if presence != self._presence:
            self._presence = presence
            self._groups.send_all(presence)
            self.publish()

    def _show(self, subscriber: Subscriber, missed: list[dict[str, Any]] | None) -> None:
        stopwatch = self._core.stopwatch
        stopwatch.advance(self._context.milliseconds())
        self._groups.show(subscriber, stopwatch.elapsed, missed)
        if self._presence is not None:
            self._groups.send(subscriber, self._presence)

    def _missed(self, subscriber: Subscriber, resume_point: ResumePoint) -> list[dict[str, Any]] | None:
        """Give what a connection has not been told, as far as that is at hand."""
        viewer, history = self._core.state.seat_of(subscriber.user.id), self._history
        have = history.told(viewer, resume_point)
        return None if have is None or not history.reaches(viewer, have) else history.since(viewer, have)

    def _turn_away(self, subscriber: Subscriber, refusal: Refused) -> None:
        self._groups.remove(subscriber)
        self._groups.send(subscriber, refusal_message(None, refusal))

    def _spectators(self) -> int:
        """Count the people who watch; one with several connections is still one."""
        return len({subscriber.user.id for subscriber in self._groups.spectators()})


def _presence_of(chair: Chair, is_here: bool) -> str:
    if chair.is_free:
        return "free"
    if chair.bot is not None:
        return "bot"
    return "here" if is_here else "away"
