"""Lists of finished games, and single ones, as a user may see them.

Public games are open to everybody, private ones to those who sat there and, one by one, to those who have the key of a
shared link. Lists by person respect the privacy of that person, and so do searches for a name, and ratings. Names are
those of today, not those of the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from protocol.messages import GetGame, ListGames
from server.history.game_reader import key_of, people_of, words_of
from server.history.ratings import PersonRating
from server.history.record import GameRecord, SeatRecord, all_unpacked, unpacked
from server.model import Done, Reply, User
from server.people.directory import PeopleDirectory, Person
from server.store.api import KeyValueStore
from server.store.games_api import GameIndex, GameKey, GameQuery
from server.tables.people import FORMER_NAME
from server.tables.results import refused
from server.tables.sharing import SHARED_GAME, is_same_key

MAX_SEARCH_WORDS: Final = 8
"""Words of a search that count; further ones are ignored."""

_MAX_SEATS: Final = 16
_MAX_PAGES_READ: Final = 5
"""Pages that are read for one reply if some of their games must not be found by this search."""

_NO_GAMES: Final = Done({"games": [], "next": None})


class GameQueries:
    """Answers `list_games` and `get_game`."""

    def __init__(self, index: GameIndex, key_values: KeyValueStore, people: PeopleDirectory) -> None:
        self._index = index
        self._key_values = key_values
        self._people = people

    async def answer(self, user: User, request: ListGames | GetGame) -> Reply:
        """Return the reply to a request of a user."""
        if isinstance(request, ListGames):
            return await self._list(user, request)
        return await self.game(user.id, request.table, request.key)

    async def game(self, user_id: str, table: str, key: str | None) -> Reply:
        """Return the reply with one game."""
        packed, shared = await asyncio.gather(self._index.record(table), self._key_values.get(SHARED_GAME, table))
        record = None if packed is None else unpacked(packed)
        if record is None:
            return refused("no_such_game")
        has_sat = _has_sat(user_id, record)
        if not (has_sat or is_same_key(shared, key) or not record.private):
            return refused("no_such_game")
        (row,) = await self.rows(user_id, [record])
        access = "seat" if has_sat else "key" if record.private else "open"
        own_key = shared.decode() if has_sat and shared is not None else None
        return Done({"game": row, "access": access, "shared": own_key})

    async def rows(self, viewer: str, records: Sequence[GameRecord]) -> list[dict[str, Any]]:
        """Return games as messages show them to a user, with the present names of people."""
        people = await self._people.of(people_of(records))
        shown = await self._shown(viewer, people.values())
        ratings = await asyncio.gather(*(self._ratings(viewer, record, shown) for record in records))
        return [_row(record, people, own) for record, own in zip(records, ratings, strict=True)]

    async def _shown(self, viewer: str, people: Iterable[Person]) -> set[str]:
        """Return those of some people whose profiles a user may see."""
        return {person.id for person in people if await self._people.may_see(viewer, person)}

    async def _ratings(self, viewer: str, record: GameRecord, shown: Collection[str]) -> dict[str, PersonRating]:
        """Return the ratings after a game by user; nothing if it is not rated.

        Who hides the profile hides the rating, but not from those who played the same game.
        """
        if not record.rated:
            return {}
        key = key_of(record)
        found = await self._index.ratings_since(record.game, key, _MAX_SEATS)
        own = [rating for rating in found if rating.key == key]
        is_open = _has_sat(viewer, record)
        return {rating.user: PersonRating.unpack(rating.value) for rating in own if is_open or rating.user in shown}

    async def _list(self, user: User, request: ListGames) -> Reply:
        words, handles = _search(request.search)
        if request.search and request.search.strip() and not (words or handles):
            return _NO_GAMES
        people = await self._visible_people(user, request.people, handles)
        if people is None:
            return _NO_GAMES
        query = GameQuery(people, request.game, request.seats, request.rated, words, visible_to=user.id)
        after = None if request.after is None else _key(request.after)
        rows: list[dict[str, Any]] = []
        for _ in range(_MAX_PAGES_READ):
            page = await self._index.page(query, after, request.limit - len(rows))
            rows += await self.rows(user.id, await self._found(user.id, all_unpacked(page.games), words))
            after = page.next
            if after is None or len(rows) == request.limit:
                break
        return Done({"games": rows, "next": None if after is None else f"{after.ended}.{after.table}"})

    async def _found(self, viewer: str, records: list[GameRecord], words: Sequence[str]) -> list[GameRecord]:
        """Return the games that a user may find by these words.

        The index has the names of everybody. Deleted people are not found by their names, and people who hide their
        profiles only in games that the user has played.
        """
        if not words:
            return records
        people = await self._people.of(people_of(records))
        shown = await self._shown(viewer, people.values())
        former = {person.id for person in people.values() if person.is_former}
        hidden = former | {person.id for person in people.values() if person.handle is not None} - shown
        return [
            record for record in records if _is_found(record, former if _has_sat(viewer, record) else hidden, words)
        ]

    async def _visible_people(
        self, user: User, user_ids: Sequence[str], handles: Sequence[str]
    ) -> tuple[str, ...] | None:
        """Return the users whose games are wanted; None if the user may not see the games of one of them.

        A user may always list the own games, and so also those with certain other people.
        """
        named = [await self._people.find(handle) for handle in handles]
        if None in named:
            return None
        wanted = tuple(dict.fromkeys([*user_ids, *(person.id for person in named if person is not None)]))
        people = await self._people.of(wanted)
        for user_id in wanted:
            person = people.get(user_id)
            if person is not None and person.is_former:
                return None
            is_open = user.id in wanted or (person is not None and await self._people.may_see(user.id, person))
            if not is_open:
                return None
        return wanted


def _search(text: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the beginnings of words in a search, and the handles after an @."""
    parts = (text or "").split()[:MAX_SEARCH_WORDS]
    handles = [part[1:] for part in parts if part.startswith("@") and len(part) > 1]
    words = [word for part in parts if not part.startswith("@") for word in words_of(part)]
    return tuple(dict.fromkeys(words))[:MAX_SEARCH_WORDS], tuple(dict.fromkeys(handles))


