"""The pages for the operator: metrics and a full health report, on a port of their own.

The port is closed unless the operator opens it. On a loopback address everybody on the machine may read the pages; on
any other address they need a token, and on a loopback address too if a token was set.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import socket
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.server import ServerState

from server.gateway.addresses import is_loopback
from server.gateway.http.header_timeout import HeaderTimeoutProtocol
from server.gateway.http.headers import SecurityHeaders
from server.gateway.http.health import Health
from server.gateway.metrics import Metrics

log = logging.getLogger(__name__)

_MAX_CONNECTIONS = 100


def operator_app(metrics: Metrics, health: Health, token: str) -> ASGIApp:
    """Return the ASGI application of the operator's port. Without a token, it answers requests to loopback only."""

    async def show_metrics(_: Request) -> Response:
        return PlainTextResponse(metrics.page(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def show_health(_: Request) -> Response:
        report = await health.report()
        return JSONResponse(report | health.details(), 200 if report["ok"] else 503)

    pages = Starlette(routes=[Route("/metrics", show_metrics), Route("/healthz", show_health)])
    return SecurityHeaders(_Guarded(pages, token), ())


class _Guarded:
    """An ASGI middleware that refuses all requests of others than the operator."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(Request(scope))
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, request: Request) -> Response | None:
        if not self._token:
            # A foreign page in a browser on this machine can have a name of its own point here (DNS rebinding).
            if is_loopback(_host_name(request.headers.get("host", ""))):
                return None
            return PlainTextResponse("Ask for this page by a loopback address.\n", 403)
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode("latin-1"), self._token):
            return None
        return PlainTextResponse("This page needs the token of the operator.\n", 401, {"WWW-Authenticate": "Bearer"})


def _host_name(host: str) -> str:
    """Return the Host header without its port; empty if it is malformed."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


@contextlib.asynccontextmanager
async def serving_operator(app: ASGIApp, listener: socket.socket) -> AsyncIterator[None]:
    """Serve the operator's pages on a listening socket, also while the rest of the server drains."""
    config = uvicorn.Config(
        app,
        http=HeaderTimeoutProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        limit_concurrency=_MAX_CONNECTIONS,
    )
    config.load()
    state = ServerState()
    app_state: dict[str, Any] = {}
    server = await asyncio.get_running_loop().create_server(
        lambda: HeaderTimeoutProtocol(config, state, app_state), sock=listener
    )
    host, port = listener.getsockname()[:2]
    log.info("operator pages", extra={"host": host, "port": port})
    try:
        yield
    finally:
        server.close()
        for connection in list(state.connections):
            connection.shutdown()
