"""What money, steps, cards, plots and permits are worth to a seat in a position, in points at the end.

A house needs a building, permits, a turn and money. What is gathered for it is worth a part of the house that it leads
to, so that every useful turn brings it nearer and none of them must wait for the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import Final, NamedTuple

from server.bots.builders.goals import Pace, likely_points, majority_points, plot_gains
from server.games.builders.city import plots_of, sites
from server.games.builders.components import (
    ACTION_CARDS,
    ACTION_SPACES,
    BEST_BUILDER_POINTS,
    BUILDINGS_PER_SEAT,
    COLUMN_BAR,
    DOLLARS_FOR_A_POINT,
    GOAL_POINTS,
    HYDRANT_POINTS,
    LAST_COLUMN,
    LAST_YEAR,
    LIGHT,
    LIGHT_POINTS,
    MAX_MONEY,
    MONEY_TRACK,
    OTHER_GOALS,
    PARK,
    POINTS_BY_STEPS,
    ROW_BAR,
    RUBBLE_PRICE,
    SHARED_SYMBOLS,
    START_GOALS,
    SYMBOLS,
    TOP_ROW,
    TRAM,
    TRAM_POINTS,
    TRAM_PRICE,
    YEARS,
)
from server.games.builders.scoring import card_points
from server.games.builders.state import State
from server.games.engine.game import Seat

Way = tuple[float, set[int]]
"""What a house is worth, and the permits that it takes."""

_NO_WAY: Final[Way] = (0.0, set())


class Weights(NamedTuple):
    """How a player weighs things against each other."""

    first_dollars: float = 0.55
    """What each of the first dollars is worth while there is much to pay for."""

    later_dollars: float = 0.5
    last_dollars: float = 0.2
    ready: float = 0.7
    """How much of a house's worth its permits have while a building for it is at hand."""

    unready: float = 0.48
    """The same without a building."""

    haste: float = 1.0
    """What it is worth to build now: spaces for it are few, and plots are taken."""

    lone_permit: float = 1.4
    material: float = 0.6
    house: float = 1.2
    """What a house is worth besides what goals say now: there will be more goals."""

    goal_trust: float = 0.7
    turns_per_house: float = 5.0
    first_next: float = 0.3
    """What it is worth to stand one space further to the right."""

    denial: float = 0.5
    """What it is worth to take the space on which somebody else would build."""


WEIGHTS: Final = Weights()
_AREAS: Final = 1 + len(ACTION_CARDS)
_TURNS: Final = _AREAS * (LAST_YEAR - min(YEARS)) + 1
_FIRST_DOLLARS, _LATER_DOLLARS = 4, 9
_FIRST_TRIED: Final = 3
"""With how many houses the sharing out of permits is begun, for the best house is not always the best beginning."""

_STEPS: Final = len(POINTS_BY_STEPS) - 1


