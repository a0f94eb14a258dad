"""Beginning a session over HTTP: cookies, tokens, codes and refusals."""

from __future__ import annotations

import socket
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from server.gateway.http import sessions
from server.gateway.limits import Limits
from server.rate_limit import Rate
from tests.gateway.gateway_server import GatewayServer, running


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


async def test_an_existing_session_is_kept(browser: httpx.AsyncClient) -> None:
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


def test_a_body_that_never_arrives_is_refused(server: GatewayServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_BODY_TIMEOUT", 0.3)
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as peer:
        peer.sendall(b"POST /api/session/code HTTP/1.1\r\nHost: here\r\nContent-Length: 30\r\n\r\n{")
        assert peer.recv(65_536).startswith(b"HTTP/1.1 400")


async def test_sessions_are_limited_by_address() -> None:
    with running(limits=Limits(sessions=Rate(1, 60, burst=2))) as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as program:
            answers = [await program.post("/api/session") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].json()["code"] == "too_fast"
    assert 55 < int(answers[-1].headers["retry-after"]) < 65


async def test_a_storage_failure_is_a_refusal_without_details(
    server: GatewayServer, browser: httpx.AsyncClient
) -> None:
    server.services.identity.fails = True
    try:
        answer = await browser.post("/api/session")
    finally:
        server.services.identity.fails = False
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_failed")
    assert "secret" not in answer.text


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/none", "/api/session/", "/api/session/code/x", "/api/%00"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "BREW"])
async def test_an_unknown_address_of_the_api_is_refused_in_json(
    browser: httpx.AsyncClient, path: str, method: str
) -> None:
    answer = await browser.request(method, path, headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert answer.json() == {"code": "no_such_address", "sentence": "There is nothing at this address."}


@pytest.mark.parametrize("path", ["/api/session", "/api/session/code"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
async def test_a_wrong_method_is_refused_with_the_right_one(browser: httpx.AsyncClient, path: str, method: str) -> None:
    answer = await browser.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert answer.text == "" if method == "HEAD" else answer.json()["code"] == "wrong_method"


async def test_other_addresses_refuse_a_wrong_method_too(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>home")
    with running(web=tmp_path) as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as program:
            for path in ("/", "/watch", "/index.html", "/healthz"):
                answer = await program.post(path)
                assert (path, answer.status_code, answer.headers["allow"]) == (path, 405, "GET, HEAD")
                head = await program.head(path)
                assert (path, head.status_code, head.content) == (path, 200, b"")
            assert (await program.post("/socket")).headers["allow"] == "GET"
            plain = await program.get("/socket")
            assert (plain.status_code, plain.headers["upgrade"]) == (426, "websocket")
