"""What a city is worth to a seat as the others stand: the one judgement that all strengths share.

Worth is counted in half points, as a lead over the average of the others. A rank is weighed by how likely each other
seat is to end up ahead, from what lies now and from what may still come; all else is counted as far as it is likely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

from server.games.engine.game import Seat
from server.games.planners.city import NEIGHBOURS, ROW_BITS, City, beside, spaces_of
from server.games.planners.components import (
    CABLE_CAR_POINTS,
    CARDS,
    COLUMNS,
    DISTRICT_BONUSES,
    DISTRICT_POINTS,
    MEDAL_POINTS,
    ROW_POINTS,
    ROWS,
    SPACES,
    SQUARE_VALUE,
    TOKEN_POINTS,
    TOWER_POINTS,
    TRACKS,
)
from server.games.planners.state import State


@dataclass(frozen=True)
class Weights:
    """What a strategy makes of things that can only be guessed."""

    contract: float = 1.3
    """What holding a contract costs while much is to come."""

    medal: float = 0.75
    """How likely who has the medal is to keep it."""

    card_value: float = 1.5
    """What a card that is still to come counts in its row."""

    square_hope: float = 0.4
    """How likely a square beside an empty space is to be reached by a cable car."""

    car_share: float = 0.42
    """How many of the cards to come have tracks or depots."""

    compass_share: float = 0.38
    """How many of the cards to come have a compass."""

    seaside: float = 0.25
    """What a seaside card promises for foundations to come."""

    foresight: float = 1.0
    """How much of what is not there yet is counted."""

    patience: float = 3.0
    """What a column must be worth to be taken by somebody, as far as others can tell."""

    later: float = 0.85
    """What a gain in the next turn is worth now."""

    growth: float = 1.5
    """By how much the best column becomes better till the next turn."""

    envy: float = 0.3
    """How much of what the others gain counts as a loss."""

    length: float = 0.05
    """What speaks against making a long column longer."""


BONUS_WORTH: Final = {"value": 1.6, "universal": 3.6, "depot": 2.2, "points": 3.0, "release": 1.6, TRACKS: 1.2}
"""What a bonus is worth before one has looked where to put it."""

_FIRST_TO_FILL: Final = (0.0, 0.02, 0.06, 0.2, 0.6)
"""How strongly a row with so many cards stands for being the first to be full."""

_LATE: Final = 0.35
"""What stands against anybody filling a row at all."""


class Standing(NamedTuple):
    """What is expected of a total at the end."""

    mean: float
    variance: float


class Evaluation:
    """A position looked at from all seats. It must not be used for a position with other cities or another clock."""

    def __init__(self, state: State, weights: Weights) -> None:
        self.state, self.weights = state, weights
        seats = state.settings.seats
        self.to_come = cards_to_come(state)
        """How many more cards each seat may place."""

        self.haste = min(1.0, self.to_come / 6)
        """How much there is still to come: 0 at the end of a game."""

        rate = self.to_come / ROWS
        self._added = [_expected_cards(empty, rate) for empty in range(COLUMNS + 1)]
        self._second_compass = [
            (1 - math.exp(-added * weights.compass_share)) * weights.foresight for added in self._added
        ]
        self._bonuses = {
            bonus: worth * (1.0 if bonus == "points" else 0.4 + 0.6 * self.haste)
            for bonus, worth in BONUS_WORTH.items()
        }
        self._lead = 1 + 1 / (seats - 1)
        self._rows: list[list[Standing]] = []
        self._cars: list[Standing] = []
        for city in state.cities:
            totals = self._totals(city)
            self._rows.append([self._row(totals[row], city.filled[row]) for row in range(ROWS)])
            self._cars.append(self._car_standing(city))
        self._ranks: dict[tuple[Seat, int, int, float], float] = {}
        self._car_ranks: dict[tuple[int, Standing], float] = {}
        self._races: dict[tuple[Seat, int, int], float] = {}

    def at(self, state: State) -> Evaluation:
        """Give this outlook on a state a few turns later, with the others judged as they stood here."""
        later = object.__new__(Evaluation)
        later.__dict__ = self.__dict__.copy()
        later.state = state
        return later

    # -- the worth of a city ----------------------------------------------------------------------------------

    def worth(self, seat: Seat, city: City) -> float:
        """Give what a seat with this city is ahead of the others, contracts and tokens aside."""
        totals, filled = self._totals(city), city.filled
        worth = self._rank_of_cars(seat, self._car_standing(city))
        for row in range(ROWS):
            worth += self._rank_in_row(seat, row, totals[row], filled[row])
        worth += self._towers(seat, city) + self._completions(seat, city) + self._compasses(city)
        return worth

    def contract_worth(self, contracts: tuple[int, ...], seat: Seat) -> float:
        """Give what a seat is ahead by contracts: nothing is worth less than having many of them."""
        others = (sum(contracts) - contracts[seat]) / (len(contracts) - 1)
        return self.weights.contract * self.haste * (0.6 * others - contracts[seat])

    def leads(self) -> list[float]:
        """Give what each seat is ahead of the others, all counted."""
        state = self.state
        return [
            self.worth(seat, city)
            + self.contract_worth(state.contracts, seat)
            + TOKEN_POINTS * state.point_tokens[seat]
            + self.bonus_worth("release") * state.releases[seat]
            for seat, city in enumerate(state.cities)
        ]

    def bonus_worth(self, bonus: str) -> float:
        """Give what a bonus is worth in general."""
        return self._bonuses[bonus]

    def compass_bonus(self, row: int) -> float:
        """Give what the second compass in a row is worth in general."""
        supply, own = self.state.bonuses, DISTRICT_BONUSES[row]
        tracks = self._bonuses[TRACKS] if supply[TRACKS] else 0.0
        return max(self._bonuses[own], tracks) if supply[own] else tracks

    # -- ranks ------------------------------------------------------------------------------------------------

    def _totals(self, city: City) -> list[float]:
        """Give what each row counts, with what its squares may still count."""
        values = city.values()
        totals: list[float] = [sum(values[start : start + COLUMNS]) for start in range(0, SPACES, COLUMNS)]
        dark = city.squares & ~beside(city.cars)
        if dark:
            hope = SQUARE_VALUE * self.weights.square_hope * self.haste * self.weights.foresight
            for space in spaces_of(dark):
                if any(not city.cards[neighbour] for neighbour in NEIGHBOURS[space]):
                    totals[space // COLUMNS] += hope
        return totals

    def _row(self, total: float, filled: int) -> Standing:
        added = self._added[COLUMNS - filled]
        return Standing(total + self.weights.card_value * added, 0.15 + 1.3 * added)

    def _car_standing(self, city: City) -> Standing:
        near = beside(city.cars)
        filled = city.filled
        ends = 0.0
        for row in range(ROWS):
            if filled[row] < COLUMNS and (row == ROWS - 1 or near >> (row * COLUMNS + filled[row]) & 1):
                ends += 1
        idle = (city.tracks & ~city.cars).bit_count()
        growth = self.to_come * self.weights.car_share * (0.45 + 0.06 * ends)
        hope = 0.5 * idle * self.haste * self.weights.foresight
        return Standing(city.cars.bit_count() + growth + hope, 0.15 + growth)

    def _rank_in_row(self, seat: Seat, row: int, total: float, filled: int) -> float:
        key = seat, row, filled, total
        worth = self._ranks.get(key)
        if worth is None:
            own = self._row(total, filled)
            others = [rows[row] for other, rows in enumerate(self._rows) if other != seat]
            worth = self._ranks[key] = self._lead * _rank_points(own, others, DISTRICT_POINTS[len(self._rows)])
        return worth

    def _rank_of_cars(self, seat: Seat, own: Standing) -> float:
        key = seat, own
        worth = self._car_ranks.get(key)
        if worth is None:
            others = [cars for other, cars in enumerate(self._cars) if other != seat]
            worth = self._car_ranks[key] = self._lead * _rank_points(own, others, CABLE_CAR_POINTS[len(self._cars)])
        return worth

    # -- what is counted besides ------------------------------------------------------------------------------

    def _towers(self, seat: Seat, city: City) -> float:
        towers = city.towers.bit_count()
        worth = float(TOWER_POINTS * towers)
        state, weights = self.state, self.weights
        if state.medal == seat:
            worth += MEDAL_POINTS * weights.medal
        elif towers:
            holder = 0 if state.medal is None else state.cities[state.medal].towers.bit_count()
            if towers > holder:
                worth += MEDAL_POINTS * weights.medal
        chance = weights.foresight * self.haste
        if city.foundations != city.towers:
            needs = city.needs
            for site, around in city.sites():
                empty = sum([not city.cards[space] for space in NEIGHBOURS[site]])
                if empty:
                    missing = (needs - around) / empty
                    worth += TOWER_POINTS * 1.15 * chance * _tower_chance(missing)
        return worth + weights.seaside * chance * city.seasides.bit_count()

    def _completions(self, seat: Seat, city: City) -> float:
        worth = 0.0
        for row, holder in enumerate(self.state.completed):
            if holder is not None:
                worth += ROW_POINTS * (holder == seat)
            elif city.filled[row] == COLUMNS:
                worth += ROW_POINTS
            elif city.filled[row]:
                worth += self._race(seat, row, city.filled[row])
        return worth

    def _race(self, seat: Seat, row: int, filled: int) -> float:
        """Give what it is worth to have so many cards in a row that nobody has filled yet."""
        key = seat, row, filled
        worth = self._races.get(key)
        if worth is None:
            cities = enumerate(self.state.cities)
            rivals = sum([_FIRST_TO_FILL[min(4, city.filled[row])] for other, city in cities if other != seat])
            share = _FIRST_TO_FILL[filled]
            chance = share / (share + rivals + _LATE)
            worth = self._races[key] = ROW_POINTS * self.haste * self.weights.foresight * chance
        return worth

    def _compasses(self, city: City) -> float:
        compasses = city.compasses
        if not compasses:
            return 0.0
        worth = 0.0
        for row, bits in enumerate(ROW_BITS):
            if (compasses & bits).bit_count() == 1:
                worth += self.compass_bonus(row) * self._second_compass[COLUMNS - city.filled[row]]
        return worth


def _tower_chance(missing: float) -> float:
    """Give how likely a skyscraper is where each empty space around it must bring so much."""
    return 1 / (1 + math.exp(2.2 * (missing - 1.9)))


def cards_to_come(state: State) -> float:
    """Give how many more cards each seat may place before the tokens are used up or a city is full."""
    seats = state.settings.seats
    unseen = sum(CARDS[card].foundation for card in state.deck)
    draws = min(len(state.deck), state.tokens * (len(state.deck) + 1) / (unseen + 1))
    market = sum(map(len, state.columns)) + len(state.hand)
    by_tokens = 0.85 * (draws + market) / seats
    least = min(SPACES - sum(city.filled) for city in state.cities)
    return min(by_tokens, 1.15 * least)


def _expected_cards(empty: int, rate: float) -> float:
    """Give how many of so many spaces will be filled if cards come at random at a rate."""
    term, below, expected = math.exp(-rate), 0.0, 0.0
    for count in range(empty):
        expected += count * term
        below += term
        term *= rate / (count + 1)
    return expected + empty * max(0.0, 1 - below)


def _rank_points(own: Standing, others: list[Standing], points: tuple[int, ...]) -> float:
    """Give the points of a rank to be expected: a step less for each seat that ends up ahead."""
    step = points[-2] - points[-1]
    last, alone = float(points[-1]), 1.0
    for other in others:
        ahead = 1 / (1 + math.exp(-1.7 * (own.mean - other.mean) / math.sqrt(own.variance + other.variance)))
        last += step * ahead
        alone *= ahead
    # The first rank of the cable cars gives a little more than a step.
    return last + alone * (points[0] - points[-1] - step * len(others))
