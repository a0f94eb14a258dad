"""The evaluation of a position for one seat: the value of money, steps, cards, plots and permits in final points.

A house needs a building, permits, a turn and money. Each of these counts a part of the value of the house that it
leads to, so that every useful turn gains something before the points are scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import Final, NamedTuple

from server.bots.builders.goals import RemainingPlay, expected_points, majority_gain, plot_gains
from server.games.builders.city import plots_of, sites
from server.games.builders.components import (
    ACTION_CARDS,
    BEST_BUILDER_POINTS,
    BUILDINGS_PER_SEAT,
    DOLLARS_FOR_A_POINT,
    GOAL_POINTS,
    HYDRANT_POINTS,
    LAST_YEAR,
    LIGHT,
    LIGHT_POINTS,
    MAX_MONEY,
    OTHER_GOALS,
    PARK,
    RUBBLE_PRICE,
    SHARED_SYMBOLS,
    START_GOALS,
    SYMBOLS,
    TRAM,
    TRAM_POINTS,
    TRAM_PRICE,
    YEARS,
)
from server.games.builders.scoring import card_points
from server.games.builders.state import State
from server.games.engine.game import Seat

HouseOption = tuple[float, set[int]]
"""The value of a house, and the permits that it takes."""

_NO_HOUSE: Final[HouseOption] = (0.0, set())


class Weights(NamedTuple):
    """The weights of the evaluation, in points, tuned in many games."""

    first_dollars: float = 0.65
    """The value of each of the first dollars while there is much to pay for."""

    later_dollars: float = 0.48
    last_dollars: float = 0.19
    with_building: float = 0.7
    """The part of a house's value that its permits count while a building for it is available."""

    without_building: float = 0.3
    """The same without a building."""

    build_now: float = 0.65
    """The value of building now rather than later: spaces for it are few, and plots are taken."""

    lone_permit: float = 2.7
    material: float = 0.9
    house: float = 3.5
    """The value of a house besides its goals: there will be more goals."""

    goal_discount: float = 2.5
    turns_per_house: float = 7.0
    turn_order: float = 0.1
    """The value of standing one space further to the right."""

    denial: float = 0.28
    """The value of occupying the space on which another seat would build."""

    blind_goal: float = 1.0
    """The part of the mean value of all unseen goals that the top one of the pile counts."""

    spoil: float = 0.0
    """The part of what the leading opponent loses by an answer that counts as a gain."""


WEIGHTS: Final = Weights()
_AREAS: Final = 1 + len(ACTION_CARDS)
_TURNS: Final = _AREAS * (LAST_YEAR - min(YEARS)) + 1
_FIRST_DOLLARS, _LATER_DOLLARS = 4, 9
_GREEDY_STARTS: Final = 3
"""The number of first houses that the greedy assignment of permits tries: the best house may be a poor start."""

_PERMITS_PER_HOUSE: Final = 1.4
_TURNS_PER_PIECE: Final = 1.4


