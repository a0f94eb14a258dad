"""Our transport without tables: the difference to our whole server is the cost of the table.

Handshake, limits, batched writes and low priority of spectators are those of the server. Paths and updates are those of
`raw_server`.
"""

from __future__ import annotations

import socket
from collections import Counter

import uvloop
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from protocol.codec import Encoding
from server.gateway.limits import TransportLimits
from server.gateway.server import Server, ServerOptions, uvicorn_config
from server.gateway.websocket.transport import WebSocketTransport, transport_of
from server.rate_limit import Rate
from tests.bench.raw_server import SEATS, UPDATE, VIEW

_FREELY = TransportLimits(frames=Rate(1_000_000, 1, burst=1_000_000))


class _Table:
    """The connections of a table, each with whether it may wait, and whose turn it is."""

    __slots__ = ("transports", "turn")

    def __init__(self) -> None:
        self.transports: dict[WebSocketTransport, bool] = {}
        self.turn = 0


class _Viewer:
    """The receiver of a connection's messages."""

    __slots__ = ("_seat", "_table", "_transport")
    encoding = Encoding.MSGPACK

    def __init__(self, table: _Table, seat: int, transport: WebSocketTransport) -> None:
        self._table = table
        self._seat = seat
        self._transport = transport

    def on_message(self, data: bytes) -> None:
        table = self._table
        if self._seat == table.turn:
            table.turn = (table.turn + 1) % SEATS
            for transport, can_wait in table.transports.items():
                transport.write(UPDATE, can_wait)

    def on_writable(self) -> None:
        """Do nothing: the load has no slow readers."""

    def on_disconnect(self, code: int) -> None:
        del self._table.transports[self._transport]


_tables: dict[str, _Table] = {}


async def _join(websocket: WebSocket) -> None:
    table = _tables.setdefault(websocket.path_params["table"], _Table())
    seat = websocket.path_params["seat"]
    transport = transport_of(websocket.scope)
    await websocket.accept()
    transport.attach(_Viewer(table, -1 if seat == "-" else int(seat), transport), _FREELY)
    table.transports[transport] = seat == "-"
    transport.write(VIEW)


async def _nothing_to_drain() -> None:
    """Do nothing: tables are not stored."""


async def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    app = Starlette(routes=[WebSocketRoute("/{table}/{seat}", _join)])
    options = ServerOptions(forwarded_from=(), ping_seconds=20.0, drain_seconds=1.0, connections=20_000)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    limits = options.http_limits(Counter())
    await Server(uvicorn_config(app, options), _nothing_to_drain, options.drain_seconds, limits).serve([listener])


if __name__ == "__main__":
    uvloop.run(main())
