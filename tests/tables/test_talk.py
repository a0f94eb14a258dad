"""Chat at a table: who sees a line, muting, and names."""

from __future__ import annotations

from server.model import User
from server.tables.handlers import MAX_LINE_LENGTH, MAX_MUTED
from server.tables.state import TALK_KEPT
from tests.tables.table_server import Screen, TableServer, pass_time, settle, wall
from tests.tables.virtual_time import in_virtual_time


def lines(screen: Screen) -> list[str]:
    assert screen.view is not None
    return [line["text"] for line in screen.view["talk"]]


@in_virtual_time
async def test_players_and_spectators_talk_apart_while_the_game_runs() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.seat(table, "ben")
    ann, pat = await server.watch("ann", table), await server.watch("pat", table)
    await server.do("pat", "say", table, text="before")
    await server.do("ann", "start", table)
    await server.do("ben", "say", table, text="players only")
    await server.do("pat", "say", table, text="spectators only")
    assert lines(ann) == ["before", "players only"]
    assert lines(pat) == ["before", "spectators only"]
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    await server.do("ben", "say", table, text="after")
    assert lines(ann) == ["before", "players only", "after"]
    assert lines(pat) == ["before", "spectators only", "after"]
    await server.restart()
    assert lines(await server.watch("ben", table)) == ["before", "players only", "after"]
    assert lines(await server.watch("sue", table)) == ["before", "spectators only", "after"]
    await server.registry.close()


@in_virtual_time
async def test_a_line_has_its_time_also_after_a_restart() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    times = []
    for text in ("one", "two"):
        await pass_time(60)
        times.append(round(wall() * 1000))
        await server.do("ann", "say", table, text=text)
    assert ann.view is not None
    assert [line["at"] for line in ann.view["talk"]] == times
    await pass_time(60)
    await server.restart()
    assert (await server.watch("ann", table)).view == ann.view
    await server.registry.close()


@in_virtual_time
async def test_a_line_of_the_other_room_leaves_no_trace() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    ann, pat = await server.watch("ann", table), await server.watch("pat", table)
    await pass_time(1)
    pat.drain()
    number = pat.number
    await server.do("ann", "say", table, text="hello")
    await pass_time(1)
    assert pat.drain() == []
    assert ann.events[-1]["text"] == "hello"
    await server.do("pat", "say", table, text="hello")
    assert pat.number == number + 1
    await server.registry.close()


@in_virtual_time
async def test_a_muted_user_cannot_chat_until_the_host_unmutes_them() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.watch("pat", table)
    await server.do("ann", "mute", table, user="pat", muted=True)
    assert await server.refusal("pat", "say", table, text="hello") == "muted"
    await server.do("ann", "mute", table, user="pat", muted=False)
    await server.do("pat", "say", table, text="hello")
    await server.registry.close()


@in_virtual_time
async def test_the_number_of_muted_people_has_a_bound() -> None:
    server = TableServer()
    table = await server.create("ann")
    for number in range(MAX_MUTED):
        await server.do("ann", "mute", table, user=f"u{number}", muted=True)
    assert await server.refusal("ann", "mute", table, user="one more", muted=True) == "muted"
    await server.do("ann", "mute", table, user="u0", muted=False)
    await server.do("ann", "mute", table, user="one more", muted=True)
    await server.registry.close()


@in_virtual_time
async def test_a_line_is_sanitized_and_has_a_maximum_length() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    await server.do("ann", "say", table, text="  one \n line\u202e ")
    assert lines(ann) == ["one line"]
    assert await server.refusal("ann", "say", table, text=" \n ") == "bad_text"
    assert await server.refusal("ann", "say", table, text="x" * (MAX_LINE_LENGTH + 1)) == "bad_text"
    for number in range(TALK_KEPT + 5):
        await server.do("ann", "say", table, text=str(number))
    assert lines(ann) == [str(number) for number in range(5, TALK_KEPT + 5)]
    await server.registry.close()


@in_virtual_time
async def test_a_new_name_is_shown_at_the_tables_where_the_user_sits() -> None:
    server = TableServer()
    await server.create("ann", "table1")
    await server.create("ben", "table2")
    pat = await server.watch("pat", "table1")
    server.registry.rename(User("ann", "Annabel"), ["table1", "table2"])
    await settle()
    assert pat.view is not None
    assert pat.view["seats"][0]["name"] == "Annabel"
    assert server.lists.of("table1")["seats"][0]["name"] == "Annabel"
    assert await server.log("table2") == ["table_opened+seat_taken"]
    await server.registry.close()
