"""Pages of a table's log: each viewer reads exactly what the updates showed it, and nobody waits for a page."""

from __future__ import annotations

import asyncio
import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from protocol.messages import MAX_PAGE_ENTRIES
from server.games.engine.events import Event
from server.games.engine.game_log import read_log, replay_log
from server.games.engine.play import Answered
from server.model import Done, Refused
from server.store.api import LogDamaged
from server.tables import events, history, reads
from server.tables.results import Accepted
from tests.accelerated.marks import plain_only
from tests.games.golden import outcome_of
from tests.replies import code_of
from tests.store.backends import BACKENDS
from tests.tables.faulty_store import FaultyStore, fails, raises, takes
from tests.tables.table_server import PatientBots, Screen, TableServer, pass_time, person, settle, wall
from tests.tables.virtual_time import in_virtual_time

GOLDEN = Path(__file__).parents[1] / "golden"
LOGS = sorted(path.relative_to(GOLDEN).as_posix() for game in GOLDEN.iterdir() for path in game.glob("*.log"))

Entries = list[dict[str, Any]]


async def read_all(server: TableServer, name: str, table: str, limit: int = MAX_PAGE_ENTRIES, **fields: Any) -> Entries:
    """Return all pages of a viewer, joined, the oldest entry first."""
    entries: Entries = []
    before: dict[str, int] = {}
    while True:
        page = await server.do(name, "read_log", table, limit=limit, **before, **fields)
        assert page["entries"], "a page that says `more` is followed by an empty one"
        assert len(page["entries"]) <= limit
        entries = page["entries"] + entries
        before = {"before": page["entries"][0]["number"]}
        assert page["more"] == (before["before"] > 1)
        if not page["more"]:
            return entries


def updates(screen: Screen) -> Entries:
    """Return number and events of all updates since the last view that a connection got."""
    last_view = max(place for place, message in enumerate(screen.messages) if message["type"] == "view")
    shown = [message for message in screen.messages[last_view:] if message["type"] == "update"]
    return [{"number": message["number"], "events": message["events"]} for message in shown]


def without_times(entries: Entries) -> Entries:
    return [{"number": entry["number"], "events": entry["events"]} for entry in entries]


async def append(server: TableServer, table: str, *new_events: Event) -> None:
    """Append an entry as the owner of the table does after any request."""
    await pass_time(0.01)
    await server.registry._actors[table]._execute(lambda core: Accepted(new_events))


@pytest.mark.parametrize("path", LOGS)
@in_virtual_time
async def test_the_pages_of_every_viewer_are_its_updates(path: str) -> None:
    log = read_log((GOLDEN / path).read_text("utf-8"))
    rng = random.Random(path)
    seats = len(outcome_of(replay_log(log)).scores)
    server = TableServer()
    names = [f"p{seat}" for seat in range(seats)]
    settings: dict[str, Any] = {"seats": seats, "absence_seconds": None, "show_decided": rng.random() < 0.5}
    table = await server.create("p0", game=log.game.name, **settings)
    await server.seat(table, *names[1:])
    screens = {name: await server.watch(name, table) for name in (*names, "pat")}
    first, *steps = log.steps
    await append(server, table, events.GameStarted("00" * 32, "digest"), *first)
    for step in steps:
        await append(server, table, *step)
        if all(isinstance(event, Answered) for event in step):
            await append(server, table, events.AnswerChanged(step[0].seat), *step)
        if rng.random() < 0.1:
            await append(server, table, events.Said("p0", "P0", rng.choice(("players", "spectators")), "well"))
    for is_restarted in (False, True):
        if is_restarted:
            await server.restart()
        for name, screen in screens.items():
            entries = await read_all(server, name, table, limit=rng.choice((7, 64, 100)))
            assert [entry["number"] for entry in entries] == list(range(1, screen.number + 1))
            shown = updates(screen)
            assert len(shown) >= len(steps) - sum(len(step) == 1 and isinstance(step[0], Answered) for step in steps)
            assert without_times(entries[-len(shown) :]) == shown
            assert [entry["at"] for entry in entries] == sorted(entry["at"] for entry in entries)
    await server.registry.close()


