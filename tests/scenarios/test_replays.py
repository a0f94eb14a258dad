"""Replays at a real server: read without a session, downloaded, imported, and played on from."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from protocol.client import Client, RequestRefused
from server.fairness.findings import result_of
from server.fairness.verify import verify
from tests.gateway.process import server_process
from tests.scenarios.people import UNLIMITED, any_command, guest_token, person


async def abandoned_game(client: Client, decisions: int = 3, **settings: Any) -> str:
    """Return the table of a game against bots that was abandoned after some decisions."""
    chosen = {"game": "planners", "seats": 2, **settings}
    table: str = (await client.request("create_table", settings=chosen))["table"]
    await client.request("fill_with_bots", table=table, strength="easy")
    watched = await client.watch(table)
    await client.request("start", table=table)
    rng = random.Random(1)
    for _ in range(decisions):
        while (asked := watched.prompt) is None:
            watched.changed.clear()
            await watched.changed.wait()
        number, prompt = asked
        await client.request("decide", table=table, decision=number, command=any_command(rng, prompt))
        while watched.prompt is not None and watched.prompt[0] == number:
            watched.changed.clear()
            await watched.changed.wait()
    await client.request("vote", table=table, on="abandon", agree=True)
    return table


def users_in(database: Path) -> int:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT count(*) FROM records WHERE kind = 'user'").fetchone()
    return int(rows[0])


async def test_a_replay_is_read_without_a_session_and_makes_no_guest(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with (
            person(server.http) as ann,
            httpx.AsyncClient(base_url=server.http, trust_env=False, timeout=60) as frame,
        ):
            table = await abandoned_game(ann)
            private = await abandoned_game(ann, private=True)
            games = f"/api/games/{table}"
            timeline = (await frame.get(f"{games}/timeline")).json()
            last = timeline["last"]
            assert [row["step"] for row in timeline["steps"]] == list(range(last + 1))
            for step in range(last + 1):
                answer = await frame.get(f"{games}/steps/{step}", params={"eyes": "all", "between": "1"})
                assert answer.status_code == 200
                seen = answer.json()
                assert len(seen["between"]) == len(seen["events"]) > 0
                assert (seen["step"], seen["eyes"], seen["view"]["mine"]) == (step, "all", None)
                assert "set-cookie" not in answer.headers
            page = (await frame.get(f"{games}/timeline", params={"log_from": "0", "eyes": "1"})).json()
            assert [entry["step"] for entry in page["log"]] == list(range(last + 1))
            async with asyncio.timeout(60):
                # The game is indexed a moment after its end.
                while (record := await frame.get(games)).status_code == 404:
                    await ann.request("ping")
            assert (record.json()["game"]["table"], record.json()["access"]) == (table, "open")
            refusals = {
                f"{games}/steps/{last + 1}": (404, "no_such_step"),
                f"{games}/steps/one": (400, "malformed"),
                f"{games}/steps/0?eyes=nobody": (400, "malformed"),
                f"{games}/steps/0?eyes=7": (404, "no_such_seat"),
                "/api/games/nothing1/timeline": (404, "no_such_table"),
                "/api/games/Not-A-Table/timeline": (400, "malformed"),
                f"/api/games/{private}": (404, "no_such_game"),
                f"/api/games/{private}/timeline": (404, "no_such_table"),
                f"/api/games/{private}/log": (404, "no_such_table"),
                f"/api/games/{private}/steps/0?key=wrong": (404, "no_such_table"),
            }
            for path, expected in refusals.items():
                answer = await frame.get(path)
                assert (answer.status_code, answer.json()["code"]) == expected, path
                assert answer.json()["sentence"].endswith(".")
            key = (await ann.request("share_game", table=private))["key"]
            assert (await frame.get(f"/api/games/{private}/timeline", params={"key": key})).status_code == 200
            assert (await frame.post(f"{games}/log")).status_code == 405
            assert (await frame.get("/api/games")).status_code == 405
            await ann.request("share_game", table=private, share=False)
            assert (await frame.get(f"/api/games/{private}/timeline", params={"key": key})).status_code == 404
    assert users_in(tmp_path / "tables.db") == 1


async def test_the_replay_of_a_damaged_log_is_one_sentence_and_changes_nothing(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with person(server.http) as ann:
            damaged, intact = await abandoned_game(ann), await abandoned_game(ann)
    with closing(sqlite3.connect(tmp_path / "tables.db")) as connection, connection:
        own = "number = (SELECT number FROM tables WHERE name = ?) AND seq = 2"
        connection.execute(f"UPDATE events SET payload = X'00' WHERE {own}", (damaged,))  # noqa: S608 - constants
    before = entries_in(tmp_path / "tables.db")
    with server_process(tmp_path, *UNLIMITED) as server:
        async with (
            person(server.http) as ann,
            httpx.AsyncClient(base_url=server.http, trust_env=False, timeout=60) as frame,
        ):
            for path in ("timeline", "steps/0", "log"):
                answer = await frame.get(f"/api/games/{damaged}/{path}")
                assert (answer.status_code, answer.json()["code"]) == (500, "table_unavailable"), path
                assert answer.json()["sentence"].startswith("This table cannot be opened: its log is damaged.")
                assert (await frame.get(f"/api/games/{intact}/{path}")).status_code == 200
            for request, fields in (("look_back", {"step": 0}), ("play_on", {"step": 0, "seat": 0})):
                with pytest.raises(RequestRefused) as refusal:
                    await ann.request(request, table=damaged, **fields)
                assert refusal.value.code == "table_unavailable"
    assert entries_in(tmp_path / "tables.db") == before


def entries_in(database: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute("SELECT number, seq, head, payload FROM events ORDER BY number, seq").fetchall()


async def test_a_log_is_downloaded_imported_and_played_on_from(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with AsyncExitStack() as stack:
            ann = await stack.enter_async_context(person(server.http))
            token = guest_token(server.http)
            bearer = {"Authorization": f"Bearer {token}"}
            browser = await stack.enter_async_context(
                httpx.AsyncClient(base_url=server.http, trust_env=False, timeout=60)
            )
            table = await abandoned_game(ann)
            file = await browser.get(f"/api/games/{table}/log")
            assert file.headers["content-disposition"] == f'attachment; filename="{table}.log"'
            assert file.headers["content-type"].startswith("text/plain")
            transcript = (await browser.get(f"/g/{table}/transcript.json")).json()
            assert result_of(verify(transcript)) == "verified"

            answer = await browser.post("/api/games", content=file.content)
            assert (answer.status_code, answer.json()["code"]) == (401, "no_session")
            foreign = {"Cookie": f"sid={token}", "Origin": "http://evil.example"}
            answer = await browser.post("/api/games", content=file.content, headers=foreign)
            assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
            without_origin = {"Cookie": f"sid={token}"}
            answer = await browser.post("/api/games", content=file.content, headers=without_origin)
            assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
            answer = await browser.post("/api/games", content=b"x" * (2 * 1024 * 1024 + 1), headers=bearer)
            assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
            answer = await browser.post("/api/games", content=file.content.replace(b"easy", b"hard"), headers=bearer)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_log")

            answer = await browser.post("/api/games", content=file.content, headers=bearer)
            assert answer.status_code == 200, answer.text
            imported, key = answer.json()["table"], answer.json()["key"]
            first = await browser.get(f"/api/games/{table}/steps/2")
            again = await browser.get(f"/api/games/{imported}/steps/2", params={"key": key})
            assert again.json()["view"]["play"] == first.json()["view"]["play"]
            assert (await browser.get(f"/api/games/{imported}/steps/2")).status_code == 404
            copy = await browser.get(f"/g/{imported}/transcript.json", params={"key": key})
            assert copy.json() == transcript
            assert (await browser.get(f"/g/{imported}/transcript.json")).status_code == 404

            on = {"step": 2, "seat": 0, "hidden": "redealt", "bots": "easy"}
            opened = await ann.request("play_on", table=imported, key=key, **on)
            running = await browser.get(f"/g/{opened['table']}/transcript.json")
            assert running.status_code in (404, 409)
            watched = await ann.watch(opened["table"])
            assert watched.view["table"]["phase"] in ("running", "over")
            assert watched.view["mine"] == opened["seat"] == 0
            assert [seat["bot"] for seat in watched.view["seats"]] == [None, "easy"]
