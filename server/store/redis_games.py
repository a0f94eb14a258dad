"""The index of finished games in Redis, shared by all workers. Every step is one Lua script over keys of one hash tag.

Logs and index are in different slots of a cluster, so a game and its place in the index cannot be written together.
`unindexed` compares the names of all tables with the index instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgpack

from server.redis_pipeline import Pipeline

from .games_api import FIRST, GameKey, GamePage, GameQuery, IndexChange, IndexedGame, Rating
from .lua import script

_COMMIT = script("games", "commit_games")
_FIND = script("games", "find_games", is_read_only=True)
_READ = script("games", "read_games", is_read_only=True)
_RATINGS = script("games", "read_ratings", is_read_only=True)

_LOOKUPS: Final = 5_000
"""Lookups of one script, which takes some milliseconds: a longer one would hold up the moves of all tables."""

_STANDINGS_AT_ONCE: Final = 500
"""Users whose last ratings one script returns, about."""

AreNew = Callable[[Sequence[str]], Awaitable[list[str]]]
Finished = Callable[[AreNew], Awaitable[list[str]]]


class RedisGameIndex:
    """A GameIndex in Redis. `finished` returns the finished tables among those that a function finds to be new."""

    def __init__(self, pipeline: Pipeline, prefix: str, finished: Finished) -> None:
        self._pipeline = pipeline
        self._stem = f"{prefix}{{games}}:"
        self._finished = finished

    async def version(self) -> int:
        return int(await self._read("version"))

    async def commit(self, version: int, change: IndexChange) -> bool:
        packed = _pack(
            [
                [[game, *key] for game, key in change.unrated_from.items()],
                [[game.key.table, _facts(game), game.record] for game in change.games],
                [[rating.game, rating.user, *rating.key, rating.value] for rating in change.ratings],
                list(change.skipped),
                list(change.removed),
            ]
        )
        return bool(await self._pipeline.run(_COMMIT, (self._stem,), version, packed))

    async def unindexed(self, limit: int) -> list[str]:
        async def are_new(tables: Sequence[str]) -> list[str]:
            return [name.decode() for name in await self._read("new", *tables)]

        return (await self._finished(are_new))[:limit]

    async def record(self, table: str) -> bytes | None:
        found: bytes | None = await self._read("record", table)
        return found

    async def page(self, query: GameQuery, after: GameKey | None = None, limit: int = 50) -> GamePage:
        conditions, found = _pack(_conditions(query)), list[tuple[GameKey, bytes]]()
        score, name = ("", "") if after is None else (str(after.ended), after.table)
        is_complete = False
        # One more than wanted shows whether there is a next page.
        while not is_complete and len(found) <= limit:
            wanted = limit + 1 - len(found)
            done, reached, last, *rows = await self._pipeline.run(
                _FIND, (self._stem,), conditions, score, name, wanted, _LOOKUPS
            )
            is_complete, score, name = bool(done), reached.decode(), last.decode()
            found += [
                (GameKey(int(ended), table.decode()), record)
                for table, ended, record in zip(rows[::3], rows[1::3], rows[2::3], strict=True)
            ]
        following = found[limit - 1][0] if len(found) > limit else None
        return GamePage([record for _, record in found[:limit]], following)

    async def rated_games(self, game: str, begin: GameKey, limit: int) -> list[bytes]:
        found: list[bytes] = await self._read("rated", game, *begin, limit)
        return found

    async def ratings_before(self, game: str, users: Sequence[str], key: GameKey) -> dict[str, Rating]:
        found = await asyncio.gather(*(self._ratings("before", game, user, *key) for user in users))
        before = zip(users, found, strict=True)
        return {user: rating for user, own in before for rating in _of_user(user, game, own)}

    async def last_rated(self, game: str) -> GameKey:
        found = await self._read("last_rated", game)
        return GameKey(int(found[1]), found[0].decode()) if found else FIRST

    async def rated_until(self, game: str) -> GameKey:
        return await self.nth_last_rating(game, 1)

    async def nth_last_rating(self, game: str, number: int) -> GameKey:
        found = await self._read("nth_last_rating", game, number)
        # A name has no slash.
        return GameKey(int(found[1]), found[0].decode().partition("/")[0]) if found else FIRST

    async def rating_history(self, user: str, game: str, limit: int = 1000) -> list[Rating]:
        return _of_user(user, game, await self._ratings("history", game, user, limit))

    async def ratings_since(self, game: str, begin: GameKey, limit: int = 10_000) -> list[Rating]:
        return _of_users(game, await self._ratings("since", game, *begin, limit))

    async def standings(self, game: str) -> list[Rating]:
        # A scan may return a user twice.
        found: dict[str, Rating] = {}
        cursor = "0"
        while True:
            last, *some = await self._ratings("standings", game, cursor, _STANDINGS_AT_ONCE)
            found |= {rating.user: rating for rating in _of_users(game, some)}
            cursor = last.decode()
            if cursor == "0":
                return list(found.values())

    async def _read(self, what: str, *arguments: str | int) -> Any:
        return await self._pipeline.run(_READ, (self._stem,), what, *arguments)

    async def _ratings(self, what: str, game: str, *arguments: str | int) -> list[bytes]:
        found: list[bytes] = await self._pipeline.run(_RATINGS, (self._stem,), what, game, *arguments)
        return found


def _pack(value: Any) -> bytes:
    # Without a type for bytes, which older versions of Redis' library do not read: bytes are strings to it anyway.
    packed: bytes = msgpack.packb(value, use_bin_type=False)
    return packed


def _facts(game: IndexedGame) -> bytes:
    return _pack(
        [
            game.key.ended,
            game.game,
            game.seats,
            game.people,
            game.is_public,
            game.is_rated,
            list(dict.fromkeys(game.words)),
        ]
    )


def _conditions(query: GameQuery) -> list[list[tuple[str, ...]]]:
    """Return the conditions of a query: for each, the sets of which one must contain a game."""
    conditions: list[list[tuple[str, ...]]] = [[("person", user)] for user in query.people]
    if query.game is not None:
        conditions.append([("game", query.game)])
    if query.seats is not None:
        conditions.append([("seats", str(query.seats))])
    if query.is_rated is not None:
        conditions.append([("rated" if query.is_rated else "unrated",)])
    conditions += [[("beginning", beginning)] for beginning in query.word_beginnings]
    if query.visible_to is not None:
        conditions.append([("public",), ("person", query.visible_to)])
    return conditions


def _of_user(user: str, game: str, found: list[bytes]) -> list[Rating]:
    rows = zip(found[::3], found[1::3], found[2::3], strict=True)
    return [Rating(user, game, GameKey(int(ended), name.decode()), value) for name, ended, value in rows]


def _of_users(game: str, found: list[bytes]) -> list[Rating]:
    rows = zip(found[::4], found[1::4], found[2::4], found[3::4], strict=True)
    return [Rating(user.decode(), game, GameKey(int(ended), name.decode()), value) for user, name, ended, value in rows]
