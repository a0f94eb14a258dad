"""Writing, reading and closing on a real websocket."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from protocol.codec import Encoding, encode
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


def request(**fields: Any) -> bytes:
    return encode(fields, Encoding.JSON)


UVICORN_METHODS = """
    connection_lost data_received handle_close handle_connect handle_events handle_parser_exception handle_pong
    keepalive_timeout pause_writing receive resume_writing run_asgi send send_500_response shutdown stop_keepalive
"""
UVICORN_ATTRIBUTES = """
    app close_sent close_timer close_timeout conn disconnected frames handshake_complete initial_response loop queue
    read_paused transport
"""


def test_uvicorn_has_the_internals_that_the_transport_relies_on() -> None:
    uvicorn_protocol: Any = WebSocketsSansIOProtocol
    assert [name for name in UVICORN_METHODS.split() if not callable(getattr(uvicorn_protocol, name, None))] == []
    # The names of the attributes that a function sets are in its code.
    assert set(UVICORN_ATTRIBUTES.split()) <= set(uvicorn_protocol.__init__.__code__.co_names)


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_requests_and_updates_travel_in_both_encodings(subprotocol: str) -> None:
    with running() as server:
        async with server.client(subprotocol=subprotocol) as ann, server.client(subprotocol=JSON) as bob:
            for client in (ann, bob):
                assert (await client.request(type="watch", id="w", table="abcd"))["type"] == "done"
                assert (await client.receive())["type"] == "view"
            for number in range(1, 4):
                reply = await ann.request(type="say", id=f"s{number}", table="abcd", text="x" * 1_900)
                assert reply["type"] == "done"
                for client in (ann, bob):
                    assert (await client.receive())["number"] == number
        until(lambda: len(server.connections) == 0)
        assert server.services.tables.watching == {"abcd": []}


def watching(server: GatewayServer, raw: Raw, written: list[bytes]) -> Any:
    """Let a client watch a table; return its transport on the server, which records what is written."""
    raw.send(TEXT, request(type="watch", id="1", table="many"))
    for _ in range(4):
        raw.frame()
    [socket] = [subscriber._transport for subscriber in server.services.tables.watching["many"]]
    socket.transport = RecordingTransport(socket.transport, written)
    return socket


def test_frames_of_one_loop_iteration_leave_in_one_write(server: GatewayServer) -> None:
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


class RecordingTransport:
    """A TCP transport that records what is written."""

    def __init__(self, transport: Any, written: list[bytes]) -> None:
        self._transport = transport
        self._written = written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        self._written.append(data)
        self._transport.write(data)


def test_a_message_may_arrive_in_fragments_with_pings_in_between(server: GatewayServer) -> None:
    with server.raw() as raw:
        whole = request(type="watch", id="1", table="gone")
        raw.send(TEXT, whole[:5], fin=False)
        raw.send(PING, b"still there?")
        raw.send(CONT, whole[5:9], fin=False)
        raw.send(CONT, whole[9:])
        answers = [raw.frame() for _ in range(4)]
        assert (10, b"still there?") in answers
        assert b"no_such_table" in answers[-1][1]


def test_the_byte_stream_may_be_split_anywhere(server: GatewayServer) -> None:
    """Short and long messages, fragments and pings give the same replies however the stream is split."""
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
                connection._transport.data_received(stream[:cut])
                connection._transport.data_received(stream[cut:])

            server.call(receive)
            pongs, ids = [], []
            while len(ids) < 3 or b"there" not in pongs:
                kind, data = raw.frame()
                if kind == PONG:
                    pongs.append(data)
                else:
                    ids.append(data.split(b'"id":"')[1].split(b'"')[0])
            # RFC 6455, 5.5.3: of two pings that arrive together, the first needs no pong.
            assert pongs in ([b"here", b"there"], [b"there"])
            assert ids == [b"short", b"long", b"parted"]
        until(lambda: len(server.connections) == 0)


def scrambled(opcode: int, data: bytes, fin: bool = True) -> bytes:
    """Return a client frame whose mask changes every byte."""
    head, mask = masked(opcode, data, fin)[: -4 - len(data)], b"\x11\x22\x33\x44"
    return head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))


def test_many_messages_in_one_write_all_get_a_reply(server: GatewayServer) -> None:
    with server.raw() as raw:
        raw.socket.sendall(b"".join(masked(TEXT, request(type="fly", id=str(n))) for n in range(150)))
        raw.frame(), raw.frame()
        ids = [raw.frame()[1].split(b'"id":"')[1].split(b'"')[0] for _ in range(150)]
        assert ids == [str(n).encode() for n in range(150)]


def test_an_exception_closes_only_its_own_connection(server: GatewayServer, caplog: pytest.LogCaptureFixture) -> None:
    with server.raw() as bad, server.raw() as good:
        bad.send(TEXT, request(type="start", id="1", table="boom"))
        assert bad.close_code() == 1011
        good.send(TEXT, request(type="start", id="1", table="abcd"))
        assert b'"done"' in [good.frame() for _ in range(3)][-1][1]


def test_a_transport_that_fails_does_not_affect_others(server: GatewayServer) -> None:
    with server.raw() as bad, server.raw() as good:
        for raw in (bad, good):
            raw.send(TEXT, request(type="watch", id="1", table="weak"))
            assert b'"view"' in [raw.frame() for _ in range(4)][-1][1]

        def publish() -> None:
            first = server.services.tables.watching["weak"][0]._transport
            first.transport = FailingTransport(first.transport)
            server.services.tables.publish("weak", {})

        server.call(publish)
        assert b'"update"' in good.frame()[1]
        until(lambda: len(server.services.tables.watching["weak"]) == 1)


class FailingTransport:
    """A TCP transport that cannot write."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        raise RuntimeError("broken")


def test_a_close_frame_of_the_client_is_echoed(server: GatewayServer) -> None:
    before = server.connections.counters.closed["1001"]
    with server.raw() as raw:
        raw.send(CLOSE, b"\x03\xe9")
        assert raw.close_code() == 1001
    until(lambda: server.connections.counters.closed["1001"] == before + 1)


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


def test_pending_frames_are_not_sent_after_the_echoed_close_frame(server: GatewayServer) -> None:
    with server.raw() as raw:
        raw.send(TEXT, request(type="watch", id="1", table="left"))
        for _ in range(4):
            raw.frame()

        def publish_and_receive_close() -> list[bytes]:
            [socket] = [subscriber._transport for subscriber in server.services.tables.watching["left"]]
            written: list[bytes] = []
            socket.transport = RecordingTransport(socket.transport, written)
            server.services.tables.publish("left", {})
            socket.data_received(masked(CLOSE, b"\x03\xe8"))
            socket.flush()
            return written

        assert server.call(publish_and_receive_close) == [b"\x88\x02\x03\xe8"]
        assert raw.close_code() == 1000


def test_a_peer_that_never_answers_a_close_frame_is_dropped(server: GatewayServer) -> None:
    count = len(server.connections)
    with server.raw() as raw:
        raw.send(BINARY, b"wrong kind")
        until(lambda: len(server.connections) == count)


def test_a_closed_websocket_is_freed_without_the_garbage_collector(server: GatewayServer) -> None:
    gc.collect()
    gc.disable()
    try:
        with server.raw() as raw:
            raw.frame(), raw.frame()
            [websocket] = [weakref.ref(connection._transport) for connection in server.connections]
            parser = weakref.ref(websocket().conn)  # type: ignore[union-attr]
        until(lambda: len(server.connections) == 0)
        until(lambda: websocket() is None and parser() is None)
    finally:
        gc.enable()
