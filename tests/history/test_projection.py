"""Every finished game is in the index once, and ratings are the fold over games in order, whatever happens when."""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.history.game_reader import indexed_game, key_of
from server.history.indexer import GameIndexer
from server.history.projection import RATED_AT_ONCE, IndexBusy, Indexed, Projection
from server.history.rebuilding import first_wrong_rating, rebuild
from server.store.api import StorageFailed, TableStore
from server.store.games_api import GameIndex, GameKey, IndexChange, Rating
from server.store.memory import MemoryStore
from tests.history.indexes import contents, expected
from tests.history.logs import BEGIN, SECOND, Log, rated_log
from tests.store.backends import BACKENDS

PEOPLE = ("ann", "bea", "cai", "dev")
GAMES = ("planners", "builders")
EXAMPLES = int(os.environ.get("INDEX_ORDERS", "20"))
"""Examples of each of the two properties."""


class Killed(BaseException):
    """The process was killed at a commit."""


class FaultyIndex:
    """An index at which other tasks run before each call, and at which the process dies at some commits.

    `kills` say for some commits, by number, whether the process dies after it rather than before.
    """

    def __init__(self, index: GameIndex, kills: dict[int, bool]) -> None:
        self._index = index
        self._kills = kills
        self._commits = 0

    async def commit(self, version: int, change: IndexChange) -> bool:
        self._commits += 1
        is_after = self._kills.get(self._commits)
        await asyncio.sleep(0)
        if is_after is False:
            raise Killed
        is_done = await self._index.commit(version, change)
        if is_after:
            raise Killed
        return is_done

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._index, name)

        async def called(*args: Any) -> Any:
            await asyncio.sleep(0)
            return await method(*args)

        return called


class FaultyStore(MemoryStore):
    """A store with a faulty index."""

    def __init__(self, kills: dict[int, bool] | None = None) -> None:
        super().__init__()
        self._faulty = FaultyIndex(self._games, kills or {})

    @property
    def games(self) -> GameIndex:
        return self._faulty


async def swept(store: TableStore) -> None:
    """Index everything that is missing, as a server does after its start."""
    indexer = GameIndexer(store, Projection(store))
    await indexer._sweep()


@st.composite
def some_logs(draw: st.DrawFn) -> list[Log]:
    """Return the logs of some games, rated or not, several of which end at the same time."""
    count = draw(st.integers(1, 9))
    logs = []
    for number in range(count):
        ended = BEGIN + draw(st.integers(0, 4)) * SECOND
        people = draw(st.permutations(PEOPLE))[: draw(st.integers(2, 3))]
        # The order of names differs from the order of games.
        table = f"{draw(st.integers(10, 99))}t{number:03}"
        if draw(st.booleans()) or draw(st.booleans()):
            logs.append(rated_log(table, people, ended, draw(st.sampled_from(GAMES)), draw(st.integers(0, 1))))
        else:
            logs.append(Log(table, "planners", people, ended - 2 * SECOND).start().abandon())
    return logs


@settings(max_examples=EXAMPLES, deadline=None)
@given(logs=some_logs(), shuffle=st.randoms(use_true_random=False))
def test_the_order_in_which_games_come_does_not_matter(logs: list[Log], shuffle: random.Random) -> None:
    async def run() -> None:
        store = MemoryStore()
        order = logs.copy()
        shuffle.shuffle(order)
        for log in order:
            await log.store_in(store)
        projection = Projection(store)
        for log in order:
            assert await projection.index_game(log.table) is Indexed.ADDED
        before = await contents(store.games)
        assert before == expected(logs)
        version = await store.games.version()
        assert [await projection.index_game(log.table) for log in logs] == [Indexed.SAME] * len(logs)
        assert await store.games.version() == version
        rebuilt = await rebuild(store, projection, lambda done, total: None)
        assert rebuilt.is_same
        assert rebuilt.games == len(logs)
        other = MemoryStore()
        for log in logs:
            await log.store_in(other)
        rebuilt = await rebuild(other, Projection(other), lambda done, total: None)
        assert rebuilt.added == len(logs)
        assert await contents(other.games) == before

    asyncio.run(run())


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    logs=some_logs(),
    kills=st.dictionaries(st.integers(1, 12), st.booleans(), max_size=6),
    workers=st.integers(1, 4),
    shuffle=st.randoms(use_true_random=False),
)
def test_each_game_is_indexed_once_however_workers_compete_and_die(
    logs: list[Log], kills: dict[int, bool], workers: int, shuffle: random.Random
) -> None:
    async def run() -> None:
        store = FaultyStore(kills)
        for log in logs:
            await log.store_in(store)

        async def worker() -> None:
            projection = Projection(store)
            for log in shuffle.sample(logs, len(logs)):
                try:
                    await projection.index_game(log.table)
                except Killed:
                    return

        await asyncio.gather(*(worker() for _ in range(workers)))
        while True:
            try:
                await swept(store)
                break
            except Killed:
                pass
        assert await contents(store.games) == expected(logs)
        assert await store.games.unindexed(10) == []

    asyncio.run(run())


