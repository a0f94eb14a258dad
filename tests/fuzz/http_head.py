"""An HTTP connection of the server without a socket: bytes in, bytes out, in memory."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from server.gateway.http.header_timeout import LIMITS_KEY
from server.gateway.server import ServerOptions, uvicorn_config

TURNS = 6
"""Iterations of the event loop in which a request is answered."""


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer every request, and refuse every websocket."""
    if scope["type"] == "http":
        await PlainTextResponse("here")(scope, receive, send)
    else:
        await send({"type": "websocket.close"})


class Transport(asyncio.Transport):
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1234), "sockname": ("127.0.0.1", 80)})
        self.written = b""
        self.is_closed = False
        self.protocol: Any = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_closed

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        protocol: asyncio.BaseProtocol = self.protocol
        return protocol

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        pass


class HttpConnection:
    """Makes connections of the server's own HTTP protocol, one after the other, on one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._failures: list[BaseException] = []
        loop.set_exception_handler(lambda loop, context: self._failures.append(context["exception"]))
        options = ServerOptions((), 20.0, 10.0, 100)
        self._limits = options.http_limits(Counter())
        self._config = uvicorn_config(app, options)
        self._config.load()
        # The fuzzer would print a line for every malformed request.
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)

    def receive(self, *parts: bytes) -> bytes:
        """Receive parts of data on a new connection, close it, and return what was written; raise what it raised."""
        return self._loop.run_until_complete(self._receive(parts))

    async def _receive(self, parts: tuple[bytes, ...]) -> bytes:
        transport = Transport()
        protocol: Any = self._config.http_protocol_class(
            config=self._config, server_state=ServerState(), app_state={LIMITS_KEY: self._limits}, _loop=self._loop
        )
        transport.protocol = protocol
        protocol.connection_made(transport)
        for part in parts:
            if part and not transport.is_closed:
                transport.protocol.data_received(part)
                for _ in range(TURNS):
                    await asyncio.sleep(0)
        transport.protocol.connection_lost(None)
        await asyncio.sleep(0)
        if self._failures:
            raise self._failures.pop()
        assert not transport.written or transport.written.startswith((b"HTTP/1.1 ", b"HTTP/1.0 ")), transport.written
        return transport.written
