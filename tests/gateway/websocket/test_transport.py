"""The fast path is in use, and bears what a websocket must bear."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from protocol.codec import Encoding, encode
from server.gateway.server import ServerOptions, uvicorn_config
from server.gateway.websocket import transport as transport_module
from server.gateway.websocket.wire import FAST_WIRE
from tests.gateway.gateway_server import (
    BINARY,
    CLOSE,
    CONT,
    JSON,
    MSGPACK,
    PING,
    PONG,
    TEXT,
    GatewayServer,
    Raw,
    masked,
    running,
    until,
)


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    raise NotImplementedError


def request(**fields: Any) -> bytes:
    return encode(fields, Encoding.JSON)


def without_fast_path(app: Any) -> Any:
    async def json_value(scope: Any, receive: Any, send: Any) -> None:
        scope["state"].pop(FAST_WIRE)
        await app(scope, receive, send)

    return json_value


def test_the_installed_uvicorn_is_the_one_that_the_fast_path_was_written_for() -> None:
    assert transport_module.missing_internals() == []
    assert uvicorn_config(nothing, ServerOptions((), 20, 10, 5_000)).ws is transport_module.WebSocketTransport


def test_another_uvicorn_gives_a_warning_and_plain_websockets(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delattr(WebSocketsSansIOProtocol, "handle_pong")
    assert transport_module.missing_internals() == ["handle_pong"]
    with caplog.at_level(logging.WARNING):
        assert uvicorn_config(nothing, ServerOptions((), 20, 10, 5_000)).ws == "websockets-sansio"
    assert "fast path not in use" in caplog.text


async def test_connections_really_go_over_the_fast_path(server: GatewayServer) -> None:
    async with server.client():
        kinds = server.call(lambda: {type(connection._wire) for connection in server.connections})
        assert kinds == {transport_module.WebSocketTransport}


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
@pytest.mark.parametrize("is_fast", [True, False])
async def test_requests_and_updates_travel_in_both_encodings_on_both_paths(subprotocol: str, is_fast: bool) -> None:
    with running(**({} if is_fast else {"wrap": without_fast_path})) as server:
        async with server.client(subprotocol=subprotocol) as ann, server.client(subprotocol=JSON) as bob:
            for client in (ann, bob):
                assert (await client.ask(type="watch", id="w", table="abcd"))["type"] == "done"
                assert (await client.hear())["type"] == "view"
            for number in range(1, 4):
                assert (await ann.ask(type="say", id=f"s{number}", table="abcd", text="x" * 1_900))["type"] == "done"
                for client in (ann, bob):
                    assert (await client.hear())["number"] == number
        until(lambda: len(server.connections) == 0)
        assert server.services.tables.watching == {"abcd": []}


async def test_the_plain_path_closes_with_codes_too() -> None:
    with running(wrap=without_fast_path) as server:
        async with server.client() as client:
            await client.connection.send(b"binary")
            assert await client.close_code() == 1003
        async with server.client() as client:
            await client.connection.send("{")
            assert await client.close_code() == 1007
        until(lambda: len(server.connections) == 0)


def watching(server: GatewayServer, raw: Raw, written: list[bytes]) -> Any:
    """Let a client watch a table; gives our end of its wire, which notes what is written."""
    raw.send(TEXT, request(type="watch", id="1", table="many"))
    for _ in range(4):
        raw.frame()
    [socket] = [subscriber._wire for subscriber in server.services.tables.watching["many"]]
    socket.transport = Counting(socket.transport, written)
    return socket


def test_frames_of_one_turn_leave_in_one_write(server: GatewayServer) -> None:
    with server.raw() as raw:
        written: list[bytes] = []
        watching(server, raw, written)

        def publish() -> None:
            for _ in range(16):
                server.services.tables.publish("many", {"n": 1})
            assert written == []

        server.call(publish)
        assert [raw.frame()[0] for _ in range(16)] == [TEXT] * 16
        assert len(written) == 1


class Counting:
    """A transport that notes what is written through it."""

    def __init__(self, transport: Any, written: list[bytes]) -> None:
        self._transport = transport
        self._written = written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        self._written.append(data)
        self._transport.write(data)


def test_a_message_may_come_in_pieces_and_with_pings_in_between(server: GatewayServer) -> None:
    with server.raw() as raw:
        whole = request(type="watch", id="1", table="gone")
        raw.send(TEXT, whole[:5], fin=False)
        raw.send(PING, b"still there?")
        raw.send(CONT, whole[5:9], fin=False)
        raw.send(CONT, whole[9:])
        answers = [raw.frame() for _ in range(4)]
        assert (10, b"still there?") in answers
        assert b"no_such_table" in answers[-1][1]


def test_a_stream_may_be_cut_anywhere(server: GatewayServer) -> None:
    """Short and long messages, one in pieces, a ping: each cut of the stream into two gives the same answers."""
    long = request(type="fly", id="long", extra="x" * 300)
    stream = (
        scrambled(TEXT, request(type="fly", id="short"))
        + scrambled(PING, b"here")
        + scrambled(TEXT, long)
        + scrambled(TEXT, request(type="fly", id="parted")[:9], fin=False)
        + scrambled(PING, b"there")
        + scrambled(CONT, request(type="fly", id="parted")[9:])
    )
    for cut in range(1, len(stream)):
        with server.raw() as raw:
            raw.frame(), raw.frame()

            def receive(cut: int = cut) -> None:
                [connection] = server.connections
                connection._wire.data_received(stream[:cut])
                connection._wire.data_received(stream[cut:])

            server.call(receive)
            heard = [raw.frame() for _ in range(5)]
            assert [data for kind, data in heard if kind == PONG] == [b"here", b"there"]
            ids = [data.split(b'"id":"')[1].split(b'"')[0] for kind, data in heard if kind == TEXT]
            assert ids == [b"short", b"long", b"parted"]
        until(lambda: len(server.connections) == 0)


def scrambled(opcode: int, data: bytes, fin: bool = True) -> bytes:
    """Give a frame from a client with a mask that really changes it."""
    head, mask = masked(opcode, data, fin)[: -4 - len(data)], b"\x11\x22\x33\x44"
    return head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))


def test_many_messages_in_one_write_are_all_answered(server: GatewayServer) -> None:
    with server.raw() as raw:
        raw.socket.sendall(b"".join(masked(TEXT, request(type="fly", id=str(n))) for n in range(150)))
        raw.frame(), raw.frame()
        ids = [raw.frame()[1].split(b'"id":"')[1].split(b'"')[0] for _ in range(150)]
        assert ids == [str(n).encode() for n in range(150)]


def test_an_error_ends_its_own_connection_only(server: GatewayServer, caplog: pytest.LogCaptureFixture) -> None:
    with server.raw() as bad, server.raw() as good:
        bad.send(TEXT, request(type="start", id="1", table="boom"))
        assert bad.close_code() == 1011
        good.send(TEXT, request(type="start", id="1", table="abcd"))
        assert b'"done"' in [good.frame() for _ in range(3)][-1][1]


def test_a_transport_that_fails_takes_no_other_with_it(server: GatewayServer) -> None:
    with server.raw() as bad, server.raw() as good:
        for raw in (bad, good):
            raw.send(TEXT, request(type="watch", id="1", table="weak"))
            assert b'"view"' in [raw.frame() for _ in range(4)][-1][1]

        def publish() -> None:
            first = server.services.tables.watching["weak"][0]._wire
            first.transport = Failing(first.transport)
            server.services.tables.publish("weak", {})

        server.call(publish)
        assert b'"update"' in good.frame()[1]
        until(lambda: len(server.services.tables.watching["weak"]) == 1)


class Failing:
    """A transport that cannot write."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        raise RuntimeError("broken")