@pytest.mark.parametrize("backend", ["sqlite", "redis"])
async def test_every_store_builds_the_same_index(backend: str) -> None:
    made = BACKENDS[backend]()
    await made.start()
    rng = random.Random(3)
    logs = [
        rated_log(f"t{number:04}", rng.sample(PEOPLE, 3), BEGIN + rng.randrange(6) * SECOND, rng.choice(GAMES))
        for number in range(14)
    ]
    try:
        for log in logs:
            await log.store_in(made.store)
        projections = [Projection(made.store) for _ in range(3)]
        await asyncio.gather(
            *(projection.index_game(log.table) for projection in projections for log in rng.sample(logs, len(logs)))
        )
        assert await contents(made.store.games) == expected(logs)
    finally:
        await made.stop()


async def test_more_late_games_than_one_commit_rates() -> None:
    store = MemoryStore()
    projection = Projection(store)
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(RATED_AT_ONCE + 30)]
    for log in logs[1:]:
        await log.store_in(store)
        await projection.index_game(log.table)
    await logs[0].store_in(store)
    await projection.index_game(logs[0].table)
    assert await contents(store.games) == expected(logs)


async def test_a_game_that_ended_again_much_later_is_rated_after_all_games_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.history.projection.RATED_AT_ONCE", 3)
    store = MemoryStore()
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND, leaver=n % 2) for n in range(8)]
    for log in logs:
        await log.store_in(store)
        await Projection(store).index_game(log.table)
    # The storage lost the end of the first game, and nobody noticed before it ended again.
    logs[0] = rated_log("t0000", ("ann", "bea"), BEGIN + 6500)
    del store._tables["t0000"]
    await logs[0].store_in(store)
    assert await Projection(store).index_game("t0000") is Indexed.CHANGED
    assert await contents(store.games) == expected(logs)


class CountingIndex(FaultyIndex):
    """An index that notes how many ratings each commit has removed."""

    def __init__(self, index: GameIndex) -> None:
        super().__init__(index, {})
        self.removed: list[int] = []

    async def commit(self, version: int, change: IndexChange) -> bool:
        before = {game: await self._index.ratings_since(game, key) for game, key in change.unrated_from.items()}
        is_done = await super().commit(version, change)
        self.removed.append(sum(map(len, before.values())) if is_done else 0)
        return is_done


async def test_a_very_late_game_removes_ratings_in_short_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.history.projection.UNRATED_AT_ONCE", 10)
    store = FaultyStore()
    counting = store._faulty = CountingIndex(store._games)
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(40)]
    for log in logs[1:]:
        await log.store_in(store)
        await Projection(store).index_game(log.table)
    await logs[0].store_in(store)
    await Projection(store).index_game("t0000")
    assert await contents(store.games) == expected(logs)
    assert sum(counting.removed) == 2 * 39
    assert max(counting.removed) <= 11
    # What is in the index already removes nothing.
    counting.removed.clear()
    assert await Projection(store).index_game("t0001") is Indexed.SAME
    assert counting.removed == []


