"""Sessions, pages, health and metrics over HTTP."""

from __future__ import annotations

import socket
import time
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from server.gateway.http import sessions
from server.gateway.http.headers import content_policy
from server.gateway.limits import Limits, Rate
from tests.gateway.gateway_server import GatewayServer, running


@pytest.fixture
async def browser(server: GatewayServer) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server.http, headers={"Origin": server.http}, trust_env=False) as client:
        yield client


def cookie_of(answer: httpx.Response, name: str) -> dict[str, str]:
    cookies = SimpleCookie(answer.headers["set-cookie"])
    assert list(cookies) == [name]
    return {"value": cookies[name].value, **{key: str(value) for key, value in cookies[name].items() if value}}


async def test_a_new_guest_gets_a_cookie_that_scripts_and_foreign_pages_cannot_use(
    server: GatewayServer, browser: httpx.AsyncClient
) -> None:
    answer = await browser.post("/api/session")
    assert answer.status_code == 200
    assert answer.json() == {"user": {"id": answer.json()["user"]["id"], "name": "Guest"}}
    cookie = cookie_of(answer, "sid")
    assert cookie.pop("value") in server.services.identity.sessions
    assert cookie == {"httponly": "True", "samesite": "strict", "path": "/", "max-age": "34560000"}


async def test_who_has_a_session_keeps_it(browser: httpx.AsyncClient) -> None:
    first = await browser.post("/api/session")
    again = await browser.post("/api/session")
    assert again.json() == first.json()
    assert cookie_of(again, "sid")["value"] == cookie_of(first, "sid")["value"]


async def test_a_program_without_an_origin_is_told_its_token(server: GatewayServer) -> None:
    async with httpx.AsyncClient(base_url=server.http, trust_env=False) as program:
        answer = (await program.post("/api/session")).json()
        assert server.services.identity.sessions[answer["token"]].id == answer["user"]["id"]


