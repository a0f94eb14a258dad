"""Security headers on every response."""

from __future__ import annotations

import httpx
import pytest

from server.gateway.http.headers import content_security_policy
from tests.gateway.gateway_server import GatewayServer

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.mark.parametrize("path", ["/", "/healthz", "/metrics", "/nothing.js", "/api/session", "/api/none", "/socket"])
async def test_every_response_has_the_security_headers(
    server: GatewayServer, browser: httpx.AsyncClient, path: str
) -> None:
    answer = await browser.get(path)
    assert HEADERS.items() <= dict(answer.headers).items()
    assert "camera=()" in answer.headers["permissions-policy"]
    assert f"connect-src 'self' ws://127.0.0.1:{server.port};" in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "server" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"


def test_a_host_with_special_characters_is_not_copied_into_the_policy() -> None:
    assert "connect-src 'self';" in content_security_policy("evil.example; script-src *", False, ())
    assert "connect-src 'self' wss://play.example;" in content_security_policy("x", True, ["https://play.example"])


@pytest.mark.parametrize(
    "path",
    ["/", "/g/k3xq7m2p", "/g/k3xq7m2p?step=3", "/g/k3xq7m2p?embedded", "/g/k3xq7m2p/?embed", "/g/k3xq7m2p/x?embed"],
)
async def test_no_other_page_may_be_framed(browser: httpx.AsyncClient, path: str) -> None:
    policy = (await browser.get(path)).headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("path", ["/?embed", "/t/k3xq7m2p?embed", "/you?embed", "/api/session?embed", "/g/x?embed"])
async def test_the_word_in_a_query_opens_no_other_page(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(path)
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("query", ["embed", "step=57&embed", "embed=1&eyes=2", "embed="])
async def test_an_embedded_replay_may_be_framed_and_reaches_finished_games_alone(
    server: GatewayServer, browser: httpx.AsyncClient, query: str
) -> None:
    """So a frame on another site can begin no session, and connect to no websocket."""
    answer = await browser.get(f"/g/k3xq7m2p?{query}")
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors *;" in policy
    assert f"connect-src http://127.0.0.1:{server.port}/api/games/;" in policy
    assert "ws:" not in policy
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "set-cookie" not in answer.headers


def test_the_policy_of_an_embedded_replay_names_the_configured_origins() -> None:
    policy = content_security_policy("x", True, ["https://play.example"], is_embedded=True)
    assert "connect-src https://play.example/api/games/;" in policy
    assert "connect-src 'none';" in content_security_policy("evil.example; script-src *", False, (), is_embedded=True)