class Evaluation:
    """What one seat can expect of a position. Hidden goals of the seat count; whose they are otherwise is not asked."""

    def __init__(self, state: State, seat: Seat, weights: Weights = WEIGHTS) -> None:
        self.state, self.seat, self.weights = state, seat, weights
        self.goals = state.common_goals + state.open_goals[seat] + state.hidden_goals[seat]
        self.pace = pace_of(state, seat, weights)
        self.purse = _purse(weights, min(self.pace.turns, 10), "money" in self.goals)
        self.step_right_worth, self.step_up_worth = self._step(1, 0), self._step(0, 1)
        self.rubble_cost = self.paid(2 * RUBBLE_PRICE, RUBBLE_PRICE)
        self.rubble_worth = self.step_up_worth + self._rubble_goals()
        self.card_worth = tuple(self._card(at) for at in range(len(SYMBOLS)))
        self._plots: list[tuple[float, int]] | None = None
        self._houses: dict[tuple[int, ...], float] = {}
        self._hands: dict[tuple[tuple[int, ...], int, int], float] = {}
        self._chances = _build_chances(state)

    # -- money, steps and cards -------------------------------------------------------------------------------

    def paid(self, before: int, after: int) -> float:
        """Give what a change of money is worth."""
        return self.purse[min(after, MAX_MONEY)] - self.purse[before]

    def _step(self, right: int, up: int) -> float:
        column, row = self.state.columns[self.seat], self.state.rows[self.seat]
        steps = column + row
        if steps == _STEPS:
            return self.paid(self.state.money[self.seat], self.state.money[self.seat] + 1)
        if column + right > LAST_COLUMN or row + up > TOP_ROW:
            right, up = up, right
        worth = float(POINTS_BY_STEPS[steps + 1] - POINTS_BY_STEPS[steps])
        if "column" in self.goals and right:
            worth += COLUMN_BAR[column + 1] - COLUMN_BAR[column]
        if "row" in self.goals and up:
            worth += ROW_BAR[row + 1] - ROW_BAR[row]
        return worth

    def _rubble_goals(self) -> float:
        state, seat, worth = self.state, self.seat, 0.0
        if "rubble" in self.goals:
            worth += GOAL_POINTS["rubble"]
        if "majority_rubble" in self.goals:
            more = (*state.rubble[:seat], state.rubble[seat] + 1, *state.rubble[seat + 1 :])
            worth += majority_points(more, seat, self.pace) - majority_points(state.rubble, seat, self.pace)
        return worth

    def _card(self, at: int) -> float:
        """Give what a development card brings, the step with it included; nothing if there is none left."""
        state, seat, symbol = self.state, self.seat, SYMBOLS[at]
        left, own = state.stacks[at], state.cards[seat]
        if not left:
            return 0.0
        if symbol == LIGHT:
            worth = LIGHT_POINTS[own[at] + 1] - LIGHT_POINTS[own[at]] + 0.5 * min(left - 1, self.pace.houses / 3)
        elif symbol == TRAM:
            worth = TRAM_POINTS + self.paid(TRAM_PRICE, 0)
        elif symbol == PARK:
            worth = float(state.park_values[-left])
        else:
            worth = HYDRANT_POINTS
        if f"card_{symbol}" in self.goals:
            worth += GOAL_POINTS["card"]
        if "card_set" in self.goals and own[at] == min(own):
            missing = own.count(own[at])
            if missing - 1 <= self.pace.houses:
                worth += GOAL_POINTS["card_set"] * 0.75**missing
        return worth + self.step_right_worth

    # -- plots and houses -------------------------------------------------------------------------------------

    @property
    def plots(self) -> list[tuple[float, int]]:
        """Give the free plots with what a house there is worth, the best first; paying for rubble is taken off."""
        if self._plots is None:
            self._plots = sorted(self._valued_plots(), reverse=True)
        return self._plots

    def _valued_plots(self) -> list[tuple[float, int]]:
        state = self.state
        gains: dict[int, float] = {}
        for goal in self.goals:
            for mask, gain in plot_gains(state, goal, self.seat, self.pace):
                gains[mask] = gains.get(mask, 0.0) + gain
        gains[state.ruins] = gains.get(state.ruins, 0.0) + self.rubble_worth + self.rubble_cost
        base = self.weights.house + gains.pop(state.city.all_plots, 0.0)
        free = state.city.all_plots & ~state.built_up
        worth = dict.fromkeys(plots_of(free), base)
        for mask, gain in gains.items():
            for plot in plots_of(mask & free):
                worth[plot] += gain
        return [(points, plot) for plot, points in worth.items()]

    def best_plots(self, mask: int, most: int) -> list[tuple[float, int]]:
        """Give the best plots of a set."""
        found = []
        for entry in self.plots:
            if mask >> entry[1] & 1:
                found.append(entry)
                if len(found) == most:
                    break
        return found

    def card_with(self, permits: tuple[int, ...]) -> float:
        """Give what the best development card is worth that two permits bring."""
        if len(permits) < 2:
            return 0.0
        shared = SHARED_SYMBOLS[permits[0]][permits[1]]
        return max([0.0, *(self.card_worth[SYMBOLS.index(symbol)] for symbol in shared)])

    def house(self, permits: tuple[int, ...]) -> float:
        """Give what a house with these permits is likely to bring, some time later."""
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

    # -- what is gathered -------------------------------------------------------------------------------------

    def hand(self, permits: tuple[int, ...], front: int, built: int) -> float:
        """Give what permits and buildings at hand are worth together."""
        key = (permits, front, built)
        known = self._hands.get(key)
        if known is None:
            known = self._hands[key] = self._used(permits, front, BUILDINGS_PER_SEAT - built)
        return known

    def _used(self, permits: tuple[int, ...], front: int, most: int) -> float:
        """Give what the houses are worth that permits lead to: of a few ways to share them out the best."""
        ways = [(self.house((one,)), {one}) for one in permits]
        ways += [(self.house(pair), set(pair)) for pair in combinations(permits, 2)]
        ways = sorted([way for way in ways if way[0] > 0], key=_first, reverse=True)
        beginnings = ways[:_FIRST_TRIED] or [_NO_WAY]
        return max([self._shared_out((way, *ways), len(permits), front, most) for way in beginnings])

    def _shared_out(self, ways: Sequence[Way], permits: int, front: int, most: int) -> float:
        """Give what permits and buildings are worth if always the first house is built that is still possible."""
        weights, total, count = self.weights, 0.0, 0
        used: set[int] = set()
        for house, needed in ways:
            chance = min(1.0, self._chances - count)
            if count == most or chance <= 0:
                break
            if house and used.isdisjoint(needed):
                total += house * chance * (weights.ready if count < front else weights.unready)
                used |= needed
                count += 1
        # What leads to no house yet may lead to one together with what is still to come.
        total += weights.lone_permit * min(permits - len(used), 2) * self.pace.left
        return total + weights.material * min(max(0, front - count), 2) * min(1.0, self.pace.houses / 2)

    def goal(self, goal: str) -> float:
        """Give what it is worth to take a goal on."""
        return self.weights.goal_trust * likely_points(self.state, goal, self.seat, self.pace)

    @property
    def blind_goal(self) -> float:
        """Give what the top goal of the pile is worth, which may be any that is not seen."""
        state = self.state
        seen = {*self.goals, *state.goals_shown, *chain(*state.open_goals)}
        unseen = [goal for goal in (*START_GOALS, *OTHER_GOALS) if goal not in seen]
        return sum(map(self.goal, unseen)) / len(unseen)

    @property
    def total(self) -> float:
        """Give the points that the seat will probably have, apart from what it has yet to begin."""
        state, seat = self.state, self.seat
        points = sum(likely_points(state, goal, seat, self.pace) for goal in self.goals)
        points += POINTS_BY_STEPS[state.columns[seat] + state.rows[seat]]
        points += sum(card_points(state, seat).values())
        points += BEST_BUILDER_POINTS if state.best_builder == seat else 0
        points += self.purse[state.money[seat]]
        return points + self.hand(state.permits[seat], state.front[seat], state.built(seat))


