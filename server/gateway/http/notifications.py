"""The page behind the link in a mail that switches messages off, without signing in.

GET shows a button, since programs that check mail open links; POST acts, also for the button of a mail program
(RFC 8058). The link itself is the permission, so the request may come from anywhere.
"""

from __future__ import annotations

import logging
import math

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from server.gateway.connections import ConnectionRegistry
from server.gateway.http.api_requests import with_timeout
from server.gateway.websocket.handshake import address_of
from server.rate_limit import FREE

log = logging.getLogger(__name__)


class NotificationPages:
    """The pages below `/notifications`."""

    def __init__(self, connections: ConnectionRegistry) -> None:
        self._connections = connections

    async def show(self, request: Request) -> Response:
        """Respond with the page that asks."""
        return await self._page(request, acts=False)

    async def act(self, request: Request) -> Response:
        """Switch the messages off, and say so."""
        return await self._page(request, acts=True)

    async def _page(self, request: Request, *, acts: bool) -> Response:
        wait = self._connections.throttles.reads.take(address_of(request))
        if wait != FREE:
            self._connections.counters.limited["reads"] += 1
            return PlainTextResponse("Too many requests.\n", 429, {"Retry-After": str(max(1, math.ceil(wait)))})
        notifications = self._connections.services.notifications
        try:
            page = notifications.unsubscribe_page(request.path_params["token"], acts=acts)
            status, html, policy = await with_timeout(page)
        except Exception:
            log.exception("unsubscribing failed")
            return PlainTextResponse("The server could not store this. Please try again.\n", 503)
        return HTMLResponse(html, status, {"Content-Security-Policy": policy})
