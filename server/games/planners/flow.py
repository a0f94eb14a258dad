"""A step in the making: the draft that rules read while they write down what follows."""

from __future__ import annotations

from server.games.game import Event
from server.games.planners.changes import CHANGES
from server.games.planners.state import State


class Flow:
    """Collects the events of one step and keeps the draft up to date with them."""

    __slots__ = ("events", "state")

    def __init__(self, draft: State) -> None:
        self.state = draft
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Write an event down and let it take effect."""
        CHANGES[type(event)](self.state, event)
        self.events.append(event)
