"""The whole position of a game, secrets included; `view.py` decides what each viewer sees of it.

A state that was handed out is never changed: reducers change a copy. All that a state holds
is exchanged as a whole, never changed in place, so a copy costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from server.games.engine.frozen import frozen
from server.games.engine.game import Seat
from server.games.engine.view_cache import ViewCache
from server.games.planners.city import City
from server.games.planners.components import BONUS_SUPPLY, BONUSES, MARKET_COLUMNS, ROWS

T = TypeVar("T")


@frozen
class Settings:
    """The options of this game."""

    seats: int
    allow_decline_bonus: bool
    resolve_bonus_on_final_card: bool
    tokens: int
    """The number of foundation tokens at the start."""

    sold_out_leaves_nothing: bool
    rows_below_by_total: bool


@frozen
class Stage:
    """A stage of the game: the open decision, or the end."""


@frozen
class Turning(Stage):
    """The seat to move draws or takes a column. `released`: it has used its token, which it can still take back."""

    released: bool = False


@frozen
class Laying(Stage):
    """The drawn card is to be laid. `released` as above, but since the draw."""

    card: int
    released: bool = False


@frozen
class Placing(Stage):
    """The cards in the hand are to be placed or discarded; with none left, the turn is to be confirmed."""


@frozen
class Choosing(Stage):
    """A bonus for a row is to be chosen."""

    row: int


@frozen
class Over(Stage):
    reason: str
    seat: Seat


TURNING = Turning()
PLACING = Placing()


@dataclass(slots=True)
class State:
    """A position; tuples of what seats own are indexed by seat."""

    settings: Settings
    deck: tuple[int, ...]
    """Face down; the next card to be drawn is the last."""

    tokens: int
    turn: Seat
    cities: tuple[City, ...]
    contracts: tuple[int, ...]
    releases: tuple[bool, ...]
    """Whether each seat holds a token that gives contracts back."""

    point_tokens: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...] = ((),) * len(MARKET_COLUMNS)
    completed: tuple[Seat | None, ...] = (None,) * ROWS
    """The first seat that filled each row."""

    medal: Seat | None = None
    bonuses: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(BONUSES, BONUS_SUPPLY))
    discarded: tuple[int, ...] = ()
    column: int | None = None
    """The column that was taken in this turn; its cards are in `taken`."""

    taken: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()
    """The cards of `taken` that are still to be placed or discarded."""

    drawer: Seat | None = None
    """The seat that drew last."""

    passes: int = 0
    """The number of consecutive passes."""

    stage: Stage = TURNING
    view_cache: ViewCache = field(default_factory=ViewCache, compare=False, repr=False)

    def copy(self) -> State:
        """Return a copy that can be changed without changing this one."""
        twin = State.__new__(State)
        twin.settings = self.settings
        twin.deck = self.deck
        twin.tokens = self.tokens
        twin.turn = self.turn
        twin.cities = self.cities
        twin.contracts = self.contracts
        twin.releases = self.releases
        twin.point_tokens = self.point_tokens
        twin.columns = self.columns
        twin.completed = self.completed
        twin.medal = self.medal
        twin.bonuses = self.bonuses
        twin.discarded = self.discarded
        twin.column = self.column
        twin.taken = self.taken
        twin.hand = self.hand
        twin.drawer = self.drawer
        twin.passes = self.passes
        twin.stage = self.stage
        twin.view_cache = self.view_cache
        return twin


def with_entry(entries: tuple[T, ...], position: int, entry: T) -> tuple[T, ...]:
    """Return the entries with one of them replaced."""
    exchanged = list(entries)
    exchanged[position] = entry
    return tuple(exchanged)
