"""Events: what happened in a game, and who may know it.

An event is secret until its class says otherwise. `visible_to` declares what each viewer is shown of it; an event class
that declares nothing is shown to nobody. `sentence` is the template of the readable log, which may tell everything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from server.games.engine.serialization import Json, Serializable, to_json, value_to_json

Seat = int
Viewer = Seat | None
"""A seat, or None for a spectator."""

Show = Callable[[Any, Viewer], dict[str, Json]]
Hides = Callable[[Any, Viewer], bool]


class Visibility(NamedTuple):
    """A rule that says what each viewer is shown of an event."""

    is_same_for_all: bool
    """Every viewer is shown the same, so the shown event is made once and shared."""

    show: Show
    """Return the part of an event that a viewer may know. It is not asked for a viewer from whom `hides` hides it."""

    hides: Hides | None = None
    """Return whether a viewer may not even know that an event happened; None if it is hidden from nobody."""

    is_private: bool = False
    """Others are not told after the game either: the event is in no replay, and in no log that somebody downloads."""


def _whole(event: Event, viewer: Viewer) -> dict[str, Json]:
    return to_json(event)


def _belongs_to_another(event: Any, viewer: Viewer) -> bool:
    return bool(event.seat != viewer)


EVERYBODY: Final = Visibility(True, _whole)
NOBODY: Final = Visibility(True, _whole, lambda event, viewer: True)
UNDECLARED: Final = Visibility(True, _whole, lambda event, viewer: True)
"""The visibility of an event class that declares none: nobody sees it, and the contract test refuses the class."""

OWNER: Final = Visibility(False, _whole, _belongs_to_another)
"""Only the seat in the field `seat` sees the event; others do not even learn that it happened."""


def everybody_sees(*fields: str, **derived: Callable[[Any], Json]) -> Visibility:
    """Return the visibility of an event of which everybody sees these fields, and values derived from the event."""
    show = _shown_fields(fields, derived)
    return Visibility(True, lambda event, viewer: show(event))


def others_see(*fields: str) -> Visibility:
    """Return the visibility of an event that the seat in its field `seat` sees whole; others see these fields."""
    show = _shown_fields(fields, {})
    return Visibility(False, lambda event, viewer: to_json(event) if event.seat == viewer else show(event))


def depends_on_viewer(show: Show) -> Visibility:
    """Return the visibility of an event of which every viewer sees a part of their own."""
    return Visibility(False, show)


def hidden_if(hides: Hides) -> Visibility:
    """Return the visibility of an event that a viewer sees whole or, if the function says so, not at all."""
    return Visibility(False, _whole, hides)


def owner_alone(show: Show) -> Visibility:
    """Return the visibility of an event of which only the seat in its field `seat` ever learns, after the game too."""
    return Visibility(False, show, _belongs_to_another, is_private=True)


def size_of(field: str) -> Callable[[Any], Json]:
    """Return a function that counts the entries in a field of an event."""
    return lambda event: len(getattr(event, field))


def _shown_fields(
    fields: tuple[str, ...], derived: Mapping[str, Callable[[Any], Json]]
) -> Callable[[Event], dict[str, Json]]:
    def show(event: Event) -> dict[str, Json]:
        shown: dict[str, Json] = {"event": event.name}
        for name in fields:
            shown[name] = value_to_json(getattr(event, name))
        for name, derive in derived.items():
            shown[name] = derive(event)
        return shown

    return show


class Event(Serializable):
    """Something that happened, named in the past tense; an entry of a log consists of events.

    Each game derives a family of its own: `class AuctionEvent(Event, family=True)`.
    """

    __slots__ = ()
    tag: ClassVar[str | None] = "event"
    visible_to: ClassVar[Visibility] = UNDECLARED
    sentence: ClassVar[str] = ""
    """The event in words; `{field}` and `{field:formatter}` stand for fields, `{event:formatter}` for the event."""

    def is_hidden_from(self, viewer: Viewer) -> bool:
        """Return whether the viewer may not even know that this event happened."""
        hides = self.visible_to.hides
        return hides is not None and hides(self, viewer)

    def shown_to(self, viewer: Viewer) -> dict[str, Json] | None:
        """Return what the viewer may know of this event, or None if not even that it happened."""
        _, show, hides, _ = self.visible_to
        return None if hides is not None and hides(self, viewer) else show(self, viewer)


Formatters = Mapping[str, Callable[[Any], str]]


class _Formatted:
    """A field of a sentence; `str.format` asks it for its words."""

    __slots__ = ("_formatters", "_name", "_value")

    def __init__(self, name: str, value: object, formatters: Formatters) -> None:
        self._name = name
        self._value = value
        self._formatters = formatters

    def __format__(self, formatter: str) -> str:
        if formatter:
            return self._formatters[formatter](self._value)
        return self._formatters.get(self._name, str)(self._value)


def written(event: Event, formatters: Formatters) -> str:
    """Return the sentence of an event. A field is written by the formatter it names, or by the one of its own name."""
    fields = {name: _Formatted(name, getattr(event, name), formatters) for name in event.__match_args__}
    sentence = event.sentence.format(event=_Formatted("event", event, formatters), **fields)
    return sentence[:1].upper() + sentence[1:]
