"""Profiles: a person's ratings and their history, results, recent games, and the people most played with.

Everything is computed from the index when it is asked for, so that nothing can be counted twice. Private games count
for those who sat there only. Who may not see a profile gets the same refusal as for a person who does not exist.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgpack

from protocol.messages import GetProfile
from server.games.registry import GAMES
from server.history.rankings import Rankings
from server.history.ratings import PersonRating
from server.history.record import GameRecord, all_unpacked
from server.model import Done, Reply, User
from server.people.directory import PeopleDirectory, Person
from server.store.games_api import MAX_PAGE, GameIndex, GameKey, GameQuery, Rating
from server.tables.api import Summary
from server.tables.results import refused

MAX_GAMES: Final = 10_000
"""The latest games of a person from which results are computed; earlier ones do not count in them."""

MAX_HISTORY: Final = 200
"""Points in the history of a rating; of a longer one, some points between the first and the last are left out."""

RECENT_GAMES: Final = 10
MAX_TABLES: Final = 3
"""Public tables at which the person sits now."""

MAX_COMPANIONS: Final = 10
_ASKED_COMPANIONS: Final = 40
"""People most played with who are looked up, since some of them may not be shown."""

_MAX_RATINGS: Final = 5_000
_MAX_CACHED: Final = 100
"""People whose games are in memory; the least recently used ones are evicted."""

_MAX_CACHED_GAMES: Final = 20_000
"""The games of all these people together; each takes half a KiB."""

GameRows = Callable[[str, Sequence[GameRecord]], Awaitable[list[dict[str, Any]]]]
"""Returns games as messages show them to a user."""


class _Played(NamedTuple):
    """What one game says about a person who played it."""

    table: str
    game: str
    seats: int
    place: int | None
    points: int | None
    is_private: bool
    is_continued: bool
    """The game went on from a moment of another one, so its result is no result."""

    others: tuple[str, ...]

    def is_open_to(self, viewer: str) -> bool:
        """Return whether a user may know of the game."""
        return not self.is_private or viewer in self.others


class _Games(NamedTuple):
    version: int
    games: list[_Played]
    """The latest first."""


class Profiles:
    """Answers `get_profile`.

    `is_online` returns whether a user is connected, on any worker, and `tables_of` the tables at which a user sits.
    """

    def __init__(
        self,
        index: GameIndex,
        people: PeopleDirectory,
        rankings: Rankings,
        rows: GameRows,
        is_online: Callable[[str], bool],
        tables_of: Callable[[str], Sequence[Summary]] = lambda user_id: (),
    ) -> None:
        self._index = index
        self._people = people
        self._rankings = rankings
        self._rows = rows
        self._is_online = is_online
        self._tables_of = tables_of
        self._cache: OrderedDict[str, _Games] = OrderedDict()

    async def answer(self, user: User, request: GetProfile) -> Reply:
        """Return the reply to a request of a user."""
        person = await self._people.find(request.handle)
        if person is None or not await self._people.may_see(user.id, person):
            return refused("no_such_person")
        is_you = person.id == user.id
        played = [each for each in await self._games(person.id) if is_you or each.is_open_to(user.id)]
        shown_person, ratings, recent, companions = await asyncio.gather(
            self._person(user, person),
            self._ratings(person, None if is_you else {each.table for each in played}),
            self._recent(user, person),
            self._companions(user, person, played),
        )
        return Done(
            {
                "profile": {
                    "person": shown_person,
                    "ratings": ratings,
                    "results": results_of(played),
                    "recent": recent,
                    "companions": companions,
                }
            }
        )

    async def _person(self, user: User, person: Person) -> dict[str, Any]:
        followed, blocked = await asyncio.gather(
            self._people.relations.followed(user.id), self._people.relations.blocked(user.id)
        )
        is_you = person.id == user.id
        return {
            "id": person.id,
            "name": person.name,
            "handle": person.handle,
            "motto": person.motto,
            "languages": list(person.languages),
            "since": person.created * 1000 or None,
            "online": self._is_online(person.id),
            "tables": [each for each in self._tables_of(person.id) if not each["settings"]["private"]][:MAX_TABLES],
            "is_you": is_you,
            "follows": person.id in followed,
            "blocked": person.id in blocked,
            "privacy": person.privacy if is_you else None,
        }

    # -- games ------------------------------------------------------------------------------------------------

    async def _games(self, user: str) -> list[_Played]:
        """Return the latest games of a user, also private ones; the latest first."""
        version = await self._index.version()
        cached = self._cache.get(user)
        if cached is None or cached.version != version:
            cached = self._cache[user] = _Games(version, await self._read_games(user))
        self._cache.move_to_end(user)
        while len(self._cache) > _MAX_CACHED or self._count_cached() > _MAX_CACHED_GAMES:
            self._cache.popitem(last=False)
        return cached.games

    def _count_cached(self) -> int:
        return sum(len(each.games) for each in self._cache.values())

    async def _read_games(self, user: str) -> list[_Played]:
        games: list[_Played] = []
        after: GameKey | None = None
        while len(games) < MAX_GAMES:
            page = await self._index.page(GameQuery(people=(user,)), after, MAX_PAGE)
            games += [played for packed in page.games if (played := _played(packed, user)) is not None]
            after = page.next
            if after is None:
                break
        return games

    async def _recent(self, user: User, person: Person) -> list[dict[str, Any]]:
        query = GameQuery(people=(person.id,), visible_to=user.id)
        page = await self._index.page(query, limit=RECENT_GAMES)
        return await self._rows(user.id, all_unpacked(page.games))

    async def _companions(self, user: User, person: Person, played: Iterable[_Played]) -> list[dict[str, Any]]:
        """Return the people most played with whose profiles the user may see."""
        counts = Counter(other for game in played for other in game.others)
        most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_ASKED_COMPANIONS]
        people = await self._people.of(other for other, _ in most)
        companions: list[dict[str, Any]] = []
        for other, games in most:
            found = people.get(other)
            if found is None or not await self._people.may_see(user.id, found):
                continue
            companions.append({"id": found.id, "name": found.name, "handle": found.handle, "games": games})
            if len(companions) == MAX_COMPANIONS:
                break
        return companions

    # -- ratings ----------------------------------------------------------------------------------------------

    async def _ratings(self, person: Person, tables: set[str] | None) -> list[dict[str, Any]]:
        """Return the rating of each game that the person has a rating of."""
        found = await asyncio.gather(*(self._rating(person, game, tables) for game in GAMES))
        return [rating for rating in found if rating is not None]

    async def _rating(self, person: Person, game: str, tables: set[str] | None) -> dict[str, Any] | None:
        """Return the rating of a game with its history, in which games at other tables than these are left out.

        So the time of a private game stays with those who played it. The rating itself is that after the last game.
        """
        ratings = await self._index.rating_history(person.id, game, _MAX_RATINGS)
        if not ratings:
            return None
        shown = PersonRating.unpack(ratings[-1].value).shown()
        return {
            "game": game,
            "rating": shown.rating,
            "uncertainty": shown.uncertainty,
            "provisional": shown.provisional,
            "games": shown.games,
            "rank": await self._rankings.rank_of(person.id, game),
            "history": history_of([each for each in ratings if tables is None or each.key.table in tables]),
        }


def _played(packed: bytes, user: str) -> _Played | None:
    """Return what a packed `GameRecord` says about a person; None if it is damaged, or that of another version.

    It is not made a `GameRecord` first, since a person has thousands.
    """
    try:
        record = msgpack.unpackb(packed)
        seats = record["seats"]
        (own,) = (seat for seat in seats if seat["user"] == user)
        return _Played(
            record["table"],
            record["game"],
            len(seats),
            own["place"],
            own["points"],
            record["private"],
            record["origin"] is not None,
            tuple([seat["user"] for seat in seats if seat["user"] not in (None, user)]),
        )
    except (KeyError, TypeError, ValueError, msgpack.UnpackException):
        return None


def history_of(ratings: Sequence[Rating]) -> list[list[int]]:
    """Return the time, the rating and the uncertainty after games, at most `MAX_HISTORY` of them."""
    if len(ratings) > MAX_HISTORY:
        last = len(ratings) - 1
        ratings = [ratings[round(number * last / (MAX_HISTORY - 1))] for number in range(MAX_HISTORY)]
    history: list[list[int]] = []
    for each in ratings:
        shown = PersonRating.unpack(each.value).shown()
        history.append([each.key.ended, shown.rating, shown.uncertainty])
    return history


def results_of(played: Iterable[_Played]) -> list[dict[str, Any]]:
    """Return the results by game and number of seats; only games that were finished have one."""
    groups: defaultdict[tuple[str, int], list[_Played]] = defaultdict(list)
    for each in played:
        if each.place is not None and each.points is not None and not each.is_continued:
            groups[each.game, each.seats].append(each)
    games = list(GAMES)
    order = sorted(groups, key=lambda group: (games.index(group[0]) if group[0] in games else len(games), group))
    return [_result(*group, groups[group]) for group in order]


def _result(game: str, seats: int, played: Sequence[_Played]) -> dict[str, Any]:
    places = Counter(each.place for each in played)
    points = [each.points for each in played if each.points is not None]
    # Of several games with as many points, the first one was the record.
    best = max(reversed(played), key=lambda each: each.points or 0)
    return {
        "game": game,
        "seats": seats,
        "played": len(played),
        "places": [places[place] for place in range(1, seats + 1)],
        "average": round(10 * sum(points) / len(points)),
        "best": {"points": best.points, "table": best.table},
    }
