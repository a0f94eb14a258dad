"""The whole position of a game, secrets included; `view.py` decides what each viewer sees of it.

A state that was handed out is never changed: reducers change a copy.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from server.games.builders.city import City
from server.games.builders.components import ACTION_SPACES, LAST_YEAR, SYMBOLS, Space
from server.games.engine.game import Seat


class Stage:
    """A stage of the game: the question to the seat in turn, or `Passing` between two turns."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Passing(Stage):
    """Between two turns; no step ends here."""


@dataclass(frozen=True, slots=True)
class Placing(Stage):
    """The seat goes on to the next area."""


@dataclass(frozen=True, slots=True)
class Acting(Stage):
    """The seat stands on an action card and has not acted yet."""


@dataclass(frozen=True, slots=True)
class Rewarding(Stage):
    """The seat chooses a bonus of the year."""


@dataclass(frozen=True, slots=True)
class Composing(Stage):
    """The seat puts a building together; the fee is already paid."""

    subsidised: bool
    fee: int
    permits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gaining(Stage):
    """The seat has built and may take a development card."""

    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Confirming(Stage):
    """The seat has done all that it can in this turn."""


@dataclass(frozen=True, slots=True)
class Over(Stage):
    reason: str


@dataclass
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

    def copy(self) -> State:
        """Return a copy that can be changed without changing this one."""
        # All attributes are immutable. Copying the attribute dictionary is the fastest way, and every step needs it.
        twin = object.__new__(State)
        twin.__dict__ = self.__dict__.copy()
        return twin

    @property
    def turn(self) -> Seat:
        """Return the seat in turn."""
        return self.order[self.acted]

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Return the spaces of the action card that the seats are at."""
        return ACTION_SPACES[self.seats][self.action_cards[self.area - 1]]

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
