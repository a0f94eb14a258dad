"""Tables by the day in the lobby: pace in the lists, nobody closed for being away, own deadlines, and who is loaded."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from protocol.messages import ListTables, TableSettings
from server.lobby.attendance import Attendance
from server.lobby.directory import TableDirectory
from server.lobby.due import INTERVAL_SECONDS, MAX_LOADED, DueTables
from server.lobby.matching import Criteria, matches, quick_settings
from server.lobby.queries import read_query
from server.model import Refused
from server.store.memory import MemoryStore
from server.tables.api import TableStatus
from server.tables.messages import PeopleAway
from server.tables.pace import is_by_the_day, pace_of
from server.tables.settings import read_settings
from tests.lobby.directories import SETTLED, public, subscribed, waiting_for
from tests.lobby.fakes import FakeLoop, FakeSubscriber, user
from tests.tables.table_server import TableServer, pass_time, settle, toys, wall
from tests.tables.virtual_time import in_virtual_time

DAYS = {"clock": {"kind": "decision", "seconds": 86_400}, "absence_seconds": None}
LIVE = {"clock": {"kind": "decision", "seconds": 60}, "absence_seconds": 120}


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


@pytest.mark.parametrize(
    "clock, pace",
    [
        ({"kind": "none"}, "live"),
        ({"kind": "decision", "seconds": 3_599}, "live"),
        ({"kind": "decision", "seconds": 3_600}, "days"),
        ({"kind": "decision", "seconds": 1_209_600}, "days"),
        ({"kind": "bank", "seconds": 43_199, "increment": 60}, "live"),
        ({"kind": "bank", "seconds": 43_200, "increment": 0}, "days"),
        ({"kind": "bank", "seconds": 600, "increment": 3_600}, "days"),
    ],
)
def test_the_clock_of_a_table_says_its_pace(clock: dict[str, Any], pace: str) -> None:
    asked = TableSettings.model_validate({"game": "auction", "seats": 2, "clock": clock, "holiday_days": 7})
    settings = read_settings(asked)
    assert not isinstance(settings, Refused)
    assert pace_of(settings.model_dump()) == pace
    assert is_by_the_day(settings) is (pace == "days")
    assert (settings.absence_seconds, settings.holiday_days) == ((None, 7) if pace == "days" else (120, 0))


def test_tables_of_earlier_versions_with_a_bank_for_absence_are_live() -> None:
    assert pace_of({"clock": {"kind": "decision", "seconds": 86_400}, "absence_seconds": 120}) == "live"
    assert pace_of({"clock": {"kind": "decision", "seconds": 86_400}}) == "live"
    assert pace_of({}) == "live"


def test_the_lists_can_be_filtered_by_pace(directory: TableDirectory, loop: FakeLoop) -> None:
    directory.update(*public("slow", "Ada", settings=DAYS))
    directory.update(*public("fast", "Bob", settings=LIVE))
    loop.pass_time(SETTLED)
    found = {}
    for pace in ("live", "days", None):
        request = ListTables.model_validate({"type": "list_tables", "id": "l", "open": {"pace": pace}, "running": None})
        found[pace] = set(subscribed(directory, "Cy", read_query(request)).lists)
    assert found == {"live": {"fast"}, "days": {"slow"}, None: {"fast", "slow"}}


def test_a_quick_match_never_leads_to_a_table_by_the_day() -> None:
    summary, _ = public("slow", "Ada", game="auction", settings={**DAYS, "private": False, "options": {}})
    criteria = Criteria("auction", None, False)
    assert not matches(summary, criteria)
    assert matches({**summary, "settings": {**summary["settings"], **LIVE}}, criteria)
    assert not is_by_the_day(quick_settings(criteria))


def test_an_open_table_by_the_day_stays_listed_and_open_while_everybody_is_away(loop: FakeLoop) -> None:
    directory = TableDirectory(loop)
    sent: list[tuple[str, PeopleAway]] = []
    Attendance(
        directory, lambda table, message: sent.append((table, message)), loop, wall_clock=lambda: loop.now
    ).start()
    directory.update(*public("slow", "Ada", settings=DAYS))
    directory.update(*public("fast", "Bob", settings=LIVE))
    reader = FakeSubscriber(user("Zoe"))
    directory.subscribe(reader)
    loop.pass_time(3_600)
    assert reader.page() == ["slow"]
    assert {table for table, _ in sent} == {"fast"}


def test_people_are_told_their_own_deadline_and_holiday_and_nothing_of_others(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    directory.update(*public("t1", "Ada", "Bob", "Cy", phase="running", settings=DAYS))
    status = waiting_for("Ada", "Bob", deadlines={"ada": 100, "bob": 200, "cy": 300}, holidays={"cy": 50}, wake=100)
    directory.update_status("t1", status)
    shown = {name: subscribed(directory, name).own[0] for name in ("Ada", "Bob", "Cy")}
    assert {name: (own["awaited"], own["deadline"], own["holiday"]) for name, own in shown.items()} == {
        "Ada": (True, 100, None),
        "Bob": (True, 200, None),
        "Cy": (False, None, 50),
    }
    assert not any(word in str(shown) for word in ("deadlines", "wake"))


def test_nobody_is_sent_anything_when_only_the_time_to_wake_changes(directory: TableDirectory, loop: FakeLoop) -> None:
    """It depends on who has sealed an answer."""
    directory.update(*public("t1", "Ada", "Bob", phase="running", settings=DAYS))
    status = waiting_for("Ada", "Bob", deadlines={"ada": 100, "bob": 200}, wake=100)
    directory.update_status("t1", status)
    ada, bob = subscribed(directory, "Ada"), subscribed(directory, "Bob")
    loop.pass_time(SETTLED)
    for one in (ada, bob):
        one.kinds()
    directory.update_status("t1", status._replace(awaited=frozenset({"bob"}), wake=200))
    loop.pass_time(SETTLED)
    assert [ada.kinds(), bob.kinds()] == [["your_tables"], []]


def test_a_status_of_one_user_from_another_worker_leaves_those_of_others(directory: TableDirectory) -> None:
    directory.update(*public("t1", "Ada", "Bob", phase="running", settings=DAYS))
    status = waiting_for("Ada", "Bob", deadlines={"ada": 100, "bob": 200}, wake=100)
    directory.update_status("t1", status)
    told = directory.status_for("t1", "ada")
    assert told == waiting_for("Ada", deadlines={"ada": 100})
    directory.update_status_for("t1", "ada", waiting_for(deadlines={"ada": 150}, holidays={"ada": 120}))
    assert directory._entries["t1"].status == waiting_for(
        "Bob", deadlines={"ada": 150, "bob": 200}, holidays={"ada": 120}, wake=100
    )


# -- due tables -----------------------------------------------------------------------------------------------


class Host:
    """A process with tables, lists of them, and the part that loads those that are due."""

    def __init__(self, server: TableServer) -> None:
        self.server = server
        self.directory = TableDirectory()
        self.loaded: list[str] = []
        server.lists = self.directory  # type: ignore[assignment]
        server.registry = server.new_registry()
        self.start()

    def start(self) -> None:
        registry = self.server.registry
        registry.start()
        self.due = DueTables(self.directory, self.server.store, self.load, registry.owns, registry.day_time)
        self.due.start()

    def load(self, table: str) -> None:
        self.loaded.append(table)
        self.server.registry.load(table)

    async def stop(self) -> None:
        self.due.close()
        await self.server.registry.close()

    async def restart(self) -> None:
        """Start again with what the store has."""
        self.directory = TableDirectory()
        self.server.lists = self.directory  # type: ignore[assignment]
        self.server.registry = self.server.new_registry()
        for phase in ("open", "running"):
            self.directory.load(await self.server.store.tables(phase))
        self.start()


async def begin(host: Host, table: str = "table1", **settings: Any) -> None:
    await host.server.begin("ann", "ben", table=table, **{**DAYS, "game": "mosaic", "time_up": "fallback", **settings})


async def ran_out(host: Host, table: str = "table1") -> int:
    """Return how often somebody's time has run out."""
    entries = await host.server.store.read(table)
    return sum(b"time_ran_out" in entry.payload for entry in entries)