async def a_game(server: TableServer, **settings: Any) -> tuple[str, dict[str, Screen]]:
    """Return a table of Ann and Ben with a sealed answer of Ann, and connections of all viewers."""
    table = await server.begin("ann", "ben", **settings)
    screens = {name: await server.watch(name, table, key=server.key(table)) for name in ("ann", "ben", "pat")}
    assert isinstance(await server.bid("ann", table, -1), Done)
    return table, screens


@pytest.mark.parametrize("show_decided", [True, False])
@in_virtual_time
async def test_a_sealed_answer_is_in_the_pages_of_its_seat_alone(show_decided: bool) -> None:
    server = TableServer()
    table, _ = await a_game(server, show_decided=show_decided)
    last = {name: (await read_all(server, name, table))[-1]["events"] for name in ("ann", "ben", "pat")}
    assert last["ann"][0]["command"]["do"] == "bid"
    assert last["ben"][-1] == last["pat"][-1]
    assert "command" not in str(last["ben"])
    assert "salt" not in str(last["ben"])
    names = [event["event"] for event in last["ben"]]
    assert (names == ["answered", "answer_sealed"]) == show_decided
    await server.registry.close()


@in_virtual_time
async def test_a_page_has_the_last_updates_before_a_number_oldest_first() -> None:
    server = TableServer()
    table = await server.create("ann")
    for number in range(20):
        await server.do("ann", "ready", table, ready=number % 2 == 0)
    whole = await server.do("ann", "read_log", table)
    assert [entry["number"] for entry in whole["entries"]] == list(range(1, 22))
    assert whole["more"] is False
    for before, limit, numbers in (
        (None, 3, [19, 20, 21]),
        (1_000_000, 3, [19, 20, 21]),
        (22, 3, [19, 20, 21]),
        (21, 3, [18, 19, 20]),
        (4, 3, [1, 2, 3]),
        (3, 3, [1, 2]),
        (2, 100, [1]),
        (1, 100, []),
    ):
        page = await server.do("ann", "read_log", table, limit=limit, before=before)
        assert [entry["number"] for entry in page["entries"]] == numbers, before
        assert page["more"] == (bool(numbers) and numbers[0] > 1)
        assert page["entries"] == [whole["entries"][number - 1] for number in numbers]
    await server.registry.close()


@in_virtual_time
async def test_the_time_of_an_entry_is_the_time_of_its_append() -> None:
    server = TableServer()
    table = await server.create("ann")
    await pass_time(5)
    at = round(wall() * 1000)
    await server.do("ann", "ready", table, ready=True)
    entries = (await server.do("ann", "read_log", table))["entries"]
    assert [entry["at"] for entry in entries] == [at - 5000, at]
    await server.registry.close()


@pytest.mark.parametrize(
    "fields",
    [
        {"before": 0},
        {"before": -1},
        {"before": 2**31},
        {"before": 1.0},
        {"before": "1"},
        {"limit": 0},
        {"limit": 101},
        {"limit": -1},
        {"limit": None},
        {"key": "x" * 65},
        {"number": 3},
    ],
)
@in_virtual_time
async def test_a_page_that_cannot_be_is_malformed(fields: dict[str, Any]) -> None:
    server = TableServer()
    table = await server.create("ann")
    with pytest.raises(ValidationError):
        await server.ask("ann", "read_log", table, **fields)
    await server.registry.close()


@in_virtual_time
async def test_an_unknown_table_has_no_log() -> None:
    server = TableServer()
    assert await server.refusal("ann", "read_log", "nowhere") == "no_such_table"
    await server.registry.close()


@in_virtual_time
async def test_the_log_of_a_private_table_needs_its_key() -> None:
    server = TableServer()
    table, _ = await a_game(server, private=True)
    assert await server.refusal("sue", "read_log", table) == "no_such_table"
    assert await server.refusal("sue", "read_log", table, key="0" * 32) == "no_such_table"
    assert (await read_all(server, "sue", table, key=server.key(table)))[0]["number"] == 1
    # Pat watches the table with its key.
    assert await read_all(server, "pat", table) == await read_all(server, "sue", table, key=server.key(table))
    await server.registry.close()


