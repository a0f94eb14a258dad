"""What a command would lead to, shown before it is decided: as it will be, and without anything happening."""

from __future__ import annotations

from tests.tables.roles import choice
from tests.tables.virtual_time import in_virtual_time
from tests.tables.world import Screen, World, person


@in_virtual_time
async def test_what_is_foreseen_is_what_comes_and_nothing_happens_before() -> None:
    world = World()
    table = await world.create("ann", game="mosaic", seats=2)
    await world.seat(table, "ben")
    await world.do("ann", "start", table)
    screen = Screen(person("ann"))
    await world.watch("ann", table, screen)
    for _ in range(2):
        answer, before, shown = choice(world, table), await world.log(table), screen.view
        ahead = await world.do("ann", "look_ahead", table, **answer)
        assert (await world.log(table), screen.view) == (before, shown)
        await world.do("ann", "decide", table, **answer)
        assert screen.view is not None
        assert ahead == {"play": screen.view["play"]}
    assert await world.refusal("ann", "look_ahead", table, **choice(world, table)) == "not_foreseeable"
    bad = choice(world, table) | {"command": {"do": "fly"}}
    assert await world.refusal("ann", "look_ahead", table, **bad) == "not_offered"
    await world.registry.close()
