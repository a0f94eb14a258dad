"""Tables by the day: clocks of days over restarts, rhythms, holidays, and what people see of all that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgpack
import pytest

from server.model import Done
from server.tables import registry
from server.tables.day_clocks import DAY_MILLISECONDS
from server.tables.registry import DESERTED_INTERVAL_SECONDS
from server.tables.rhythm import Rhythm
from server.tables.summary import unpack_status
from tests.tables.roles import choice, play_turn
from tests.tables.table_server import Screen, TableServer, pass_time, settle, toys, wall
from tests.tables.virtual_time import in_virtual_time

HOUR, DAY = 3_600.0, 86_400.0
A_DAY = {"kind": "decision", "seconds": 86_400}
A_BANK = {"kind": "bank", "seconds": 432_000, "increment": 43_200}
"""Five days, and twelve hours for each decision."""

NIGHTS = Rhythm("UTC", 8 * 60, 20 * 60, (0, 1, 2, 3, 4, 5, 6))
"""The virtual time of tests begins in an evening, when this clock stands still."""


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


@dataclass
class Sleepers:
    """People with rhythms. Implements `server.tables.people.TablePeople`."""

    kept: dict[str, Rhythm] = field(default_factory=dict)

    async def handles(self, user_ids: Iterable[str]) -> dict[str, str]:
        return {}

    def is_former(self, user_id: str) -> bool:
        return False

    async def may_join(self, user_id: str, seated: Collection[str]) -> bool:
        return True

    async def rhythms(self, user_ids: Iterable[str]) -> dict[str, Rhythm | None]:
        return {user_id: self.kept.get(user_id) for user_id in user_ids}


async def begin(server: TableServer, *names: str, **settings: Any) -> str:
    chosen = {"clock": A_DAY, "absence_seconds": None, "game": "mosaic", **settings}
    return await server.begin(*(names or ("ann", "ben")), **chosen)


def now() -> int:
    return round(wall() * 1000)


def to_morning() -> int:
    """Return the milliseconds to the next 08:00."""
    return 86_400_000 - (now() - 8 * 3_600_000) % 86_400_000


async def days(server: TableServer, table: str, name: str = "pat") -> list[dict[str, Any] | None]:
    """Return what somebody sees of the clocks."""
    screen = await server.watch(name, table)
    server.registry.unsubscribe(table, screen)
    assert screen.view is not None
    shown: list[dict[str, Any] | None] = screen.view["clock"]["days"]
    return shown


async def deadline(server: TableServer, table: str, seat: int = 0) -> int | None:
    """Return the milliseconds from now to the end of a seat's time."""
    shown = (await days(server, table))[seat]
    assert shown is not None
    return None if shown["deadline"] is None else shown["deadline"] - now()


def has_run_out(server: TableServer, table: str, seat: int = 0) -> bool:
    return server.state(table).chairs[seat].stand_in is not None


# -- clocks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_gentle", [True, False], ids=["restart", "crash"])
@in_virtual_time
async def test_daily_restarts_give_no_time_back(is_gentle: bool) -> None:
    server = TableServer()
    table = await begin(server, clock={"kind": "decision", "seconds": 3 * 86_400})
    for _ in range(2):
        await pass_time(DAY)
        await (server.restart() if is_gentle else server.crash())
        await server.watch("pat", table)
    assert await deadline(server, table) == 86_400_000
    await pass_time(DAY - 1)
    assert not has_run_out(server, table)
    await pass_time(2)
    assert has_run_out(server, table)
    await server.registry.close()


@in_virtual_time
async def test_a_bank_pays_for_days_and_gets_its_increment_after_a_restart_too() -> None:
    server = TableServer()
    table = await begin(server, clock=A_BANK)
    await pass_time(2 * DAY)
    await server.crash()
    await server.watch("ann", table)
    await server.do("ann", "decide", table, **choice(server, table))
    assert server.state(table).thinking == [3 * DAY * 1000 + 12 * HOUR * 1000, 5 * DAY * 1000]
    assert await deadline(server, table) == (3 * DAY + 12 * HOUR) * 1000
    await server.registry.close()


