"""A position seen as prospects: what each seat gains from sticks on streets and from the effects of action cards.

Gains are in prestige, with the prospects of rivals counted against one's own (`evaluation.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import add
from typing import Final, NamedTuple

from server.bots.investors.evaluation import CODES, Temper, evaluations
from server.bots.investors.purse import USUAL_CHEQUE, Thrift, influence_worth, money_worth
from server.games.engine.game import Seat
from server.games.investors.city import DISTRICTS_OF, FREE, STREETS_OF
from server.games.investors.components import YEARS
from server.games.investors.state import State

NOWHERE: Final = -1

_WON: Final = 6.0
_LOST: Final = -1.5
"""What it is worth, in prestige, to end the game and win it, or to end it and lose it.

A game that is lost is not held up for long: it would only run until nobody can pay any more.
"""


class Weights(NamedTuple):
    """All that tells one way of judging a position from another."""

    temper: Temper = Temper()
    thrift: Thrift = Thrift()


class Spot(NamedTuple):
    """A street and what a seat gains there."""

    street: int
    gain: float


NO_SPOT: Final = Spot(NOWHERE, 0.0)


class Prospects:
    """What a position promises to each seat."""

    def __init__(self, state: State, weights: Weights) -> None:
        self.state, self.weights = state, weights
        self.seats = state.settings.seats
        self.action_worth: list[float] | None = None
        """What the open action card is worth to each seat, once somebody asked."""

        self._spots: dict[str, list[Spot]] = {}
        self.years = YEARS - len(state.years)
        """Action cards still to be laid, the open one included."""

        sticks = state.sticks
        self.keys = [
            CODES[sticks[a]] + CODES[sticks[b]] + CODES[sticks[c]] + CODES[sticks[d]] for a, b, c, d in STREETS_OF
        ]
        found = evaluations(self.seats, self.years, state.open_bonuses, weights.temper)
        self.evaluations = [
            found[kind if owner < 0 else None] for kind, owner in zip(state.layout, state.rebuilt, strict=True)
        ]

    def at(self, state: State) -> Prospects:
        """Give the prospects of a later state: these, if the city and the years are as they were."""
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
        return Prospects(state, self.weights)

    @cached_property
    def _gains(self) -> list[tuple[float, ...]]:
        """By seat and street: what the seat gains with its stick there; only free streets count."""
        rows = [view.gains[key] for view, key in zip(self.evaluations, self.keys, strict=True)]
        settling = [view.settling[key] for view, key in zip(self.evaluations, self.keys, strict=True)]
        none = (0.0,) * self.seats
        gains = []
        for street, owner in enumerate(self.state.sticks):
            if owner != FREE:
                gains.append(none)
                continue
            first, *second = DISTRICTS_OF[street]
            row, settlers = rows[first], settling[first]
            for other in second:
                row, settlers = tuple(map(add, row, rows[other])), settlers + settling[other]
            gains.append(self._with_year_over(street, row, settlers) if settlers else row)
        return list(zip(*gains, strict=True))

    def _with_year_over(self, street: int, row: tuple[float, ...], settlers: tuple[Seat, ...]) -> tuple[float, ...]:
        gains = list(row)
        for seat in set(settlers):
            change = CODES[seat] - CODES[FREE]
            keys = {district: self.keys[district] + change for district in DISTRICTS_OF[street]}
            gains[seat] += self._year_over(seat, keys)
        return tuple(gains)

    def _year_over(self, seat: Seat, keys: Mapping[int, int]) -> float:
        """Give what a seat gains by the year that goes by when districts get these keys and one of them is rebuilt."""
        if self.years > 1:
            return self.tempo[seat]
        totals = list(self.state.prestige)
        for district, key in keys.items():
            view = self.evaluations[district]
            if view.prize and 1.0 in view.shares[key]:
                totals[view.shares[key].index(1.0)] += view.prize
        rival = max(total for other, total in enumerate(totals) if other != seat)
        return _WON if totals[seat] > rival else _LOST if totals[seat] < rival else 0.0

    @cached_property
    def tempo(self) -> list[float]:
        """What each seat gains when a year goes by and nothing else happens."""
        fading = [view.fading[key] for view, key in zip(self.evaluations, self.keys, strict=True)]
        change = map(sum, zip(*fading, strict=True))
        later = self.years - 1
        wealth = [self.wealth(seat, later) - self.wealth(seat, self.years) for seat in range(self.seats)]
        rivalry = self.weights.temper.rivalry / (self.seats - 1)
        total = sum(wealth)
        return [own + part - rivalry * (total - part) for own, part in zip(change, wealth, strict=True)]

    def wealth(self, seat: Seat, years: int) -> float:
        """Give what a seat's influence and cheques are worth; of others' cheques only the number is known."""
        thrift = self.weights.thrift
        money = int(len(self.state.hands[seat]) * USUAL_CHEQUE)
        return influence_worth(self.state.influence[seat], years, thrift) + money_worth(money, years, thrift)

    # -- sticks ----------------------------------------------------------------------------------------------

    def gain(self, street: int, seat: Seat) -> float:
        """Give what a seat gains with its stick on a free street."""
        return self._gains[seat][street]

    def settles(self, street: int, seat: Seat) -> bool:
        """Tell whether a seat's stick on a free street rebuilds something, for whomever."""
        return any(
            seat in self.evaluations[district].settling[self.keys[district]] for district in DISTRICTS_OF[street]
        )

    def best(self, streets: Sequence[int], seat: Seat) -> Spot:
        """Give the street where a seat gains most; nowhere if it gains nothing on any."""
        if not streets:
            return NO_SPOT
        gains = self._gains[seat]
        street = max(streets, key=gains.__getitem__)
        return Spot(street, gains[street]) if gains[street] > 0 else NO_SPOT

    def best_at(self, target: str) -> list[Spot]:
        """Give each seat's best street among those that a target opens."""
        spots = self._spots.get(target)
        if spots is None:
            streets = self.state.open_streets(target)
            spots = self._spots[target] = [self.best(streets, seat) for seat in range(self.seats)]
        return spots

    def ranked(self, streets: Iterable[int], seat: Seat) -> list[Spot]:
        """Give the streets where a seat gains something, the best first."""
        gains = self._gains[seat]
        spots = [Spot(street, gains[street]) for street in streets if gains[street] > 0]
        spots.sort(key=lambda spot: -spot.gain)
        return spots

    # -- any change of sticks --------------------------------------------------------------------------------

    def standing_after(self, reducers: Sequence[tuple[int, int]], seat: Seat) -> float:
        """Give what a seat gains when streets get other owners, each given with its street."""
        keys: dict[int, int] = {}
        sticks = self.state.sticks
        for street, owner in reducers:
            difference = CODES[owner] - CODES[sticks[street]]
            for district in DISTRICTS_OF[street]:
                if self.evaluations[district].prize:
                    keys[district] = keys.get(district, self.keys[district]) + difference
        total = 0.0
        settles = False
        for district, key in keys.items():
            view = self.evaluations[district]
            total += view.standings[key][seat] - view.standings[self.keys[district]][seat]
            settles = settles or 1.0 in view.shares[key]
        return total + self._year_over(seat, keys) if settles else total
