"""Handles at tables, and "former player" in place of people who were deleted, without a change of the log."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import pytest

from server.lobby.directory import TableDirectory
from server.lobby.listed_table import without_former
from server.model import User
from server.store.api import StorageFailed
from tests.tables.table_server import Screen, TableServer, pass_time, settle, toys
from tests.tables.virtual_time import in_virtual_time


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


class People:
    """People whose handles and deletions a test chooses. Implements `server.tables.people.TablePeople`."""

    def __init__(self, **handles: str) -> None:
        self.known = handles
        self.former: set[str] = set()
        self.fails = False

    async def handles(self, user_ids: Iterable[str]) -> dict[str, str]:
        if self.fails:
            raise StorageFailed("The disk is full.")
        return {user: self.known[user] for user in user_ids if user in self.known}

    def is_former(self, user_id: str) -> bool:
        return user_id in self.former

    async def may_join(self, user_id: str, seated: Collection[str]) -> bool:
        return True

    async def hidden_from(self, user_id: str) -> Collection[str]:
        return ()


def seats(screen: Screen) -> list[tuple[str | None, str | None, bool]]:
    assert screen.view is not None
    return [(seat["name"], seat["handle"], seat["former"]) for seat in screen.view["seats"]]


def listed(server: TableServer, table: str) -> list[tuple[str | None, str | None, bool]]:
    return [(seat["name"], seat["handle"], seat["former"]) for seat in server.lists.of(table)["seats"]]


@in_virtual_time
async def test_seats_show_the_handles_of_people_who_have_one() -> None:
    people = People(ann="ann-smith")
    server = TableServer(people=people)
    table = await server.begin("ann", "ben", bots=1)
    screen = await server.watch("ben", table)
    expected = [("Ann", "ann-smith", False), ("Ben", None, False)]
    assert seats(screen)[:2] == listed(server, table)[:2] == expected
    await server.restart()
    assert seats(await server.watch("ben", table))[:2] == expected


@in_virtual_time
async def test_a_new_handle_is_shown_at_once_without_a_log_entry() -> None:
    server = TableServer(people=People())
    table = await server.begin("ann", "ben")
    screens = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    before = await server.log(table)
    server.registry.rename(User("ann", "Ann", handle="ann-smith"), [table])
    await settle()
    for screen in screens:
        assert seats(screen) == [("Ann", "ann-smith", False), ("Ben", None, False)]
    assert listed(server, table)[0] == ("Ann", "ann-smith", False)
    assert await server.log(table) == before
    # The patches that follow belong to the view that was sent.
    await server.bid("ann", table, 1)
    await server.bid("ben", table, 1)
    await settle()
    assert [seats(screen)[0][1] for screen in screens] == ["ann-smith"] * 3


@in_virtual_time
async def test_a_table_goes_on_without_handles_when_they_cannot_be_read() -> None:
    people = People(ann="ann-smith")
    server = TableServer(people=people)
    table = await server.begin("ann", "ben")
    people.fails = True
    await server.restart()
    assert seats(await server.watch("ben", table)) == [("Ann", None, False), ("Ben", None, False)]


@in_virtual_time
async def test_a_deleted_person_is_a_former_player_everywhere_at_the_table() -> None:
    people = People(ann="ann-smith")
    server = TableServer(people=people)
    table = await server.create("ann")
    server.registry.rename(User("ann", "Annabel", handle="ann-smith"), [table])
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    await server.do("ann", "say", table, text="Hello.")
    ben, pat = await server.watch("ben", table), await server.watch("pat", table)
    await server.do("ann", "resign", table)
    log = await server.log(table)

    people.former.add("ann")
    server.registry.on_user_deleted("ann")
    await settle()
    assert seats(ben)[0] == seats(pat)[0] == listed(server, table)[0] == ("Former player", None, True)
    assert ben.view is not None
    assert [line["name"] for line in ben.view["talk"]] == ["Former player"]
    page = await server.do("ben", "read_log", table)
    assert "Annabel" not in json.dumps(page)
    assert "Former player" in json.dumps(page)

    while server.state(table).phase != "over":
        await server.bid("ben", table, None)
        server.bots.decide()
        await pass_time(1)
    back = await server.do("ben", "look_back", table, step=1)
    assert "Ann" not in json.dumps(back)
    assert back["view"]["seats"][0]["former"]
    await server.restart()
    again = await server.watch("pat", table, have=0)
    assert "Ann" not in json.dumps([again.view, again.missed, again.chat])
    # The log is as it was: it has the name.
    assert (await server.log(table))[: len(log)] == log
    assert any("Annabel" in str(entry) for entry in await server.entries(table))


@in_virtual_time
async def test_lines_of_deleted_spectators_have_no_name_any_more() -> None:
    people = People()
    server = TableServer(people=people)
    table = await server.begin("ann", "ben")
    pat, cat = await server.watch("pat", table), await server.watch("cat", table)
    await server.do("pat", "say", table, text="Well played.")
    assert [line["name"] for line in cat.chat] == ["Pat"]
    people.former.add("pat")
    server.registry.on_user_deleted("pat")
    assert [line["name"] for line in cat.chat] == ["Former player"]
    assert pat.view is not None


@in_virtual_time
async def test_only_tables_of_the_deleted_person_are_shown_again() -> None:
    people = People()
    server = TableServer(people=people)
    table = await server.begin("ann", "ben")
    ann = await server.watch("ann", table)
    ann.drain()
    people.former.add("zoe")
    server.registry.on_user_deleted("zoe")
    await settle()
    assert "view" not in [message["type"] for message in ann.drain()]


def test_summaries_that_were_stored_before_show_former_players() -> None:
    seat = {"user": "ann", "name": "Ann", "bot": None, "handle": "ann-smith", "former": False}
    free = {"user": None, "name": None, "bot": None, "handle": None, "former": False}
    summary: dict[str, Any] = {"table": "t1", "seats": [seat, free]}
    assert without_former(summary, lambda user: False) is summary
    shown = without_former(summary, lambda user: user == "ann")
    assert shown["seats"] == [{**seat, "name": "Former player", "handle": None, "former": True}, free]
    assert summary["seats"][0] is seat


@in_virtual_time
async def test_the_lists_show_a_former_player_at_once_and_after_a_restart() -> None:
    people = People(ann="ann-smith")
    server = TableServer(people=people)
    table = await server.begin("ann", "ben")
    rows = await server.store.tables("running")
    directory = TableDirectory(is_former=people.is_former)
    directory.load(rows)
    assert directory.tables_of("ann")[0]["seats"][0]["name"] == "Ann"
    people.former.add("ann")
    directory.on_user_deleted("ann")
    restarted = TableDirectory(is_former=people.is_former)
    restarted.load(rows)
    for lists in (directory, restarted):
        assert lists.tables_of("ben")[0]["seats"][0]["name"] == "Former player"
    assert table
    directory.close()
    restarted.close()
