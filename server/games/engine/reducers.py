"""Reducers: how each event changes a state. No rule is decided in them, so a log replays without dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar

from server.games.engine.events import Event


class Position(Protocol):
    """A state as the engine needs it: its class of stage says which decision is open, and it can be copied."""

    @property
    def stage(self) -> object: ...

    def copy(self) -> Self:
        """Return a copy that can be changed without changing this state."""
        ...


State = TypeVar("State", bound=Position)
Target = TypeVar("Target")
Reducer = TypeVar("Reducer", bound=Callable[[Any, Any], None])
FirstReducer = TypeVar("FirstReducer", bound=Callable[[Any], Any])


class Reducers(Generic[Target]):
    """The reducers of a game or of a table, found by the type of event that they take."""

    __slots__ = ("by_event", "first", "first_event")

    def __init__(self) -> None:
        self.by_event: dict[type[Event], Callable[[Target, Any], None]] = {}
        self.first_event: type[Event] | None = None
        self.first: Callable[[Any], Target] = _missing

    def register(self, *events: type[Event]) -> Callable[[Reducer], Reducer]:
        """Register the decorated function, which changes a draft by an event of one of these types."""

        def decorate(reducer: Reducer) -> Reducer:
            for event in events:
                assert event not in self.by_event, f"{event.name} has two reducers"
                self.by_event[event] = reducer
            return reducer

        return decorate

    def register_first(self, event: type[Event]) -> Callable[[FirstReducer], FirstReducer]:
        """Register the decorated function, which makes the first state from the first event of a log."""

        def decorate(reducer: FirstReducer) -> FirstReducer:
            self.first_event = event
            self.first = reducer
            return reducer

        return decorate

    def reduces(self, event: type[Event]) -> bool:
        """Return whether there is a reducer for this type of event."""
        return event is self.first_event or event in self.by_event


def _missing(event: Event) -> Any:
    raise AssertionError(f"no reducer makes a state from {event.name}")
