"""The index of finished games in memory, for tests: what the other indexes are compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .games_api import FIRST, GameKey, GamePage, GameQuery, IndexChange, IndexedGame, Rating


class MemoryGameIndex:
    """A GameIndex in dictionaries. `finished` returns the tables in the phase `over`, the oldest first."""

    def __init__(self, finished: Callable[[], Iterable[str]]) -> None:
        self._finished = finished
        self._version = 0
        self._games: dict[str, IndexedGame] = {}
        self._ratings: dict[tuple[str, str, GameKey], Rating] = {}
        self._skipped: set[str] = set()

    async def version(self) -> int:
        return self._version

    async def commit(self, version: int, change: IndexChange) -> bool:
        if version != self._version:
            return False
        self._version += 1
        for game, key in change.unrated_from.items():
            self._ratings = {at: kept for at, kept in self._ratings.items() if kept.game != game or kept.key < key}
        for table in change.removed:
            self._games.pop(table, None)
        for indexed in change.games:
            self._games[indexed.key.table] = indexed
        self._skipped.difference_update(change.removed, (indexed.key.table for indexed in change.games))
        for rating in change.ratings:
            self._ratings[rating.game, rating.user, rating.key] = rating
        self._skipped.update(change.skipped)
        return True

    async def unindexed(self, limit: int) -> list[str]:
        return [table for table in self._finished() if table not in self._games and table not in self._skipped][:limit]

    async def record(self, table: str) -> bytes | None:
        found = self._games.get(table)
        return None if found is None else found.record

    async def page(self, query: GameQuery, after: GameKey | None = None, limit: int = 50) -> GamePage:
        latest_first = sorted(self._games.values(), key=lambda game: game.key, reverse=True)
        found = [game for game in latest_first if (after is None or game.key < after) and _matches(game, query)]
        return GamePage([game.record for game in found[:limit]], found[limit - 1].key if len(found) > limit else None)

    async def rated_games(self, game: str, begin: GameKey, limit: int) -> list[bytes]:
        rated = [found for found in self._games.values() if found.is_rated and found.game == game]
        ordered = sorted((found for found in rated if found.key >= begin), key=lambda found: found.key)
        return [found.record for found in ordered[:limit]]

    async def ratings_before(self, game: str, users: Sequence[str], key: GameKey) -> dict[str, Rating]:
        found = {user: [rating for rating in self._of(game, user) if rating.key < key] for user in users}
        return {user: ratings[-1] for user, ratings in found.items() if ratings}

    async def last_rated(self, game: str) -> GameKey:
        return max(
            (found.key for found in self._games.values() if found.is_rated and found.game == game), default=FIRST
        )

    async def rated_until(self, game: str) -> GameKey:
        return max((rating.key for rating in self._ratings.values() if rating.game == game), default=FIRST)

    async def nth_last_rating(self, game: str, number: int) -> GameKey:
        keys = sorted((rating.key for rating in self._ratings.values() if rating.game == game), reverse=True)
        return keys[number - 1] if len(keys) >= number else FIRST

    async def rating_history(self, user: str, game: str, limit: int = 1000) -> list[Rating]:
        return self._of(game, user)[-limit:]

    async def ratings_since(self, game: str, begin: GameKey, limit: int = 10_000) -> list[Rating]:
        found = [rating for rating in self._ratings.values() if rating.game == game and rating.key >= begin]
        return sorted(found, key=lambda rating: (rating.key, rating.user))[:limit]

    async def standings(self, game: str) -> list[Rating]:
        users = {rating.user for rating in self._ratings.values() if rating.game == game}
        return [self._of(game, user)[-1] for user in users]

    def _of(self, game: str, user: str) -> list[Rating]:
        found = [rating for rating in self._ratings.values() if (rating.game, rating.user) == (game, user)]
        return sorted(found, key=lambda rating: rating.key)


def _matches(game: IndexedGame, query: GameQuery) -> bool:
    return (
        set(query.people) <= set(game.people)
        and query.game in (None, game.game)
        and query.seats in (None, game.seats)
        and query.is_rated in (None, game.is_rated)
        and all(any(word.startswith(beginning) for word in game.words) for beginning in query.word_beginnings)
        and (query.visible_to is None or game.is_public or query.visible_to in game.people)
    )
