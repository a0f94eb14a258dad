"""The limit: a uvloop transport that writes constant frames and checks only whose turn it is.

It implements as much of websockets as the load needs. `/TABLE/SEAT` joins a table on a seat, `/TABLE/-` as a spectator;
the first frame is a view, and each frame from the seat whose turn it is brings everybody an update of 220 bytes.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from typing import cast

import uvloop

from protocol.codec import Encoding, framed

_KEY_SUFFIX = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
VIEW = framed(b"view".ljust(220, b"."), Encoding.MSGPACK)
UPDATE = framed(b"update".ljust(216, b"."), Encoding.MSGPACK)
SEATS = 4


class _Table:
    """The transports of a table, and whose turn it is."""

    __slots__ = ("transports", "turn")

    def __init__(self) -> None:
        self.transports: dict[asyncio.Transport, None] = {}
        self.turn = 0


_tables: dict[str, _Table] = {}


class RawSocket(asyncio.Protocol):
    """One connection."""

    __slots__ = ("_rest", "_seat", "_table", "_transport")

    def __init__(self) -> None:
        self._rest = b""
        self._seat = -1
        self._table: _Table | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._table is not None:
            self._table.transports.pop(self._transport, None)

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        table = self._table
        if table is None:
            self._shake_hands(data)
            return
        # Frames of the load are short: two bytes, four of a mask, and a payload that is ignored.
        while len(data) >= 6 and len(data) >= (size := 6 + (data[1] & 127)):
            data = data[size:]
            if self._seat == table.turn:
                table.turn = (table.turn + 1) % SEATS
                for transport in table.transports:
                    transport.write(UPDATE)
        self._rest = data

    def _shake_hands(self, data: bytes) -> None:
        head, end, self._rest = data.partition(b"\r\n\r\n")
        if not end:
            self._rest = data
            return
        name, _, seat = head.split(b" ", 2)[1].decode().lstrip("/").partition("/")
        key = head.split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
        accept = base64.b64encode(hashlib.sha1(key + _KEY_SUFFIX, usedforsecurity=False).digest())
        self._transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + VIEW
        )
        self._seat = int(seat) if seat != "-" else -1
        self._table = _tables.setdefault(name, _Table())
        self._table.transports[self._transport] = None


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(RawSocket, "127.0.0.1", 0, backlog=4096)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
