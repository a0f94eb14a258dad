"""A timeout for the headers of HTTP requests, against slow-loris attacks.

uvicorn waits without limit for the headers of a request: a connection that sends nothing, or one byte after the other,
stays open for ever. Here it gets a few seconds. When too many connections wait, the oldest is aborted.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

HEADER_TIMEOUT: Final = 5.0
MAX_WAITING: Final = 1_000

_WAITING_KEY: Final = "waiting_for_requests"


class HeaderTimeoutProtocol(H11Protocol):
    """An HTTP connection that is aborted unless the headers of each request arrive in time."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._waiting: dict[HeaderTimeoutProtocol, asyncio.TimerHandle] = app_state.setdefault(_WAITING_KEY, {})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._start_timeout()

    def data_received(self, data: bytes) -> None:
        if not self._is_responding():
            self._start_timeout()
        super().data_received(data)
        if self._is_responding():
            self._stop_timeout()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_timeout()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timeout()
        super().connection_lost(exc)

    def _is_responding(self) -> bool:
        # uvicorn declares the cycle as never None, but starts with None.
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _start_timeout(self) -> None:
        """Start the timeout unless it is running: further data does not extend it."""
        if self in self._waiting:
            return
        if len(self._waiting) >= MAX_WAITING:
            next(iter(self._waiting)).abort()
        self._waiting[self] = self.loop.call_later(HEADER_TIMEOUT, self.abort)

    def _stop_timeout(self) -> None:
        timer = self._waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def abort(self) -> None:
        """Drop the connection without a response."""
        self._stop_timeout()
        self.transport.abort()
