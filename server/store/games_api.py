"""The contract of the index of finished games: lists of games, and the ratings that follow from them.

The index is a projection of the logs: everything in it can be built again from them. It changes only by `commit`, which
is a compare-and-swap on the version of the index, in one transaction. So the ratings after a game are computed from one
version of the index, and a game that two workers add at the same time is added once.

Games are in the order of their end, and those that ended in the same millisecond in the order of their names. The store
never looks into records and ratings: they are opaque bytes beside the fields by which they are found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

MAX_PAGE: Final = 200
"""Games on one page."""


class GameKey(NamedTuple):
    """The place of a game in the order of the index: the time of its end, in milliseconds since 1970, and its table."""

    ended: int
    table: str

    def successor(self) -> GameKey:
        """Return the first key after this one: names have letters and digits only, which come after `!`."""
        return GameKey(self.ended, self.table + "!")


FIRST: Final = GameKey(0, "")
"""A key before that of every game."""


@dataclass(frozen=True, slots=True)
class IndexedGame:
    """A finished game as it is found: everything but the record is a condition of some query."""

    key: GameKey
    game: str
    seats: int
    people: tuple[str, ...]
    """The ids of the users who played; bots are not among them."""

    is_public: bool
    is_rated: bool
    words: tuple[str, ...]
    """The words by which the game is found, in lower case."""

    record: bytes


class Rating(NamedTuple):
    """The rating of a user after a rated game."""

    user: str
    game: str
    key: GameKey
    value: bytes


@dataclass(frozen=True, slots=True)
class IndexChange:
    """What one commit changes: first games and ratings are removed, then everything else is added.

    Adding a game or a rating that is there replaces it. A game that is added or removed is no longer skipped.
    """

    games: Sequence[IndexedGame] = ()
    ratings: Sequence[Rating] = ()
    unrated_from: Mapping[str, GameKey] = field(default_factory=dict)
    """By game: all ratings after games with this key or a later one are removed."""

    removed: Sequence[str] = ()
    """Tables whose games are removed, because their logs were rolled back. Their ratings stay until `unrated_from`."""

    skipped: Sequence[str] = ()
    """Tables whose games cannot be indexed: they do not count as unindexed."""


@dataclass(frozen=True, slots=True)
class GameQuery:
    """The games that a caller wants; every condition must hold."""

    people: tuple[str, ...] = ()
    """Users who all played."""

    game: str | None = None
    seats: int | None = None
    is_rated: bool | None = None
    word_beginnings: tuple[str, ...] = ()
    """Each must be the beginning of a word of the game, in lower case."""

    visible_to: str | None = None
    """The user who asks, who sees public games and those that this user has played; None: everything is visible."""


class GamePage(NamedTuple):
    """A part of the games that match a query, the latest first."""

    games: list[bytes]
    """Their records."""

    next: GameKey | None
    """The key after which the next page begins; None on the last page."""


class GameIndex(Protocol):
    """The index of finished games, in the same place as the logs."""

    async def version(self) -> int:
        """Return the number of commits so far."""

    async def commit(self, version: int, change: IndexChange) -> bool:
        """Change the index if its version is still this one, and raise it by one; return False if it is another."""

    async def unindexed(self, limit: int) -> list[str]:
        """Return at most `limit` tables in the phase `over` that are neither indexed nor skipped, the oldest first."""

    async def record(self, table: str) -> bytes | None:
        """Return the record of a game, or None if it is not in the index."""

    async def page(self, query: GameQuery, after: GameKey | None = None, limit: int = 50) -> GamePage:
        """Return a page of the games that match, the latest first, beginning with the one that comes after `after`."""

    async def rated_games(self, game: str, begin: GameKey, limit: int) -> list[bytes]:
        """Return the records of rated games of one kind with this key or a later one, the earliest first."""

    async def ratings_before(self, game: str, users: Sequence[str], key: GameKey) -> dict[str, Rating]:
        """Return the last rating of each user before a game; users who had none are missing."""

    async def last_rated(self, game: str) -> GameKey:
        """Return the key of the last rated game of this kind; `FIRST` if there is none."""

    async def rated_until(self, game: str) -> GameKey:
        """Return the key of the last game of this kind after which there are ratings; `FIRST` if there is none."""

    async def nth_last_rating(self, game: str, number: int) -> GameKey:
        """Return the key of the rating that is this far from the end, 1 for the last; `FIRST` if there are fewer."""

    async def rating_history(self, user: str, game: str, limit: int = 1000) -> list[Rating]:
        """Return the last ratings of a user, the earliest first."""

    async def ratings_since(self, game: str, begin: GameKey, limit: int = 10_000) -> list[Rating]:
        """Return the ratings after games with this key or a later one, the earliest first."""

    async def standings(self, game: str) -> list[Rating]:
        """Return the last rating of every user, in any order. Commits may come in between."""
