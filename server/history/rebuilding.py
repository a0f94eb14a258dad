"""Build the index of finished games again from the logs, in place, and compare it with what the logs say.

The index can be read all the time, and other processes may add games meanwhile: everything goes through the projection,
which is idempotent. A rebuilt index equals one that was built game by game, so a rebuild that changes anything tells of
a defect, of an earlier version, or of storage that was rolled back.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final

from server.games.registry import GAMES
from server.history.game_reader import indexed_game, key_of
from server.history.projection import Indexed, Projection, folded
from server.history.ratings import PersonRating
from server.history.record import GameRecord, all_unpacked, unpacked
from server.store.api import TableStore
from server.store.games_api import FIRST, MAX_PAGE, GameIndex, GameKey, GameQuery, IndexedGame, Rating

OnProgress = Callable[[int, int], None]

_ROWS: Final = 500
_WRITTEN_AT_ONCE: Final = 20
_RATED_AT_ONCE: Final = 200
_RATINGS_READ: Final = 10 * _RATED_AT_ONCE
"""More ratings than so many games can have."""


@dataclass(slots=True)
class Rebuilt:
    """What a rebuild has done."""

    games: int = 0
    """Finished games."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unreadable: list[str] = field(default_factory=list)
    """Tables whose logs cannot be read."""

    rerated: list[str] = field(default_factory=list)
    """The kinds of games whose ratings were wrong."""

    @property
    def is_same(self) -> bool:
        """Return whether the index was right already."""
        return not (self.added or self.changed or self.removed or self.rerated)


async def rebuild(store: TableStore, projection: Projection, on_progress: OnProgress) -> Rebuilt:
    """Build the whole index again. `on_progress` gets the number of tables so far, and of all."""
    rebuilt = Rebuilt()
    names = await store.names()
    over: set[str] = set()
    same: list[IndexedGame] = []
    for first in range(0, len(names), _ROWS):
        some = names[first : first + _ROWS]
        finished = {row.table for row in await store.rows(some) if row.phase == "over"}
        over |= finished
        for number, table in enumerate(some, first + 1):
            if table in finished:
                same += await _rebuild_game(store, projection, table, rebuilt)
            if len(same) >= _WRITTEN_AT_ONCE:
                await projection.write_again(same)
                same.clear()
            on_progress(number, len(names))
    if same:
        await projection.write_again(same)
    async for record in all_records(store.games):
        if record.table not in over and await projection.index_game(record.table) is Indexed.REMOVED:
            rebuilt.removed += 1
    for game in GAMES:
        wrong = await first_wrong_rating(store.games, game)
        if wrong is not None:
            await projection.unrate(game, wrong)
            rebuilt.rerated.append(game)
        await projection.rate_pending(game)
    return rebuilt


async def _rebuild_game(store: TableStore, projection: Projection, table: str, rebuilt: Rebuilt) -> list[IndexedGame]:
    """Index a finished game; return it if it was in the index already."""
    done = await projection.index_game(table)
    rebuilt.added += done is Indexed.ADDED
    rebuilt.changed += done is Indexed.CHANGED
    rebuilt.removed += done is Indexed.REMOVED
    if done is Indexed.UNREADABLE:
        rebuilt.unreadable.append(table)
    packed = await store.games.record(table)
    record = None if packed is None else unpacked(packed)
    if record is None:
        return []
    rebuilt.games += 1
    return [indexed_game(record)] if done is Indexed.SAME else []


async def all_records(index: GameIndex) -> AsyncIterator[GameRecord]:
    """Yield all records of the index, the latest first."""
    after: GameKey | None = None
    while True:
        page = await index.page(GameQuery(), after, MAX_PAGE)
        for record in all_unpacked(page.games):
            yield record
        after = page.next
        if after is None:
            return


async def first_wrong_rating(index: GameIndex, game: str) -> GameKey | None:
    """Return the key of the first game of one kind whose ratings do not follow from the games in the index.

    Games that are not rated yet are not wrong.
    """
    ratings: dict[str, PersonRating] = {}
    begin, until = FIRST, await index.rated_until(game)
    while True:
        packed = await index.rated_games(game, begin, _RATED_AT_ONCE)
        records = all_unpacked(packed)
        is_last = len(packed) < _RATED_AT_ONCE or not records
        end = None if is_last else key_of(records[-1])
        expected = [rating for rating in folded(records, ratings) if rating.key <= until]
        found = [
            rating
            for rating in await index.ratings_since(game, begin, _RATINGS_READ)
            if end is None or rating.key <= end
        ]
        if found != expected:
            return _first_difference(expected, found)
        if end is None:
            return None
        begin = end.successor()


def _first_difference(expected: list[Rating], found: list[Rating]) -> GameKey:
    for one, other in zip(expected, found, strict=False):
        if one != other:
            return min(one.key, other.key)
    longer = expected if len(expected) > len(found) else found
    return longer[min(len(expected), len(found))].key
