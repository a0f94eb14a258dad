"""A transcript as it is read from a file that anybody may have written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from server.fairness.findings import Wrong
from server.fairness.replay import Move
from server.fairness.transcript import FORM

_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
_MAX_NUMBER: Final = 2**53


class Opening(NamedTuple):
    """A sealed answer with what opens its commitment; None if it stayed closed on the device of its seat."""

    decision: int
    seat: int
    attempt: int
    commitment: str
    salt: bytes | None
    answer: str | None
    by_server: bool


class Line(NamedTuple):
    """A line of the public chain; `setup` is that of the line with the start of the game."""

    number: int
    events: tuple[Mapping[str, Any], ...]
    setup: Any


class Transcript(NamedTuple):
    """A transcript of which every part has the right type."""

    table: str
    title: str
    rules: int
    game: int
    lines: tuple[str, ...]
    head: str
    server_seed: bytes
    game_seed: bytes
    void_games: int
    moves: tuple[Move, ...]
    openings: tuple[Opening, ...]
    draws: tuple[Mapping[str, Any], ...]
    outcome: Mapping[str, Any] | None


def why_not_of(value: Any) -> str | None:
    """Return why a transcript says that its game is not verifiable; None if it says that it is."""
    if not isinstance(value, dict) or value.get("format") != FORM:
        raise Wrong("form_unreadable", part="format")
    if value.get("verifiable") is True and value.get("why_not") is None:
        return None
    return text(value, "why_not")


def read_transcript(value: Mapping[str, Any]) -> Transcript:
    """Return the transcript; raise `Wrong` if a part is missing or has another type."""
    outcome = value.get("outcome", 0)
    if outcome is not None and not isinstance(outcome, dict):
        raise Wrong("form_unreadable", part="outcome")
    return Transcript(
        text(value, "table"),
        text(value, "title"),
        number(value, "rules"),
        number(value, "game"),
        tuple(_text_of(line, "lines") for line in items(value, "lines")),
        text(value, "head"),
        hexadecimal(value, "server_seed"),
        hexadecimal(value, "game_seed"),
        number(value, "void_games"),
        tuple(_move(mapping(each, "moves")) for each in items(value, "moves")),
        tuple(_opening(mapping(each, "openings")) for each in items(value, "openings")),
        tuple(mapping(each, "draws") for each in items(value, "draws")),
        outcome,
    )


def read_line(line: str, place: int) -> Line:
    """Return a line of the chain, which must be that of this place; raise `Wrong`."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("events"), list):
        raise Wrong("chain_line_unreadable", line=place)
    if not all(isinstance(event, dict) and isinstance(event.get("event"), str) for event in value["events"]):
        raise Wrong("chain_line_unreadable", line=place)
    if type(value.get("line")) is not int or value["line"] != place:
        raise Wrong("chain_line_misplaced", line=place)
    return Line(place, tuple(value["events"]), value.get("setup"))


def text(value: Mapping[str, Any], name: str) -> str:
    return _text_of(value.get(name), name)


def number(value: Mapping[str, Any], name: str) -> int:
    given = value.get(name)
    if type(given) is not int or not 0 <= given < _MAX_NUMBER:
        raise Wrong("form_unreadable", part=name)
    return given


def truth(value: Mapping[str, Any], name: str) -> bool:
    given = value.get(name)
    if not isinstance(given, bool):
        raise Wrong("form_unreadable", part=name)
    return given


def items(value: Mapping[str, Any], name: str) -> list[Any]:
    given = value.get(name)
    if not isinstance(given, list):
        raise Wrong("form_unreadable", part=name)
    return given


def hexadecimal(value: Mapping[str, Any], name: str) -> bytes:
    given = text(value, name)
    if _HEX.fullmatch(given) is None:
        raise Wrong("form_unreadable", part=name)
    return bytes.fromhex(given)


def _text_of(given: Any, name: str) -> str:
    # A surrogate alone cannot be hashed, since it has no encoding in UTF-8.
    if not isinstance(given, str) or _has_surrogates(given):
        raise Wrong("form_unreadable", part=name)
    return given


def mapping(given: Any, name: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise Wrong("form_unreadable", part=name)
    return given


def _move(value: Mapping[str, Any]) -> Move:
    is_sealed = value.get("sealed") is True
    command = None if is_sealed or value.get("undo") is True else text(value, "command")
    return Move(number(value, "decision"), number(value, "seat"), command, is_sealed)


def _opening(value: Mapping[str, Any]) -> Opening:
    is_closed = value.get("salt", 0) is value.get("answer", 0) is None
    if is_closed and value.get("by_server") is not False:
        raise Wrong("form_unreadable", part="by_server")
    return Opening(
        number(value, "decision"),
        number(value, "seat"),
        number(value, "attempt"),
        text(value, "commitment"),
        None if is_closed else hexadecimal(value, "salt"),
        None if is_closed else text(value, "answer"),
        truth(value, "by_server"),
    )


def _has_surrogates(given: str) -> bool:
    try:
        given.encode()
    except UnicodeEncodeError:
        return True
    return False