def _first(way: Way) -> float:
    return way[0]


def pace_of(state: State, seat: Seat, weights: Weights) -> Pace:
    """Give how much a seat may still do after the turn in hand."""
    turns = (LAST_YEAR - state.year) * _AREAS - state.area
    built = [own.bit_count() for own in state.buildings]
    turns = max(0, min(turns, 2 + 6 * (BUILDINGS_PER_SEAT - max(built))))
    houses = min(float(BUILDINGS_PER_SEAT - built[seat]), turns / weights.turns_per_house)
    return Pace(turns, houses, turns / _TURNS)


@lru_cache(maxsize=1024)
def _purse(weights: Weights, turns: int, has_goal: bool) -> tuple[float, ...]:
    """Give what each sum of money is worth: at the end what the track says, before that what it can buy."""
    early = min(1.0, turns / 8)
    worth, entries = 0.0, []
    for money in range(MAX_MONEY + 1):
        end = MONEY_TRACK[money] + (money / DOLLARS_FOR_A_POINT if has_goal else 0.0)
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
    """Give how many more houses a seat may find the turns for: some of the cards that allow it, and 1912."""
    if state.in_last_year:
        return 0.0
    cards = [
        any(space.action.startswith("build") for space in ACTION_SPACES[state.seats][card])
        for card in state.action_cards
    ]
    left = sum(cards[state.area :]) + sum(cards) * (LAST_YEAR - 1 - state.year)
    return 1 + 0.6 * left
