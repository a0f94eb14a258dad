"""The ASGI application of the gateway: websocket, sessions, health, metrics and the files of the web client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp

from server.gateway.connections import ConnectionRegistry
from server.gateway.http.headers import SecurityHeaders
from server.gateway.http.pages import web_pages
from server.gateway.http.sessions import SessionRequests
from server.gateway.limits import TransportLimits
from server.gateway.metrics import Metrics
from server.gateway.websocket.endpoint import WebSocketEndpoint


@dataclass(frozen=True, slots=True)
class Health:
    """The sources of `/healthz`."""

    version: str
    store: Callable[[], Awaitable[str]]
    """Returns `ok`, or what is wrong."""

    tables: Callable[[], int]
    """Returns the number of tables in memory."""

    durability: str
    """Whether acknowledged moves survive a power failure."""

    workers: Callable[[], int] = lambda: 1
    """Returns the number of processes that form this server."""


def build_app(
    connections: ConnectionRegistry,
    *,
    origins: Sequence[str],
    transport_limits: TransportLimits,
    health: Health,
    metrics: Metrics,
    web: Path,
) -> ASGIApp:
    """Return the ASGI application of the gateway."""

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
            WebSocketRoute("/socket", WebSocketEndpoint(connections, origins, transport_limits).serve),
            Route("/api/session", sessions.begin, methods=["POST"]),
            Route("/api/session/code", sessions.redeem, methods=["POST"]),
            Route("/healthz", show_health),
            Route("/metrics", show_metrics),
            Mount("/", web_pages(web)),
        ]
    )
    return SecurityHeaders(app, origins)
