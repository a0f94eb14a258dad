"""How a table's log is written: each append is one record, the events of one request and when it was made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgpack

from protocol.codec import pack
from server.games.engine.game import Event
from server.games.engine.play import PLAY_EVENTS
from server.games.engine.serialization import FactReader, NotPlain, fact_plain
from server.games.registry import UnknownGame, game_named
from server.tables.events import TABLE_EVENTS, TableOpened
from server.tables.state import TableState, opened


class UnreadableRecord(ValueError):
    """A record does not tell what happened; the message says why."""


def write_record(happened: Sequence[Event], at_milliseconds: int) -> bytes:
    """Give the bytes of one append."""
    packed: bytes = pack([at_milliseconds, [fact_plain(event) for event in happened]])
    return packed


def read_record(payload: bytes, game: str | None) -> list[Event]:
    """Give the events of one append; the game is not known yet when the table is opened."""
    return read_dated(payload, game)[1]


def read_dated(payload: bytes, game: str | None) -> tuple[int, list[Event]]:
    """Give when one append was made, and its events."""
    try:
        at_milliseconds, happened = msgpack.unpackb(payload)
        reader = _reader(game)
        return at_milliseconds, [event for plain in happened if isinstance(event := reader.read("event", plain), Event)]
    except (NotPlain, UnknownGame, ValueError, TypeError, msgpack.UnpackException) as reason:
        raise UnreadableRecord(str(reason)) from reason


def open_record(payload: bytes) -> TableState:
    """Give the table that the first record of a log describes."""
    first, *rest = read_record(payload, None)
    if not isinstance(first, TableOpened):
        raise UnreadableRecord("a log begins with the opening of its table")
    table = opened(first)
    if first.rules_version > table.game.rules_version:
        raise UnreadableRecord("the game was begun by later rules than are known here")
    table.apply(rest)
    return table


@cache
def _reader(game: str | None) -> FactReader:
    if game is None:
        return FactReader(TABLE_EVENTS)
    rules = game_named(game)
    return FactReader((*TABLE_EVENTS, *PLAY_EVENTS, *rules.events, *rules.commands))