async def test_the_progress_counts_everything_that_is_left(caplog: pytest.LogCaptureFixture, monkeypatch: Any) -> None:
    monkeypatch.setattr("server.history.indexer.PROGRESS_SECONDS", 0)
    caplog.set_level(logging.INFO)
    store, tables = MemoryStore(), [f"t{number:05}" for number in range(6_000)]
    for table in tables:
        await store.create(table, "over", b"", [b"entry"])

    async def skip(self: Projection, table: str) -> Indexed:
        await store.games.commit(await store.games.version(), IndexChange(skipped=[table]))
        return Indexed.NOTHING

    monkeypatch.setattr(Projection, "index_game", skip)
    await swept(store)
    progress = [line.__dict__ for line in caplog.records if line.message == "indexing finished games"]
    assert [line["done"] + line["left"] for line in progress] == [len(tables)] * len(tables)


@pytest.mark.parametrize("left, is_swept", [(5, True), (6, False)])
async def test_many_games_are_left_to_the_responsible_worker(left: int, is_swept: bool, monkeypatch: Any) -> None:
    monkeypatch.setattr("server.history.indexer.MAX_LEFT_BEHIND", 5)
    store = MemoryStore()
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(left)]
    for log in logs:
        await log.store_in(store)
    await GameIndexer(store, Projection(store), lambda: False)._sweep()
    assert await contents(store.games) == (expected(logs) if is_swept else ([], []))
    await GameIndexer(store, Projection(store), lambda: True)._sweep()
    assert await contents(store.games) == expected(logs)


async def test_a_rating_that_was_interrupted_is_completed_by_a_sweep() -> None:
    store = MemoryStore()
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(4)]
    for log in logs:
        await log.store_in(store)
        await Projection(store).index_game(log.table)
    await store.games.commit(4, IndexChange(unrated_from={"planners": key_of(logs[1].record())}))
    assert await first_wrong_rating(store.games, "planners") is None
    await swept(store)
    assert await contents(store.games) == expected(logs)


async def test_what_cannot_be_read_is_skipped_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    bad = Log("bad00000", "planners", ("ann", "bea")).start().play(decisions=3).abandon()
    bad.entries[2] = b"\xc1"
    good = rated_log("good0000", ("ann", "bea"), BEGIN)
    for log in (bad, good):
        await log.store_in(store)
    await swept(store)
    assert [line.__dict__["table"] for line in caplog.records if line.message == "game not indexed"] == ["bad00000"]
    assert await contents(store.games) == expected([good])
    assert await store.games.unindexed(10) == []


async def test_an_exception_concerns_one_game(caplog: pytest.LogCaptureFixture, monkeypatch: Any) -> None:
    store = MemoryStore()
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(3)]
    for log in logs:
        await log.store_in(store)
    original = Projection.index_game

    async def failing(self: Projection, table: str) -> Indexed:
        if table == "t0001":
            raise ZeroDivisionError
        return await original(self, table)

    monkeypatch.setattr(Projection, "index_game", failing)
    indexer = GameIndexer(store, Projection(store))
    await indexer._sweep()
    await indexer._sweep()
    assert await contents(store.games) == expected([logs[0], logs[2]])
    # Not again by each sweep.
    assert [line.levelno for line in caplog.records if line.message == "game not indexed"] == [logging.ERROR]


async def test_a_closed_table_without_a_game_is_not_looked_at_again() -> None:
    store = MemoryStore()
    await Log("closed00", "planners", ("ann", "bea")).abandon().store_in(store)
    await swept(store)
    assert await store.games.unindexed(10) == []
    assert await contents(store.games) == ([], [])


async def test_a_game_whose_end_was_rolled_back_is_removed_and_added_when_it_ends_again() -> None:
    store = MemoryStore()
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(3)]
    for log in logs:
        await log.store_in(store)
        await Projection(store).index_game(log.table)
    del store._tables["t0001"]
    await logs[1].store_but_last(store)
    indexer = GameIndexer(store, Projection(store))
    await indexer._check_latest()
    assert await contents(store.games) == expected([logs[0], logs[2]])
    await logs[1].store_last(store)
    await swept(store)
    assert await contents(store.games) == expected(logs)


