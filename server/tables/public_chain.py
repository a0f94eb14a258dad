"""The public chain of a table: what spectators are shown of its game, line by line, each hashed with the one before.

A line holds the events of one log entry that matter for the game, as spectators see them, without names and chat, which
can be deleted (`docs/fairness.md`). It is a function of the log alone, so every owner has the same chain. Lines are
made when their head is asked for: a table that is replayed and not looked at makes none.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from protocol.codec import to_json_bytes
from protocol.commitments import base64url, chain_next, chain_start
from server.games.engine.events import Event
from server.games.engine.play import Answered
from server.tables import events
from server.tables.answer_secrecy import hides_answer
from server.tables.state import TableState

_UNCHAINED: Final[frozenset[type[Event]]] = frozenset((*events.TABLE_EVENTS, Answered)) - {
    events.ServerSeedDrawn,
    events.SeedCommitted,
    events.SeedsAsked,
    events.SeedsClosed,
    events.SeedOpened,
    events.SeedsVoided,
    events.SeatLeft,
    events.SeatMoved,
    events.GameStarted,
    events.AnswerSealed,
    events.OpeningsAsked,
    events.SealsNotOpened,
    events.AnswersOpened,
    events.HistoryDiffers,
    events.TimeRanOut,
    events.SeatReturned,
    events.Resigned,
    events.Paused,
    events.Resumed,
    events.LogRolledBack,
    events.Abandoned,
}
"""Events that are no part of the chain. Every event of a game is."""

MAX_PENDING: Final = 256
"""Log entries that wait to become lines."""

_HASH_BYTES: Final = 32


class PublicChain:
    """The heads of the public chain of one table. It gets every log entry, in order, after it was applied."""

    def __init__(self, table: TableState) -> None:
        self._table = table
        self._heads = bytearray()
        """The heads one after the other, that before the first line included."""

        self._head = b""
        self._pending: list[Sequence[Event]] = []
        self._shown: dict[str, Any] = {}

    def add(self, new_events: Sequence[Event]) -> None:
        """Add a log entry."""
        if self._table.exchange is not None and not _UNCHAINED.issuperset(map(type, new_events)):
            self._pending.append(new_events)
            if len(self._pending) > MAX_PENDING:
                self._extend()

    @property
    def is_kept(self) -> bool:
        """Return whether the table is verifiable, and so has a chain."""
        return self._table.exchange is not None

    def shown(self, last: Sequence[dict[str, Any] | None] | None = None) -> dict[str, Any]:
        """Return the number of lines and the head, as views and updates show them; nothing without a chain.

        `last` are the events of the last entry as spectators see them, if the caller has them.
        """
        if self._pending or not self._heads:
            self._extend(last)
        return self._shown

    def has(self, line: int, head: str) -> bool:
        """Return whether the chain had this head after so many lines."""
        self.shown()
        return base64url(bytes(self._heads[line * _HASH_BYTES : (line + 1) * _HASH_BYTES])) == head

    def _extend(self, last: Sequence[dict[str, Any] | None] | None = None) -> None:
        if not self.is_kept:
            return
        head = self._head
        if not head:
            head = chain_start(self._table.chain_id)
            self._heads += head
        for left, new_events in enumerate(self._pending, 1 - len(self._pending)):
            public = last if left == 0 and last is not None else _seen_by_spectators(self._table, new_events)
            line = _line(self._table, new_events, public, len(self._heads) // _HASH_BYTES)
            if line is not None:
                head = chain_next(head, line)
                self._heads += head
        self._pending.clear()
        self._head = head
        self._shown = {"line": len(self._heads) // _HASH_BYTES - 1, "head": base64url(head)}


def public_line(table: TableState, new_events: Sequence[Event], number: int) -> bytes | None:
    """Return the line of a log entry with its number, from 1; None if the entry has none."""
    return _line(table, new_events, _seen_by_spectators(table, new_events), number)


def _seen_by_spectators(table: TableState, new_events: Sequence[Event]) -> list[dict[str, Any] | None]:
    return [
        None if type(event) in _UNCHAINED or hides_answer(table, new_events, event, None) else event.shown_to(None)
        for event in new_events
    ]


def _line(
    table: TableState, new_events: Sequence[Event], public: Sequence[dict[str, Any] | None], number: int
) -> bytes | None:
    kinds = list(map(type, new_events))
    shown = [each for kind, each in zip(kinds, public, strict=True) if each is not None and kind not in _UNCHAINED]
    if not shown:
        return None
    line: dict[str, Any] = {"line": number}
    if events.GameStarted in kinds:
        line["setup"] = setup_of(table)
    line["events"] = shown
    encoded: bytes = to_json_bytes(line)
    return encoded


def setup_of(table: TableState) -> dict[str, Any]:
    """Return what a game was begun with, as far as it matters for its course."""
    setup = {
        "game": table.settings.game,
        "rules": table.rules_version,
        "options": json.loads(json.dumps(dict(table.settings.options), sort_keys=True)),
        "show_decided": table.settings.show_decided,
        "bots": [chair.bot for chair in table.chairs],
    }
    # Only where it is on: the lines of earlier games, whose hashes people have noted, do not name it.
    return {**setup, "sealed_on_devices": True} if table.settings.sealed_on_devices else setup
