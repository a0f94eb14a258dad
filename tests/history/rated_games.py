"""Made-up records of finished games, for the tests of ratings, profiles and rankings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from server.history.game_reader import indexed_game
from server.history.ratings import PersonRating, counts, rate
from server.history.record import GameRecord, SeatRecord
from server.people.directory import ACCOUNT, FORMER, HANDLE, USER, PeopleDirectory
from server.people.handles import handle_key
from server.store.api import KeyValueStore
from server.store.games_api import GameIndex, GameKey, IndexChange, Rating

ENDED = 1_800_000_000_000


def seat(user: str | None, place: int | None = None, **fields: Any) -> SeatRecord:
    """Return the seat of a person, or with `bot` that of a bot."""
    given = {"name": user or "bot", "bot": None, "points": 10, "resigned": False, "stood_in": False}
    return SeatRecord(user=user, place=place, **{**given, **fields})


def record(*seats: SeatRecord, **fields: Any) -> GameRecord:
    """Return a rated game of Planners that was finished."""
    given: dict[str, Any] = {
        "table": "game1",
        "game": "planners",
        "title": None,
        "options": {},
        "started": ENDED - 1_800_000,
        "ended": ENDED,
        "decisions": 40,
        "steps": 40,
        "end": "finished",
        "private": False,
        "rated": True,
        "rules_version": 1,
        "origin": None,
        "city": {},
    }
    return GameRecord(seats=seats, **{**given, **fields})


def finished(places: Mapping[str, int], **fields: Any) -> GameRecord:
    """Return a finished game from the place of each person; bots are named by their strength in capitals."""
    seats = [
        seat(None, place, bot=name.rstrip("0123456789").lower()) if name.isupper() else seat(name, place)
        for name, place in places.items()
    ]
    return record(*seats, **fields)


def abandoned(*seats: SeatRecord, **fields: Any) -> GameRecord:
    return record(*seats, end="abandoned", **fields)


async def fill(index: GameIndex, records: Sequence[GameRecord]) -> dict[tuple[str, str], PersonRating]:
    """Put games into an index in their order; return the last ratings by game and user."""
    ratings: dict[tuple[str, str], PersonRating] = {}
    games, rated = [], []
    for each in sorted(records, key=lambda each: (each.ended, each.table)):
        key = GameKey(each.ended, each.table)
        people = tuple(one.user for one in each.seats if one.user is not None)
        before = {user: ratings[each.game, user] for user in people if (each.game, user) in ratings}
        for user, after in rate(each, before).items():
            ratings[each.game, user] = after
            rated.append(Rating(user, each.game, key, after.pack()))
        games.append(indexed_game(each))
    for begin in range(0, max(len(games), len(rated)), 500):
        some = slice(begin, begin + 500)
        change = IndexChange(games=games[some], ratings=rated[some])
        assert await index.commit(await index.version(), change)
    return ratings


PEOPLE = ("ann", "bea", "cai", "dev", "eve", "fay", "gil", "hal")
"""People with an account whose handle is the id."""

DAY = 86_400_000


def season(games: int, seed: int = 1) -> list[GameRecord]:
    """Return games of some months, the last one a day before `ENDED`: of all kinds, and with some guests and bots."""
    rng = Random(seed)
    records = []
    for number in range(games):
        size = rng.choice((2, 3, 4))
        people = rng.sample(PEOPLE, rng.randint(1, size))
        if rng.random() < 0.1:
            people[0] = "guest"
        users: list[str | None] = [*people, *[None] * (size - len(people))]
        rng.shuffle(users)
        is_abandoned = rng.random() < 0.1
        points = [rng.randint(0, 60) for _ in users]
        seats = [
            seat(
                user,
                None if is_abandoned else 1 + sum(other > own for other in points),
                bot=None if user else "normal",
                points=None if is_abandoned else own,
                resigned=is_abandoned and user is not None and rng.random() < 0.5,
            )
            for user, own in zip(users, points, strict=True)
        ]
        game = record(
            *seats,
            table=f"t{number:04}",
            game=rng.choice(("investors", "planners", "builders")),
            ended=ENDED - (games - number) * 120 * DAY // games - DAY,
            end="abandoned" if is_abandoned else "finished",
            private=rng.random() < 0.2,
            origin="t0000:3" if rng.random() < 0.05 else None,
            rated="guest" not in people and rng.random() < 0.8,
        )
        records.append(replace(game, rated=counts(game)))
    return records


async def register(key_values: KeyValueStore, handle: str, **account: Any) -> None:
    """Store the account of a person whose handle is the id."""
    key = handle_key(handle)
    assert key is not None
    await key_values.put(USER, handle, json.dumps({"name": handle.capitalize(), "created": 1_700_000_000}).encode())
    await key_values.put(ACCOUNT, handle, json.dumps({"handle": handle, **account}).encode())
    await key_values.put(HANDLE, key, json.dumps({"user": handle}).encode())


async def delete(key_values: KeyValueStore, people: PeopleDirectory, handle: str) -> None:
    """Leave nothing of a person but a tombstone."""
    key = handle_key(handle)
    assert key is not None
    for kind, name in ((USER, handle), (ACCOUNT, handle), (HANDLE, key)):
        await key_values.delete(kind, name)
    await key_values.put(FORMER, handle, b"")
    people.forget(handle)
