"""HTTP connections are bounded by address, before their first request, and honest neighbours are served."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Iterator

import pytest

from server.gateway.http.connection_limits import ConnectionLimits
from server.gateway.server import raise_file_limit
from tests.gateway.gateway_server import WAIT, GatewayServer, running, until

REQUEST = b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"


class FakeConnection:
    def __init__(self) -> None:
        self.is_aborted = False

    def abort(self) -> None:
        self.is_aborted = True


def opened(limits: ConnectionLimits, host: str | None, count: int = 1) -> list[FakeConnection]:
    """Return connections that wait for their first request."""
    connections = []
    for _ in range(count):
        connection = FakeConnection()
        assert limits.add(connection, host)
        limits.start_waiting(connection)
        connections.append(connection)
    return connections


def aborted(connections: list[FakeConnection]) -> list[bool]:
    return [connection.is_aborted for connection in connections]


def test_the_oldest_waiting_connection_of_an_address_makes_room() -> None:
    closed: Counter[str] = Counter()
    limits = ConnectionLimits(per_address=2, closed=closed)
    other = opened(limits, "192.0.2.2", 2)
    ours = opened(limits, "192.0.2.1", 4)
    assert aborted(ours) == [True, True, False, False]
    assert aborted(other) == [False, False]
    assert closed == {"connections_per_address": 2}


def test_a_connection_that_is_being_answered_is_not_dropped() -> None:
    limits = ConnectionLimits(per_address=2)
    first, second = opened(limits, "192.0.2.1", 2)
    limits.stop_waiting(first)
    opened(limits, "192.0.2.1")
    assert aborted([first, second]) == [False, True]


def test_a_new_connection_is_refused_if_all_others_are_being_answered() -> None:
    limits = ConnectionLimits(per_address=2)
    for connection in opened(limits, "192.0.2.1", 2):
        limits.stop_waiting(connection)
    refused = FakeConnection()
    assert not limits.add(refused, "192.0.2.1")
    limits.remove(refused)
    assert len(limits) == 2
    opened(limits, "192.0.2.2")


def test_an_idle_connection_is_younger_than_one_that_never_sent_anything() -> None:
    limits = ConnectionLimits(per_address=2)
    used, silent = opened(limits, "192.0.2.1", 2)
    limits.stop_waiting(used)
    limits.start_waiting(used)
    opened(limits, "192.0.2.1")
    assert aborted([used, silent]) == [False, True]


@pytest.mark.parametrize(
    "first, second, is_same",
    [
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        (None, None, True),
    ],
)
def test_an_ipv6_network_counts_as_one_address(first: str | None, second: str | None, is_same: bool) -> None:
    limits = ConnectionLimits(per_address=1)
    [older] = opened(limits, first)
    opened(limits, second)
    assert older.is_aborted == is_same


@pytest.mark.parametrize("trusted", ["10.0.0.1", "10.0.0.0/8", "*"])
def test_a_trusted_proxy_is_not_limited(trusted: str) -> None:
    limits = ConnectionLimits(per_address=1, waiting=1, trusted=("192.0.2.9", trusted))
    assert not any(aborted(opened(limits, "10.0.0.1", 5)))
    assert len(limits) == 0


def test_of_all_waiting_connections_the_address_with_the_most_loses_one() -> None:
    closed: Counter[str] = Counter()
    limits = ConnectionLimits(per_address=10, waiting=4, closed=closed)
    honest = opened(limits, "192.0.2.1")
    greedy = opened(limits, "192.0.2.2", 4)
    late = opened(limits, "192.0.2.3")
    assert aborted(honest + late) == [False, False]
    assert aborted(greedy) == [True, True, False, False]
    assert closed == {"waiting": 2}


def test_nothing_is_kept_of_connections_that_are_gone() -> None:
    limits = ConnectionLimits(per_address=3)
    for round_number in range(100):
        connections = opened(limits, f"192.0.2.{round_number}", 3)
        limits.stop_waiting(connections[0])
        for connection in [*connections, *connections]:
            limits.remove(connection)
    assert len(limits) == len(limits._addresses) == limits._waiting == 0


# -- over real sockets -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def connected(server: GatewayServer, host: str, count: int) -> Iterator[list[socket.socket]]:
    """Yield open connections from an address of this machine."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(
                socket.create_connection(("127.0.0.1", server.port), timeout=WAIT, source_address=(host, 0))
            )
            for _ in range(count)
        ]


def is_answered(peer: socket.socket) -> bool:
    try:
        peer.sendall(REQUEST)
        return peer.recv(65_536).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def test_silent_connections_of_one_address_do_not_keep_anybody_out() -> None:
    with running(http_connections_per_address=20) as server, connected(server, "127.0.0.2", 60) as silent:
        until(lambda: server.connections.counters.http_closed["connections_per_address"] == 40)
        assert len(server.http_limits) == 20
        with connected(server, "127.0.0.2", 1) as [neighbour], connected(server, "127.0.0.3", 1) as [stranger]:
            assert is_answered(neighbour)
            assert is_answered(stranger)
        assert not is_answered(silent[0])
        assert is_answered(silent[-1])


def test_websockets_do_not_count_as_http_connections() -> None:
    with running(http_connections_per_address=3) as server, contextlib.ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(server.raw())
        assert len(server.connections) == 10
        until(lambda: len(server.http_limits) == 0)
        assert server.connections.counters.http_closed == {}


def test_connections_of_a_trusted_proxy_are_not_limited() -> None:
    with (
        running(http_connections_per_address=3, forwarded_from=("127.0.0.2",)) as server,
        connected(server, "127.0.0.2", 20) as of_the_proxy,
    ):
        assert all(is_answered(peer) for peer in of_the_proxy)
        assert server.connections.counters.http_closed == {}


async def test_a_club_behind_one_address_opens_the_page_at_once() -> None:
    """Two hundred browsers with six connections each, all at the same moment."""

    async def visit(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
        writer.write(REQUEST)
        answer = await reader.readuntil(b"\r\n")
        all_are_answered.release()
        # Every connection stays open until the last one is answered, as in a browser.
        await enough.wait()
        writer.close()
        return answer

    raise_file_limit(0)
    all_are_answered, enough = asyncio.Semaphore(0), asyncio.Event()
    with running() as server:
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            visits = [group.create_task(visit(server.port)) for _ in range(200 * 6)]
            for _ in visits:
                await all_are_answered.acquire()
            enough.set()
        assert {visit.result() for visit in visits} == {b"HTTP/1.1 200 OK\r\n"}
        assert server.connections.counters.http_closed == {}
