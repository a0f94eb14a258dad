"""The timeout for the headers of HTTP requests, on a virtual clock and once over a real socket."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from server.gateway.http import header_timeout
from server.gateway.http.connection_limits import ConnectionLimits
from server.gateway.http.header_timeout import HEADER_TIMEOUT, LIMITS_KEY, RESPONSE_TIMEOUT, HeaderTimeoutProtocol
from tests.gateway.gateway_server import WAIT, GatewayServer, running, until

REQUEST = b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"


async def no_app(scope: Any, receive: Any, send: Any) -> None:
    raise NotImplementedError


class Timer:
    def __init__(self, due: float, callback: Callable[[], None]) -> None:
        self.due = due
        self.callback = callback
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class VirtualLoop:
    """An event loop whose time a test advances. It never runs the application."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timers: list[Timer] = []

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        timer = Timer(self.now + delay, callback)
        self._timers.append(timer)
        return timer

    def create_task(self, coroutine: Coroutine[Any, Any, None], **_: object) -> Any:
        coroutine.close()
        return DoneTask()

    def advance(self, seconds: float) -> None:
        self.now += seconds
        due = [timer for timer in self._timers if timer.due <= self.now]
        self._timers = [timer for timer in self._timers if timer.due > self.now]
        for timer in due:
            if not timer.is_cancelled:
                timer.callback()


class DoneTask:
    def add_done_callback(self, callback: object) -> None:
        pass


class FakeTcpTransport:
    def __init__(self, host: str | None) -> None:
        self.is_aborted = False
        self._peer = None if host is None else (host, 12_345)

    def abort(self) -> None:
        self.is_aborted = True

    def is_closing(self) -> bool:
        return self.is_aborted

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_extra_info(self, name: str) -> Any:
        return self._peer if name == "peername" else None


class Peers:
    """Connections of one server on a virtual loop."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        self._config = Config(no_app, log_config=None)
        self._state: dict[str, Any] = {}

    def limit(self, **limits: Any) -> ConnectionLimits:
        """Set the limits of connections and return them."""
        made = self._state[LIMITS_KEY] = ConnectionLimits(**limits)
        return made

    def connect(self, host: str | None = None) -> tuple[HeaderTimeoutProtocol, FakeTcpTransport]:
        protocol = HeaderTimeoutProtocol(self._config, ServerState(), self._state, cast("Any", self.loop))
        transport = FakeTcpTransport(host)
        protocol.connection_made(cast("Any", transport))
        return protocol, transport


@pytest.fixture
def peers() -> Peers:
    return Peers()


@pytest.mark.parametrize("received", [b"", REQUEST[:7], REQUEST[:-2]])
def test_a_connection_without_complete_headers_is_aborted(peers: Peers, received: bytes) -> None:
    protocol, transport = peers.connect()
    if received:
        protocol.data_received(received)
    peers.loop.advance(HEADER_TIMEOUT - 0.1)
    assert not transport.is_aborted
    peers.loop.advance(0.1)
    assert transport.is_aborted


def test_more_data_does_not_extend_the_timeout(peers: Peers) -> None:
    protocol, transport = peers.connect()
    for byte in REQUEST[:10]:
        protocol.data_received(bytes([byte]))
        peers.loop.advance(HEADER_TIMEOUT / 10)
    assert transport.is_aborted


def test_the_response_may_take_longer_but_not_for_ever(peers: Peers) -> None:
    protocol, transport = peers.connect()
    protocol.data_received(REQUEST)
    peers.loop.advance(RESPONSE_TIMEOUT - 1)
    # Further data does not extend the timeout.
    protocol.data_received(REQUEST)
    assert not transport.is_aborted
    peers.loop.advance(1)
    assert transport.is_aborted


def test_a_second_request_has_the_same_timeout(peers: Peers) -> None:
    protocol, transport = peers.connect()
    protocol.data_received(REQUEST)
    protocol.cycle.response_complete = True
    protocol.on_response_complete()
    assert not transport.is_aborted
    protocol.data_received(REQUEST[:7])
    peers.loop.advance(HEADER_TIMEOUT)
    assert transport.is_aborted


def test_when_too_many_connections_wait_the_oldest_is_aborted(peers: Peers) -> None:
    peers.limit(waiting=3)
    transports = [peers.connect()[1] for _ in range(5)]
    assert [transport.is_aborted for transport in transports] == [True, True, False, False, False]


def test_a_closed_connection_leaves_no_timer(peers: Peers) -> None:
    protocol, transport = peers.connect()
    protocol.connection_lost(ConnectionResetError())
    peers.loop.advance(HEADER_TIMEOUT)
    assert not transport.is_aborted


def test_a_real_connection_is_aborted(server: GatewayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header_timeout, "HEADER_TIMEOUT", 0.1)
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as peer:
        peer.sendall(REQUEST[:7])
        with contextlib.suppress(ConnectionResetError):
            assert peer.recv(1) == b""


def test_a_peer_that_does_not_read_its_response_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header_timeout, "RESPONSE_TIMEOUT", 0.2)
    (tmp_path / "index.html").write_text("home")
    (tmp_path / "large.js").write_bytes(bytes(5_000_000))
    with running(web=tmp_path) as server, socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as peer:
        peer.sendall(b"GET /large.js HTTP/1.1\r\nHost: here\r\n\r\n")
        until(lambda: server.connections.counters.http_closed["timeout"] == 1)
        until(lambda: len(server.http_limits) == 0)