def _is_found(record: GameRecord, hidden: Collection[str], words: Sequence[str]) -> bool:
    """Return whether a game is found by these words without the names of hidden people."""
    people = [seat for seat in record.seats if seat.user is not None]
    names = [seat.name for seat in people if seat.user not in hidden]
    if len(names) == len(people):
        return True
    found = [word for text in (record.title or "", *names) for word in words_of(text)]
    return all(any(word.startswith(beginning) for word in found) for beginning in words)


def _has_sat(user: str, record: GameRecord) -> bool:
    return any(seat.user == user for seat in record.seats)


def _key(cursor: str) -> GameKey:
    ended, _, table = cursor.partition(".")
    return GameKey(int(ended), table)


def _row(record: GameRecord, people: Mapping[str, Person], ratings: Mapping[str, PersonRating]) -> dict[str, Any]:
    return {
        "table": record.table,
        "game": record.game,
        "title": record.title,
        "options": record.options,
        "seats": [_seat_row(seat, people, ratings) for seat in record.seats],
        "started": record.started,
        "ended": record.ended,
        "decisions": record.decisions,
        "steps": record.steps,
        "end": record.end,
        "private": record.private,
        "rated": record.rated,
        "origin": record.origin,
        "city": record.city,
    }


def _seat_row(seat: SeatRecord, people: Mapping[str, Person], ratings: Mapping[str, PersonRating]) -> dict[str, Any]:
    person = None if seat.user is None else people.get(seat.user)
    is_former = person is not None and person.is_former
    rating = None if seat.user is None or is_former else ratings.get(seat.user)
    return {
        "user": None if is_former else seat.user,
        "name": FORMER_NAME if is_former else (person.name if person is not None else seat.name) or None,
        "handle": None if person is None else person.handle,
        "bot": seat.bot,
        "former": is_former,
        "place": seat.place,
        "points": seat.points,
        "resigned": seat.resigned,
        "stood_in": seat.stood_in,
        "rating": None if rating is None else _rating_row(rating),
    }


def _rating_row(rating: PersonRating) -> dict[str, Any]:
    shown = rating.shown()
    return {
        "rating": shown.rating,
        "change": rating.change,
        "uncertainty": shown.uncertainty,
        "provisional": shown.provisional,
    }
