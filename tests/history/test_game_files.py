"""The logs of finished games as files: what a downloaded one holds, and what is imported of one."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from protocol.history_requests import ListGames
from server.fairness.findings import result_of
from server.fairness.verify import verify
from server.games.engine.game_log import NO_CHAIN, DamagedLog, chained_line
from server.history.finished import FinishedGames
from server.history.game_files import GameFiles
from server.history.indexer import GameIndexer
from server.history.projection import Projection
from server.history.queries import GameQueries
from server.model import Done, Refused, User
from server.people.directory import PeopleDirectory
from server.tables import imported_log
from server.tables.imported_log import Opening, read_imported
from server.tables.rhythm import Rhythm
from server.tables.table_export import read_table_export, replayed
from tests.history.finished_games import with_finished_game
from tests.tables.table_server import TableServer, person
from tests.tables.test_by_day import Sleepers

OPENING = Opening("newtable", "zoe", "k" * 32, "s" * 32)
STRANGER = User("stranger", "Stranger")


def files_of(server: TableServer, *command: str, former: str = "") -> GameFiles:
    games = FinishedGames(server.store, server.registry.turns)
    given: dict[str, Any] = {"command": command} if command else {}
    return GameFiles(games, lambda user, request: f"new{user.id}", lambda: b"\x01" * 32, former.__eq__, **given)


async def downloaded(game: str = "planners", user: User = STRANGER, **settings: Any) -> tuple[TableServer, str, str]:
    server, table = await with_finished_game(game, **settings)
    text = await files_of(server).download(user, table, None)
    assert isinstance(text, str), text
    return server, table, text


def rewritten(text: str, change: Callable[[int, dict[str, Any]], None]) -> str:
    """Return an export with its entries changed and the chain computed again, as anybody can do."""
    chain, lines = NO_CHAIN, []
    for number, line in enumerate(text.splitlines()):
        entry = json.loads(line)
        del entry["chain"]
        change(number, entry)
        written, chain = chained_line(entry, chain)
        lines.append(written)
    return "".join(lines)


def changed(log: str, event: str, **fields: Any) -> str:
    """Return an export in which the first event of this name has other fields."""
    found = []

    def change(number: int, entry: dict[str, Any]) -> None:
        for one in entry.get("events", ()):
            if one["event"] == event and not found:
                found.append(number)
                one.update(fields)

    result = rewritten(log, change)
    assert found, f"there is no {event}"
    return result


# -- download -------------------------------------------------------------------------------------------------


async def test_a_downloaded_log_replays_to_the_same_end() -> None:
    server, table, text = await downloaded()
    state = replayed(read_table_export(text))
    await server.do("ann", "look_back", table, step=0)
    assert state.play is not None
    assert state.play.state == server.state(table).play.state
    assert (state.id, state.phase) == (table, "over")
    await server.registry.close()


async def test_a_downloaded_log_lets_nobody_in() -> None:
    server, table, text = await downloaded(private=False)
    await server.do("ann", "look_back", table, step=0)
    state = server.state(table)
    assert state.next is not None
    for secret in (state.key, state.secret, *state.next):
        assert secret not in text
    assert '"sessions":{}' in text
    assert '"sessions":{"' not in text
    await server.registry.close()


async def test_a_downloaded_log_has_the_chat_that_its_reader_could_see() -> None:
    _, _, text = await downloaded()
    assert "to all" in text
    assert "to the players" not in text
    server, _, text = await downloaded(user=person("ben"))
    assert "to the players" in text
    await server.registry.close()


async def test_a_downloaded_log_does_not_name_deleted_people() -> None:
    server, table = await with_finished_game("planners")
    state = (await server.do("ann", "look_back", table, step=0))["view"]
    assert [seat["name"] for seat in state["seats"]][:2] == ["Ann", "Ben"]
    text = await files_of(server, former="ann").download(person("ben"), table, None)
    assert isinstance(text, str)
    assert "Ann" not in text
    assert text.count("Former player") >= 3, "in the header, at the seat, and in the chat"
    assert "Ben" in text
    await server.registry.close()


async def test_nobody_reads_in_a_downloaded_log_when_people_sleep() -> None:
    hours = Rhythm("Pacific/Chatham", 427, 1_261, (0, 1, 2, 3, 4, 5, 6))
    server = TableServer(people=Sleepers({"ann": hours}))
    clock = {"kind": "decision", "seconds": 86_400}
    table = await server.begin("ann", "ben", game="planners", clock=clock, absence_seconds=None, holiday_days=7)
    await server.do("ann", "take_holiday", table, on=True)
    for name in ("ann", "ben"):
        await server.do(name, "resign", table)
    assert "rhythm_set" in str(await server.log(table))
    text = await files_of(server).download(person("ann"), table, None)
    assert isinstance(text, str)
    assert "holiday_began" in text
    assert not any(word in text for word in ("rhythm", "Chatham", "427"))
    await server.registry.close()


async def test_downloads_do_not_wait_for_files_that_are_checked() -> None:
    server, table, text = await downloaded()
    files = files_of(server, sys.executable, "-c", "import time; time.sleep(60)")
    checking = [asyncio.ensure_future(files.import_log(person(f"zoe{n}"), text.encode())) for n in range(3)]
    await asyncio.sleep(0.5)
    assert isinstance(await asyncio.wait_for(files.download(STRANGER, table, None), 30), str)
    for each in checking:
        each.cancel()
    await asyncio.wait(checking)
    await server.registry.close()


async def test_only_those_who_may_see_a_game_download_it() -> None:
    server, table = await with_finished_game("planners", private=True)
    files = files_of(server)
    for key in (None, "wrong"):
        refusal = await files.download(STRANGER, table, key)
        assert isinstance(refusal, Refused)
        assert refusal.code == "no_such_table"
    assert isinstance(await files.download(person("ann"), table, None), str)
    key = (await server.do("ann", "share_game", table))["key"]
    assert isinstance(await files.download(STRANGER, table, key), str)
    running = await server.begin("ann", "ben", table="table2", game="planners")
    refusal = await files.download(person("ann"), running, None)
    assert isinstance(refusal, Refused)
    assert refusal.code == "wrong_phase"
    await server.registry.close()


async def test_only_those_who_may_download_a_log_read_the_transcript() -> None:
    server, table = await with_finished_game("planners", private=True)
    files = files_of(server)
    for key in (None, "wrong"):
        refusal = await files.transcript(STRANGER, table, key)
        assert isinstance(refusal, Refused)
        assert refusal.code == "no_such_table"
    assert isinstance(await files.transcript(person("ann"), table, None), str)
    key = (await server.do("ann", "share_game", table))["key"]
    assert isinstance(await files.transcript(STRANGER, table, key), str)
    running = await server.begin("ann", "ben", table="table2", game="planners")
    refusal = await files.transcript(person("ann"), running, None)
    assert isinstance(refusal, Refused)
    assert refusal.code == "wrong_phase"
    await server.registry.close()


async def test_a_transcript_lets_nobody_in_and_names_nobody() -> None:
    server, table = await with_finished_game("investors")
    text = await files_of(server).transcript(STRANGER, table, None)
    assert isinstance(text, str)
    await server.do("ann", "look_back", table, step=0)
    state = server.state(table)
    for secret in (state.key, state.secret, *state.next, "Ann", "Ben", "to the players", "to all"):
        assert secret not in text
    assert result_of(verify(json.loads(text))) == "verified"
    await server.registry.close()


# -- import ---------------------------------------------------------------------------------------------------


async def test_an_imported_log_is_a_private_game_of_nobody() -> None:
    server, table, text = await downloaded()
    zoe = person("zoe")
    reply = await files_of(server).import_log(zoe, text.encode())
    assert isinstance(reply, Done)
    new, key = reply.result["table"], reply.result["key"]
    seen = await server.do("zoe", "look_back", new, step=5, eyes="all")
    before = await server.do("zoe", "look_back", table, step=5, eyes="all")
    assert (seen["view"]["play"], seen["steps"]) == (before["view"]["play"], before["steps"])
    assert [seat["name"] for seat in seen["view"]["seats"]] == [seat["name"] for seat in before["view"]["seats"]]
    state = server.state(new)
    assert (state.origin, state.settings.private, state.settings.rated) == ("file", True, False)
    assert [chair.user for chair in state.chairs if chair.bot is None] == ["file.0", "file.1"]
    assert not any(state.talk.values())
    # Those who played are not those who sat there.
    assert await server.refusal("ann", "look_back", new, step=5) == "no_such_table"
    await server.do("pat", "look_back", new, step=5, key=key)
    assert (await server.do("zoe", "share_game", new))["key"] == key
    again = await files_of(server).import_log(zoe, text.encode())
    assert isinstance(again, Done)
    assert again.result["table"] == new
    await server.registry.close()


async def test_a_bad_file_changes_nothing() -> None:
    server, _, text = await downloaded()
    names = await server.store.names()
    for bad in (b"\xff\xfe" * 100, text[:-20].encode()):
        reply = await files_of(server).import_log(person("zoe"), bad)
        assert isinstance(reply, Refused)
        assert reply.code == "bad_log"
        assert reply.sentence.endswith(".")
    assert await server.store.names() == names
    await server.registry.close()


@pytest.mark.parametrize("program", ["import sys; sys.exit(9)", "print('nonsense')", "import os; os.abort()"])
async def test_a_process_that_fails_to_check_a_file_refuses_it(program: str, caplog: pytest.LogCaptureFixture) -> None:
    server = TableServer()
    reply = await files_of(server, sys.executable, "-c", program).import_log(person("zoe"), b"text")
    assert isinstance(reply, Refused)
    assert reply.code == "bad_log"
    assert [line.message for line in caplog.records] == ["imported log not checked"]
    await server.registry.close()


BAD: list[tuple[str, dict[str, Any]]] = [
    ("game_begun", {"seats": 10**9}),
    ("game_begun", {"seats": 4}),
    ("game_begun", {"tokens": 10**9}),
    ("game_begun", {"deck": list(range(300))}),
    ("project_drawn", {"card": 5000}),
    ("table_opened", {"table": "another"}),
    ("table_opened", {"rules_version": 99}),
    ("table_opened", {"settings": "{}"}),
    ("table_opened", {"settings": '{"game": "planners", "seats": 9}'}),
    ("table_opened", {"created": -1}),
    ("seat_taken", {"seat": 7}),
    ("seat_taken", {"display_name": "evil \u202e name"}),
    ("bot_seated", {"strength": "x" * 50}),
    ("bot_seated", {"style": "loud"}),
    ("game_started", {"seed": "z" * 64}),
    ("game_started", {"digest": "x" * 2000}),
]


@pytest.mark.parametrize("event, fields", BAD)
async def test_a_forged_log_is_refused_with_its_line(event: str, fields: dict[str, Any]) -> None:
    server, _, text = await downloaded()
    with pytest.raises(DamagedLog, match=r"^Line \d+ is damaged: .*\.$"):
        read_imported(changed(text, event, **fields), OPENING)
    await server.registry.close()


async def test_a_log_that_does_not_end_is_refused() -> None:
    server, _, text = await downloaded()
    lines = text.splitlines(keepends=True)
    with pytest.raises(DamagedLog, match="not that of a finished game"):
        read_imported("".join(lines[: len(lines) // 2]), OPENING)
    await server.registry.close()


async def test_times_that_go_back_are_refused() -> None:
    server, _, text = await downloaded()

    def change(number: int, entry: dict[str, Any]) -> None:
        if number == 5:
            entry["at"] = 1

    with pytest.raises(DamagedLog, match="Line 6 is damaged: its time"):
        read_imported(rewritten(text, change), OPENING)
    await server.registry.close()


async def test_a_game_of_the_future_is_refused() -> None:
    server, _, text = await downloaded()
    future = round((time.time() + 2 * 86_400) * 1000)

    def change(number: int, entry: dict[str, Any]) -> None:
        if number == len(text.splitlines()) - 1:
            entry["at"] = future

    with pytest.raises(DamagedLog, match="is damaged: its time"):
        read_imported(rewritten(text, change), OPENING)
    await server.registry.close()


async def test_an_entry_that_takes_too_long_is_refused() -> None:
    server, _, text = await downloaded()
    ticks = iter(range(10**6))
    with pytest.raises(DamagedLog, match="takes too long"):
        read_imported(text, OPENING, now=lambda: float(next(ticks)))
    await server.registry.close()


async def test_a_file_of_many_or_long_lines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    server, _, text = await downloaded()
    monkeypatch.setattr(imported_log, "MAX_ENTRIES", 10)
    with pytest.raises(DamagedLog, match="more entries"):
        read_imported(text, OPENING)
    monkeypatch.setattr(imported_log, "MAX_LINE_CHARACTERS", 100)
    with pytest.raises(DamagedLog, match="longer"):
        read_imported(text, OPENING)
    await server.registry.close()


async def test_an_imported_game_is_indexed_at_once_and_is_in_no_list() -> None:
    server, _, text = await downloaded()
    indexer = GameIndexer(server.store, Projection(server.store))
    games = FinishedGames(server.store, server.registry.turns)
    files = GameFiles(games, lambda user, request: "imported", lambda: bytes(32), on_imported=indexer.report)
    assert isinstance(await files.import_log(person("zoe"), text.encode()), Done)
    await indexer._index_reported()
    queries = GameQueries(server.store.games, server.store.key_values, PeopleDirectory(server.store.key_values))
    key = await server.store.key_values.get("shared_game", "imported")
    assert key is not None
    opened = await queries.game("pat", "imported", key.decode())
    assert isinstance(opened, Done)
    assert (opened.result["access"], opened.result["game"]["origin"]) == ("key", "file")
    for user in ("ann", "ben", "zoe"):
        listed = await queries.answer(person(user), ListGames(type="list_games", id="1"))
        assert isinstance(listed, Done)
        assert listed.result["games"] == []
    await server.registry.close()


async def test_nothing_that_people_wrote_and_no_user_is_imported() -> None:
    server, _, text = await downloaded(user=person("ann"))
    log = read_imported(changed(text, "said", text="something bad"), OPENING)
    whole = b"".join((*log.entries, log.summary))
    for part in (b"something bad", b"said", b"next_opened", b'"ann"', b"\xa3ann", b"\xa3ben"):
        assert part not in whole
    assert b"file.0" in whole
    assert b"zoe" in whole
    await server.registry.close()
