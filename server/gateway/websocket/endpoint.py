"""The websocket endpoint: checks each handshake, then attaches a connection to its transport.

Checks come in the order of their cost: draining, host, origin, the limits of user and address, session, capacity. A
handshake is accepted only if it passes, or if the client needs a close code, which browsers see only after an accepted
handshake.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Sequence
from typing import Final

from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from protocol.codec import Encoding, choose_subprotocol, unsupported_version
from protocol.codes import CLOSES, Close
from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import TransportLimits, refused_for
from server.gateway.session_lookup import NoUser, SessionLookup
from server.gateway.websocket.connection import Connection
from server.gateway.websocket.handshake import address_of, credentials_of, is_allowed_host, is_allowed_origin, origin_of
from server.gateway.websocket.transport import ABNORMAL_CLOSURE, transport_of
from server.model import User
from server.rate_limit import FREE, Rate, Throttle

log = logging.getLogger(__name__)

_RETRY_SECONDS: Final = 5.0
"""When to come again after a refusal that names no time."""

_LOG_RATE: Final = Rate(1, 60, burst=1)
"""Log lines about refused handshakes, for each reason and address; the metrics count all of them."""

_RESPONSES: Final = {
    "draining": (503, "The server restarts; please come back at once."),
    "host": (403, "This server has another name."),
    "origin": (403, "This connection does not come from a page of this server."),
    "session": (401, "There is no such session; begin one first."),
    "storage": (503, "The server could not look up the session. Please try again."),
    "connections_per_user": (429, "You have too many connections open already."),
    "connections_per_address": (429, "There are too many connections from this address."),
}
"""The HTTP status and the sentence for each reason to refuse a handshake."""


class WebSocketEndpoint:
    """The ASGI endpoint `/socket`."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str], limits: TransportLimits) -> None:
        self._connections = connections
        self._origins = origins
        self._limits = limits
        self._lookup = SessionLookup(connections)
        self._log_throttle = Throttle(_LOG_RATE, time.monotonic)

    async def serve(self, websocket: WebSocket) -> None:
        """Answer a handshake. An accepted connection lives on by callbacks after this coroutine has ended."""
        try:
            await self._answer(websocket)
        except (WebSocketDisconnect, OSError):
            # The peer left before the answer; how far the handshake had come decides which of the two is raised.
            self._connections.counters.handshakes_refused["left"] += 1

    async def _answer(self, websocket: WebSocket) -> None:
        address = address_of(websocket)
        reason = self._refusal(websocket)
        if reason is not None:
            await self._refuse(websocket, reason)
            return
        credentials = credentials_of(websocket)
        user = await self._lookup.user_of(credentials, address)
        if isinstance(user, NoUser):
            await self._refuse(websocket, user.reason, user.wait)
            return
        assert credentials is not None
        subprotocols = websocket.scope["subprotocols"]
        chosen = choose_subprotocol(subprotocols)
        if chosen is None:
            await self._accept_and_close(websocket, unsupported_version(subprotocols), Close.UPGRADE)
        elif self._connections.is_full:
            await self._accept_and_close(websocket, chosen[0], Close.OVERLOADED)
        else:
            await self._connect(websocket, user, credentials.token, address, *chosen)

    def _refusal(self, websocket: WebSocket) -> str | None:
        """Return the reason to refuse a handshake whatever its session, or None."""
        if self._connections.is_draining:
            return "draining"
        if not is_allowed_host(websocket, self._origins):
            return "host"
        credentials = credentials_of(websocket)
        # Without a session there is nothing that a foreign page could use; the answer is then 401.
        is_cookie = credentials is not None and not credentials.is_bearer
        if not is_allowed_origin(websocket, self._origins, is_required=is_cookie):
            return "origin"
        return None

    async def _refuse(self, websocket: WebSocket, reason: str, wait: float = _RETRY_SECONDS) -> None:
        self._connections.counters.handshakes_refused[reason] += 1
        address = address_of(websocket)
        if self._log_throttle.take(f"{reason} {address}") == FREE:
            log.info("handshake refused", extra={"reason": reason, "address": address})
        status, sentence = _RESPONSES.get(reason, (429, refused_for(wait).sentence))
        headers = {"Retry-After": str(math.ceil(wait))} if status in (429, 503) else None
        await websocket.send_denial_response(PlainTextResponse(f"{sentence}\n", status, headers))

    async def _accept_and_close(self, websocket: WebSocket, subprotocol: str | None, code: Close) -> None:
        self._connections.counters.handshakes_refused[code.name.lower()] += 1
        await websocket.accept(subprotocol)
        await websocket.close(code, CLOSES[code])

    async def _connect(
        self, websocket: WebSocket, user: User, token: str, address: str, subprotocol: str, encoding: Encoding
    ) -> None:
        transport = transport_of(websocket.scope)
        connection = Connection(self._connections, transport, user, token, address, encoding, origin_of(websocket))
        reason = self._connections.admit(connection)
        if reason is not None:
            await self._refuse(websocket, reason)
            return
        try:
            await websocket.accept(subprotocol)
        except BaseException:
            connection.on_disconnect(ABNORMAL_CLOSURE)
            raise
        transport.attach(connection, self._limits)
        connection.greet()
