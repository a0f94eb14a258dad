"""The page behind the link in a mail that switches messages off, over HTTP and without a session."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from protocol.messages import NotificationRequest
from server.model import Done, Reply, User
from server.notifications.unsubscribe_page import POLICY, unsubscribe_page
from tests.gateway.gateway_server import GatewayServer, running


class Links:
    """Knows one link, and notes what it does."""

    def __init__(self) -> None:
        self.acts: list[bool] = []

    async def answer(self, user: User, token: str, origin: str, request: NotificationRequest) -> Reply:
        return Done()

    async def unsubscribe_page(self, token: str, *, acts: bool) -> tuple[int, str, str]:
        if token == "broken":
            raise OSError("disc full at secret-place")
        if token != "u.ada~mail-1~mac":
            return 404, unsubscribe_page("en", "wrong"), POLICY
        self.acts.append(acts)
        return 200, unsubscribe_page("de", "done" if acts else "ask"), POLICY


@pytest.fixture(scope="module")
def links() -> Links:
    return Links()


@pytest.fixture(scope="module")
def site(links: Links) -> Iterator[GatewayServer]:
    with running(notifications=links) as server:
        yield server


GOOD = "/notifications/off/u.ada~mail-1~mac"


async def answer(site: GatewayServer, method: str, path: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=site.http, headers=headers, trust_env=False) as client:
        return await client.request(method, path)


async def test_opening_the_link_only_asks(site: GatewayServer, links: Links) -> None:
    links.acts.clear()
    page = await answer(site, "GET", GOOD)
    assert (page.status_code, links.acts) == (200, [False])
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-store"
    assert '<form method="post"><button>Abschalten</button></form>' in page.text
    assert "set-cookie" not in page.headers


async def test_the_button_acts_from_anywhere_without_a_session(site: GatewayServer, links: Links) -> None:
    links.acts.clear()
    for origin in (site.http, "https://mail.example", "null"):
        done = await answer(site, "POST", GOOD, Origin=origin)
        assert done.status_code == 200
        assert "Abgeschaltet" in done.text
        assert "<button>" not in done.text
    assert links.acts == [True] * 3


async def test_the_page_may_run_no_script_and_send_its_own_form_only(site: GatewayServer) -> None:
    page = await answer(site, "GET", GOOD)
    policy = page.headers["content-security-policy"]
    assert policy == POLICY
    assert "default-src 'none'" in policy
    assert "form-action 'self'" in policy
    assert "script-src" not in policy
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["x-content-type-options"] == "nosniff"


async def test_a_forged_link_is_not_found(site: GatewayServer, links: Links) -> None:
    links.acts.clear()
    for method in ("GET", "POST"):
        assert (await answer(site, method, "/notifications/off/u.ada~mail-1~forged")).status_code == 404
    assert links.acts == []


async def test_a_failure_says_nothing_of_its_cause(site: GatewayServer) -> None:
    failed = await answer(site, "POST", "/notifications/off/broken")
    assert failed.status_code == 503
    assert "secret-place" not in failed.text


async def test_other_methods_are_refused(site: GatewayServer) -> None:
    refused = await answer(site, "DELETE", GOOD)
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, POST")
