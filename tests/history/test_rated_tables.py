"""From a rated table to profiles and rankings: the game is played, indexed, and shown."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from protocol.messages import GetProfile, GetRankings
from server.history.finished import FinishedGames
from server.history.play_on import PlayingOn
from server.history.profiles import Profiles
from server.history.projection import Projection
from server.history.queries import GameQueries
from server.history.rankings import Rankings
from server.history.service import HistoryService
from server.model import Reply, User
from server.people.directory import PeopleDirectory
from tests.history.rated_games import register
from tests.replies import result_of
from tests.tables.roles import agree
from tests.tables.table_server import TableServer, pass_time, person, toys
from tests.tables.virtual_time import in_virtual_time

ANN, BEN, GUEST = person("@ann"), person("@ben"), person("gus")


@pytest.fixture(autouse=True)
def toy_games() -> Iterator[None]:
    with toys():
        yield


class World:
    """Tables with an index of their finished games."""

    def __init__(self) -> None:
        self.server = TableServer()
        store = self.server.store
        people = PeopleDirectory(store.key_values)
        self.queries = queries = GameQueries(store.games, store.key_values, people)
        rankings = Rankings(store.games, people, self.server.wall, monotonic=iter(range(0, 10_000, 100)).__next__)
        profiles = Profiles(store.games, people, rankings, queries.rows, lambda user: False)
        finished = FinishedGames(store, self.server.registry.turns)
        playing_on = PlayingOn(finished, self.server.registry, lambda user, request: request, lambda game: ("normal",))
        self.history = HistoryService(queries, profiles, rankings, playing_on)
        self.projection = Projection(store)
        self._rng = Random(5)

    async def played(self, number: int, *names: str, **settings: Any) -> str:
        """Play a game of the toy auction to its end, and index it."""
        # Games that end in the same millisecond would be rated in the order of their names.
        await pass_time(1)
        table = await self.server.begin(*names, table=f"table{number}", **settings)
        while self.server.state(table).phase == "running":
            state = self.server.state(table)
            user = state.chairs[state.awaited()[0]].user
            await self.server.play_on(table, user, self._rng)
        await self.projection.index_game(table)
        return table

    async def ask(self, user: User, kind: str, **fields: Any) -> Reply:
        request: Any = {"get_profile": GetProfile, "get_rankings": GetRankings}[kind]
        return await self.history.answer(user, request(type=kind, id="h1", **fields))

    async def ratings(self, handle: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = result_of(await self.ask(GUEST, "get_profile", handle=handle))["profile"][
            "ratings"
        ]
        return found

    async def start(self) -> None:
        for name in ("ann", "ben"):
            await register(self.server.store.key_values, name)


@in_virtual_time
async def test_rated_games_change_profiles_and_rankings_and_others_do_not() -> None:
    world = World()
    await world.start()
    await world.played(0, "@ann", "@ben")
    assert await world.ratings("ann") == []
    changes = {"ann": 0, "ben": 0}
    for number in range(1, 11):
        table = await world.played(number, "@ann", "@ben", rated=True)
        game = result_of(await world.queries.game("ann", table, None))["game"]
        assert game["rated"]
        for seat in game["seats"]:
            changes[seat["user"]] += seat["rating"]["change"]
    rankings = result_of(await world.ask(ANN, "get_rankings", game="auction"))
    assert {row["user"]: row["rating"] for row in rankings["rows"]} == {
        user: 1500 + change for user, change in changes.items()
    }
    assert rankings["own"]["rank"] in (1, 2)
    for name in ("ann", "ben"):
        [rating] = await world.ratings(name)
        assert (rating["game"], rating["games"], rating["rating"]) == ("auction", 10, 1500 + changes[name])
        assert len(rating["history"]) == 10
    await world.server.registry.close()


@in_virtual_time
async def test_who_resigns_loses_to_those_who_stay_and_abandon_the_game() -> None:
    world = World()
    await world.start()
    table = await world.server.begin("@ann", "@ben", rated=True)
    await world.server.do("@ben", "resign", table)
    await agree(world.server, table, "abandon")
    await world.projection.index_game(table)
    [ann], [ben] = await world.ratings("ann"), await world.ratings("ben")
    assert ann["rating"] > 1500 > ben["rating"]
    await world.server.registry.close()


@in_virtual_time
async def test_a_game_that_all_agree_to_stop_does_not_count() -> None:
    world = World()
    await world.start()
    table = await world.server.begin("@ann", "@ben", rated=True)
    await agree(world.server, table, "abandon")
    await world.projection.index_game(table)
    assert await world.ratings("ann") == []
    profile = result_of(await world.ask(BEN, "get_profile", handle="ann"))["profile"]
    assert [game["rated"] for game in profile["recent"]] == [False]
    await world.server.registry.close()


@in_virtual_time
async def test_a_running_game_is_in_no_profile() -> None:
    world = World()
    await world.start()
    table = await world.server.begin("@ann", "@ben", rated=True)
    await world.projection.index_game(table)
    profile = result_of(await world.ask(GUEST, "get_profile", handle="ann"))["profile"]
    assert (profile["ratings"], profile["recent"], profile["results"], profile["companions"]) == ([], [], [], [])
    await world.server.registry.close()
