"""The index in a whole server: games that end, a database of an earlier version, commands, and no early word."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocol.client import Client, RequestRefused
from protocol.history_requests import ListGames
from server.app import App, build
from server.cli import main
from server.config import Settings
from server.history.indexer import GameIndexer
from server.history.projection import Projection
from server.model import Done, User
from server.store.memory import MemoryStore
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from tests.gateway.process import ROOT, server_process
from tests.history.indexes import contents, expected_of
from tests.history.logs import BEGIN, SECOND, Log, rated_log
from tests.scenarios.people import UNLIMITED, person
from tests.store.backends import shared_server
from tests.tools.databases import edit

OLD_DATABASE = ROOT / "tests" / "golden" / "protocol-1" / "tables.sqlite3"
OLD_GAMES = 4
WAIT = 30.0


async def until(condition: Callable[[], Any]) -> None:
    """Wait until a condition holds, which is an awaitable."""
    async with asyncio.timeout(WAIT):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.02)


async def listed(client: Client) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = (await client.request("list_games", limit=100))["games"]
    return games


async def test_a_game_is_listed_as_soon_as_it_has_ended_and_not_before(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with person(server.http) as ann, person(server.http) as zoe:
            opened = await ann.request("create_table", settings={"game": "planners", "seats": 2, "name": "Harbour"})
            table = opened["table"]
            await ann.request("add_bot", table=table)
            await ann.request("start", table=table)
            for client in (ann, zoe):
                # Nothing about a running game is in any reply.
                assert await listed(client) == []
                assert await client.request("list_games", search="harbour", people=[client.user["id"]]) == {
                    "games": [],
                    "next": None,
                }
                with pytest.raises(RequestRefused, match="no such game"):
                    await client.request("get_game", table=table)
            await ann.request("vote", table=table, on="abandon", agree=True)
            await until(lambda: listed(zoe))
            (row,) = await listed(zoe)
            assert (row["table"], row["end"], row["title"]) == (table, "abandoned", "Harbour")
            game = await ann.request("get_game", table=table)
            assert (game["game"], game["access"]) == (row, "seat")


async def test_a_running_game_leaves_no_trace_in_the_index(tmp_path: Path) -> None:
    """Not even after a sweep, a report by mistake, or a rebuild."""
    store = await SqliteStore.open(tmp_path / "tables.db", "fast")
    try:
        for number, decisions in enumerate((0, 1, 9)):
            log = Log(f"run{number:05}", "investors", ["ann", "bea", "cai"], rated=True, hints="none", name="Harbour")
            await log.start().play(decisions=decisions).store_in(store)
        await Log("open0000", "planners", ["ann", "bea"]).store_in(store)
        projection = Projection(store)
        indexer = GameIndexer(store, projection)
        for table in await store.names():
            indexer.report(table)
        await indexer._index_reported()
        await indexer._sweep()
        assert await contents(store.games) == ([], [])
        assert await store.games.version() == 0
    finally:
        await store.close()
    dumped = (tmp_path / "tables.db").read_bytes()
    assert await asyncio.to_thread(main, ["reindex", "--database", str(tmp_path / "tables.db")]) == 0
    assert (tmp_path / "tables.db").read_bytes() == dumped


def long_game(count: int) -> list[Log]:
    """Return so many tables with the same whole game."""
    logs: list[Log] = []
    for number in range(count):
        log = Log(f"old{number:05}", "planners", ["ann", "bea"])
        if logs:
            log.entries += logs[0].entries[1:]
            log.state = logs[0].state
        else:
            log.start().play()
        logs.append(log)
    return logs


async def test_a_database_without_an_index_gets_one_while_the_server_answers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.history.indexer.PROGRESS_SECONDS", 0.01)
    caplog.set_level(logging.INFO)
    shutil.copy(OLD_DATABASE, tmp_path / "tables.db")
    store = await SqliteStore.open(tmp_path / "tables.db", "fast")
    for log in long_game(40):
        await log.store_in(store)
    await store.close()
    settings = Settings.read({"database": str(tmp_path / "tables.db"), "web": "nowhere", "port": "0"})
    async with build(settings) as app:
        first = await _games(app)
        # The index is far from complete, and the server has answered already.
        assert first < OLD_GAMES + 40

        async def is_complete() -> bool:
            return await _games(app) == OLD_GAMES + 40

        await until(is_complete)
    progress = [line.__dict__ for line in caplog.records if line.message == "indexing finished games"]
    assert progress
    assert all(line["done"] + line["left"] == OLD_GAMES + 40 for line in progress)
    assert [line.__dict__["games"] for line in caplog.records if line.message == "finished games indexed"] == [
        OLD_GAMES + 40
    ]


async def _games(app: App) -> int:
    reply = await app.connections.services.history.answer(
        User("zoe", "Zoe"), ListGames(type="list_games", id="1", limit=100)
    )
    assert isinstance(reply, Done)
    return len(reply.result["games"])


def test_reindex_works_while_a_server_runs_and_while_none_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "tables.db"
    shutil.copy(OLD_DATABASE, database)
    command = ["reindex", "--database", str(database)]
    assert main(command) == 0
    assert f"{OLD_GAMES} finished games" in capsys.readouterr().out
    with server_process(tmp_path, *UNLIMITED):
        assert main(command) == 0
        assert "Nothing was different." in capsys.readouterr().out
        assert main(["verify", "--database", str(database)]) == 0
        assert "not in the index" not in capsys.readouterr().out


def test_reindex_works_in_a_redis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = shared_server().url
    backup = tmp_path / "backup.db"
    shutil.copy(OLD_DATABASE, backup)
    assert main(["restore", str(backup), "--redis", url, "--force"]) == 0
    capsys.readouterr()
    assert main(["verify", "--redis", url]) == 0
    assert f"not in the index yet: {OLD_GAMES}." in capsys.readouterr().out
    assert main(["reindex", "--redis", url]) == 0
    assert f"{OLD_GAMES} added" in capsys.readouterr().out
    assert main(["reindex", "--redis", url]) == 0
    assert "Nothing was different." in capsys.readouterr().out

    async def check() -> None:
        store = RedisStore.at(url)
        try:
            assert await contents(store.games) == await expected_of(store)
        finally:
            await store.close()

    asyncio.run(check())


def test_a_log_that_cannot_be_read_is_named_by_reindex(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "tables.db"
    bad = Log("bad00000", "planners", ["ann", "bea"]).start().abandon()
    bad.entries[1] = b"\xc1"

    async def fill() -> None:
        store = await SqliteStore.open(database, "fast")
        for log in (bad, rated_log("good0000", ("ann", "bea"), BEGIN)):
            await log.store_in(store)
        await store.close()

    asyncio.run(fill())
    assert main(["reindex", "--database", str(database)]) == 1
    said = capsys.readouterr().out
    assert "The log of table 'bad00000' cannot be read" in said
    assert "1 finished game in" in said


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (
            "UPDATE games SET record = (SELECT record FROM games WHERE name = 't0002') WHERE name = 't0001'",
            "the logs. Tables: 1,",
        ),
        ("DELETE FROM events WHERE number = 2; DELETE FROM tables WHERE number = 2", "the logs. Tables: 1,"),
        ("UPDATE ratings SET value = x'9401010101' WHERE name = 't0001'", "ratings of planners"),
    ],
)
def test_verify_says_when_the_index_does_not_follow_from_the_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: str, sentence: str
) -> None:
    database = tmp_path / "tables.db"

    async def fill() -> None:
        store = await SqliteStore.open(database, "fast")
        for number in range(4):
            await rated_log(f"t{number:04}", ("ann", "bea"), BEGIN + number * SECOND).store_in(store)
        await store.close()

    asyncio.run(fill())
    assert main(["reindex", "--database", str(database)]) == 0
    assert main(["verify", "--database", str(database)]) == 0
    capsys.readouterr()
    edit(database, *wrong.split("; "))
    assert main(["verify", "--database", str(database)]) == 1
    said = capsys.readouterr().out
    assert sentence in said
    assert "The command reindex builds the index again." in said
    # The logs are intact, so such a backup can be restored.
    assert main(["restore", str(database), "--database", str(tmp_path / "restored.db")]) == 0
    assert main(["reindex", "--database", str(tmp_path / "restored.db")]) == 0
    assert main(["verify", "--database", str(tmp_path / "restored.db")]) == 0


def test_a_backup_carries_the_index_and_one_of_a_redis_gets_it_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database, copy, restored = (tmp_path / name for name in ("tables.db", "copy.db", "restored.db"))
    shutil.copy(OLD_DATABASE, database)
    assert main(["reindex", "--database", str(database)]) == 0
    assert main(["backup", str(copy), "--database", str(database)]) == 0
    assert main(["restore", str(copy), "--database", str(restored)]) == 0
    assert _contents_of(restored) == _contents_of(database)
    url = shared_server().url
    assert main(["restore", str(copy), "--redis", url, "--force"]) == 0
    again = tmp_path / "again.db"
    assert main(["backup", str(again), "--redis", url]) == 0
    capsys.readouterr()
    assert main(["verify", str(again)]) == 0
    assert f"not in the index yet: {OLD_GAMES}." in capsys.readouterr().out
    assert main(["reindex", "--database", str(again)]) == 0
    assert _contents_of(again) == _contents_of(database)


def _contents_of(path: Path) -> Any:
    async def read() -> Any:
        store = await SqliteStore.open_read_only(path)
        try:
            assert await contents(store.games) == await expected_of(store)
            return await contents(store.games)
        finally:
            await store.close()

    return asyncio.run(read())


async def test_an_imported_table_is_found_by_the_next_sweep(tmp_path: Path) -> None:
    store = MemoryStore()
    log = rated_log("import00", ("ann", "bea"), BEGIN)
    await store.create(log.table, "over", b"", log.entries)
    await GameIndexer(store, Projection(store))._sweep()
    assert await contents(store.games) == await expected_of(store)
    assert json.dumps((await contents(store.games))[0][0].city)
