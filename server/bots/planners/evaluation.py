"""The evaluation of a city for a seat, relative to the other seats. All strengths share it.

Values are in half points, as a lead over the mean of the others. A rank counts by the probability that each other seat
ends ahead, from a normal approximation of the final totals; everything else counts by its expected points.
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
    """The weights of everything that can only be estimated, tuned in many games."""

    contract: float = 1.3
    """The cost of holding a contract while much of the game remains."""

    medal: float = 0.75
    """The probability that the holder of the medal keeps it."""

    card_value: float = 1.5
    """The expected value of a future card in its row."""

    square_chance: float = 0.4
    """The probability that a cable car reaches a square beside an empty space."""

    car_share: float = 0.42
    """The part of future cards with tracks or depots."""

    compass_share: float = 0.38
    """The part of future cards with a compass."""

    built: float = 1.3
    """The weight of a skyscraper that stands: it also makes the medal likelier."""

    race: float = 1.7
    """The weight of the races to be the first to complete a row."""

    tower: float = 0.8
    """The weight of skyscrapers that may still be built."""

    seaside: float = 0.25
    """The value of a seaside card for future foundations."""

    foresight: float = 1.0
    """The part of expected future points that counts."""

    take_threshold: float = 3.0
    """The minimum value of a column that a rival is assumed to take."""

    discount: float = 0.85
    """The discount factor of a gain in the next turn."""

    column_growth: float = 1.5
    """By how much the best column improves until the next turn."""

    rivalry: float = 0.3
    """The part of the others' gains that counts as a loss."""

    spite: float = 0.0
    """The additional part of the gains of the leading opponent that counts as a loss, in proportion to `rivalry`."""

    length_penalty: float = 0.05
    """The penalty, for each card, of making a long column longer."""


BONUS_WORTH: Final = {"value": 1.6, "universal": 3.6, "depot": 2.2, "points": 3.0, "release": 1.6, TRACKS: 1.2}
"""The value of a bonus before its place is known."""

_FIRST_TO_FILL: Final = (0.0, 0.02, 0.06, 0.2, 0.6)
"""The weight of a row with so many cards in the race to be the first full one."""

_SUREST_RACE: Final = 0.75
"""The maximum that a race counts for: a row that is complete must always be worth more."""

_NOBODY_FILLS: Final = 0.35
"""The weight of the case that no seat fills the row."""

_TOWER_CARD: Final = 2.58
_TOWER_ARRIVAL: Final = 0.87
_TOWER_GROWTH: Final = 1.56
_TOWER_OFFSET: Final = 0.34
_TOWER_VARIANCE: Final = 1.47
"""The probability of a skyscraper, fitted to 27,000 foundations that were met in games of `normal`: the mean value of a
card that is laid beside a foundation, the part of a seat's cards that reach its row, what tokens and lit squares add
while much of the game remains, an offset, and the variance besides that of the cards."""


class Distribution(NamedTuple):
    """The distribution of a final total (normal approximation)."""

    mean: float
    variance: float


