"""Lists of finished games show everybody what they may see, under the names of today."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.history_requests import GetGame, ListGames
from server.history.projection import Projection
from server.history.queries import GameQueries
from server.model import Refused, User
from server.people.directory import ACCOUNT, FORMER, HANDLE, USER, PeopleDirectory
from server.people.handles import handle_key
from server.store.api import TableStore
from server.tables.sharing import SHARED_GAME
from tests.history.logs import BEGIN, SECOND, Log, rated_log
from tests.store.backends import BACKENDS


class Site:
    """A store with people and games, and the service on it."""

    def __init__(self, store: TableStore) -> None:
        self.store = store
        self.people = PeopleDirectory(store.key_values)
        self.service = GameQueries(store.games, store.key_values, self.people)

    async def add(self, *logs: Log) -> None:
        for log in logs:
            await log.store_in(self.store)
            await Projection(self.store).index_game(log.table)

    async def add_person(self, user: str, name: str, privacy: str = "public") -> None:
        key = handle_key(user)
        assert key is not None
        values = self.store.key_values
        await values.put(USER, user, json.dumps({"name": name, "created": 1}).encode())
        await values.put(ACCOUNT, user, json.dumps({"handle": user, "privacy": privacy}).encode())
        await values.put(HANDLE, key, json.dumps({"user": user}).encode())

    async def ask(self, user: str, request: ListGames | GetGame) -> Any:
        reply = await self.service.answer(User(user, user), request)
        return reply.code if isinstance(reply, Refused) else dict(reply.result)

    async def list(self, user: str, **fields: Any) -> list[str]:
        """Return the tables of a list."""
        listed = await self.ask(user, ListGames(type="list_games", id="1", **fields))
        return [game["table"] for game in listed["games"]]

    async def get(self, user: str, table: str, key: str | None = None) -> Any:
        return await self.ask(user, GetGame(type="get_game", id="1", table=table, key=key))


@pytest.fixture(params=["memory", "sqlite", "redis"])
async def site(request: pytest.FixtureRequest) -> AsyncIterator[Site]:
    backend = BACKENDS[request.param]()
    await backend.start()
    yield Site(backend.store)
    await backend.stop()


def short(table: str, *people: str, ended: int = 0, game: str = "planners", **settings: Any) -> Log:
    """Return the log of a game that was abandoned soon."""
    return Log(table, game, people, BEGIN + ended * SECOND, **settings).start().abandon()


async def test_a_row_holds_everything_about_a_game(site: Site) -> None:
    await site.add_person("ann", "Ann of Today")
    log = Log("whole000", "planners", ["ann", "bea", "bot:hard"], name="Harbour", options={"first_seat": "1"})
    log.start().play()
    await site.add(log)
    (row,) = (await site.ask("cai", ListGames(type="list_games", id="1")))["games"]
    record = log.record()
    seats = row.pop("seats")
    assert row == {
        "table": "whole000",
        "game": "planners",
        "title": "Harbour",
        "options": {"first_seat": "1"},
        "started": BEGIN + SECOND,
        "ended": log.at,
        "decisions": record.decisions,
        "steps": record.steps,
        "end": "finished",
        "private": False,
        "rated": False,
        "origin": None,
        "city": record.city,
    }
    assert seats[0] == {
        "user": "ann",
        "name": "Ann of Today",
        "handle": "ann",
        "bot": None,
        "former": False,
        "place": record.seats[0].place,
        "points": record.seats[0].points,
        "resigned": False,
        "stood_in": False,
        "rating": None,
    }
    # A guest whose time has expired has the name of the game.
    assert (seats[1]["name"], seats[1]["handle"]) == ("Bea", None)
    assert (seats[2]["user"], seats[2]["name"], seats[2]["bot"]) == (None, "Juniper 2", "hard")


async def test_conditions_narrow_the_list(site: Site) -> None:
    await site.add_person("ann", "Ann")
    await site.add_person("bea", "Bea")
    await site.add(
        short("game0001", "ann", "bea", ended=1),
        short("game0002", "ann", "cai", "dev", ended=2),
        short("game0003", "bea", "cai", "dev", ended=3, game="investors"),
        rated_log("game0004", ("ann", "bea"), BEGIN + 9 * SECOND),
    )
    assert await site.list("zoe") == ["game0004", "game0003", "game0002", "game0001"]
    assert await site.list("zoe", people=["ann"]) == ["game0004", "game0002", "game0001"]
    assert await site.list("zoe", people=["ann", "bea"]) == ["game0004", "game0001"]
    assert await site.list("zoe", game="investors") == ["game0003"]
    assert await site.list("zoe", seats=3) == ["game0003", "game0002"]
    assert await site.list("zoe", rated=True) == ["game0004"]
    assert await site.list("zoe", rated=False, people=["ann"], seats=2) == ["game0001"]


async def test_pages_follow_each_other(site: Site) -> None:
    await site.add(*(short(f"game{number:04}", "ann", "bea", ended=number // 2) for number in range(7)))
    read: list[str] = []
    after: str | None = None
    while True:
        page = await site.ask("zoe", ListGames(type="list_games", id="1", limit=3, after=after))
        read += [game["table"] for game in page["games"]]
        after = page["next"]
        if after is None:
            break
    assert read == [f"game{number:04}" for number in range(7)][::-1]


async def test_words_are_searched_in_titles_and_names(site: Site) -> None:
    await site.add_person("bea", "Bea")
    await site.add(
        short("game0001", "ann", "bea", name="Harbour & Hill", ended=1), short("game0002", "ann", "cai", ended=2)
    )
    assert await site.list("zoe", search="harb hill") == ["game0001"]
    assert await site.list("zoe", search="HARB") == ["game0001"]
    assert await site.list("zoe", search="cai") == ["game0002"]
    assert await site.list("zoe", search="  ") == ["game0002", "game0001"]
    assert await site.list("zoe", search="?!") == []
    assert await site.list("zoe", search="@bea") == ["game0001"]
    assert await site.list("zoe", search="@nobody") == []


async def test_private_games_are_listed_for_those_who_sat_there(site: Site) -> None:
    await site.add_person("ann", "Ann")
    await site.add(short("game0001", "ann", "bea", private=True, name="Secret"), short("game0002", "ann", "cai"))
    assert await site.list("bea") == ["game0002", "game0001"]
    for fields in ({}, {"people": ["ann"]}, {"search": "secret"}, {"search": "ann"}):
        assert "game0001" not in await site.list("zoe", **fields)


async def test_a_private_game_opens_by_its_shared_key(site: Site) -> None:
    await site.add(short("game0001", "ann", "bea", private=True), short("game0002", "ann", "cai"))
    assert await site.get("zoe", "game0001") == "no_such_game"
    assert await site.get("zoe", "game0001", "wrong") == "no_such_game"
    await site.store.key_values.put(SHARED_GAME, "game0001", b"key-1")
    assert await site.get("zoe", "game0001", "wrong") == "no_such_game"
    assert await site.get("zoe", "game0001", "k\xe9y") == "no_such_game"
    opened = await site.get("zoe", "game0001", "key-1")
    assert (opened["access"], opened["shared"], opened["game"]["table"]) == ("key", None, "game0001")
    sat = await site.get("bea", "game0001")
    assert (sat["access"], sat["shared"]) == ("seat", "key-1")
    assert (await site.get("zoe", "game0002"))["access"] == "open"
    # What is shared is still not listed.
    assert await site.list("zoe") == ["game0002"]


async def test_what_is_not_there_and_what_is_hidden_look_the_same(site: Site) -> None:
    await site.add(short("game0001", "ann", "bea", private=True))
    running = Log("running0", "planners", ["ann", "bea"]).start().play(decisions=3)
    await running.store_in(site.store)
    await Projection(site.store).index_game("running0")
    replies = {await site.get("zoe", table) for table in ("game0001", "running0", "nothere0")}
    assert replies == {"no_such_game"}
    assert await site.get("ann", "running0") == "no_such_game"
    assert await site.list("ann") == ["game0001"]


@pytest.mark.parametrize("privacy", ["public", "friends", "nobody"])
async def test_privacy_hides_the_lists_of_a_person(site: Site, privacy: str) -> None:
    await site.add_person("ann", "Ann", privacy)
    await site.people.relations.follow("ann", "cai")
    await site.add(short("game0001", "ann", "bea"))
    assert await site.list("zoe", people=["ann"]) == (["game0001"] if privacy == "public" else [])
    assert await site.list("zoe", search="@ann") == (["game0001"] if privacy == "public" else [])
    assert await site.list("cai", people=["ann"]) == (["game0001"] if privacy != "nobody" else [])
    assert await site.list("ann", people=["ann"]) == ["game0001"]
    # Those who played with her know of these games, and the game itself is public.
    assert await site.list("bea", people=["bea", "ann"]) == ["game0001"]
    assert await site.list("zoe") == ["game0001"]


@pytest.mark.parametrize("privacy", ["public", "friends", "nobody"])
async def test_privacy_hides_a_person_from_the_search_for_names(site: Site, privacy: str) -> None:
    await site.add_person("ann", "Ann", privacy)
    await site.people.relations.follow("ann", "cai")
    await site.add(
        short("game0001", "ann", "bea", name="Harbour", ended=1), short("game0002", "dev", "eli", name="Annex")
    )
    assert await site.list("zoe", search="ann") == (["game0001", "game0002"] if privacy == "public" else ["game0002"])
    assert await site.list("cai", search="ann") == (["game0001", "game0002"] if privacy != "nobody" else ["game0002"])
    for player in ("ann", "bea"):
        assert await site.list(player, search="ann") == ["game0001", "game0002"]
    # The game itself is public.
    assert await site.list("zoe", search="harbour") == await site.list("zoe", search="bea") == ["game0001"]


async def test_who_hides_the_profile_hides_the_rating_from_all_but_the_others_at_the_table(site: Site) -> None:
    await site.add_person("ann", "Ann", "nobody")
    await site.add_person("bea", "Bea")
    await site.add(rated_log("game0001", ("ann", "bea"), BEGIN + SECOND))

    async def shown(user: str) -> list[bool]:
        return [seat["rating"] is not None for seat in (await site.get(user, "game0001"))["game"]["seats"]]

    assert await shown("zoe") == [False, True]
    assert await shown("bea") == await shown("ann") == [True, True]


async def test_the_list_of_a_guest_is_only_for_the_guest(site: Site) -> None:
    await site.store.key_values.put(USER, "ann", json.dumps({"name": "Ann"}).encode())
    await site.add(short("game0001", "ann", "bea"))
    assert await site.list("ann", people=["ann"]) == ["game0001"]
    assert await site.list("zoe", people=["ann"]) == []
    assert await site.list("zoe", people=["unknown"]) == []


async def test_deleted_people_are_former_players(site: Site) -> None:
    await site.add_person("ann", "Ann")
    await site.add(
        short("game0001", "ann", "bea", name="Harbour", ended=1),
        short("game0002", "cai", "dev", name="Ann Arbor", ended=2),
        rated_log("game0003", ("ann", "bea"), BEGIN + 9 * SECOND),
    )
    assert await site.list("zoe", search="ann") == ["game0003", "game0002", "game0001"]
    await site.store.key_values.put(FORMER, "ann", b"")
    site.people.forget("ann")
    assert await site.list("zoe", search="ann") == ["game0002"]
    assert await site.list("zoe", search="bea") == ["game0003", "game0001"]
    assert await site.list("zoe", people=["ann"]) == []
    # Not even those who played with them learn by the old id who they were.
    assert await site.list("bea", people=["bea", "ann"]) == []
    assert await site.list("zoe", search="@ann") == []
    for table in ("game0001", "game0003"):
        game = (await site.get("zoe", table))["game"]
        assert "ann" not in json.dumps(game).lower().replace("planners", "").replace("abandoned", "")
        seat = game["seats"][0]
        assert (seat["user"], seat["name"], seat["handle"], seat["former"]) == (None, "Former player", None, True)


async def test_the_changes_of_ratings_are_in_the_rows_of_rated_games(site: Site) -> None:
    logs = [rated_log(f"game{n:04}", ("ann", "bea"), BEGIN + n * SECOND, leaver=n % 2) for n in range(3)]
    await site.add_person("ann", "Ann")
    await site.add_person("bea", "Bea")
    await site.add(*logs)
    rows = (await site.ask("zoe", ListGames(type="list_games", id="1")))["games"]
    first = [seat["rating"] for seat in rows[-1]["seats"]]
    assert first[0]["rating"] - first[0]["change"] == 1500 == first[1]["rating"] - first[1]["change"]
    assert first[0]["change"] < 0 < first[1]["change"]
    for earlier, later in ((rows[2], rows[1]), (rows[1], rows[0])):
        for before, after in zip(earlier["seats"], later["seats"], strict=True):
            assert before["rating"]["rating"] == after["rating"]["rating"] - after["rating"]["change"]
    assert all(type(value) in (int, bool) for row in rows for seat in row["seats"] for value in seat["rating"].values())
    (game,) = [(await site.get("zoe", "game0001"))["game"]]
    assert game == rows[1]
