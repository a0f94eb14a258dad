"""The registry of all connections of this process.

It counts connections by user and address, and gives each connection access to identity, lobby, tables, limits and
metrics.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from protocol.codes import Close
from protocol.messages import ChangeSettings, CreateTable, ListTables, QuickMatch
from server.gateway.limits import ConcurrencyLimit, Limits, Throttles
from server.gateway.metrics import Counters
from server.model import Refused, User
from server.rate_limit import Clock, LimiterSource
from server.tables.api import OnReply, Subscriber, Tables

if TYPE_CHECKING:
    from server.gateway.websocket.connection import Connection

log = logging.getLogger(__name__)


class Identity(Protocol):
    """Users and their sessions."""

    async def guest(self) -> tuple[User, str]: ...

    async def user_of(self, token: str) -> User | None: ...

    def is_cached(self, token: str) -> bool:
        """Return whether `user_of` finds the user of this token without the store."""
        ...

    async def note_played(self, user: User) -> None: ...

    async def rename(self, user: User, name: str) -> User | Refused: ...

    async def make_code(self, user: User) -> str: ...

    async def redeem(self, code: str) -> tuple[User, str] | None: ...

    async def make_token(self, user: User) -> str: ...

    async def forget_others(self, user: User, keep_token: str) -> None: ...


class Lobby(Protocol):
    """The lists of tables, and the requests that open a table or may make one public."""

    def ask(self, user: User, request: CreateTable | QuickMatch | ChangeSettings, on_reply: OnReply) -> None: ...

    def subscribe(self, subscriber: Subscriber, request: ListTables) -> None: ...

    def unsubscribe(self, subscriber: Subscriber) -> None: ...

    def connected(self, subscriber: Subscriber) -> None: ...

    def disconnected(self, subscriber: Subscriber) -> None: ...

    def renamed(self, user: User) -> None: ...


class PeerWorkers(Protocol):
    """The other processes that form this server."""

    def renamed(self, user: User) -> None: ...

    def signed_out(self, user: User, kept_token: str) -> None: ...


class NoPeerWorkers:
    """The peers of a process that runs alone: notifications go nowhere."""

    def renamed(self, user: User) -> None:
        pass

    def signed_out(self, user: User, kept_token: str) -> None:
        pass


NO_PEERS: Final[PeerWorkers] = NoPeerWorkers()


@dataclass(frozen=True, slots=True)
class Services:
    """The services behind the gateway."""

    identity: Identity
    lobby: Lobby
    tables: Tables
    games: list[dict[str, Any]]
    """Every game with its seats and options, for the `welcome` message."""

    peers: PeerWorkers = NO_PEERS


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
        """Pass a new name on to all connections of the user, the lobby and the other processes."""
        self.rename_local(user)
        self.services.lobby.renamed(user)
        self.services.peers.renamed(user)

    def rename_local(self, user: User) -> None:
        """Pass a new name on to the connections of the user in this process."""
        for connection in self.of_user(user.id):
            connection.user = user

    def sign_out_others(self, user: User, token: str) -> None:
        """Close the connections of all other sessions of a user, in every process."""
        self.sign_out_local(user.id, lambda other: other == token)
        self.services.peers.signed_out(user, token)

    def sign_out_local(self, user_id: str, keep: Callable[[str], bool]) -> None:
        """Close the connections of a user in this process unless `keep` accepts their session token."""
        for connection in self.of_user(user_id):
            if not keep(connection.token):
                connection.close(Close.SIGNED_OUT)

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task, and hold a reference to it until it is done."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Accept no more requests, and wait for all tasks that were started."""
        self.is_draining = True
        await asyncio.gather(*self._tasks, return_exceptions=True)
