"""The two HTTP requests that begin a session: as a new guest, or with a one-time code as an existing user."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Awaitable, Sequence
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import ConcurrencyLimit, waiting_sentence
from server.gateway.session_lookup import NoUser, SessionLookup
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

MAX_REDEEMING: Final = 8
"""Codes from one address that are looked up at the same time: so many can be wrong before the limit counts them."""

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
        self._lookup = SessionLookup(connections)
        self._redeeming = ConcurrencyLimit(MAX_REDEEMING)

    async def begin(self, request: Request) -> Response:
        """Respond with the user of the given session, or with a new guest."""
        if not self._is_allowed(request):
            return _refused(403, "not_allowed")
        address = address_of(request)
        credentials = credentials_of(request)
        if credentials is not None:
            user = await self._lookup.user_of(credentials, address)
            if isinstance(user, User):
                return _session_response(request, user, credentials.token)
            if user.reason != "session":
                return self._not_found(user)
        wait = await self._connections.throttles.sessions.take(address)
        if wait != FREE:
            return self._too_fast("sessions", wait)
        try:
            return _session_response(request, *await _with_timeout(self._connections.services.identity.guest()))
        except Exception:
            log.exception("session failed")
            return _refused(503, "storage_failed")

    async def redeem(self, request: Request) -> Response:
        """Respond with a new session of the user who made the code. Only wrong codes count against the address."""
        if not self._is_allowed(request):
            return _refused(403, "not_allowed")
        address = address_of(request)
        codes = self._connections.throttles.codes
        if codes.wait(address) != FREE:
            return self._too_fast("codes", codes.wait(address))
        code = await _code_in(request)
        if code is None:
            return _refused(400, "malformed")
        if not self._redeeming.acquire(address):
            return self._too_fast("codes", 1.0)
        try:
            redeemed = await _with_timeout(self._connections.services.identity.redeem(code))
            if redeemed is None:
                await codes.take(address)
        except Exception:
            log.exception("session failed")
            return _refused(503, "storage_failed")
        finally:
            self._redeeming.release(address)
        return _refused(403, "wrong_code") if redeemed is None else _session_response(request, *redeemed)

    def _is_allowed(self, request: Request) -> bool:
        """Return whether a request names our host and does not come from a foreign page."""
        origins = self._origins
        if is_allowed_host(request, origins) and is_allowed_origin(request, origins, is_required=False):
            return True
        self._connections.counters.handshakes_refused["origin"] += 1
        return False

    def _not_found(self, user: NoUser) -> Response:
        return _refused(503, "storage_failed") if user.reason == "storage" else self._too_fast(user.reason, user.wait)

    def _too_fast(self, limit: str, wait: float) -> Response:
        self._connections.counters.limited[limit] += 1
        return _refused(429, "too_fast", waiting_sentence(wait), {"Retry-After": str(max(1, math.ceil(wait)))})


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
