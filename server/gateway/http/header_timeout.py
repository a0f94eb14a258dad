"""HTTP whose requests must arrive in time.

uvicorn waits for the head of a request as long as it takes: a connection that says nothing, or spells it letter by
letter, stays for ever. Here it gets a few seconds, and when very many wait, the one that has waited longest must go.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

REQUEST_TIMEOUT: Final = 5.0
MAX_WAITING: Final = 1_000

_WAITING_KEY: Final = "waiting_for_requests"


class HeaderTimeoutProtocol(H11Protocol):
    """A connection that is closed unless its requests come soon after it was opened, or after they were begun."""

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
        self._wait()

    def data_received(self, data: bytes) -> None:
        if not self._is_answering():
            self._wait()
        super().data_received(data)
        if self._is_answering():
            self._stop_waiting()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        # uvicorn declares the cycle as always there, and begins without one.
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        """Give the peer a few seconds; data that arrives meanwhile wins no more time."""
        if self in self._waiting:
            return
        if len(self._waiting) >= MAX_WAITING:
            next(iter(self._waiting)).give_up()
        self._waiting[self] = self.loop.call_later(REQUEST_TIMEOUT, self.give_up)

    def _stop_waiting(self) -> None:
        timer = self._waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def give_up(self) -> None:
        """Cut off a peer that did not ask for anything in time."""
        self._stop_waiting()
        self.transport.abort()
