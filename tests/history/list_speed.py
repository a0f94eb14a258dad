"""Measure how long the first page of finished games takes: `python -m tests.history.list_speed [--games N]`.

The index is filled with invented games of real size, in a file and in a Redis. Each line is one kind of list, with the
whole work of the server for the reply: the query, the ratings, and the names of the people. The kinds take turns, and
processor time is that of the server and the Redis together, which other programs hardly change.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvloop

from protocol.history_requests import GetGame, ListGames
from server.history.game_reader import indexed_game, key_of
from server.history.indexer import GameIndexer
from server.history.projection import Projection
from server.history.queries import GameQueries
from server.history.ratings import NEW
from server.history.record import GameRecord
from server.model import Done, User
from server.people.directory import ACCOUNT, USER, PeopleDirectory
from server.people.relations import Relations
from server.store.api import TableStore
from server.store.games_api import IndexChange, IndexedGame, Rating
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from tests.history.logs import BEGIN, Log
from tests.store.redis_server import RedisServer

PEOPLE = 5_000
AT_ONCE = 500
PRIVATE_SHARE = 0.2
RATED_SHARE = 0.3
TITLES = ("Harbour night", "Fog over the bay", "Cable car club", "Sunday", "Nob Hill", "Beginners welcome")


def samples() -> list[GameRecord]:
    """Return a record of each game, with as many seats as it can have."""
    tables = [("investors", 5), ("investors", 3), ("planners", 4), ("planners", 2), ("builders", 4), ("builders", 2)]
    return [
        Log("sample00", game, [f"p{seat}" for seat in range(seats)], name="Harbour").start().play().record()
        for game, seats in tables
    ]


def user(number: int) -> str:
    return f"user{number:06}"


def invented(count: int) -> Iterator[GameRecord]:
    """Yield games of people some of whom play much more than others, one each minute."""
    rng, kinds = random.Random(1), samples()
    for number in range(count):
        sample = rng.choice(kinds)
        people = list({int(PEOPLE * rng.random() ** 3) for _ in sample.seats})
        seats = tuple(
            replace(seat, user=user(person), name=f"Name{person:04} Pelican")
            for seat, person in zip(sample.seats, people, strict=False)
        )
        yield replace(
            sample,
            table=f"t{number:09}",
            title=rng.choice((None, *TITLES)),
            seats=seats + sample.seats[len(seats) :] if len(seats) == len(sample.seats) else seats,
            ended=BEGIN + number * 60_000,
            private=rng.random() < PRIVATE_SHARE,
            rated=rng.random() < RATED_SHARE,
        )


async def fill(store: TableStore, count: int) -> None:
    """Add so many games with their ratings, and all people."""
    for number in range(PEOPLE):
        account = {"handle": user(number), "privacy": "public"}
        await asyncio.gather(
            store.key_values.put(USER, user(number), json.dumps({"name": f"Name{number:04} Pelican"}).encode()),
            store.key_values.put(ACCOUNT, user(number), json.dumps(account).encode()),
        )
    games: list[IndexedGame] = []
    ratings: list[Rating] = []
    for number, record in enumerate(invented(count), 1):
        games.append(indexed_game(record))
        if record.rated:
            ratings += [
                Rating(seat.user, record.game, key_of(record), NEW.pack()) for seat in record.seats if seat.user
            ]
        if len(games) == AT_ONCE or number == count:
            assert await store.games.commit(await store.games.version(), IndexChange(games, ratings))
            games, ratings = [], []


LISTS: dict[str, dict[str, Any]] = {
    "all": {},
    "one game": {"game": "planners"},
    "rated, four seats": {"rated": True, "seats": 4},
    "a person who plays much": {"people": [user(1)]},
    "a person who plays little": {"people": [user(PEOPLE - 2)]},
    "two people who play much": {"people": [user(1), user(2)]},
    "two people who never met": {"people": [user(1), user(PEOPLE - 2)]},
    "a frequent word": {"search": "pelican"},
    "a word of a title": {"search": "harb"},
    "the name of a person": {"search": "name4999"},
    "two words": {"search": "harbour name0001"},
    "no such word": {"search": "zzz"},
    "a game, a person and a word": {"game": "builders", "people": [user(1)], "search": "fog"},
    "a beginning of all names": {"search": "name"},
    "seats that a game never has": {"game": "planners", "seats": 5},
    "words that hardly ever meet": {"search": "fog sunday"},
    "words and seats never together": {"game": "planners", "seats": 5, "search": "fog"},
}


async def add_tables(store: RedisStore, count: int) -> None:
    """Add the names of the tables of all games, which a sweep in a Redis compares with the index."""
    names = [f"t{number:09}" for number in range(count)]
    for first in range(0, count, AT_ONCE):
        await store._pipeline.command("SADD", store._list, *names[first : first + AT_ONCE])


class Times:
    """How long each repetition of something took, and its processor time, in milliseconds."""

    def __init__(self, store: TableStore) -> None:
        self._store = store
        self._elapsed: list[float] = []
        self._processor: list[float] = []

    @asynccontextmanager
    async def measured(self) -> AsyncIterator[None]:
        processor, begun = await self._processor_seconds(), time.perf_counter()
        yield
        self._elapsed.append((time.perf_counter() - begun) * 1000)
        self._processor.append((await self._processor_seconds() - processor) * 1000)

    async def _processor_seconds(self) -> float:
        seconds = time.process_time()
        if isinstance(self._store, RedisStore):
            info = (await self._store._pipeline.command("INFO", "cpu")).decode()
            used = dict(line.split(":") for line in info.splitlines() if ":" in line)
            seconds += float(used["used_cpu_user"]) + float(used["used_cpu_sys"])
        return seconds

    def show(self, name: str, found: str = "") -> None:
        worst = sorted(self._elapsed)[max(0, round(len(self._elapsed) * 0.99) - 1)]
        sys.stdout.write(
            f"  {name:<28} median {statistics.median(self._elapsed):6.1f} ms, 99 % {worst:6.1f},"
            f" processor {statistics.median(self._processor):6.1f}  {found}\n"
        )
        sys.stdout.flush()


async def measure(store: TableStore, rounds: int) -> None:
    """Print a line for each kind of list."""
    queries = GameQueries(store.games, store.key_values, PeopleDirectory(store.key_values, Relations(store.key_values)))
    times = {name: Times(store) for name in LISTS}
    found: dict[str, str] = {}
    for number in range(rounds):
        # Another user each time: who asks decides which private games are visible.
        asking = User(user(number * 97 % PEOPLE), "Somebody")
        for name, fields in LISTS.items():
            async with times[name].measured():
                reply = await queries.answer(asking, ListGames(type="list_games", id="1", **fields))
            assert isinstance(reply, Done)
            rows, after = len(reply.result["games"]), reply.result["next"]
            found[name] = f"{rows} games{'' if after is None else ' and more'}"
    for name in LISTS:
        times[name].show(name, found[name])
    game = Times(store)
    for number in range(rounds):
        async with game.measured():
            await queries.answer(User(user(1), ""), GetGame(type="get_game", id="1", table=f"t{number:09}"))
    game.show("one game by its table")
    sweep = Times(store)
    for _ in range(5):
        async with sweep.measured():
            await GameIndexer(store, Projection(store))._sweep()
    sweep.show("a sweep that finds nothing")


@asynccontextmanager
async def opened(kind: str) -> AsyncIterator[TableStore]:
    """Open an empty store."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="list-speed-") as folder:
            store: TableStore = await SqliteStore.open(Path(folder) / "tables.db")
            yield store
            await store.close()
        return
    redis = RedisServer()
    redis.start()
    try:
        store = RedisStore.at(redis.url)
        yield store
        await store.close()
    finally:
        redis.remove()


async def run(games: int, rounds: int, kinds: list[str]) -> None:
    for kind in kinds:
        async with opened(kind) as store:
            begun = time.monotonic()
            await fill(store, games)
            if isinstance(store, RedisStore):
                await add_tables(store, games)
            sys.stdout.write(f"{kind}: {games:,} games, filled in {time.monotonic() - begun:.0f} s\n")
            await measure(store, rounds)


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--store", choices=("sqlite", "redis"), action="append")
    args = parser.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(args.games, args.rounds, args.store or ["sqlite", "redis"]))


if __name__ == "__main__":
    main()
