"""The two HTTP requests that begin a session: as a new guest, or with a one-time code as an existing user."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from server.gateway.connections import ConnectionRegistry
from server.gateway.http.api_requests import json_body, refusal, session_response, with_timeout
from server.gateway.http.devices import device_of
from server.gateway.http.sign_ins import SignIns
from server.gateway.session_lookup import SessionLookup
from server.gateway.websocket.handshake import address_of, credentials_of
from server.model import User
from server.rate_limit import FREE

log = logging.getLogger(__name__)

_MAX_BODY_BYTES: Final = 1_024

_MALFORMED: Final = 'Send {"code": "..."} as JSON.'


class SessionRequests(SignIns):
    """`POST /api/session` and `POST /api/session/code`."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str]) -> None:
        super().__init__(connections, origins)
        self._lookup = SessionLookup(connections)

    async def begin(self, request: Request) -> Response:
        """Respond with the user of the given session, or with a new guest."""
        if not self.is_allowed(request):
            return refusal(403, "not_allowed")
        address = address_of(request)
        credentials = credentials_of(request)
        if credentials is not None:
            user = await self._lookup.user_of(credentials, address)
            if isinstance(user, User):
                return session_response(request, user, credentials.token)
            if user.reason != "session":
                return self.not_found(user)
        wait = await self.connections.throttles.sessions.take(address)
        if wait != FREE:
            return self.too_fast("sessions", wait)
        try:
            identity = self.connections.services.identity
            return session_response(request, *await with_timeout(identity.guest(device_of(request))))
        except Exception:
            log.exception("session failed")
            return refusal(503, "storage_failed")

    async def redeem(self, request: Request) -> Response:
        """Respond with a new session of the user who made the code."""
        if (early := self.refused_early(request)) is not None:
            return early
        match await json_body(request, _MAX_BODY_BYTES):
            case {"code": str(code), **rest} if not rest:
                pass
            case _:
                return refusal(400, "malformed", _MALFORMED)
        redeem = self.connections.services.identity.redeem
        return await self.signed_in(request, partial(redeem, code, device_of(request)), "wrong_code")