@pytest.mark.parametrize("path", ["/api/session", "/api/session/code"])
async def test_a_foreign_page_cannot_begin_a_session(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.post(path, headers={"Origin": "http://evil.example"}, json={"code": "ABCD2345"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert answer.json()["code"] == "not_allowed"


async def test_over_tls_the_cookie_belongs_to_this_host_alone() -> None:
    with running(origins=("https://play.example",), forwarded_from=("127.0.0.1",)) as server:
        headers = {"Host": "play.example", "Origin": "https://play.example", "X-Forwarded-Proto": "https"}
        async with httpx.AsyncClient(base_url=server.http, headers=headers, trust_env=False) as browser:
            answer = await browser.post("/api/session")
        cookie = cookie_of(answer, "__Host-sid")
        assert cookie["secure"] == cookie["httponly"] == "True"
        assert cookie["path"] == "/"
        assert "domain" not in cookie
        assert answer.headers["strict-transport-security"].startswith("max-age=")
        assert "wss://play.example;" in answer.headers["content-security-policy"]


async def test_a_code_makes_a_second_device_the_same_user_once(
    server: GatewayServer, browser: httpx.AsyncClient
) -> None:
    user, _ = server.call(lambda: server.services.identity.add("Ann"))
    server.services.identity.codes["ABCD2345"] = user
    answer = await browser.post("/api/session/code", json={"code": "ABCD2345"})
    assert answer.json() == {"user": {"id": user.id, "name": "Ann"}}
    assert server.services.identity.sessions[cookie_of(answer, "sid")["value"]] == user
    again = await browser.post("/api/session/code", json={"code": "ABCD2345"})
    assert (again.status_code, again.json()["code"]) == (403, "wrong_code")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"ABCD2345"',
        b'{"code":7}',
        b'{"code":"x","more":1}',
        b"[" * 1_000,
        b'{"code":"' + b"x" * 2_000 + b'"}',
    ],
)
async def test_a_body_that_is_no_code_is_refused(browser: httpx.AsyncClient, body: bytes) -> None:
    answer = await browser.post("/api/session/code", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_body_that_does_not_come_is_not_waited_for(server: GatewayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_BODY_TIMEOUT", 0.3)
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as peer:
        peer.sendall(b"POST /api/session/code HTTP/1.1\r\nHost: here\r\nContent-Length: 30\r\n\r\n{")
        begun = time.monotonic()
        assert peer.recv(65_536).startswith(b"HTTP/1.1 400")
        assert time.monotonic() - begun < 3


async def test_sessions_are_limited_by_address() -> None:
    with running(limits=Limits(sessions=Rate(1, 60, burst=2))) as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as program:
            answers = [await program.post("/api/session") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].json()["code"] == "too_fast"
    assert 55 < int(answers[-1].headers["retry-after"]) < 65


async def test_a_failure_of_storage_is_said_in_a_sentence(server: GatewayServer, browser: httpx.AsyncClient) -> None:
    server.services.identity.fails = True
    try:
        answer = await browser.post("/api/session")
    finally:
        server.services.identity.fails = False
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_failed")
    assert "secret" not in answer.text


# -- pages ----------------------------------------------------------------------------------------------------

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.mark.parametrize("path", ["/", "/healthz", "/metrics", "/nothing.js", "/api/session", "/api/none", "/socket"])
async def test_every_answer_carries_the_headers(server: GatewayServer, browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(path)
    assert HEADERS.items() <= dict(answer.headers).items()
    assert "camera=()" in answer.headers["permissions-policy"]
    assert f"connect-src 'self' ws://127.0.0.1:{server.port};" in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "server" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"


def test_a_host_with_foreign_characters_does_not_get_into_the_policy() -> None:
    assert "connect-src 'self';" in content_policy("evil.example; script-src *", False, ())
    assert "connect-src 'self' wss://play.example;" in content_policy("x", True, ["https://play.example"])


async def test_without_a_built_client_the_page_says_how_to_build_it(browser: httpx.AsyncClient) -> None:
    page = await browser.get("/")
    assert page.headers["content-type"].startswith("text/plain")
    assert "npm run build" in page.text
    assert (await browser.get("/other")).status_code == 404


async def test_the_client_is_served_and_its_hashed_files_are_kept_for_ever(tmp_path: Path) -> None:
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    (tmp_path / "dist" / "index.html").write_text("<!doctype html>the page")
    (tmp_path / "dist" / "assets" / "main-A1B2C3D4.js").write_text("run()")
    (tmp_path / "secret.txt").write_text("secret")
    with running(web=tmp_path / "dist") as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as browser:
            page = await browser.get("/")
            assert (page.status_code, page.text) == (200, "<!doctype html>the page")
            assert page.headers["cache-control"] == "no-cache"
            assert (await browser.get("/table/abcd")).text == page.text
            script = await browser.get("/assets/main-A1B2C3D4.js")
            assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert "javascript" in script.headers["content-type"]
            assert (await browser.get("/assets/gone-A1B2C3D4.js")).status_code == 404
            assert (await browser.get("/", headers={"If-None-Match": page.headers["etag"]})).status_code == 304
            assert (await browser.post("/")).status_code == 405
        for path in (b"/../secret.txt", b"/%2e%2e/secret.txt", b"/assets/..%2f..%2fsecret.txt", b"//secret.txt"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as peer:
                peer.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
                assert b"404" in peer.recv(65_536).splitlines()[0]


# -- for the operator -----------------------------------------------------------------------------------------


async def test_health_says_how_things_are(browser: httpx.AsyncClient) -> None:
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
        await client.ask(type="start", id="1", table="secrettable")
        await client.ask(type="start", id="2")
        page = (await browser.get("/metrics")).text
    assert "sanfrancisco_connections 1.0" in page
    assert 'sanfrancisco_requests_total{type="start"} 1.0' in page
    assert 'sanfrancisco_refusals_total{code="malformed"} 1.0' in page
    assert "sanfrancisco_loop_lag_seconds_bucket" in page
    for secret in ("Zebedee", "secrettable", token):
        assert secret not in page
