"""The summary of a table for the lists, which holds nothing secret, and its status for the people who sit there."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgpack

from protocol.codec import pack
from server.games.engine.events import Event
from server.games.engine.play import Play
from server.store.api import TableRow
from server.tables import events
from server.tables.api import NO_STATUS, Summary, TableStatus
from server.tables.by_day import deadlines, holidays, wakes_at
from server.tables.pace import pace_of
from server.tables.results import Accepted
from server.tables.state import TableState

SUMMARY_EVENTS: Final[frozenset[type[Event]]] = frozenset(
    {
        events.TableOpened,
        events.SettingsChanged,
        events.SeatTaken,
        events.SeatLeft,
        events.SeatMoved,
        events.SeatRenamed,
        events.HostChanged,
        events.BotSeated,
        events.BotChanged,
        events.BotRemoved,
        events.GameStarted,
        events.Abandoned,
    }
)
"""Events that change the summary or the presence of a table."""


_STATUS_EVENTS: Final[frozenset[type[Event]]] = frozenset(
    {
        events.TimeRanOut,
        events.SeatReturned,
        events.Resigned,
        events.Paused,
        events.Resumed,
        events.LogRolledBack,
        events.AnswerKept,
        events.SealOpened,
        events.SealsNotOpened,
        events.RhythmSet,
        events.HolidayBegan,
        events.HolidayEnded,
        events.OrdersSet,
        events.OrderDropped,
    }
)
"""Events that change who is awaited, until when, or when the table goes on by itself, without a step of the game."""


def changes_lists(accepted: Accepted) -> bool:
    """Return whether an accepted request changes the summary of its table."""
    has_ended = accepted.play is not None and accepted.play.decision is None
    return has_ended or not SUMMARY_EVENTS.isdisjoint(map(type, accepted.events))


def summary_of(state: TableState, spectators: int) -> Summary:
    """Return the summary of a table."""
    return {
        "table": state.id,
        "game": state.settings.game,
        "phase": state.phase,
        "host": state.host,
        "seats": [{**state.people.shown(chair.user, chair.name), "bot": chair.bot} for chair in state.chairs],
        "settings": state.settings.model_dump(mode="json"),
        "spectators": spectators,
        "created": state.created,
        "next": None,
    }


def status_of(state: TableState, play: Play | None, since: int | None) -> TableStatus:
    """Return the status of a table with this play; `since` is the time at which its decision was opened."""
    if state.phase != "running" or play is None or play.decision is None:
        return NO_STATUS
    chairs = () if state.paused else [state.chairs[seat] for seat in state.deciding(play)]
    awaited = frozenset([chair.user for chair in chairs if chair.user is not None and chair.stand_in is None])
    progress = play.game.progress(play.state)
    by_day = (deadlines(state), holidays(state), wakes_at(state))
    return TableStatus(awaited, play.decision.kind, since, progress, *by_day)


def pack_summary(state: TableState, since: int | None = None) -> bytes:
    """Return the bytes that the store keeps beside the log: the summary without spectators, and the status.

    `since` is the time at which the open decision was opened.
    """
    return _with_status(_pack_without_status(state), status_of(state, state.play, since))


def unpack_status(stored: dict[str, Any]) -> TableStatus | None:
    """Return the status in an unpacked summary; None if an earlier version has written it."""
    if "status" not in stored:
        return None
    awaited, about, since, progress = stored["status"]
    ends, away, wake = stored.get("day", ({}, {}, None))
    return TableStatus(frozenset(awaited), about, since, dict(progress), dict(ends), dict(away), wake)


OPEN_DAYS: Final = 14
"""Days for which an open table by the day waits for people."""


def keeps_waiting(row: TableRow, now: float) -> bool:
    """Return whether a table by the day is no deserted one although nothing has happened there for long.

    A running one goes on by itself when somebody's time runs out. `now` is in seconds since 1970.
    """
    try:
        stored = msgpack.unpackb(row.summary)
        if row.phase == "running":
            status = unpack_status(stored)
            return status is not None and status.wake is not None
        is_by_day = pace_of(stored["summary"]["settings"]) == "days"
        return is_by_day and now - row.updated < OPEN_DAYS * 86_400
    except (ValueError, KeyError, TypeError):
        return False


def _pack_without_status(state: TableState) -> bytes:
    packed: bytes = pack({"summary": summary_of(state, 0), "private": state.settings.private})
    return packed


def _with_status(packed: bytes, status: TableStatus) -> bytes:
    """Return the packed mapping with more entries; its first byte is their number (`fixmap`).

    The times of a table by the day are an entry of their own, which earlier versions do not look for.
    """
    entries = [_STATUS_KEY + pack([sorted(status.awaited), status.about, status.since, status.progress])]
    by_day = [status.deadlines, status.holidays, status.wake]
    if any(by_day):
        entries.append(_DAY_KEY + pack(by_day))
    return bytes([packed[0] + len(entries)]) + packed[1:] + b"".join(entries)


_STATUS_KEY: Final[bytes] = pack("status")
_DAY_KEY: Final[bytes] = pack("day")


class StoredSummary(NamedTuple):
    """The phase, the status, and the summary without the status of a table, as they are in the store.

    Nearly every move changes the status. The rest is packed again only when it has changed.
    """

    phase: str
    status: TableStatus
    packed: bytes | None = None
    """The summary; None until it is needed."""

    def after(self, state: TableState, accepted: Accepted, at: int) -> StoredSummary:
        """Return what must be in the store after an accepted request; `state` is the table before it.

        It is the same object as before if nothing changes.
        """
        before, play, kinds = state.play, accepted.play, {type(event) for event in accepted.events}
        changes_summary = False
        is_by_day = state.day_clocks is not None
        if play is None or play.decision is None or is_by_day or not _EFFECTS.isdisjoint(kinds):
            # Not a plain step of a live game, which is by far the most frequent.
            if kinds <= _WITHOUT_EFFECT:
                return self
            changes_summary = changes_lists(accepted)
            state = state.after(accepted.events, play, at)
            play = state.play
        is_opened = play is not None and (before is None or play.number != before.number)
        status = status_of(state, play, at if is_opened else self.status.since)
        if status == self.status and not changes_summary:
            return self
        packed = None if changes_summary else self.packed
        return StoredSummary(state.phase, status, packed or _pack_without_status(state))

    def to_bytes(self) -> bytes:
        """Return the bytes for the store."""
        assert self.packed is not None
        return _with_status(self.packed, self.status)


_EFFECTS: Final = SUMMARY_EVENTS | _STATUS_EVENTS
"""Events of a table that change its summary or its status."""

_WITHOUT_EFFECT: Final[frozenset[type[Event]]] = frozenset(events.TABLE_EVENTS) - _EFFECTS
