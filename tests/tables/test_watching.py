"""Who watches: people are named who want to be, and never to somebody whom they block or who blocks them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import pytest

from server.tables.people import NoAccounts
from server.tables.watching import MAX_NAMED
from tests.tables.table_server import TableServer, pass_time, toys
from tests.tables.virtual_time import in_virtual_time


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


class Blocks(NoAccounts):
    """Pat and Sue are hidden from each other."""

    async def hidden_from(self, user_id: str) -> Collection[str]:
        return {"pat": ("sue",), "sue": ("pat",)}.get(user_id, ())


def names(reply: dict[str, Any]) -> list[str]:
    return [each["name"] for each in reply["people"]]


@in_virtual_time
async def test_only_those_are_named_who_want_to_be_seen() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    pat = await server.watch("pat", table, named=True)
    sue = await server.watch("@sue", table)
    for asker in ("ann", "pat", "@sue"):
        reply = await server.do(asker, "get_watching", table)
        assert (names(reply), reply["others"]) == (["Pat"], 1)
    await server.watch("@sue", table, sue, named=True)
    assert names(await server.do("ann", "get_watching", table)) == ["Pat", "Sue"]
    await server.watch("pat", table, pat)
    assert names(await server.do("ann", "get_watching", table)) == ["Sue"]
    server.registry.unsubscribe(table, sue)
    reply = await server.do("ann", "get_watching", table)
    assert (names(reply), reply["others"]) == ([], 1)
    await server.registry.close()


@in_virtual_time
async def test_blocked_people_are_not_shown_to_each_other() -> None:
    server = TableServer(people=Blocks())
    table = await server.begin("ann", "ben")
    for name in ("pat", "sue", "tom"):
        await server.watch(name, table, named=True)
    expected = {"pat": ["Pat", "Tom"], "sue": ["Sue", "Tom"], "ann": ["Pat", "Sue", "Tom"]}
    for asker, seen in expected.items():
        reply = await server.do(asker, "get_watching", table)
        assert (names(reply), reply["others"]) == (seen, 3 - len(seen))
    await server.registry.close()


@in_virtual_time
async def test_players_learn_no_predictions_and_no_scores_before_the_end() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("@pat", table, named=True)
    await server.do("@pat", "predict", table, winner=1)
    (to_spectators,) = (await server.do("@pat", "get_watching", table))["people"]
    assert (to_spectators["winner"], to_spectators["score"]) == (1, {"right": 0, "games": 0})
    (to_players,) = (await server.do("ann", "get_watching", table))["people"]
    assert (to_players["winner"], to_players["score"]) == (None, None)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    (after,) = (await server.do("ann", "get_watching", table))["people"]
    assert after["winner"] == 1
    await server.registry.close()


@in_virtual_time
async def test_the_list_is_bounded_and_the_others_are_counted() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    for number in range(MAX_NAMED + 5):
        await server.watch(f"s{number:02}", table, named=True)
    reply = await server.do("ann", "get_watching", table)
    assert (len(reply["people"]), reply["others"]) == (MAX_NAMED, 5)
    await server.registry.close()


@in_virtual_time
async def test_who_wants_to_be_seen_is_named_after_the_table_was_rebuilt_and_once_with_two_pages() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    for _ in range(2):
        await server.watch("pat", table, named=True)
    server.registry._actors[table]._is_current = False
    server.registry._actors[table]._log.forget()
    await server.do("ann", "say", table, text="hello")
    await pass_time(1)
    assert names(await server.do("ann", "get_watching", table)) == ["Pat"]
    await server.registry.close()


@in_virtual_time
async def test_who_watches_a_private_table_is_for_those_with_its_key() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", private=True)
    key = server.key(table)
    await server.watch("pat", table, key=key, named=True)
    assert await server.refusal("sue", "get_watching", table) == "no_such_table"
    assert await server.refusal("sue", "predict", table, winner=0) == "no_such_table"
    assert names(await server.do("sue", "get_watching", table, key=key)) == ["Pat"]
    await server.registry.close()
