"""The two encodings of a message, and frames that are encoded once however many connections they go to."""

from __future__ import annotations

import json
import struct
from enum import Enum
from typing import Any, Final

import msgpack


class Encoding(Enum):
    """How messages travel: msgpack in binary frames, or JSON in text frames."""

    MSGPACK = "msgpack"
    JSON = "json"


_TEXT: Final = 0x81
_BINARY: Final = 0x82


def encode(message: Any, encoding: Encoding) -> bytes:
    """Give the message as the payload of one websocket frame."""
    if encoding is Encoding.MSGPACK:
        packed: bytes = msgpack.packb(message)
        return packed
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def framed(payload: bytes, encoding: Encoding) -> bytes:
    """Give the payload behind the header of a websocket frame from a server, which is the same for every client."""
    opcode = _BINARY if encoding is Encoding.MSGPACK else _TEXT
    size = len(payload)
    if size < 126:
        return struct.pack("!BB", opcode, size) + payload
    if size < 1 << 16:
        return struct.pack("!BBH", opcode, 126, size) + payload
    return struct.pack("!BBQ", opcode, 127, size) + payload


class Frame:
    """A message on its way to many connections: encoded at most once for each encoding."""

    __slots__ = ("_framed", "message")

    def __init__(self, message: dict[str, Any]) -> None:
        self.message = message
        self._framed: dict[Encoding, bytes] = {}

    def framed(self, encoding: Encoding) -> bytes:
        """Give the whole websocket frame, ready to be written."""
        ready = self._framed.get(encoding)
        if ready is None:
            ready = self._framed[encoding] = framed(encode(self.message, encoding), encoding)
        return ready