def test_a_goodbye_of_the_client_is_returned(server: GatewayServer) -> None:
    before = server.connections.counts.closed["1001"]
    with server.raw() as raw:
        raw.send(CLOSE, b"\x03\xe9")
        assert raw.close_code() == 1001
    until(lambda: server.connections.counts.closed["1001"] == before + 1)


def test_nothing_follows_a_close_frame(server: GatewayServer) -> None:
    with server.raw() as raw:
        raw.send(TEXT, request(type="watch", id="1", table="last"))
        for _ in range(4):
            raw.frame()

        def close_and_go_on() -> list[bool]:
            [subscriber] = server.services.tables.watching["last"]
            server.services.tables.publish("last", {})
            subscriber.close(1012)
            return server.services.tables.publish("last", {})

        assert server.call(close_and_go_on) == [False]
        assert b'"update"' in raw.frame()[1]
        assert raw.close_code() == 1012


def test_what_waits_when_the_client_says_goodbye_is_not_sent_behind_the_answer(server: GatewayServer) -> None:
    with server.raw() as raw:
        raw.send(TEXT, request(type="watch", id="1", table="left"))
        for _ in range(4):
            raw.frame()

        def publish_and_be_left() -> list[bytes]:
            [socket] = [subscriber._wire for subscriber in server.services.tables.watching["left"]]
            written: list[bytes] = []
            socket.transport = Counting(socket.transport, written)
            server.services.tables.publish("left", {})
            socket.data_received(masked(CLOSE, b"\x03\xe8"))
            socket.flush()
            return written

        assert server.call(publish_and_be_left) == [b"\x88\x02\x03\xe8"]
        assert raw.close_code() == 1000


def test_a_peer_that_does_not_say_goodbye_is_let_go_all_the_same(server: GatewayServer) -> None:
    count = len(server.connections)
    with server.raw() as raw:
        raw.send(BINARY, b"wrong kind")
        until(lambda: len(server.connections) == count, seconds=5)
