"""Previews: the result of a command, shown before it is decided, changes nothing and is what the command does."""

from __future__ import annotations

from tests.tables.roles import choice
from tests.tables.table_server import Screen, TableServer, person
from tests.tables.virtual_time import in_virtual_time


@in_virtual_time
async def test_a_preview_changes_nothing_and_is_what_the_command_does() -> None:
    server = TableServer()
    table = await server.create("ann", game="mosaic", seats=2)
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    screen = Screen(person("ann"))
    await server.watch("ann", table, screen)
    for _ in range(2):
        answer, before, shown = choice(server, table), await server.log(table), screen.view
        ahead = await server.do("ann", "look_ahead", table, **answer)
        assert (await server.log(table), screen.view) == (before, shown)
        await server.do("ann", "decide", table, **answer)
        assert screen.view is not None
        assert ahead == {"play": screen.view["play"]}
    assert await server.refusal("ann", "look_ahead", table, **choice(server, table)) == "not_foreseeable"
    bad = choice(server, table) | {"command": {"do": "fly"}}
    assert await server.refusal("ann", "look_ahead", table, **bad) == "not_offered"
    await server.registry.close()
