"""Rankings: who has the best rating of a game, and who has won the most points in the last seven days.

A ranking is computed from the index, and so the same on every worker that has read the same version of the index. It
is kept for a moment, one for each game. Only people who show their profile to everybody are ranked; the user's own row
is always there, with the reason if it has no rank.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from protocol.messages import GetRankings
from server.games.registry import GAMES
from server.history.ratings import NEW, PROVISIONAL_GAMES, PersonRating
from server.model import Done, Reply, User
from server.people.directory import PeopleDirectory, Person
from server.store.games_api import GameIndex, GameKey, Rating
from server.tables.results import refused

ACTIVE_DAYS: Final = 90
"""Days after the last rated game for which a person is ranked."""

WEEK_DAYS: Final = 7

FRESH_SECONDS: Final = 3.0
"""The time for which a ranking is shown without asking the index whether it has changed."""

MAX_AGE_SECONDS: Final = 60.0
"""The time after which a ranking is computed again even if the index has not changed, since days pass."""

MAX_WEEKLY_READS: Final = 250
"""Reads of the ratings of one week; what further ratings have changed does not count in the weekly ranking."""

_RATINGS_PER_READ: Final = 2_000
_SLICE: Final = 500
_DAY: Final = 86_400_000


class _Standing(NamedTuple):
    """A person's rating as a ranking needs it."""

    user: str
    rating: PersonRating
    last: int
    change: int
    """The points won in the last seven days."""

    has_played_this_week: bool


class _Ranked(NamedTuple):
    rank: int
    standing: _Standing


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The rankings of one game. `made` is the time on the monotonic clock at which they were computed."""

    version: int
    made: float
    now: int
    """The wall clock then, in milliseconds since 1970."""

    standings: Mapping[str, _Standing]
    """Everybody who has a rating, by user."""

    ranked: Mapping[str, list[_Ranked]]
    """By period, the first first."""

    ranks: Mapping[str, Mapping[str, int]]
    """By period and user."""


@dataclass(slots=True)
class _Kept:
    ranking: _Ranking | None = None
    asked: float = 0.0
    """When the index was last asked for its version."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One caller computes, and the others wait for that."""


