"""Who is let in, over real sockets and by the judgement alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.gateway.limits import Limits, Rate
from server.gateway.websocket.handshake import credentials_of, has_good_host, has_good_origin
from tests.gateway.gateway_server import JSON, MSGPACK, PLENTY, ROOMY, GatewayServer, running, until


async def status(server: GatewayServer, headers: dict[str, str], path: str = "/socket", subprotocol: str = JSON) -> int:
    """Try a handshake, and give the status that refused it, or 101."""
    try:
        async with connect(
            f"ws://127.0.0.1:{server.port}{path}",
            additional_headers=headers,
            subprotocols=[subprotocol],  # type: ignore[list-item]
            proxy=None,
            compression=None,
        ):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def origin(server: GatewayServer) -> str:
    return f"http://127.0.0.1:{server.port}"


async def test_a_page_of_ours_with_a_cookie_is_let_in(server: GatewayServer) -> None:
    assert await status(server, {"Cookie": f"sid={server.user()}", "Origin": origin(server)}) == 101


@pytest.mark.parametrize(
    "foreign",
    [
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:{port}.evil.example",
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}",
        "null",
        "",
    ],
)
async def test_a_foreign_page_is_refused_whatever_it_brings(server: GatewayServer, foreign: str) -> None:
    token = server.user()
    page = foreign.format(port=server.port)
    assert await status(server, {"Cookie": f"sid={token}", "Origin": page}) == 403
    assert await status(server, {"Authorization": f"Bearer {token}", "Origin": page}) == 403


async def test_without_an_origin_a_cookie_does_not_count_and_a_bearer_token_does(server: GatewayServer) -> None:
    token = server.user()
    assert await status(server, {"Cookie": f"sid={token}"}) == 403
    assert await status(server, {"Authorization": f"Bearer {token}"}) == 101


async def test_without_a_session_there_is_no_connection(server: GatewayServer) -> None:
    assert await status(server, {"Origin": origin(server)}) == 401
    assert await status(server, {"Origin": origin(server), "Cookie": "sid=wrong"}) == 401
    assert await status(server, {"Authorization": "Bearer wrong"}) == 401
    assert await status(server, {"Authorization": f"Basic {server.user()}"}) == 403
    assert await status(server, {"Authorization": f"Bearer {'x' * 5_000}", "Origin": origin(server)}) == 401


async def test_over_plain_http_the_cookie_of_tls_does_not_count(server: GatewayServer) -> None:
    assert await status(server, {"Cookie": f"__Host-sid={server.user()}", "Origin": origin(server)}) == 401


async def test_there_is_one_websocket_and_it_is_not_elsewhere(server: GatewayServer) -> None:
    assert await status(server, {"Authorization": f"Bearer {server.user()}"}, path="/elsewhere") in (403, 404)


@pytest.mark.parametrize("offered", ["sanfrancisco.2.json", "sanfrancisco.0.msgpack", "chess"])
async def test_an_unknown_version_is_told_to_upgrade(server: GatewayServer, offered: str) -> None:
    names: Any = [offered] if offered.startswith("sanfrancisco") else None
    headers = {"Authorization": f"Bearer {server.user()}"}
    async with connect(
        f"ws://127.0.0.1:{server.port}/socket", additional_headers=headers, subprotocols=names, proxy=None
    ) as connection:
        async with asyncio.timeout(5):
            await connection.wait_closed()
        assert connection.close_code == 4426
        assert "reload" in (connection.close_reason or "")
        assert connection.subprotocol == (names[0] if names else None)
    assert len(server.connections) == 0


async def test_compression_is_never_agreed_on(server: GatewayServer) -> None:
    headers = {"Authorization": f"Bearer {server.user()}"}
    names: Any = [MSGPACK]
    async with connect(
        f"ws://127.0.0.1:{server.port}/socket", additional_headers=headers, subprotocols=names, proxy=None
    ) as connection:
        assert connection.response is not None
        assert "Sec-WebSocket-Extensions" not in connection.response.headers


async def test_an_address_may_only_try_so_often() -> None:
    limits = Limits(handshakes=Rate(1, 60, burst=3))
    with running(limits=limits) as server:
        token = server.user()
        tries = [await status(server, {"Authorization": f"Bearer {token}"}) for _ in range(5)]
        assert tries == [101, 101, 101, 429, 429]
        assert server.connections.counts.handshakes_refused["handshakes"] == 2


async def test_a_user_has_so_many_connections_and_another_may_still_come() -> None:
    limits = Limits(connections_per_user=2, handshakes=PLENTY)
    with running(limits=limits) as server:
        token = server.user()
        async with server.client(token), server.client(token):
            assert await status(server, {"Authorization": f"Bearer {token}"}) == 429
            assert await status(server, {"Authorization": f"Bearer {server.user()}"}) == 101
        until(lambda: len(server.connections) == 0)
        assert await status(server, {"Authorization": f"Bearer {token}"}) == 101


async def test_a_full_server_says_so_with_a_code() -> None:
    with running(limits=Limits(connections=1, handshakes=PLENTY)) as server:
        async with server.client():
            headers = {"Authorization": f"Bearer {server.user()}"}
            names: Any = [JSON]
            async with connect(
                f"ws://127.0.0.1:{server.port}/socket", additional_headers=headers, subprotocols=names, proxy=None
            ) as connection:
                async with asyncio.timeout(5):
                    await connection.wait_closed()
                assert connection.close_code == 1013


async def test_a_server_that_was_told_its_origins_believes_nothing_else() -> None:
    with running(limits=ROOMY, origins=("https://play.example",), forwarded_from=("127.0.0.1",)) as server:
        token = server.user()
        good = {
            "Host": "play.example",
            "X-Forwarded-Proto": "https",
            "Origin": "https://play.example",
            "Cookie": f"__Host-sid={token}",
        }
        assert await status_raw(server, good) == 101
        assert await status_raw(server, {**good, "Host": "evil.example"}) == 403
        assert await status_raw(server, {**good, "Origin": "https://evil.example"}) == 403
        assert await status_raw(server, {**good, "Origin": "http://play.example"}) == 403


async def test_forwarded_headers_of_strangers_are_not_believed() -> None:
    limits = Limits(handshakes=Rate(1, 60, burst=1))
    with running(limits=limits, forwarded_from=("192.0.2.1",)) as server:
        token = server.user()
        headers = {"Authorization": f"Bearer {token}"}
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.1"}) == 101
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.2"}) == 429


async def test_forwarded_headers_of_the_own_proxy_are_believed() -> None:
    limits = Limits(handshakes=Rate(1, 60, burst=1))
    with running(limits=limits, forwarded_from=("127.0.0.1",)) as server:
        headers = {"Authorization": f"Bearer {server.user()}"}
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.1"}) == 101
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.2"}) == 101
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.2"}) == 429


async def test_who_leaves_during_the_handshake_leaves_nothing_behind(
    server: GatewayServer, caplog: pytest.LogCaptureFixture
) -> None:
    left = server.connections.counts.handshakes_refused["left"]
    token = server.user()
    server.call(server.services.identity.gate.clear)
    try:
        assert await status_raw(server, {"Host": "here", "Authorization": f"Bearer {token}"}, wait=False) is None
        await asyncio.sleep(0.1)
    finally:
        server.call(server.services.identity.gate.set)
    until(lambda: server.connections.counts.handshakes_refused["left"] == left + 1)
    assert len(server.connections) == 0
    assert caplog.text == ""


async def test_refusals_are_all_counted_and_logged_once_for_each_address(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"), running() as server:
        for _ in range(5):
            assert await status(server, {"Authorization": "Bearer wrong"}) == 401
        assert server.connections.counts.handshakes_refused["session"] == 5
    refused = [record for record in caplog.records if record.message == "handshake refused"]
    assert [(vars(record)["reason"], vars(record)["address"]) for record in refused] == [("session", "127.0.0.1")]


async def test_a_refused_handshake_carries_the_headers_too(server: GatewayServer) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{server.port}/socket", proxy=None)
    headers = refused.value.response.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in headers["Content-Security-Policy"]


async def test_when_the_session_cannot_be_looked_up_the_client_may_come_again(server: GatewayServer) -> None:
    headers = {"Authorization": f"Bearer {server.user()}"}
    server.services.identity.fails = True
    try:
        assert await status(server, headers) == 503
    finally:
        server.services.identity.fails = False


async def status_raw(server: GatewayServer, headers: dict[str, str], wait: bool = True) -> int | None:
    """Try a handshake with exactly these headers, the host among them."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    lines = [
        "GET /socket HTTP/1.1",
        *(f"{name}: {value}" for name, value in headers.items()),
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: {JSON}",
        "\r\n",
    ]
    writer.write("\r\n".join(lines).encode())
    await writer.drain()
    first = await reader.readline() if wait else b""
    writer.close()
    await writer.wait_closed()
    return int(first.split()[1]) if wait else None


