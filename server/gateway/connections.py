"""The registry of all connections of this process.

It counts connections by user and address, and gives each connection access to identity, lobby, tables, limits and
metrics.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from protocol.codes import Close
from server.gateway.limits import ConcurrencyLimit, Limits, Throttles
from server.gateway.metrics import Counters
from server.gateway.services import Services
from server.lobby.identity import hash_token
from server.model import User
from server.rate_limit import Clock, LimiterSource

if TYPE_CHECKING:
    from server.gateway.websocket.connection import Connection

log = logging.getLogger(__name__)

PLAYED_SECONDS: Final = 10.0
"""The time for which users who have made their first decision are gathered, so that one commit stores them all."""

MAX_PLAYED: Final = 500
"""Such users who are gathered; they are stored without further delay when there are so many."""

PLAYED_AT_ONCE: Final = 16
"""Such users who are stored at the same time. With hundreds, moves that come meanwhile would wait for all of them."""


class ConnectionRegistry:
    """All open connections of this process."""

    def __init__(
        self,
        services: Services,
        limits: Limits,
        clock: Clock,
        shared_limits: LimiterSource | None = None,
        wall: Clock = time.time,
    ) -> None:
        self.services = services
        self.limits = limits
        self.throttles = Throttles(limits, clock, shared_limits)
        self.wall = wall
        self.counters = Counters()
        self.is_draining = False
        self._of_user: dict[str, tuple[Connection, ...]] = {}
        self._addresses = ConcurrencyLimit(limits.connections_per_address)
        self._new_at_addresses = ConcurrencyLimit(max(1, limits.connections_per_address // 2))
        self._count = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._played: dict[str, User] = {}
        """By id: the users who have made their first decision, and are not stored as such yet."""

        self._played_timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Connection]:
        """Yield all connections; the caller may close them meanwhile."""
        return iter([connection for connections in self._of_user.values() for connection in connections])

    @property
    def is_full(self) -> bool:
        return self._count >= self.limits.connections

    def of_user(self, user_id: str) -> tuple[Connection, ...]:
        return self._of_user.get(user_id, ())

    def admit(self, connection: Connection) -> str | None:
        """Add a connection and return None; or return the name of the limit that its user or address has reached."""
        user_id = connection.user.id
        if len(self.of_user(user_id)) >= self.limits.connections_per_user:
            return "connections_per_user"
        if not self._acquire(connection):
            return "connections_per_address"
        self._of_user[user_id] = (*self.of_user(user_id), connection)
        self._count += 1
        return None

    def _acquire(self, connection: Connection) -> bool:
        """Count a connection against its address, and once more if its user is new; return False at the limit."""
        if connection.is_new and not self._new_at_addresses.acquire(connection.address):
            return False
        if self._addresses.acquire(connection.address):
            return True
        if connection.is_new:
            self._new_at_addresses.release(connection.address)
        return False

    def remove(self, connection: Connection) -> None:
        """Remove a connection that was admitted."""
        user_id = connection.user.id
        rest = tuple(other for other in self._of_user[user_id] if other is not connection)
        if rest:
            self._of_user[user_id] = rest
        else:
            del self._of_user[user_id]
        self._addresses.release(connection.address)
        if connection.is_new:
            self._new_at_addresses.release(connection.address)
        self._count -= 1

    def users(self) -> list[str]:
        """Return the ids of all users with a connection to this process."""
        return list(self._of_user)

    def renamed(self, user: User) -> None:
        """Pass a new name or handle on to all connections of the user, the lobby and the other processes."""
        self.rename_local(user)
        self.services.lobby.renamed(user)
        self.services.peers.renamed(user)

    def rename_local(self, user: User) -> None:
        """Pass a new name or handle on to the connections of the user in this process."""
        for connection in self.of_user(user.id):
            connection.user = replace(connection.user, name=user.name, handle=user.handle)

    def sign_out_others(self, user: User, token: str) -> None:
        """Close the connections of all other sessions of a user, in every process."""
        self.sign_out_local(user.id, lambda other: other == token)
        self.services.peers.signed_out(user, token)

    def sign_out_local(self, user_id: str, keep: Callable[[str], bool]) -> None:
        """Close the connections of a user in this process unless `keep` accepts their session token."""
        for connection in self.of_user(user_id):
            if not keep(connection.token):
                connection.close(Close.SIGNED_OUT)

    def end_session(self, user_id: str, token_hash: str | None) -> None:
        """Close the connections of one session of a user, or of all, in every process."""
        self.end_session_local(user_id, token_hash)
        self.services.peers.session_ended(user_id, token_hash)

    def end_session_local(self, user_id: str, token_hash: str | None) -> None:
        """Close the connections of one session of a user, or of all, in this process."""
        self.sign_out_local(user_id, lambda token: token_hash is not None and hash_token(token) != token_hash)

    async def check_sessions(self) -> None:
        """Close the connections whose sessions have ended, and update the users of the others.

        For a worker that may have missed what other workers have announced. Raises what the store raises.
        """
        for connection in self:
            user = await self.services.identity.user_of(connection.token)
            if user is None:
                connection.close(Close.SIGNED_OUT)
            else:
                connection.user = replace(connection.user, name=user.name, handle=user.handle)

    def note_played(self, user: User) -> None:
        """Store soon that a user has made a decision in a game. After a crash, the user's next decision is as good."""
        self._played[user.id] = user
        if len(self._played) >= MAX_PLAYED:
            self._store_played()
        elif self._played_timer is None:
            self._played_timer = asyncio.get_running_loop().call_later(PLAYED_SECONDS, self._store_played)

    def _store_played(self) -> None:
        if self._played_timer is not None:
            self._played_timer.cancel()
            self._played_timer = None
        users, self._played = list(self._played.values()), {}
        if users:
            self.start(self._store_all_played(users))

    async def _store_all_played(self, users: list[User]) -> None:
        for start in range(0, len(users), PLAYED_AT_ONCE):
            noted = map(self.services.identity.note_played, users[start : start + PLAYED_AT_ONCE])
            for error in await asyncio.gather(*noted, return_exceptions=True):
                if error is not None:
                    log.error("request failed", extra={"request": "note_played"}, exc_info=error)

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task, and hold a reference to it until it is done."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Accept no more requests, and wait for all tasks that were started."""
        self.is_draining = True
        self._store_played()
        await asyncio.gather(*self._tasks, return_exceptions=True)