class Evaluation:
    """A position evaluated for one seat, whose hidden goals count; those of others are ignored."""

    def __init__(self, state: State, seat: Seat, weights: Weights = WEIGHTS) -> None:
        self.state, self.seat, self.weights = state, seat, weights
        self.goals = state.common_goals + state.open_goals[seat] + state.hidden_goals[seat]
        self.remaining = remaining_play(state, seat, weights)
        self._edition = state.edition
        self.money_worth = _money_table(
            weights, min(self.remaining.turns, 10), self._edition.money_points, has_goal="money" in self.goals
        )
        self.step_right_worth, self.step_up_worth = self._step(1, 0), self._step(0, 1)
        self.rubble_cost = self.paid(2 * RUBBLE_PRICE, RUBBLE_PRICE)
        self.rubble_worth = self.step_up_worth + self._rubble_goals()
        self.card_worth = tuple(self._card(at) for at in range(len(SYMBOLS)))
        self._plots: list[tuple[float, int]] | None = None
        self._houses: dict[tuple[int, ...], float] = {}
        self._hands: dict[tuple[tuple[int, ...], int, int], float] = {}
        self._chances = _build_chances(state)
        self._rival: Evaluation | None = None
        self._reach: int | None = None

    # -- money, steps and cards -------------------------------------------------------------------------------

    def paid(self, before: int, after: int) -> float:
        """Return the value of a change of money."""
        return self.money_worth[min(after, MAX_MONEY)] - self.money_worth[before]

    def _step(self, right: int, up: int) -> float:
        column, row, edition = self.state.columns[self.seat], self.state.rows[self.seat], self._edition
        steps = column + row
        if steps == edition.last_column + edition.last_row:
            return self.paid(self.state.money[self.seat], self.state.money[self.seat] + 1)
        if column + right > edition.last_column or row + up > edition.last_row:
            right, up = up, right
        worth = float(self._edition.points_by_steps[steps + 1] - self._edition.points_by_steps[steps])
        if "column" in self.goals and right:
            worth += edition.column_bar[column + 1] - edition.column_bar[column]
        if "row" in self.goals and up:
            worth += edition.row_bar[row + 1] - edition.row_bar[row]
        return worth

    def _rubble_goals(self) -> float:
        state, seat, worth = self.state, self.seat, 0.0
        if "rubble" in self.goals:
            worth += GOAL_POINTS["rubble"]
        if "majority_rubble" in self.goals:
            worth += majority_gain(state, state.rubble, seat, self.remaining)
        return worth

    def _card(self, at: int) -> float:
        """Return the value of a development card with its step; 0 if none is left."""
        state, seat, symbol = self.state, self.seat, SYMBOLS[at]
        left, own = state.stacks[at], state.cards[seat]
        if not left:
            return 0.0
        if symbol == LIGHT:
            worth = LIGHT_POINTS[own[at] + 1] - LIGHT_POINTS[own[at]] + 0.5 * min(left - 1, self.remaining.houses / 3)
        elif symbol == TRAM:
            worth = TRAM_POINTS + self.paid(TRAM_PRICE, 0)
        elif symbol == PARK:
            worth = float(state.park_values[-left])
        else:
            worth = float(HYDRANT_POINTS)
        if f"card_{symbol}" in self.goals:
            worth += GOAL_POINTS["card"]
        if "card_set" in self.goals and own[at] == min(own):
            missing = own.count(own[at])
            if missing - 1 <= self.remaining.houses:
                worth += GOAL_POINTS["card_set"] * 0.75**missing
        return worth + self.step_right_worth

    # -- plots and houses -------------------------------------------------------------------------------------

    @property
    def plots(self) -> list[tuple[float, int]]:
        """Return the free plots with the value of a house there, less the price of rubble, the best first."""
        if self._plots is None:
            self._plots = sorted(self._valued_plots(), reverse=True)
        return self._plots

    def _valued_plots(self) -> list[tuple[float, int]]:
        state = self.state
        gains: dict[int, float] = {}
        for goal in self.goals:
            for mask, gain in plot_gains(state, goal, self.seat, self.remaining):
                gains[mask] = gains.get(mask, 0.0) + gain
        gains[state.ruins] = gains.get(state.ruins, 0.0) + self.rubble_worth + self.rubble_cost
        base = self.weights.house + gains.pop(state.city.all_plots, 0.0)
        free = state.city.all_plots & ~state.built_up
        worth = dict.fromkeys(plots_of(free), base)
        for mask, gain in gains.items():
            for plot in plots_of(mask & free):
                worth[plot] += gain
        return [(points, plot) for plot, points in worth.items()]

    def best_plots(self, mask: int, limit: int) -> list[tuple[float, int]]:
        """Return the best plots of a set."""
        found = []
        for entry in self.plots:
            if mask >> entry[1] & 1:
                found.append(entry)
                if len(found) == limit:
                    break
        return found

    def card_with(self, permits: tuple[int, ...]) -> float:
        """Return the value of the best development card that two permits bring."""
        if len(permits) < 2:
            return 0.0
        shared = SHARED_SYMBOLS[permits[0]][permits[1]]
        return max([0.0, *(self.card_worth[SYMBOLS.index(symbol)] for symbol in shared)])

    def house(self, permits: tuple[int, ...]) -> float:
        """Return the expected value of a house that these permits allow some time later."""
        known = self._houses.get(permits)
        if known is None:
            best = self.best_plots(sites(self.state.city, permits, subsidised=False), 2)
            known = 0.0
            if best:
                second = best[1][0] if len(best) > 1 else 0.0
                known = max(0.0, 0.7 * best[0][0] + 0.3 * second + self.card_with(permits) + self._cost())
            self._houses[permits] = known
        return known

    def _cost(self) -> float:
        cost = YEARS[self.state.year].build_cost
        return self.paid(cost + 1, 1)

    # -- permits and buildings -------------------------------------------------------------------------------------

    def hand(self, permits: tuple[int, ...], front: int, built: int) -> float:
        """Return the value of permits and available buildings together."""
        key = (permits, front, built)
        known = self._hands.get(key)
        if known is None:
            known = self._hands[key] = self._hand_value(permits, front, BUILDINGS_PER_SEAT - built)
        return known

    def _hand_value(self, permits: tuple[int, ...], front: int, max_houses: int) -> float:
        """Return the value of the houses that permits lead to: the best of a few greedy assignments."""
        houses = [(self.house((one,)), {one}) for one in permits]
        houses += [(self.house(pair), set(pair)) for pair in combinations(permits, 2)]
        houses = sorted([house for house in houses if house[0] > 0], key=_first, reverse=True)
        starts = houses[:_GREEDY_STARTS] or [_NO_HOUSE]
        return max([self._greedy_value((start, *houses), len(permits), front, max_houses) for start in starts])

    def _greedy_value(self, houses: Sequence[HouseOption], permits: int, front: int, max_houses: int) -> float:
        """Return the value of permits and buildings if the first possible house is built each time (greedy)."""
        weights, total, count = self.weights, 0.0, 0
        used: set[int] = set()
        for value, needed in houses:
            chance = min(1.0, self._chances - count)
            if count == max_houses or chance <= 0:
                break
            if value and used.isdisjoint(needed):
                total += value * chance * (weights.with_building if count < front else weights.without_building)
                used |= needed
                count += 1
        # Permits and buildings without a house may lead to one together with later ones.
        total += weights.lone_permit * min(permits - len(used), 2) * self.remaining.fraction
        return total + weights.material * min(max(0, front - count), 2) * min(1.0, self.remaining.houses / 2)

    def goal(self, goal: str) -> float:
        """Return the value of taking a goal."""
        return self.weights.goal_discount * expected_points(self.state, goal, self.seat, self.remaining)

    @property
    def blind_goal(self) -> float:
        """Return the value of the top goal of the pile: the mean over all unseen goals."""
        state = self.state
        seen = {*self.goals, *state.goals_shown, *chain(*state.open_goals)}
        unseen = [goal for goal in (*START_GOALS, *OTHER_GOALS) if goal not in seen]
        return self.weights.blind_goal * sum(map(self.goal, unseen)) / len(unseen)

    # -- all together, and the leading opponent ---------------------------------------------------------------

    @property
    def total(self) -> float:
        """Return the expected final points of the seat from what it has so far."""
        state, seat = self.state, self.seat
        points = sum(expected_points(state, goal, seat, self.remaining) for goal in self.goals)
        points += self._edition.points_by_steps[state.columns[seat] + state.rows[seat]]
        points += sum(card_points(state, seat).values())
        points += BEST_BUILDER_POINTS if state.best_builder == seat else 0
        points += self.money_worth[state.money[seat]]
        return points + self.hand(state.permits[seat], state.front[seat], state.built(seat))

    @property
    def rival(self) -> Evaluation | None:
        """Return the evaluation of the leading opponent; None for weights by which nothing is spoilt."""
        if self._rival is None and self.weights.spoil:
            weights = self.weights._replace(spoil=0.0)
            others = [Evaluation(self.state, seat, weights) for seat in range(self.state.seats) if seat != self.seat]
            self._rival = max(others, key=lambda other: other.total)
        return self._rival

    @property
    def reach(self) -> int:
        """Return the plots that the permits of the seat open, alone or two together."""
        if self._reach is None:
            held, mask = self.state.permits[self.seat], 0
            for permits in chain(combinations(held, 1), combinations(held, 2)):
                mask |= sites(self.state.city, permits, subsidised=False)
            self._reach = mask
        return self._reach


