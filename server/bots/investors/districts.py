"""The evaluation of one district: the probability that each seat rebuilds it, and the gain of one more stick.

Sticks are placed one by one until the game ends. The interest of each seat decides who places the next one, and
whether one is placed at all. With at most four streets to fill, the tables enumerate all sequences (memoized).

A district is a *key*: the sum of a code for each of its four streets. The order of streets does not matter, and
placing a stick is an addition. Codes leave three bits for the count of each owner.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from server.games.investors.city import FREE, WHITE
from server.games.investors.components import BONUS_PRESTIGE, LANDMARKS, PARK, PRESTIGE, SEATS

CODES: Final = (*(1 << 3 * (seat + 2) for seat in range(SEATS.stop - 1)), 1, 8)
"""By owner; the negative numbers of white sticks and free streets index the last two."""
assert CODES[FREE] == 8
assert CODES[WHITE] == 1

_ONE_FREE: Final = CODES[FREE]
_SHIFTS: Final = tuple(3 * (seat + 2) for seat in range(SEATS.stop - 1))


class DistrictWeights(NamedTuple):
    """The weights of the district model, tuned in many games."""

    sticks_per_year: float = 0.22
    """Sticks that a district of average interest gets in a year."""

    win: float = 1.9
    """The interest of a seat that can rebuild with its next stick; the next four weights are those of other seats."""

    block: float = 1.75
    hope: float = 1.25
    gift: float = 0.05
    none: float = 0.15
    rivalry: float = 0.8
    """The weight of the expected prestige of all rivals together, counted against the own."""


def holder_of(key: int, seats: int, *, landmark: bool) -> int | None:
    """Return the seat that has the majority at a district, or None (RULES 5.2, 5.3)."""
    free = key >> 3 & 7
    first, highest, second = None, 0, 0
    for seat in range(seats):
        own = key >> _SHIFTS[seat] & 7
        if own > highest:
            first, highest, second = seat, own, highest
        elif own > second:
            second = own
    if landmark:
        return first if highest and not free and not second else None
    return first if highest > second + free else None


class RebuildProbabilities(dict[int, tuple[float, ...]]):
    """By key: the probability of each seat to rebuild the district."""

    def __init__(self, seats: int, years: float, landmark: bool, weights: DistrictWeights) -> None:
        super().__init__()
        self.seats, self.landmark, self.weights = seats, landmark, weights
        self._stick_rate = weights.sticks_per_year * years / seats

    def __missing__(self, key: int) -> tuple[float, ...]:
        seats = range(self.seats)
        owner = holder_of(key, self.seats, landmark=self.landmark)
        if owner is not None or not key >> 3 & 7:
            probabilities = tuple(float(seat == owner) for seat in seats)
        else:
            successors = [key - _ONE_FREE + CODES[seat] for seat in seats]
            interests = self._interests(key, successors)
            total = sum(interests)
            next_stick = self._stick_rate * total / (1 + self._stick_rate * total)
            later = [self[other] for other in successors]
            probabilities = tuple(
                next_stick * sum(interests[other] * later[other][seat] for other in seats) / total for seat in seats
            )
        self[key] = probabilities
        return probabilities

    def _interests(self, key: int, successors: list[int]) -> list[float]:
        winners = [holder_of(other, self.seats, landmark=self.landmark) for other in successors]
        threats = {seat for seat, winner in enumerate(winners) if winner == seat}
        interests = []
        for seat, winner in enumerate(winners):
            if winner == seat:
                interest = self.weights.win
            elif winner is not None:
                interest = self.weights.gift
            elif threats - {seat} and not self._threatened(successors[seat], threats):
                interest = self.weights.block
            elif self._can_hope(key, seat):
                interest = self.weights.hope
            else:
                interest = self.weights.none
            interests.append(interest)
        return interests

    def _threatened(self, key: int, threats: set[int]) -> bool:
        if not key >> 3 & 7:
            return False
        return any(
            holder_of(key - _ONE_FREE + CODES[seat], self.seats, landmark=self.landmark) == seat for seat in threats
        )

    def _can_hope(self, key: int, seat: int) -> bool:
        """Return whether the seat would have the majority with all streets that are free."""
        free = key >> 3 & 7
        return holder_of(key + free * (CODES[seat] - _ONE_FREE), self.seats, landmark=self.landmark) == seat


class SeatValues(dict[int, tuple[float, ...]]):
    """By key: the expected prestige of each seat at a district of this prize, less a part of its rivals'."""

    def __init__(self, probabilities: RebuildProbabilities, prize: int) -> None:
        super().__init__()
        self._probabilities, self._prize = probabilities, prize
        self._rivalry = probabilities.weights.rivalry / (probabilities.seats - 1)

    def __missing__(self, key: int) -> tuple[float, ...]:
        probabilities, rivalry, prize = self._probabilities[key], self._rivalry, self._prize
        total = sum(probabilities)
        values = tuple(prize * (share - rivalry * (total - share)) for share in probabilities)
        self[key] = values
        return values