@in_virtual_time
async def test_a_table_without_spectators_shows_its_log_only_before_the_game() -> None:
    server = TableServer()
    table = await server.create("ann", spectators=False)
    assert await server.do("pat", "read_log", table)
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    assert await server.refusal("pat", "read_log", table) == "no_spectators"
    await server.registry.close()


@in_virtual_time
async def test_a_spectator_who_sits_down_reads_the_log_of_the_seat() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.watch("ben", table)
    as_spectator = await read_all(server, "ben", table)
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    assert isinstance(await server.bid("ben", table, -1), Done)
    entries = await read_all(server, "ben", table)
    assert entries[: len(as_spectator)] == as_spectator
    assert entries[-1]["events"][0]["command"]["do"] == "bid"
    await server.registry.close()


@in_virtual_time
async def test_the_log_after_a_rollback_tells_of_the_rollback() -> None:
    server = TableServer()
    table, screens = await a_game(server)
    copy = deepcopy(server.store._tables)  # type: ignore[attr-defined]
    await pass_time(1)
    assert isinstance(await server.bid("ben", table, -1), Done)
    before = await read_all(server, "ann", table)
    await server.crash()
    server.store._tables.clear()  # type: ignore[attr-defined]
    server.store._tables.update(copy)  # type: ignore[attr-defined]
    for row in copy.values():
        row.leased_until = 0.0
    ann = Screen(person("ann"))
    assert isinstance(await server.try_watch(ann, table, have=screens["ann"].number, stamp=screens["ann"].stamp), Done)
    after = await read_all(server, "ann", table)
    assert after[:-1] == before[:-1]
    assert [event["event"] for event in after[-1]["events"]] == ["went_back"]
    await server.registry.close()


@in_virtual_time
async def test_a_page_of_a_rolled_back_log_is_refused_until_the_table_knows() -> None:
    server = TableServer()
    table, _ = await a_game(server)
    row = server.store._tables[table]  # type: ignore[attr-defined]
    row.entries = row.entries[:-1]
    assert await server.refusal("ann", "read_log", table) == "busy"
    await server.registry.close()


@pytest.mark.parametrize("name", ["sqlite", "redis"])
async def test_the_archived_log_of_a_finished_game_can_be_read(name: str) -> None:
    backend = BACKENDS[name]()
    await backend.start()
    try:
        server = TableServer(backend.store)
        table, screens = await a_game(server)
        for player in ("ann", "ben"):
            await server.do(player, "vote", table, on="abandon", agree=True)
        # The owner archives the log of a finished game when it unloads the table.
        await server.restart()
        for viewer, screen in screens.items():
            entries, shown = await read_all(server, viewer, table, limit=3), updates(screen)
            assert without_times(entries)[-len(shown) :] == shown
            assert shown[-1]["events"][-1]["event"] == "abandoned"
        await server.registry.close()
    finally:
        await backend.stop()


# -- cost -----------------------------------------------------------------------------------------------------


def new_server() -> tuple[TableServer, FaultyStore]:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    return TableServer(store), store


async def settle_messages(server: TableServer, table: str) -> None:
    """Wait until the mailbox of a table is empty."""
    while not server.registry._actors[table]._mailbox.is_idle:
        await settle()


@in_virtual_time
async def test_a_decision_does_not_wait_for_a_page() -> None:
    server, store = new_server()
    table, _ = await a_game(server)
    store.plan("read", takes(5))
    page = server.send("pat", "read_log", table)
    await settle()
    assert isinstance(await asyncio.wait_for(server.bid("ben", table, -1), 1), Done)
    assert not page.done()
    assert isinstance(await page, Done)
    await server.registry.close()


