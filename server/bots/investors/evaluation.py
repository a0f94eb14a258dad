"""What a district's streets promise: how likely each seat is to rebuild it, before anybody knows how play goes on.

Sticks come to a district one by one until the game ends. Who places the next one, and whether one comes at all, follows
from how much each seat stands to gain there. With at most four streets to fill, all that can follow is gone through.

A district is a *key*: the sum of a code for each of its four streets. The order of streets does not matter, and
placing a stick is an addition. Codes leave three bits for the count of each owner.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from server.games.investors.city import FREE, WHITE
from server.games.investors.components import BONUS_PRESTIGE, LANDMARKS, PARK, PRESTIGE, SEATS

CODES: Final = (*(1 << 3 * (seat + 2) for seat in range(SEATS.stop - 1)), 1, 8)
"""By owner; the last two are reached by the negative numbers of white sticks and free streets."""
assert CODES[FREE] == 8
assert CODES[WHITE] == 1

_ONE_FREE: Final = CODES[FREE]
_SHIFTS: Final = tuple(3 * (seat + 2) for seat in range(SEATS.stop - 1))


class Temper(NamedTuple):
    """How the outlook is drawn; found by trial in many games."""

    pace: float = 0.22
    """Sticks that a district of usual interest sees in a year."""

    win: float = 1.9
    """The interest of a seat that can rebuild with its next stick; below, of others."""

    block: float = 1.75
    hope: float = 1.25
    gift: float = 0.05
    none: float = 0.15
    rivalry: float = 0.8
    """How much the prospects of all rivals together count against one's own."""


def holder_of(key: int, seats: int, *, landmark: bool) -> int | None:
    """Give who has the majority at a district (RULES 5.2, 5.3)."""
    free = key >> 3 & 7
    first, most, second = None, 0, 0
    for seat in range(seats):
        own = key >> _SHIFTS[seat] & 7
        if own > most:
            first, most, second = seat, own, most
        elif own > second:
            second = own
    if landmark:
        return first if most and not free and not second else None
    return first if most > second + free else None


class Shares(dict[int, tuple[float, ...]]):
    """By key: how likely each seat is to rebuild the district."""

    def __init__(self, seats: int, years: float, landmark: bool, temper: Temper) -> None:
        super().__init__()
        self.seats, self.landmark, self.temper = seats, landmark, temper
        self._pace = temper.pace * years / seats

    def __missing__(self, key: int) -> tuple[float, ...]:
        seats = range(self.seats)
        owner = holder_of(key, self.seats, landmark=self.landmark)
        if owner is not None or not key >> 3 & 7:
            shares = tuple(float(seat == owner) for seat in seats)
        else:
            following = [key - _ONE_FREE + CODES[seat] for seat in seats]
            interests = self._interests(key, following)
            total = sum(interests)
            coming = self._pace * total / (1 + self._pace * total)
            ahead = [self[other] for other in following]
            shares = tuple(
                coming * sum(interests[other] * ahead[other][seat] for other in seats) / total for seat in seats
            )
        self[key] = shares
        return shares

    def _interests(self, key: int, following: list[int]) -> list[float]:
        winners = [holder_of(other, self.seats, landmark=self.landmark) for other in following]
        threats = {seat for seat, winner in enumerate(winners) if winner == seat}
        interests = []
        for seat, winner in enumerate(winners):
            if winner == seat:
                interest = self.temper.win
            elif winner is not None:
                interest = self.temper.gift
            elif threats - {seat} and not self._threatened(following[seat], threats):
                interest = self.temper.block
            elif self._can_hope(key, seat):
                interest = self.temper.hope
            else:
                interest = self.temper.none
            interests.append(interest)
        return interests

    def _threatened(self, key: int, threats: set[int]) -> bool:
        if not key >> 3 & 7:
            return False
        return any(
            holder_of(key - _ONE_FREE + CODES[seat], self.seats, landmark=self.landmark) == seat for seat in threats
        )

    def _can_hope(self, key: int, seat: int) -> bool:
        """Tell whether the seat would have the majority with all streets that are free."""
        free = key >> 3 & 7
        return holder_of(key + free * (CODES[seat] - _ONE_FREE), self.seats, landmark=self.landmark) == seat


