"""Ratings: the Plackett–Luce model of Weng and Lin (2011), computed by `openskill`, for each game on its own.

`rate` is a pure function of a finished game and the ratings before it, so that every worker and every rebuild of the
index gets the same ratings. For that, the seats are rated in an order that does not depend on who sat where, means and
deviations are rounded to `_DECIMALS` after each game, so that the last bits of a mathematical library decide nothing,
and the version of `openskill` is fixed in pyproject.toml.

docs/ratings.md explains to players what counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from typing import Final, NamedTuple

import msgpack
from openskill.models import PlackettLuce

from server.history.bot_ratings import bot_rating
from server.history.record import GameRecord

_MEAN: Final = 25.0
_DEVIATION: Final = 25.0 / 3
_DECIMALS: Final = 6

# All parameters are named, so that other defaults of a later version would change nothing.
_MODEL: Final = PlackettLuce(
    mu=_MEAN,
    sigma=_DEVIATION,
    beta=25.0 / 6,
    kappa=0.0001,
    tau=25.0 / 300,
    margin=0.0,
    limit_sigma=False,
    balance=False,
)

PROVISIONAL_GAMES: Final = 10
"""A rating after fewer games is provisional."""


class RatingShown(NamedTuple):
    """A rating as people see it: whole numbers."""

    rating: int
    uncertainty: int
    games: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class PersonRating:
    """The rating of a person in one game, after a rated game."""

    mu: float
    """The mean of the skill."""

    sigma: float
    """The standard deviation of the skill."""

    games: int = 0
    """Rated games so far."""

    change: int = 0
    """The change of the shown rating by the last game."""

    @property
    def rating(self) -> int:
        """Return the rating that is shown: 1500 at the beginning."""
        return round(1500 + 40 * (self.mu - _MEAN))

    def shown(self) -> RatingShown:
        """Return the rating as people see it; the uncertainty is two standard deviations."""
        return RatingShown(self.rating, round(80 * self.sigma), self.games, self.games < PROVISIONAL_GAMES)

    def pack(self) -> bytes:
        """Return the bytes that the index keeps."""
        packed: bytes = msgpack.packb(astuple(self))
        return packed

    @classmethod
    def unpack(cls, packed: bytes) -> PersonRating:
        """Return the rating of these bytes."""
        return cls(*msgpack.unpackb(packed))


NEW: Final = PersonRating(_MEAN, _DEVIATION)
"""The rating of a person who has not played a rated game."""


class _Rated(NamedTuple):
    """A seat that takes part in the rating. The order of the fields is the order in which seats are rated."""

    place: int
    user: str
    """The person; empty for a bot."""

    mu: float
    sigma: float


def counts(record: GameRecord) -> bool:
    """Return whether a game changes ratings: whether `rate` returns any."""
    return bool(_rated_places(record))


def rate(record: GameRecord, before: Mapping[str, PersonRating]) -> dict[str, PersonRating]:
    """Return the ratings of the people of a game after it, by user; nothing if the game does not count.

    `before` has the ratings of these people before it; who is missing there has not played yet.
    """
    places = _rated_places(record)
    if not places:
        return {}
    people = [_Rated(place, user, *_before(before, user)) for user, place in places.items()]
    seats = sorted([*people, *_rated_bots(record)])
    teams = [[_MODEL.rating(mu=seat.mu, sigma=seat.sigma)] for seat in seats]
    rated = _MODEL.rate(teams, ranks=[float(seat.place) for seat in seats])
    # Bots keep their measured ratings.
    return {
        seat.user: _after(before.get(seat.user, NEW), team[0].mu, team[0].sigma)
        for seat, team in zip(seats, rated, strict=True)
        if seat.user
    }


def _before(before: Mapping[str, PersonRating], user: str) -> tuple[float, float]:
    rating = before.get(user, NEW)
    return rating.mu, rating.sigma


def _after(before: PersonRating, mu: float, sigma: float) -> PersonRating:
    after = PersonRating(round(mu, _DECIMALS), round(sigma, _DECIMALS), before.games + 1)
    return replace(after, change=after.rating - before.rating)


def _rated_places(record: GameRecord) -> dict[str, int]:
    """Return the places by which the people of a game are rated, by user; nothing if the game does not count.

    A person has the place of the seat, also where a bot stood in at the end. In an abandoned game, those who left come
    behind those who stayed; all who stayed tie, and so do all who left.
    """
    people = {seat.user: seat for seat in record.seats if seat.user is not None}
    if not record.rated or record.origin is not None or len(people) < 2:
        return {}
    if record.end == "finished":
        return {user: seat.place for user, seat in people.items() if seat.place is not None}
    stayed = sum(not (seat.resigned or seat.stood_in) for seat in people.values())
    if stayed in (0, len(people)):
        # Nobody has won against anybody: all agreed to stop, or all left.
        return {}
    return {user: 1 + stayed if seat.resigned or seat.stood_in else 1 for user, seat in people.items()}


def _rated_bots(record: GameRecord) -> list[_Rated]:
    """Return the bots that take part in the rating: those with a place and a measured rating.

    In an abandoned game no seat has a place.
    """
    bots = []
    for seat in record.seats:
        rating = None if seat.bot is None else bot_rating(record.game, seat.bot, record.ended)
        if rating is not None and seat.place is not None:
            bots.append(_Rated(seat.place, "", rating.mu, rating.sigma))
    return bots
