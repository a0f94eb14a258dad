"""The commands of an operator: list tables, export one, show it, and import it elsewhere."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from protocol.client import Client
from protocol.codec import Encoding
from server.cli import main
from server.games.engine.game_log import NO_CHAIN, chained_line
from tests.gateway.process import ServerProcess, server_process
from tests.scenarios.people import (
    UNLIMITED,
    all_play,
    choose_by_number,
    guest_token,
    open_table,
    play_until,
    socket_url,
)

NAMES = ("Ada", "Ben")
Played = tuple[Path, str, list[str]]


async def play_a_little(folder: Path, decisions: int) -> tuple[str, list[str]]:
    """Start a game of two people and a bot, stop the server, and return the table and the people's tokens."""
    with server_process(folder, *UNLIMITED) as server:
        async with AsyncExitStack() as stack:
            tokens = [guest_token(server.http) for _ in NAMES]
            people = [await stack.enter_async_context(Client(socket_url(server.http), token)) for token in tokens]
            for name, client in zip(NAMES, people, strict=True):
                await client.request("set_name", name=name)
            table = await open_table(people, "investors", seats=3)
            watched = [await client.watch(table) for client in people]
            await people[0].request("say", table=table, text="Good luck.")
            await play_until(people, watched, lambda: watched[0].view["play"]["decision"]["number"] > decisions)
        stop(server)
    return table, tokens


def stop(server: ServerProcess) -> None:
    server.tell(signal.SIGTERM)
    assert server.exit_code() == 0


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return a database with a running game, its table, and the tokens of its people."""
    folder = tmp_path_factory.mktemp("operating")
    table, tokens = asyncio.run(play_a_little(folder, decisions=8))
    return folder / "tables.db", table, tokens


@pytest.fixture
def exported(played: Played, tmp_path: Path) -> Path:
    """Return the exported log of that table in a file."""
    path = tmp_path / "table.log"
    assert main(["export", played[1], "--database", str(played[0]), "-o", str(path)]) == 0
    return path


def test_tables_are_listed(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "--database", str(played[0])]) == 0
    heading, line = capsys.readouterr().out.splitlines()
    assert heading.split() == ["table", "game", "phase", "records", "last", "change", "seats"]
    assert line.split()[:3] == [played[1], "investors", "running"]
    assert re.search(r"Ada, Ben, [A-Z][a-z]+ \(normal bot\)$", line)


def test_an_exported_game_can_be_shown_and_is_for_nobodys_eyes_while_it_runs(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.log"
    assert main(["export", played[1], "--database", str(played[0]), "-o", str(path)]) == 0
    assert "this log contains secrets" in capsys.readouterr().err
    assert os.stat(path).st_mode & 0o077 == 0
    assert main(["show", str(path)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Investors, rules 3, ")
    assert "not finished" in text.splitlines()[0]
    assert main(["show", str(path), "--step", "2"]) == 0
    assert main(["export", played[1], "--database", str(played[0])]) == 0
    assert path.read_text() in capsys.readouterr().out


def test_an_export_holds_no_session_that_anybody_could_use(played: Played, exported: Path, tmp_path: Path) -> None:
    text = exported.read_text()
    assert '"Good luck."' in text
    for token in played[2]:
        assert token.partition(".")[2] not in text


@pytest.mark.parametrize("encoding", Encoding)
async def test_an_imported_table_is_played_on_by_the_same_people(
    played: Played, exported: Path, tmp_path: Path, encoding: Encoding
) -> None:
    database = ("--database", str(tmp_path / "tables.db"))
    assert await asyncio.to_thread(main, ["import", str(exported), *database]) == 0
    with server_process(tmp_path, *UNLIMITED) as server:
        async with AsyncExitStack() as stack:
            people = [
                await stack.enter_async_context(Client(socket_url(server.http), token, encoding)) for token in played[2]
            ]
            watched = await all_play(people, played[1], choose_by_number(3))
            assert [client.user["name"] for client in people] == list(NAMES)
            assert [line["text"] for line in watched[0].view["talk"]] == ["Good luck."]
            assert watched[0].view["play"]["outcome"] is not None
        stop(server)
    over = tmp_path / "over.log"
    assert await asyncio.to_thread(main, ["export", played[1], *database, "-o", str(over)]) == 0
    # Entries were only appended; the header also holds the last use of sessions, so it may differ.
    before, after = (_key_values(log) for log in (exported, over))
    assert before == after[: len(before)]


def _key_values(path: Path) -> list[list[object]]:
    return [json.loads(line)["events"] for line in path.read_text().splitlines()[1:]]


def test_a_table_of_that_id_is_not_touched(
    played: Played, exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", str(exported), "--database", str(played[0])]) == 2
    assert f"Table '{played[1]}' exists already in the database; nothing was imported." in capsys.readouterr().err


def test_nobody_who_is_known_gets_other_sessions_by_an_import(played: Played, exported: Path, tmp_path: Path) -> None:
    text = ""
    first, *rest = [json.loads(line) for line in exported.read_text().splitlines()]
    target = tmp_path / "tables.db"
    assert main(["import", str(exported), "--database", str(target)]) == 0
    # The same people with a session of another user, at another table.
    forged = {f"{first['people'][0]['user']}.{'0' * 64}": 2**31}
    first["people"][0]["sessions"], first["table"] = forged, "forged"
    rest[0]["events"][0]["table"] = "forged"
    chain = NO_CHAIN
    for entry in (first, *rest):
        del entry["chain"]
        line, chain = chained_line(entry, chain)
        text += line
    (tmp_path / "forged.log").write_text(text)
    assert main(["import", str(tmp_path / "forged.log"), "--database", str(target)]) == 0
    assert main(["export", "forged", "--database", str(target), "-o", str(tmp_path / "again.log")]) == 0
    assert "0" * 64 not in (tmp_path / "again.log").read_text()


@pytest.mark.parametrize("line", [0, 1, 5, -1])
def test_a_damaged_log_is_refused_and_nothing_is_written(
    played: Played, exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: int
) -> None:
    lines = exported.read_text().splitlines(keepends=True)
    lines[line] = lines[line].replace(":", ";", 1) if line == 0 else lines[line].replace("1", "2", 1)
    exported.write_text("".join(lines))
    capsys.readouterr()
    assert main(["import", str(exported), "--database", str(tmp_path / "tables.db")]) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"sanfrancisco import: Line {line % len(lines) + 1} is damaged")
    assert not (tmp_path / "tables.db").exists()


def test_a_running_servers_database_is_left_alone(
    played: Played, exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server_process(tmp_path) as server:
        database = str(tmp_path / "tables.db")
        for command in (["tables"], ["export", played[1]], ["import", str(exported)]):
            capsys.readouterr()
            assert main([*command, "--database", database]) == 2
            told = capsys.readouterr()
            assert f"already in use by process {server.process.pid}" in told.err
            assert told.out == ""


@pytest.mark.parametrize("command", [["tables"], ["export", "nowhere"]])
def test_a_database_that_is_not_there_is_not_made(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.db"
    assert main([*command, "--database", str(missing)]) == 2
    assert capsys.readouterr().err == f"sanfrancisco {command[0]}: There is no database {missing}.\n"
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_table_cannot_be_exported(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "nowhere", "--database", str(played[0])]) == 2
    assert "There is no table 'nowhere' in the database." in capsys.readouterr().err


def test_no_export_is_written_over_another_file(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine"
    path.write_text("precious")
    assert main(["export", played[1], "--database", str(played[0]), "-o", str(path)]) == 2
    assert "could not be written: File exists." in capsys.readouterr().err
    assert path.read_text() == "precious"
