"""The ASGI application of the gateway: websocket, sessions, health and the files of the web client.

Everything here is public. Pages for the operator are in `operator_pages.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from server.gateway.connections import ConnectionRegistry
from server.gateway.http.accounts import AccountRequests
from server.gateway.http.api_requests import refuse_api_request
from server.gateway.http.games import GameRequests, refuse_method
from server.gateway.http.headers import SecurityHeaders
from server.gateway.http.health import Health
from server.gateway.http.notifications import NotificationPages
from server.gateway.http.pages import method_refused, web_pages
from server.gateway.http.sessions import SessionRequests
from server.gateway.limits import TransportLimits
from server.gateway.websocket.endpoint import WebSocketEndpoint

_GAME_PATHS: Final = (
    "/api/games/{table}",
    "/api/games/{table}/timeline",
    "/api/games/{table}/steps/{step}",
    "/api/games/{table}/log",
    "/g/{table}/transcript.json",
)


class _Fallback:
    """An ASGI endpoint for requests to an address that the routes before it do not accept, whatever their method."""

    def __init__(self, respond: Callable[[Request], Response]) -> None:
        self._respond = respond

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._respond(Request(scope))(scope, receive, send)


def _require_upgrade(request: Request) -> Response:
    if request.method != "GET":
        return method_refused("GET")
    headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
    return PlainTextResponse("This address is a websocket.\n", 426, headers)


async def _refuse_websocket(websocket: WebSocket) -> None:
    await websocket.send_denial_response(PlainTextResponse("The websocket is at /socket.\n", 404))


def build_app(
    connections: ConnectionRegistry,
    *,
    origins: Sequence[str],
    transport_limits: TransportLimits,
    health: Health,
    web: Path,
) -> ASGIApp:
    """Return the ASGI application of the gateway."""

    async def show_health(_: Request) -> Response:
        report = await health.report()
        return JSONResponse(report, 200 if report["ok"] else 503)

    sessions, accounts = SessionRequests(connections, origins), AccountRequests(connections, origins)
    games, notifications = GameRequests(connections, origins), NotificationPages(connections)
    app = Starlette(
        routes=[
            WebSocketRoute("/socket", WebSocketEndpoint(connections, origins, transport_limits).serve),
            Route("/api/session", sessions.begin, methods=["POST"]),
            Route("/api/session/code", sessions.redeem, methods=["POST"]),
            Route("/api/session/passkey/begin", accounts.begin_passkey, methods=["POST"]),
            Route("/api/session/passkey", accounts.sign_in_with_passkey, methods=["POST"]),
            Route("/api/session/recovery", accounts.sign_in_with_code, methods=["POST"]),
            Route("/api/session/end", accounts.end, methods=["POST"]),
            Route("/api/account.json", accounts.download, methods=["GET"]),
            Route("/api/games", games.import_log, methods=["POST"]),
            Route("/api/games/{table}", games.game),
            Route("/api/games/{table}/timeline", games.timeline),
            Route("/api/games/{table}/steps/{step}", games.step),
            Route("/api/games/{table}/log", games.download),
            Route("/g/{table}/transcript.json", games.transcript),
            Route("/api/games", _Fallback(lambda _: refuse_method("POST"))),
            *(Route(path, _Fallback(lambda _: refuse_method("GET, HEAD"))) for path in _GAME_PATHS),
            Route("/notifications/off/{token}", notifications.show, methods=["GET"]),
            Route("/notifications/off/{token}", notifications.act, methods=["POST"]),
            Route("/notifications/off/{token}", _Fallback(lambda _: method_refused("GET, HEAD, POST"))),
            Route("/healthz", show_health),
            Route("/healthz", _Fallback(lambda _: method_refused("GET, HEAD"))),
            Route("/api", _Fallback(refuse_api_request)),
            Route("/api/{rest:path}", _Fallback(refuse_api_request)),
            Route("/socket", _Fallback(_require_upgrade)),
            WebSocketRoute("/{rest:path}", _refuse_websocket),
            Mount("/", web_pages(web)),
        ]
    )
    return SecurityHeaders(app, origins)
