"""The whole position of a game, secrets included; `view.py` decides what each viewer sees of it.

A state that was handed out is never changed: reducers change a copy.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from server.games.builders.city import City
from server.games.builders.components import EDITIONS, LAST_YEAR, RULES_VERSION, SYMBOLS, Edition, Space
from server.games.engine.frozen import frozen
from server.games.engine.game import Seat


@frozen
class Stage:
    """A stage of the game: the question to the seat in turn, or `Passing` between two turns."""


@frozen
class Passing(Stage):
    """Between two turns; no step ends here, but looking back event by event shows it."""


@frozen
class Placing(Stage):
    """The seat goes on to the next area."""


@frozen
class Acting(Stage):
    """The seat stands on an action card and has not acted yet."""


@frozen
class Rewarding(Stage):
    """The seat chooses a bonus of the year."""


@frozen
class Composing(Stage):
    """The seat puts a building together; the fee is already paid."""

    subsidised: bool
    fee: int
    permits: tuple[int, ...]


@frozen
class Gaining(Stage):
    """The seat has built and may take a development card, or must if one is owed."""

    symbols: tuple[str, ...]
    owed: bool = False


@frozen
class Confirming(Stage):
    """The seat has done all that it can in this turn."""


@frozen
class Over(Stage):
    reason: str


@dataclass(slots=True)
class State:
    """A position. Sets of plots are the bits of a number; piles are listed from the bottom."""

    seats: int
    city: City
    sides: tuple[str, ...]
    action_cards: tuple[str, ...]
    park_values: tuple[int, ...]
    """The values of all parks, in the order in which they are taken."""

    order: tuple[Seat, ...]
    permits_shown: tuple[int, ...]
    permit_pile: tuple[int, ...]
    common_goals: tuple[str, ...]
    goals_shown: tuple[str, ...]
    goal_pile: tuple[str, ...]
    ruins: int
    """The plots on which rubble lies."""

    stacks: tuple[int, ...]
    """The number of development cards left of each symbol."""

    money: tuple[int, ...]
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    front: tuple[int, ...]
    """Buildings that a seat has taken and not built yet."""

    supply: tuple[int, ...]
    buildings: tuple[int, ...]
    """The plots on which each seat has built."""

    permits: tuple[tuple[int, ...], ...]
    open_goals: tuple[tuple[str, ...], ...]
    hidden_goals: tuple[tuple[str, ...], ...]
    rubble: tuple[int, ...]
    cards: tuple[tuple[int, ...], ...]
    """The number of development cards that each seat has of each symbol."""

    parks: tuple[tuple[int, ...], ...]
    """The values of each seat's parks."""

    pawns: tuple[tuple[int, int] | None, ...]
    """Area and space of each seat's pawn."""

    year: int
    area: int = 0
    acted: int = 0
    """The number of seats that have had their turn in this area."""

    best_builder: Seat | None = None
    permit_discard: tuple[int, ...] = ()
    permit_shuffles: int = 1
    stage: Stage = field(default_factory=Placing)
    rules: int = RULES_VERSION
    """The version of the rules by which the game is played."""

    majorities_rank_all: bool = False

    def copy(self) -> State:
        """Return a copy that can be changed without changing this one."""
        twin = State.__new__(State)
        twin.seats = self.seats
        twin.city = self.city
        twin.sides = self.sides
        twin.action_cards = self.action_cards
        twin.park_values = self.park_values
        twin.order = self.order
        twin.permits_shown = self.permits_shown
        twin.permit_pile = self.permit_pile
        twin.common_goals = self.common_goals
        twin.goals_shown = self.goals_shown
        twin.goal_pile = self.goal_pile
        twin.ruins = self.ruins
        twin.stacks = self.stacks
        twin.money = self.money
        twin.columns = self.columns
        twin.rows = self.rows
        twin.front = self.front
        twin.supply = self.supply
        twin.buildings = self.buildings
        twin.permits = self.permits
        twin.open_goals = self.open_goals
        twin.hidden_goals = self.hidden_goals
        twin.rubble = self.rubble
        twin.cards = self.cards
        twin.parks = self.parks
        twin.pawns = self.pawns
        twin.year = self.year
        twin.area = self.area
        twin.acted = self.acted
        twin.best_builder = self.best_builder
        twin.permit_discard = self.permit_discard
        twin.permit_shuffles = self.permit_shuffles
        twin.stage = self.stage
        twin.rules = self.rules
        twin.majorities_rank_all = self.majorities_rank_all
        return twin

    @property
    def turn(self) -> Seat:
        """Return the seat in turn."""
        return self.order[self.acted]

    @property
    def edition(self) -> Edition:
        """Return the reconstructed numbers by which the game is played."""
        return EDITIONS[self.rules]

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Return the spaces of the action card that the seats are at."""
        return self.edition.spaces[self.seats][self.action_cards[self.area - 1]]

    @property
    def in_last_year(self) -> bool:
        return self.year == LAST_YEAR

    @property
    def built_up(self) -> int:
        """Return the plots on which anybody has built."""
        mask = 0
        for plots in self.buildings:
            mask |= plots
        return mask

    def built(self, seat: Seat) -> int:
        """Return the number of buildings that a seat has built."""
        return self.buildings[seat].bit_count()

    def left_of(self, symbol: str) -> int:
        """Return the number of development cards left of a symbol."""
        return self.stacks[SYMBOLS.index(symbol)]
