"""Health and metrics: what everybody may read, and what the operator reads."""

from __future__ import annotations

import random
from typing import get_args

import httpx
import pytest

from protocol.codes import REFUSALS
from protocol.messages import AnyRequest
from server.gateway.metrics import PAGE_SECONDS, SAMPLE, SAMPLED_LABEL, Counters, Metrics
from tests.gateway.gateway_server import GatewayServer, running

TOKEN = "a token of the operator".replace(" ", "-")


async def test_health_shows_the_state_of_the_server(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ok": True,
        "version": "1.2.3",
        "build": "plain",
        "store": "ok",
        "since": "2026-01-01T00:00:00+00:00",
        "draining": False,
        "durability": "full",
        "workers": 1,
    }


async def test_the_operator_sees_more_of_the_health(server: GatewayServer, browser: httpx.AsyncClient) -> None:
    public = (await browser.get("/healthz")).json()
    async with server.client(), httpx.AsyncClient(base_url=server.operator_http, trust_env=False) as operator:
        assert (await operator.get("/healthz")).json() == public | {"tables": 0, "connections": 1}


async def test_metrics_are_not_on_the_public_port(server: GatewayServer, browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/metrics")
    assert answer.status_code == (await browser.get("/nowhere")).status_code == 404
    assert "sanfrancisco" not in answer.text


async def test_metrics_count_without_names_or_secrets() -> None:
    with running() as server:
        token = server.user("Zebedee")
        async with server.client(token) as client:
            await client.request(type="start", id="1", table="secrettable")
            await client.request(type="start", id="2")
            async with httpx.AsyncClient(base_url=server.operator_http, trust_env=False) as operator:
                page = (await operator.get("/metrics")).text
                assert (await operator.get("/nowhere")).status_code == 404
    assert "sanfrancisco_connections 1.0" in page
    assert 'sanfrancisco_requests_total{type="start"} 1.0' in page
    assert 'sanfrancisco_refusals_total{code="malformed"} 1.0' in page
    assert "sanfrancisco_loop_lag_seconds_bucket" in page
    for secret in ("Zebedee", "secrettable", token):
        assert secret not in page


@pytest.mark.parametrize(
    "headers, status",
    [
        ({}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": "Bearer \xfe"}, 401),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
        ({"Authorization": f"bearer {TOKEN}", "Host": "metrics.example"}, 200),
    ],
)
async def test_where_a_token_is_set_the_operator_must_send_it(headers: dict[str, str], status: int) -> None:
    with running(metrics_token=TOKEN) as server:
        encoded = {name: value.encode("latin-1") for name, value in headers.items()}
        async with httpx.AsyncClient(base_url=server.operator_http, trust_env=False) as operator:
            for path in ("/metrics", "/healthz"):
                answer = await operator.get(path, headers=encoded)  # type: ignore[arg-type]  # bytes are accepted
                assert answer.status_code == status
                assert ("www-authenticate" in answer.headers) == (status == 401)
            answer = await operator.get("/nowhere", headers=encoded)  # type: ignore[arg-type]
            assert answer.status_code == (401 if status == 401 else 404)


@pytest.mark.parametrize(
    "host, status",
    [("127.0.0.1:9000", 200), ("localhost", 200), ("[::1]:9000", 200), ("evil.example", 403), ("127.0.0.1.x", 403)],
)
async def test_a_foreign_page_cannot_reach_the_metrics_by_a_name_of_its_own(
    server: GatewayServer, host: str, status: int
) -> None:
    async with httpx.AsyncClient(base_url=server.operator_http, trust_env=False) as operator:
        assert (await operator.get("/metrics", headers={"Host": host})).status_code == status


def test_the_page_is_made_anew_at_most_every_few_seconds() -> None:
    now = 0.0
    counters = Counters()
    metrics = Metrics(counters, {}, lambda: now)
    first = metrics.page()
    counters.count_request("ping")
    now = PAGE_SECONDS - 0.1
    assert metrics.page() == first
    now = PAGE_SECONDS
    assert b'requests_total{type="ping"} 1.0' in metrics.page()


class FixedRandom(random.Random):
    """A random source with one number."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self._value = value

    def random(self) -> float:
        return self._value


@pytest.mark.parametrize(
    "kind",
    ["decide", "seal", "unseal", "set_orders", "undo", "look_ahead", "hint", "say", "watch", "vote", "a new one"],
)
def test_requests_within_a_game_are_sampled(kind: str) -> None:
    unsampled, sampled = Counters(FixedRandom(1 / SAMPLE)), Counters(FixedRandom(0.99 / SAMPLE))
    for counters in (unsampled, sampled):
        counters.count_request(kind)
        counters.count_refused("illegal_choice")
        counters.count_dropped()
    # Not even a label appears.
    assert Metrics(unsampled, {}, lambda: 0.0).page() == Metrics(Counters(), {}, lambda: 0.0).page()
    assert (sampled.requests, sampled.refused, sampled.dropped) == (
        {SAMPLED_LABEL: SAMPLE},
        {SAMPLED_LABEL: SAMPLE},
        SAMPLE,
    )


def test_sampled_counters_are_right_on_average() -> None:
    counters = Counters(random.Random(5))
    for _ in range(100_000):
        counters.count_request("decide")
    assert abs(counters.requests[SAMPLED_LABEL] - 100_000) < 10_000


def test_only_requests_and_refusals_outside_of_games_are_counted_exactly() -> None:
    counters = Counters(FixedRandom(1.0))
    for request in get_args(get_args(AnyRequest)[0]):
        [kind] = get_args(request.model_fields["type"].annotation)
        counters.count_request(kind)
    for code in REFUSALS:
        counters.count_refused(code)
    assert not counters.requests.keys() & {
        "decide", "seal", "unseal", "undo", "look_ahead", "look_back", "hint", "say", "watch", "unwatch", "read_log",
        "set_orders", "vote", "resign", "return_to_seat", "mute", "play_again",
    }  # fmt: skip
    assert not counters.refused.keys() & {
        "stale_decision", "not_awaited", "not_undoable", "not_foreseeable", "malformed_command", "not_offered",
        "illegal_choice", "game_over", "paused", "no_hints", "not_stood_in", "no_such_step", "not_following",
        "no_orders", "bad_order", "stale_orders",
    }  # fmt: skip
    assert counters.requests["ping"] == counters.refused["storage_failed"] == 1
