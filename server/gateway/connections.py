"""All connections of this process, and the parts that they talk to.

A connection reaches identity, lobby, tables, limits and counts through here; the switchboard knows which connections
belong to a user, and how many there are.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from protocol.codes import Close
from protocol.messages import CreateTable, QuickMatch
from server.gateway.limits import ConcurrencyLimit, Limits, Monotonic, Throttles
from server.gateway.metrics import Counts
from server.model import User
from server.tables.api import OnReply, Subscriber, Tables

if TYPE_CHECKING:
    from server.gateway.websocket.connection import Connection

log = logging.getLogger(__name__)


class Refusal(Protocol):
    """A "no" with a code and a sentence."""

    @property
    def code(self) -> str: ...

    @property
    def sentence(self) -> str: ...


class Identity(Protocol):
    """Who somebody is."""

    async def guest(self) -> tuple[User, str]: ...

    async def user_of(self, token: str) -> User | None: ...

    async def rename(self, user: User, name: str) -> User | Refusal: ...

    async def make_code(self, user: User) -> str: ...

    async def redeem(self, code: str) -> tuple[User, str] | None: ...

    async def make_token(self, user: User) -> str: ...

    async def forget_others(self, user: User, keep_token: str) -> None: ...


class Lobby(Protocol):
    """The lists of tables, and what is asked of no table in particular."""

    def ask(self, user: User, request: CreateTable | QuickMatch, on_reply: OnReply) -> None: ...

    def subscribe(self, subscriber: Subscriber) -> None: ...

    def unsubscribe(self, subscriber: Subscriber) -> None: ...

    def connected(self, subscriber: Subscriber) -> None: ...

    def disconnected(self, subscriber: Subscriber) -> None: ...

    def renamed(self, user: User) -> None: ...


class Others(Protocol):
    """The other processes that serve the same people."""

    def renamed(self, user: User) -> None: ...

    def signed_out(self, user: User, kept_token: str) -> None: ...


class Nobody:
    """What a process that is alone tells others."""

    def renamed(self, user: User) -> None:
        pass

    def signed_out(self, user: User, kept_token: str) -> None:
        pass


NOBODY: Final[Others] = Nobody()


@dataclass(frozen=True, slots=True)
class Services:
    """What the gateway stands in front of."""

    identity: Identity
    lobby: Lobby
    tables: Tables
    games: list[dict[str, Any]]
    """Every game with its seats and options, as the first message shows them."""

    others: Others = NOBODY


class ConnectionRegistry:
    """Who is connected."""

    def __init__(self, services: Services, limits: Limits, clock: Monotonic) -> None:
        self.services = services
        self.limits = limits
        self.throttles = Throttles(limits, clock)
        self.counts = Counts()
        self.is_draining = False
        self._of_user: dict[str, tuple[Connection, ...]] = {}
        self._addresses = ConcurrencyLimit(limits.connections_per_address)
        self._count = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Connection]:
        """Give all connections, as they are now."""
        return iter([connection for connections in self._of_user.values() for connection in connections])

    @property
    def is_full(self) -> bool:
        return self._count >= self.limits.connections

    def of_user(self, user_id: str) -> tuple[Connection, ...]:
        return self._of_user.get(user_id, ())

    def admit(self, connection: Connection) -> str | None:
        """Count a connection in; gives the reason, and counts nothing, if its user or its address has too many."""
        user_id = connection.user.id
        if len(self.of_user(user_id)) >= self.limits.connections_per_user:
            return "connections_per_user"
        if not self._addresses.take(connection.address):
            return "connections_per_address"
        self._of_user[user_id] = (*self.of_user(user_id), connection)
        self._count += 1
        return None

    def remove(self, connection: Connection) -> None:
        """Count a connection out that was admitted."""
        user_id = connection.user.id
        rest = tuple(other for other in self._of_user[user_id] if other is not connection)
        if rest:
            self._of_user[user_id] = rest
        else:
            del self._of_user[user_id]
        self._addresses.give_back(connection.address)
        self._count -= 1

    def users(self) -> list[str]:
        """Give everybody who is connected here."""
        return list(self._of_user)

    def renamed(self, user: User) -> None:
        """Let all connections of a user, the lobby and other processes know the new name."""
        self.rename_here(user)
        self.services.lobby.renamed(user)
        self.services.others.renamed(user)

    def rename_here(self, user: User) -> None:
        """Let the connections of a user know the new name."""
        for connection in self.of_user(user.id):
            connection.user = user

    def sign_out_others(self, user: User, token: str) -> None:
        """Close the connections of a user, here and elsewhere, that came with another session."""
        self.sign_out_here(user.id, lambda other: other == token)
        self.services.others.signed_out(user, token)

    def sign_out_here(self, user_id: str, keep: Callable[[str], bool]) -> None:
        """Close the connections of a user whose session is not to be kept."""
        for connection in self.of_user(user_id):
            if not keep(connection.token):
                connection.close(Close.SIGNED_OUT)

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run something that must wait, and keep hold of it."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Take no more requests, and wait for those that wait for something."""
        self.is_draining = True
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def close_all(self, code: Close) -> None:
        for connection in self:
            connection.close(code)