@in_virtual_time
async def test_each_decision_has_its_own_day_and_undoing_gives_no_new_one() -> None:
    server = TableServer()
    table = await begin(server)
    await pass_time(20 * HOUR)
    await server.do("ann", "decide", table, **choice(server, table))
    assert await deadline(server, table) == DAY * 1000
    await pass_time(10 * HOUR)
    await server.do("ann", "undo", table, decision=server.state(table).play.number)
    await server.restart()
    assert await deadline(server, table) == 14 * HOUR * 1000
    await server.do("ann", "decide", table, **choice(server, table))
    assert await deadline(server, table) == 14 * HOUR * 1000
    await server.registry.close()


@in_virtual_time
async def test_a_pause_stops_clocks_of_days() -> None:
    server = TableServer()
    table = await begin(server)
    await pass_time(10 * HOUR)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="pause", agree=True)
    await pass_time(5 * DAY)
    await server.restart()
    assert await deadline(server, table) is None
    await server.do("ben", "vote", table, on="resume", agree=True)
    assert await deadline(server, table) == 14 * HOUR * 1000
    await server.registry.close()


@in_virtual_time
async def test_time_that_ran_out_while_the_server_was_down_is_up_when_the_table_is_loaded() -> None:
    server = TableServer()
    table = await begin(server, time_up="fallback")
    await server.registry.close()
    await pass_time(2 * DAY)
    server.registry = server.new_registry()
    server.registry.load(table)
    await settle()
    assert (await server.log(table))[-1] == "time_ran_out+stone_taken"
    assert await deadline(server, table) == DAY * 1000, "the next decision has its whole time"
    await server.registry.close()


@in_virtual_time
async def test_who_comes_back_after_the_end_of_the_time_gets_the_seat_at_the_next_decision() -> None:
    server = TableServer()
    table = await begin(server)
    await pass_time(DAY + 1)
    assert await server.refusal("ann", "return_to_seat", table) == "not_awaited"
    server.bots.decide()
    await settle()
    await server.do("ann", "return_to_seat", table)
    assert await deadline(server, table) == DAY * 1000
    await server.registry.close()


@in_virtual_time
async def test_an_absence_bank_of_an_earlier_version_keeps_the_table_a_live_one() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", clock=A_DAY, absence_seconds=120, game="mosaic")
    assert server.state(table).day_clocks is None
    await pass_time(121)
    assert has_run_out(server, table)
    await server.registry.close()


@pytest.mark.parametrize("step", [-2 * DAY, -HOUR, HOUR, 2 * DAY])
@in_virtual_time
async def test_setting_the_wall_clock_neither_shortens_nor_lengthens_a_day(step: float) -> None:
    server = TableServer()
    table = await begin(server)
    await pass_time(10 * HOUR)
    server.clock_step = step
    await server.do("ann", "say", table, text="what time is it?")
    await pass_time(14 * HOUR - 1)
    await server.do("ann", "say", table, text="late")
    assert not has_run_out(server, table)
    await pass_time(2)
    assert has_run_out(server, table)
    await server.registry.close()


@in_virtual_time
async def test_a_wall_clock_that_was_set_back_before_a_restart_gives_at_most_the_outage_back() -> None:
    server = TableServer()
    table = await begin(server)
    await pass_time(10 * HOUR)
    await server.do("ann", "say", table, text="noted")
    server.clock_step = -2 * DAY
    await server.restart()
    await server.watch("pat", table)
    await pass_time(14 * HOUR - 1)
    assert not has_run_out(server, table)
    await pass_time(2)
    assert has_run_out(server, table)
    await server.registry.close()


# -- in memory ------------------------------------------------------------------------------------------------


async def stored(server: TableServer, table: str) -> Any:
    (row,) = await server.store.rows([table])
    return unpack_status(msgpack.unpackb(row.summary))


@in_virtual_time
async def test_a_table_by_the_day_is_unloaded_and_its_status_says_when_it_must_be_back() -> None:
    server = TableServer()
    table = await begin(server)
    end = now() + 86_400_000
    server.registry.start()
    await pass_time(61)
    assert table not in server.registry._actors
    status = await stored(server, table)
    assert (status.deadlines, status.wake) == ({"ann": end}, end)
    assert server.lists.statuses[table][-1] == status
    await server.registry.close()