# -- the judgement alone --------------------------------------------------------------------------------------


def arriving(scheme: str = "http", **headers: str) -> HTTPConnection:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "scheme": scheme, "headers": raw, "path": "/", "query_string": b""})


def test_two_origins_are_one_too_many() -> None:
    twice = HTTPConnection(
        {"type": "http", "scheme": "http", "headers": [(b"host", b"a"), (b"origin", b"http://a"), (b"origin", b"x")]}
    )
    assert not has_good_origin(twice, (), is_needed=True)


def test_the_host_matters_only_if_the_server_was_told_its_own() -> None:
    assert has_good_host(arriving(host="anything"), ())
    assert has_good_host(arriving(host="play.example:8443"), ("https://play.example:8443",))
    assert not has_good_host(arriving(host="play.example"), ("https://play.example:8443",))
    assert not has_good_host(arriving(), ("https://play.example",))


def test_a_bearer_token_goes_before_a_cookie() -> None:
    found = credentials_of(arriving(authorization="bearer abc", cookie="sid=def"))
    assert found is not None
    assert (found.token, found.is_bearer) == ("abc", True)


def test_each_scheme_has_its_cookie() -> None:
    cookies = "sid=plain; __Host-sid=secure"
    over_tls, over_http = (
        credentials_of(arriving("wss", cookie=cookies)),
        credentials_of(arriving("ws", cookie=cookies)),
    )
    assert over_tls is not None
    assert over_http is not None
    assert (over_tls.token, over_http.token) == ("secure", "plain")
