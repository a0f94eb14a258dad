"""What the HTTP requests of `/api` have in common: their checks, their small bodies, and their responses."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Sequence
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import refused_for
from server.gateway.session_lookup import NoUser
from server.gateway.websocket.handshake import (
    PLAIN_COOKIE,
    SECURE_COOKIE,
    is_allowed_host,
    is_allowed_origin,
    is_secure,
)
from server.model import Refused, User
from server.tables.replies import refusal_fields

COOKIE_SECONDS: Final = 400 * 86_400
"""The longest time that browsers keep a cookie."""

_BODY_TIMEOUT: Final = 5.0
_STORE_TIMEOUT: Final = 5.0

_SENTENCES: Final = {
    "not_allowed": "This request does not come from a page of this server.",
    "wrong_code": "That code is wrong, was used before, or is too old.",
    "bad_passkey": "That passkey could not be used. Nobody was signed in.",
    "no_session": "You are not signed in here.",
    "malformed": "That request could not be understood.",
    "no_such_address": "There is nothing at this address.",
    "wrong_method": "This address does not accept that method.",
    "storage_failed": "The server could not store this. Please try again.",
}

_METHODS: Final = {
    "/api/session": "POST",
    "/api/session/code": "POST",
    "/api/session/passkey": "POST",
    "/api/session/passkey/begin": "POST",
    "/api/session/recovery": "POST",
    "/api/session/end": "POST",
    "/api/account.json": "GET, HEAD",
}


def refuse_api_request(request: Request) -> Response:
    """Respond to a request to `/api` that no route accepts: an unknown address, or a method that an address lacks."""
    allowed = _METHODS.get(request.url.path)
    if allowed is None:
        return refusal(404, "no_such_address")
    return refusal(405, "wrong_method", headers={"Allow": allowed})


def refusal(status: int, code: str, sentence: str | None = None, headers: dict[str, str] | None = None) -> Response:
    """Return the response that refuses a request."""
    return refusal_response(status, Refused(code, sentence or _SENTENCES[code]), headers)


def refusal_response(status: int, refused: Refused, headers: dict[str, str] | None = None) -> Response:
    """Return the response that carries a refusal."""
    return JSONResponse(refusal_fields(refused), status, headers)


class ApiRequests:
    """The checks and refusals of requests to `/api`."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str]) -> None:
        self.connections = connections
        self.origins = origins

    def is_allowed(self, request: Request) -> bool:
        """Return whether a request names our host and does not come from a foreign page."""
        if is_allowed_host(request, self.origins) and is_allowed_origin(request, self.origins, is_required=False):
            return True
        self.connections.counters.handshakes_refused["origin"] += 1
        return False

    def not_found(self, user: NoUser) -> Response:
        """Return the response to a request whose user could not be looked up."""
        return refusal(503, "storage_failed") if user.reason == "storage" else self.too_fast(user.reason, user.wait)

    def too_fast(self, limit: str, wait: float) -> Response:
        """Return the response to a request beyond a limit."""
        self.connections.counters.limited[limit] += 1
        return refusal_response(429, refused_for(wait), {"Retry-After": str(max(1, math.ceil(wait)))})


async def with_timeout(result: Awaitable[Any]) -> Any:
    """Return a result that comes from the store, or raise TimeoutError."""
    async with asyncio.timeout(_STORE_TIMEOUT):
        return await result


async def json_body(request: Request, max_bytes: int) -> Any:
    """Return the JSON of a small body; None if the body is malformed, too large, late or broken off."""
    body = b""
    try:
        async with asyncio.timeout(_BODY_TIMEOUT):
            async for part in request.stream():
                body += part
                if len(body) > max_bytes:
                    return None
        return json.loads(body)
    except (ValueError, RecursionError, TimeoutError, ClientDisconnect):
        return None


def session_response(request: Request, user: User, token: str) -> Response:
    """Return the response that signs a browser in with a cookie, or a program with a token."""
    content: dict[str, Any] = {"user": {"id": user.id, "name": user.name, "handle": user.handle}}
    if "origin" not in request.headers:
        # Only a program sends no Origin. A page must not see its token: injected code could steal it.
        content["token"] = token
    response = JSONResponse(content)
    secure = is_secure(request)
    response.set_cookie(
        SECURE_COOKIE if secure else PLAIN_COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )
    return response


def ended_response(request: Request) -> Response:
    """Return the response that removes the cookie of a session."""
    response = JSONResponse({"ended": True})
    secure = is_secure(request)
    response.delete_cookie(
        SECURE_COOKIE if secure else PLAIN_COOKIE, path="/", secure=secure, httponly=True, samesite="strict"
    )
    return response
