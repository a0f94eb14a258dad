"""Sealed answers: what others may learn of them before the last one is in, down to the byte."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from protocol.codec import Frame
from tests.tables.virtual_time import in_virtual_time, run_in_virtual_time
from tests.tables.world import Screen, World, pass_time, person

SEATED = ("ann", "ben", "cat")
OTHERS = ("ann", "ben", "pat")


async def begin(world: World, **settings: Any) -> str:
    return await world.begin(*SEATED, **{"absence_seconds": None, **settings})


@in_virtual_time
async def test_others_see_that_a_seat_has_decided_and_no_more() -> None:
    world = World()
    table = await begin(world)
    ann, ben, pat = [await world.watch(name, table) for name in OTHERS]
    card = world.state(table).play.state.hands[0][0]
    await world.bid("ann", table, card)
    assert ann.decision["answer"] == {"do": "bid", "card": card}
    assert ann.decision["awaited"] == ben.decision["awaited"] == pat.decision["awaited"] == [1, 2]
    assert ben.events == pat.events == [{"event": "answered", "seat": 0}]
    assert "answer" not in ben.decision
    assert "answer" not in pat.decision
    await world.registry.close()


@in_virtual_time
async def test_a_sealed_answer_can_be_changed_until_the_last_is_in_and_others_do_not_notice() -> None:
    world = World()
    table = await begin(world)
    ann, ben, pat = [await world.watch(name, table) for name in OTHERS]
    hand = world.state(table).play.state.hands[0]
    await world.bid("ann", table, hand[0])
    await pass_time(1)
    numbers = [screen.number for screen in (ben, pat)]
    ben.drain()
    pat.drain()
    await world.bid("ann", table, hand[1])
    assert ann.decision["answer"] == {"do": "bid", "card": hand[1]}
    await world.bid("ann", table, None)
    assert ann.decision["answer"] == {"do": "sit"}
    await pass_time(1)
    assert ben.drain() == pat.drain() == []
    assert [screen.number for screen in (ben, pat)] == numbers
    await world.bid("ben", table, -1)
    await world.bid("cat", table, None)
    assert (await world.bid("ann", table, None))["code"] in ("not_awaited", "illegal_choice", "not_offered")
    assert ben.events[-1] == {"event": "bids_revealed", "bids": [None, ben.events[-1]["bids"][1], None], "winner": 1}
    await world.registry.close()


@in_virtual_time
async def test_ones_own_sealed_answer_is_there_after_coming_back_and_after_a_restart() -> None:
    world = World()
    table = await begin(world)
    card = world.state(table).play.state.hands[0][0]
    await world.bid("ann", table, card)
    assert (await world.watch("ann", table)).decision["answer"] == {"do": "bid", "card": card}
    await world.restart()
    assert (await world.watch("ann", table)).decision["answer"] == {"do": "bid", "card": card}
    assert "answer" not in (await world.watch("ben", table)).decision
    await world.registry.close()


@in_virtual_time
async def test_an_answer_to_a_decision_that_is_over_is_refused() -> None:
    world = World()
    table = await begin(world)
    number = world.state(table).play.number
    for name in SEATED:
        await world.bid(name, table, None)
    late = await world.ask("ann", "decide", table, decision=number, command={"do": "sit"})
    assert late["code"] == "stale_decision"
    await world.registry.close()


# -- not even that --------------------------------------------------------------------------------------------

Deed = Callable[[World, str], Awaitable[None]]


async def nothing(world: World, table: str) -> None:
    """Cat does not answer."""


async def low(world: World, table: str) -> None:
    await world.bid("cat", table, world.state(table).play.state.hands[2][0])


async def high(world: World, table: str) -> None:
    await world.bid("cat", table, world.state(table).play.state.hands[2][2])


async def out(world: World, table: str) -> None:
    await world.bid("cat", table, None)


async def many_minds(world: World, table: str) -> None:
    for deed in (low, out, high, low):
        await deed(world, table)


async def seen_by_others(deed: Deed, **settings: Any) -> list[tuple[list[dict[str, Any]], list[int]]]:
    """Give all that others get, live and on coming back, while cat does something or nothing."""
    world = World()
    table = await begin(world, show_decided=False, **settings)
    screens = [await world.watch(name, table) for name in OTHERS]
    await pass_time(1)
    await deed(world, table)
    await pass_time(30)
    returning = [await world.watch(name, table, have=2) for name in OTHERS]
    await world.do("ann", "say", table, text="still thinking")
    await world.do("pat", "say", table, text="what takes them so long?")
    await world.bid("ann", table, -1)
    await pass_time(1)
    await world.restart()
    reloaded = [await world.watch(name, table, have=2) for name in OTHERS]
    await pass_time(1)
    await world.registry.close()
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
    world = World()
    table = await begin(world)
    pat = await world.watch("pat", table)
    before = list(pat.sizes)
    await low(world, table)
    assert pat.sizes != before
    await world.registry.close()


@in_virtual_time
async def test_where_deciding_is_not_shown_neither_is_a_fallback_that_closes_nothing() -> None:
    world = World()
    table = await world.begin(*SEATED, show_decided=False, time_up="fallback", absence_seconds=10)
    screens = [await world.watch(name, table) for name in OTHERS]
    await pass_time(5)
    for screen in screens:
        screen.drain()
    await pass_time(10)
    assert set(world.state(table).play.answers) == {2}
    for screen in screens:
        assert screen.drain() == []
        assert screen.decision["awaited"] == [0, 1, 2]
    assert (await world.watch("cat", table)).decision["answer"] == {"do": "sit"}
    await world.registry.close()


@in_virtual_time
async def test_the_lists_do_not_change_when_a_seat_decides() -> None:
    world = World()
    table = await begin(world, show_decided=False)
    told = len(world.lists.told)
    await low(world, table)
    await pass_time(1)
    assert len(world.lists.told) == told
    await world.registry.close()


@in_virtual_time
async def test_a_hidden_look_is_a_step_that_all_can_count() -> None:
    """Nobody learns what was looked at; that the decision has another number now cannot be hidden."""
    world = World()
    table = await world.begin("ann", "ben", absence_seconds=None)
    ben = await world.watch("ben", table)
    await world.bid("ann", table, -1)
    await world.bid("ben", table, None)
    number = ben.number
    await world.do("ann", "decide", table, decision=2, command={"do": "peek"})
    assert ben.number == number + 1
    assert ben.decision["number"] == 3
    assert ben.messages[-1]["events"] == []
    assert (await world.watch("ben", table)).view == ben.view
    await world.registry.close()


def test_a_screen_complains_about_a_gap() -> None:
    screen = Screen(person("ann"))
    with pytest.raises(AssertionError):
        screen.send(Frame({"type": "update", "table": "table1", "number": 2, "stamp": None, "events": [], "patch": []}))
