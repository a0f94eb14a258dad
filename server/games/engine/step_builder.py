"""A step in the making: the draft that rules read while they write down what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic

from server.games.engine.dice import Dice
from server.games.engine.game import Event, State


class StepBuilder(Generic[State]):
    """Collects the events of one step and keeps the draft up to date with them. Each game says how events change it."""

    __slots__ = ("dice", "events", "state")
    reducers: ClassVar[Mapping[type[Event], Callable[[Any, Any], None]]]

    def __init__(self, draft: State, dice: Dice) -> None:
        self.state = draft
        self.dice = dice
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Write an event down and let it take effect."""
        self.reducers[type(event)](self.state, event)
        self.events.append(event)
