"""Finished games over HTTP: the status of every refusal, and what is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from protocol.messages import GetGame
from server.gateway.http import games
from server.gateway.limits import Limits
from server.gateway.services import NO_FILES, NO_HISTORY
from server.model import Done, Refused, Reply, User
from server.rate_limit import Rate
from tests.gateway.gateway_server import GatewayServer, running

FORGED = {"Origin": "http://evil.example"}


class FakeHistory:
    """Answers `get_game`: with `reply`, with the exception that it is, or never."""

    def __init__(self) -> None:
        self.reply: Reply | Exception | None = None
        self.asked: list[tuple[User, Any]] = []

    async def answer(self, user: User, request: Any) -> Reply:
        self.asked.append((user, request))
        if self.reply is None:
            await asyncio.sleep(60)
        if isinstance(self.reply, Exception):
            raise self.reply
        assert self.reply is not None
        return self.reply


class FakeFiles:
    """Logs of games: `fails` makes every call fail."""

    def __init__(self) -> None:
        self.fails = False
        self.imported: list[bytes] = []

    async def download(self, user: User, table: str, key: str | None) -> str | Refused:
        if self.fails:
            raise OSError("disc full at secret-place")
        return f"log of {table} for {user.id}\n"

    async def transcript(self, user: User, table: str, key: str | None) -> str | Refused:
        if self.fails:
            raise OSError("disc full at secret-place")
        return Refused("wrong_phase", "A sentence.") if table == "running" else f'{{"{table}":"{user.id}"}}\n'

    async def import_log(self, user: User, text: bytes) -> Reply:
        if self.fails:
            raise OSError("disc full at secret-place")
        self.imported.append(text)
        return Done({"table": "new1", "key": "k"})


@pytest.fixture
def history(server: GatewayServer) -> Iterator[FakeHistory]:
    made = FakeHistory()
    server.connections.services = replace(server.connections.services, history=made)
    yield made
    server.connections.services = replace(server.connections.services, history=NO_HISTORY)


@pytest.fixture
def files(server: GatewayServer) -> Iterator[FakeFiles]:
    made = FakeFiles()
    server.connections.services = replace(server.connections.services, files=made)
    yield made
    server.connections.services = replace(server.connections.services, files=NO_FILES)


@pytest.mark.parametrize(
    "code, status",
    [
        ("no_such_game", 404),
        ("no_such_table", 404),
        ("no_such_step", 404),
        ("no_spectators", 403),
        ("wrong_phase", 409),
        ("table_unavailable", 500),
        ("busy", 503),
        ("storage_failed", 503),
    ],
)
async def test_a_refusal_has_its_status(
    browser: httpx.AsyncClient, history: FakeHistory, code: str, status: int
) -> None:
    history.reply = Refused(code, "A sentence.")
    answer = await browser.get("/api/games/table1")
    assert (answer.status_code, answer.json()) == (status, {"code": code, "sentence": "A sentence."})
    assert ("retry-after" in answer.headers) is (status == 503)


async def test_a_game_is_read_as_nobody(browser: httpx.AsyncClient, history: FakeHistory) -> None:
    history.reply = Done({"game": {}})
    assert (await browser.get("/api/games/table1", params={"key": "k1"})).json() == {"game": {}}
    [(user, request)] = history.asked
    assert (user, request) == (games.ANONYMOUS, GetGame(type="get_game", id="http", table="table1", key="k1"))


async def test_a_failure_is_no_secret_and_a_late_reply_is_busy(
    browser: httpx.AsyncClient, history: FakeHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.reply = OSError("disc full at secret-place")
    answer = await browser.get("/api/games/table1")
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_failed")
    assert "secret-place" not in answer.text
    monkeypatch.setattr(games, "_REPLY_TIMEOUT", 0.1)
    history.reply = None
    answer = await browser.get("/api/games/table1")
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")


async def test_a_foreign_page_reads_and_imports_nothing_and_is_counted(
    server: GatewayServer, browser: httpx.AsyncClient, files: FakeFiles
) -> None:
    before = server.connections.counters.handshakes_refused["origin"]
    for method, path in (("GET", "/api/games/table1"), ("GET", "/api/games/table1/log"), ("POST", "/api/games")):
        answer = await browser.request(method, path, headers=FORGED)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert server.connections.counters.handshakes_refused["origin"] == before + 3
    assert files.imported == []


async def test_a_session_gives_the_log_the_rights_of_its_user(
    server: GatewayServer, browser: httpx.AsyncClient, files: FakeFiles
) -> None:
    assert (await browser.get("/api/games/table1/log")).text == "log of table1 for nobody.\n"
    bearer = {"Authorization": f"Bearer {server.user()}"}
    assert (await browser.get("/api/games/table1/log", headers=bearer)).text.startswith("log of table1 for user")
    unknown = {"Authorization": "Bearer of-nobody-here-at-all"}
    assert (await browser.get("/api/games/table1/log", headers=unknown)).text == "log of table1 for nobody.\n"


async def test_a_session_that_cannot_be_looked_up_is_no_question_of_speed(
    server: GatewayServer, browser: httpx.AsyncClient, files: FakeFiles
) -> None:
    bearer = {"Authorization": f"Bearer {server.user()}"}
    server.services.identity.fails = True
    try:
        for answer in (
            await browser.get("/api/games/table1/log", headers=bearer),
            await browser.get("/g/table1/transcript.json", headers=bearer),
            await browser.post("/api/games", headers=bearer, content=b"log"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (503, "storage_failed")
    finally:
        server.services.identity.fails = False
    assert files.imported == []


async def test_files_that_cannot_be_stored_or_read_are_refused(
    server: GatewayServer, browser: httpx.AsyncClient, files: FakeFiles
) -> None:
    bearer = {"Authorization": f"Bearer {server.user()}"}
    files.fails = True
    for answer in (
        await browser.get("/api/games/table1/log"),
        await browser.get("/g/table1/transcript.json"),
        await browser.post("/api/games", headers=bearer, content=b"log"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "storage_failed")
        assert "secret-place" not in answer.text


async def test_a_transcript_is_json_for_the_user_of_a_session_and_for_nobody(
    server: GatewayServer, browser: httpx.AsyncClient, files: FakeFiles
) -> None:
    token = server.user()
    answer = await browser.get("/g/table1/transcript.json", headers={"Authorization": f"Bearer {token}"})
    assert answer.headers["content-type"] == "application/json"
    [reader] = answer.json().values()
    assert reader != games.ANONYMOUS.id
    assert (await browser.get("/g/table1/transcript.json")).json() == {"table1": games.ANONYMOUS.id}
    refusal = await browser.get("/g/running/transcript.json")
    assert (refusal.status_code, refusal.json()["code"]) == (409, "wrong_phase")
    assert (await browser.post("/g/table1/transcript.json")).status_code == 405
    assert (await browser.get("/g/table1/transcript.json", headers=FORGED)).status_code == 403


@pytest.mark.parametrize("path", ["/api/games/table1/log", "/g/table1/transcript.json"])
def test_files_of_games_are_limited(path: str) -> None:
    with running(limits=Limits(downloads=Rate(1, 3_600, burst=1))) as server:
        server.connections.services = replace(server.connections.services, files=FakeFiles())
        answers = [httpx.get(f"{server.http}{path}", trust_env=False) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 429]


def test_reads_downloads_and_imports_are_limited() -> None:
    rate = Rate(1, 3_600, burst=1)
    with running(limits=Limits(reads=rate, downloads=rate, creations=rate)) as server:
        server.connections.services = replace(server.connections.services, files=FakeFiles())
        headers = {"Authorization": f"Bearer {server.user()}"}
        for method, path in (("GET", "/api/games/table1"), ("GET", "/api/games/table1/log"), ("POST", "/api/games")):
            answers = [
                httpx.request(method, f"{server.http}{path}", headers=headers, trust_env=False) for _ in range(2)
            ]
            assert answers[0].status_code != 429
            assert (answers[1].status_code, answers[1].json()["code"]) == (429, "too_fast")
            assert int(answers[1].headers["retry-after"]) > 3_000
