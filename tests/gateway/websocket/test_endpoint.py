"""Which handshakes are accepted, over real sockets."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.gateway import session_lookup
from server.gateway.limits import Limits
from server.rate_limit import Rate
from tests.gateway.gateway_server import JSON, MSGPACK, PLENTY, ROOMY, WAIT, GatewayServer, running, until


async def status(server: GatewayServer, headers: dict[str, str], path: str = "/socket", subprotocol: str = JSON) -> int:
    """Return the HTTP status of a handshake."""
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


async def test_a_page_of_ours_with_a_cookie_is_accepted(server: GatewayServer) -> None:
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
async def test_a_foreign_page_is_refused_with_any_credentials(server: GatewayServer, foreign: str) -> None:
    token = server.user()
    page = foreign.format(port=server.port)
    assert await status(server, {"Cookie": f"sid={token}", "Origin": page}) == 403
    assert await status(server, {"Authorization": f"Bearer {token}", "Origin": page}) == 403


async def test_without_an_origin_only_a_bearer_token_is_accepted(server: GatewayServer) -> None:
    token = server.user()
    assert await status(server, {"Cookie": f"sid={token}"}) == 403
    assert await status(server, {"Authorization": f"Bearer {token}"}) == 101


async def test_a_handshake_without_a_session_is_refused(server: GatewayServer) -> None:
    assert await status(server, {"Origin": origin(server)}) == 401
    assert await status(server, {"Origin": origin(server), "Cookie": "sid=wrong"}) == 401
    assert await status(server, {"Authorization": "Bearer wrong"}) == 401
    assert await status(server, {"Authorization": f"Basic {server.user()}"}) == 401
    assert await status(server, {}) == 401
    assert await status(server, {"Origin": "http://evil.example"}) == 403
    assert await status(server, {"Authorization": f"Bearer {'x' * 5_000}", "Origin": origin(server)}) == 401


async def test_the_cookie_for_tls_is_ignored_over_plain_http(server: GatewayServer) -> None:
    assert await status(server, {"Cookie": f"__Host-sid={server.user()}", "Origin": origin(server)}) == 401


async def test_a_websocket_on_another_path_is_refused(server: GatewayServer) -> None:
    assert await status(server, {"Authorization": f"Bearer {server.user()}"}, path="/elsewhere") in (403, 404)


@pytest.mark.parametrize("offered", ["sanfrancisco.2.json", "sanfrancisco.0.msgpack", "chess"])
async def test_an_unknown_protocol_version_is_closed_with_upgrade(server: GatewayServer, offered: str) -> None:
    names: Any = [offered] if offered.startswith("sanfrancisco") else None
    headers = {"Authorization": f"Bearer {server.user()}"}
    async with connect(
        f"ws://127.0.0.1:{server.port}/socket", additional_headers=headers, subprotocols=names, proxy=None
    ) as connection:
        async with asyncio.timeout(WAIT):
            await connection.wait_closed()
        assert connection.close_code == 4426
        assert "reload" in (connection.close_reason or "")
        assert connection.subprotocol == (names[0] if names else None)
    assert len(server.connections) == 0


async def test_compression_is_never_negotiated(server: GatewayServer) -> None:
    headers = {"Authorization": f"Bearer {server.user()}"}
    names: Any = [MSGPACK]
    async with connect(
        f"ws://127.0.0.1:{server.port}/socket", additional_headers=headers, subprotocols=names, proxy=None
    ) as connection:
        assert connection.response is not None
        assert "Sec-WebSocket-Extensions" not in connection.response.headers


async def test_handshakes_of_one_user_are_limited_and_others_at_the_address_are_not() -> None:
    limits = Limits(handshakes=Rate(1, 60, burst=3))
    with running(limits=limits) as server:
        token = server.user()
        tries = [await status(server, {"Authorization": f"Bearer {token}"}) for _ in range(5)]
        assert tries == [101, 101, 101, 429, 429]
        assert server.connections.counters.handshakes_refused["handshakes"] == 2
        assert await status(server, {"Authorization": f"Bearer {server.user()}"}) == 101


async def test_known_sessions_do_not_count_against_their_address() -> None:
    with running(limits=Limits(failures=Rate(1, 3_600, burst=1), lookups=Rate(1, 3_600, burst=1))) as server:
        club = [server.user() for _ in range(30)]
        assert [await status(server, {"Authorization": f"Bearer {token}"}) for token in club] == [101] * 30


async def test_handshakes_of_new_users_share_a_limit_of_their_address() -> None:
    with running(limits=Limits(new_handshakes=Rate(1, 3_600, burst=2))) as server:
        sessions = server.services.identity.sessions
        new, old = [server.user() for _ in range(3)], server.user()
        for token in new:
            sessions[token] = replace(sessions[token], has_played=False)
        tries = [await status(server, {"Authorization": f"Bearer {token}"}) for token in (*new, old)]
        assert tries == [101, 101, 429, 101]
        assert server.connections.counters.handshakes_refused["new_handshakes"] == 1


async def test_handshakes_without_a_session_count_against_the_address() -> None:
    limits = Limits(failures=Rate(1, 3_600, burst=3), lookups=Rate(1, 3_600, burst=2))
    with running(limits=limits) as server:
        wrong = {"Authorization": "Bearer wrong"}
        nothing = {"Origin": origin(server)}
        assert [await status(server, headers) for headers in (wrong, nothing, wrong)] == [401] * 3
        # Beyond the limit a few sessions are looked up nevertheless, so that a vandal locks nobody out.
        assert await status(server, nothing) == 429
        assert await status(server, wrong) == 401
        assert await status(server, {"Authorization": f"Bearer {server.user()}"}) == 101
        assert await status(server, {"Authorization": f"Bearer {server.user()}"}) == 429
        assert server.connections.counters.handshakes_refused["failures"] == 2
        # A session in the cache costs no look-up.
        token = server.user()
        server.services.identity.cached.add(token)
        assert await status(server, {"Authorization": f"Bearer {token}"}) == 101


async def test_a_refusal_says_when_to_come_again() -> None:
    with running(limits=Limits(failures=Rate(1, 30, burst=1))) as server:
        assert await status(server, {"Origin": origin(server)}) == 401
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{server.port}/socket", origin=origin(server), proxy=None)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 429
        assert 25 < int(refused.value.response.headers["Retry-After"]) <= 30


async def test_look_ups_under_way_for_one_address_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_lookup, "MAX_LOOKUPS", 3)
    with running() as server:
        identity = server.services.identity
        tokens = [server.user() for _ in range(4)]
        server.call(identity.gate.clear)
        try:
            waiting = [
                asyncio.create_task(status(server, {"Authorization": f"Bearer {token}"})) for token in tokens[:3]
            ]
            await asyncio.to_thread(until, lambda: identity.waiting == 3)
            assert await status(server, {"Authorization": f"Bearer {tokens[3]}"}) == 429
        finally:
            server.call(identity.gate.set)
        assert await asyncio.gather(*waiting) == [101] * 3
        assert await status(server, {"Authorization": f"Bearer {tokens[3]}"}) == 101


async def test_connections_of_one_user_are_limited_and_others_may_still_connect() -> None:
    limits = Limits(connections_per_user=2, handshakes=PLENTY)
    with running(limits=limits) as server:
        token = server.user()
        async with server.client(token), server.client(token):
            assert await status(server, {"Authorization": f"Bearer {token}"}) == 429
            assert await status(server, {"Authorization": f"Bearer {server.user()}"}) == 101
        until(lambda: len(server.connections) == 0)
        assert await status(server, {"Authorization": f"Bearer {token}"}) == 101


async def test_a_full_server_closes_with_overloaded() -> None:
    with running(limits=Limits(connections=1, handshakes=PLENTY)) as server:
        async with server.client():
            headers = {"Authorization": f"Bearer {server.user()}"}
            names: Any = [JSON]
            async with connect(
                f"ws://127.0.0.1:{server.port}/socket", additional_headers=headers, subprotocols=names, proxy=None
            ) as connection:
                async with asyncio.timeout(WAIT):
                    await connection.wait_closed()
                assert connection.close_code == 1013


async def test_with_configured_origins_other_hosts_and_origins_are_refused() -> None:
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


async def test_forwarded_headers_of_unknown_proxies_are_ignored() -> None:
    limits = Limits(failures=Rate(1, 60, burst=1))
    with running(limits=limits, forwarded_from=("192.0.2.1",)) as server:
        headers = {"Origin": origin(server)}
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.1"}) == 401
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.2"}) == 429


async def test_forwarded_headers_of_trusted_proxies_are_used() -> None:
    limits = Limits(failures=Rate(1, 60, burst=1))
    with running(limits=limits, forwarded_from=("127.0.0.1",)) as server:
        headers = {"Origin": origin(server)}
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.1"}) == 401
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.2"}) == 401
        assert await status(server, {**headers, "X-Forwarded-For": "203.0.113.2"}) == 429


async def test_a_client_that_leaves_during_the_handshake_leaves_nothing_behind(
    server: GatewayServer, caplog: pytest.LogCaptureFixture
) -> None:
    left = server.connections.counters.handshakes_refused["left"]
    token = server.user()
    identity = server.services.identity
    server.call(identity.gate.clear)
    try:
        _, writer = await send_handshake(server, {"Host": "here", "Authorization": f"Bearer {token}"})
        until(lambda: identity.waiting == 1)
        writer.close()
        await writer.wait_closed()
        until(lambda: not server.server.server_state.connections)
    finally:
        server.call(identity.gate.set)
    until(lambda: server.connections.counters.handshakes_refused["left"] == left + 1)
    assert len(server.connections) == 0
    assert caplog.text == ""


async def test_refusals_are_all_counted_and_logged_once_for_each_address(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"), running() as server:
        for _ in range(5):
            assert await status(server, {"Authorization": "Bearer wrong"}) == 401
        assert server.connections.counters.handshakes_refused["session"] == 5
    refused = [record for record in caplog.records if record.message == "handshake refused"]
    assert [(vars(record)["reason"], vars(record)["address"]) for record in refused] == [("session", "127.0.0.1")]


async def test_a_refused_handshake_has_the_security_headers(server: GatewayServer) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{server.port}/socket", proxy=None)
    headers = refused.value.response.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in headers["Content-Security-Policy"]


async def test_a_failed_session_lookup_is_a_temporary_refusal(server: GatewayServer) -> None:
    headers = {"Authorization": f"Bearer {server.user()}"}
    server.services.identity.fails = True
    try:
        assert await status(server, headers) == 503
    finally:
        server.services.identity.fails = False


async def status_raw(server: GatewayServer, headers: dict[str, str]) -> int:
    """Return the HTTP status of a handshake with exactly these headers, including the host."""
    reader, writer = await send_handshake(server, headers)
    status_line = await reader.readline()
    writer.close()
    await writer.wait_closed()
    return int(status_line.split()[1])


async def send_handshake(
    server: GatewayServer, headers: dict[str, str]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
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
    return reader, writer
