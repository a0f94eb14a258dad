"""The encoding of log entries: the time of the append, and the events of one accepted request."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgpack

from protocol.codec import pack
from server.games.engine.events import Event, Seat
from server.games.engine.play import PLAY_EVENTS, Answered
from server.games.engine.prompts import Command
from server.games.engine.serialization import BadJson, JsonReader, to_json
from server.games.registry import UnknownGame, game_named
from server.tables.events import TABLE_EVENTS, TableOpened
from server.tables.state import TableState, opened

_TABLE_EVENTS = frozenset(TABLE_EVENTS)


class UnreadableEntry(ValueError):
    """A log entry cannot be decoded; the message says why."""


def write_entry(new_events: Sequence[Event], at_milliseconds: int) -> bytes:
    """Return the bytes of a log entry."""
    packed: bytes = pack([at_milliseconds, [to_json(event) for event in new_events]])
    return packed


def read_entry(payload: bytes, game: str | None) -> list[Event]:
    """Return the events of a log entry. `game` is None for the first entry, which names the game."""
    return read_dated(payload, game)[1]


def read_dated(payload: bytes, game: str | None) -> tuple[int, list[Event]]:
    """Return the time of a log entry, and its events."""
    try:
        at_milliseconds, new_events = msgpack.unpackb(payload)
        reader = _reader(game)
        return at_milliseconds, [
            event for json_value in new_events if isinstance(event := reader.read("event", json_value), Event)
        ]
    except (BadJson, UnknownGame, ValueError, TypeError, msgpack.UnpackException) as reason:
        raise UnreadableEntry(str(reason)) from reason


def open_entry(payload: bytes) -> TableState:
    """Return the table that the first entry of a log opens."""
    first, *rest = read_entry(payload, None)
    if not isinstance(first, TableOpened):
        raise UnreadableEntry("the first entry of a log must open its table")
    table = opened(first)
    if first.rules_version > table.game.rules_version:
        raise UnreadableEntry("the game was started with later rules than this version has")
    table.apply(rest)
    return table


def answers_in(new_events: Sequence[Event]) -> tuple[dict[Seat, Command], dict[Seat, Command]]:
    """Return the sealed answers of an entry: those that were given, and those of forced seats to the next decision."""
    given: dict[Seat, Command] = {}
    forced: dict[Seat, Command] = {}
    has_stepped = False
    for event in new_events:
        if isinstance(event, Answered):
            (forced if has_stepped else given)[event.seat] = event.command
        else:
            has_stepped = has_stepped or type(event) not in _TABLE_EVENTS
    return given, forced


@cache
def _reader(game: str | None) -> JsonReader:
    if game is None:
        return JsonReader(TABLE_EVENTS)
    rules = game_named(game)
    return JsonReader((*TABLE_EVENTS, *PLAY_EVENTS, *rules.events, *rules.commands))
