"""Reducers: how each event changes a state. No rule is decided in them, so a log replays without dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar, get_args, get_type_hints

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
    """The reducers of a game or of a table, found by the annotated type of the event that they take."""

    __slots__ = ("by_event", "first", "first_event")

    def __init__(self) -> None:
        self.by_event: dict[type[Event], Callable[[Target, Any], None]] = {}
        self.first_event: type[Event] | None = None
        self.first: Callable[[Any], Target] = _missing

    def register(self, reducer: Reducer) -> Reducer:
        """Register a function that changes a draft by an event, for the type or each type of the union it takes."""
        for event in _event_types(reducer):
            assert event not in self.by_event, f"{event.name} has two reducers"
            self.by_event[event] = reducer
        return reducer

    def register_first(self, reducer: FirstReducer) -> FirstReducer:
        """Register the function that makes the first state from the first event of a log."""
        (self.first_event,) = _event_types(reducer)
        self.first = reducer
        return reducer

    def reduces(self, event: type[Event]) -> bool:
        """Return whether there is a reducer for this type of event."""
        return event is self.first_event or event in self.by_event


def _event_types(reducer: Callable[..., Any]) -> tuple[type[Event], ...]:
    hint = get_type_hints(reducer)["event"]
    return get_args(hint) or (hint,)


def _missing(event: Event) -> Any:
    raise AssertionError(f"no reducer makes a state from {event.name}")
