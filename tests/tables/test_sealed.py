"""Sealed answers: others learn nothing of them before the last one is in, down to the byte."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from protocol.codec import Frame
from tests.replies import code_of
from tests.tables.table_server import Screen, TableServer, pass_time, person
from tests.tables.virtual_time import in_virtual_time, run_in_virtual_time

SEATED = ("ann", "ben", "cat")
OTHERS = ("ann", "ben", "pat")


async def begin(server: TableServer, **settings: Any) -> str:
    return await server.begin(*SEATED, **{"absence_seconds": None, **settings})


@in_virtual_time
async def test_others_see_that_a_seat_has_decided_and_no_more() -> None:
    server = TableServer()
    table = await begin(server)
    ann, ben, pat = [await server.watch(name, table) for name in OTHERS]
    card = server.state(table).play.state.hands[0][0]
    await server.bid("ann", table, card)
    assert ann.decision["answer"] == {"do": "bid", "card": card}
    assert ann.decision["awaited"] == ben.decision["awaited"] == pat.decision["awaited"] == [1, 2]
    commitment = server.state(table).seals[0].commitment
    sealed = {"event": "answer_sealed", "seat": 0, "decision": 1, "commitment": commitment}
    assert ben.events == pat.events == [{"event": "answered", "seat": 0}, sealed]
    assert "answer" not in ben.decision
    assert "answer" not in pat.decision
    await server.registry.close()


@in_virtual_time
async def test_a_sealed_answer_can_be_changed_until_the_last_is_in_and_others_do_not_notice() -> None:
    server = TableServer()
    table = await begin(server)
    ann, ben, pat = [await server.watch(name, table) for name in OTHERS]
    hand = server.state(table).play.state.hands[0]
    await server.bid("ann", table, hand[0])
    await pass_time(1)
    numbers = [screen.number for screen in (ben, pat)]
    ben.drain()
    pat.drain()
    await server.bid("ann", table, hand[1])
    assert ann.decision["answer"] == {"do": "bid", "card": hand[1]}
    await server.bid("ann", table, None)
    assert ann.decision["answer"] == {"do": "sit"}
    await pass_time(1)
    assert ben.drain() == pat.drain() == []
    assert [screen.number for screen in (ben, pat)] == numbers
    await server.bid("ben", table, -1)
    await server.bid("cat", table, None)
    assert code_of(await server.bid("ann", table, None)) == "not_awaited"
    *_, revealed, opened = ben.events
    assert revealed == {"event": "bids_revealed", "bids": [None, revealed["bids"][1], None], "winner": 1}
    assert [opening["attempt"] for opening in opened["openings"]] == [2, 0, 0]
    await server.registry.close()


@in_virtual_time
async def test_a_players_own_sealed_answer_is_in_the_view_after_resuming_and_after_a_restart() -> None:
    server = TableServer()
    table = await begin(server)
    card = server.state(table).play.state.hands[0][0]
    await server.bid("ann", table, card)
    assert (await server.watch("ann", table)).decision["answer"] == {"do": "bid", "card": card}
    await server.restart()
    assert (await server.watch("ann", table)).decision["answer"] == {"do": "bid", "card": card}
    assert "answer" not in (await server.watch("ben", table)).decision
    await server.registry.close()


@in_virtual_time
async def test_an_answer_to_a_decision_that_is_over_is_refused() -> None:
    server = TableServer()
    table = await begin(server)
    number = server.state(table).play.number
    for name in SEATED:
        await server.bid(name, table, None)
    late = await server.ask("ann", "decide", table, decision=number, command={"do": "sit"})
    assert code_of(late) == "stale_decision"
    await server.registry.close()


# -- not even that --------------------------------------------------------------------------------------------

Deed = Callable[[TableServer, str], Awaitable[None]]


async def nothing(server: TableServer, table: str) -> None:
    """Do nothing: Cat does not answer."""


async def low(server: TableServer, table: str) -> None:
    await server.bid("cat", table, server.state(table).play.state.hands[2][0])


async def high(server: TableServer, table: str) -> None:
    await server.bid("cat", table, server.state(table).play.state.hands[2][2])


async def out(server: TableServer, table: str) -> None:
    await server.bid("cat", table, None)


async def many_minds(server: TableServer, table: str) -> None:
    for deed in (low, out, high, low):
        await deed(server, table)


async def seen_by_others(deed: Deed, **settings: Any) -> list[tuple[list[dict[str, Any]], list[int]]]:
    """Return all bytes that others get, live and on resuming, while Cat does something or nothing."""
    server = TableServer()
    table = await begin(server, show_decided=False, **settings)
    screens = [await server.watch(name, table) for name in OTHERS]
    await pass_time(1)
    await deed(server, table)
    await pass_time(30)
    returning = [await server.watch(name, table, have=2) for name in OTHERS]
    await server.do("ann", "say", table, text="still thinking")
    await server.do("pat", "say", table, text="what takes them so long?")
    await server.bid("ann", table, -1)
    await pass_time(1)
    await server.restart()
    reloaded = [await server.watch(name, table, have=2) for name in OTHERS]
    await pass_time(1)
    await server.registry.close()
    return [(screen.messages, screen.sizes) for screen in (*screens, *returning, *reloaded)]


@pytest.mark.parametrize("deed", [low, high, out, many_minds])
@pytest.mark.parametrize(
    "clock",
    [{"kind": "none"}, {"kind": "decision", "seconds": 600}, {"kind": "bank", "seconds": 600, "increment": 5}],
    ids=lambda clock: clock["kind"],
)
def test_where_deciding_is_not_shown_others_get_the_same_bytes_whatever_a_seat_has_answered(
    deed: Deed, clock: dict[str, Any]
) -> None:
    seen = run_in_virtual_time(seen_by_others(deed, clock=clock))
    assert seen == run_in_virtual_time(seen_by_others(nothing, clock=clock))


@in_virtual_time
async def test_the_comparison_of_bytes_notices_a_table_that_shows_who_has_decided() -> None:
    server = TableServer()
    table = await begin(server)
    pat = await server.watch("pat", table)
    before = list(pat.sizes)
    await low(server, table)
    assert pat.sizes != before
    await server.registry.close()


@in_virtual_time
async def test_where_deciding_is_not_shown_neither_is_a_fallback_that_closes_nothing() -> None:
    server = TableServer()
    table = await server.begin(*SEATED, show_decided=False, time_up="fallback", absence_seconds=10)
    screens = [await server.watch(name, table) for name in OTHERS]
    await pass_time(5)
    for screen in screens:
        screen.drain()
    await pass_time(10)
    assert set(server.state(table).play.answers) == {2}
    for screen in screens:
        assert screen.drain() == []
        assert screen.decision["awaited"] == [0, 1, 2]
    assert (await server.watch("cat", table)).decision["answer"] == {"do": "sit"}
    await server.registry.close()


@in_virtual_time
async def test_the_lists_do_not_change_when_a_seat_decides() -> None:
    server = TableServer()
    table = await begin(server, show_decided=False)
    told = len(server.lists.updates)
    await low(server, table)
    await pass_time(1)
    assert len(server.lists.updates) == told
    await server.registry.close()


@in_virtual_time
async def test_a_hidden_look_is_a_step_that_all_can_count() -> None:
    """Check that nobody learns what was looked at; the new number of the decision cannot be hidden."""
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=None)
    ben = await server.watch("ben", table)
    await server.bid("ann", table, -1)
    await server.bid("ben", table, None)
    number = ben.number
    await server.do("ann", "decide", table, decision=2, command={"do": "peek"})
    assert ben.number == number + 1
    assert ben.decision["number"] == 3
    assert ben.messages[-1]["events"] == []
    assert (await server.watch("ben", table)).view == ben.view
    await server.registry.close()


def test_a_screen_notices_a_gap() -> None:
    screen = Screen(person("ann"))
    with pytest.raises(AssertionError):
        screen.send(Frame({"type": "update", "table": "table1", "number": 2, "stamp": None, "events": [], "patch": []}))
