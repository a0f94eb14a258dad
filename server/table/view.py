"""What each audience of a table may know: the game's own view within what people see around it.

Built up from nothing, like a game's view. The key of the invite link is for those who sit at the table; the seed is for
everybody, once the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from protocol.patch import kept
from server.games.game import Event, Viewer
from server.games.plain import fact_plain
from server.games.play import Answered, Play, PublicPlay, event_shown, play_view, public_play
from server.table import events
from server.table.state import TableState, room_of


class PublicTable(NamedTuple):
    """What several audiences may know of a table at one moment: made once, and shared by their views."""

    around: dict[str, dict[str, Any]]
    """All around the game, by the room in which one sits and talks."""

    play: PublicPlay | None


def public_table(table: TableState, earlier: PublicTable | None = None) -> PublicTable:
    """Give what several audiences may know now; what is as it was earlier is the same object as then."""
    around = _around(table)
    play = None if table.play is None else _public_play(table, table.play)
    if earlier is not None:
        around = {room: kept(earlier.around[room], view) for room, view in around.items()}
        if play is not None and earlier.play is not None:
            play = play._replace(game=kept(earlier.play.game, play.game))
    return PublicTable(around, play)


def _around(table: TableState) -> dict[str, dict[str, Any]]:
    about = {
        "id": table.id,
        "game": table.settings.game,
        "phase": table.phase,
        "host": table.host,
        "settings": table.settings.model_dump(mode="json"),
        "created": table.created,
        "key": None,
        "next": None,
        "paused": table.paused,
        "abandoned": table.abandoned,
        "digest": table.digest,
        "seed": table.seed if table.phase == "over" else None,
        "muted": sorted(table.muted),
        "hints": False,
    }
    to_players = {
        "key": table.key,
        "next": None if table.next is None else list(table.next),
        "hints": table.allows_hints,
    }
    alike = {
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
    }
    return {
        "players": {"table": about | to_players, **alike, "talk": _talk(table, "players")},
        "spectators": {"table": about, **alike, "talk": _talk(table, "spectators")},
    }


def _talk(table: TableState, room: str) -> list[dict[str, Any]]:
    return [{"user": line.user, "name": line.name, "room": line.room, "text": line.text} for line in table.talk[room]]


def table_view(table: TableState, viewer: Viewer, public: PublicTable | None = None) -> dict[str, Any]:
    """Give all that an audience may know of a table; clocks as they stood when the open decision was opened.

    Views that are made with the same `public` share what they have in common.
    """
    public = public or public_table(table)
    play = None if table.play is None else _play_view(table, table.play, viewer, public.play)
    return public.around[room_of(viewer)] | {"mine": viewer, "play": play}


def _public_play(table: TableState, play: Play) -> PublicPlay:
    public = public_play(play)
    if table.phase == "over":
        return public._replace(decision=None)
    if public.decision is not None and not table.settings.show_decided:
        # Nobody learns who has sealed an answer: to others, all who were asked are still awaited.
        return public._replace(decision=public.decision | {"awaited": public.decision["seats"]})
    return public


def _play_view(table: TableState, play: Play, viewer: Viewer, public: PublicPlay | None) -> dict[str, Any]:
    shown: dict[str, Any] = play_view(play, viewer, public)
    if viewer in play.answers and shown["decision"] is not None and not table.settings.show_decided:
        awaited = [seat for seat in shown["decision"]["seats"] if seat != viewer]
        shown["decision"] = shown["decision"] | {"awaited": awaited}
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
