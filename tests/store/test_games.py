"""The index of finished games: every store answers as the index in memory does, whatever was committed."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from server.store import redis_games, sqlite_games
from server.store.api import Claimed, NewEntry, Position, TableStore
from server.store.games_api import FIRST, GameIndex, GameKey, GameQuery, IndexChange, IndexedGame, Rating
from server.store.sqlite import SqliteStore
from tests.store.backends import BACKENDS, Backend

GAMES = ("investors", "planners")
PEOPLE = ("ann", "bea", "cai", "dev")
WORDS = ("harbour", "hill", "hillside", "señora", "ünal", "市場")


@pytest.fixture(params=BACKENDS)
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    made = BACKENDS[request.param]()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
def index(backend: Backend) -> GameIndex:
    return backend.store.games


def a_game(number: int, rng: random.Random | None = None, **fields: object) -> IndexedGame:
    rng = rng or random.Random(number)
    given = {
        # Several games end in the same millisecond.
        "key": GameKey(1_000 + number // 3, f"t{number:05}"),
        "game": rng.choice(GAMES),
        "seats": rng.choice((2, 3)),
        "people": tuple(rng.sample(PEOPLE, rng.randint(1, 3))),
        "is_public": rng.random() < 0.7,
        "is_rated": rng.random() < 0.5,
        "words": tuple(rng.sample(WORDS, rng.randint(0, 3))),
        "record": f"record {number}".encode(),
    }
    return IndexedGame(**{**given, **fields})  # type: ignore[arg-type]


async def add(index: GameIndex, *games: IndexedGame) -> None:
    assert await index.commit(await index.version(), IndexChange(games=games))


async def names(index: GameIndex, query: GameQuery | None = None) -> list[bytes]:
    return (await index.page(query or GameQuery())).games


async def test_an_index_is_empty_at_first(index: GameIndex) -> None:
    assert await index.version() == 0
    assert await index.page(GameQuery()) == ([], None)
    assert await index.record("t00001") is None
    assert await index.last_rated("investors") == FIRST
    assert await index.standings("investors") == []


async def test_a_commit_needs_the_current_version(index: GameIndex) -> None:
    assert await index.commit(0, IndexChange(games=[a_game(1)]))
    assert not await index.commit(0, IndexChange(games=[a_game(2)]))
    assert await index.version() == 1
    assert await names(index) == [b"record 1"]


async def test_a_game_that_is_added_again_replaces_itself(index: GameIndex) -> None:
    await add(index, a_game(1, people=("ann",), words=("hill",), game="investors", is_rated=True))
    await add(index, a_game(1, people=("bea",), words=("harbour",), game="planners", is_rated=False, record=b"new"))
    assert await index.record("t00001") == b"new"
    assert await names(index) == [b"new"]
    assert await names(index, GameQuery(people=("ann",))) == []
    assert await names(index, GameQuery(people=("bea",))) == [b"new"]
    assert await names(index, GameQuery(word_beginnings=("hi",))) == []
    assert await index.rated_games("investors", FIRST, 10) == []


async def test_a_removed_game_is_found_nowhere(index: GameIndex) -> None:
    await add(
        index, a_game(1, people=("ann",), words=("hill",), game="planners", is_rated=True), a_game(2, is_rated=False)
    )
    assert await index.commit(1, IndexChange(removed=["t00001", "t00009"]))
    assert await index.record("t00001") is None
    assert await names(index) == [b"record 2"]
    assert await names(index, GameQuery(people=("ann",), word_beginnings=("hill",), game="planners")) == []
    assert await index.rated_games("planners", FIRST, 10) == []


async def test_private_games_are_visible_to_those_who_played_them(index: GameIndex) -> None:
    await add(index, a_game(1, people=("ann", "bea"), is_public=False), a_game(2, people=("bea",), is_public=True))
    assert await names(index, GameQuery(visible_to="ann")) == [b"record 2", b"record 1"]
    assert await names(index, GameQuery(visible_to="cai")) == [b"record 2"]
    assert await names(index, GameQuery(people=("bea",), visible_to="cai")) == [b"record 2"]


async def test_words_are_found_by_their_beginning(index: GameIndex) -> None:
    await add(index, a_game(1, words=("hillside", "señora")), a_game(2, words=("hill", "市場")))
    assert await names(index, GameQuery(word_beginnings=("hill",))) == [b"record 2", b"record 1"]
    assert await names(index, GameQuery(word_beginnings=("hills", "señ"))) == [b"record 1"]
    assert await names(index, GameQuery(word_beginnings=("市",))) == [b"record 2"]
    assert await names(index, GameQuery(word_beginnings=("side",))) == []


async def test_a_beginning_finds_the_games_of_all_words_with_it(index: GameIndex) -> None:
    games = [a_game(number, words=(f"name{number:03}", "pelican")) for number in range(150)]
    await add(index, *games)
    whole = (await index.page(GameQuery(word_beginnings=("name",)), limit=200)).games
    assert whole == [game.record for game in reversed(games)]
    assert await names(index, GameQuery(word_beginnings=("name14", "pel"))) == whole[:10]


async def test_pages_follow_each_other_without_gap(index: GameIndex) -> None:
    games = [a_game(number) for number in range(60)]
    await add(index, *games)
    for query in (GameQuery(), GameQuery(people=("ann",)), GameQuery(game="investors", visible_to="bea")):
        whole = (await index.page(query, limit=200)).games
        read, after = list[bytes](), None
        while True:
            records, after = await index.page(query, after, limit=7)
            read += records
            if after is None:
                break
        assert read == whole
        assert len(set(read)) == len(read)


async def test_ratings_are_read_by_user_and_by_time(index: GameIndex) -> None:
    def rating(user: str, number: int) -> Rating:
        return Rating(user, "investors", a_game(number).key, f"{user} {number}".encode())

    ratings = [rating("ann", 1), rating("bea", 1), rating("ann", 2), rating("ann", 9)]
    assert await index.commit(0, IndexChange(ratings=ratings))
    assert await index.rating_history("ann", "investors") == [ratings[0], ratings[2], ratings[3]]
    assert await index.rating_history("ann", "investors", limit=2) == [ratings[2], ratings[3]]
    assert await index.rating_history("ann", "planners") == []
    before = await index.ratings_before("investors", ("ann", "bea", "cai"), a_game(9).key)
    assert before == {"ann": ratings[2], "bea": ratings[1]}
    assert await index.ratings_before("investors", ("ann",), a_game(1).key) == {}
    assert await index.rated_until("investors") == a_game(9).key
    assert await index.rated_until("planners") == FIRST
    far = [await index.nth_last_rating("investors", number) for number in (1, 2, 3, 4, 5)]
    assert far == [a_game(9).key, a_game(2).key, a_game(1).key, a_game(1).key, FIRST]
    assert await index.ratings_since("investors", a_game(2).key) == [ratings[2], ratings[3]]
    assert sorted(await index.standings("investors")) == [ratings[3], ratings[1]]
    assert await index.commit(1, IndexChange(unrated_from={"investors": a_game(2).key}, ratings=[rating("cai", 9)]))
    assert sorted(await index.standings("investors")) == [ratings[0], ratings[1], rating("cai", 9)]


async def test_standings_of_many_users_are_read_in_parts(index: GameIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sqlite_games, redis_games):
        monkeypatch.setattr(module, "_STANDINGS_AT_ONCE", 10)
    # More than Redis keeps in one piece.
    users = [f"u{number:03}" for number in range(600)]
    ratings = [Rating(user, "investors", a_game(number).key, b"") for number in (1, 2) for user in users]
    assert await index.commit(0, IndexChange(ratings=ratings))
    assert sorted(await index.standings("investors")) == ratings[len(users) :]


async def end(store: TableStore, table: str) -> None:
    claimed = await store.claim(table, "worker", 60)
    assert isinstance(claimed, Claimed)
    await store.append(table, claimed.fence, Position(claimed.seq, claimed.head), NewEntry(b"end", phase="over"))


async def test_finished_games_are_unindexed_until_they_are_added_or_skipped(backend: Backend) -> None:
    store, index = backend.store, backend.store.games
    for number in (3, 1, 2, 4):
        backend.clock.now += 1
        await store.create(f"t{number:05}", "running", b"", [b"begin"])
    for number in (2, 1, 3):
        backend.clock.now += 1
        await end(store, f"t{number:05}")
    assert await index.unindexed(10) == ["t00002", "t00001", "t00003"]
    assert await index.unindexed(1) == ["t00002"]
    await add(index, a_game(1))
    await index.commit(await index.version(), IndexChange(skipped=["t00002"]))
    assert await index.unindexed(10) == ["t00003"]
    await index.commit(await index.version(), IndexChange(removed=["t00001"]))
    assert await index.unindexed(10) == ["t00001", "t00003"]


async def test_a_game_that_was_skipped_and_added_later_is_unindexed_when_it_is_removed(backend: Backend) -> None:
    store, index = backend.store, backend.store.games
    await store.create("t00001", "over", b"", [b"begin"])
    for change in (IndexChange(skipped=["t00001"]), IndexChange(games=[a_game(1)])):
        assert await index.commit(await index.version(), change)
        assert await index.unindexed(10) == []
    assert await index.commit(await index.version(), IndexChange(removed=["t00001"]))
    assert await index.unindexed(10) == ["t00001"]


async def test_only_finished_games_are_unindexed(backend: Backend) -> None:
    store, index = backend.store, backend.store.games
    await store.create("t00001", "running", b"", [b"begin"])
    await add(index, a_game(1))
    # The log was rolled back.
    assert await index.commit(await index.version(), IndexChange(removed=["t00001"]))
    assert await index.unindexed(10) == []
    await end(store, "t00001")
    assert await index.unindexed(10) == ["t00001"]


@pytest.mark.parametrize("parts", ["whole", "short", "shortest"])
async def test_every_query_finds_what_the_index_in_memory_finds(
    backend: Backend, parts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a search is divided into many short parts."""
    if parts != "whole":
        monkeypatch.setattr(redis_games, "_LOOKUPS", 4)
        monkeypatch.setattr(sqlite_games, "_LOOKED_AT", 3)
        monkeypatch.setattr(sqlite_games, "_MAX_SORTED", 5)
        monkeypatch.setattr(sqlite_games, "_PARTS_BEFORE_WORDS", 1)
    if parts == "shortest":
        monkeypatch.setattr(sqlite_games, "_MAX_SORTED", 2)
        monkeypatch.setattr(sqlite_games, "_LOOKED_AT", 1)
        monkeypatch.setattr(sqlite_games, "_MAX_POSTINGS", 20)
    rng = random.Random(5)
    index, model = backend.store.games, BACKENDS["memory"]().store.games
    for version in range(6):
        change = IndexChange(games=[a_game(rng.randrange(40), rng) for _ in range(12)])
        assert await index.commit(version, change)
        assert await model.commit(version, change)
        for _ in range(12):
            query = GameQuery(
                people=tuple(rng.sample(PEOPLE, rng.randint(0, 2))),
                game=rng.choice((None, *GAMES)),
                seats=rng.choice((None, None, 2, 3)),
                is_rated=rng.choice((None, None, True, False)),
                word_beginnings=tuple(rng.sample(("h", "hill", "s", "市"), rng.randint(0, 2))),
                visible_to=rng.choice((None, *PEOPLE)),
            )
            after = rng.choice((None, a_game(rng.randrange(40)).key))
            assert await index.page(query, after, 5) == await model.page(query, after, 5), query
        for game in GAMES:
            begin = a_game(rng.randrange(40)).key
            assert await index.rated_games(game, begin, 5) == await model.rated_games(game, begin, 5)
            assert await index.last_rated(game) == await model.last_rated(game)


