"""Heads of requests that are refused before they reach the application, over raw sockets and byte by byte."""

from __future__ import annotations

import contextlib
import logging
import socket
import time
from pathlib import Path

import h11
import pytest

from server.gateway.http import api_requests, header_timeout
from server.gateway.http.heads import MAX_HEAD_BYTES, MAX_HEADERS, MAX_LINE_BYTES, CheckedConnection
from tests.gateway.gateway_server import WAIT, GatewayServer, running, until

HOST = b"Host: here\r\n"
UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: sanfrancisco.1.json\r\n"
)


def answers(server: GatewayServer, *segments: bytes) -> bytes:
    """Return everything that the server sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as peer:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for segment in segments:
            peer.sendall(segment)
        received = b""
        while more := peer.recv(65_536):
            received += more
        return received


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def get(more: bytes = b"", target: bytes = b"/healthz", version: bytes = b"1.1") -> bytes:
    return b"GET " + target + b" HTTP/" + version + b"\r\n" + HOST + more + b"\r\n"


def post(headers: bytes, body: bytes, version: bytes = b"1.1") -> bytes:
    return b"POST /api/session/code HTTP/" + version + b"\r\n" + HOST + headers + b"\r\n" + body


def padded(size: int, more: bytes = b"") -> bytes:
    """Return a request whose head has exactly this size, in lines of an allowed length."""
    count, rest = divmod(size - len(get(more)) - 100, 1_000)
    lines = b"X-Padding: " + b"a" * 987 + b"\r\n"
    head = get(lines * count + more + b"X-Rest: " + b"a" * (rest + 100 - len(b"X-Rest: \r\n")) + b"\r\n")
    assert len(head) == size
    return head


CLOSE = b"Connection: close\r\n"


@pytest.mark.parametrize("upgrade", [b"", UPGRADE], ids=["request", "websocket"])
@pytest.mark.parametrize("size", [MAX_HEAD_BYTES + 1, 40_000, 200_000, 3_000_000])
def test_a_head_that_is_too_large_is_refused_also_if_it_arrives_at_once(
    server: GatewayServer, size: int, upgrade: bytes
) -> None:
    answer = answers(server, padded(size, upgrade))
    assert status_of(answer) == 431
    assert answer.endswith(b"The headers of this request are too large.\n")
    assert b"\r\nConnection: close\r\n" in answer


def test_a_head_of_the_maximal_size_is_accepted(server: GatewayServer) -> None:
    assert status_of(answers(server, padded(MAX_HEAD_BYTES, CLOSE))) == 200
    assert status_of(answers(server, padded(MAX_HEAD_BYTES, UPGRADE).replace(b"/healthz", b"/socket?"))) == 401


@pytest.mark.parametrize(
    "request_bytes, status",
    [
        pytest.param(get(b"X: " + b"a" * MAX_LINE_BYTES + b"\r\n"), 431, id="long line"),
        pytest.param(get(b"X: a\r\n" * MAX_HEADERS), 431, id="many headers"),
        pytest.param(get(b"X:" + b" " * 60_000 + b"\r\n"), 431, id="only spaces"),
        pytest.param(get(target=b"/" + b"a" * MAX_LINE_BYTES), 414, id="long target"),
        pytest.param(get(version=b"2.0"), 505, id="HTTP/2.0"),
        pytest.param(get(version=b"0.9"), 505, id="HTTP/0.9"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, id="TLS"),
        pytest.param(b"GET /healthz\r\n\r\n", 400, id="HTTP/0.9 without a version"),
        pytest.param(b"GET  /healthz HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="two spaces"),
        pytest.param(b"GET /healthz HTTP/1.1\r\n\r\n", 400, id="no host"),
        pytest.param(get(HOST), 400, id="two hosts"),
        pytest.param(get().replace(b"here", b"he re"), 400, id="bad host"),
        pytest.param(get().replace(b"here", b"user@here"), 400, id="host with a user"),
        pytest.param(get().replace(b"here", b"here/there"), 400, id="host with a path"),
        pytest.param(get(b"X : a\r\n"), 400, id="space before the colon"),
        pytest.param(get(b"X: a\x00b\r\n"), 400, id="NUL in a value"),
        pytest.param(get(b"X: a\rb\r\n"), 400, id="CR in a value"),
        pytest.param(get(b"X: a\r\n b\r\n"), 400, id="folded line"),
        pytest.param(get(b"X\r\n"), 400, id="no colon"),
        pytest.param(get(target=b"healthz"), 400, id="target without a slash"),
        pytest.param(get(target=b"*"), 400, id="asterisk"),
        pytest.param(b"CONNECT here:80 HTTP/1.1\r\n" + HOST + b"\r\n", 400, id="CONNECT"),
        pytest.param(get(target=b"ftp://here/healthz"), 400, id="another scheme"),
        pytest.param(get(target=b"http://user@here/healthz"), 400, id="absolute target with a user"),
        pytest.param(get(target=b"http:///healthz"), 400, id="absolute target without a host"),
        pytest.param(post(b"Content-Length: -1\r\n", b""), 400, id="negative length"),
        pytest.param(post(b"Content-Length: +2\r\n", b"{}"), 400, id="length with a sign"),
        pytest.param(post(b"Content-Length: 0x2\r\n", b"{}"), 400, id="hexadecimal length"),
        pytest.param(post(b"Content-Length: 2 2\r\n", b"{}"), 400, id="two numbers"),
        pytest.param(post(b"Content-Length: 2, 2\r\n", b"{}"), 400, id="list of lengths"),
        pytest.param(post(b"Content-Length: 2\r\nContent-Length: 2\r\n", b"{}"), 400, id="the same length twice"),
        pytest.param(post(b"Content-Length: 2\r\nContent-Length: 3\r\n", b"{}"), 400, id="two lengths"),
        pytest.param(post(b"Content-Length: " + b"9" * 30 + b"\r\n", b"{}"), 400, id="endless length"),
        pytest.param(
            post(b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"), 400, id="length and coding"
        ),
        pytest.param(
            post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"), 400, id="coding and length"
        ),
        pytest.param(post(b"Transfer-Encoding: chunked\r\n" * 2, b"0\r\n\r\n"), 400, id="coding twice"),
        pytest.param(post(b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"), 400, id="unknown coding"),
        pytest.param(post(b"Transfer-Encoding: identity\r\n", b"{}"), 400, id="identity"),
        pytest.param(post(b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n"), 400, id="two codings"),
        pytest.param(post(b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", version=b"1.0"), 400, id="HTTP/1.0 coding"),
        pytest.param(post(b"Transfer-Encoding:\r\n chunked\r\n", b"0\r\n\r\n"), 400, id="folded coding"),
        pytest.param(post(b"Transfer-Encoding: chunked\r\n", b"zz\r\n"), 400, id="bad chunk size"),
        pytest.param(post(b"Transfer-Encoding: chunked\r\n", b"2\r\n{}x\r\n0\r\n\r\n"), 400, id="bad chunk end"),
        pytest.param(post(b"Transfer-Encoding: chunked\r\n", b"2;" + b"x" * 20_000), 431, id="endless extension"),
    ],
)
@pytest.mark.parametrize("bytewise", [False, True], ids=["at once", "in pieces"])
def test_a_malformed_request_is_refused_and_is_no_error_of_the_server(
    server: GatewayServer, caplog: pytest.LogCaptureFixture, request_bytes: bytes, status: int, bytewise: bool
) -> None:
    pieces = [request_bytes[at : at + 7] for at in range(0, len(request_bytes), 7)] if bytewise else [request_bytes]
    if len(pieces) > 1_000:
        pieces = [request_bytes[:7], request_bytes[7:]]
    before = server.connections.counters.http_closed["malformed"]
    with caplog.at_level(logging.ERROR):
        assert status_of(answers(server, *pieces)) == status
    assert server.connections.counters.http_closed["malformed"] == before + 1
    assert caplog.text == ""


def test_a_handler_that_waits_for_a_malformed_body_is_ended(
    server: GatewayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_requests, "_BODY_TIMEOUT", 10 * WAIT)
    monkeypatch.setattr(header_timeout, "LINGER_SECONDS", 10 * WAIT)
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as peer:
        peer.sendall(post(b"Transfer-Encoding: chunked\r\n", b"2\r\n{}\r\n"))
        until(lambda: bool(server.server.server_state.tasks))
        peer.sendall(b"zz\r\n")
        assert status_of(peer.recv(65_536)) == 400
        until(lambda: not server.server.server_state.tasks)
        assert peer.recv(65_536) == b""


def test_a_malformed_body_after_the_response_is_no_error_of_the_server(
    server: GatewayServer, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.ERROR),
        socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as peer,
    ):
        peer.sendall(post(b"Transfer-Encoding: chunked\r\n", b"800\r\n" + b"x" * 2_048))
        assert status_of(peer.recv(65_536)) == 400
        peer.sendall(b"\r\nzz\r\n")
        with contextlib.suppress(ConnectionResetError):
            assert peer.recv(65_536) == b""
    assert caplog.text == ""


def test_a_peer_that_has_ended_its_direction_gets_its_responses(server: GatewayServer) -> None:
    for count in (1, 3):
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as peer:
            peer.sendall(get() * count)
            peer.shutdown(socket.SHUT_WR)
            received = b""
            while more := peer.recv(65_536):
                received += more
        assert received.count(b"HTTP/1.1 200 OK") == count


@pytest.mark.parametrize("target", [b"http://here/healthz", b"HTTP://here:80/healthz?x=1", b"https://here/healthz"])
def test_an_absolute_target_is_accepted(server: GatewayServer, target: bytes) -> None:
    assert status_of(answers(server, get(CLOSE, target))) == 200
    assert status_of(answers(server, get(CLOSE, b"http://here"))) == 200


def test_the_host_of_an_absolute_target_counts_and_not_the_header() -> None:
    with running(origins=("http://here",)) as server:

        def begin(target: bytes, host: bytes) -> int:
            return status_of(
                answers(server, b"POST " + target + b" HTTP/1.1\r\nHost: " + host + b"\r\n" + CLOSE + b"\r\n")
            )

        assert begin(b"/api/session", b"here") == 200
        assert begin(b"http://here/api/session", b"there") == 200
        assert begin(b"http://there/api/session", b"here") == 403


def test_pipelined_requests_are_answered_in_order(server: GatewayServer) -> None:
    paths = [b"/healthz", b"/api/none", b"/healthz", b"/nothing.js", b"/healthz"]
    pipelined = b"".join(get(target=path) for path in paths[:-1]) + get(CLOSE, paths[-1])
    for segments in ([pipelined], [pipelined[:50], pipelined[50:]]):
        received = answers(server, *segments)
        found = [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]]
        assert found == [200, 404, 200, 404, 200]


def test_a_pipelined_head_that_is_too_large_is_refused_after_the_first_response(server: GatewayServer) -> None:
    received = answers(server, get() + padded(MAX_HEAD_BYTES + 1))
    assert [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]] == [200, 431]


@pytest.mark.parametrize("sent", range(1, 80, 13))
def test_a_body_that_is_broken_off_is_no_error_of_the_server(
    server: GatewayServer, caplog: pytest.LogCaptureFixture, sent: int
) -> None:
    with caplog.at_level(logging.INFO):
        for end in ("close", "reset"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as peer:
                whole = post(b"Content-Length: 30\r\n", b'{"code": "AB')
                peer.sendall(whole[: -1 - sent // 13] if sent < 40 else whole)
                if end == "reset":
                    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        # The next response shows that the server has seen the end of the others.
        assert status_of(answers(server, get(CLOSE))) == 200
    server.call(lambda: None)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert "session failed" not in caplog.text


def test_a_refused_peer_that_goes_on_sending_is_dropped(server: GatewayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header_timeout, "LINGER_SECONDS", 0.05)
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as peer:
        peer.sendall(b"nonsense\r\n\r\n")
        assert peer.recv(65_536).startswith(b"HTTP/1.1 400")
        with contextlib.suppress(ConnectionError):
            end = time.monotonic() + WAIT
            while time.monotonic() < end:
                peer.sendall(b"more nonsense\r\n")
            pytest.fail("the server still reads")


@pytest.mark.parametrize(
    "path", [b"/%00", b"/%00.js", b"/" + b"a" * 300 + b".js", b"/assets/%2e%2e/%2e%2e/etc/passwd", b"/%ff.js", b"//x"]
)
def test_no_address_makes_an_error_of_the_server(tmp_path: Path, caplog: pytest.LogCaptureFixture, path: bytes) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>home")
    with running(web=tmp_path) as server, caplog.at_level(logging.ERROR):
        assert status_of(answers(server, get(CLOSE + b"Accept-Encoding: br, gzip\r\n", path))) == 404
        assert status_of(answers(server, get(UPGRADE, path))) == 404
    assert caplog.text == ""


def test_what_a_connection_keeps_of_a_head_is_bounded() -> None:
    connection = CheckedConnection()
    for _ in range(MAX_HEAD_BYTES):
        connection.receive_data(b"x")
        assert connection.next_event() is h11.NEED_DATA
    connection.receive_data(b"x")
    with pytest.raises(h11.RemoteProtocolError):
        connection.next_event()
    assert connection.refused_with == 431
