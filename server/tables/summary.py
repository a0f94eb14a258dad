"""The summary of a table for the lists, which holds nothing secret, and its status for the people who sit there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from protocol.codec import pack
from server.games.engine.events import Event, Seat
from server.games.engine.play import Play
from server.tables import events
from server.tables.api import NO_STATUS, Summary, TableStatus
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
    }
)
"""Events that change who is awaited without a step of the game."""


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
        "seats": [{"user": chair.user, "name": chair.name, "bot": chair.bot} for chair in state.chairs],
        "settings": state.settings.model_dump(mode="json"),
        "spectators": spectators,
        "created": state.created,
        "next": None,
    }


def status_of(state: TableState, play: Play | None, since: int | None) -> TableStatus:
    """Return the status of a table with this play; `since` is the time at which its decision was opened."""
    if state.phase != "running" or play is None or play.decision is None:
        return NO_STATUS
    awaited = frozenset(() if state.paused else _deciders(state, play.awaited))
    return TableStatus(awaited, play.decision.kind, since, play.game.progress(play.state))


def _deciders(state: TableState, seats: Iterable[Seat]) -> Iterator[str]:
    """Yield the users who decide for these seats; bots and stand-ins decide for the others."""
    for seat in seats:
        chair = state.chairs[seat]
        if chair.user is not None and chair.player is None:
            yield chair.user


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
    return TableStatus(frozenset(awaited), about, since, dict(progress))


def _pack_without_status(state: TableState) -> bytes:
    packed: bytes = pack({"summary": summary_of(state, 0), "private": state.settings.private})
    return packed


def _with_status(packed: bytes, status: TableStatus) -> bytes:
    """Return the packed mapping with one more entry; its first byte is the number of entries (`fixmap`)."""
    awaited, about, since, progress = status
    added: bytes = pack([sorted(awaited), about, since, progress])
    return bytes([packed[0] + 1]) + packed[1:] + _STATUS_KEY + added


_STATUS_KEY: Final[bytes] = pack("status")


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
        before, play, kinds = state.play, accepted.play, set(map(type, accepted.events))
        changes_summary = changes_lists(accepted)
        if changes_summary or not kinds <= _WITHOUT_EFFECT:
            if changes_summary or play is None or not kinds.isdisjoint(_STATUS_EVENTS):
                state = state.after(accepted.events, play)
                play = state.play
            is_opened = play is not None and (before is None or play.number != before.number)
            status = status_of(state, play, at if is_opened else self.status.since)
            if changes_summary or status != self.status:
                packed = None if changes_summary else self.packed
                return StoredSummary(state.phase, status, packed or _pack_without_status(state))
        return self

    def to_bytes(self) -> bytes:
        """Return the bytes for the store."""
        assert self.packed is not None
        return _with_status(self.packed, self.status)


_WITHOUT_EFFECT: Final[frozenset[type[Event]]] = frozenset(events.TABLE_EVENTS) - _STATUS_EVENTS
"""Events that change no status."""
