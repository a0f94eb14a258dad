"""The evaluation of a position: the gain of each seat from sticks on streets and from the effects of action cards.

Gains are in prestige, with a part of the rivals' expected prestige counted against the own (`districts.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import Final, NamedTuple

from server.bots.investors.districts import CODES, DistrictWeights, tables_by_kind
from server.bots.investors.resources import MEAN_CHEQUE, ResourceWeights, influence_worth, money_worth
from server.games.engine.game import Seat
from server.games.investors.city import DISTRICTS_OF, FREE, STREETS_OF
from server.games.investors.components import YEARS
from server.games.investors.state import State

NOWHERE: Final = -1

_WIN_VALUE: Final = 6.0
_LOSS_VALUE: Final = -1.5
"""The value, in prestige, of ending the game as its winner, and of ending it as a loser.

Losing costs little, so that a loser does not stall: the game would only run until nobody can pay any more.
"""


class BiddingWeights(NamedTuple):
    """The weights of auctions by cheques, tuned in many games."""

    part: float = 0.75
    """The part of the value of a right that a seat pays at most at the start; it rises to all of it at the end."""

    jump: float = 0.8
    """The part of the way from the highest bid to the price that rivals can pay, by which a bid is raised."""

    min_step: float = 0.1
    """The part of the highest bid by which a bid is raised at least."""

    cheque_cost: float = 20.0
    """The cost, in money, of paying with one more cheque: few cheques can pay fewer sums later."""


class Weights(NamedTuple):
    """All weights of the evaluation."""

    district: DistrictWeights = DistrictWeights()
    resources: ResourceWeights = ResourceWeights()
    bidding: BiddingWeights = BiddingWeights()
    risk_aversion: float = 0.0
    """By how much a loss counts for more than a gain when cheques are drawn."""

    spite: float = 0.0
    """The weight of the expected prestige of the leading opponent, beside its part as one of the rivals."""


class Spot(NamedTuple):
    """A street and the gain of a seat from its stick there."""

    street: int
    gain: float


NO_SPOT: Final = Spot(NOWHERE, 0.0)


class Evaluation:
    """A position with the gains that it offers to each seat."""

    def __init__(self, state: State, weights: Weights) -> None:
        self.state, self.weights = state, weights
        self.seats = state.settings.seats
        self.action_worth: list[float] | None = None
        """The value of the open action card for each seat, computed on demand."""

        self._spots: dict[str, list[Spot]] = {}
        self._kept_gains: list[tuple[float, ...]] | None = None
        self._kept_tempo: list[float] | None = None
        self._kept_leaders: list[Seat] | None = None
        self.years = YEARS - len(state.years)
        """Action cards still to be laid, the open one included."""

        self.paid_part = 1 - (1 - weights.bidding.part) * self.years / YEARS
        """The part of the value of a right that a seat pays at most."""

        sticks = state.sticks
        self.keys = [
            CODES[sticks[a]] + CODES[sticks[b]] + CODES[sticks[c]] + CODES[sticks[d]] for a, b, c, d in STREETS_OF
        ]
        found = tables_by_kind(self.seats, self.years, state.open_bonuses, weights.district)
        self.districts = [
            found[kind if owner < 0 else None] for kind, owner in zip(state.layout, state.rebuilt, strict=True)
        ]

    def at(self, state: State) -> Evaluation:
        """Return the evaluation of a later state: this one, if the city and the years have not changed."""
        now = self.state
        if (
            state.sticks == now.sticks
            and state.rebuilt == now.rebuilt
            and len(state.years) == len(now.years)
            and state.open_bonuses == now.open_bonuses
            and state.tender == now.tender
            and state.action == now.action
        ):
            self.state = state
            return self
        return Evaluation(state, self.weights)

    @property
    def _gains(self) -> list[tuple[float, ...]]:
        """Return, by seat and street, the gain from a stick of the seat; only free streets count."""
        if self._kept_gains is None:
            self._kept_gains = self._computed_gains()
        return self._kept_gains

    def _computed_gains(self) -> list[tuple[float, ...]]:
        rows = [district.gains[key] for district, key in zip(self.districts, self.keys, strict=True)]
        rebuilding = [district.rebuilding_seats[key] for district, key in zip(self.districts, self.keys, strict=True)]
        none = (0.0,) * self.seats
        gains = []
        for street, owner in enumerate(self.state.sticks):
            if owner != FREE:
                gains.append(none)
                continue
            first, *second = DISTRICTS_OF[street]
            row, rebuilders = rows[first], rebuilding[first]
            for other in second:
                row, rebuilders = tuple(map(add, row, rows[other])), rebuilders + rebuilding[other]
            row = self._with_spite(street, row) if self.weights.spite else row
            gains.append(self._with_year_end(street, row, rebuilders) if rebuilders else row)
        return list(zip(*gains, strict=True))

    def _with_spite(self, street: int, row: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(
            gain + self._spite_gain(seat, {d: self.keys[d] + CODES[seat] - CODES[FREE] for d in DISTRICTS_OF[street]})
            for seat, gain in enumerate(row)
        )

    def _spite_gain(self, seat: Seat, keys: Mapping[int, int]) -> float:
        """Return what the losses of the leading opponent are worth to a seat when districts get these keys."""
        leader, lost = self.leaders[seat], 0.0
        for district, key in keys.items():
            tables = self.districts[district]
            if tables.prize:
                probabilities = tables.probabilities
                lost += tables.prize * (probabilities[self.keys[district]][leader] - probabilities[key][leader])
        return self.weights.spite * lost

    @property
    def leaders(self) -> list[Seat]:
        """Return, by seat, the opponent with the highest expected prestige."""
        if self._kept_leaders is None:
            expected = self.expected_prestige()
            self._kept_leaders = [
                max((other for other in range(self.seats) if other != seat), key=expected.__getitem__)
                for seat in range(self.seats)
            ]
        return self._kept_leaders

    def expected_prestige(self) -> list[float]:
        """Return the prestige of each seat with what it can expect from the districts in ruins."""
        totals = [float(prestige) for prestige in self.state.prestige]
        for key, district in zip(self.keys, self.districts, strict=True):
            if district.prize:
                for seat, probability in enumerate(district.probabilities[key]):
                    totals[seat] += district.prize * probability
        return totals

    def _with_year_end(self, street: int, row: tuple[float, ...], rebuilders: tuple[Seat, ...]) -> tuple[float, ...]:
        gains = list(row)
        for seat in set(rebuilders):
            change = CODES[seat] - CODES[FREE]
            keys = {district: self.keys[district] + change for district in DISTRICTS_OF[street]}
            gains[seat] += self._year_end_gain(seat, keys)
        return tuple(gains)

    def _year_end_gain(self, seat: Seat, keys: Mapping[int, int]) -> float:
        """Return the gain of a seat from the end of the year, when districts get these keys and one is rebuilt."""
        if self.years > 1:
            return self.tempo[seat]
        totals = list(self.state.prestige)
        for district, key in keys.items():
            tables = self.districts[district]
            if tables.prize and 1.0 in tables.probabilities[key]:
                totals[tables.probabilities[key].index(1.0)] += tables.prize
        rival = max(total for other, total in enumerate(totals) if other != seat)
        return _WIN_VALUE if totals[seat] > rival else _LOSS_VALUE if totals[seat] < rival else 0.0

    @property
    def tempo(self) -> list[float]:
        """Return the gain of each seat when a year goes by and nothing else happens."""
        if self._kept_tempo is None:
            self._kept_tempo = self._computed_tempo()
        return self._kept_tempo

    def _computed_tempo(self) -> list[float]:
        year_end_gains = [district.year_end_gains[key] for district, key in zip(self.districts, self.keys, strict=True)]
        change: list[float] = list(map(sum, zip(*year_end_gains, strict=True)))
        later = self.years - 1
        wealth = [self.wealth(seat, later) - self.wealth(seat, self.years) for seat in range(self.seats)]
        rivalry = self.weights.district.rivalry / (self.seats - 1)
        total = sum(wealth)
        return [own + part - rivalry * (total - part) for own, part in zip(change, wealth, strict=True)]

    def wealth(self, seat: Seat, years: int) -> float:
        """Return the value of a seat's influence and cheques; only the number of cheques counts, as for rivals."""
        resources = self.weights.resources
        money = int(len(self.state.hands[seat]) * MEAN_CHEQUE)
        return influence_worth(self.state.influence[seat], years, resources) + money_worth(money, years, resources)

    # -- sticks ----------------------------------------------------------------------------------------------

    def gain(self, street: int, seat: Seat) -> float:
        """Return the gain of a seat from its stick on a free street."""
        return self._gains[seat][street]

    def rebuilds(self, street: int, seat: Seat) -> bool:
        """Return whether a seat's stick on a free street rebuilds a district, for this seat or another."""
        return any(
            seat in self.districts[district].rebuilding_seats[self.keys[district]] for district in DISTRICTS_OF[street]
        )

    def best(self, streets: Sequence[int], seat: Seat) -> Spot:
        """Return the street with the highest gain for a seat, or `NO_SPOT` if no street gains anything."""
        if not streets:
            return NO_SPOT
        gains = self._gains[seat]
        street = max(streets, key=gains.__getitem__)
        return Spot(street, gains[street]) if gains[street] > 0 else NO_SPOT

    def best_at(self, target: str) -> list[Spot]:
        """Return each seat's best street among those that a target opens."""
        spots = self._spots.get(target)
        if spots is None:
            streets = self.state.open_streets(target)
            spots = self._spots[target] = [self.best(streets, seat) for seat in range(self.seats)]
        return spots

    def ranked(self, streets: Iterable[int], seat: Seat) -> list[Spot]:
        """Return the streets with a gain for a seat, the best first."""
        gains = self._gains[seat]
        spots = [Spot(street, gains[street]) for street in streets if gains[street] > 0]
        spots.sort(key=lambda spot: -spot.gain)
        return spots

    # -- changes of several sticks --------------------------------------------------------------------------------

    def gain_after(self, changes: Sequence[tuple[int, int]], seat: Seat) -> float:
        """Return the gain of a seat when streets get other owners; changes are pairs of street and owner."""
        keys: dict[int, int] = {}
        sticks = self.state.sticks
        for street, owner in changes:
            difference = CODES[owner] - CODES[sticks[street]]
            for district in DISTRICTS_OF[street]:
                if self.districts[district].prize:
                    keys[district] = keys.get(district, self.keys[district]) + difference
        total = 0.0
        is_rebuilt = False
        for district, key in keys.items():
            tables = self.districts[district]
            total += tables.seat_values[key][seat] - tables.seat_values[self.keys[district]][seat]
            is_rebuilt = is_rebuilt or 1.0 in tables.probabilities[key]
        if self.weights.spite:
            total += self._spite_gain(seat, keys)
        return total + self._year_end_gain(seat, keys) if is_rebuilt else total
