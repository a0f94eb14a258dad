"""What the requests that sign in with a secret have in common: only wrong secrets count against the address."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from server.gateway.connections import ConnectionRegistry
from server.gateway.http.api_requests import ApiRequests, refusal, session_response, with_timeout
from server.gateway.limits import ConcurrencyLimit
from server.gateway.websocket.handshake import address_of
from server.model import User
from server.rate_limit import FREE

log = logging.getLogger(__name__)

MAX_CHECKING: Final = 8
"""Secrets from one address that are checked at the same time: so many can be wrong before the limit counts them."""


class SignIns(ApiRequests):
    """Requests with a one-time code, a recovery code or a passkey."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str]) -> None:
        super().__init__(connections, origins)
        self._checking = ConcurrencyLimit(MAX_CHECKING)

    def refused_early(self, request: Request) -> Response | None:
        """Return the refusal of a foreign page, or of an address with too many wrong attempts."""
        if not self.is_allowed(request):
            return refusal(403, "not_allowed")
        wait = self.connections.throttles.codes.wait(address_of(request))
        return None if wait == FREE else self.too_fast("codes", wait)

    async def signed_in(
        self, request: Request, sign_in: Callable[[], Awaitable[tuple[User, str] | None]], wrong: str
    ) -> Response:
        """Respond with the new session that `sign_in` returns; `wrong` is the code of the refusal if there is none."""
        address = address_of(request)
        if not self._checking.acquire(address):
            return self.too_fast("codes", 1.0)
        try:
            signed_in: tuple[User, str] | None = await with_timeout(sign_in())
            if signed_in is None:
                await self.connections.throttles.codes.take(address)
        except Exception:
            log.exception("signing in failed")
            return refusal(503, "storage_failed")
        finally:
            self._checking.release(address)
        return refusal(403, wrong) if signed_in is None else session_response(request, *signed_in)
