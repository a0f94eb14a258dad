"""The index of finished games in the SQLite file, in the same commits as the logs.

Triggers put every table that reaches the phase `over` into the table `unindexed`, in the transaction that ends its game
(a transactional outbox), so no finished game can be missed.
"""

from __future__ import annotations

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

_LOOKED_AT: Final = 2_000
"""Games that one read looks at."""

_MAX_COUNTED: Final = 10_000
"""Games up to which the conditions of a query are counted to find the narrowest one."""

_MAX_SORTED: Final = 1_000
"""Games of a word that are read and sorted at once."""

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
        # One more than wanted shows whether there is a next page.
        while driver is not None and len(found) <= limit:
            search = _Search(query, driver, after, limit + 1 - len(found))
            rows, after = await self._commits.read(search.run)
            found += rows
            if after is None:
                break
        following = GameKey(*found[limit - 1][1:]) if len(found) > limit else None
        return GamePage([record for record, *_ in found[:limit]], following)

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
    """The name of a table, or a subquery, with the columns `number`, `ended` and `name`."""

    values: tuple[str, ...]
    condition: Any
    """The user or the beginning of a word that is the condition of this source; None for all games."""


def _driver(db: sqlite3.Connection, query: GameQuery) -> _Driver | None:
    """Return the source with the fewest games that one condition leaves; None if it leaves none."""
    sources: list[tuple[int, _Driver]] = []
    for user in query.people:
        source = "SELECT number, ended, name FROM game_people WHERE user = ?"
        sources.append((0, _Driver(source, (user,), user)))
    for beginning in query.word_beginnings:
        numbers = "SELECT DISTINCT number FROM game_words WHERE word >= ? AND word < ?"
        source = f"SELECT number, ended, name FROM ({numbers}) CROSS JOIN games USING (number)"  # noqa: S608 - constants
        sources.append((1, _Driver(source, (beginning, beginning + _LAST_CHARACTER), beginning)))
    counted = []
    for kind, driver in sources:
        table = "game_words WHERE word >= ? AND word < ?" if kind else "game_people WHERE user = ?"
        # Counting stops early, since a large number need not be exact.
        statement = f"SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {_MAX_COUNTED})"  # noqa: S608 - constants
        count = db.execute(statement, driver.values).fetchone()[0]
        if count == 0:
            return None
        # Words are not in the order of games, so all games of a frequent word would have to be sorted.
        if kind == 0 or count <= _MAX_SORTED:
            counted.append((count, driver))
    return min(counted, key=lambda each: each[0])[1] if counted else _Driver("games", (), None)


class _Search:
    """A search through a part of the games of a driver, which is short: decisions wait for the same thread."""

    def __init__(self, query: GameQuery, driver: _Driver, after: GameKey | None, limit: int) -> None:
        self._query = query
        self._driver = driver
        self._after = after
        self._limit = limit

    def run(self, db: sqlite3.Connection) -> tuple[list[tuple[bytes, int, str]], GameKey | None]:
        """Return the games found, and the key up to which games were looked at; None: all were."""
        source = self._driver.source
        part = source if source == "games" else f"({source})"
        begun, values = ("", ()) if self._after is None else ("WHERE (ended, name) < (?, ?)", tuple(self._after))
        last = db.execute(
            f"SELECT ended, name FROM {part} {begun} ORDER BY ended DESC, name DESC LIMIT 1 OFFSET ?",  # noqa: S608
            (*self._driver.values, *values, _LOOKED_AT - 1),
        ).fetchone()
        statement, values = self._statement(last)
        rows = db.execute(statement, (*values, self._limit)).fetchall()
        return rows, None if last is None else GameKey(*last)

    def _statement(self, last: tuple[int, str] | None) -> tuple[str, tuple[Any, ...]]:
        query, driver = self._query, self._driver
        conditions: list[str] = []
        values: list[Any] = [*driver.values]

        def must(condition: str, *bound: Any) -> None:
            conditions.append(condition)
            values.extend(bound)

        if driver.condition is None:
            source, order = "games", "games"
        else:
            source, order = f"({driver.source}) AS found CROSS JOIN games USING (number)", "found"
        for user in query.people:
            if user != driver.condition:
                must(_PLAYED, user)
        for beginning in query.word_beginnings:
            if beginning != driver.condition:
                must(
                    "EXISTS (SELECT 1 FROM game_words WHERE number = games.number AND word >= ? AND word < ?)",
                    beginning,
                    beginning + _LAST_CHARACTER,
                )
        if query.game is not None:
            must("games.game = ?", query.game)
        if query.seats is not None:
            must("games.seats = ?", query.seats)
        if query.is_rated is not None:
            must("games.is_rated = ?", query.is_rated)
        if query.visible_to is not None:
            must(f"(games.is_public = 1 OR {_PLAYED})", query.visible_to)
        if self._after is not None:
            must(f"({order}.ended, {order}.name) < (?, ?)", *self._after)
        if last is not None:
            must(f"({order}.ended, {order}.name) >= (?, ?)", *last)
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        order_by = f"ORDER BY {order}.ended DESC, {order}.name DESC LIMIT ?"
        # Only constants are joined here.
        return f"SELECT games.record, games.ended, games.name FROM {source}{where} {order_by}", tuple(values)  # noqa: S608
