"""The two HTTP requests that give a device its session: as a new guest, or as somebody who made a code for it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import FREE, waiting_sentence
from server.gateway.websocket.handshake import (
    PLAIN_COOKIE,
    SECURE_COOKIE,
    address_of,
    credentials_of,
    has_good_host,
    has_good_origin,
    is_secure,
)
from server.model import User

log = logging.getLogger(__name__)

COOKIE_SECONDS: Final = 400 * 86_400
"""As long as browsers keep any cookie."""

_MAX_BODY_BYTES: Final = 1_024
_BODY_TIMEOUT: Final = 5.0
_ANSWER_TIMEOUT: Final = 5.0

_SENTENCES: Final = {
    "not_allowed": "This request does not come from a page of this server.",
    "wrong_code": "That code is wrong, was used before, or is too old.",
    "malformed": 'Send {"code": "..."} as JSON.',
    "storage_failed": "The server could not store this. Please try again.",
}


class SessionRequests:
    """`POST /api/session` and `POST /api/session/code`."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str]) -> None:
        self._connections = connections
        self._origins = origins

    async def begin(self, request: Request) -> Response:
        """Give the user of the session that came along, or a new guest."""
        refused = self._refused(request)
        if refused is not None:
            return refused
        identity = self._connections.services.identity
        credentials = credentials_of(request)
        try:
            user = None if credentials is None else await _soon(identity.user_of(credentials.token))
            if user is not None and credentials is not None:
                return _welcome(request, user, credentials.token)
            user, token = await _soon(identity.guest())
        except Exception:
            log.exception("session failed")
            return _no(503, "storage_failed")
        return _welcome(request, user, token)

    async def redeem(self, request: Request) -> Response:
        """Make this device that of the user who made a code."""
        refused = self._refused(request)
        if refused is not None:
            return refused
        code = await _code_in(request)
        if code is None:
            return _no(400, "malformed")
        try:
            redeemed = await _soon(self._connections.services.identity.redeem(code))
        except Exception:
            log.exception("session failed")
            return _no(503, "storage_failed")
        return _no(403, "wrong_code") if redeemed is None else _welcome(request, *redeemed)

    def _refused(self, request: Request) -> Response | None:
        address = address_of(request)
        wait = self._connections.throttles.sessions.take(address)
        if wait != FREE:
            self._connections.counts.limited["sessions"] += 1
            return _no(429, "too_fast", waiting_sentence(wait), {"Retry-After": str(int(wait) + 1)})
        if not has_good_host(request, self._origins) or not has_good_origin(request, self._origins, is_needed=False):
            self._connections.counts.handshakes_refused["origin"] += 1
            return _no(403, "not_allowed")
        return None


async def _soon(answer: Awaitable[Any]) -> Any:
    async with asyncio.timeout(_ANSWER_TIMEOUT):
        return await answer


async def _code_in(request: Request) -> str | None:
    """Read the code from a small JSON body that does not keep us waiting."""
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
    except (ValueError, RecursionError, TimeoutError):
        pass
    return None


def _welcome(request: Request, user: User, token: str) -> Response:
    answer: dict[str, Any] = {"user": {"id": user.id, "name": user.name}}
    if "origin" not in request.headers:
        # Only a program comes without an Origin. A page must not get to see its token, which would outlive any mistake.
        answer["token"] = token
    response = JSONResponse(answer)
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


def _no(status: int, code: str, sentence: str | None = None, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"code": code, "sentence": sentence or _SENTENCES[code]}, status, headers)
