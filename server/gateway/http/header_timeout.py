"""HTTP connections with a timeout for the headers of each request, against slow-loris attacks, and other limits.

uvicorn waits without limit for the headers of a request: a connection that sends nothing, or one byte after the other,
stays open for ever. Here it gets a few seconds. Heads are checked (`heads.py`), and connections are counted by address
(`connection_limits.py`).
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from server.gateway.http.connection_limits import ConnectionLimits
from server.gateway.http.heads import REFUSALS, CheckedConnection

HEADER_TIMEOUT: Final = 5.0
RESPONSE_TIMEOUT: Final = 120.0
"""The longest time for a response. A slow mobile network takes some seconds for the largest file; a peer that does not
read would hold its connection for ever."""

LINGER_SECONDS: Final = 2.0
"""The time for which a refused connection stays open to discard its remaining bytes. Closing a socket with unread bytes
would reset the connection, and the peer might never see the response."""

LIMITS_KEY: Final = "http_connection_limits"


class HeaderTimeoutProtocol(H11Protocol):
    """An HTTP connection that is aborted unless the headers of each request arrive in time.

    Its `ConnectionLimits` are in the `app_state` that all connections share, under `LIMITS_KEY`.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn: CheckedConnection = CheckedConnection()
        if LIMITS_KEY not in app_state:
            app_state[LIMITS_KEY] = ConnectionLimits()
        self._limits: ConnectionLimits = app_state[LIMITS_KEY]
        self._timer: asyncio.TimerHandle | None = None
        """Runs while the headers of a request are awaited, or the peer of a refused one has to close."""
        self._response_timer: asyncio.TimerHandle | None = None
        self._is_refused = False
        self._is_half_closed = False

    # -- life of a connection -----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        if not self._limits.add(self, self.client[0] if self.client else None):
            self.transport.abort()
            return
        self._start_timeout()

    def data_received(self, data: bytes) -> None:
        if self._is_refused or self.transport.is_closing():
            return
        if not self._is_responding():
            self._start_timeout()
        super().data_received(data)
        if self._is_responding():
            self._start_response()

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio allows it
        """Return whether the connection stays open: simple programs end their direction once the request is sent."""
        self._is_half_closed = self._is_responding() and not self.cycle.more_body
        return self._is_half_closed

    def on_response_complete(self) -> None:
        # Idle until the next request, if that has not been received already; uvicorn closes it after a while.
        self._stop_response()
        self._limits.start_waiting(self)
        super().on_response_complete()
        if self._is_responding():
            self._start_response()
        elif self._is_half_closed:
            self.transport.close()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_timeout()
        self._limits.remove(self)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timeout()
        self._stop_response()
        self._limits.remove(self)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        if self._is_refused:
            self.abort()
        else:
            super().shutdown()

    def abort(self) -> None:
        """Drop the connection without a response."""
        self._stop_timeout()
        self._stop_response()
        self.transport.abort()

    # -- timeouts -----------------------------------------------------------------------------------------

    def _is_responding(self) -> bool:
        # uvicorn declares the cycle as never None, but starts with None.
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _start_timeout(self) -> None:
        """Start the timeout unless it is running: further data does not extend it."""
        self._limits.start_waiting(self)
        if self._timer is None:
            self._timer = self.loop.call_later(HEADER_TIMEOUT, self._time_out)

    def _stop_timeout(self) -> None:
        self._limits.stop_waiting(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start_response(self) -> None:
        """Stop the timeout of the headers, and start that of the response unless it is running."""
        self._stop_timeout()
        if self._response_timer is None:
            self._response_timer = self.loop.call_later(RESPONSE_TIMEOUT, self._time_out)

    def _stop_response(self) -> None:
        if self._response_timer is not None:
            self._response_timer.cancel()
            self._response_timer = None

    def _time_out(self) -> None:
        self._limits.closed["timeout"] += 1
        self.abort()

    # -- refusals -----------------------------------------------------------------------------------------

    def send_400_response(self, msg: str) -> None:
        """Refuse what h11 could not accept, with the status that fits, and wait for the peer to close."""
        self._is_refused = True
        self._limits.closed["malformed"] += 1
        self._unset_keepalive_if_required()
        if self._is_responding():
            # The application waits for a body that is malformed: to it, the client is gone.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            # A response has begun, so there is no way to say what is wrong.
            self.abort()
            return
        self.transport.write(_response(self.conn.refused_with))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._stop_timeout()
        self._limits.start_waiting(self)
        self._timer = self.loop.call_later(LINGER_SECONDS, self.abort)


def _response(status: int) -> bytes:
    body = f"{REFUSALS[status]}\n".encode()
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body
