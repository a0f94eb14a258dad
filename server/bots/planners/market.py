"""What the columns of the project board are worth to each seat, and who is likely to take which of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from server.bots.planners.outlook import Outlook
from server.bots.planners.plans import Plan, planned
from server.games.game import Seat
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


class Market:
    """The columns as all seats see them. Breadth 0 guesses by single cards; else plans are made."""

    def __init__(self, outlook: Outlook, breadth: int) -> None:
        self.outlook, self.breadth = outlook, breadth
        self.state = outlook.state
        cities = self.state.cities
        self.base = [outlook.worth(seat, city) for seat, city in enumerate(cities)]
        self._plans: list[dict[tuple[int, ...], Plan]] = [{} for _ in cities]
        self._gains: list[dict[tuple[int, ...], float]] = [{} for _ in cities]

    def at(self, state: State) -> Market:
        """Give the market of a state a few turns later; what is known of cities that have not changed is kept."""
        later = object.__new__(Market)
        later.outlook, later.breadth, later.state = self.outlook.at(state), self.breadth, state
        later.base, later._plans, later._gains = self.base, self._plans, self._gains
        for seat, city in enumerate(state.cities):
            if city is not self.state.cities[seat]:
                later.base = [*later.base[:seat], later.outlook.worth(seat, city), *later.base[seat + 1 :]]
                later._plans = [*later._plans[:seat], {}, *later._plans[seat + 1 :]]
                later._gains = [*later._gains[:seat], {}, *later._gains[seat + 1 :]]
        return later

    def plan(self, seat: Seat, cards: tuple[int, ...]) -> Plan:
        """Give what a seat would do with cards."""
        plans = self._plans[seat]
        if cards not in plans:
            plans[cards] = planned(self.outlook, seat, self.state.cities[seat], cards, max(1, self.breadth))
        return plans[cards]

    def gain(self, seat: Seat, cards: tuple[int, ...]) -> float:
        """Give what cards are worth to a seat, the contract aside."""
        gains = self._gains[seat]
        if cards not in gains:
            gains[cards] = self._guess(seat, cards) if self.breadth == 0 else self._gain(seat, cards)
        return gains[cards]

    def _guess(self, seat: Seat, cards: tuple[int, ...]) -> float:
        if len(cards) == 1:
            return self.plan(seat, cards).worth - self.base[seat]
        return _SATED * sum([self.gain(seat, (card,)) for card in cards])

    def _gain(self, seat: Seat, cards: tuple[int, ...]) -> float:
        plan = self.plan(seat, cards)
        gain = plan.worth - self.base[seat]
        if sum(plan.city.filled) == SPACES:
            gain += _DECIDED if wins_full(self.state, seat, plan) else -_DECIDED
        return gain

    def taking(self, seat: Seat, cards: tuple[int, ...], contracts: Contracts) -> float:
        """Give what taking a column is worth, the contract included."""
        outlook = self.outlook
        change = outlook.contract_worth(after_taking(contracts, seat), seat) - outlook.contract_worth(contracts, seat)
        return self.gain(seat, cards) + change

    def best(self, seat: Seat, columns: Columns, contracts: Contracts) -> tuple[float, int | None]:
        """Give what the best column that a seat may take is worth, and which it is."""
        found: tuple[float, int | None] = (0.0, None)
        for column in takeable(tuple(map(len, columns)), contracts[seat]):
            gain = self.taking(seat, columns[column], contracts)
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
            if column is not None and gain > self.outlook.manner.patience:
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
