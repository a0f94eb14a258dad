"""The summary of a table for the lists; it holds nothing secret."""

from __future__ import annotations

from typing import Final

from protocol.codec import pack
from server.games.engine.events import Event
from server.tables import events
from server.tables.api import Summary
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


def pack_summary(state: TableState) -> bytes:
    """Return the bytes of a summary that the store keeps beside the log, without spectators."""
    packed: bytes = pack({"summary": summary_of(state, 0), "private": state.settings.private})
    return packed
