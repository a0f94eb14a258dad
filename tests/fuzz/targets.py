"""The targets of the fuzzer: functions that take any bytes, and raise only if the code under test is wrong.

Each target lets the code under test refuse its input with the exception that it documents. Every other exception, and
every broken promise, ends the fuzzer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgpack

from protocol.codec import Encoding, Undecodable, _decode_plain, _decode_strictly, decode, encode, read_request
from protocol.patch import Unpatchable, difference, patched
from server.games.engine.dice import Dice
from server.games.engine.game_log import DamagedLog, chained_line, plays, read_log, replay_log
from server.games.engine.play import Play
from server.games.engine.prompts import Command
from server.games.registry import GAMES
from server.model import Refused
from server.tables.entries import UnreadableEntry, read_dated
from server.tables.imported_log import Opening, read_imported
from server.tables.table_export import read_table_export, replayed
from tests.fuzz.http_head import HttpConnection

GOLDEN: Final = Path(__file__).parent.parent / "golden"
_ENCODINGS: Final = (Encoding.JSON, Encoding.MSGPACK)
_DICE: Final = Dice(bytes(32))


def codec(data: bytes) -> None:
    """Decode a message; a decoded one must survive encoding, in both encodings, and be a request or a refusal."""
    encoding = _ENCODINGS[data[0] % 2] if data else Encoding.JSON
    with _may_be_refused(Undecodable):
        message = decode(data[1:], encoding)
        for each in _ENCODINGS:
            assert decode(encode(message, each), each) == message
        request = read_request(message)
        if request.type != "refused":
            again = read_request(request.model_dump(mode="json", exclude_unset=True))
            assert again == request, "a request is read back as it was"


def decoders(data: bytes) -> None:
    """Decode a message on both ways of the decoder; both must return or refuse the same."""
    encoding = _ENCODINGS[data[0] % 2] if data else Encoding.JSON
    plain = _decode_plain(data[1:], encoding)
    if plain is not None:
        # Python takes True for 1; their spelling tells them apart.
        assert json.dumps(plain) == json.dumps(_decode_strictly(data[1:], encoding))


def patch(data: bytes) -> None:
    """Make and apply a patch between two values; apply a patch from outside to a value."""
    parts = [_json_value(part) for part in data.split(b"\n", 2)]
    old, new, given = (*parts, None, None)[:3]
    if not _mixes_bools_and_numbers(old, new):
        made = difference(old, new)
        assert patched(old, json.loads(json.dumps(made))) == new
    if isinstance(given, list):
        with _may_be_refused(Unpatchable):
            patched(old, given)


def prompts(data: bytes) -> None:
    """Read a command at a position of a game; what is read must be accepted by the rules."""
    positions = _positions()
    play = positions[int.from_bytes(data[:2], "big") % len(positions)]
    assert play.decision is not None
    try:
        command = decode(data[2:], Encoding.JSON)
    except Undecodable:
        return
    for seat in play.awaited:
        read = play.read(seat, play.number, command)
        if isinstance(read, Refused):
            assert read.sentence.endswith("."), "a refusal is a sentence"
            continue
        assert isinstance(read, Command)
        assert play.decision.prompts[seat].admit(read) is None, "what a prompt reads it also admits"
        assert isinstance(play.answer(seat, play.number, read, _DICE), tuple)


_OPENING: Final = Opening("newtable", "zoe", "k" * 32, "s" * 32)


def logs(data: bytes) -> None:
    """Read an entry of a table's log, the log of a game, or an exported table."""
    kind, rest = (data[0], data[1:]) if data else (0, b"")
    match kind % 4:
        case 0:
            with suppress(UnreadableEntry):
                read_dated(rest, (None, *GAMES)[kind // 4 % 4])
        case 1:
            with _may_be_refused(DamagedLog):
                replay_log(read_log(rest.decode("ascii", "replace")))
        case 2:
            text = rest.decode("ascii", "replace")
            with _may_be_refused(DamagedLog):
                replayed(read_table_export(text))
            with _may_be_refused(DamagedLog):
                read_imported(text, _OPENING)
        case 3:
            _log_with_valid_chain(rest)


def _log_with_valid_chain(data: bytes) -> None:
    """Read a game whose second step comes from outside, with a chain that fits: only the rules can refuse it."""
    events = _json_value(data[1:])
    header, first = _openings()[data[0] % len(_openings())] if data else _openings()[0]
    line, chain = chained_line(header, "")
    lines = [line]
    for entry in (first, {"step": 2, "events": events}):
        line, chain = chained_line(entry, chain)
        lines.append(line)
    with _may_be_refused(DamagedLog):
        replay_log(read_log("".join(lines)))


def http(data: bytes) -> None:
    """Receive bytes on an HTTP connection, in two parts; the connection must answer, wait or close."""
    cut = int.from_bytes(data[:2], "big") % max(1, len(data))
    rest = data[2:]
    _http_connection().receive(rest[:cut], rest[cut:])


TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    "codec": codec,
    "decoders": decoders,
    "patch": patch,
    "prompts": prompts,
    "logs": logs,
    "http": http,
}


# -- what the targets share -----------------------------------------------------------------------------------


@contextmanager
def _may_be_refused(refusal: type[ValueError]) -> Iterator[None]:
    """Let the code under test raise this exception, whose text must be a sentence."""
    try:
        yield
    except refusal as reason:
        text = str(reason)
    else:
        return
    assert text.endswith("."), f"no sentence: {text}"


def _json_value(data: bytes) -> Any:
    """Return the JSON value in the bytes, nested to a modest depth; None if there is none."""
    try:
        value = json.loads(data)
        json.dumps(value, allow_nan=False)
        msgpack.packb(value)
    except (ValueError, RecursionError, OverflowError):
        return None
    return value


def _mixes_bools_and_numbers(*values: Any) -> bool:
    """Return whether values hold both truth values and numbers, or fractions, which patches do not promise to keep."""
    found: set[type] = set()
    rest = list(values)
    while rest:
        value = rest.pop()
        found.add(type(value))
        if isinstance(value, dict):
            rest += value.values()
        elif isinstance(value, list):
            rest += value
    return float in found or {bool, int} <= found


@cache
def _positions() -> list[Play]:
    """Return positions of all games at which somebody decides: every tenth step of some golden logs."""
    found: list[Play] = []
    for game in GAMES:
        for path in sorted((GOLDEN / game).glob("*.log"))[:4]:
            log = read_log(path.read_text("ascii"))
            found += [play for play in list(plays(log))[::10] if play.decision is not None]
    return found


@cache
def _openings() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the header and the first step of one golden log of each game."""
    found = []
    for game in GAMES:
        path = sorted((GOLDEN / game).glob("*.log"))[0]
        header, first = map(json.loads, path.read_text("ascii").splitlines()[:2])
        del header["chain"], first["chain"]
        found.append((header, first))
    return found


@cache
def _http_connection() -> HttpConnection:
    return HttpConnection(asyncio.new_event_loop())