async def test_conditions_that_never_meet_are_not_looked_for_in_all_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_games, "_LOOKED_AT", 10)
    monkeypatch.setattr(sqlite_games, "_MAX_SORTED", 5)
    store = await SqliteStore.open(tmp_path / "tables.db")
    index = store.games
    rows = [a_game(number, words=(("fog", "mist", "sunday")[number % 3],), game="planners") for number in range(300)]
    await add(index, *rows, a_game(7, words=("fog", "sunday"), game="planners"))
    reads = 0
    read = index._commits.read  # type: ignore[attr-defined]

    async def counted(work: Callable[[sqlite3.Connection], object]) -> object:
        nonlocal reads
        reads += 1
        return await read(work)

    monkeypatch.setattr(index._commits, "read", counted)  # type: ignore[attr-defined]
    for query in (GameQuery(word_beginnings=("fog", "sun")), GameQuery(word_beginnings=("sun", "fo"), game="planners")):
        reads = 0
        assert await names(index, query) == [b"record 7"]
        assert reads < 20, "all 300 games take 30 reads, those of one word 10"
    # A game may have many words with the same beginning, which are not mistaken for all games with it.
    await add(index, *(a_game(400 + number, words=("fogbank", "fogey", "fogged", "foghorn")) for number in range(60)))
    await add(index, a_game(8, words=("fox", "sunday"), game="planners"))
    monkeypatch.setattr(sqlite_games, "_MAX_POSTINGS", 210)
    assert await names(index, GameQuery(word_beginnings=("fo", "sun"))) == [b"record 8", b"record 7"]
    for rated in (None, True):
        reads = 0
        assert await names(index, GameQuery(game="planners", seats=5, is_rated=rated)) == []
        assert reads < 5, "nobody has played Planners with five seats"
    await store.close()
