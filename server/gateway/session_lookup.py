"""Finds the user of a session, for handshakes and session requests, within the limits of its user and its address.

A valid session counts against its user alone, so that a club behind one address comes back at once after a restart; new
users share a wide limit besides. What fails counts against the address. Beyond its limit, an address gets no store read
for every request any more: sessions in the cache cost nothing and are still let in, others take turns at a low rate. So
a vandal delays people at the same address, and locks nobody out.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Final

from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import ConcurrencyLimit, is_established
from server.gateway.websocket.handshake import Credentials
from server.model import User
from server.rate_limit import FREE

log = logging.getLogger(__name__)

LOOKUP_TIMEOUT: Final = 5.0

MAX_LOOKUPS: Final = 256
"""Look-ups in the store that one address has under way at the same time; one more has to come again."""


@dataclass(frozen=True, slots=True)
class NoUser:
    """Why there is no user: `session` if there is no such session, `storage` if it failed, or the limit reached."""

    reason: str
    wait: float = 1.0
    """Seconds until another attempt makes sense."""


class SessionLookup:
    """Finds users by their sessions."""

    def __init__(self, connections: ConnectionRegistry) -> None:
        self._connections = connections
        self._under_way = ConcurrencyLimit(MAX_LOOKUPS)

    async def user_of(self, credentials: Credentials | None, address: str) -> User | NoUser:
        """Return the user of a session, or why there is none."""
        throttles = self._connections.throttles
        token = None if credentials is None else credentials.token
        if token is None or not self._connections.services.identity.is_cached(token):
            wait = self._wait(address, has_token=token is not None)
            if wait != FREE:
                return NoUser("failures", wait)
        found = NoUser("session") if token is None else await self._look_up(token, address)
        if isinstance(found, NoUser):
            if found.reason == "session":
                await throttles.failures.take(address)
            return found
        is_new = not is_established(found, self._connections.wall())
        limit, wait = throttles.take_handshake(found.id, address if is_new else None)
        return found if wait == FREE else NoUser(limit, wait)

    def _wait(self, address: str, *, has_token: bool) -> float:
        """Return the seconds to wait before an address may try a session that is not in the cache."""
        wait = self._connections.throttles.failures.wait(address)
        if wait == FREE or not has_token:
            return wait
        return min(wait, self._connections.throttles.lookups.take(address))

    async def _look_up(self, token: str, address: str) -> User | NoUser:
        if not self._under_way.acquire(address):
            return NoUser("lookups")
        try:
            async with asyncio.timeout(LOOKUP_TIMEOUT):
                user = await self._connections.services.identity.user_of(token)
        except Exception:
            log.exception("session lookup failed")
            return NoUser("storage")
        finally:
            self._under_way.release(address)
        return NoUser("session") if user is None else user
