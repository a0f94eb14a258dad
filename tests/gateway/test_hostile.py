"""Hostile clients are closed with the right code, and other clients are not affected."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from typing import Any

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from protocol.codec import Encoding, decode, encode
from server.gateway import metrics
from server.gateway import server as server_module
from server.gateway.limits import Limits, TransportLimits
from server.gateway.websocket.keep_alive import TICKS
from server.gateway.websocket.transport import PARSED_AT_ONCE
from server.rate_limit import Rate
from tests.gateway.gateway_server import (
    BINARY,
    CONT,
    JSON,
    MSGPACK,
    PING,
    PONG,
    TEXT,
    WAIT,
    GatewayServer,
    masked,
    running,
    until,
)

QUICK = TransportLimits(resume_timeout=1.0, close_timeout=0.5)


def request(**fields: Any) -> bytes:
    return encode(fields, Encoding.JSON)


@pytest.mark.parametrize(
    "frames, code",
    [
        pytest.param(masked(TEXT, b"x" * 16_385), 1009, id="too big"),
        pytest.param(masked(TEXT, b"x" * 1_000_000), 1009, id="far too big"),
        pytest.param(
            masked(TEXT, b"x" * 9_000, fin=False) + masked(CONT, b"x" * 9_000), 1009, id="too big in fragments"
        ),
        pytest.param(masked(TEXT, b"{"), 1007, id="not JSON"),
        pytest.param(masked(TEXT, b'{"type":"\xff"}'), 1007, id="not UTF-8"),
        pytest.param(masked(TEXT, b"[" * 16_000), 1007, id="deep"),
        pytest.param(masked(TEXT, b'{"id":"1","type":"start","table":"' + b"9" * 16_000 + b'"'), 1007, id="truncated"),
        pytest.param(masked(BINARY, b"\x80"), 1003, id="wrong frame type"),
        pytest.param(masked(BINARY, b"\x80", fin=False), 1003, id="wrong frame type, first fragment"),
        pytest.param(b"\x81\x02{}", 1002, id="not masked"),
        pytest.param(masked(3), 1002, id="unknown opcode"),
        pytest.param(masked(CONT, b"x"), 1002, id="continuation of nothing"),
        pytest.param(masked(PING, b"x" * 126), 1002, id="a long ping"),
        pytest.param(b"\xc1\x80" + bytes(4), 1002, id="a compressed frame"),
        pytest.param(masked(TEXT, fin=False) + masked(CONT, fin=False) * 40, 1008, id="endless empty fragments"),
        pytest.param(masked(PING) * 300, 1008, id="a flood of pings"),
        pytest.param(masked(10) * 300, 1008, id="a flood of pongs"),
        pytest.param(masked(TEXT, request(type="start")) * 12, 1008, id="malformed requests"),
    ],
)
def test_a_protocol_violation_is_closed_with_its_code(server: GatewayServer, frames: bytes, code: int) -> None:
    with server.raw() as raw:
        raw.socket.sendall(frames)
        assert raw.close_code() == code


def test_text_frames_are_refused_on_msgpack_connections(server: GatewayServer) -> None:
    with server.raw(subprotocol=MSGPACK) as raw:
        raw.send(TEXT, b"{}")
        assert raw.close_code() == 1003


async def test_a_flood_is_closed_and_others_are_served_meanwhile() -> None:
    # None is granted later, however long the flood takes.
    limits = Limits(connections_per_user=100, requests=Rate(1, 3_600, burst=20))
    with running(limits=limits) as server, server.raw() as raw:
        flood = masked(TEXT, request(type="start", id="1", table="abcd")) * 2_000
        async with server.client() as honest:
            threading.Thread(target=_send_all, args=(raw.socket, flood)).start()
            for number in range(15):
                assert (await honest.request(type="start", id=str(number), table="abcd"))["type"] == "done"
            assert await asyncio.to_thread(raw.close_code) == 1008
        assert len(server.services.tables.requests) == 20 + 15


def _send_all(peer: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):
        peer.sendall(data)


def test_of_a_flood_of_the_smallest_frames_only_a_few_are_parsed(
    server: GatewayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them would block the event loop."""
    parsed: list[int] = []
    parse = WebSocketsSansIOProtocol.data_received

    def counting(protocol: WebSocketsSansIOProtocol, data: bytes) -> None:
        parsed.append(len(data))
        parse(protocol, data)

    with server.raw() as raw, server.raw() as other:
        monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", counting)
        _send_all(raw.socket, masked(PING) * 1_000)
        threading.Thread(target=_send_all, args=(raw.socket, masked(PING) * 200_000)).start()
        other.send(PING, b"?")
        while other.frame() != (10, b"?"):
            pass
        assert raw.close_code() == 1008
    assert sum(parsed) < 10 * PARSED_AT_ONCE


async def test_a_peer_that_does_not_read_uses_bounded_memory_and_is_aborted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "SAMPLE", 1)
    with running(transport_limits=QUICK) as server:
        with server.raw(receive_buffer=4_096) as raw:
            raw.send(TEXT, request(type="watch", id="1", table="busy"))
            until(lambda: bool(server.services.tables.watching.get("busy")))
            [subscriber] = server.services.tables.watching["busy"]
            async with server.client() as honest:
                await honest.request(type="watch", id="1", table="busy")
                assert (await honest.receive())["type"] == "view"
                number = 0
                while server.connections.counters.dropped < 10:
                    server.call(lambda: server.services.tables.publish("busy", {"text": "x" * 4_000}))
                    number += 1
                    assert (await honest.receive())["number"] == number
                    assert subscriber._transport.transport.get_write_buffer_size() < 64 * 1024 + 8_192
            until(lambda: server.connections.counters.closed["4008"] == 1)
        until(lambda: len(server.connections) == 0)


