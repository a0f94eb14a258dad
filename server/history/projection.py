"""The projection of logs to the index of finished games: each game exactly once, whatever is killed when.

`index_game` brings what the index says of one table in line with the log of that table. It is idempotent, and it is
safe to call at the same time in any number of processes: every change is a compare-and-swap on the version of the
index, and is computed again after a conflict.

Ratings are a fold over the rated games of one kind in the order of their keys. At any moment the index has the ratings
of a prefix of these games: those up to `rated_until`. A game that comes late, with a key before that, removes all
ratings from its key on, and they are computed again from there. So the index is the same in whatever order games come.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final

from server.games.registry import GAMES
from server.history.game_reader import NoRecord, indexed_game, key_of, people_of, record_of
from server.history.ratings import PersonRating, rate
from server.history.record import GameRecord, all_unpacked, unpacked
from server.store.api import LogDamaged, TableStore
from server.store.games_api import GameIndex, GameKey, IndexChange, IndexedGame, Rating
from server.tables.entries import UnreadableEntry
from server.tables.log import TableLog
from server.tables.turns import BackgroundJob, BackgroundTurns

log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 100
"""Attempts to commit a change before the table is left to the next sweep."""

RATED_AT_ONCE: Final = 200
"""Games that are rated in one commit."""

UNRATED_AT_ONCE: Final = 2_000
"""Ratings that one commit removes, about: decisions of players wait for the same storage."""


class IndexBusy(Exception):
    """Other processes have changed the index at every attempt."""


class Indexed(Enum):
    """What `index_game` has done."""

    SAME = "same"
    """The index was right."""

    ADDED = "added"
    CHANGED = "changed"
    """The index had another record of the game."""

    REMOVED = "removed"
    """The index had a game that is not over any more, since the storage was rolled back."""

    NOTHING = "nothing"
    """There is no finished game at this table."""

    UNREADABLE = "unreadable"
    """The log is damaged, or of rules that this version does not have."""


class Projection:
    """Writes finished games and ratings into the index. `turns` are those of all background work of the process."""

    def __init__(self, store: TableStore, turns: BackgroundTurns | None = None) -> None:
        self._store = store
        self._index: GameIndex = store.games
        self._turns = turns or BackgroundTurns()

    async def index_game(self, table: str) -> Indexed:
        """Bring what the index says of a table in line with its log, and return what that took.

        Raise `IndexBusy` if that failed because of others, and `StorageFailed` as the store does.
        """
        found = await self.read(table)
        for _ in range(MAX_ATTEMPTS):
            version = await self._index.version()
            packed = await self._index.record(table)
            stored = None if packed is None else unpacked(packed)
            change, done = await self._change(table, found, packed, stored)
            if change is None or await self._index.commit(version, change):
                break
        else:
            raise IndexBusy(table)
        for game in {record.game for record in _rated_among(found, stored)}:
            await self.rate_pending(game)
        return done

    async def rate_pending(self, game: str) -> None:
        """Rate all games of one kind that are in the index and not rated yet."""
        conflicts = 0
        while conflicts < MAX_ATTEMPTS:
            version = await self._index.version()
            if await self._index.last_rated(game) <= await self._index.rated_until(game):
                return
            _, ratings = await self._rated(game)
            if not ratings:
                # No record that is marked as rated is without ratings, unless another version has written it.
                return
            if not await self._index.commit(version, IndexChange(ratings=ratings)):
                conflicts += 1
        raise IndexBusy(game)

    async def unrate(self, game: str, begin: GameKey) -> None:
        """Remove the ratings after games with this key or a later one, so that they are computed again.

        Many are removed in several commits, the last ones first, so that the index has those of a prefix all the time.
        """
        conflicts = 0
        while conflicts < MAX_ATTEMPTS:
            version = await self._index.version()
            key = max(begin, await self._index.nth_last_rating(game, UNRATED_AT_ONCE))
            if not await self._index.commit(version, IndexChange(unrated_from={game: key})):
                conflicts += 1
            elif key == begin:
                return
        raise IndexBusy(game)

    async def write_again(self, games: Sequence[IndexedGame]) -> None:
        """Write games into the index that are there already, so that they are found by all their conditions."""
        for _ in range(MAX_ATTEMPTS):
            version = await self._index.version()
            stored = [await self._index.record(game.key.table) for game in games]
            same = [game for game, record in zip(games, stored, strict=True) if game.record == record]
            if not same or await self._index.commit(version, IndexChange(games=same)):
                return
        raise IndexBusy(games[0].key.table)

    async def rate_all_pending(self) -> None:
        """Rate all games that are in the index and not rated yet."""
        for game in GAMES:
            await self.rate_pending(game)

    async def read(self, table: str) -> GameRecord | NoRecord | None:
        """Return the record of a table's game as its log has it; None if the log cannot be read, which is logged."""
        try:
            return await record_of(TableLog(table, self._store, ""), BackgroundJob(self._turns))
        except (LogDamaged, UnreadableEntry) as error:
            log.warning("game not indexed", extra={"table": table, "error": str(error)})
            return None

    async def _change(
        self, table: str, found: GameRecord | NoRecord | None, packed: bytes | None, stored: GameRecord | None
    ) -> tuple[IndexChange | None, Indexed]:
        """Return the change that makes the index right, if one is needed, and what it will have done."""
        if isinstance(found, GameRecord) and packed is not None and packed == found.pack():
            return None, Indexed.SAME
        is_gone = not isinstance(found, GameRecord)
        if is_gone and packed is None:
            if found is NoRecord.NOT_OVER:
                return None, Indexed.NOTHING
            done = Indexed.UNREADABLE if found is None else Indexed.NOTHING
            return IndexChange(skipped=[table]), done
        rated = _rated_among(found, stored)
        for record in rated:
            await self._shorten(record.game, key_of(record))
        unrated_from: dict[str, GameKey] = {}
        ratings: list[Rating] = []
        for game in {record.game for record in rated}:
            added = found if isinstance(found, GameRecord) and found.rated and found.game == game else None
            keys = [key_of(record) for record in rated if record.game == game]
            from_key, own_ratings = await self._rated(game, keys, added, table)
            unrated_from |= from_key
            ratings += own_ratings
        games = [indexed_game(found)] if isinstance(found, GameRecord) else []
        removed = [table] if is_gone else []
        skipped = removed if is_gone and found is not NoRecord.NOT_OVER else []
        change = IndexChange(games, ratings, unrated_from, removed, skipped)
        if is_gone:
            return change, Indexed.UNREADABLE if found is None else Indexed.REMOVED
        return change, Indexed.ADDED if packed is None else Indexed.CHANGED

    async def _shorten(self, game: str, begin: GameKey) -> None:
        """Remove the ratings from a game on if they are too many for the commit that changes the game.

        That commit then fails, since the version of the index is another one, and is computed again.
        """
        if await self._index.nth_last_rating(game, UNRATED_AT_ONCE) > begin:
            await self.unrate(game, begin)

    async def _rated(
        self, game: str, keys: Sequence[GameKey] = (), added: GameRecord | None = None, replaced: str | None = None
    ) -> tuple[dict[str, GameKey], list[Rating]]:
        """Return from which key on ratings must be removed, and ratings of the first games after what is left.

        `keys` are those of games that change, `added` is a game that is not in the index yet, and what the index has
        of the table `replaced` does not count any more.
        """
        until = await self._index.rated_until(game)
        begin = min([until.successor(), *keys])
        packed = await self._index.rated_games(game, begin, RATED_AT_ONCE)
        records = all_unpacked(packed)
        # Further games may follow those that were read, and come before the added one.
        is_all = len(packed) < RATED_AT_ONCE
        if added is not None and (is_all or (records and key_of(added) < key_of(records[-1]))):
            records = [*records, added]
        records = sorted((record for record in records if record is added or record.table != replaced), key=key_of)
        before = await self._index.ratings_before(game, sorted(people_of(records)), begin)
        ratings = folded(records, {user: PersonRating.unpack(rating.value) for user, rating in before.items()})
        return {game: begin} if begin <= until else {}, ratings


def folded(records: Iterable[GameRecord], ratings: dict[str, PersonRating]) -> list[Rating]:
    """Return the ratings after each of some games, in order; `ratings` are those before the first, and are updated."""
    found: list[Rating] = []
    for record in records:
        after = rate(record, ratings)
        ratings |= after
        found += [Rating(user, record.game, key_of(record), after[user].pack()) for user in sorted(after)]
    return found


def _rated_among(*records: object) -> list[GameRecord]:
    """Return the rated games among these."""
    return [record for record in records if isinstance(record, GameRecord) and record.rated]
