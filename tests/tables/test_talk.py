"""What is said at a table: who hears it, who is kept from saying it, and under which name."""

from __future__ import annotations

from server.tables.api import User
from server.tables.handlers import LINE_LENGTH_MOST, MUTED_MOST
from server.tables.state import TALK_KEPT
from tests.tables.virtual_time import in_virtual_time
from tests.tables.world import Screen, World, pass_time, settle


def lines(screen: Screen) -> list[str]:
    assert screen.view is not None
    return [line["text"] for line in screen.view["talk"]]


@in_virtual_time
async def test_players_and_spectators_talk_apart_while_the_game_runs() -> None:
    world = World()
    table = await world.create("ann")
    await world.seat(table, "ben")
    ann, pat = await world.watch("ann", table), await world.watch("pat", table)
    await world.do("pat", "say", table, text="before")
    await world.do("ann", "start", table)
    await world.do("ben", "say", table, text="players only")
    await world.do("pat", "say", table, text="spectators only")
    assert lines(ann) == ["before", "players only"]
    assert lines(pat) == ["before", "spectators only"]
    for name in ("ann", "ben"):
        await world.do(name, "vote", table, on="abandon", agree=True)
    await world.do("ben", "say", table, text="after")
    assert lines(ann) == ["before", "players only", "after"]
    assert lines(pat) == ["before", "spectators only", "after"]
    await world.restart()
    assert lines(await world.watch("ben", table)) == ["before", "players only", "after"]
    assert lines(await world.watch("sue", table)) == ["before", "spectators only", "after"]
    await world.registry.close()


@in_virtual_time
async def test_a_line_that_others_do_not_hear_leaves_no_trace_for_them() -> None:
    world = World()
    table = await world.begin("ann", "ben")
    ann, pat = await world.watch("ann", table), await world.watch("pat", table)
    await pass_time(1)
    pat.drain()
    number = pat.number
    await world.do("ann", "say", table, text="hello")
    await pass_time(1)
    assert pat.drain() == []
    assert ann.events[-1]["text"] == "hello"
    await world.do("pat", "say", table, text="hello")
    assert pat.number == number + 1
    await world.registry.close()


@in_virtual_time
async def test_whom_the_host_mutes_is_not_heard_until_the_host_lets_them_speak() -> None:
    world = World()
    table = await world.create("ann")
    await world.watch("pat", table)
    await world.do("ann", "mute", table, user="pat", muted=True)
    assert await world.refusal("pat", "say", table, text="hello") == "muted"
    await world.do("ann", "mute", table, user="pat", muted=False)
    await world.do("pat", "say", table, text="hello")
    await world.registry.close()


@in_virtual_time
async def test_the_number_of_muted_people_has_a_bound() -> None:
    world = World()
    table = await world.create("ann")
    for number in range(MUTED_MOST):
        await world.do("ann", "mute", table, user=f"u{number}", muted=True)
    assert await world.refusal("ann", "mute", table, user="one more", muted=True) == "muted"
    await world.do("ann", "mute", table, user="u0", muted=False)
    await world.do("ann", "mute", table, user="one more", muted=True)
    await world.registry.close()


@in_virtual_time
async def test_what_is_said_is_made_safe_and_has_a_bound() -> None:
    world = World()
    table = await world.create("ann")
    ann = await world.watch("ann", table)
    await world.do("ann", "say", table, text="  one \n line\u202e ")
    assert lines(ann) == ["one line"]
    assert await world.refusal("ann", "say", table, text=" \n ") == "bad_text"
    assert await world.refusal("ann", "say", table, text="x" * (LINE_LENGTH_MOST + 1)) == "bad_text"
    for number in range(TALK_KEPT + 5):
        await world.do("ann", "say", table, text=str(number))
    assert lines(ann) == [str(number) for number in range(5, TALK_KEPT + 5)]
    await world.registry.close()


@in_virtual_time
async def test_a_new_name_is_shown_at_the_tables_where_the_user_sits() -> None:
    world = World()
    await world.create("ann", "table1")
    await world.create("ben", "table2")
    pat = await world.watch("pat", "table1")
    world.registry.rename(User("ann", "Annabel"), ["table1", "table2"])
    await settle()
    assert pat.view is not None
    assert pat.view["seats"][0]["name"] == "Annabel"
    assert world.lists.of("table1")["seats"][0]["name"] == "Annabel"
    assert await world.log("table2") == ["table_opened+seat_taken"]
    await world.registry.close()
