"""The steps of a game inside one event, from which a game at another table goes on."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from server.games.engine.events import Event
from server.games.engine.play import PLAY_EVENTS, Step
from server.games.engine.serialization import BadJson, JsonReader, to_json
from server.games.registry import game_named

MAX_STEPS_BYTES: Final = 4 * 1024 * 1024
"""Bytes of the steps as JSON; the longest games have a tenth of it."""


def pack_steps(steps: Sequence[Step]) -> str:
    """Return steps as a text for an event: compressed JSON."""
    text = json.dumps([[to_json(event) for event in step] for step in steps], separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode())).decode()


@lru_cache(maxsize=8)
def unpack_steps(game: str, packed: str) -> tuple[Step, ...]:
    """Return the steps that `pack_steps` wrote; raise `BadJson` for any other text."""
    decompressor = zlib.decompressobj()
    try:
        text = decompressor.decompress(base64.b64decode(packed, validate=True), MAX_STEPS_BYTES)
        steps = json.loads(text) if decompressor.eof else None
    except (ValueError, zlib.error, RecursionError):
        steps = None
    if not isinstance(steps, list) or not steps:
        raise BadJson("the steps cannot be read")
    return tuple(_read_step(game, step) for step in steps)


def _read_step(game: str, step: object) -> Step:
    if not isinstance(step, list) or not step:
        raise BadJson("a step is a list of events")
    read = [_reader(game).read("event", event) for event in step]
    return [event for event in read if isinstance(event, Event)]


@cache
def _reader(game: str) -> JsonReader:
    rules = game_named(game)
    return JsonReader((*PLAY_EVENTS, *rules.events, *rules.commands))