@in_virtual_time
async def test_a_table_stays_in_memory_while_the_end_of_somebodys_time_is_near() -> None:
    server = TableServer()
    table = await begin(server, clock={"kind": "decision", "seconds": 3_600})
    server.registry.start()
    await server.watch("pat", table)
    await pass_time(3_300)
    assert table in server.registry._actors
    await pass_time(301)
    assert has_run_out(server, table)
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_waits_for_a_bot_must_be_in_memory_at_once() -> None:
    server = TableServer()
    table = await begin(server, "ann", bots=1)
    await play_turn(server, table, "ann")
    status = await stored(server, table)
    assert server.state(table).awaited() == (1,)
    assert (status.deadlines, status.wake) == ({}, now())
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_waits_for_a_standing_order_must_be_in_memory_at_once() -> None:
    server = TableServer()
    table = await begin(server, options={"board": "large", "bag": ["brick", "brick", "brick", "slate"]})
    stone = {"kind": "stone", "values": {"kind": "brick"}, "until": "once"}
    await server.do("ann", "set_orders", table, revision=0, orders=[stone], seed=None)
    assert (await stored(server, table)).wake == server.state(table).entry_at
    await pass_time(10)
    assert server.state(table).awaited() == (1,)
    assert (await stored(server, table)).wake == server.state(table).entry_at + DAY_MILLISECONDS
    await server.registry.close()


@in_virtual_time
async def test_a_table_whose_standing_order_was_dropped_waits_for_the_person() -> None:
    server = TableServer()
    table = await begin(server, options={"board": "large", "bag": ["brick", "brick", "brick", "slate"]})
    stone = {"kind": "stone", "values": {"kind": "marble"}, "until": "once"}
    await server.do("ann", "set_orders", table, revision=0, orders=[stone], seed=None)
    began = server.state(table).entry_at
    await pass_time(10)
    assert server.state(table).awaited() == (0,)
    assert (await stored(server, table)).wake > began + DAY_MILLISECONDS / 2
    await server.registry.close()


