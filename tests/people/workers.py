"""Workers of one server that share a store: each with its own identity, people and tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from typing import Any

from protocol.codec import Encoding, Frame
from protocol.messages import REQUESTS, Invite, PeopleRequest
from server.lobby.identity import Identity
from server.model import Done, Refused, Reply, User
from server.people.parts import PeopleParts
from server.people.service import PeopleService
from server.rate_limit import LocalLimits
from server.store.api import KeyValueStore
from server.tables.api import OnReply
from tests.store.backends import Clock

ORIGIN = "https://play.example"


class Device:
    """A connection of a user, and the token of its session. Implements `server.tables.api.Subscriber`."""

    encoding = Encoding.JSON

    def __init__(self, user: User, token: str) -> None:
        self.user = user
        self.token = token
        self.messages: list[dict[str, Any]] = []
        self.received = asyncio.Event()

    def send(self, frame: Frame) -> bool:
        self.messages.append(frame.message)
        self.received.set()
        return True


class Seats:
    """The tables of users, by id; `refusals` are the codes with which they refuse. Everybody is connected."""

    def __init__(self) -> None:
        self.tables: dict[str, list[dict[str, Any]]] = {}
        self.requests: list[tuple[str, str, str]] = []
        self.refusals: dict[tuple[str, str], str] = {}
        self.on_people_changed: Callable[[Collection[str] | None], None] = lambda users: None

    def tables_of(self, user_id: str) -> list[dict[str, Any]]:
        return self.tables.get(user_id, [])

    def is_open(self, table: str) -> bool:
        return any(
            own["table"] == table and own["phase"] == "open" for tables in self.tables.values() for own in tables
        )

    def is_connected(self, user_id: str) -> bool:
        return True

    def ask(self, user: User, request: Any, on_reply: OnReply) -> None:
        self.requests.append((user.id, request.type, request.table))
        code = self.refusals.get((request.table, request.type))
        on_reply(Done() if code is None else Refused(code, "No."))


class Sockets:
    """Records what the connections of all workers are told."""

    def __init__(self) -> None:
        self.ended: list[tuple[str, str | None]] = []
        self.changed: list[User] = []

    def end_session(self, user_id: str, token_hash: str | None) -> None:
        self.ended.append((user_id, token_hash))

    def renamed(self, user: User) -> None:
        self.changed.append(user)


class Worker:
    """One process. `peers` are the others, which learn at once of what it changes."""

    def __init__(self, key_values: KeyValueStore, parts: PeopleParts, clock: Clock) -> None:
        self.key_values = key_values
        self.parts = parts
        self.peers: list[Worker] = []
        self.identity = Identity(key_values, clock, self._on_change)
        self.seats = Seats()
        self.games: list[dict[str, Any]] = []
        self.shown_as_former: list[str] = []
        self.service: PeopleService = parts.service(
            self.identity,
            LocalLimits(clock),
            self.seats,
            self.seats,  # type: ignore[arg-type]
            self._games_of,
            (self.identity.forget, self.shown_as_former.append),
        )
        self.sockets = self.service.sockets = Sockets()
        parts.broadcast_deleted = self._on_deleted

    @classmethod
    async def open(cls, key_values: KeyValueStore, clock: Clock) -> Worker:
        return cls(key_values, await PeopleParts.open(key_values, clock), clock)

    async def _games_of(self, user_id: str) -> AsyncIterator[dict[str, Any]]:
        for game in self.games:
            yield game

    def _on_change(self, user_id: str) -> None:
        self.parts.forget(user_id)
        for peer in self.peers:
            peer.identity.forget(user_id)
            peer.parts.forget(user_id)

    def _on_deleted(self, user_id: str) -> None:
        for peer in self.peers:
            peer.parts.on_deleted(user_id)

    async def guest(self, device: str = "Firefox on Windows") -> Device:
        return Device(*await self.identity.guest(device))

    async def request(self, device: Device, kind: str, /, **fields: Any) -> Reply:
        """Return the reply to a request, of the user as every worker sees them by now."""
        device.user = await self.identity.user_of(device.token) or device.user
        request = REQUESTS.validate_python({"type": kind, "id": "1", **fields})
        assert isinstance(request, PeopleRequest | Invite)
        return await self.service.answer(device, device.token, ORIGIN, request)

    async def do(self, device: Device, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Return the result of a request that must be accepted."""
        reply = await self.request(device, kind, **fields)
        assert isinstance(reply, Done), reply
        return dict(reply.result)

    async def refused(self, device: Device, kind: str, /, **fields: Any) -> str:
        """Return the code of a request that must be refused."""
        reply = await self.request(device, kind, **fields)
        assert isinstance(reply, Refused), reply
        assert reply.sentence.endswith(".")
        return reply.code

    async def member(self, handle: str) -> tuple[Device, list[str]]:
        """Return a user with an account, and the recovery codes."""
        device = await self.guest()
        await self.do(device, "keep_name", handle=handle)
        codes: list[str] = (await self.do(device, "make_recovery_codes"))["codes"]
        return device, codes
