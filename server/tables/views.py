"""The views of a table: the game's own view, and the table around it, for each viewer.

A view is built up from nothing, never stripped down. Only people who sit at the table see the key of the invite link;
everybody sees the seed, but only after the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from server.games.engine.events import Event, Viewer
from server.games.engine.play import NOTHING_OWN, OwnPlay, Play, own_play, public_play
from server.tables import events
from server.tables.answer_secrecy import hides_answer, is_step, own_awaited, public_awaited
from server.tables.by_day import clocks_shown
from server.tables.chat_lines import room_of
from server.tables.device_seals import opening_shown, own_seal
from server.tables.people import FORMER_NAME
from server.tables.state import TableState
from server.tables.view_parts import ViewParts
from server.tables.votes import vote_absence_seconds


class PublicView(NamedTuple):
    """The public parts of a view, built once for each log entry and shared by all viewers."""

    rooms: dict[str, dict[str, Any]]
    """Everything but the game, by room."""

    play: dict[str, Any] | None


def public_view(table: TableState) -> PublicView:
    """Return the public view of a table."""
    return PublicView(_rooms(table), None if table.play is None else _public_play(table, table.play))


def public_view_after(earlier: PublicView | None, table: TableState, new_events: Sequence[Event]) -> PublicView:
    """Return the public view after a log entry; parts that it cannot have changed are the same objects as before."""
    kinds = _TABLE_EVENTS.intersection(map(type, new_events))
    if earlier is None or table.phase == "over" or not kinds <= _CLOCK_EVENTS:
        return public_view(table)
    rooms = earlier.rooms
    if events.ClocksCharged in kinds or table.day_clocks is not None:
        clock = _clock(table)
        rooms = {name: {**room, "clock": clock} for name, room in rooms.items()}
    return PublicView(rooms, None if table.play is None else _public_play(table, table.play))


def _rooms(table: TableState) -> dict[str, dict[str, Any]]:
    details = {
        "id": table.id,
        "game": table.settings.game,
        "phase": table.phase,
        "host": table.host,
        "settings": table.settings.model_dump(mode="json"),
        "created": table.created,
        "key": None,
        "next": None,
        "paused": table.paused,
        "went_back": table.rolled_back,
        "abandoned": table.abandoned,
        "digest": table.digest,
        "seed": table.seed if table.phase == "over" else None,
        "muted": sorted(table.muted),
        "hints": False,
        "vote_absence_seconds": vote_absence_seconds(table.settings),
        "origin": table.origin,
        "commentary": None if table.commentary is None else table.commentary.model_dump(mode="json"),
        "fairness": None if table.exchange is None else {**table.exchange.shown(), "differs": sorted(table.differing)},
    }
    to_players = {
        "key": table.key,
        "next": None if table.next is None else list(table.next),
        "hints": table.allows_hints,
    }
    alike = {
        "seats": [
            {
                **table.people.shown(chair.user, chair.name),
                "bot": chair.bot,
                "style": chair.style,
                "ready": chair.ready,
                "stand_in": chair.stand_in,
                "resigned": chair.resigned,
            }
            for chair in table.chairs
        ],
        "votes": {on: sorted(seats) for on, seats in sorted(table.votes.items()) if seats},
        "clock": _clock(table),
    }
    return {
        "players": {"table": details | to_players, **alike, "talk": _talk(table, "players")},
        "spectators": {"table": details, **alike, "talk": _talk(table, "spectators")},
    }


def _clock(table: TableState) -> dict[str, Any]:
    clock: dict[str, Any] = {"thinking": list(table.thinking), "away": list(table.away)}
    days = clocks_shown(table)
    return clock if days is None else {**clock, "days": days}


def _talk(table: TableState, room: str) -> list[dict[str, Any]]:
    return [line.shown(table.people) for line in table.talk[room]]


def _own_part(table: TableState, viewer: Viewer) -> OwnPlay:
    """Return the private part of a viewer, which belongs to the game alone."""
    if table.play is None or viewer is None:
        return NOTHING_OWN
    own = own_play(table.play, viewer)
    if table.phase == "over":
        return own._replace(decision={})
    more = own_awaited(table, table.play, viewer)
    decision = table.play.decision
    if decision is not None and decision.sealed and table.exchange is not None and viewer in decision.prompts:
        more = {**more, **own_seal(table, viewer)}
    return own._replace(decision=own.decision | more) if more else own


def view_parts(table: TableState, viewer: Viewer, now: PublicView, before: ViewParts | None = None) -> ViewParts:
    """Return the view of a viewer in parts; `now` is the public view.

    The private part is the same object as in the view before if it has not changed.
    """
    own = _own_part(table, viewer)
    if before is not None and own == before.own:
        own = before.own
    return ViewParts(viewer, now.rooms[room_of(viewer)], now.play, own)


def table_view(table: TableState, viewer: Viewer) -> dict[str, Any]:
    """Return the whole view of a viewer. Its clocks do not include the time since the open decision was opened."""
    return replay_view(table, viewer, viewer)


def replay_view(table: TableState, eyes: Viewer, reader: Viewer) -> dict[str, Any]:
    """Return the whole view with the game as `eyes` saw it, for a user who is the viewer `reader`.

    Chat and the key of the invite link are those of the reader: after the end everybody may see the game through the
    eyes of a seat, but what its players wrote to each other stays between them.
    """
    now = public_view(table)
    return ViewParts(eyes, now.rooms[room_of(reader)], now.play, _own_part(table, eyes)).whole()


def _public_play(table: TableState, play: Play) -> dict[str, Any]:
    public = public_play(play, public_awaited(table, play))
    if table.phase == "over":
        public["decision"] = None
    elif table.seals_on_devices and play.decision is not None and play.decision.sealed:
        public["decision"]["opening"] = opening_shown(table)
    return public


_TABLE_EVENTS: Final[frozenset[type[Event]]] = frozenset(events.TABLE_EVENTS)
_NAMING_EVENTS: Final = (events.SeatTaken, events.SeatRenamed, events.Said)
"""Events that hold the name of a person."""

_CLOCK_EVENTS: Final[frozenset[type[Event]]] = frozenset(
    {
        events.ClocksCharged,
        events.AnswerChanged,
        events.AnswerSealed,
        events.AnswerKept,
        events.OpeningsAsked,
        events.SealOpened,
        events.SealsNotOpened,
        events.AnswersOpened,
        events.CommandGiven,
    }
)
"""Events of a table that change nothing around the game but its clocks. Moves have no others."""


def who_may_know(table: TableState, new_events: Sequence[Event], viewers: Iterable[Viewer]) -> tuple[Viewer, ...]:
    """Return the viewers that may know of a log entry, if only that there was one.

    A step of the game is never hidden: the number of the open decision is known to all.
    """
    if is_step(new_events):
        return tuple(viewers)
    return tuple(
        viewer for viewer in viewers if not all(_is_hidden(table, new_events, event, viewer) for event in new_events)
    )


class VisibleEvents:
    """The events of a log entry as viewers see them; the common ones are built once."""

    __slots__ = ("_differing", "_events", "_table", "_to_watchers", "public")

    def __init__(self, table: TableState, new_events: Sequence[Event]) -> None:
        self._table = table
        self._events = new_events
        self._differing = [place for place, event in enumerate(new_events) if not event.visible_to.is_same_for_all]
        self.public = [event_shown(table, new_events, event, None) for event in new_events]
        """By event: what spectators may know of it, or None."""

        self._to_watchers = [event for event in self.public if event is not None]

    def to(self, viewer: Viewer) -> list[dict[str, Any]]:
        """Return the events that a viewer may know; viewers that see no more than spectators get the same list."""
        if viewer is None or not self._differing:
            return self._to_watchers
        shown = self.public
        for place in self._differing:
            event = event_shown(self._table, self._events, self._events[place], viewer)
            if event != shown[place]:
                if shown is self.public:
                    shown = shown.copy()
                shown[place] = event
        if shown is self.public:
            return self._to_watchers
        return [event for event in shown if event is not None]


def entry_shown(table: TableState, new_events: Sequence[Event], viewer: Viewer) -> list[dict[str, Any]]:
    """Return the events of a log entry that a viewer may know."""
    return VisibleEvents(table, new_events).to(viewer)


def event_shown(table: TableState, new_events: Sequence[Event], event: Event, viewer: Viewer) -> dict[str, Any] | None:
    """Return what a viewer may know of an event of an entry, or None if not even that it happened."""
    if hides_answer(table, new_events, event, viewer):
        return None
    shown = event.shown_to(viewer)
    if shown is not None and isinstance(event, _NAMING_EVENTS) and table.people.is_former(named_by(table, event)):
        return {**shown, "display_name": FORMER_NAME}
    return shown


def event_seen_by_all(table: TableState, event: Event) -> dict[str, Any] | None:
    """Return what all viewers together may know of an event after the end; None if nobody may know of it."""
    seen: dict[str, Any] = {}
    for viewer in (None, *(() if event.visible_to.is_same_for_all else range(len(table.chairs)))):
        seen |= event_shown(table, (), event, viewer) or event.shown_to(viewer) or {}
    return seen or None


def named_by(table: TableState, event: Event) -> str | None:
    """Return the user whom an event names, if any."""
    if not isinstance(event, _NAMING_EVENTS):
        return None
    if isinstance(event, (events.SeatTaken, events.Said)):
        return event.user
    assert isinstance(event, events.SeatRenamed)
    return table.chairs[event.seat].user if event.seat < len(table.chairs) else None


def _is_hidden(table: TableState, new_events: Sequence[Event], event: Event, viewer: Viewer) -> bool:
    return event.is_hidden_from(viewer) or hides_answer(table, new_events, event, viewer)