@in_virtual_time
async def test_a_page_reads_no_more_of_the_log_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    server = TableServer()
    table = await server.create("ann")
    for number in range(300):
        await server.do("ann", "ready", table, ready=number % 2 == 0)
    calls: list[tuple[int, int]] = []
    read = server.store.read

    async def noted(name: str, after: int = 0, limit: int = 1000) -> Any:
        calls.append((after, limit))
        return await read(name, after, limit)

    monkeypatch.setattr(server.store, "read", noted)
    await server.do("ann", "read_log", table, before=201, limit=10)
    assert calls == [(190, 10)]
    await server.registry.close()


@plain_only
@in_virtual_time
async def test_hidden_entries_neither_shorten_a_page_nor_are_they_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_HIDDEN_READ", 3)
    server = TableServer()
    table, _ = await a_game(server)
    read, calls = server.store.read, []

    async def noted(name: str, after: int = 0, limit: int = 1000) -> Any:
        calls.append(limit)
        return await read(name, after, limit)

    for number, hidden in enumerate((3, 25, 4)):
        for _ in range(hidden):
            await server.do("ann", "say", table, text="hidden from spectators")
        await server.do("ann", "vote", table, on="pause", agree=number % 2 == 0)
    monkeypatch.setattr(server.store, "read", noted)
    page = await server.do("pat", "read_log", table, limit=4)
    assert [entry["events"][0]["event"] for entry in page["entries"]] == ["answered", "voted", "voted", "voted"]
    assert calls == [1 + 3 + 1, 1, 1]
    entries = await read_all(server, "pat", table)
    assert [entry["number"] for entry in entries] == list(range(1, len(entries) + 1))
    assert "from spectators" not in str(entries)
    assert str(await read_all(server, "ann", table)).count("from spectators") == 32
    await server.registry.close()


@in_virtual_time
async def test_too_many_pages_at_once_are_refused_and_the_others_are_read() -> None:
    server, store = new_server()
    table, _ = await a_game(server)
    store.always("read", takes(1))
    pages = [server.send("pat", "read_log", table) for _ in range(reads.MAX_READS + 3)]
    await settle_messages(server, table)
    own_page = server.send("ann", "read_log", table)
    replies = await asyncio.gather(*pages)
    assert [code_of(reply) for reply in replies if isinstance(reply, Refused)] == ["busy"] * 3
    assert sum(isinstance(reply, Done) for reply in replies) == reads.MAX_READS
    assert isinstance(await own_page, Done), "a crowd of spectators refuses no player"
    assert isinstance(await server.ask("pat", "read_log", table), Done)
    await server.registry.close()


@in_virtual_time
async def test_a_page_that_cannot_be_read_is_refused_and_the_table_goes_on() -> None:
    server, store = new_server()
    table, _ = await a_game(server)
    store.plan("read", fails, raises(LogDamaged(table, 3)), raises(RuntimeError("a bug")))
    codes = [await server.refusal("pat", "read_log", table) for _ in range(3)]
    assert codes == ["storage_failed", "table_unavailable", "busy"]
    assert isinstance(await server.bid("ben", table, -1), Done)
    assert await read_all(server, "pat", table)
    await server.registry.close()


@in_virtual_time
async def test_a_page_under_way_is_answered_before_the_table_is_unloaded() -> None:
    server, store = new_server()
    table, _ = await a_game(server)
    store.plan("read", takes(5))
    page = server.send("pat", "read_log", table)
    await settle()
    await server.registry.close()
    assert page.done()
    assert isinstance(page.result(), Done)


@in_virtual_time
async def test_bots_play_on_while_pages_are_read() -> None:
    server = TableServer(bots=PatientBots(0.01))
    table = await server.begin("ann", bots=2, game="investors", absence_seconds=None)
    screen = await server.watch("ann", table)
    rng = random.Random(1)
    for _ in range(40):
        if server.state(table).seat_of("ann") in server.state(table).play.awaited:
            await server.play_on(table, "ann", rng)
        entries = await read_all(server, "ann", table, limit=20)
        assert [entry["number"] for entry in entries] == list(range(1, len(entries) + 1))
        await pass_time(0.02)
    entries, shown = without_times(await read_all(server, "ann", table)), updates(screen)
    assert shown[: len(entries)] == [entry for entry in entries if entry["number"] >= shown[0]["number"]]
    await server.registry.close()
