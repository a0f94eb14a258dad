"""The two HTTP requests that begin a session: as a new guest, or with a one-time code as an existing user."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Sequence
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import waiting_sentence
from server.gateway.websocket.handshake import (
    PLAIN_COOKIE,
    SECURE_COOKIE,
    address_of,
    credentials_of,
    is_allowed_host,
    is_allowed_origin,
    is_secure,
)
from server.model import User
from server.rate_limit import FREE

log = logging.getLogger(__name__)

COOKIE_SECONDS: Final = 400 * 86_400
"""The longest time that browsers keep a cookie."""

_MAX_BODY_BYTES: Final = 1_024
_BODY_TIMEOUT: Final = 5.0
_IDENTITY_TIMEOUT: Final = 5.0

_SENTENCES: Final = {
    "not_allowed": "This request does not come from a page of this server.",
    "wrong_code": "That code is wrong, was used before, or is too old.",
    "malformed": 'Send {"code": "..."} as JSON.',
    "no_such_address": "There is nothing at this address.",
    "wrong_method": "This address does not accept that method.",
    "storage_failed": "The server could not store this. Please try again.",
}


_METHODS: Final = {"/api/session": "POST", "/api/session/code": "POST"}


def refuse_api_request(request: Request) -> Response:
    """Respond to a request to `/api` that no route accepts: an unknown address, or a method that an address lacks."""
    allowed = _METHODS.get(request.url.path)
    if allowed is None:
        return _refused(404, "no_such_address")
    return _refused(405, "wrong_method", headers={"Allow": allowed})


class SessionRequests:
    """`POST /api/session` and `POST /api/session/code`."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str]) -> None:
        self._connections = connections
        self._origins = origins

    async def begin(self, request: Request) -> Response:
        """Respond with the user of the given session, or with a new guest."""
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        identity = self._connections.services.identity
        credentials = credentials_of(request)
        try:
            user = None if credentials is None else await _with_timeout(identity.user_of(credentials.token))
            if user is not None and credentials is not None:
                return _session_response(request, user, credentials.token)
            user, token = await _with_timeout(identity.guest())
        except Exception:
            log.exception("session failed")
            return _refused(503, "storage_failed")
        return _session_response(request, user, token)

    async def redeem(self, request: Request) -> Response:
        """Respond with a new session of the user who made the code."""
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        code = await _code_in(request)
        if code is None:
            return _refused(400, "malformed")
        try:
            redeemed = await _with_timeout(self._connections.services.identity.redeem(code))
        except Exception:
            log.exception("session failed")
            return _refused(503, "storage_failed")
        return _refused(403, "wrong_code") if redeemed is None else _session_response(request, *redeemed)

    def _refusal(self, request: Request) -> Response | None:
        address = address_of(request)
        wait = self._connections.throttles.sessions.take(address)
        if wait != FREE:
            self._connections.counters.limited["sessions"] += 1
            return _refused(429, "too_fast", waiting_sentence(wait), {"Retry-After": str(int(wait) + 1)})
        if not is_allowed_host(request, self._origins) or not is_allowed_origin(
            request, self._origins, is_required=False
        ):
            self._connections.counters.handshakes_refused["origin"] += 1
            return _refused(403, "not_allowed")
        return None


async def _with_timeout(result: Awaitable[Any]) -> Any:
    async with asyncio.timeout(_IDENTITY_TIMEOUT):
        return await result


async def _code_in(request: Request) -> str | None:
    """Return the code in a small JSON body; None if the body is malformed, too large, late or broken off."""
    body = b""
    try:
        async with asyncio.timeout(_BODY_TIMEOUT):
            async for part in request.stream():
                body += part
                if len(body) > _MAX_BODY_BYTES:
                    return None
        match json.loads(body):
            case {"code": str(code), **rest} if not rest:
                return code
    except (ValueError, RecursionError, TimeoutError, ClientDisconnect):
        pass
    return None


def _session_response(request: Request, user: User, token: str) -> Response:
    content: dict[str, Any] = {"user": {"id": user.id, "name": user.name}}
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


def _refused(status: int, code: str, sentence: str | None = None, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"code": code, "sentence": sentence or _SENTENCES[code]}, status, headers)
