"""The value of the columns of the project board for each seat, and a forecast of who takes which of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from server.bots.planners.evaluation import Evaluation
from server.bots.planners.plans import Plan, best_plan, empty_plan
from server.games.engine.game import Seat
from server.games.planners.city import City
from server.games.planners.components import SPACES
from server.games.planners.contracts import takeable
from server.games.planners.scoring import outcome
from server.games.planners.state import Over, State, with_entry

Columns = tuple[tuple[int, ...], ...]
Contracts = tuple[int, ...]

_GAME_END_VALUE: Final = 8.0
"""The value of ending the game as its winner; negative for ending it as a loser."""

_DIMINISHING: Final = 0.92
"""The part of its value alone that a card has among others."""


class Forecast(NamedTuple):
    """The expected events until a seat's next turn: its best column then, and the mean gain of the others."""

    own: float
    others: float


class _CityCache(NamedTuple):
    """Cached results for one city: the plan without cards, and plans and gains by the cards taken."""

    nothing: Plan
    plans: dict[tuple[int, ...], Plan]
    gains: dict[tuple[int, ...], float]


class Market:
    """The columns as all seats value them. Beam width 0 adds up single cards; else whole columns are planned."""

    def __init__(self, evaluation: Evaluation, beam_width: int, earlier: Market | None = None) -> None:
        self.evaluation, self.beam_width = evaluation, beam_width
        self.state = evaluation.state
        self._city_caches: dict[tuple[object, ...], _CityCache]
        self._contract_gains: dict[tuple[Seat, Contracts], float]
        self._current: list[_CityCache]
        cities = self.state.cities
        if earlier is None:
            self._city_caches, self._contract_gains = {}, {}
            self._current = [self._cache_of(seat, city) for seat, city in enumerate(cities)]
            return
        self._city_caches, self._contract_gains = earlier._city_caches, earlier._contract_gains
        self._current = earlier._current
        if cities is not earlier.state.cities:
            self._current = [
                known if city is earlier.state.cities[seat] else self._cache_of(seat, city)
                for seat, (city, known) in enumerate(zip(cities, earlier._current, strict=True))
            ]

    def at(self, state: State) -> Market:
        """Return the market of a state a few turns later.

        All markets that come from one share its cache: rollouts from the same position mostly meet the same cities.
        """
        return Market(self.evaluation.at(state), self.beam_width, self)

    def _cache_of(self, seat: Seat, city: City) -> _CityCache:
        key = seat, city.cards, city.extra_value, city.extra_tracks
        known = self._city_caches.get(key)
        if known is None:
            known = self._city_caches[key] = _CityCache(empty_plan(self.evaluation, seat, city), {}, {})
        return known

    def plan(self, seat: Seat, cards: tuple[int, ...]) -> Plan:
        """Return the best plan of a seat for cards."""
        start, plans, _ = self._current[seat]
        if cards not in plans:
            plans[cards] = best_plan(self.evaluation, seat, start, cards, max(1, self.beam_width))
        return plans[cards]

    def gain(self, seat: Seat, cards: tuple[int, ...]) -> float:
        """Return the gain of a seat from cards, without the contract."""
        gains = self._current[seat].gains
        if cards not in gains:
            gains[cards] = (
                self._sum_of_single_gains(seat, cards) if self.beam_width == 0 else self._planned_gain(seat, cards)
            )
        return gains[cards]

    def _sum_of_single_gains(self, seat: Seat, cards: tuple[int, ...]) -> float:
        if len(cards) == 1:
            return self.plan(seat, cards).worth - self._current[seat].nothing.worth
        return _DIMINISHING * sum([self.gain(seat, (card,)) for card in cards])

    def _planned_gain(self, seat: Seat, cards: tuple[int, ...]) -> float:
        plan = self.plan(seat, cards)
        gain = plan.worth - self._current[seat].nothing.worth
        if sum(plan.city.filled) == SPACES:
            gain += _GAME_END_VALUE if wins_full(self.state, seat, plan) else -_GAME_END_VALUE
        return gain

    def taking(self, seat: Seat, cards: tuple[int, ...], contracts: Contracts) -> float:
        """Return the gain of taking a column, with the contract."""
        return self.gain(seat, cards) + self._contract_gain(seat, contracts)

    def _contract_gain(self, seat: Seat, contracts: Contracts) -> float:
        key = seat, contracts
        gain = self._contract_gains.get(key)
        if gain is None:
            worth = self.evaluation.contract_worth
            gain = self._contract_gains[key] = worth(after_taking(contracts, seat), seat) - worth(contracts, seat)
        return gain

    def best(self, seat: Seat, columns: Columns, contracts: Contracts) -> tuple[float, int | None]:
        """Return the gain of the best column that a seat may take, and its number; None if no column gains."""
        found: tuple[float, int | None] = (0.0, None)
        can_take = takeable(tuple(map(len, columns)), contracts[seat])
        if can_take:
            contract = self._contract_gain(seat, contracts)
            for column in can_take:
                gain = self.gain(seat, columns[column]) + contract
                if gain > found[0]:
                    found = gain, column
        return found

    def forecast(self, seat: Seat, columns: Columns, contracts: Contracts) -> Forecast:
        """Return what others probably take, and what is left for a seat when it is its turn again."""
        seats, weights = self.state.settings.seats, self.evaluation.weights
        leader = self.evaluation.leading_rival(seat) if weights.spite else None
        others = 0.0
        for step in range(1, seats):
            rival = (seat + step) % seats
            gain, column = self.best(rival, columns, contracts)
            if column is not None and gain > weights.take_threshold:
                others += gain * (1 + weights.spite) if rival == leader else gain
                columns = with_entry(columns, column, ())
                contracts = after_taking(contracts, rival)
        own, _ = self.best(seat, columns, contracts)
        return Forecast(own, others / (seats - 1))


def after_taking(contracts: Contracts, seat: Seat) -> Contracts:
    """Return the contracts after a seat has taken a column (RULES 4.2)."""
    after = with_entry(contracts, seat, contracts[seat] + 1)
    return after if 0 in after else tuple([held - 1 for held in after])


def wins_full(state: State, seat: Seat, plan: Plan) -> bool:
    """Return whether a seat wins if its plan ends the game with a full city."""
    ended = state.copy()
    ended.cities = with_entry(state.cities, seat, plan.city)
    ended.completed = tuple(
        [
            seat if holder is None and plan.city.filled[row] > state.cities[seat].filled[row] else holder
            for row, holder in enumerate(state.completed)
        ]
    )
    holder = 0 if state.medal is None else state.cities[state.medal].towers.bit_count()
    if plan.city.towers.bit_count() > holder:
        ended.medal = seat
    ended.stage = Over("full", seat)
    result = outcome(ended)
    assert result is not None
    return seat in result.winners
