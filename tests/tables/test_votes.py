"""Votes while bots stand in and people are away: nobody ends a game alone, and nobody holds one up for ever."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from protocol.messages import BankClock, DecisionClock, NoClock, TableSettings
from server.tables.votes import MIN_VOTE_ABSENCE_SECONDS, UNLIMITED_VOTE_ABSENCE_SECONDS, vote_absence_seconds
from tests.tables.table_server import Screen, TableServer, pass_time, toys
from tests.tables.test_rolled_back import put_back, tables_of
from tests.tables.virtual_time import in_virtual_time

ABSENCE = MIN_VOTE_ABSENCE_SECONDS
PER_DECISION: dict[str, Any] = {"kind": "decision", "seconds": 10}


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


async def stood_in(server: TableServer, *names: str, is_here: bool = False) -> tuple[str, Screen, Screen | None]:
    """Return a table where a bot stands in for the last person; the first one is connected."""
    table = await server.begin(*names, clock=PER_DECISION)
    first = await server.watch(names[0], table)
    last = await server.watch(names[-1], table) if is_here else None
    for name in names[:-1]:
        await server.bid(name, table, -1)
    await pass_time(11)
    assert server.state(table).chairs[len(names) - 1].stand_in == "random"
    return table, first, last


async def vote(server: TableServer, name: str, table: str, on: str = "abandon") -> None:
    await server.do(name, "vote", table, on=on, agree=True)


@in_virtual_time
async def test_nobody_abandons_a_game_alone_while_a_bot_stands_in_for_the_other() -> None:
    server = TableServer()
    table, _, _ = await stood_in(server, "ann", "ben", is_here=True)
    await vote(server, "ann", table)
    await pass_time(ABSENCE * 10)
    assert server.state(table).phase == "running", "Ben is connected, and has not agreed"
    await vote(server, "ben", table)
    assert server.state(table).abandoned, "being stood in for does not take the vote away"
    await server.registry.close()


@in_virtual_time
async def test_a_stand_in_that_begins_to_play_completes_no_agreement() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", "cat", clock=PER_DECISION)
    for name in ("ann", "ben"):
        await vote(server, name, table)
        await server.bid(name, table, None)
    await pass_time(11)
    assert server.state(table).chairs[2].stand_in == "random"
    assert server.state(table).phase == "running"
    assert "abandoned" not in "".join(await server.log(table))
    await server.registry.close()


@in_virtual_time
async def test_a_vote_no_longer_waits_for_a_person_who_was_away_for_the_declared_time() -> None:
    server = TableServer()
    table, ann, ben = await stood_in(server, "ann", "ben", is_here=True)
    assert ann.view is not None
    assert ben is not None
    assert ann.view["table"]["vote_absence_seconds"] == ABSENCE
    await pass_time(1_000)
    server.registry.unsubscribe(table, ben)
    await pass_time(60)
    await vote(server, "ann", table)
    await pass_time(ABSENCE - 61)
    assert server.state(table).phase == "running"
    await pass_time(2)
    assert server.state(table).abandoned, "the vote succeeds by itself"
    assert (await server.log(table))[-2:] == ["voted", "abandoned"]
    await server.registry.close()


@in_virtual_time
async def test_coming_back_for_a_moment_counts_the_absence_anew() -> None:
    server = TableServer()
    table, _, _ = await stood_in(server, "ann", "ben")
    await vote(server, "ann", table)
    await pass_time(ABSENCE - 100)
    ben = await server.watch("ben", table)
    server.registry.unsubscribe(table, ben)
    await pass_time(ABSENCE - 1)
    assert server.state(table).phase == "running"
    await pass_time(2)
    assert server.state(table).phase == "over"
    await server.registry.close()


@pytest.mark.parametrize("is_gentle", [True, False], ids=["restart", "crash"])
@in_virtual_time
async def test_a_restart_counts_absences_anew_and_keeps_the_votes(is_gentle: bool) -> None:
    server = TableServer()
    table, _, _ = await stood_in(server, "ann", "ben")
    await vote(server, "ann", table)
    await pass_time(ABSENCE - 100)
    await (server.restart() if is_gentle else server.crash())
    await server.watch("ann", table)
    await pass_time(ABSENCE - 1)
    assert server.state(table).phase == "running"
    assert server.state(table).votes == {"abandon": {0}}
    await pass_time(2)
    assert server.state(table).phase == "over"
    await server.registry.close()


@in_virtual_time
async def test_who_was_away_long_enough_before_the_vote_is_not_waited_for() -> None:
    server = TableServer()
    table, _, _ = await stood_in(server, "ann", "ben")
    await pass_time(ABSENCE)
    await vote(server, "ann", table)
    assert server.state(table).abandoned
    await server.registry.close()


@in_virtual_time
async def test_absence_before_the_game_begins_does_not_count() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.seat(table, "ben")
    await server.watch("ann", table)
    await pass_time(ABSENCE * 2)
    await server.do("ann", "start", table)
    await vote(server, "ann", table)
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_the_absence_of_one_person_does_not_replace_the_vote_of_another() -> None:
    server = TableServer()
    table, _, _ = await stood_in(server, "ann", "ben", "cat")
    await server.watch("ben", table)
    await pass_time(ABSENCE)
    await vote(server, "ann", table)
    await pass_time(ABSENCE)
    assert server.state(table).phase == "running"
    await vote(server, "ben", table)
    assert server.state(table).abandoned
    await server.registry.close()


@in_virtual_time
async def test_the_vote_of_a_person_who_resigned_ends_nothing() -> None:
    server = TableServer()
    table, _, _ = await stood_in(server, "ann", "ben")
    await vote(server, "ann", table)
    await server.do("ann", "resign", table)
    await pass_time(ABSENCE * 2)
    assert server.state(table).phase == "running"
    assert await server.refusal("ann", "vote", table, on="abandon", agree=True) == "wrong_phase"
    await server.registry.close()


@in_virtual_time
async def test_a_person_for_whom_a_bot_stands_in_can_decline_and_resign() -> None:
    server = TableServer()
    table, _, _ = await stood_in(server, "ann", "ben")
    await vote(server, "ann", table)
    await server.do("ben", "vote", table, on="abandon", agree=False)
    assert server.state(table).votes == {}
    await vote(server, "ann", table)
    await server.do("ben", "resign", table)
    assert server.state(table).abandoned, "Ben no longer plays, and Ann has agreed"
    await server.registry.close()


@in_virtual_time
async def test_a_pause_takes_the_vote_of_a_connected_person_and_waits_for_no_absent_one() -> None:
    server = TableServer()
    table, _, ben = await stood_in(server, "ann", "ben", is_here=True)
    await vote(server, "ann", table, "pause")
    assert not server.state(table).paused
    assert ben is not None
    server.registry.unsubscribe(table, ben)
    await pass_time(1)
    assert not server.state(table).paused, "a pause does not begin by itself"
    await vote(server, "ann", table, "pause")
    assert server.state(table).paused
    await server.do("ben", "vote", table, on="resume", agree=True)
    assert not server.state(table).paused
    await server.registry.close()


@in_virtual_time
async def test_after_a_rollback_nobody_resumes_alone_while_a_bot_stands_in_for_the_other() -> None:
    server = TableServer()
    table, ann, _ = await stood_in(server, "ann", "ben")
    copy = deepcopy(tables_of(server))
    server.bots.decide()
    await pass_time(1)
    await put_back(server, copy)
    await server.watch("ann", table, have=ann.number, stamp=ann.stamp)
    assert server.state(table).rolled_back
    await vote(server, "ann", table, "resume")
    assert server.state(table).paused
    await pass_time(ABSENCE - 1)
    assert server.state(table).paused
    await pass_time(2)
    assert not server.state(table).paused
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_presence_tells_for_how_long_a_seat_has_been_away() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", bots=1)
    ann, ben = await server.watch("ann", table), await server.watch("ben", table)
    await pass_time(30)
    server.registry.unsubscribe(table, ben)
    await pass_time(1)
    assert ann.presence is not None
    assert (ann.presence["seats"], ann.presence["away"]) == (["here", "away", "bot"], [None, 250, None])
    await pass_time(29)
    pat = await server.watch("pat", table)
    assert pat.presence is not None
    assert pat.presence["away"] == [None, 30_000, None]
    await server.registry.close()


@pytest.mark.parametrize(
    "clock, absence, seconds",
    [
        (NoClock(kind="none"), 120, ABSENCE),
        (NoClock(kind="none"), None, UNLIMITED_VOTE_ABSENCE_SECONDS),
        (NoClock(kind="none"), 7_200, 7_200),
        (DecisionClock(kind="decision", seconds=30), None, ABSENCE),
        (DecisionClock(kind="decision", seconds=604_800), 120, 604_800),
        (BankClock(kind="bank", seconds=3_600, increment=5), 120, 3_600),
    ],
)
def test_the_declared_time_is_never_shorter_than_a_person_may_take(
    clock: NoClock | DecisionClock | BankClock, absence: int | None, seconds: int
) -> None:
    settings = TableSettings(game="auction", seats=2, clock=clock, absence_seconds=absence)
    assert vote_absence_seconds(settings) == seconds
