"""The events of a step while rules emit them, and the draft of the state that follows from them."""

from __future__ import annotations

from typing import Generic

from server.games.engine.dice import Dice
from server.games.engine.events import Event
from server.games.engine.reducers import Reducers, State


class StepBuilder(Generic[State]):
    """Collects the events of one step and applies each to the draft, so that rules read what has happened so far."""

    __slots__ = ("_reducers", "dice", "events", "state")

    def __init__(self, reducers: Reducers[State], draft: State, dice: Dice) -> None:
        self._reducers = reducers.by_event
        self.state = draft
        self.dice = dice
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Add an event to the step and apply it to the draft."""
        self._reducers[type(event)](self.state, event)
        self.events.append(event)
