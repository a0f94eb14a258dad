"""The HTTP requests of accounts: signing in with a passkey or a recovery code, signing out, and the download.

They are not on the websocket because they change the cookie, or are opened as a file.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.gateway.connections import ConnectionRegistry
from server.gateway.http.api_requests import ended_response, json_body, refusal, refusal_response, with_timeout
from server.gateway.http.devices import device_of
from server.gateway.http.sign_ins import SignIns
from server.gateway.limits import ConcurrencyLimit
from server.gateway.session_lookup import NoUser, SessionLookup
from server.gateway.websocket.handshake import address_of, credentials_of, origin_of
from server.model import Refused
from server.rate_limit import FREE

log = logging.getLogger(__name__)

_MAX_PASSKEY_BYTES: Final = 16 * 1024
"""Bytes of a signed passkey: RSA signatures and extensions take a few thousand."""

_MAX_CODE_BYTES: Final = 1_024

MAX_DOWNLOADS: Final = 1
"""Downloads of one user that are put together at the same time."""

_OWN_FETCHES: Final = ("same-origin", "none")
"""`Sec-Fetch-Site` of requests that a page of ours, or the person, has made."""


class AccountRequests(SignIns):
    """Signing in and out, and the download of everything that is stored about a user."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str]) -> None:
        super().__init__(connections, origins)
        self._lookup = SessionLookup(connections)
        self._downloads = ConcurrencyLimit(MAX_DOWNLOADS)

    async def begin_passkey(self, request: Request) -> Response:
        """Respond with the options for `navigator.credentials.get`."""
        if not self.is_allowed(request):
            return refusal(403, "not_allowed")
        wait = self.connections.throttles.sign_ins.take(address_of(request))
        if wait != FREE:
            return self.too_fast("sign_ins", wait)
        try:
            options = await with_timeout(self.connections.services.people.begin_sign_in(origin_of(request)))
        except Exception:
            log.exception("signing in failed")
            return refusal(503, "storage_failed")
        if isinstance(options, Refused):
            return refusal_response(400, options)
        return JSONResponse({"options": options})

    async def sign_in_with_passkey(self, request: Request) -> Response:
        """Respond with a new session of the user whose passkey the browser has used."""
        if (early := self.refused_early(request)) is not None:
            return early
        match await json_body(request, _MAX_PASSKEY_BYTES):
            case {"credential": dict(credential), **rest} if not rest:
                pass
            case _:
                return refusal(400, "malformed", 'Send {"credential": {...}} as JSON.')
        sign_in = self.connections.services.people.sign_in_with_passkey
        return await self.signed_in(
            request, partial(sign_in, origin_of(request), credential, device_of(request)), "bad_passkey"
        )

    async def sign_in_with_code(self, request: Request) -> Response:
        """Respond with a new session of the user of a recovery code."""
        if (early := self.refused_early(request)) is not None:
            return early
        match await json_body(request, _MAX_CODE_BYTES):
            case {"handle": str(handle), "code": str(code), **rest} if not rest:
                pass
            case _:
                return refusal(400, "malformed", 'Send {"handle": "...", "code": "..."} as JSON.')
        sign_in = self.connections.services.people.sign_in_with_code
        return await self.signed_in(request, partial(sign_in, handle, code, device_of(request)), "wrong_code")

    async def end(self, request: Request) -> Response:
        """End the session of the request, and remove its cookie. Without a session there is nothing to end."""
        if not self.is_allowed(request):
            return refusal(403, "not_allowed")
        credentials = credentials_of(request)
        if credentials is not None:
            user = await self._lookup.user_of(credentials, address_of(request))
            if isinstance(user, NoUser) and user.reason != "session":
                return self.not_found(user)
            try:
                await with_timeout(self.connections.services.people.end_session(credentials.token))
            except Exception:
                log.exception("signing out failed")
                return refusal(503, "storage_failed")
        return ended_response(request)

    async def download(self, request: Request) -> Response:
        """Respond with everything that is stored about the user of the session, as a file."""
        # A link sends no Origin; then the browser itself says where the request comes from.
        if not self.is_allowed(request) or request.headers.get("sec-fetch-site", "none") not in _OWN_FETCHES:
            return refusal(403, "not_allowed")
        credentials = credentials_of(request)
        user = await self._lookup.user_of(credentials, address_of(request))
        if isinstance(user, NoUser):
            return refusal(401, "no_session") if user.reason == "session" else self.not_found(user)
        assert credentials is not None
        wait = self.connections.throttles.lists.take(user.id)
        if wait != FREE or not self._downloads.acquire(user.id):
            return self.too_fast("lists", wait or 1.0)
        try:
            stored: dict[str, Any] = await self.connections.services.people.download(user, credentials.token)
            # Thousands of games take a while to encode, which must not delay the tables.
            content = await asyncio.to_thread(json.dumps, stored, indent=2)
        except Exception:
            log.exception("download failed")
            return refusal(503, "storage_failed")
        finally:
            self._downloads.release(user.id)
        headers = {"Content-Disposition": f'attachment; filename="san-francisco-tables-{user.handle or "guest"}.json"'}
        return Response(content, 200, headers, "application/json")