def _first(house: HouseOption) -> float:
    return house[0]


def remaining_play(state: State, seat: Seat, weights: Weights) -> RemainingPlay:
    """Return the turns and houses that a seat has left after the current turn."""
    turns = (LAST_YEAR - state.year) * _AREAS - state.area
    built = [own.bit_count() for own in state.buildings]
    # Once an eighth house stands, the game ends with this card (RULES 11.1).
    is_ending = state.best_builder is not None
    turns = 0 if is_ending else max(0, min(turns, *[_turns_to_eighth(state, other) for other in range(state.seats)]))
    houses = min(float(BUILDINGS_PER_SEAT - built[seat]), turns / weights.turns_per_house)
    return RemainingPlay(turns, houses, turns / _TURNS)


def _turns_to_eighth(state: State, seat: Seat) -> int:
    """Return in about how many turns a seat can have built its eighth house: one for each piece, and some in vain."""
    houses = BUILDINGS_PER_SEAT - state.built(seat)
    pieces = (
        houses + max(0, houses - state.front[seat]) + max(0.0, _PERMITS_PER_HOUSE * houses - len(state.permits[seat]))
    )
    return 1 + int(_TURNS_PER_PIECE * pieces)


@lru_cache(maxsize=1024)
def _money_table(weights: Weights, turns: int, final: tuple[int, ...], *, has_goal: bool) -> tuple[float, ...]:
    """Return the value of each sum of money: at the end by the money track, earlier by what it can buy."""
    early = min(1.0, turns / 8)
    worth, entries = 0.0, []
    for money in range(MAX_MONEY + 1):
        end = final[money] + (money / DOLLARS_FOR_A_POINT if has_goal else 0.0)
        entries.append(early * worth + (1 - early) * end)
        worth += (
            weights.first_dollars
            if money < _FIRST_DOLLARS
            else weights.later_dollars
            if money < _LATER_DOLLARS
            else weights.last_dollars
        )
    return tuple(entries)


def _build_chances(state: State) -> float:
    """Return how many more houses a seat has turns for: a part of the cards that allow building, and 1912."""
    if state.in_last_year:
        return 0.0
    cards = [
        any(space.action.startswith("build") for space in state.edition.spaces[state.seats][card])
        for card in state.action_cards
    ]
    left = sum(cards[state.area :]) + sum(cards) * (LAST_YEAR - 1 - state.year)
    return 1 + 0.6 * left