async def test_a_game_whose_log_was_damaged_later_is_removed_by_a_rebuild_and_not_tried_again() -> None:
    store = MemoryStore()
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(2)]
    for log in logs:
        await log.store_in(store)
    await swept(store)
    del store._tables["t0001"]
    logs[1].entries[1] = b"\xc1"
    await logs[1].store_in(store)
    rebuilt = await rebuild(store, Projection(store), lambda done, total: None)
    assert (rebuilt.unreadable, rebuilt.games) == (["t0001"], 1)
    assert await contents(store.games) == expected(logs[:1])
    assert await store.games.unindexed(10) == []


async def test_a_rebuild_computes_wrong_ratings_again() -> None:
    store = MemoryStore()
    logs = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(4)]
    for log in logs:
        await log.store_in(store)
    await swept(store)
    wrong = Rating("ann", "planners", key_of(logs[1].record()), b"\x94\x01\x01\x01\x01")
    assert await store.games.commit(await store.games.version(), IndexChange(ratings=[wrong]))
    rebuilt = await rebuild(store, Projection(store), lambda done, total: None)
    assert rebuilt.rerated == ["planners"]
    assert await contents(store.games) == expected(logs)


async def test_a_rebuild_repairs_whatever_is_wrong() -> None:
    store = MemoryStore()
    logs = [rated_log(f"t{n:04}", ("ann", "bea", "cai"), BEGIN + n * SECOND) for n in range(6)]
    for log in logs:
        await log.store_in(store)
    projection = Projection(store)
    await swept(store)
    wrong = indexed_game(rated_log("t0002", ("cai", "dev"), BEGIN).record())
    unknown = indexed_game(rated_log("t9999", ("cai", "dev"), BEGIN + 9 * SECOND).record())
    invented = Rating("dev", "planners", GameKey(BEGIN + SECOND, "t0001"), b"\x94\x01\x01\x01\x01")
    change = IndexChange(games=[wrong, unknown], ratings=[invented])
    assert await store.games.commit(await store.games.version(), change)
    assert await first_wrong_rating(store.games, "planners") is not None
    rebuilt = await rebuild(store, projection, lambda done, total: None)
    assert (rebuilt.changed, rebuilt.removed, rebuilt.added) == (1, 1, 0)
    assert await contents(store.games) == expected(logs)
    assert (await rebuild(store, projection, lambda done, total: None)).is_same


async def test_a_game_is_tried_again_after_the_storage_has_failed(monkeypatch: Any) -> None:
    store = MemoryStore()
    log = rated_log("t0001", ("ann", "bea"), BEGIN)
    await log.store_in(store)
    original, failures = Projection.index_game, [StorageFailed("away"), IndexBusy("t0001")]

    async def failing(self: Projection, table: str) -> Indexed:
        if failures:
            raise failures.pop()
        return await original(self, table)

    monkeypatch.setattr(Projection, "index_game", failing)
    indexer = GameIndexer(store, Projection(store))
    indexer.report("t0001")
    for _ in range(3):
        assert await contents(store.games) == ([], [])
        await indexer._index_reported()
        await indexer._rest(0)
    assert await contents(store.games) == expected([log])
    assert not indexer._postponed


async def test_reports_beyond_the_bound_are_left_to_the_sweep(monkeypatch: Any) -> None:
    monkeypatch.setattr("server.history.indexer.MAX_REPORTED", 2)
    store = MemoryStore()
    logs: Sequence[Log] = [rated_log(f"t{n:04}", ("ann", "bea"), BEGIN + n * SECOND) for n in range(4)]
    for log in logs:
        await log.store_in(store)
    indexer = GameIndexer(store, Projection(store))
    for log in logs:
        indexer.report(log.table)
    await indexer._index_reported()
    assert await contents(store.games) == expected(logs[:2])
    await indexer._sweep()
    assert await contents(store.games) == expected(logs)
