"""The listening socket, and how a server ends."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket

import httpx
import pytest

from server.gateway.server import CannotListen, listen, raise_file_limit
from tests.gateway.gateway_server import GatewayServer


async def test_who_was_promised_an_answer_gets_it_before_the_goodbye() -> None:
    server = GatewayServer()
    server.start()
    stopping = asyncio.create_task(asyncio.sleep(0))
    try:
        async with server.client() as ann:
            server.call(server.services.identity.gate.clear)
            await ann.send(type="make_code", id="1")
            await ann.send(type="ping", id="2")
            assert (await ann.hear())["id"] == "2"
            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            await asyncio.sleep(0.4)
            await ann.send(type="ping", id="too late")
            server.call(server.services.identity.gate.set)
            assert [message["id"] for message in await ann.rest()] == ["1"]
            assert ann.connection.close_code == 1012
    finally:
        server.call(server.services.identity.gate.set)
        await stopping
        server.stop()


async def test_an_answer_that_never_comes_does_not_hold_up_the_end() -> None:
    server = GatewayServer()
    server.start()
    try:
        async with server.client() as ann:
            server.call(server.services.identity.gate.clear)
            await ann.send(type="make_code", id="1")
            await ann.send(type="ping", id="2")
            assert (await ann.hear())["id"] == "2"
            await asyncio.to_thread(server.stop)
            assert await ann.rest() == []
            assert ann.connection.close_code == 1012
    finally:
        server.stop()


async def test_while_it_ends_nobody_new_comes_in() -> None:
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


def test_what_is_set_on_the_listener_holds_for_every_connection() -> None:
    with listen("127.0.0.1", 0) as subscriber, socket.create_connection(subscriber.getsockname()):
        subscriber.setblocking(True)
        peer, _ = subscriber.accept()
        with peer:
            assert peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
            assert peer.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 256 * 1024


@pytest.mark.parametrize("host, port", [("no host", 0), ("x" * 300, 0), ("192.0.2.77", 0)])
def test_an_address_that_cannot_be_listened_on_is_a_sentence(host: str, port: int) -> None:
    with pytest.raises(CannotListen, match=r"^(There is no|Port ).*\.$"):
        listen(host, port)


def test_too_few_files_are_complained_about(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        raise_file_limit(100)
        assert caplog.text == ""
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        raise_file_limit(hard)
    assert "too few files allowed" in caplog.text
