"""What the columns of the project board are worth to each seat, and who is likely to take which of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from server.bots.planners.evaluation import Evaluation
from server.bots.planners.plans import Plan, nothing, planned
from server.games.engine.game import Seat
from server.games.planners.city import City
from server.games.planners.components import SPACES
from server.games.planners.contracts import takeable
from server.games.planners.scoring import outcome
from server.games.planners.state import Over, State, with_entry

Columns = tuple[tuple[int, ...], ...]
Contracts = tuple[int, ...]

_DECIDED: Final = 8.0
"""What it is worth to end the game as its winner, or not to."""

_SATED: Final = 0.92
"""How much of its worth alone a card has among others."""


class Round(NamedTuple):
    """What is likely to happen till a seat's next turn: its best column then, and what others will have taken."""

    own: float
    others: float


class _Known(NamedTuple):
    """What is known of one city: what it is worth as it is, and what its seat would make of cards."""

    nothing: Plan
    plans: dict[tuple[int, ...], Plan]
    gains: dict[tuple[int, ...], float]


class Market:
    """The columns as all seats see them. Breadth 0 guesses by single cards; else plans are made."""

    def __init__(self, evaluation: Evaluation, breadth: int) -> None:
        self.evaluation, self.breadth = evaluation, breadth
        self.state = evaluation.state
        self._seen: dict[tuple[object, ...], _Known] = {}
        self._contract_gains: dict[tuple[Seat, Contracts], float] = {}
        self._known = [self._of(seat, city) for seat, city in enumerate(self.state.cities)]

    def at(self, state: State) -> Market:
        """Give the market of a state a few turns later.

        What is once thought of a city is kept for all markets that come from one: who plays on from a position again
        and again meets the same cities most of the time.
        """
        later = object.__new__(Market)
        later.evaluation, later.breadth, later.state = self.evaluation.at(state), self.breadth, state
        later._seen, later._known, later._contract_gains = self._seen, self._known, self._contract_gains
        if state.cities is not self.state.cities:
            later._known = [
                known if city is self.state.cities[seat] else later._of(seat, city)
                for seat, (city, known) in enumerate(zip(state.cities, self._known, strict=True))
            ]
        return later

    def _of(self, seat: Seat, city: City) -> _Known:
        key = seat, city.cards, city.extra_value, city.extra_tracks
        known = self._seen.get(key)
        if known is None:
            known = self._seen[key] = _Known(nothing(self.evaluation, seat, city), {}, {})
        return known

    def plan(self, seat: Seat, cards: tuple[int, ...]) -> Plan:
        """Give what a seat would do with cards."""
        begun, plans, _ = self._known[seat]
        if cards not in plans:
            plans[cards] = planned(self.evaluation, seat, begun, cards, max(1, self.breadth))
        return plans[cards]

    def gain(self, seat: Seat, cards: tuple[int, ...]) -> float:
        """Give what cards are worth to a seat, the contract aside."""
        gains = self._known[seat].gains
        if cards not in gains:
            gains[cards] = self._guess(seat, cards) if self.breadth == 0 else self._gain(seat, cards)
        return gains[cards]

    def _guess(self, seat: Seat, cards: tuple[int, ...]) -> float:
        if len(cards) == 1:
            return self.plan(seat, cards).worth - self._known[seat].nothing.worth
        return _SATED * sum([self.gain(seat, (card,)) for card in cards])

    def _gain(self, seat: Seat, cards: tuple[int, ...]) -> float:
        plan = self.plan(seat, cards)
        gain = plan.worth - self._known[seat].nothing.worth
        if sum(plan.city.filled) == SPACES:
            gain += _DECIDED if wins_full(self.state, seat, plan) else -_DECIDED
        return gain

    def taking(self, seat: Seat, cards: tuple[int, ...], contracts: Contracts) -> float:
        """Give what taking a column is worth, the contract included."""
        return self.gain(seat, cards) + self._contract_gain(seat, contracts)

    def _contract_gain(self, seat: Seat, contracts: Contracts) -> float:
        key = seat, contracts
        gain = self._contract_gains.get(key)
        if gain is None:
            worth = self.evaluation.contract_worth
            gain = self._contract_gains[key] = worth(after_taking(contracts, seat), seat) - worth(contracts, seat)
        return gain

    def best(self, seat: Seat, columns: Columns, contracts: Contracts) -> tuple[float, int | None]:
        """Give what the best column that a seat may take is worth, and which it is."""
        found: tuple[float, int | None] = (0.0, None)
        can_take = takeable(tuple(map(len, columns)), contracts[seat])
        if can_take:
            contract = self._contract_gain(seat, contracts)
            for column in can_take:
                gain = self.gain(seat, columns[column]) + contract
                if gain > found[0]:
                    found = gain, column
        return found

    def round(self, seat: Seat, columns: Columns, contracts: Contracts) -> Round:
        """Foresee what the others take, and give what is left for a seat when it is its turn again."""
        seats = self.state.settings.seats
        others = 0.0
        for step in range(1, seats):
            rival = (seat + step) % seats
            gain, column = self.best(rival, columns, contracts)
            if column is not None and gain > self.evaluation.weights.patience:
                others += gain
                columns = with_entry(columns, column, ())
                contracts = after_taking(contracts, rival)
        own, _ = self.best(seat, columns, contracts)
        return Round(own, others / (seats - 1))


def after_taking(contracts: Contracts, seat: Seat) -> Contracts:
    """Give the contracts after a seat has taken a column (RULES 4.2)."""
    after = with_entry(contracts, seat, contracts[seat] + 1)
    return after if 0 in after else tuple([held - 1 for held in after])


def wins_full(state: State, seat: Seat, plan: Plan) -> bool:
    """Tell whether a seat wins that ends the game with a full city."""
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