@in_virtual_time
async def test_an_unloaded_table_is_loaded_when_somebodys_time_runs_out() -> None:
    host = Host(TableServer())
    await begin(host)
    await pass_time(3_600)
    assert host.server.registry.loaded == 0
    await pass_time(23 * 3_600 - 1)
    assert (await ran_out(host), host.loaded) == (0, [])
    await pass_time(INTERVAL_SECONDS + 2)
    assert (await ran_out(host), host.loaded) == (1, ["table1"])
    await pass_time(86_400 + INTERVAL_SECONDS)
    assert (await ran_out(host), host.loaded) == (2, ["table1"] * 2), "and again for the next decision, once"
    await host.stop()


@in_virtual_time
async def test_a_table_whose_time_ran_out_while_the_server_was_down_is_loaded_at_the_start() -> None:
    host = Host(TableServer())
    await begin(host)
    await host.stop()
    await pass_time(3 * 86_400)
    await host.restart()
    await settle()
    await pass_time(1)
    assert await ran_out(host) == 1
    assert host.server.state("table1").day_clocks.due(host.server.state("table1").thinking) is not None
    await host.stop()


@in_virtual_time
async def test_a_game_that_waits_for_a_bot_goes_on_after_a_restart_without_a_visitor() -> None:
    host = Host(TableServer())
    await host.server.begin("ann", bots=1, **DAYS)
    assert await host.server.bid("ann", "table1", None)
    await host.stop()
    host.server.bots.asked.clear()
    await host.restart()
    await pass_time(1)
    assert host.server.bots.asked
    await host.stop()


def overdue(count: int, start: int = 1) -> TableDirectory:
    """Return a directory with tables that are due, the first ones for the longest time."""
    directory = TableDirectory(FakeLoop())
    for number in range(count):
        directory.update(*public(f"t{number:03}", "Ada", phase="running", settings=DAYS))
        directory.update_status(f"t{number:03}", TableStatus(frozenset({"ada"}), "bid", 1, {}, wake=start + number))
    return directory


@in_virtual_time
async def test_the_longest_due_tables_come_first_and_those_that_cannot_go_on_last() -> None:
    directory, loaded = overdue(MAX_LOADED + 20), []
    store = MemoryStore(asyncio.get_running_loop().time, wall)
    due = DueTables(directory, store, loaded.append, lambda table: table == "t003", lambda: 10_000)
    first = await due.look()
    assert first == loaded[:MAX_LOADED]
    assert (first[:4], len(first)) == (["t000", "t001", "t002", "t004"], MAX_LOADED)
    second = await due.look()
    assert second[:19] == [f"t{number:03}" for number in range(MAX_LOADED + 1, MAX_LOADED + 20)]
    assert second[19] == "t000"


@in_virtual_time
async def test_nothing_is_loaded_for_a_status_that_is_out_of_date() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", **DAYS, game="mosaic")
    directory = overdue(0)
    directory.load(await server.store.tables("running"))
    stale = directory._entries[table].status
    assert stale is not None
    directory.update_status(table, stale._replace(wake=1))
    due = DueTables(directory, server.store, lambda table: None, lambda table: False, server.registry.day_time)
    assert directory.due(server.registry.day_time())
    assert await due.look() == []
    assert not directory.due(server.registry.day_time())
    await server.registry.close()
