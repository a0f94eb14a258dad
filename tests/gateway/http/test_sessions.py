"""Beginning a session over HTTP: cookies, tokens, codes and refusals."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from server.gateway.http import api_requests, sign_ins
from server.gateway.limits import Limits
from server.lobby.identity import Identity
from server.rate_limit import Rate
from server.store.memory import MemoryKeyValueStore
from tests.gateway.gateway_server import GatewayServer, running, until


def cookie_of(answer: httpx.Response, name: str) -> dict[str, str]:
    cookies = SimpleCookie(answer.headers["set-cookie"])
    assert list(cookies) == [name]
    return {"value": cookies[name].value, **{key: str(value) for key, value in cookies[name].items() if value}}


async def test_a_new_guest_gets_a_cookie_that_scripts_and_foreign_pages_cannot_use(
    server: GatewayServer, browser: httpx.AsyncClient
) -> None:
    answer = await browser.post("/api/session")
    assert answer.status_code == 200
    assert answer.json() == {"user": {"id": answer.json()["user"]["id"], "name": "Guest", "handle": None}}
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
    assert answer.json() == {"user": {"id": user.id, "name": "Ann", "handle": None}}
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
    monkeypatch.setattr(api_requests, "_BODY_TIMEOUT", 0.3)
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as peer:
        peer.sendall(b"POST /api/session/code HTTP/1.1\r\nHost: here\r\nContent-Length: 30\r\n\r\n{")
        assert peer.recv(65_536).startswith(b"HTTP/1.1 400")


def test_new_guests_are_limited_by_address() -> None:
    with running(limits=Limits(sessions=Rate(1, 60, burst=2))) as server:
        answers = [httpx.post(f"{server.http}/api/session", trust_env=False) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].json()["code"] == "too_fast"
    assert 55 < int(answers[-1].headers["retry-after"]) < 65


def test_known_sessions_do_not_count_against_the_address_but_against_their_user() -> None:
    limits = Limits(sessions=Rate(1, 3_600, burst=1), failures=Rate(1, 3_600, burst=1), handshakes=Rate(1, 60, burst=2))
    with running(limits=limits) as server:
        for token in [server.user() for _ in range(3)]:
            headers = {"Authorization": f"Bearer {token}"}
            answers = [httpx.post(f"{server.http}/api/session", headers=headers, trust_env=False) for _ in range(3)]
            assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_a_session_that_has_ended_is_replaced_by_a_guest_within_the_limit() -> None:
    with running(limits=Limits(sessions=Rate(1, 3_600, burst=2))) as server:
        headers = {"Authorization": "Bearer ended"}
        answers = [httpx.post(f"{server.http}/api/session", headers=headers, trust_env=False) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_a_club_of_200_newcomers_gets_its_sessions_at_once() -> None:
    with running(limits=Limits()) as server:
        with httpx.Client(trust_env=False) as client:
            statuses = []
            for _ in range(200):
                client.cookies.clear()
                statuses.append(client.post(f"{server.http}/api/session").status_code)
        assert statuses == [200] * 200


NO_0_AND_1 = str.maketrans("01", "XY")
"""Codes have no characters that look like others."""


def redeem(server: GatewayServer, code: str, address: str = "203.0.113.1") -> int:
    headers = {"X-Forwarded-For": address}
    answer = httpx.post(f"{server.http}/api/session/code", json={"code": code}, headers=headers, trust_env=False)
    return answer.status_code


def test_wrong_codes_are_limited_by_address_and_right_ones_are_not() -> None:
    with running(limits=Limits(codes=Rate(1, 3_600, burst=3)), forwarded_from=("127.0.0.1",)) as server:
        identity = server.services.identity
        for _ in range(5):
            server.call(lambda: identity.codes.update({"RIGHT": identity.add("Ann")[0]}))
            assert redeem(server, "RIGHT") == 200
        assert [redeem(server, "WRONG") for _ in range(5)] == [403, 403, 403, 429, 429]
        assert server.connections.counters.limited["codes"] == 2
        server.call(lambda: identity.codes.update({"RIGHT": identity.add("Ann")[0]}))
        assert redeem(server, "RIGHT") == 429
        assert redeem(server, "RIGHT", "203.0.113.2") == 200


async def test_codes_of_one_address_that_are_looked_up_at_once_are_bounded() -> None:
    with running(limits=Limits(codes=Rate(1, 3_600, burst=1))) as server:
        identity = server.services.identity
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as client:

            async def guess() -> int:
                return (await client.post("/api/session/code", json={"code": "WRONG"})).status_code

            server.call(identity.gate.clear)
            try:
                waiting = [asyncio.create_task(guess()) for _ in range(sign_ins.MAX_CHECKING)]
                await asyncio.to_thread(until, lambda: identity.waiting == sign_ins.MAX_CHECKING)
                assert await guess() == 429
            finally:
                server.call(identity.gate.set)
            assert await asyncio.gather(*waiting) == [403] * sign_ins.MAX_CHECKING
            assert await guess() == 429


def statuses_of(server: GatewayServer, guesses: list[str]) -> set[int]:
    """Try to redeem codes from 50 addresses in turn; return the statuses of the answers."""
    with contextlib.closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as client:
        statuses = set()
        for number, guess in enumerate(guesses):
            headers = {"X-Forwarded-For": f"198.51.100.{number % 50}"}
            client.request("POST", "/api/session/code", json.dumps({"code": guess}), headers)
            answer = client.getresponse()
            answer.read()
            statuses.add(answer.status)
        return statuses


async def test_a_thousand_guesses_from_many_addresses_do_not_block_an_honest_device() -> None:
    identity = Identity(MemoryKeyValueStore(time.time))
    with running(limits=Limits(), forwarded_from=("127.0.0.1",), identity=identity) as server:
        user, _ = await identity.guest()
        code = await identity.make_code(user)
        # None has the selector of the code; guesses that have it are limited by the code itself.
        other = "A" if code[0] != "A" else "B"
        guesses = [f"{other}{number:09}".translate(NO_0_AND_1) for number in range(1_000)]
        assert await asyncio.to_thread(statuses_of, server, guesses) == {403}
        headers = {"X-Forwarded-For": "203.0.113.7"}
        async with httpx.AsyncClient(base_url=server.http, headers=headers, trust_env=False) as client:
            answer = await client.post("/api/session/code", json={"code": code})
        assert (answer.status_code, answer.json()["user"]["id"]) == (200, user.id)


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
