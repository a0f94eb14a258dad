"""The listening socket, and graceful shutdown."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket

import httpx
import pytest

from server.gateway.server import CannotListen, listen, raise_file_limit
from tests.gateway.gateway_server import GatewayServer, until


async def test_a_pending_request_gets_its_reply_before_the_connection_is_closed() -> None:
    server = GatewayServer()
    server.start()
    stopping = asyncio.create_task(asyncio.sleep(0))
    try:
        async with server.client() as ann:
            server.call(server.services.identity.gate.clear)
            await ann.send(type="make_code", id="1")
            await ann.send(type="ping", id="2")
            assert (await ann.receive())["id"] == "2"
            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            await asyncio.to_thread(until, lambda: server.connections.is_draining)
            await ann.send(type="ping", id="too late")
            server.call(server.services.identity.gate.set)
            assert [message["id"] for message in await ann.receive_all()] == ["1"]
            assert ann.connection.close_code == 1012
    finally:
        server.call(server.services.identity.gate.set)
        await stopping
        server.stop()


async def test_a_reply_that_never_comes_does_not_delay_the_shutdown() -> None:
    server = GatewayServer()
    server.start()
    try:
        async with server.client() as ann:
            server.call(server.services.identity.gate.clear)
            await ann.send(type="make_code", id="1")
            await ann.send(type="ping", id="2")
            assert (await ann.receive())["id"] == "2"
            await asyncio.to_thread(server.stop)
            assert await ann.receive_all() == []
            assert ann.connection.close_code == 1012
    finally:
        server.stop()


async def test_new_connections_are_refused_while_the_server_drains() -> None:
    server = GatewayServer()
    server.start()
    try:
        server.call(lambda: setattr(server.connections, "is_draining", True))
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as program:
            health = await program.get("/healthz")
            assert (health.status_code, health.json()["draining"]) == (503, True)
            upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
            refused = await program.get("/socket", headers={**upgrade, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
            assert refused.status_code == 503
            assert refused.headers["retry-after"] == "5"
    finally:
        server.stop()


def test_accepted_connections_inherit_the_socket_options() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        listener.setblocking(True)
        peer, _ = listener.accept()
        with peer:
            assert peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
            assert peer.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 256 * 1024


@pytest.mark.parametrize("host, port", [("no host", 0), ("x" * 300, 0), ("192.0.2.77", 0)])
def test_an_unusable_address_raises_a_sentence(host: str, port: int) -> None:
    with pytest.raises(CannotListen, match=r"^(There is no host|The server cannot listen on port) .*\.$"):
        listen(host, port)


def test_a_file_limit_that_is_too_low_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        raise_file_limit(100)
        assert caplog.text == ""
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        raise_file_limit(hard)
    assert "file limit too low" in caplog.text
