"""In a rush, those who only watch are told of several records at a time, late by no more than they notice."""

from __future__ import annotations

import random

import pytest

from server.table.audience import WATCHERS_WAIT_SECONDS
from server.table.rush import BUSY_SHARE, Rush
from server.table.view import table_view
from tests.table.virtual_time import in_virtual_time
from tests.table.world import Screen, World, pass_time, settle

RNG = random.Random(5)


async def in_a_rush() -> tuple[World, str, Screen, Screen]:
    """Give a table at which somebody plays and somebody watches, and everybody has heard who is here."""
    world = World()
    table = await world.begin("ann", "ben", game="mosaic")
    ann, pat = await world.watch("ann", table), await world.watch("pat", table)
    await pass_time(1)
    ann.drain()
    pat.drain()
    world.set_rush(is_on=True)
    return world, table, ann, pat


async def move(world: World, table: str, times: int = 1) -> None:
    for _ in range(times):
        awaited = world.state(table).awaited()
        answer = await world.play_on(table, ["ann", "ben"][awaited[0]], RNG)
        assert answer["type"] == "done"


def assert_up_to_date(world: World, table: str, screen: Screen, seat: int | None) -> None:
    assert screen.view == table_view(world.state(table), seat)


@in_virtual_time
async def test_watchers_are_told_of_several_moves_at_a_time_and_players_of_each_at_once() -> None:
    world, table, ann, pat = await in_a_rush()
    sendings = pat.sendings
    for _ in range(3):
        await move(world, table)
        assert_up_to_date(world, table, ann, 0)
        assert pat.messages == []
    await pass_time(WATCHERS_WAIT_SECONDS)
    assert [message["type"] for message in pat.messages] == ["update"] * 3
    assert pat.sendings == sendings + 1
    assert pat.events == ann.events
    assert_up_to_date(world, table, pat, None)
    await world.keeper.close()


@in_virtual_time
async def test_without_a_rush_everybody_is_told_at_once() -> None:
    world, table, _, pat = await in_a_rush()
    world.set_rush(is_on=False)
    await move(world, table)
    assert_up_to_date(world, table, pat, None)
    world.set_rush(is_on=True)
    await move(world, table)
    world.set_rush(is_on=False)
    await move(world, table)
    assert_up_to_date(world, table, pat, None)
    assert [message["number"] for message in pat.messages] == [pat.number - 2, pat.number - 1, pat.number]
    await world.keeper.close()


@in_virtual_time
async def test_nobody_waits_longer_however_many_moves_follow() -> None:
    world, table, _, pat = await in_a_rush()
    for _ in range(8):
        await move(world, table)
        await pass_time(WATCHERS_WAIT_SECONDS / 4)
    assert pat.messages
    await pass_time(WATCHERS_WAIT_SECONDS)
    assert_up_to_date(world, table, pat, None)
    await world.keeper.close()


@in_virtual_time
async def test_whatever_else_a_watcher_is_told_comes_behind_what_is_due() -> None:
    world, table, _, pat = await in_a_rush()
    await move(world, table, 2)
    sue = await world.watch("sue", table)
    assert [message["type"] for message in pat.messages] == ["update", "update"]
    assert [message["type"] for message in sue.messages] == ["view", "presence"]
    assert_up_to_date(world, table, sue, None)
    await move(world, table)
    world.keeper.refresh(table, sue)
    assert [message["type"] for message in sue.drain()[2:]] == ["update", "view", "presence"]
    await move(world, table)
    await pass_time(WATCHERS_WAIT_SECONDS)
    for screen in (pat, sue):
        assert_up_to_date(world, table, screen, None)
    await world.keeper.close()


@in_virtual_time
async def test_who_leaves_before_being_told_is_told_nothing_more() -> None:
    world, table, _, pat = await in_a_rush()
    await move(world, table)
    world.keeper.unwatch(table, pat)
    await pass_time(1)
    assert pat.messages == []
    await world.keeper.close()


@in_virtual_time
async def test_a_process_that_ends_tells_first_what_is_due() -> None:
    world, table, _, pat = await in_a_rush()
    await move(world, table, 2)
    await world.restart()
    assert [message["type"] for message in pat.drain()] == ["update", "update"]
    await world.watch("pat", table, pat, have=pat.number, stamp=pat.stamp)
    assert pat.missed == []
    await world.keeper.close()


@in_virtual_time
async def test_who_comes_back_in_a_rush_misses_nothing_and_hears_nothing_twice() -> None:
    world, table, ann, pat = await in_a_rush()
    await move(world, table, 3)
    world.keeper.unwatch(table, pat)
    back = await world.watch("pat", table, have=pat.number, stamp=pat.stamp)
    assert pat.events == []
    assert back.missed == ann.events
    await move(world, table, 2)
    await pass_time(1)
    assert back.missed + back.events == ann.events
    assert_up_to_date(world, table, back, None)
    await settle()
    await world.keeper.close()


@pytest.mark.parametrize("share, is_on", [(0.0, False), (BUSY_SHARE - 0.05, False), (BUSY_SHARE + 0.05, True)])
def test_a_rush_is_when_the_process_takes_most_of_a_core(share: float, is_on: bool) -> None:
    now = 100.0
    rush = Rush(busy=lambda: now * share, clock=lambda: now)
    for _ in range(3):
        now += 0.1
        rush.look()
        assert rush.is_on is is_on


def test_a_rush_ends_with_what_caused_it() -> None:
    busy, now = 0.0, 0.0
    rush = Rush(busy=lambda: busy, clock=lambda: now)
    for more, is_on in ((0.1, True), (0.09, True), (0.02, False), (0.1, True), (0.0, False)):
        busy, now = busy + more, now + 0.1
        rush.look()
        assert rush.is_on is is_on
