"""Names at a table: nobody is shown under a name that looks like somebody else's."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from protocol.messages import REQUESTS, TableRequest, Watch
from server.model import Done, Refused, Reply, User
from server.tables.bot_names import NAMES, bot_names
from server.tables.names import ROLES, refused_name
from tests.tables.table_server import Screen, TableServer, pass_time, settle
from tests.tables.virtual_time import in_virtual_time

FAKE_ANN = "\u0410nn"  # with a Cyrillic letter


async def ask(server: TableServer, user: User, kind: str, table: str, **fields: Any) -> Reply:
    """Send a request of a user with a name of their own choice."""
    request = REQUESTS.validate_python({"id": f"n{next(server._ids)}", "type": kind, "table": table, **fields})
    assert isinstance(request, TableRequest)
    answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    server.registry.ask(user, request, answer.set_result)
    reply = await asyncio.wait_for(answer, 60)
    assert isinstance(reply, Done), reply
    return reply


async def watch(server: TableServer, user: User, table: str) -> Screen:
    screen = Screen(user)
    answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    request = Watch(type="watch", id=f"n{next(server._ids)}", table=table)
    server.registry.subscribe(user, request, screen, answer.set_result)
    assert isinstance(await asyncio.wait_for(answer, 60), Done)
    return screen


def names(screen: Screen) -> list[str | None]:
    assert screen.view is not None
    return [seat["name"] for seat in screen.view["seats"]]


@in_virtual_time
async def test_who_sits_down_under_a_name_like_that_of_another_gets_a_number() -> None:
    server = TableServer()
    table = await server.create("ann", seats=4)
    pat = await server.watch("pat", table)
    for number, name in enumerate((FAKE_ANN, "ANN.", "Ben")):
        await ask(server, User(f"user{number}", name), "take_seat", table)
    assert names(pat) == ["Ann", f"{FAKE_ANN} (2)", "ANN. (3)", "Ben"]
    assert server.lists.of(table)["seats"][1]["name"] == f"{FAKE_ANN} (2)"
    await ask(server, User("user0", FAKE_ANN), "say", table, text="I am Ann")
    assert pat.view is not None
    assert pat.view["talk"][-1]["name"] == f"{FAKE_ANN} (2)"
    await server.restart()
    assert names(await server.watch("pat", table)) == names(pat)
    await server.registry.close()


@in_virtual_time
async def test_who_comes_back_or_moves_keeps_the_name_without_a_number() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.seat(table, "ben")
    await server.do("ben", "say", table, text="hello")
    await server.do("ben", "leave_seat", table)
    await server.do("ben", "take_seat", table, seat=2)
    assert server.state(table).chairs[2].name == "Ben"
    await server.registry.close()


@in_virtual_time
async def test_a_new_name_during_the_game_gets_a_number_where_it_looks_like_another() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    pat = await server.watch("pat", table)
    server.registry.rename(User("ben", FAKE_ANN), [table])
    await settle()
    assert names(pat) == ["Ann", f"{FAKE_ANN} (2)"]
    entries = len(await server.log(table))
    server.registry.rename(User("ben", FAKE_ANN), [table])
    await settle()
    assert len(await server.log(table)) == entries, "the same name again changes nothing"
    server.registry.rename(User("ann", "Annabel"), [table])
    server.registry.rename(User("ben", "Ann"), [table])
    await settle()
    assert names(pat) == ["Annabel", "Ann"]
    await server.registry.close()


@in_virtual_time
async def test_a_spectator_whose_name_looks_like_a_players_is_marked_in_the_chat() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    fake, other = User("fake", FAKE_ANN), User("other", FAKE_ANN)
    screen = await watch(server, fake, table)
    await watch(server, other, table)
    for user in (fake, other, fake):
        await pass_time(1)
        await ask(server, user, "say", table, text="I am Ann")
    assert [line["name"] for line in screen.chat] == [f"{FAKE_ANN} ({number})" for number in (2, 3, 2)]
    await server.registry.close()


@in_virtual_time
async def test_a_spectator_keeps_the_number_when_the_other_one_is_no_longer_there() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.seat(table, "ben")
    fake = User("fake", "Ben")
    screen = await watch(server, fake, table)
    await ask(server, fake, "say", table, text="one")
    await server.do("ben", "leave_seat", table)
    await ask(server, fake, "say", table, text="two")
    assert [line["name"] for line in screen.chat] == ["Ben (2)", "Ben (2)"]
    await ask(server, fake, "take_seat", table)
    assert server.state(table).chairs[1].name == "Ben (2)"
    await server.registry.close()


@in_virtual_time
async def test_who_sits_down_is_told_apart_from_somebody_who_has_talked() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    cat = User("cat", "Cat")
    await watch(server, cat, table)
    await ask(server, cat, "say", table, text="hello")
    await ask(server, User("fake", "C\u0430t"), "take_seat", table)
    assert server.state(table).chairs[1].name == "C\u0430t (2)"
    await server.registry.close()


@in_virtual_time
async def test_the_name_of_a_seat_does_not_tell_that_a_spectator_has_talked() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    cat = User("cat", "Cat")
    screen = await watch(server, cat, table)
    await ask(server, cat, "say", table, text="players do not know of this")
    server.registry.rename(User("ben", "Cat"), [table])
    await settle()
    assert names(screen) == ["Ann", "Cat"]
    await ask(server, cat, "say", table, text="marked from now on")
    assert screen.chat[-1]["name"] == "Cat (2)"
    await server.registry.close()


@in_virtual_time
async def test_people_and_bots_are_told_apart() -> None:
    server = TableServer()
    table = await server.create("ann", seats=4)
    first = next(bot_names(table, ()))
    imitation = first.upper()
    await ask(server, User("early", imitation), "take_seat", table)
    await server.do("ann", "add_bot", table)
    bot = server.state(table).chairs[2].name
    assert bot in NAMES
    assert bot != first, "no bot takes a name that looks like a person's"
    await ask(server, User("late", bot.lower()), "take_seat", table)
    assert server.state(table).chairs[3].name == f"{bot.lower()} (2)"
    await server.registry.close()


@in_virtual_time
async def test_a_reserved_name_from_before_it_was_reserved_is_marked() -> None:
    server = TableServer()
    table = await server.create("ann", seats=2)
    await ask(server, User("old", "S\u0435rver"), "take_seat", table)
    assert server.state(table).chairs[1].name == "S\u0435rver (2)"
    await server.create("server", "table2")
    assert server.state("table2").chairs[0].name == "Server (2)"
    await server.registry.close()


@pytest.mark.parametrize("name", [*ROLES, "S\u0435rver", "adrnin", "HOST", "Host 2", "The \u0410dmin", "B\u043et"])
def test_reserved_names_are_refused_with_a_sentence(name: str) -> None:
    refusal = refused_name(name)
    assert isinstance(refusal, Refused)
    assert refusal.code == "bad_name"
    assert "looks like" in refusal.sentence


@pytest.mark.parametrize("name", ["Ada", *NAMES, "Felix B.", "Foggy Pelican", "Hostess", "Youssef", "Modesty", "Nelly"])
def test_other_names_are_not_refused(name: str) -> None:
    assert refused_name(name) is None
