"""The registry of connections: limits for each user and address, and sessions that have ended."""

from __future__ import annotations

import time

from protocol.codec import Encoding
from protocol.codes import Close
from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import Limits
from server.gateway.services import Services
from server.gateway.websocket.connection import Connection
from server.model import User
from tests.gateway.fakes import FakeServices, FakeTransport


def test_a_user_and_an_address_have_limited_connections_and_regain_closed_ones() -> None:
    fakes = FakeServices()
    services = Services(fakes.identity, fakes.lobby, fakes.tables, games=[])
    registry = ConnectionRegistry(
        services, Limits(connections_per_user=2, connections_per_address=3), clock=time.monotonic
    )
    ann, bob = fakes.identity.add("Ann"), fakes.identity.add("Bob")

    def connection(user: User, token: str) -> Connection:
        return Connection(registry, FakeTransport(), user, token, "192.0.2.1", Encoding.JSON)

    first = connection(*ann)
    assert registry.admit(first) is None
    assert registry.admit(connection(*ann)) is None
    assert registry.admit(connection(*ann)) == "connections_per_user"
    assert registry.admit(connection(*bob)) is None
    assert registry.admit(connection(*bob)) == "connections_per_address"
    assert len(registry) == 3
    first.on_disconnect(1000)
    assert registry.admit(connection(*bob)) is None


def test_new_users_hold_at_most_half_of_the_connections_of_an_address() -> None:
    fakes = FakeServices()
    services = Services(fakes.identity, fakes.lobby, fakes.tables, games=[])
    registry = ConnectionRegistry(services, Limits(connections_per_address=6), time.monotonic, wall=lambda: 1e9)

    def admit(created: int) -> tuple[Connection, str | None]:
        _, token = fakes.identity.add()
        user = User(token, "Ann", created=created)
        connection = Connection(registry, FakeTransport(), user, token, "192.0.2.1", Encoding.JSON)
        return connection, registry.admit(connection)

    new = [admit(999_999_999) for _ in range(4)]
    assert [reason for _, reason in new] == [None] * 3 + ["connections_per_address"]
    old = [admit(0) for _ in range(4)]
    assert [reason for _, reason in old] == [None] * 3 + ["connections_per_address"]
    new[0][0].on_disconnect(1000)
    assert admit(0)[1] is None
    # The address is full, and the refusal of a new user leaves nothing counted.
    assert [admit(999_999_999)[1] for _ in range(5)] == ["connections_per_address"] * 5
    for connection, _ in (new[1], new[2], old[0]):
        connection.on_disconnect(1000)
    assert [admit(999_999_999)[1] for _ in range(3)] == [None] * 3


async def test_connections_whose_sessions_have_ended_are_closed_and_the_others_get_their_names() -> None:
    fakes = FakeServices()
    services = Services(fakes.identity, fakes.lobby, fakes.tables, games=[])
    registry = ConnectionRegistry(services, Limits(), clock=time.monotonic)
    (ann, token), (bob, other_token) = fakes.identity.add("Ann"), fakes.identity.add("Bob")
    transports = FakeTransport(), FakeTransport()
    stays = Connection(registry, transports[0], ann, token, "192.0.2.1", Encoding.JSON)
    goes = Connection(registry, transports[1], bob, other_token, "192.0.2.1", Encoding.JSON)
    for connection in (stays, goes):
        assert registry.admit(connection) is None
    # Another worker has renamed the one and ended the session of the other.
    await fakes.identity.rename(ann, "Anna")
    del fakes.identity.sessions[other_token]
    await registry.check_sessions()
    assert [transport.closed for transport in transports] == [None, Close.SIGNED_OUT]
    assert stays.user.name == "Anna"