@pytest.fixture
def _rare_unloads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look rarely for idle tables, so that weeks take no time."""
    monkeypatch.setattr(registry, "UNLOAD_INTERVAL_SECONDS", HOUR)


@pytest.mark.usefixtures("_rare_unloads")
@in_virtual_time
async def test_a_game_is_not_abandoned_while_somebody_has_months_to_decide() -> None:
    """A fortnight with fourteen hours a week takes half a year."""
    weekend = Rhythm("UTC", 8 * 60, 15 * 60, (5, 6))
    server = TableServer(people=Sleepers({"ann": weekend}))
    table = await begin(server, clock={"kind": "decision", "seconds": 1_209_600})
    server.registry.start()
    await pass_time(32 * DAY)
    assert (await stored(server, table)).wake > now()
    assert [row.phase for row in await server.store.tables()] == ["running"]
    await server.registry.close()


@pytest.mark.usefixtures("_rare_unloads")
@in_virtual_time
async def test_an_open_table_by_the_day_waits_for_weeks_and_a_live_one_for_a_day() -> None:
    server = TableServer()
    await server.create("ann", "slow", clock=A_DAY, absence_seconds=None)
    await server.create("ann", "live")
    server.registry.start()
    await pass_time(3 * DAY)
    assert {row.table: row.phase for row in await server.store.tables()} == {"slow": "open", "live": "over"}
    await pass_time(11 * DAY + DESERTED_INTERVAL_SECONDS)
    assert {row.phase for row in await server.store.tables()} == {"over"}
    await server.registry.close()


@in_virtual_time
async def test_a_vote_does_not_wait_for_people_whose_time_has_run_out() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "cat")
    await pass_time(DAY + 1)
    assert has_run_out(server, table)
    # From now on absences are counted anew.
    await server.restart()
    for name in ("ben", "cat"):
        await server.watch(name, table)
    for name in ("ben", "cat"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    assert server.state(table).abandoned
    await server.registry.close()


# -- rhythms --------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_clock_runs_in_the_hours_of_its_person_alone() -> None:
    server = TableServer(people=Sleepers({"ann": NIGHTS}))
    table = await begin(server)
    shown = (await days(server, table))[0]
    assert shown is not None
    morning = now() + to_morning()
    assert shown["deadline"] == morning + 36 * 3_600_000
    assert shown["pauses"] == [[now(), morning], [morning + 12 * 3_600_000, morning + 24 * 3_600_000]]
    await server.crash()
    assert (await days(server, table))[0] == shown
    await play_turn(server, table, "ann")
    assert await deadline(server, table, 1) == DAY * 1000, "the other one has no hours"
    await server.registry.close()


@in_virtual_time
async def test_another_rhythm_counts_from_the_next_decision() -> None:
    people = Sleepers({"ann": NIGHTS})
    server = TableServer(people=people)
    table = await begin(server)
    before = await days(server, table)
    people.kept = {}
    await server.do("ann", "adopt_rhythm", table)
    assert await days(server, table) == before
    await server.restart()
    assert await days(server, table) == before
    await server.do("ann", "decide", table, **choice(server, table))
    assert await deadline(server, table) == DAY * 1000
    await server.registry.close()


@in_virtual_time
async def test_a_rhythm_that_was_changed_while_the_table_was_away_is_read_when_it_is_loaded() -> None:
    people = Sleepers()
    server = TableServer(people=people)
    table = await begin(server)
    await server.registry.close()
    people.kept = {"ann": NIGHTS}
    server.registry = server.new_registry()
    assert await deadline(server, table) == DAY * 1000
    await server.do("ann", "decide", table, **choice(server, table))
    assert await deadline(server, table) == to_morning() + 36 * 3_600_000
    await server.registry.close()


@in_virtual_time
async def test_the_first_decision_of_a_game_that_begins_by_itself_goes_by_the_hours_too() -> None:
    server = TableServer(people=Sleepers({"ben": NIGHTS}))
    table = await server.create("ann", clock=A_DAY, absence_seconds=None, begin="full")
    ann = await server.watch("ann", table)
    await server.do("ben", "take_seat", table)
    while server.state(table).phase == "open":
        await pass_time(1)
    assert ann.view is not None
    [first, second] = ann.view["clock"]["days"]
    assert second["deadline"] > first["deadline"]
    await server.registry.close()


@in_virtual_time
async def test_nobody_is_shown_the_hours_and_the_zone_of_a_person() -> None:
    people = Sleepers({"ann": Rhythm("Pacific/Chatham", 427, 1_261, (0, 1, 2, 3, 4, 5, 6))})
    server = TableServer(people=people)
    table = await begin(server)
    screens = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    people.kept = {"ann": Rhythm("Pacific/Marquesas", 428, 1_262, (0, 1, 2, 3, 4, 5, 6))}
    numbers = [screen.number for screen in screens]
    await server.do("ann", "adopt_rhythm", table)
    assert "rhythm_set" in (await server.log(table))[-1]
    assert [screen.number for screen in screens] == numbers, "not even that there was an entry"
    await server.do("ann", "resign", table)
    await server.do("ben", "resign", table)
    page = await server.do("ann", "read_log", table)
    for told in (page, *(screen.messages for screen in screens)):
        assert not any(word in str(told) for word in ("Pacific", "rhythm", "427", "428"))
    await server.registry.close()


@in_virtual_time
async def test_a_live_table_takes_no_rhythms() -> None:
    server = TableServer(people=Sleepers({"ann": NIGHTS}))
    table = await server.begin("ann", "ben", clock={"kind": "decision", "seconds": 60}, game="mosaic")
    await server.do("ann", "adopt_rhythm", table)
    assert not any("rhythm_set" in entry for entry in await server.log(table))
    await server.registry.close()


# -- holidays -------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_holiday_stops_the_clock_at_once_until_it_is_ended() -> None:
    server = TableServer()
    table = await begin(server, holiday_days=7)
    await pass_time(10 * HOUR)
    await server.do("ann", "take_holiday", table, on=True)
    until = now() + 7 * DAY_MILLISECONDS
    assert (await days(server, table))[0] == {
        "deadline": until + 14 * 3_600_000,
        "pauses": [],
        "holiday": until,
        "holidays": 0,
    }
    await pass_time(2 * DAY + HOUR)
    await server.crash()
    await server.do("ann", "take_holiday", table, on=False)
    assert (await days(server, table))[0] == {
        "deadline": now() + 14 * 3_600_000,
        "pauses": [],
        "holiday": None,
        "holidays": 4,
    }
    await server.registry.close()


@in_virtual_time
async def test_a_holiday_ends_by_itself_when_its_days_are_used() -> None:
    server = TableServer()
    table = await begin(server, holiday_days=2)
    await server.do("ann", "take_holiday", table, on=True)
    await pass_time(2 * DAY + HOUR)
    assert await deadline(server, table) == 23 * HOUR * 1000
    assert await server.refusal("ann", "take_holiday", table, on=True) == "no_holiday"
    assert isinstance(await server.ask("ann", "take_holiday", table, on=False), Done)
    await pass_time(23 * HOUR + 1)
    assert has_run_out(server, table)
    await server.registry.close()


@in_virtual_time
async def test_the_bank_bounds_how_often_somebody_leaves() -> None:
    server = TableServer()
    table = await begin(server, holiday_days=2)
    for _ in range(2):
        await server.do("ann", "take_holiday", table, on=True)
        await server.do("ann", "take_holiday", table, on=True)
        await server.do("ann", "take_holiday", table, on=False)
    assert await server.refusal("ann", "take_holiday", table, on=True) == "no_holiday"
    assert (await server.log(table)).count("holiday_began") == 2
    await server.registry.close()


@in_virtual_time
async def test_a_table_without_a_bank_and_a_live_one_know_no_holidays() -> None:
    server = TableServer()
    table = await begin(server)
    assert await server.refusal("ann", "take_holiday", table, on=True) == "no_holiday"
    assert await server.refusal("pat", "take_holiday", table, on=True) == "not_seated"
    await server.registry.close()


@in_virtual_time
async def test_who_is_on_holiday_can_decide_all_the_same() -> None:
    server = TableServer()
    table = await begin(server, holiday_days=7)
    await server.do("ann", "take_holiday", table, on=True)
    await server.do("ann", "decide", table, **choice(server, table))
    assert await deadline(server, table) == 8 * DAY * 1000
    await server.registry.close()


@in_virtual_time
async def test_a_holiday_and_hours_add_up() -> None:
    server = TableServer(people=Sleepers({"ann": NIGHTS}))
    table = await begin(server, holiday_days=1, clock={"kind": "decision", "seconds": 3_600})
    await server.do("ann", "take_holiday", table, on=True)
    assert await deadline(server, table) == 86_400_000 + to_morning() + 3_600_000
    await server.registry.close()


# -- secrets --------------------------------------------------------------------------------------------------


async def sealed(server: TableServer, card: int | None, *, is_first: bool) -> list[Screen]:
    """Let time pass at a table that does not show who has answered; return what others see."""
    table = await begin(server, "ann", "ben", "cat", game="auction", show_decided=False, holiday_days=3, clock=A_BANK)
    screens = [await server.watch(name, table) for name in ("ben", "pat")]
    await pass_time(HOUR)
    if is_first:
        assert isinstance(await server.bid("ann", table, card), Done)
    await pass_time(HOUR)
    await server.do("ann", "take_holiday", table, on=True)
    await pass_time(HOUR)
    screens.append(await server.watch("dan", table))
    await server.do("ann", "take_holiday", table, on=False)
    await server.do("cat", "say", table, text="and now?")
    return screens


@in_virtual_time
async def test_no_deadline_tells_who_has_sealed_an_answer() -> None:
    seen = []
    for number, (card, is_first) in enumerate([(None, True), (-1, True), (None, False)]):
        server = TableServer()
        server._ids = iter(range(1_000))  # type: ignore[assignment]
        start = now()
        screens = await sealed(server, card, is_first=is_first)
        seen.append([_relative(screen.messages, start) for screen in screens])
        statuses = server.lists.statuses["table1"]
        assert {frozenset(status.deadlines) for status in statuses if status.since} == {
            frozenset({"ann", "ben", "cat"})
        }
        assert statuses[-1].wake is not None, number
        await server.registry.close()
    assert seen[0] == seen[1] == seen[2]


def _relative(messages: list[dict[str, Any]], start: int) -> str:
    """Return messages as text, with times since the start; proofs hold the time itself."""

    def moved(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: moved(each) for key, each in value.items() if key not in ("stamp", "head", "fairness", "key")}
        if isinstance(value, list):
            return [moved(each) for each in value]
        return value - start if isinstance(value, int) and value > 1_000_000_000_000 else value

    return str([moved(message) for message in messages])


@in_virtual_time
async def test_a_seat_that_has_answered_does_not_run_out_of_time_although_its_clock_is_shown() -> None:
    server = TableServer()
    table = await begin(server, game="auction", show_decided=False, time_up="fallback")
    assert isinstance(await server.bid("ann", table, -1), Done)
    assert (await stored(server, table)).deadlines == dict.fromkeys(("ann", "ben"), now() + 86_400_000)
    await pass_time(DAY + 1)
    ran_out = [event for entry in await server.entries(table) for event in entry if event.name == "time_ran_out"]
    assert [event.seat for event in ran_out] == [1]
    await server.registry.close()
