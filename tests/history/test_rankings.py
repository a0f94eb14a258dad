"""Rankings: at least ten games, played within ninety days, by people who show their profiles; the own row always."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from protocol.messages import GetRankings
from server.history import rankings
from server.history.rankings import FRESH_SECONDS, MAX_AGE_SECONDS, Rankings
from server.history.ratings import PersonRating, rate
from server.history.record import GameRecord
from server.model import User
from server.people.directory import PeopleDirectory
from server.store.games_api import GameIndex, GameKey, IndexChange, Rating
from server.store.memory import MemoryStore
from tests.history.rated_games import DAY, ENDED, PEOPLE, delete, fill, finished, register, season
from tests.replies import code_of, result_of
from tests.store.backends import Backend

GUEST = User("guest", "Guest")


def account(name: str) -> User:
    return User(name, name.capitalize(), handle=name)


@dataclass
class Clocks:
    now: float = 100.0

    def wall(self) -> float:
        return ENDED / 1000 + self.now - 100

    def monotonic(self) -> float:
        return self.now


@dataclass
class World:
    """Rankings over an index."""

    index: GameIndex
    store: Any
    clocks: Clocks = field(default_factory=Clocks)

    def __post_init__(self) -> None:
        self.people = PeopleDirectory(self.store.key_values)
        self.rankings = Rankings(self.index, self.people, self.clocks.wall, self.clocks.monotonic)

    async def ask(self, user: User = GUEST, game: str = "planners", **fields: Any) -> dict[str, Any]:
        request = GetRankings.model_validate({"type": "get_rankings", "id": "r1", "game": game, **fields})
        return dict(result_of(await self.rankings.answer(user, request)))

    async def rated(self, user: str, mu: float, games: int = 10, days_ago: float = 1, change: int = 0) -> None:
        """Give a user with an account a rating."""
        await register(self.store.key_values, user)
        key = GameKey(round(ENDED - days_ago * DAY), f"t{user}")
        value = PersonRating(mu, 2.0, games, change).pack()
        change_ = IndexChange(ratings=[Rating(user, "planners", key, value)])
        assert await self.index.commit(await self.index.version(), change_)


@pytest.fixture
def world() -> World:
    clocks = Clocks()
    store = MemoryStore(clocks.monotonic, clocks.wall)
    return World(store.games, store, clocks)


def names(reply: dict[str, Any]) -> list[tuple[int, str]]:
    return [(row["rank"], row["user"]) for row in reply["rows"]]


# -- over every store -----------------------------------------------------------------------------------------


def expected(records: list[GameRecord], last: dict[tuple[str, str], PersonRating], game: str) -> list[tuple[int, str]]:
    """Return the ranking of all time, straight from the records."""
    rated = [each for each in records if each.rated and each.game == game]
    ended = {user: max(each.ended for each in rated if user in people_of(each)) for kind, user in last if kind == game}
    shown = {
        user: last[game, user]
        for user in ended
        if last[game, user].games >= 10 and ended[user] >= ENDED - 90 * DAY and user != "hal"
    }
    order = sorted(shown, key=lambda user: (-shown[user].rating, shown[user].sigma, user))
    return [(1 + sum(other.rating > shown[user].rating for other in shown.values()), user) for user in order]


def people_of(record: GameRecord) -> set[str | None]:
    return {seat.user for seat in record.seats}


async def test_rankings_of_a_season_are_the_same_in_every_store(backend: Backend) -> None:
    store = backend.store
    for name in PEOPLE:
        await register(store.key_values, name, privacy="friends" if name == "hal" else "public")
    records = season(400)
    last = await fill(store.games, records)
    world, other_worker = World(store.games, store), World(store.games, store)
    for game in ("investors", "planners", "builders"):
        reply = await world.ask(account("ann"), game)
        assert names(reply) == expected(records, last, game)
        assert len(reply["rows"]) > 3
        assert reply == await other_worker.ask(account("ann"), game)
        weekly = await world.ask(account("ann"), game, period="week")
        since = {user: points(records, user, game) for user in PEOPLE}
        assert {row["user"]: row["change"] for row in weekly["rows"]} == {
            user: since[user] for _, user in names(reply) if since[user] is not None
        }
        changes = [row["change"] for row in weekly["rows"]]
        assert changes == sorted(changes, reverse=True)


def points(records: list[GameRecord], user: str, game: str) -> int | None:
    """Return the points that a user has won in the last seven days; None without a game."""
    ratings: dict[str, PersonRating] = {}
    changes = []
    for each in records:
        if each.game == game:
            after = rate(each, ratings)
            ratings |= after
            if user in after and each.ended >= ENDED - 7 * DAY:
                changes.append(after[user].change)
    return sum(changes) if changes else None


# -- who is ranked --------------------------------------------------------------------------------------------


async def test_it_takes_ten_games_and_the_last_one_within_ninety_days(world: World) -> None:
    await world.rated("ann", 30.0, games=9)
    await world.rated("bea", 29.0, games=10)
    await world.rated("cai", 28.0, days_ago=91)
    await world.rated("dev", 27.0, days_ago=89)
    assert names(await world.ask()) == [(1, "bea"), (2, "dev")]
    for user, reason in (("ann", "games"), ("cai", "inactive"), ("bea", None)):
        own = (await world.ask(account(user)))["own"]
        assert (own["user"], own["reason"], own["rank"] is None) == (user, reason, reason is not None)
        assert own["rating"] is not None


async def test_people_with_equal_ratings_share_a_rank(world: World) -> None:
    for user, mu in (("ann", 30.0), ("bea", 29.0), ("cai", 29.0), ("dev", 28.0)):
        await world.rated(user, mu)
    assert names(await world.ask()) == [(1, "ann"), (2, "bea"), (2, "cai"), (4, "dev")]


async def test_the_week_ranks_the_points_won_in_seven_days(world: World) -> None:
    await world.rated("ann", 35.0, days_ago=1, change=-20)
    await world.rated("bea", 26.0, days_ago=6.9, change=40)
    await world.rated("cai", 30.0, days_ago=7.1, change=90)
    reply = await world.ask(account("cai"), period="week")
    assert [(row["user"], row["change"]) for row in reply["rows"]] == [("bea", 40), ("ann", -20)]
    assert (reply["own"]["rank"], reply["own"]["reason"]) == (None, "week")
    assert names(await world.ask()) == [(1, "ann"), (2, "cai"), (3, "bea")]


async def test_the_week_may_have_more_ratings_than_one_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "_RATINGS_PER_READ", 5)
    for user in PEOPLE:
        await register(world.store.key_values, user)
    records = [
        finished({user: place for place, user in enumerate(PEOPLE[:4], start=1)}, table=f"t{number}", ended=ENDED - DAY)
        for number in range(12)
    ]
    last = await fill(world.index, records)
    reply = await world.ask(period="week")
    assert {row["user"]: row["change"] for row in reply["rows"]} == {
        user: rating.rating - 1500 for (_, user), rating in last.items()
    }


# -- the own row ----------------------------------------------------------------------------------------------


async def test_a_guest_and_somebody_without_rated_games_have_a_row_without_a_rank(world: World) -> None:
    await register(world.store.key_values, "ann")
    await world.rated("bea", 30.0)
    assert (await world.ask(GUEST))["own"]["reason"] == "account"
    own = (await world.ask(account("ann")))["own"]
    assert own == {
        "rank": None,
        "user": "ann",
        "name": "Ann",
        "handle": "ann",
        "rating": None,
        "uncertainty": None,
        "provisional": True,
        "change": 0,
        "games": 0,
        "last": None,
        "reason": "games",
    }


async def test_the_own_row_is_there_on_every_page(world: World) -> None:
    for number, user in enumerate(PEOPLE):
        await world.rated(user, 40.0 - number)
    first = await world.ask(account("hal"), limit=3)
    assert (first["total"], first["next"], first["own"]["rank"]) == (8, 3, 8)
    second = await world.ask(account("hal"), limit=3, after=3)
    assert names(second) == [(4, "dev"), (5, "eve"), (6, "fay")]
    last = await world.ask(account("hal"), limit=3, after=6)
    assert (names(last), last["next"]) == ([(7, "gil"), (8, "hal")], None)
    beyond = await world.ask(account("hal"), after=1_000_000)
    assert (beyond["rows"], beyond["next"], beyond["own"]["rank"]) == ([], None, 8)
    row = first["rows"][0]
    assert (row["rating"], row["uncertainty"], row["games"], row["last"]) == (2100, 160, 10, (ENDED - DAY) // DAY * DAY)


# -- privacy --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("privacy", ["friends", "nobody"])
async def test_who_hides_the_profile_is_not_ranked_and_sees_the_own_row(world: World, privacy: str) -> None:
    await world.rated("ann", 30.0)
    await world.rated("bea", 29.0)
    await register(world.store.key_values, "ann", privacy=privacy)
    reply = await world.ask(account("bea"))
    assert (names(reply), reply["total"]) == ([(1, "bea")], 1)
    own = (await world.ask(account("ann")))["own"]
    assert (own["rank"], own["reason"], own["rating"]) == (None, "privacy", 1700)


async def test_who_hides_the_profile_now_is_not_shown_any_more(world: World) -> None:
    await world.rated("ann", 30.0)
    await world.rated("bea", 29.0)
    assert len((await world.ask())["rows"]) == 2
    await register(world.store.key_values, "ann", privacy="nobody")
    world.people.forget("ann")
    assert names(await world.ask()) == [(2, "bea")]
    world.clocks.now += MAX_AGE_SECONDS
    assert names(await world.ask()) == [(1, "bea")]


async def test_a_deleted_person_is_not_ranked(world: World) -> None:
    await world.rated("ann", 30.0)
    await world.rated("bea", 29.0)
    await delete(world.store.key_values, world.people, "ann")
    assert names(await world.ask()) == [(1, "bea")]


async def test_there_is_no_ranking_of_an_unknown_game(world: World) -> None:
    request = GetRankings(type="get_rankings", id="r1", game="checkers")
    assert code_of(await world.rankings.answer(GUEST, request)) == "no_such_game"


# -- what is kept ---------------------------------------------------------------------------------------------


async def test_a_ranking_is_kept_for_a_moment_and_as_long_as_the_index_stays_the_same(world: World) -> None:
    await world.rated("ann", 30.0)
    await world.ask()
    await world.rated("bea", 31.0)
    assert names(await world.ask()) == [(1, "ann")], "kept"
    world.clocks.now += FRESH_SECONDS
    assert names(await world.ask()) == [(1, "bea"), (2, "ann")]
    kept = world.rankings._kept["planners"].ranking
    world.clocks.now += FRESH_SECONDS
    await world.ask()
    assert world.rankings._kept["planners"].ranking is kept, "the index has not changed"
    world.clocks.now += MAX_AGE_SECONDS
    await world.ask()
    assert world.rankings._kept["planners"].ranking is not kept


async def test_public_ratings_are_those_of_people_who_all_show_their_profile(world: World) -> None:
    await world.rated("ann", 30.0)
    await world.rated("bea", 20.0, games=9)
    await register(world.store.key_values, "cai")
    assert await world.rankings.public_ratings("planners", ["ann", "bea", "cai", "guest"]) == [1700]
    await register(world.store.key_values, "cai", privacy="nobody")
    world.people.forget("cai")
    assert await world.rankings.public_ratings("planners", ["ann", "bea", "cai"]) is None