class StickGains(dict[int, tuple[float, ...]]):
    """By key: the gain of each seat from its stick on a free street; 0 where none is free."""

    def __init__(self, seat_values: SeatValues, seats: int) -> None:
        super().__init__()
        self._seat_values, self._seats = seat_values, seats

    def __missing__(self, key: int) -> tuple[float, ...]:
        gains = (0.0,) * self._seats
        if key >> 3 & 7:
            now = self._seat_values[key]
            gains = tuple(
                self._seat_values[key - _ONE_FREE + CODES[seat]][seat] - now[seat] for seat in range(self._seats)
            )
        self[key] = gains
        return gains


class RebuildingSeats(dict[int, tuple[int, ...]]):
    """By key: the seats whose stick on a free street rebuilds the district, for themselves or for another seat."""

    def __init__(self, seats: int, landmark: bool, prize: int) -> None:
        super().__init__()
        self._seats, self._landmark, self._prize = seats, landmark, prize

    def __missing__(self, key: int) -> tuple[int, ...]:
        can_settle = self._prize and key >> 3 & 7
        rebuilding_seats = tuple(
            seat
            for seat in range(self._seats)
            if can_settle and holder_of(key - _ONE_FREE + CODES[seat], self._seats, landmark=self._landmark) is not None
        )
        self[key] = rebuilding_seats
        return rebuilding_seats


class YearEndGains(dict[int, tuple[float, ...]]):
    """By key: the gain of each seat, mostly negative, when a year goes by."""

    def __init__(self, now: SeatValues, later: SeatValues) -> None:
        super().__init__()
        self._now, self._later = now, later

    def __missing__(self, key: int) -> tuple[float, ...]:
        year_end_gains = tuple(later - now for now, later in zip(self._now[key], self._later[key], strict=True))
        self[key] = year_end_gains
        return year_end_gains


class DistrictTables(NamedTuple):
    """The tables of districts of one kind, for a number of seats and years to come; values are in prestige."""

    prize: int
    """The prestige for rebuilding; 0 where nothing is left to rebuild."""

    probabilities: RebuildProbabilities
    seat_values: SeatValues
    gains: StickGains
    rebuilding_seats: RebuildingSeats
    year_end_gains: YearEndGains


@lru_cache(maxsize=1024)
def district_tables(seats: int, years: int, prize: int, landmark: bool, weights: DistrictWeights) -> DistrictTables:
    """Return the tables of a landmark or an ordinary district; they fill on demand."""
    probabilities = RebuildProbabilities(seats, years, landmark, weights)
    seat_values = SeatValues(probabilities, prize)
    later = SeatValues(RebuildProbabilities(seats, max(0, years - 1), landmark, weights), prize)
    gains, rebuilding_seats = StickGains(seat_values, seats), RebuildingSeats(seats, landmark, prize)
    return DistrictTables(prize, probabilities, seat_values, gains, rebuilding_seats, YearEndGains(seat_values, later))


@lru_cache(maxsize=1024)
def tables_by_kind(
    seats: int, years: int, bonuses: tuple[str, ...], weights: DistrictWeights
) -> dict[str | None, DistrictTables]:
    """Return the tables of every kind of district in ruins; those of None are for all others."""
    found: dict[str | None, DistrictTables] = {
        kind: district_tables(
            seats, years, prestige + (BONUS_PRESTIGE if kind in bonuses else 0), kind in LANDMARKS, weights
        )
        for kind, prestige in PRESTIGE.items()
    }
    nothing = district_tables(seats, years, 0, False, weights)
    return found | {None: nothing, PARK: nothing}
