"""Writes the first inputs of every target into the corpus: valid ones, which the fuzzer then changes."""

from __future__ import annotations

import json
import random
from hashlib import sha1

import msgpack

from protocol.codec import Encoding, encode
from server.games.engine.game_log import read_log
from server.games.engine.serialization import to_json
from server.games.registry import GAMES
from tests.fuzz.__main__ import CORPUS
from tests.fuzz.targets import GOLDEN, _positions
from tests.protocol.document import messages
from tests.scenarios.people import any_command

_UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_HEADS = (
    b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST /api/session/code HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n{}x",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    _UPGRADE,
    b"GET / HTTP/1.1\r\nHost: a\r\n\r\nHEAD / HTTP/1.0\r\n\r\n",
)
_PATCHES = (
    b'{"a":[1,2,3],"b":{}}\n{"a":[2,3,4]}\n[["set",["b"],1],["drop",["a"]]]',
    b'[1,[2],{"c":"d"}]\n[[2],{"c":"e"},5]\n[["splice",[],0,1,[7]]]',
)


def write(target: str, *inputs: bytes) -> None:
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    for data in inputs:
        (folder / sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)


def main() -> None:
    for _, message in messages("request"):
        for target in ("codec", "decoders"):
            write(target, b"\0" + encode(message, Encoding.JSON), b"\1" + encode(message, Encoding.MSGPACK))
    write("patch", *_PATCHES)
    write("http", *(b"\0\x10" + head for head in _HEADS))
    rng = random.Random(1)
    for number, play in enumerate(_positions()):
        assert play.decision is not None
        if number % 12 == 0:
            prompt = next(iter(play.decision.prompts.values())).to_json()
            try:
                command = any_command(rng, prompt)  # type: ignore[arg-type]
            except AssertionError:
                continue
            write("prompts", number.to_bytes(2, "big") + json.dumps(command).encode())
    for place, game in enumerate(GAMES):
        text = sorted((GOLDEN / game).glob("*.log"))[0].read_text("ascii")
        lines = text.splitlines(keepends=True)
        write("logs", b"\1" + "".join(lines[:2]).encode())
        for step in read_log(text).steps[1:12:3]:
            events = [to_json(event) for event in step]
            write("logs", b"\3" + bytes([place]) + json.dumps(events).encode())
            write("logs", bytes([(place + 1) * 4]) + msgpack.packb([1, events]))


if __name__ == "__main__":
    main()