def test_a_slow_reader_gets_one_fresh_view_when_it_reads_again() -> None:
    with running() as server, server.raw(receive_buffer=4_096) as raw:
        raw.send(TEXT, request(type="watch", id="1", table="busy"))
        until(lambda: bool(server.services.tables.watching.get("busy")))
        tables = server.services.tables

        def publish() -> bool:
            return server.call(lambda: tables.publish("busy", {"text": "x" * 4_000}))[0]

        while publish():
            pass
        for _ in range(10):
            assert not publish()
        last = tables.numbers["busy"]
        received: list[tuple[str, int]] = []
        while not received or received[-1][0] != "view" or len(received) < 3:
            data = raw.frame()[1]
            kind = "view" if b'"view"' in data[:40] else "update" if b'"update"' in data[:40] else ""
            if kind:
                received.append((kind, int(data.split(b'"number":')[1].split(b",")[0])))
        assert received[0] == ("view", 0)
        updates = [number for kind, number in received if kind == "update"]
        assert updates == list(range(1, len(updates) + 1))
        assert received[-1] == ("view", last)
        assert len(tables.refreshed) == 1
        assert publish()
        assert b'"number":%d' % (last + 1) in raw.frame()[1]


def test_pongs_to_a_peer_that_does_not_read_do_not_pile_up() -> None:
    transport_limits = TransportLimits(resume_timeout=30, frames=Rate(1_000_000, 1, burst=1_000_000))
    with running(transport_limits=transport_limits) as server, server.raw(receive_buffer=4_096) as raw:
        raw.send(TEXT, request(type="watch", id="1", table="busy"))
        until(lambda: bool(server.services.tables.watching.get("busy")))
        [subscriber] = server.services.tables.watching["busy"]
        sent = 0
        while sent < 200:
            raw.socket.sendall(masked(PING, b"x" * 125) * 400)
            sent += 1
            assert subscriber._transport.transport.get_write_buffer_size() < 80 * 1024


async def test_idle_http_connections_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_OTHER_CONNECTIONS", 3)
    with running(limits=Limits(connections=1)) as server, contextlib.ExitStack() as held:
        for _ in range(5):
            peer = held.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=WAIT))
            peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
            answer = peer.recv(65_536)
        assert answer.startswith(b"HTTP/1.1 503")


NEVER = 3_600.0
"""Seconds without a ping, so that the time passes only when a test lets it pass."""


def only_transport(server: GatewayServer) -> Any:
    [connection] = server.connections
    return connection._transport


def pass_interval(server: GatewayServer, transport: Any) -> None:
    """Let the interval pass after which a silent peer gets a ping, and one that has not answered is dropped."""
    for _ in range(TICKS):
        server.call(transport._keep_alive._advance)


def test_a_peer_that_does_not_answer_pings_is_dropped() -> None:
    with running(ping_seconds=NEVER) as server, server.raw() as raw:
        transport = only_transport(server)
        pass_interval(server, transport)
        assert len(server.connections) == 1
        pass_interval(server, transport)
        until(lambda: len(server.connections) == 0)
        assert raw.close_code() is None


def test_a_peer_that_answers_pings_stays_connected() -> None:
    with running(ping_seconds=NEVER) as server, server.raw() as raw:
        transport = only_transport(server)
        for _ in range(5):
            pass_interval(server, transport)
            while (frame := raw.frame())[0] != PING:
                pass
            raw.send(PONG, frame[1])
            until(lambda: transport.heard_at == transport._keep_alive.tick)
        raw.send(TEXT, request(type="start", id="1", table="abcd"))
        while b'"done"' not in raw.frame()[1]:
            pass


@pytest.mark.parametrize("subprotocol, encoding", [(JSON, Encoding.JSON), (MSGPACK, Encoding.MSGPACK)])
def test_each_ping_comes_with_a_message_that_a_page_can_see(subprotocol: str, encoding: Encoding) -> None:
    with running(ping_seconds=NEVER) as server, server.raw(subprotocol=subprotocol) as raw:
        pass_interval(server, only_transport(server))
        while raw.frame()[0] != PING:
            pass
        opcode, data = raw.frame()
        assert opcode == (TEXT if encoding is Encoding.JSON else BINARY)
        assert decode(data, encoding) == {"type": "alive"}


def test_every_frame_counts_as_heard_but_a_pong_only_as_an_answer() -> None:
    """A peer that sends pongs unasked would keep the server silent, and a proxy would close the connection."""
    with running() as server, server.raw():
        transport = only_transport(server)
        fragments = masked(TEXT, b"{", fin=False), masked(CONT, b"}")
        heard = []

        def receive(data: bytes, *, is_asked: bool = False) -> None:
            transport._keep_alive.tick = 7
            transport.heard_at, transport.asked_at = 0, 5 if is_asked else 0
            transport.data_received(data)
            heard.append(transport.heard_at)

        for data in (masked(PONG), masked(PING), *fragments):
            server.call(lambda data=data: receive(data))
        assert heard == [0, 7, 7, 7]
        server.call(lambda: receive(masked(PONG), is_asked=True))
        assert heard[-1] == 7
