"""What can happen in a game of Builders. Every draw and shuffle is already resolved in these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from server.games.engine.game import Event


@dataclass(frozen=True, slots=True)
class GameBegun(Event):
    """The box is set up. Piles are listed from the bottom; parks from the top."""

    seen_alike: ClassVar[bool] = False
    seats: int
    start_seat: int
    strict_wild: bool
    adjacent_across_cards: bool
    plot_cards: tuple[str, ...]
    sides: tuple[str, ...]
    action_cards: tuple[str, ...]
    parks: tuple[int, ...]
    permits: tuple[int, ...]
    permit_pile: tuple[int, ...]
    common_goals: tuple[str, ...]
    goals: tuple[str, ...]
    dealt_goals: tuple[str, ...]
    """One for each seat."""

    goal_pile: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PawnPlaced(Event):
    seat: int
    area: int
    space: int


@dataclass(frozen=True, slots=True)
class ActionChosen(Event):
    """A seat does what its space or, for a fee, another one says; "dollar" and "pass" included."""

    seat: int
    action: str
    fee: int


@dataclass(frozen=True, slots=True)
class BonusChosen(Event):
    """A seat chose among what the year gives."""

    seat: int
    bonus: str


@dataclass(frozen=True, slots=True)
class BonusLapsed(Event):
    """Nothing of what the year gives is possible for a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class MoneyGained(Event):
    """The amount is what the seat really got; more than the track holds is lost."""

    seat: int
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class MoneyPaid(Event):
    seat: int
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class MaterialTaken(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class PermitTaken(Event):
    seat: int
    permit: int


@dataclass(frozen=True, slots=True)
class GoalTaken(Event):
    """A seat took an open goal, which stays open."""

    seat: int
    goal: str


@dataclass(frozen=True, slots=True)
class GoalDrawn(Event):
    """A seat took the top goal of the pile, which only this seat knows."""

    seen_alike: ClassVar[bool] = False
    seat: int
    goal: str


@dataclass(frozen=True, slots=True)
class RubbleCleared(Event):
    """A seat keeps the rubble of a plot, after cleaning up or to build there."""

    seat: int
    plot: int
    by: str


@dataclass(frozen=True, slots=True)
class MarkerMoved(Event):
    """The marker went one step, to a column and a row of the development board."""

    seat: int
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class MarkerCapped(Event):
    """The marker stands in the far corner already and stays there."""

    seat: int


@dataclass(frozen=True, slots=True)
class PermitChosen(Event):
    """A seat lays a permit out for the building that it puts together."""

    seat: int
    permit: int


@dataclass(frozen=True, slots=True)
class Built(Event):
    seat: int
    plot: int
    permits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BestBuilderTaken(Event):
    """A seat was the first to build its eighth building."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardOffered(Event):
    """The permits of a building share symbols of which a development card can be taken."""

    seat: int
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardTaken(Event):
    """A seat took a development card; `value` is that of a park."""

    seat: int
    symbol: str
    value: int | None


@dataclass(frozen=True, slots=True)
class CardDeclined(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class PermitsReshuffled(Event):
    """The discarded permits became the new pile."""

    pile: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PermitsRefilled(Event):
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoalsRefilled(Event):
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AreaClosed(Event):
    """All seats have acted here; they go on in this order."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class YearBegun(Event):
    year: int


@dataclass(frozen=True, slots=True)
class GoalsRevealed(Event):
    """The goals that each seat held face down."""

    goals: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """`eighth`: somebody built the eighth building on an action card. `final_year`: 1912 is over."""

    reason: str


EVENTS: tuple[type[Event], ...] = (
    GameBegun,
    PawnPlaced,
    ActionChosen,
    BonusChosen,
    BonusLapsed,
    MoneyGained,
    MoneyPaid,
    MaterialTaken,
    PermitTaken,
    GoalTaken,
    GoalDrawn,
    RubbleCleared,
    MarkerMoved,
    MarkerCapped,
    PermitChosen,
    Built,
    BestBuilderTaken,
    CardOffered,
    CardTaken,
    CardDeclined,
    TurnEnded,
    PermitsReshuffled,
    PermitsRefilled,
    GoalsRefilled,
    AreaClosed,
    YearBegun,
    GoalsRevealed,
    GameEnded,
)
