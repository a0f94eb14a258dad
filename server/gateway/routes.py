"""The doors of the server: the websocket, the session, health, metrics, and the pages of the client.

A handshake is judged before it is accepted: draining, rate, host, origin, session, room. Only what a browser must be
told with a close code is accepted first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from protocol.codec import Encoding, choose_subprotocol, unsupported_version
from protocol.codes import CLOSES, Close
from server.gateway.connections import ConnectionRegistry
from server.gateway.http.headers import SecurityHeaders
from server.gateway.http.pages import web_pages
from server.gateway.http.sessions import SessionRequests
from server.gateway.limits import FREE, Bounds, Rate, Throttle, waiting_sentence
from server.gateway.metrics import Metrics
from server.gateway.websocket.connection import Connection
from server.gateway.websocket.handshake import address_of, credentials_of, has_good_host, has_good_origin
from server.gateway.websocket.plain_path import PlainSocket
from server.gateway.websocket.wire import fast_wire_of
from server.model import User

log = logging.getLogger(__name__)

_SESSION_TIMEOUT: Final = 5.0
_ABNORMAL: Final = 1006
_LOG_RATE: Final = Rate(1, 60, burst=1)
"""Lines about handshakes refused for one reason to one address; the metrics count them all."""

_REFUSED: Final = {
    "draining": (503, "The server restarts; please come back at once."),
    "host": (403, "This server does not go by that name."),
    "origin": (403, "This connection does not come from a page of this server."),
    "session": (401, "There is no such session; begin one first."),
    "storage": (503, "The server could not look the session up. Please try again."),
    "connections_per_user": (429, "You have too many connections open already."),
    "connections_per_address": (429, "There are too many connections from this address."),
}


class Endpoint:
    """The websocket endpoint."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str], bounds: Bounds) -> None:
        self._connections = connections
        self._origins = origins
        self._bounds = bounds
        self._log_lines = Throttle(_LOG_RATE, time.monotonic)

    async def socket(self, websocket: WebSocket) -> None:
        """Judge a handshake, and serve the connection that comes of it."""
        try:
            await self._answer(websocket)
        except (WebSocketDisconnect, OSError):
            # The peer has left before it was answered; which of the two says so depends on how far it came.
            self._connections.counts.handshakes_refused["left"] += 1

    async def _answer(self, websocket: WebSocket) -> None:
        address = address_of(websocket)
        reason = self._refusal_reason(websocket, address)
        if reason is not None:
            await self._refuse(websocket, *reason)
            return
        found = await self._user_of(websocket)
        if isinstance(found, str):
            await self._refuse(websocket, found)
            return
        chosen = choose_subprotocol(websocket.scope["subprotocols"])
        if chosen is None:
            name = unsupported_version(websocket.scope["subprotocols"])
            await self._accept_and_close(websocket, name, Close.UPGRADE)
        elif self._connections.is_full:
            await self._accept_and_close(websocket, chosen[0], Close.OVERLOADED)
        else:
            await self._serve(websocket, *found, address, *chosen)

    def _refusal_reason(self, websocket: WebSocket, address: str) -> tuple[str, str | None] | None:
        """Give the reason, and perhaps a sentence, why a handshake cannot go on; what costs least comes first."""
        if self._connections.is_draining:
            return "draining", None
        wait = self._connections.throttles.handshakes.take(address)
        if wait != FREE:
            return "handshakes", waiting_sentence(wait)
        if not has_good_host(websocket, self._origins):
            return "host", None
        credentials = credentials_of(websocket)
        if not has_good_origin(websocket, self._origins, is_needed=credentials is None or not credentials.is_bearer):
            return "origin", None
        return None

    async def _user_of(self, websocket: WebSocket) -> tuple[User, str] | str:
        """Give the user and the token of a session, or the reason why there is none."""
        credentials = credentials_of(websocket)
        if credentials is None:
            return "session"
        try:
            async with asyncio.timeout(_SESSION_TIMEOUT):
                user = await self._connections.services.identity.user_of(credentials.token)
        except Exception:
            log.exception("session not found out")
            return "storage"
        return "session" if user is None else (user, credentials.token)

    async def _refuse(self, websocket: WebSocket, reason: str, sentence: str | None = None) -> None:
        self._connections.counts.handshakes_refused[reason] += 1
        address = address_of(websocket)
        if self._log_lines.take(f"{reason} {address}") == FREE:
            log.info("handshake refused", extra={"reason": reason, "address": address})
        status, usual = _REFUSED.get(reason, (429, ""))
        headers = {"Retry-After": "5"} if status in (429, 503) else None
        await websocket.send_denial_response(PlainTextResponse(f"{sentence or usual}\n", status, headers))

    async def _accept_and_close(self, websocket: WebSocket, name: str | None, code: Close) -> None:
        self._connections.counts.handshakes_refused[code.name.lower()] += 1
        await websocket.accept(name)
        await websocket.close(code, CLOSES[code])

    async def _serve(
        self, websocket: WebSocket, user: User, token: str, address: str, name: str, encoding: Encoding
    ) -> None:
        fast = fast_wire_of(websocket.scope)
        plain = PlainSocket(websocket, self._bounds)
        connection = Connection(self._connections, fast or plain, user, token, address, encoding)
        reason = self._connections.admit(connection)
        if reason is not None:
            await self._refuse(websocket, reason)
            return
        try:
            await websocket.accept(name)
        except BaseException:
            connection.on_disconnect(_ABNORMAL)
            raise
        if fast is not None:
            # From here on the connection lives by callbacks; this coroutine, and what it holds, can go.
            fast.take_over(connection, self._bounds)
            connection.greet()
        else:
            connection.greet()
            await plain.run(connection)


@dataclass(frozen=True, slots=True)
class Health:
    """What `/healthz` is made of."""

    version: str
    store: Callable[[], Awaitable[str]]
    """Gives `ok`, or what is wrong."""

    tables: Callable[[], int]
    """Gives how many tables are in memory."""

    durability: str
    """What becomes of acknowledged moves when the power fails."""

    workers: Callable[[], int] = lambda: 1
    """Gives how many processes serve the same people, this one among them."""


def build_endpoint(
    connections: ConnectionRegistry,
    *,
    origins: Sequence[str],
    bounds: Bounds,
    health: Health,
    metrics: Metrics,
    web: Path,
) -> ASGIApp:
    """Give the ASGI application of the gateway."""

    async def show_health(_: Request) -> Response:
        store = await health.store()
        is_ok = store == "ok" and not connections.is_draining
        state = {
            "ok": is_ok,
            "version": health.version,
            "store": store,
            "durability": health.durability,
            "workers": health.workers(),
            "tables": health.tables(),
            "connections": len(connections),
            "draining": connections.is_draining,
        }
        return JSONResponse(state, 200 if is_ok else 503)

    async def show_metrics(_: Request) -> Response:
        return PlainTextResponse(metrics.page(), media_type="text/plain; version=0.0.4; charset=utf-8")

    sessions = SessionRequests(connections, origins)
    app = Starlette(
        routes=[
            WebSocketRoute("/socket", Endpoint(connections, origins, bounds).socket),
            Route("/api/session", sessions.begin, methods=["POST"]),
            Route("/api/session/code", sessions.redeem, methods=["POST"]),
            Route("/healthz", show_health),
            Route("/metrics", show_metrics),
            Mount("/", web_pages(web)),
        ]
    )
    return SecurityHeaders(app, origins)
