"""What each audience of a table may know: the game's own view within what people see around it.

Built up from nothing, like a game's view. The key of the invite link is for those who sit at the table; the seed is for
everybody, once the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from server.games.game import Event, Viewer
from server.games.plain import fact_plain
from server.games.play import Answered, event_shown, play_view
from server.table import events
from server.table.state import TableState, room_of


def table_view(table: TableState, viewer: Viewer) -> dict[str, Any]:
    """Give all that an audience may know of a table; clocks as they stood when the open decision was opened."""
    is_seated = viewer is not None
    return {
        "table": {
            "id": table.id,
            "game": table.settings.game,
            "phase": table.phase,
            "host": table.host,
            "settings": table.settings.model_dump(mode="json"),
            "created": table.created,
            "key": table.key if is_seated else None,
            "next": list(table.next) if table.next is not None and is_seated else None,
            "paused": table.paused,
            "went_back": table.went_back,
            "abandoned": table.abandoned,
            "digest": table.digest,
            "seed": table.seed if table.phase == "over" else None,
            "muted": sorted(table.muted),
            "hints": is_seated and table.allows_hints,
        },
        "mine": viewer,
        "seats": [
            {
                "user": chair.user,
                "name": chair.name,
                "bot": chair.bot,
                "ready": chair.ready,
                "stand_in": chair.stand_in,
                "resigned": chair.resigned,
            }
            for chair in table.chairs
        ],
        "votes": {on: sorted(seats) for on, seats in sorted(table.votes.items()) if seats},
        "clock": {"thinking": list(table.thinking), "away": list(table.away)},
        "talk": [
            {"user": line.user, "name": line.name, "room": line.room, "text": line.text}
            for line in table.talk[room_of(viewer)]
        ],
        "play": None if table.play is None else _play_view(table, viewer),
    }


def _play_view(table: TableState, viewer: Viewer) -> dict[str, Any]:
    assert table.play is not None
    shown: dict[str, Any] = play_view(table.play, viewer)
    if table.phase == "over":
        shown["decision"] = None
    decision = shown["decision"]
    if decision is not None and not table.settings.show_decided:
        # Nobody learns who has sealed an answer: to others, all who were asked are still awaited.
        decision["awaited"] = [seat for seat in decision["seats"] if seat != viewer or seat not in table.play.answers]
    return shown


_NO_STEPS: Final[tuple[type[Event], ...]] = (Answered, *events.TABLE_EVENTS)


def is_step(happened: Sequence[Event]) -> bool:
    """Tell whether a record takes the game to another decision, or to its end."""
    return any(not isinstance(event, _NO_STEPS) for event in happened)


def who_may_know(table: TableState, happened: Sequence[Event], viewers: Iterable[Viewer]) -> tuple[Viewer, ...]:
    """Give those of the viewers who may know of a record at all, be it only that there was one.

    A step of the game is never hidden: the number of the open decision is known to all.
    """
    if is_step(happened):
        return tuple(viewers)
    return tuple(viewer for viewer in viewers if record_shown(table, happened, viewer))


def record_shown(table: TableState, happened: Sequence[Event], viewer: Viewer) -> list[dict[str, Any]]:
    """Give what an audience may know of a record."""
    facts = (_event_shown(table, happened, event, viewer) for event in happened)
    return [fact for fact in facts if fact is not None]


def _event_shown(table: TableState, happened: Sequence[Event], event: Event, viewer: Viewer) -> dict[str, Any] | None:
    """Give what an audience may know of an event of a record, or None if not even that it happened."""
    match event:
        case events.TableOpened():
            return {"event": event.name, "host": event.host}
        case events.GameStarted():
            return {"event": event.name, "digest": event.digest}
        case events.NextOpened() if viewer is None:
            return None
        case events.Said() if event.room not in ("all", room_of(viewer)):
            return None
        case events.AnswerChanged():
            return None
        case Answered() if event.seat != viewer and not _shows_answering(table, happened):
            return None
        case events.TimeRanOut(stand_in=None) if event.seat != viewer and not (
            is_step(happened) or _shows_answering(table, happened)
        ):
            return None
    if isinstance(event, events.TABLE_EVENTS):
        return fact_plain(event)
    return event_shown(table.game, event, viewer)


def _shows_answering(table: TableState, happened: Sequence[Event]) -> bool:
    """Tell whether others may see that a seat has sealed an answer: at some tables, and only the first time."""
    return table.settings.show_decided and not any(isinstance(event, events.AnswerChanged) for event in happened)
