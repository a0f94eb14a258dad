"""Clocks: none, per decision, bank; time away; pauses, restarts, bots, and the end of the time."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import BankClock, NoClock
from server.tables.clocks import Spent, Stopwatch, charged
from tests.tables.roles import choice, play_turn
from tests.tables.table_server import PatientBots, TableServer, pass_time, settle
from tests.tables.virtual_time import in_virtual_time

PER_DECISION = {"kind": "decision", "seconds": 10}
BANK = {"kind": "bank", "seconds": 60, "increment": 5}


async def begin(server: TableServer, *names: str, **settings: Any) -> str:
    """Start a game without a limit of the time away."""
    return await server.begin(*(names or ("ann", "ben")), **{"absence_seconds": None, **settings})


async def clocks(server: TableServer, table: str) -> tuple[list[int | None], list[int | None]]:
    """Return the thinking time and the time away that each seat has left, as everybody sees them."""
    screen = await server.watch("pat", table)
    server.registry.unsubscribe(table, screen)
    assert screen.view is not None
    return screen.view["clock"]["thinking"], screen.view["clock"]["away"]


# -- thinking -------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_without_a_clock_everybody_may_think_for_ever() -> None:
    server = TableServer()
    table = await begin(server)
    await pass_time(400 * 24 * 3600)
    assert await clocks(server, table) == ([None, None], [None, None])
    assert server.state(table).awaited() == (0, 1)
    await server.registry.close()


@in_virtual_time
async def test_each_decision_has_its_own_seconds() -> None:
    server = TableServer()
    table = await begin(server, clock=PER_DECISION, game="mosaic")
    for _ in range(3):
        await pass_time(9.9)
        await server.do("ann", "decide", table, **choice(server, table))
    assert await clocks(server, table) == ([10_000, 10_000], [None, None])
    await pass_time(9.9)
    assert server.state(table).chairs[1].stand_in is None
    await pass_time(0.2)
    assert server.state(table).chairs[1].stand_in == "random"
    await server.registry.close()


@in_virtual_time
async def test_a_bank_pays_for_thinking_and_gets_its_increment_for_each_decision() -> None:
    server = TableServer()
    table = await begin(server, clock=BANK, game="mosaic")
    await pass_time(20)
    await server.do("ann", "decide", table, **choice(server, table))
    assert (await clocks(server, table))[0] == [45_000, 60_000]
    await server.do("ann", "decide", table, **choice(server, table))
    assert (await clocks(server, table))[0] == [50_000, 60_000]
    await pass_time(50.1)
    assert server.state(table).chairs[0].stand_in == "random"
    await server.registry.close()


@in_virtual_time
async def test_in_a_sealed_decision_each_seat_pays_for_its_own_time() -> None:
    server = TableServer()
    table = await begin(server, clock=BANK)
    await pass_time(10)
    await server.bid("ann", table, -1)
    await pass_time(20)
    await server.bid("ann", table, None)
    await server.bid("ben", table, -1)
    assert (await clocks(server, table))[0] == [55_000, 35_000]
    await server.registry.close()


@in_virtual_time
async def test_who_has_sealed_an_answer_does_not_run_out_of_time() -> None:
    server = TableServer()
    table = await begin(server, clock=PER_DECISION, time_up="fallback")
    await server.bid("ann", table, -1)
    await pass_time(11)
    assert server.state(table).play.number == 2
    revealed = (await server.entries(table))[-1]
    assert [event.name for event in revealed] == [
        "time_ran_out",
        "answered",
        "answer_sealed",
        "bids_revealed",
        "answers_opened",
    ]
    assert revealed[0].seat == 1
    assert revealed[3].winner == 0
    await server.registry.close()


@in_virtual_time
async def test_taking_back_and_answering_again_gives_no_new_time() -> None:
    server = TableServer()
    table = await begin(server, clock=PER_DECISION, game="mosaic")
    for _ in range(4):
        await server.do("ann", "decide", table, **choice(server, table))
        await pass_time(2)
        await server.do("ann", "undo", table, decision=server.state(table).play.number)
    await pass_time(1.9)
    assert server.state(table).chairs[0].stand_in is None
    await pass_time(0.2)
    assert server.state(table).chairs[0].stand_in == "random"
    await server.registry.close()


@in_virtual_time
async def test_taking_back_and_answering_again_earns_no_increments() -> None:
    server = TableServer()
    table = await begin(server, clock=BANK, game="mosaic")
    await server.do("ann", "decide", table, **choice(server, table))
    assert (await clocks(server, table))[0] == [65_000, 60_000]
    for _ in range(5):
        await pass_time(1)
        await server.do("ann", "undo", table, decision=server.state(table).play.number)
        await pass_time(1)
        await server.do("ann", "decide", table, **choice(server, table))
    assert (await clocks(server, table))[0] == [65_000, 60_000]
    await server.do("ann", "decide", table, **choice(server, table))
    assert (await clocks(server, table))[0] == [65_000 - 10_000 + 5_000, 60_000]
    await server.registry.close()


@in_virtual_time
async def test_two_answers_taken_back_and_given_again_earn_their_increments_once() -> None:
    server = TableServer()
    table = await begin(server, clock=BANK, game="mosaic")
    for _ in range(2):
        await server.do("ann", "decide", table, **choice(server, table))
    for _ in range(2):
        await server.do("ann", "undo", table, decision=server.state(table).play.number)
    for _ in range(2):
        await server.do("ann", "decide", table, **choice(server, table))
    assert (await clocks(server, table))[0] == [70_000, 60_000]
    await server.do("ann", "decide", table, **choice(server, table))
    assert (await clocks(server, table))[0] == [75_000, 60_000]
    await server.registry.close()


# -- being away -----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_time_away_runs_only_while_a_seat_is_awaited_and_nobody_is_connected_to_it() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=60, game="mosaic")
    ann = await server.watch("ann", table)
    await pass_time(1_000)
    assert server.state(table).awaited() == (0,)
    server.registry.unsubscribe(table, ann)
    await pass_time(20)
    ann, second_tab = await server.watch("ann", table), await server.watch("ann", table)
    server.registry.unsubscribe(table, second_tab)
    await pass_time(1_000)
    await play_turn(server, table, "ann")
    assert (await clocks(server, table))[1] == [40_000, 60_000]
    await pass_time(59)
    assert server.state(table).chairs[1].stand_in is None
    await pass_time(2)
    assert server.state(table).chairs[1].stand_in == "random"
    await server.registry.close()


@in_virtual_time
async def test_coming_back_in_time_stops_the_time_away() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=60, game="mosaic")
    await pass_time(59)
    await server.watch("ann", table)
    await pass_time(1_000)
    assert server.state(table).chairs[0].stand_in is None
    await server.registry.close()


@in_virtual_time
async def test_thinking_time_runs_whether_one_is_here_or_away() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=600, clock=PER_DECISION, game="mosaic")
    await server.watch("ann", table)
    await pass_time(11)
    assert server.state(table).chairs[0].stand_in == "random"
    await server.registry.close()


# -- time is up -----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_the_fallback_of_the_rules_is_played_where_the_table_says_so() -> None:
    server = TableServer()
    table = await begin(server, clock=PER_DECISION, time_up="fallback", game="mosaic")
    pat = await server.watch("pat", table)
    await pass_time(11)
    assert [event["event"] for event in pat.events] == ["time_ran_out", "stone_taken"]
    assert server.state(table).chairs[0].stand_in is None
    await pass_time(20)
    assert server.state(table).awaited() == (1,)
    await server.registry.close()


@in_virtual_time
async def test_a_whole_game_is_played_by_fallbacks_when_nobody_is_there() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=10, time_up="fallback", game="mosaic")
    await pass_time(100)
    assert server.state(table).phase == "over"
    assert not server.state(table).abandoned
    await server.registry.close()


@in_virtual_time
async def test_a_timer_from_the_last_decision_does_not_answer_this_one() -> None:
    server = TableServer()
    table = await begin(server, clock=PER_DECISION, time_up="fallback", game="mosaic")
    await pass_time(9.999)
    ring = server.registry._actors[table]._on_alarm
    answer = server.send("ann", "decide", table, **choice(server, table))
    ring()
    await answer
    ring()
    await settle()
    assert await server.log(table) == [
        "table_opened+seat_taken",
        "seat_taken",
        "seat_ready",
        "game_started+row_laid",
        "stone_taken",
    ]
    await server.registry.close()


@in_virtual_time
async def test_a_player_whose_bank_ran_out_can_return_at_the_next_decision_with_its_increment() -> None:
    server = TableServer()
    table = await begin(server, clock={"kind": "bank", "seconds": 10, "increment": 5}, game="mosaic")
    await pass_time(11)
    assert await server.refusal("ann", "return_to_seat", table) == "not_awaited"
    while server.bots.asked:
        server.bots.decide()
        await settle()
    assert (await clocks(server, table))[0] == [5_000, 10_000]
    await server.do("ann", "return_to_seat", table)
    await play_turn(server, table, "ben")
    await play_turn(server, table, "ann")
    assert server.state(table).chairs[0].stand_in is None
    await server.registry.close()


# -- bots -----------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_bots_have_no_clock() -> None:
    server = TableServer()
    table = await server.begin("ann", bots=1, clock=PER_DECISION, absence_seconds=10)
    assert await clocks(server, table) == ([10_000, None], [10_000, None])
    await server.watch("ann", table)
    await server.bid("ann", table, -1)
    await pass_time(1_000)
    assert server.state(table).awaited() == (1,)
    await server.registry.close()


@in_virtual_time
async def test_the_time_of_a_bot_that_stands_in_is_not_taken_from_the_person() -> None:
    server = TableServer(bots=PatientBots(pause_seconds=30))
    table = await server.begin("ann", "ben", clock=BANK, absence_seconds=20, game="mosaic")
    await server.watch("ben", table)
    await pass_time(21)
    assert server.state(table).chairs[0].stand_in == "random"
    while server.state(table).awaited() == (0,):
        await pass_time(1)
    assert await clocks(server, table) == ([45_000, 60_000], [0, 20_000])
    await server.registry.close()


@pytest.mark.parametrize("request_type", ["read_log", "say"])
@in_virtual_time
async def test_requests_that_decide_nothing_do_not_keep_a_clock_from_running_out(request_type: str) -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", clock=PER_DECISION, game="mosaic")
    await server.watch("pat", table)
    fields = {"text": "wait"} if request_type == "say" else {}
    for _ in range(6):
        await pass_time(2)
        await server.do("pat", request_type, table, **fields)
    assert server.state(table).chairs[0].stand_in == "random"
    await server.registry.close()


# -- pauses and restarts --------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_pause_stops_all_clocks() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", clock=BANK, absence_seconds=60, game="mosaic")
    await pass_time(10)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="pause", agree=True)
    await pass_time(1_000)
    paused = await server.watch("pat", table)
    assert paused.messages[0]["elapsed"] == 10_000
    await server.do("ben", "vote", table, on="resume", agree=True)
    await pass_time(10)
    await server.do("ann", "decide", table, **choice(server, table))
    assert await clocks(server, table) == ([45_000, 60_000], [40_000, 60_000])
    await server.registry.close()


@in_virtual_time
async def test_a_pause_that_the_guest_never_agreed_to_does_not_begin_when_the_guests_time_runs_out() -> None:
    server = TableServer()
    table = await begin(server, clock=PER_DECISION, game="mosaic")
    await play_turn(server, table, "ann")
    await server.do("ann", "vote", table, on="pause", agree=True)
    await pass_time(11)
    state = server.state(table)
    assert state.chairs[1].stand_in == "random"
    assert not state.paused
    while server.bots.asked:
        server.bots.decide()
        await settle()
    assert server.state(table).awaited() == (0,), "the bot plays on"
    await server.do("ann", "vote", table, on="pause", agree=True)
    assert server.state(table).paused, "nobody else plays now"
    await server.registry.close()


@in_virtual_time
async def test_an_update_says_how_long_the_clocks_of_the_decision_have_run() -> None:
    """Check it after a vote, a pause and an undone step, after which the clocks do not start again."""
    server = TableServer()
    table = await begin(server, clock={"kind": "decision", "seconds": 60}, game="mosaic")
    pat = await server.watch("pat", table)
    await pass_time(10)
    await server.do("ann", "vote", table, on="pause", agree=True)
    await pass_time(1)
    await server.do("ben", "vote", table, on="pause", agree=True)
    await pass_time(1_000)
    await server.do("ben", "vote", table, on="resume", agree=True)
    await pass_time(2)
    await server.do("ann", "decide", table, **choice(server, table))
    await pass_time(3)
    await server.do("ann", "undo", table, decision=server.state(table).play.number)
    updates = [message["elapsed"] for message in pat.messages if message["type"] == "update"]
    assert updates == [10_000, 11_000, 11_000, 0, 3_000]
    await server.registry.close()


@pytest.mark.parametrize("is_gentle", [True, False], ids=["restart", "crash"])
@in_virtual_time
async def test_clocks_are_in_the_log_and_a_restart_gives_back_the_time_since_the_last_event(is_gentle: bool) -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", clock=BANK, absence_seconds=60, game="mosaic")
    await pass_time(20)
    await server.do("ann", "decide", table, **choice(server, table))
    before = await clocks(server, table)
    assert before == ([45_000, 60_000], [40_000, 60_000])
    await pass_time(15)
    if is_gentle:
        await server.restart()
    else:
        await server.crash()
    await pass_time(500)
    assert await clocks(server, table) == before
    await pass_time(30)
    await server.do("ann", "decide", table, **choice(server, table))
    assert await clocks(server, table) == ([20_000, 60_000], [10_000, 60_000])
    await server.registry.close()


@in_virtual_time
async def test_a_view_says_how_long_its_clocks_have_run() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "cat", clock=PER_DECISION)
    await pass_time(4)
    await server.bid("ann", table, -1)
    await pass_time(3)
    for name in ("ann", "ben", "pat"):
        assert (await server.watch(name, table)).messages[0]["elapsed"] == 7_000
    await server.bid("ben", table, -1)
    await server.bid("cat", table, -1)
    assert (await server.watch("pat", table)).messages[0]["elapsed"] == 0
    await server.registry.close()


@in_virtual_time
async def test_how_long_a_clock_has_run_does_not_tell_who_has_answered() -> None:
    """Check it also where only a bot is awaited, which has no clock."""
    server = TableServer()
    table = await server.begin("ann", bots=1, show_decided=False, absence_seconds=None)
    await pass_time(4)
    await server.bid("ann", table, -1)
    await pass_time(3)
    assert (await server.watch("pat", table)).messages[0]["elapsed"] == 7_000
    await server.registry.close()


# -- without a table ------------------------------------------------------------------------------------------


def test_an_answer_without_a_moment_of_thought_earns_the_increment_too() -> None:
    clock = BankClock(kind="bank", seconds=60, increment=5)
    spent = [Spent(was_asked=True), Spent()]
    assert charged(clock, [60_000, 60_000], [None, None], spent) == ([65_000, 60_000], [None, None])


def test_a_bank_is_never_below_its_increment_after_a_decision() -> None:
    clock = BankClock(kind="bank", seconds=60, increment=5)
    spent = [Spent(thought=99_000, away=99_000, was_asked=True)]
    assert charged(clock, [60_000], [60_000], spent) == ([5_000], [0])
    assert charged(NoClock(kind="none"), [None], [60_000], spent) == ([None], [0])


def test_the_stopwatch_returns_the_seat_that_runs_out_first() -> None:
    stopwatch = Stopwatch(3, now=100)
    stopwatch.go_on([0, 1, 2], 100, is_running=True)
    stopwatch.set_connected([0], 200)
    stopwatch.advance(300)
    assert stopwatch.due([1_000, 900, None], [50, 500, None]) == [(300, 1), (800, 0)]
    assert stopwatch.elapsed == 200