class Standings(dict[int, tuple[float, ...]]):
    """By key: how each seat stands at a district of this prize, its rivals' prospects counted against its own."""

    def __init__(self, shares: Shares, prize: int) -> None:
        super().__init__()
        self._shares, self._prize = shares, prize
        self._rivalry = shares.temper.rivalry / (shares.seats - 1)

    def __missing__(self, key: int) -> tuple[float, ...]:
        shares, rivalry, prize = self._shares[key], self._rivalry, self._prize
        total = sum(shares)
        standing = tuple(prize * (share - rivalry * (total - share)) for share in shares)
        self[key] = standing
        return standing


class Gains(dict[int, tuple[float, ...]]):
    """By key: what each seat gains with a stick on a free street; nothing where none is free."""

    def __init__(self, standings: Standings, seats: int) -> None:
        super().__init__()
        self._standings, self._seats = standings, seats

    def __missing__(self, key: int) -> tuple[float, ...]:
        gains = (0.0,) * self._seats
        if key >> 3 & 7:
            now = self._standings[key]
            gains = tuple(
                self._standings[key - _ONE_FREE + CODES[seat]][seat] - now[seat] for seat in range(self._seats)
            )
        self[key] = gains
        return gains


class Settling(dict[int, tuple[int, ...]]):
    """By key: the seats whose stick on a free street rebuilds the district, for whomever."""

    def __init__(self, seats: int, landmark: bool, prize: int) -> None:
        super().__init__()
        self._seats, self._landmark, self._prize = seats, landmark, prize

    def __missing__(self, key: int) -> tuple[int, ...]:
        can_settle = self._prize and key >> 3 & 7
        settling = tuple(
            seat
            for seat in range(self._seats)
            if can_settle and holder_of(key - _ONE_FREE + CODES[seat], self._seats, landmark=self._landmark) is not None
        )
        self[key] = settling
        return settling


class Fading(dict[int, tuple[float, ...]]):
    """By key: what each seat gains, mostly less than nothing, when a year goes by."""

    def __init__(self, now: Standings, later: Standings) -> None:
        super().__init__()
        self._now, self._later = now, later

    def __missing__(self, key: int) -> tuple[float, ...]:
        fading = tuple(later - now for now, later in zip(self._now[key], self._later[key], strict=True))
        self[key] = fading
        return fading


class Evaluation(NamedTuple):
    """What districts of one kind promise, at one number of seats and years to come; gains are in prestige."""

    prize: int
    """What rebuilding brings; 0 where nothing is left to rebuild."""

    shares: Shares
    standings: Standings
    gains: Gains
    settling: Settling
    fading: Fading


@lru_cache(maxsize=1024)
def evaluation(seats: int, years: int, prize: int, landmark: bool, temper: Temper) -> Evaluation:
    """Give the outlook of a landmark or an ordinary district; its tables fill as they are asked."""
    shares = Shares(seats, years, landmark, temper)
    standings = Standings(shares, prize)
    later = Standings(Shares(seats, max(0, years - 1), landmark, temper), prize)
    gains, settling = Gains(standings, seats), Settling(seats, landmark, prize)
    return Evaluation(prize, shares, standings, gains, settling, Fading(standings, later))


@lru_cache(maxsize=1024)
def evaluations(seats: int, years: int, bonuses: tuple[str, ...], temper: Temper) -> dict[str | None, Evaluation]:
    """Give the outlook of every kind of district in ruins; that of None is for all others."""
    found: dict[str | None, Evaluation] = {
        kind: evaluation(seats, years, prestige + (BONUS_PRESTIGE if kind in bonuses else 0), kind in LANDMARKS, temper)
        for kind, prestige in PRESTIGE.items()
    }
    nothing = evaluation(seats, years, 0, False, temper)
    return found | {None: nothing, PARK: nothing}
