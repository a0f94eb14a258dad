"""The one rule about who may know that a seat has answered.

A seat knows of its own answer. At a table with `show_decided` others see that the seat has answered, but not that it
changed its answer. At other tables nobody sees it before the decision closes: all seats that were asked look awaited.
Once devices are asked to open the answers that they keep, everybody may know which seats have not done so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.games.engine.events import Event, Seat, Viewer
from server.games.engine.play import Answered, Play
from server.games.engine.serialization import Json
from server.tables.events import (
    TABLE_EVENTS,
    AnswerChanged,
    AnswerSealed,
    GameStarted,
    OpeningsAsked,
    SealOpened,
    TimeRanOut,
)
from server.tables.state import TableState

_NO_STEPS: Final[frozenset[type[Event]]] = frozenset((*TABLE_EVENTS, Answered)) - {GameStarted}


def is_step(new_events: Sequence[Event]) -> bool:
    """Return whether an entry takes the game to another decision, or to its end."""
    return not _NO_STEPS.issuperset(map(type, new_events))


def hides_answer(table: TableState, new_events: Sequence[Event], event: Event, viewer: Viewer) -> bool:
    """Return whether an event of an entry tells of an answer that the viewer may not know of."""
    match event:
        case Answered():
            return event.seat != viewer and not _shows_answering(table, new_events)
        case AnswerSealed(attempt=attempt):
            return attempt > 0 or not table.settings.show_decided
        case TimeRanOut(stand_in=None):
            is_complete = is_step(new_events) or OpeningsAsked in map(type, new_events)
            return event.seat != viewer and not (is_complete or _shows_answering(table, new_events))
    return False


def _shows_answering(table: TableState, new_events: Sequence[Event]) -> bool:
    if table.settings.sealed_on_devices and SealOpened in map(type, new_events):
        return True
    return table.settings.show_decided and AnswerChanged not in map(type, new_events)


def public_awaited(table: TableState, play: Play) -> list[Seat]:
    """Return the seats that everybody may know to owe an answer, in turn order."""
    if table.is_opening:
        return list(play.awaited)
    if table.settings.show_decided or play.decision is None:
        return list(table.deciding(play))
    return sorted(play.decision.prompts)


def own_awaited(table: TableState, play: Play, seat: Seat) -> dict[str, Json]:
    """Return the awaited seats of a decision as an own part of the view, where only the seat knows that it answered."""
    if table.settings.show_decided or play.decision is None or table.is_opening:
        return {}
    if seat not in play.answers and seat not in table.kept:
        return {}
    return {"awaited": [other for other in sorted(play.decision.prompts) if other != seat]}
