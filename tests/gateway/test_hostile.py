"""Clients that mean harm get their code, and others do not notice."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from typing import Any

import httpx
import pytest

from protocol.codec import Encoding, encode
from server.gateway import server as server_module
from server.gateway.http import header_timeout
from server.gateway.limits import Bounds, Limits, Rate
from tests.gateway.gateway_server import BINARY, CONT, JSON, MSGPACK, PING, TEXT, GatewayServer, masked, running, until

QUICK = Bounds(resume_within=1.0, close_within=0.5)


def request(**fields: Any) -> bytes:
    return encode(fields, Encoding.JSON)


@pytest.mark.parametrize(
    "frames, code",
    [
        pytest.param(masked(TEXT, b"x" * 16_385), 1009, id="too big"),
        pytest.param(masked(TEXT, b"x" * 1_000_000), 1009, id="far too big"),
        pytest.param(masked(TEXT, b"x" * 9_000, fin=False) + masked(CONT, b"x" * 9_000), 1009, id="too big in pieces"),
        pytest.param(masked(TEXT, b"{"), 1007, id="no JSON"),
        pytest.param(masked(TEXT, b'{"type":"\xff"}'), 1007, id="no UTF-8"),
        pytest.param(masked(TEXT, b"[" * 16_000), 1007, id="deep"),
        pytest.param(masked(TEXT, b'{"id":"1","type":"start","table":"' + b"9" * 16_000 + b'"'), 1007, id="cut off"),
        pytest.param(masked(BINARY, b"\x80"), 1003, id="the other kind of frame"),
        pytest.param(masked(BINARY, b"\x80", fin=False), 1003, id="the other kind of frame, begun"),
        pytest.param(b"\x81\x02{}", 1002, id="not masked"),
        pytest.param(masked(3), 1002, id="no such kind of frame"),
        pytest.param(masked(CONT, b"x"), 1002, id="the end of nothing"),
        pytest.param(masked(PING, b"x" * 126), 1002, id="a long ping"),
        pytest.param(b"\xc1\x80" + bytes(4), 1002, id="a compressed frame"),
        pytest.param(masked(TEXT, fin=False) + masked(CONT, fin=False) * 40, 1008, id="endless empty pieces"),
        pytest.param(masked(PING) * 300, 1008, id="a flood of pings"),
        pytest.param(masked(10) * 300, 1008, id="a flood of pongs"),
        pytest.param(masked(TEXT, request(type="start")) * 12, 1008, id="nonsense"),
    ],
)
def test_what_breaks_the_rules_is_closed_with_its_code(server: GatewayServer, frames: bytes, code: int) -> None:
    with server.raw() as raw:
        raw.socket.sendall(frames)
        assert raw.close_code() == code


def test_the_other_kind_of_frame_is_refused_in_msgpack_too(server: GatewayServer) -> None:
    with server.raw(subprotocol=MSGPACK) as raw:
        raw.send(TEXT, b"{}")
        assert raw.close_code() == 1003


async def test_a_flood_is_cut_off_soon_and_nobody_else_waits() -> None:
    limits = Limits(connections_per_user=100)
    with running(limits=limits) as server, server.raw() as raw:
        flood = masked(TEXT, request(type="start", id="1", table="abcd")) * 2_000
        async with server.client() as honest:
            threading.Thread(target=_send_all, args=(raw.socket, flood)).start()
            slowest = 0.0
            for number in range(15):
                begun = time.perf_counter()
                assert (await honest.ask(type="start", id=str(number), table="abcd"))["type"] == "done"
                slowest = max(slowest, time.perf_counter() - begun)
            assert await asyncio.to_thread(raw.close_code) == 1008
            assert slowest < 2
        assert len(server.services.tables.asked) == 20 + 15


def _send_all(peer: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):
        peer.sendall(data)


def test_a_flood_of_the_smallest_frames_does_not_hold_up_the_loop(server: GatewayServer) -> None:
    with server.raw() as raw, server.raw() as other:
        threading.Thread(target=_send_all, args=(raw.socket, masked(PING) * 200_000)).start()
        time.sleep(0.05)
        begun = time.perf_counter()
        other.send(PING, b"?")
        while other.frame() != (10, b"?"):
            pass
        assert time.perf_counter() - begun < 2
        assert raw.close_code() == 1008


async def test_who_does_not_read_costs_little_and_is_cut_off() -> None:
    with running(bounds=QUICK) as server:
        with server.raw(receive_buffer=4_096) as raw:
            raw.send(TEXT, request(type="watch", id="1", table="busy"))
            until(lambda: bool(server.services.tables.watching.get("busy")))
            [subscriber] = server.services.tables.watching["busy"]
            async with server.client() as honest:
                await honest.ask(type="watch", id="1", table="busy")
                assert (await honest.hear())["type"] == "view"
                number = 0
                while server.connections.counts.closed["4008"] == 0 and number < 3_000:
                    server.call(lambda: server.services.tables.publish("busy", {"text": "x" * 4_000}))
                    number += 1
                    assert (await honest.hear())["number"] == number
                    assert subscriber._wire.transport.get_write_buffer_size() < 64 * 1024 + 8_192
                    if number > 300:
                        await asyncio.sleep(0.005)
            assert server.connections.counts.closed["4008"] == 1
            assert server.connections.counts.dropped > 0
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
        heard: list[tuple[str, int]] = []
        while not heard or heard[-1][0] != "view" or len(heard) < 3:
            data = raw.frame()[1]
            kind = "view" if b'"view"' in data[:40] else "update" if b'"update"' in data[:40] else ""
            if kind:
                heard.append((kind, int(data.split(b'"number":')[1].split(b",")[0])))
        assert heard[0] == ("view", 0)
        updates = [number for kind, number in heard if kind == "update"]
        assert updates == list(range(1, len(updates) + 1))
        assert heard[-1] == ("view", last)
        assert len(tables.refreshed) == 1
        assert publish()
        assert b'"number":%d' % (last + 1) in raw.frame()[1]


def test_pings_of_who_does_not_read_pile_up_nowhere() -> None:
    bounds = Bounds(resume_within=30, frames=Rate(1_000_000, 1, burst=1_000_000))
    with running(bounds=bounds) as server, server.raw(receive_buffer=4_096) as raw:
        raw.send(TEXT, request(type="watch", id="1", table="busy"))
        until(lambda: bool(server.services.tables.watching.get("busy")))
        [subscriber] = server.services.tables.watching["busy"]
        raw.socket.settimeout(2)
        sent = 0
        while sent < 200:
            raw.socket.sendall(masked(PING, b"x" * 125) * 400)
            sent += 1
            assert subscriber._wire.transport.get_write_buffer_size() < 80 * 1024


@pytest.mark.parametrize("begin", [b"", b"GET /soc", b"GET /socket HTTP/1.1\r\nHost: here\r\n"])
def test_a_handshake_that_does_not_come_to_an_end_is_cut_off(
    server: GatewayServer, monkeypatch: pytest.MonkeyPatch, begin: bytes
) -> None:
    monkeypatch.setattr(header_timeout, "REQUEST_TIMEOUT", 0.5)
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as peer:
        peer.sendall(begin)
        begun = time.monotonic()
        assert _is_hung_up(peer)
        assert 0.3 < time.monotonic() - begun < 3


def test_spelling_a_handshake_wins_no_time(server: GatewayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header_timeout, "REQUEST_TIMEOUT", 0.5)
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as peer:
        begun = time.monotonic()
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            _spell(peer, b"GET /socket HTTP/1.1\r\nX: " + b"x" * 200)
        assert time.monotonic() - begun < 3


def test_a_second_request_must_come_in_time_too(server: GatewayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header_timeout, "REQUEST_TIMEOUT", 0.5)
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as peer:
        peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        assert peer.recv(65_536).startswith(b"HTTP/1.1 200")
        begun = time.monotonic()
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            _spell(peer, b"G" * 100)
        assert time.monotonic() - begun < 3


async def test_a_request_that_has_come_may_take_its_time(
    server: GatewayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(header_timeout, "REQUEST_TIMEOUT", 0.2)
    gate = server.services.identity.gate
    server.call(gate.clear)
    try:
        async with httpx.AsyncClient(trust_env=False) as program:
            asked = asyncio.create_task(program.post(f"{server.http}/api/session"))
            await asyncio.sleep(0.6)
            server.call(gate.set)
            assert (await asked).status_code == 200
    finally:
        server.call(gate.set)


def test_when_very_many_say_nothing_the_oldest_goes_first(
    server: GatewayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(header_timeout, "MAX_WAITING", 3)
    peers = [socket.create_connection(("127.0.0.1", server.port), timeout=2) for _ in range(1)]
    try:
        time.sleep(0.05)
        peers += [socket.create_connection(("127.0.0.1", server.port), timeout=2) for _ in range(3)]
        assert _is_hung_up(peers[0])
        peers[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        assert peers[-1].recv(65_536).startswith(b"HTTP/1.1 200")
    finally:
        for peer in peers:
            peer.close()


async def test_connections_that_only_hold_on_do_not_add_up_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_OTHER_CONNECTIONS", 3)
    with running(limits=Limits(connections=1)) as server, contextlib.ExitStack() as held:
        for _ in range(5):
            peer = held.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
            peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
            answer = peer.recv(65_536)
        assert answer.startswith(b"HTTP/1.1 503")


def _spell(peer: socket.socket, data: bytes) -> None:
    for letter in data:
        peer.sendall(bytes([letter]))
        time.sleep(0.05)


def _is_hung_up(peer: socket.socket) -> bool:
    try:
        return peer.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_peer_that_vanished_is_noticed_by_its_silence() -> None:
    with running(ping_seconds=0.3) as server, server.raw() as raw:
        assert len(server.connections) == 1
        begun = time.monotonic()
        until(lambda: len(server.connections) == 0, seconds=5)
        assert time.monotonic() - begun < 3
        assert raw.close_code() is None


async def test_a_peer_that_answers_pings_stays() -> None:
    with running(ping_seconds=0.2) as server:
        async with server.client(subprotocol=JSON) as client:
            await asyncio.sleep(1.2)
            assert (await client.ask(type="start", id="1", table="abcd"))["type"] == "done"
