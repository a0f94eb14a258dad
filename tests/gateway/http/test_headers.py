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
