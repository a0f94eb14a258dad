"""Profiles: what they count, and who may see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from protocol.messages import GetProfile
from server.history import profiles
from server.history.game_reader import indexed_game
from server.history.played import games_of_user
from server.history.profiles import MAX_COMPANIONS, MAX_HISTORY, Profiles, history_of
from server.history.rankings import Rankings
from server.history.ratings import PersonRating
from server.history.record import GameRecord
from server.model import Reply, User
from server.people.directory import PeopleDirectory
from server.store.api import TableStore
from server.store.games_api import GameKey, IndexChange, Rating
from server.store.memory import MemoryStore
from tests.history.rated_games import (
    DAY,
    ENDED,
    PEOPLE,
    abandoned,
    delete,
    fill,
    finished,
    record,
    register,
    season,
    seat,
)
from tests.replies import code_of, result_of
from tests.store.backends import Backend

GUEST = User("guest", "Guest")
ANN, BEA, CAI = (User(name, name.capitalize(), handle=name) for name in ("ann", "bea", "cai"))


def wall() -> float:
    return ENDED / 1000


class World:
    """Profiles over a store. A row of a game is its table."""

    def __init__(self, store: TableStore | None = None) -> None:
        self.store = store or MemoryStore(wall, wall)
        self.key_values = self.store.key_values
        self.people = PeopleDirectory(self.key_values)
        rankings = Rankings(self.store.games, self.people, wall)
        self.online = {"ann"}
        is_online = self.online.__contains__
        self.tables: dict[str, list[dict[str, Any]]] = {}
        tables_of = lambda user: self.tables.get(user, [])  # noqa: E731
        self.profiles = Profiles(self.store.games, self.people, rankings, self.rows, is_online, tables_of)

    @staticmethod
    async def rows(viewer: str, records: Sequence[GameRecord]) -> list[dict[str, Any]]:
        return [{"table": each.table} for each in records]

    async def ask(self, user: User, handle: str) -> Reply:
        return await self.profiles.answer(user, GetProfile(type="get_profile", id="p1", handle=handle))

    async def profile(self, user: User, handle: str) -> dict[str, Any]:
        found: dict[str, Any] = result_of(await self.ask(user, handle))["profile"]
        return found


async def world_of(*records: GameRecord, store: TableStore | None = None) -> World:
    world = World(store)
    for name in PEOPLE:
        await register(world.key_values, name)
    await fill(world.store.games, records)
    return world


# -- what is counted ------------------------------------------------------------------------------------------


def counted(records: Sequence[GameRecord], user: str, viewer: str) -> dict[tuple[str, int], Counter[int]]:
    """Return how often a user had each place, by game and number of seats, straight from the records."""
    found: dict[tuple[str, int], Counter[int]] = {}
    for each in visible(records, user, viewer):
        place = next(seat.place for seat in each.seats if seat.user == user)
        if place is not None and each.origin is None:
            found.setdefault((each.game, len(each.seats)), Counter())[place] += 1
    return found


def visible(records: Sequence[GameRecord], user: str, viewer: str) -> list[GameRecord]:
    users = [(each, {seat.user for seat in each.seats}) for each in records]
    return [each for each, own in users if user in own and (viewer in own or not each.private)]


async def test_profiles_of_a_season_are_the_same_in_every_store(backend: Backend) -> None:
    records = season(300)
    world = await world_of(*records, store=backend.store)
    for viewer in (ANN, BEA, GUEST):
        profile = await world.profile(viewer, "ann")
        places = {(each["game"], each["seats"]): each["places"] for each in profile["results"]}
        assert places == {
            key: [counts[place] for place in range(1, key[1] + 1)]
            for key, counts in counted(records, "ann", viewer.id).items()
        }
        assert all(sum(each["places"]) == each["played"] for each in profile["results"])
        seen = visible(records, "ann", viewer.id)
        assert [row["table"] for row in profile["recent"]] == [each.table for each in seen[::-1][:10]]
        others = Counter(one.user for each in seen for one in each.seats if one.user not in (None, "ann", "guest"))
        assert {each["id"]: each["games"] for each in profile["companions"]} == others
        assert [each["games"] for each in profile["companions"]] == sorted(others.values(), reverse=True)
        for rating in profile["ratings"]:
            of_game = [each for each in records if each.game == rating["game"] and each.rated]
            played = [each for each in of_game if "ann" in [one.user for one in each.seats]]
            assert rating["games"] == len(played)
            assert [point[0] for point in rating["history"]] == [each.ended for each in played if each in seen]
            if viewer is ANN:
                assert rating["history"][-1][1:] == [rating["rating"], rating["uncertainty"]]
    assert len(profile["ratings"]) == 3


async def test_average_and_best_points() -> None:
    games = [
        record(seat("ann", 1, points=points), seat("bea", 2), table=f"t{number}", ended=ENDED - 100 + number)
        for number, points in enumerate((31, 40, 40, 35))
    ]
    continued = record(seat("ann", 1, points=99), seat("bea", 2), table="t9", origin="t1:3", rated=False)
    unfinished = abandoned(seat("ann", points=None), seat("bea", points=None), table="t8")
    world = await world_of(*games, continued, unfinished)
    [result] = (await world.profile(BEA, "ann"))["results"]
    assert result == {
        "game": "planners",
        "seats": 2,
        "played": 4,
        "places": [4, 0],
        "average": 365,
        "best": {"points": 40, "table": "t1"},
    }


async def test_the_person() -> None:
    world = await world_of()
    await register(world.key_values, "ann", motto="Slow and steady", languages=["de"], privacy="friends")
    await world.people.relations.follow("ann", "bea")
    await world.people.relations.follow("bea", "ann")
    shown = (await world.profile(BEA, "ANN"))["person"]
    assert shown == {
        "id": "ann",
        "name": "Ann",
        "handle": "ann",
        "motto": "Slow and steady",
        "languages": ["de"],
        "since": 1_700_000_000_000,
        "online": True,
        "tables": [],
        "is_you": False,
        "follows": True,
        "blocked": False,
        "privacy": None,
    }
    own = (await world.profile(ANN, "ann"))["person"]
    assert (own["is_you"], own["privacy"], own["follows"]) == (True, "friends", False)
    await world.people.relations.block("ann", "bea")
    assert (await world.profile(ANN, "bea"))["person"]["blocked"] is True


async def test_a_profile_has_the_public_tables_where_the_person_plays_now() -> None:
    world = await world_of()
    public = [{"table": f"t{number}", "settings": {"private": False}} for number in range(5)]
    world.tables["ann"] = [{"table": "secret", "settings": {"private": True}}, *public]
    assert (await world.profile(BEA, "ann"))["person"]["tables"] == public[:3]
    await register(world.key_values, "ann", privacy="nobody")
    world.people.forget("ann")
    assert code_of(await world.ask(BEA, "ann")) == "no_such_person", "who hides the profile hides where they play"


async def test_a_rating_has_its_rank() -> None:
    games = [
        finished({"ann": 1, "bea": 2}, table=f"t{number}", ended=ENDED - (20 - number) * DAY) for number in range(10)
    ]
    world = await world_of(*games)
    for handle, rank in (("ann", 1), ("bea", 2)):
        [rating] = (await world.profile(GUEST, handle))["ratings"]
        assert (rating["game"], rating["rank"], rating["games"], rating["provisional"]) == ("planners", rank, 10, False)
    world = await world_of(*games[:9])
    [rating] = (await world.profile(GUEST, "ann"))["ratings"]
    assert (rating["rank"], rating["provisional"]) == (None, True)


def test_a_long_history_keeps_its_ends_and_two_hundred_points() -> None:
    ratings = [
        Rating("ann", "planners", GameKey(number, "t"), PersonRating(25 + number / 40, 2.0).pack())
        for number in range(1001)
    ]
    history = history_of(ratings)
    assert len(history) == MAX_HISTORY
    assert history[0] == [0, 1500, 160]
    assert history[-1] == [1000, 2500, 160]
    assert history == sorted(history)
    assert history_of(ratings[:200]) == [[number, 1500 + number, 160] for number in range(200)]


async def test_more_games_than_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "MAX_PAGE", 4)
    games = [finished({"ann": 1, "bea": 2}, table=f"t{number}", ended=ENDED + number) for number in range(10)]
    world = await world_of(*games)
    [result] = (await world.profile(BEA, "ann"))["results"]
    assert result["played"] == 10


async def test_a_game_that_ends_is_counted_at_once() -> None:
    world = await world_of(finished({"ann": 1, "bea": 2}, table="t1"))
    await world.profile(BEA, "ann")
    await fill(world.store.games, [finished({"ann": 1, "bea": 2}, table="t2", ended=ENDED + 1)])
    [result] = (await world.profile(BEA, "ann"))["results"]
    assert result["played"] == 2


async def test_the_games_of_a_hundred_people_are_kept() -> None:
    world = await world_of()
    for number in range(profiles._MAX_CACHED + 5):
        await register(world.key_values, f"person{number}")
        await world.profile(GUEST, f"person{number}")
    assert len(world.profiles._cache) == profiles._MAX_CACHED
    assert "person0" not in world.profiles._cache


async def test_the_games_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "_MAX_CACHED_GAMES", 9)
    games = [finished({"ann": 1, "bea": 2, "cai": 3}, table=f"t{n}", ended=ENDED + n) for n in range(4)]
    world = await world_of(*games, finished({"cai": 1, "dev": 2}, table="t4", ended=ENDED + 4))
    for name in ("ann", "bea", "cai"):
        await world.profile(GUEST, name)
    assert list(world.profiles._cache) == ["bea", "cai"]


async def test_a_person_with_more_games_than_are_kept_has_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "_MAX_CACHED_GAMES", 3)
    games = [finished({"ann": 1, "bea": 2}, table=f"t{number}", ended=ENDED + number) for number in range(4)]
    world = await world_of(*games)
    [result] = (await world.profile(GUEST, "ann"))["results"]
    assert result["played"] == 4


# -- who may see it -------------------------------------------------------------------------------------------


async def refusal(world: World, user: User, handle: str) -> str | None:
    return code_of(await world.ask(user, handle))


async def test_nobody_else_sees_a_profile_for_nobody_and_friends_are_those_whom_the_owner_follows() -> None:
    world = await world_of(finished({"ann": 1, "bea": 2}))
    await register(world.key_values, "ann", privacy="nobody")
    await register(world.key_values, "dev", privacy="friends")
    await world.people.relations.follow("bea", "dev")
    await world.people.relations.follow("dev", "cai")
    for viewer in (BEA, GUEST):
        assert await refusal(world, viewer, "ann") == "no_such_person"
        assert await refusal(world, viewer, "dev") == "no_such_person", "who follows is no friend yet"
    await world.profile(ANN, "ann")
    await world.profile(CAI, "dev")


async def test_hidden_blocked_unknown_and_deleted_people_and_guests_are_refused_alike() -> None:
    world = await world_of(finished({"ann": 1, "bea": 2}))
    await register(world.key_values, "ann", privacy="nobody")
    await world.people.relations.block("cai", "bea")
    await delete(world.key_values, world.people, "dev")
    replies = [await world.ask(BEA, handle) for handle in ("ann", "cai", "dev", "nobody_here", "guest", "", "ä/.")]
    assert [code_of(reply) for reply in replies] == ["no_such_person"] * 7
    assert len({str(reply) for reply in replies}) == 1
    await world.profile(GUEST, "cai")


async def test_a_private_game_is_counted_for_those_who_sat_there_only() -> None:
    public = finished({"ann": 1, "cai": 2, "bea": 3}, table="t1")
    private = finished({"ann": 1, "bea": 2}, table="t2", ended=ENDED + 5, private=True)
    world = await world_of(public, private)
    for viewer, tables in ((ANN, ["t2", "t1"]), (BEA, ["t2", "t1"]), (CAI, ["t1"]), (GUEST, ["t1"])):
        profile = await world.profile(viewer, "ann")
        assert [row["table"] for row in profile["recent"]] == tables
        assert sum(each["played"] for each in profile["results"]) == len(tables)
        companions = {each["id"]: each["games"] for each in profile["companions"]}
        assert companions == {"bea": len(tables), "cai": 1}
        [rating] = profile["ratings"]
        assert [point[0] for point in rating["history"]] == [ENDED, ENDED + 5][: len(tables)]


async def test_companions_are_ten_people_whose_profiles_the_user_may_see() -> None:
    others = [f"other{number:02}" for number in range(15)]
    games = [
        finished({"ann": 1, name: 2}, table=f"t{number:02}{time}", rated=False)
        for number, name in enumerate(others)
        for time in range(20 - number)
    ]
    world = await world_of(*games)
    for name in others[3:]:
        await register(world.key_values, name)
    await register(world.key_values, others[0], privacy="nobody")
    await register(world.key_values, others[1])
    await register(world.key_values, others[2])
    await delete(world.key_values, world.people, others[1])
    await world.people.relations.block(others[2], "bea")
    shown = [each["id"] for each in (await world.profile(BEA, "ann"))["companions"]]
    assert shown == others[3:13]
    assert len(shown) == MAX_COMPANIONS


@pytest.mark.parametrize("damaged", [b"\xc1", b"\x80", b"\x81\xa5seats\x90", b""])
async def test_a_record_that_cannot_be_read_is_left_out(damaged: bytes) -> None:
    world = await world_of(finished({"ann": 1, "bea": 2}, table="t1"))
    bad = replace(indexed_game(finished({"ann": 1, "bea": 2}, table="t2", ended=ENDED + 1)), record=damaged)
    assert await world.store.games.commit(await world.store.games.version(), IndexChange(games=[bad]))
    profile = await world.profile(BEA, "ann")
    assert [row["table"] for row in profile["recent"]] == ["t1"]
    assert sum(each["played"] for each in profile["results"]) == 1
    assert [game["table"] async for game in games_of_user(world.store.games, "ann")] == ["t1"]


async def test_a_game_of_a_kind_that_is_gone_does_no_harm() -> None:
    world = await world_of(replace(finished({"ann": 1, "bea": 2}), game="checkers", rated=False))
    profile = await world.profile(BEA, "ann")
    assert [each["game"] for each in profile["results"]] == ["checkers"]
    assert profile["ratings"] == []