class Evaluation:
    """A position evaluated for all seats. It must not be used for a position with other cities or more cards drawn."""

    def __init__(self, state: State, weights: Weights, earlier: Evaluation | None = None) -> None:
        self.state, self.weights = state, weights
        self._leads: list[float] | None = None
        if earlier is not None:
            self.to_come: float = earlier.to_come
            self.remaining: float = earlier.remaining
            self._added: list[float] = earlier._added
            self._second_compass: list[float] = earlier._second_compass
            self._bonuses: dict[str, float] = earlier._bonuses
            self._lead: float = earlier._lead
            self._rows: list[list[Distribution]] = earlier._rows
            self._cars: list[Distribution] = earlier._cars
            self._ranks: dict[tuple[Seat, int, int, float], float] = earlier._ranks
            self._car_ranks: dict[tuple[int, Distribution], float] = earlier._car_ranks
            self._races: dict[tuple[Seat, int, int], float] = earlier._races
            self._fill_chances: list[float] = earlier._fill_chances
            self._tower_chances: dict[tuple[int, ...], float] = earlier._tower_chances
            return
        seats = state.settings.seats
        self.to_come = cards_to_come(state)
        """The expected number of cards that each seat will still place."""

        self.remaining = min(1.0, self.to_come / 6)
        """The part of the game that remains: 0 at its end."""

        rate = self.to_come / ROWS
        self._added = [_expected_cards(empty, rate) for empty in range(COLUMNS + 1)]
        self._second_compass = [
            (1 - math.exp(-added * weights.compass_share)) * weights.foresight for added in self._added
        ]
        self._bonuses = {
            bonus: worth * (1.0 if bonus == "points" else 0.4 + 0.6 * self.remaining)
            for bonus, worth in BONUS_WORTH.items()
        }
        self._lead = 1 + 1 / (seats - 1)
        self._rows = []
        self._cars = []
        for city in state.cities:
            totals = self._totals(city)
            self._rows.append([self._row_expected(totals[row], city.filled[row]) for row in range(ROWS)])
            self._cars.append(self._cars_expected(city))
        self._fill_chances = [_poisson_at_least(_TOWER_ARRIVAL * rate, distance + 1) for distance in range(COLUMNS)]
        self._tower_chances = {}
        self._ranks = {}
        self._car_ranks = {}
        self._races = {}

    def at(self, state: State) -> Evaluation:
        """Return this evaluation for a state a few turns later, with the others evaluated as they are here."""
        return Evaluation(state, self.weights, self)

    # -- the value of a city ----------------------------------------------------------------------------------

    def worth(self, seat: Seat, city: City) -> float:
        """Return the lead of a seat with this city, without contracts and tokens."""
        totals, filled = self._totals(city), city.filled
        worth = self._rank_of_cars(seat, self._cars_expected(city))
        for row in range(ROWS):
            worth += self._rank_in_row(seat, row, totals[row], filled[row])
        worth += self._towers(seat, city) + self._completions(seat, city) + self._compasses(city)
        return worth

    def contract_worth(self, contracts: tuple[int, ...], seat: Seat) -> float:
        """Return the lead of a seat by contracts: the fewer, the better."""
        others = (sum(contracts) - contracts[seat]) / (len(contracts) - 1)
        return self.weights.contract * self.remaining * (0.6 * others - contracts[seat])

    def leads(self) -> list[float]:
        """Return the whole lead of each seat."""
        state = self.state
        return [
            self.worth(seat, city)
            + self.contract_worth(state.contracts, seat)
            + TOKEN_POINTS * state.point_tokens[seat]
            + self.bonus_worth("release") * state.releases[seat]
            for seat, city in enumerate(state.cities)
        ]

    def leading_rival(self, seat: Seat) -> Seat:
        """Return the opponent of a seat who leads."""
        if self._leads is None:
            self._leads = self.leads()
        leads = self._leads
        return max((other for other in range(len(leads)) if other != seat), key=leads.__getitem__)

    def bonus_worth(self, bonus: str) -> float:
        """Return the value of a bonus before its place is known."""
        return self._bonuses[bonus]

    def compass_bonus(self, row: int) -> float:
        """Return the value of the bonus for the second compass in a row."""
        supply, own = self.state.bonuses, DISTRICT_BONUSES[row]
        tracks = self._bonuses[TRACKS] if supply[TRACKS] else 0.0
        if supply[own]:
            return max(self._bonuses[own], tracks)
        return 0.0 if self.state.settings.sold_out_leaves_nothing else tracks

    # -- ranks ------------------------------------------------------------------------------------------------

    def _totals(self, city: City) -> list[float]:
        """Return the total of each row, with the expected value of its squares."""
        values = city.values()
        totals: list[float] = [sum(values[start : start + COLUMNS]) for start in range(0, SPACES, COLUMNS)]
        dark = city.squares & ~beside(city.cars)
        if dark:
            hope = SQUARE_VALUE * self.weights.square_chance * self.remaining * self.weights.foresight
            for space in spaces_of(dark):
                if any(not city.cards[neighbour] for neighbour in NEIGHBOURS[space]):
                    totals[space // COLUMNS] += hope
        return totals

    def _row_expected(self, total: float, filled: int) -> Distribution:
        added = self._added[COLUMNS - filled]
        return Distribution(total + self.weights.card_value * added, 0.15 + 1.3 * added)

    def _cars_expected(self, city: City) -> Distribution:
        near = beside(city.cars)
        filled = city.filled
        ends = 0.0
        for row in range(ROWS):
            if filled[row] < COLUMNS and (row == ROWS - 1 or near >> (row * COLUMNS + filled[row]) & 1):
                ends += 1
        unconnected = (city.tracks & ~city.cars).bit_count()
        growth = self.to_come * self.weights.car_share * (0.45 + 0.06 * ends)
        hope = 0.5 * unconnected * self.remaining * self.weights.foresight
        return Distribution(city.cars.bit_count() + growth + hope, 0.15 + growth)

    def _rank_in_row(self, seat: Seat, row: int, total: float, filled: int) -> float:
        key = seat, row, filled, total
        worth = self._ranks.get(key)
        if worth is None:
            own = self._row_expected(total, filled)
            others = [rows[row] for other, rows in enumerate(self._rows) if other != seat]
            worth = self._ranks[key] = self._lead * _rank_points(own, others, DISTRICT_POINTS[len(self._rows)])
        return worth

    def _rank_of_cars(self, seat: Seat, own: Distribution) -> float:
        key = seat, own
        worth = self._car_ranks.get(key)
        if worth is None:
            others = [cars for other, cars in enumerate(self._cars) if other != seat]
            worth = self._car_ranks[key] = self._lead * _rank_points(own, others, CABLE_CAR_POINTS[len(self._cars)])
        return worth

    # -- towers, full rows and compasses ------------------------------------------------------------------------------

    def _towers(self, seat: Seat, city: City) -> float:
        towers = city.towers.bit_count()
        state, weights = self.state, self.weights
        worth = TOWER_POINTS * weights.built * towers
        if state.medal == seat:
            worth += MEDAL_POINTS * weights.medal
        elif towers:
            holder = 0 if state.medal is None else state.cities[state.medal].towers.bit_count()
            if towers > holder:
                worth += MEDAL_POINTS * weights.medal
        chance = weights.foresight * self.remaining
        if city.foundations != city.towers:
            needs, cards, filled = city.needs, city.cards, city.filled
            for site, around in city.sites():
                # By how many cards each empty space is away: cards of a row come from the left.
                distances = [
                    space % COLUMNS - filled[space // COLUMNS] for space in NEIGHBOURS[site] if not cards[space]
                ]
                worth += (
                    TOWER_POINTS * weights.tower * weights.foresight * self._tower_chance(needs - around, distances)
                )
        return worth + weights.seaside * chance * city.seasides.bit_count()

    def _tower_chance(self, missing: int, distances: list[int]) -> float:
        """Return the probability of a skyscraper where so much value is missing around a foundation."""
        key = missing, *sorted(distances)
        chance = self._tower_chances.get(key)
        if chance is None:
            filled = [self._fill_chances[distance] for distance in distances]
            mean = _TOWER_CARD * sum(filled) + _TOWER_GROWTH * math.tanh(self.to_come / 6) - missing - _TOWER_OFFSET
            variance = _TOWER_VARIANCE + sum([part * (1.2 + _TOWER_CARD**2 * (1 - part)) for part in filled])
            chance = self._tower_chances[key] = 1 / (1 + math.exp(-1.7 * mean / math.sqrt(variance)))
        return chance

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
        """Return the value of so many cards in a row that no seat has filled yet."""
        key = seat, row, filled
        worth = self._races.get(key)
        if worth is None:
            cities = enumerate(self.state.cities)
            rivals = sum([_FIRST_TO_FILL[min(4, city.filled[row])] for other, city in cities if other != seat])
            share = _FIRST_TO_FILL[filled]
            chance = share / (share + rivals + _NOBODY_FILLS)
            hope = min(_SUREST_RACE, self.weights.race * chance)
            worth = self._races[key] = ROW_POINTS * self.remaining * self.weights.foresight * hope
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


def cards_to_come(state: State) -> float:
    """Return the expected number of cards per seat before the tokens are used up or a city is full."""
    seats = state.settings.seats
    unseen = sum(CARDS[card].foundation for card in state.deck)
    draws = min(len(state.deck), state.tokens * (len(state.deck) + 1) / (unseen + 1))
    market = sum(map(len, state.columns)) + len(state.hand)
    by_tokens = 0.85 * (draws + market) / seats
    free_spaces = min(SPACES - sum(city.filled) for city in state.cities)
    return min(by_tokens, 1.15 * free_spaces)


def _poisson_at_least(rate: float, number: int) -> float:
    """Return the probability that at least so many cards arrive as a Poisson process of this rate."""
    term, below = math.exp(-rate), 0.0
    for count in range(number):
        below += term
        term *= rate / (count + 1)
    return 1 - below


def _expected_cards(empty: int, rate: float) -> float:
    """Return the expected number of filled spaces if cards arrive as a Poisson process of this rate."""
    term, below, expected = math.exp(-rate), 0.0, 0.0
    for count in range(empty):
        expected += count * term
        below += term
        term *= rate / (count + 1)
    return expected + empty * max(0.0, 1 - below)


def _rank_points(own: Distribution, others: list[Distribution], points: tuple[int, ...]) -> float:
    """Return the expected points of a rank: a step less for each seat that ends ahead (logistic comparison)."""
    step = points[-2] - points[-1]
    last, alone = float(points[-1]), 1.0
    for other in others:
        ahead = 1 / (1 + math.exp(-1.7 * (own.mean - other.mean) / math.sqrt(own.variance + other.variance)))
        last += step * ahead
        alone *= ahead
    # The first rank of the cable cars scores a little more than a step.
    return last + alone * (points[0] - points[-1] - step * len(others))
