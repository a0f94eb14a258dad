"""How a table's log is written: each append is one record, the events of one request and when it was made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgpack

from protocol.codec import pack
from server.games.engine.game import Event
from server.games.engine.play import PLAY_EVENTS
from server.games.engine.serialization import BadJson, JsonReader, to_json
from server.games.registry import UnknownGame, game_named
from server.tables.events import TABLE_EVENTS, TableOpened
from server.tables.state import TableState, opened


class UnreadableEntry(ValueError):
    """A record does not tell what happened; the message says why."""


def write_entry(new_events: Sequence[Event], at_milliseconds: int) -> bytes:
    """Give the bytes of one append."""
    packed: bytes = pack([at_milliseconds, [to_json(event) for event in new_events]])
    return packed


def read_entry(payload: bytes, game: str | None) -> list[Event]:
    """Give the events of one append; the game is not known yet when the table is opened."""
    return read_dated(payload, game)[1]


def read_dated(payload: bytes, game: str | None) -> tuple[int, list[Event]]:
    """Give when one append was made, and its events."""
    try:
        at_milliseconds, new_events = msgpack.unpackb(payload)
        reader = _reader(game)
        return at_milliseconds, [
            event for json_value in new_events if isinstance(event := reader.read("event", json_value), Event)
        ]
    except (BadJson, UnknownGame, ValueError, TypeError, msgpack.UnpackException) as reason:
        raise UnreadableEntry(str(reason)) from reason


def open_entry(payload: bytes) -> TableState:
    """Give the table that the first record of a log describes."""
    first, *rest = read_entry(payload, None)
    if not isinstance(first, TableOpened):
        raise UnreadableEntry("a log begins with the opening of its table")
    table = opened(first)
    if first.rules_version > table.game.rules_version:
        raise UnreadableEntry("the game was begun by later rules than are known here")
    table.apply(rest)
    return table


@cache
def _reader(game: str | None) -> JsonReader:
    if game is None:
        return JsonReader(TABLE_EVENTS)
    rules = game_named(game)
    return JsonReader((*TABLE_EVENTS, *PLAY_EVENTS, *rules.events, *rules.commands))
