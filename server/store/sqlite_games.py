"""The index of finished games in the SQLite file, in the same commits as the logs.

Triggers put every table that reaches the phase `over` into the table `unindexed`, in the transaction that ends its game
(a transactional outbox), so no finished game can be missed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from .games_api import FIRST, GameKey, GamePage, GameQuery, IndexChange, IndexedGame, Rating
from .group_commit import GroupCommit

SCHEMA: Final = """
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        ended INTEGER NOT NULL,
        game TEXT NOT NULL,
        seats INTEGER NOT NULL,
        is_public INTEGER NOT NULL,
        is_rated INTEGER NOT NULL,
        record BLOB NOT NULL
    ) STRICT;
    CREATE INDEX games_by_end ON games (ended, name);
    CREATE INDEX games_by_game ON games (game, ended, name);
    CREATE INDEX games_by_seats ON games (game, seats, ended, name);
    CREATE INDEX rated_games ON games (game, ended, name) WHERE is_rated = 1;

    CREATE TABLE game_people (
        user TEXT NOT NULL,
        ended INTEGER NOT NULL,
        name TEXT NOT NULL,
        number INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
        PRIMARY KEY (user, ended, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX people_by_game ON game_people (number);

    CREATE TABLE game_words (
        word TEXT NOT NULL,
        number INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
        PRIMARY KEY (word, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX words_by_game ON game_words (number);

    CREATE TABLE ratings (
        game TEXT NOT NULL,
        user TEXT NOT NULL,
        ended INTEGER NOT NULL,
        name TEXT NOT NULL,
        value BLOB NOT NULL,
        PRIMARY KEY (game, user, ended, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ratings_by_end ON ratings (game, ended, name);

    CREATE TABLE index_version (version INTEGER NOT NULL) STRICT;
    INSERT INTO index_version VALUES (0);

    CREATE TABLE unindexed (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    INSERT INTO unindexed SELECT name FROM tables WHERE phase = 'over';
    CREATE TRIGGER game_ended AFTER UPDATE OF phase ON tables WHEN NEW.phase = 'over' AND OLD.phase <> 'over'
    BEGIN
        INSERT OR IGNORE INTO unindexed VALUES (NEW.name);
    END;
    CREATE TRIGGER finished_game_added AFTER INSERT ON tables WHEN NEW.phase = 'over'
    BEGIN
        INSERT OR IGNORE INTO unindexed VALUES (NEW.name);
    END;
    """

_LAST_CHARACTER: Final = "\U0010ffff"
_PLAYED: Final = "EXISTS (SELECT 1 FROM game_people WHERE user = ? AND ended = games.ended AND name = games.name)"
_HAS_WORD: Final = "EXISTS (SELECT 1 FROM game_words WHERE number = games.number AND word >= ? AND word < ?)"

_LOOKED_AT: Final = 2_000
"""Games that one read looks at."""

_MAX_COUNTED: Final = 10_000
"""Games up to which the conditions of a query are counted to find the narrowest one."""

_MAX_SORTED: Final = 1_000
"""Games of a word that are read and sorted at once."""

_PARTS_BEFORE_WORDS: Final = 6
"""Parts of a search that look at the latest games, before the games of frequent words are compared with each other."""

_MAX_POSTINGS: Final = 20_000
"""Games of a frequent word that are read to be compared with those of another one."""

_STANDINGS_AT_ONCE: Final = 1_000
"""Users whose last ratings one read returns."""


def add_empty_index(db: sqlite3.Connection) -> None:
    """Let a connection see an index without games in a file of an earlier version, which is not changed."""
    for statement in SCHEMA.split(";"):
        words = statement.strip()
        if words.startswith("CREATE TABLE"):
            db.execute(words.replace("CREATE TABLE", "CREATE TEMP TABLE", 1))
        elif words.startswith("INSERT INTO"):
            db.execute(words)


class SqliteGameIndex:
    """A GameIndex in some tables of the SQLite file."""

    def __init__(self, commits: GroupCommit) -> None:
        self._commits = commits

    async def version(self) -> int:
        return await self._commits.read(_version)

    async def commit(self, version: int, change: IndexChange) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            if _version(db) != version:
                return False
            db.execute("UPDATE index_version SET version = version + 1")
            for game, (ended, name) in change.unrated_from.items():
                db.execute("DELETE FROM ratings WHERE game = ? AND (ended, name) >= (?, ?)", (game, ended, name))
            removed = [(table,) for table in change.removed]
            db.executemany("DELETE FROM games WHERE name = ?", removed)
            db.executemany("INSERT OR IGNORE INTO unindexed SELECT name FROM tables WHERE name = ?", removed)
            for indexed in change.games:
                _add_game(db, indexed)
            db.executemany(
                "INSERT OR REPLACE INTO ratings (game, user, ended, name, value) VALUES (?, ?, ?, ?, ?)",
                [(rating.game, rating.user, *rating.key, rating.value) for rating in change.ratings],
            )
            done = [*(indexed.key.table for indexed in change.games), *change.skipped]
            db.executemany("DELETE FROM unindexed WHERE name = ?", [(table,) for table in done])
            return True

        return await self._commits.write(work)

    async def unindexed(self, limit: int) -> list[str]:
        def work(db: sqlite3.Connection) -> list[str]:
            found = db.execute(
                "SELECT name FROM unindexed JOIN tables USING (name) WHERE phase = 'over'"
                " ORDER BY updated, name LIMIT ?",
                (limit,),
            )
            return [name for (name,) in found]

        return await self._commits.read(work)

    async def record(self, table: str) -> bytes | None:
        def work(db: sqlite3.Connection) -> bytes | None:
            found = db.execute("SELECT record FROM games WHERE name = ?", (table,)).fetchone()
            record: bytes | None = None if found is None else found[0]
            return record

        return await self._commits.read(work)

    async def page(self, query: GameQuery, after: GameKey | None = None, limit: int = 50) -> GamePage:
        driver = await self._commits.read(lambda db: _driver(db, query))
        found: list[tuple[bytes, int, str]] = []
        parts = 0
        # One more than wanted shows whether there is a next page.
        while driver is not None and len(found) <= limit:
            search = _Search(query, driver, after, limit + 1 - len(found))
            rows, after = await self._commits.read(search.run)
            found += rows
            if after is None:
                break
            parts += 1
            if parts == _PARTS_BEFORE_WORDS:
                driver = await self._narrowed(query, driver)
        following = GameKey(*found[limit - 1][1:]) if len(found) > limit else None
        return GamePage([record for record, *_ in found[:limit]], following)

    async def _narrowed(self, query: GameQuery, driver: _Driver) -> _Driver:
        """Return the games that have all frequent words of a search, if these are few; else the same driver."""
        if driver.condition is not None:
            return driver
        together: set[int] | None = None
        for beginning in query.word_beginnings:
            numbers = await self._commits.read(partial(_numbers, beginning))
            if numbers is not None:
                together = numbers if together is None else together & numbers
        if together is None or len(together) > _MAX_SORTED:
            return driver
        return _Driver(_NUMBERED, (json.dumps(sorted(together)),))

    async def rated_games(self, game: str, begin: GameKey, limit: int) -> list[bytes]:
        def work(db: sqlite3.Connection) -> list[bytes]:
            found = db.execute(
                "SELECT record FROM games WHERE is_rated = 1 AND game = ? AND (ended, name) >= (?, ?)"
                " ORDER BY ended, name LIMIT ?",
                (game, *begin, limit),
            )
            return [record for (record,) in found]

        return await self._commits.read(work)

    async def ratings_before(self, game: str, users: Sequence[str], key: GameKey) -> dict[str, Rating]:
        def work(db: sqlite3.Connection) -> dict[str, Rating]:
            found: dict[str, Rating] = {}
            for user in users:
                row = db.execute(
                    f"{_RATING} WHERE game = ? AND user = ? AND (ended, name) < (?, ?)"
                    " ORDER BY ended DESC, name DESC LIMIT 1",
                    (game, user, *key),
                ).fetchone()
                if row is not None:
                    found[user] = _rating(row)
            return found

        return await self._commits.read(work)

    async def last_rated(self, game: str) -> GameKey:
        def work(db: sqlite3.Connection) -> GameKey:
            found = db.execute(
                "SELECT ended, name FROM games WHERE is_rated = 1 AND game = ? ORDER BY ended DESC, name DESC LIMIT 1",
                (game,),
            ).fetchone()
            return FIRST if found is None else GameKey(*found)

        return await self._commits.read(work)

    async def rated_until(self, game: str) -> GameKey:
        return await self.nth_last_rating(game, 1)

    async def nth_last_rating(self, game: str, number: int) -> GameKey:
        def work(db: sqlite3.Connection) -> GameKey:
            found = db.execute(
                "SELECT ended, name FROM ratings WHERE game = ? ORDER BY ended DESC, name DESC LIMIT 1 OFFSET ?",
                (game, number - 1),
            ).fetchone()
            return FIRST if found is None else GameKey(*found)

        return await self._commits.read(work)

    async def rating_history(self, user: str, game: str, limit: int = 1000) -> list[Rating]:
        def work(db: sqlite3.Connection) -> list[Rating]:
            found = db.execute(
                f"{_RATING} WHERE game = ? AND user = ? ORDER BY ended DESC, name DESC LIMIT ?", (game, user, limit)
            )
            return [*map(_rating, found)][::-1]

        return await self._commits.read(work)

    async def ratings_since(self, game: str, begin: GameKey, limit: int = 10_000) -> list[Rating]:
        def work(db: sqlite3.Connection) -> list[Rating]:
            found = db.execute(
                f"{_RATING} WHERE game = ? AND (ended, name) >= (?, ?) ORDER BY ended, name, user LIMIT ?",
                (game, *begin, limit),
            )
            return [*map(_rating, found)]

        return await self._commits.read(work)

    async def standings(self, game: str) -> list[Rating]:
        found: list[Rating] = []
        while True:
            some = await self._commits.read(partial(_some_standings, game, found[-1].user if found else ""))
            found += some
            if len(some) < _STANDINGS_AT_ONCE:
                return found


_RATING: Final = "SELECT user, game, ended, name, value FROM ratings"


def _rating(row: Sequence[Any]) -> Rating:
    user, game, ended, name, value = row
    return Rating(user, game, GameKey(ended, name), value)


def _some_standings(game: str, after: str, db: sqlite3.Connection) -> list[Rating]:
    """Return the last ratings of the next users after one, in the order of their ids."""
    # Hops from user to user in the primary key, so that not every rating is read.
    found = db.execute(
        "WITH RECURSIVE hop (user) AS (SELECT min(user) FROM ratings WHERE game = :game AND user > :after UNION ALL"
        " SELECT (SELECT min(user) FROM ratings WHERE game = :game AND user > hop.user) FROM hop"
        " WHERE user IS NOT NULL LIMIT :limit)"
        " SELECT last.user, last.game, last.ended, last.name, last.value FROM hop JOIN ratings AS last"
        " ON last.game = :game AND last.user = hop.user AND (last.ended, last.name) ="
        " (SELECT ended, name FROM ratings WHERE game = :game AND user = hop.user"
        " ORDER BY ended DESC, name DESC LIMIT 1) ORDER BY last.user",
        {"game": game, "after": after, "limit": _STANDINGS_AT_ONCE},
    )
    return [*map(_rating, found)]


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("SELECT version FROM index_version").fetchone()[0]
    return version


def _add_game(db: sqlite3.Connection, game: IndexedGame) -> None:
    ended, name = game.key
    db.execute("DELETE FROM games WHERE name = ?", (name,))
    number = db.execute(
        "INSERT INTO games (name, ended, game, seats, is_public, is_rated, record) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (name, ended, game.game, game.seats, game.is_public, game.is_rated, game.record),
    ).lastrowid
    db.executemany(
        "INSERT OR IGNORE INTO game_people (user, ended, name, number) VALUES (?, ?, ?, ?)",
        [(user, ended, name, number) for user in game.people],
    )
    db.executemany(
        "INSERT OR IGNORE INTO game_words (word, number) VALUES (?, ?)", [(word, number) for word in game.words]
    )


class _Driver(NamedTuple):
    """What the rows of a search are read from, in the order of the end of their games."""

    source: str
    """A query for the columns `number`, `ended` and `name`."""

    values: tuple[str | int, ...] = ()
    condition: str | None = None
    """The user or the beginning of a word whose games these are, if they are all games of one."""


_NUMBERED: Final = "SELECT number, ended, name FROM json_each(?) CROSS JOIN games ON number = json_each.value"


def _driver(db: sqlite3.Connection, query: GameQuery) -> _Driver | None:
    """Return the source with the fewest games that one condition leaves; None if it leaves none."""
    counted: list[tuple[int, _Driver]] = []
    for user in query.people:
        count = _count(db, "game_people WHERE user = ?", (user,), _MAX_COUNTED)
        counted.append((count, _Driver("SELECT number, ended, name FROM game_people WHERE user = ?", (user,), user)))
    for beginning in query.word_beginnings:
        count = _count(db, _POSTINGS, _bounds(beginning), _MAX_COUNTED)
        # Words are not in the order of games, so all games of a frequent word would have to be sorted.
        if count <= _MAX_SORTED:
            numbers = f"SELECT DISTINCT number FROM {_POSTINGS}"  # noqa: S608 - constants
            source = f"SELECT number, ended, name FROM ({numbers}) CROSS JOIN games USING (number)"  # noqa: S608 - constants
            counted.append((count, _Driver(source, _bounds(beginning), beginning)))
    if counted:
        count, driver = min(counted, key=lambda each: each[0])
        return driver if count else None
    if query.game is None:
        return _Driver("SELECT number, ended, name FROM games")
    source, values = "SELECT number, ended, name FROM games WHERE game = ?", (query.game,)
    if query.seats is not None:
        return _Driver(f"{source} AND seats = ?", (*values, query.seats))
    return _Driver(f"{source} AND is_rated = 1" if query.is_rated else source, values)


_POSTINGS: Final = "game_words WHERE word >= ? AND word < ?"


def _bounds(beginning: str) -> tuple[str, str]:
    return beginning, beginning + _LAST_CHARACTER


def _count(db: sqlite3.Connection, rows: str, values: Sequence[str], most: int) -> int:
    """Return the number of rows, or `most` if there are more: a large number need not be exact."""
    count: int = db.execute(f"SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT {most})", values).fetchone()[0]  # noqa: S608 - constants
    return count


def _numbers(beginning: str, db: sqlite3.Connection) -> set[int] | None:
    """Return the numbers of the games with a word of this beginning; None if there are too many."""
    statement = f"SELECT number FROM {_POSTINGS} LIMIT ?"  # noqa: S608 - constants
    found = db.execute(statement, (*_bounds(beginning), _MAX_POSTINGS + 1)).fetchall()
    return {number for (number,) in found} if len(found) <= _MAX_POSTINGS else None


def _conditions(query: GameQuery, met: str | None) -> tuple[list[str], list[Any]]:
    """Return the conditions for a row of `games` and their values, without that of a user or a word which is met."""
    conditions: list[str] = []
    values: list[Any] = []

    def must(condition: str, *bound: Any) -> None:
        conditions.append(condition)
        values.extend(bound)

    for user in query.people:
        if user != met:
            must(_PLAYED, user)
    if query.game is not None:
        must("games.game = ?", query.game)
    if query.seats is not None:
        must("games.seats = ?", query.seats)
    if query.is_rated is not None:
        must("games.is_rated = ?", query.is_rated)
    if query.visible_to is not None:
        must(f"(games.is_public = 1 OR {_PLAYED})", query.visible_to)
    for beginning in query.word_beginnings:
        if beginning != met:
            must(_HAS_WORD, *_bounds(beginning))
    return conditions, values


class _Search:
    """A search through a part of the games of a driver, which is short: decisions wait for the same thread."""

    def __init__(self, query: GameQuery, driver: _Driver, after: GameKey | None, limit: int) -> None:
        self._query = query
        self._driver = driver
        self._after = after
        self._limit = limit

    def run(self, db: sqlite3.Connection) -> tuple[list[tuple[bytes, int, str]], GameKey | None]:
        """Return the games found, and the key up to which games were looked at; None: all were."""
        begun, values = ("", ()) if self._after is None else ("WHERE (ended, name) < (?, ?)", tuple(self._after))
        last = db.execute(
            f"SELECT ended, name FROM ({self._driver.source}) {begun} ORDER BY ended DESC, name DESC LIMIT 1 OFFSET ?",  # noqa: S608
            (*self._driver.values, *values, _LOOKED_AT - 1),
        ).fetchone()
        statement, values = self._statement(last)
        rows = db.execute(statement, (*values, self._limit)).fetchall()
        return rows, None if last is None else GameKey(*last)

    def _statement(self, last: tuple[int, str] | None) -> tuple[str, tuple[Any, ...]]:
        conditions, values = _conditions(self._query, self._driver.condition)
        if self._after is not None:
            conditions.append("(found.ended, found.name) < (?, ?)")
            values += self._after
        if last is not None:
            conditions.append("(found.ended, found.name) >= (?, ?)")
            values += last
        source = f"({self._driver.source}) AS found CROSS JOIN games USING (number)"
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        order = "ORDER BY found.ended DESC, found.name DESC LIMIT ?"
        # Only constants are joined here.
        statement = f"SELECT games.record, games.ended, games.name FROM {source}{where} {order}"  # noqa: S608
        return statement, (*self._driver.values, *values)
