"""The whole position of a game, secrets included; `view.py` decides what each viewer sees of it.

A state that was handed out is never changed: reducers change a copy. All that a state holds
is exchanged as a whole, never changed in place, so a copy costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from server.games.engine.game import Seat
from server.games.engine.view_cache import ViewCache
from server.games.planners.city import City
from server.games.planners.components import BONUS_SUPPLY, BONUSES, MARKET_COLUMNS, ROWS

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of this game."""

    seats: int
    allow_decline_bonus: bool
    resolve_bonus_on_final_card: bool
    tokens: int
    """The number of foundation tokens at the start."""


class Stage:
    """A stage of the game: the open decision, or the end."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Turning(Stage):
    """The seat to move draws or takes a column. `released`: it has used its token, which it can still take back."""

    released: bool = False


@dataclass(frozen=True, slots=True)
class Laying(Stage):
    """The drawn card is to be laid. `released` as above, but since the draw."""

    card: int
    released: bool = False


@dataclass(frozen=True, slots=True)
class Placing(Stage):
    """The cards in the hand are to be placed or discarded; with none left, the turn is to be confirmed."""


@dataclass(frozen=True, slots=True)
class Choosing(Stage):
    """A bonus for a row is to be chosen."""

    row: int


@dataclass(frozen=True, slots=True)
class Over(Stage):
    reason: str
    seat: Seat


TURNING = Turning()
PLACING = Placing()


@dataclass
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
        twin = object.__new__(State)
        twin.__dict__ = self.__dict__.copy()
        return twin


def with_entry(entries: tuple[T, ...], position: int, entry: T) -> tuple[T, ...]:
    """Return the entries with one of them replaced."""
    exchanged = list(entries)
    exchanged[position] = entry
    return tuple(exchanged)