class Rankings:
    """Answers `get_rankings`. At most one ranking for each game is kept."""

    def __init__(
        self,
        index: GameIndex,
        people: PeopleDirectory,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._index = index
        self._people = people
        self._wall = wall
        self._monotonic = monotonic
        self._kept: dict[str, _Kept] = {}

    async def answer(self, user: User, request: GetRankings) -> Reply:
        """Return the reply to a request of a user."""
        if request.game not in GAMES:
            return refused("no_such_game")
        ranking = await self._ranking(request.game)
        ranked = ranking.ranked[request.period]
        start = request.after or 0
        page = ranked[start : start + request.limit]
        people = await self._people.of(each.standing.user for each in page)
        # Who has hidden the profile a moment ago is not shown, although the ranking still counts them.
        rows = [
            _row(each.rank, each.standing, people[each.standing.user])
            for each in page
            if _is_public(people.get(each.standing.user))
        ]
        end = start + len(page)
        return Done(
            {
                "rows": rows,
                "own": await self._own_row(user, ranking, request.period),
                "total": len(ranked),
                "next": end if end < len(ranked) else None,
            }
        )

    async def rank_of(self, user: str, game: str) -> int | None:
        """Return the rank of a user in the ranking of all time; None if they have none."""
        return (await self._ranking(game)).ranks["all"].get(user)

    async def public_ratings(self, game: str, users: Collection[str]) -> list[int] | None:
        """Return the ratings of those of these users who have one that is not provisional.

        None if one of them does not show their profile to everybody.
        """
        people = await self._people.of(users)
        if any(person.privacy != "public" for person in people.values()):
            return None
        standings = (await self._ranking(game)).standings
        found = [standings[user].rating for user in users if user in standings]
        return [rating.rating for rating in found if rating.games >= PROVISIONAL_GAMES]

    async def _own_row(self, user: User, ranking: _Ranking, period: str) -> dict[str, Any]:
        person = (await self._people.of([user.id])).get(user.id) or Person(user.id, user.name, user.handle)
        standing = ranking.standings.get(user.id)
        rank = ranking.ranks[period].get(user.id)
        reason = None if rank is not None else _reason(person, standing, period, ranking.now)
        if person.handle is None or standing is None:
            standing = _Standing(user.id, NEW, 0, 0, has_played_this_week=False)
        return {**_row(rank, standing, person), "reason": reason}

    async def _ranking(self, game: str) -> _Ranking:
        kept = self._kept.setdefault(game, _Kept())
        async with kept.lock:
            ranking, now = kept.ranking, self._monotonic()
            if ranking is not None and now - kept.asked < FRESH_SECONDS:
                return ranking
            version = await self._index.version()
            if ranking is None or ranking.version != version or now - ranking.made >= MAX_AGE_SECONDS:
                ranking = kept.ranking = await self._computed(game, version)
            kept.asked = now
            return ranking

    async def _computed(self, game: str, version: int) -> _Ranking:
        """Return the rankings of a game as the index has them in this version or a later one."""
        made, now = self._monotonic(), round(self._wall() * 1000)
        last, weekly = await self._index.standings(game), await self._weekly(game, now)
        standings = await _standings(last, weekly)
        active = [each for each in standings.values() if _is_active(each, now)]
        people = await self._people.of(each.user for each in active)
        shown = [each for each in active if _is_public(people.get(each.user))]
        ranked = {
            "all": _ranked(shown, lambda each: each.rating.rating),
            "week": _ranked([each for each in shown if each.has_played_this_week], lambda each: each.change),
        }
        ranks = {period: {each.standing.user: each.rank for each in rows} for period, rows in ranked.items()}
        return _Ranking(version, made, now, standings, ranked, ranks)

    async def _weekly(self, game: str, now: int) -> list[Rating]:
        """Return the ratings of the last seven days."""
        begin = GameKey(max(0, now - WEEK_DAYS * _DAY), "")
        found: dict[tuple[GameKey, str], Rating] = {}
        for _ in range(MAX_WEEKLY_READS):
            some = await self._index.ratings_since(game, begin, _RATINGS_PER_READ)
            # The last game of a read may go on in the next one, so that one begins with it.
            found |= {(rating.key, rating.user): rating for rating in some}
            if len(some) < _RATINGS_PER_READ:
                break
            begin = some[-1].key
        return list(found.values())


async def _standings(last: Sequence[Rating], weekly: Sequence[Rating]) -> dict[str, _Standing]:
    """Return the standing of everybody, from the last rating of each user and the ratings of the week."""
    changes: dict[str, int] = {}
    async for rating, value in _unpacked(weekly):
        changes[rating.user] = changes.get(rating.user, 0) + value.change
    standings: dict[str, _Standing] = {}
    async for rating, value in _unpacked(last):
        user = rating.user
        standings[user] = _Standing(user, value, rating.key.ended, changes.get(user, 0), user in changes)
    return standings


async def _unpacked(ratings: Sequence[Rating]) -> AsyncIterator[tuple[Rating, PersonRating]]:
    """Yield ratings with their values, and let others go first after every `_SLICE` of them."""
    for begin in range(0, len(ratings), _SLICE):
        for rating in ratings[begin : begin + _SLICE]:
            yield rating, PersonRating.unpack(rating.value)
        await asyncio.sleep(0)


def _ranked(standings: Iterable[_Standing], points: Callable[[_Standing], int]) -> list[_Ranked]:
    """Return people with their ranks, the first first: equal points have the same rank.

    Among these the more certain rating comes first. The id decides in the end, so that every worker has the same order.
    """
    ordered = sorted(standings, key=lambda each: (-points(each), each.rating.sigma, each.user))
    ranked: list[_Ranked] = []
    for number, each in enumerate(ordered, start=1):
        is_level = bool(ranked) and points(ranked[-1].standing) == points(each)
        ranked.append(_Ranked(ranked[-1].rank if is_level else number, each))
    return ranked


def _is_active(standing: _Standing, now: int) -> bool:
    """Return whether somebody has played enough games, and the last one not too long ago."""
    return standing.rating.games >= PROVISIONAL_GAMES and standing.last >= now - ACTIVE_DAYS * _DAY


def _is_public(person: Person | None) -> bool:
    """Return whether everybody may see a person in a ranking; a deleted one has no handle any more."""
    return person is not None and person.handle is not None and person.privacy == "public"


def _reason(person: Person, standing: _Standing | None, period: str, now: int) -> str:
    """Return why a person has no rank."""
    if person.handle is None:
        return "account"
    if standing is None or standing.rating.games < PROVISIONAL_GAMES:
        return "games"
    if not _is_active(standing, now):
        return "inactive"
    if not _is_public(person):
        return "privacy"
    # Somebody who has shown the profile a moment ago is ranked in a moment.
    return "week" if period == "week" and not standing.has_played_this_week else "soon"


def _row(rank: int | None, standing: _Standing, person: Person) -> dict[str, Any]:
    shown = standing.rating.shown()
    has_played = standing.rating.games > 0
    return {
        "rank": rank,
        "user": person.id,
        "name": person.name,
        "handle": person.handle,
        "rating": shown.rating if has_played else None,
        "uncertainty": shown.uncertainty if has_played else None,
        "provisional": shown.provisional,
        "change": standing.change,
        "games": shown.games,
        # The day only: the last game may have been a private one, whose end others need not know.
        "last": standing.last - standing.last % _DAY if has_played else None,
    }
