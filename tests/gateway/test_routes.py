"""Health and metrics, as an operator reads them."""

from __future__ import annotations

import httpx

from tests.gateway.gateway_server import GatewayServer


async def test_health_shows_the_state_of_the_server(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ok": True,
        "version": "1.2.3",
        "store": "ok",
        "tables": 0,
        "connections": 0,
        "draining": False,
        "durability": "full",
        "workers": 1,
    }


async def test_metrics_count_without_names_or_secrets(server: GatewayServer, browser: httpx.AsyncClient) -> None:
    token = server.user("Zebedee")
    async with server.client(token) as client:
        await client.request(type="start", id="1", table="secrettable")
        await client.request(type="start", id="2")
        page = (await browser.get("/metrics")).text
    assert "sanfrancisco_connections 1.0" in page
    assert 'sanfrancisco_requests_total{type="start"} 1.0' in page
    assert 'sanfrancisco_refusals_total{code="malformed"} 1.0' in page
    assert "sanfrancisco_loop_lag_seconds_bucket" in page
    for secret in ("Zebedee", "secrettable", token):
        assert secret not in page
