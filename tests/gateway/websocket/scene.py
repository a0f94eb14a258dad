"""A connection between a fake transport and fake services; no socket is needed."""

from __future__ import annotations

import asyncio
from typing import Any

from protocol.codec import Encoding, decode, encode
from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import Limits
from server.gateway.services import NO_PEOPLE, People, Services
from server.gateway.websocket.connection import Connection
from server.rate_limit import Rate
from tests.gateway.fakes import Clock, FakeServices, FakeTransport, payload

PLENTY = Rate(1_000_000, 1, burst=1_000_000)


class Scene:
    """A connection between a fake transport and fake services."""

    def __init__(
        self, encoding: Encoding = Encoding.JSON, limits: Limits | None = None, people: People = NO_PEOPLE
    ) -> None:
        self.services = FakeServices()
        self.clock = Clock()
        services = Services(
            self.services.identity,
            self.services.lobby,
            self.services.tables,
            games=[{"name": "investors"}],
            people=people,
        )
        self.connections = ConnectionRegistry(services, limits or Limits(), self.clock)
        self.user, self.token = self.services.identity.add("Ann")
        self.transport = FakeTransport()
        self.connection = self.open(self.transport, self.token, encoding)
        self.transport.frames.clear()

    def open(self, transport: FakeTransport, token: str, encoding: Encoding = Encoding.JSON) -> Connection:
        connection = Connection(
            self.connections, transport, self.services.identity.sessions[token], token, "192.0.2.1", encoding
        )
        assert self.connections.admit(connection) is None
        connection.greet()
        return connection

    def request(self, **request: Any) -> None:
        self.connection.on_message(encode(request, self.connection.encoding))

    def sent(self, transport: FakeTransport | None = None) -> list[dict[str, Any]]:
        """Return the messages sent since the last call."""
        transport = transport or self.transport
        frames, transport.frames = transport.frames, []
        return [decode(payload(frame), self.connection.encoding) for frame in frames]

    def sent_one(self) -> dict[str, Any]:
        [message] = self.sent()
        return message


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)
