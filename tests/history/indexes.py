"""What is in an index of finished games, and what should be."""

from __future__ import annotations

from collections.abc import Iterable

from server.games.registry import GAMES
from server.history.game_reader import key_of, record_of
from server.history.projection import folded
from server.history.rebuilding import all_records
from server.history.record import GameRecord
from server.store.api import TableStore
from server.store.games_api import FIRST, GameIndex, Rating
from server.tables.log import TableLog
from server.tables.turns import BackgroundJob, BackgroundTurns
from tests.history.logs import Log

Contents = tuple[list[GameRecord], list[Rating]]
"""All records, the latest first, and all ratings, by kind of game and in order."""


async def contents(index: GameIndex) -> Contents:
    """Return what is in an index."""
    ratings = [rating for game in GAMES for rating in await index.ratings_since(game, FIRST)]
    return [record async for record in all_records(index)], ratings


def expected(logs: Iterable[Log]) -> Contents:
    """Return what must be in an index of these games."""
    return contents_of(log.record() for log in logs)


async def expected_of(store: TableStore) -> Contents:
    """Return what must be in the index of a store, as its logs say."""
    turns = BackgroundTurns()
    found = [await record_of(TableLog(table, store, ""), BackgroundJob(turns)) for table in await store.names()]
    return contents_of(record for record in found if isinstance(record, GameRecord))


def contents_of(games: Iterable[GameRecord]) -> Contents:
    """Return these records and the ratings that follow from them."""
    records = sorted(games, key=key_of)
    ratings = [
        rating
        for game in GAMES
        for rating in folded([record for record in records if record.rated and record.game == game], {})
    ]
    return records[::-1], ratings
