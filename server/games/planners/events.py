"""What can happen in a game of Planners. Every draw and shuffle is already resolved in these."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from server.games.engine.game import Event


@dataclass(frozen=True, slots=True)
class GameBegun(Event):
    """The box is set up; the next card to be drawn is the last of the deck."""

    seats: int
    first_seat: int
    allow_decline_bonus: bool
    resolve_bonus_on_final_card: bool
    tokens: int
    deck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProjectDrawn(Event):
    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class ProjectLaid(Event):
    """`token`: a foundation token was put on the card."""

    seat: int
    card: int
    column: int
    token: bool


@dataclass(frozen=True, slots=True)
class ColumnTaken(Event):
    """A seat took all cards of a column, and a contract for them."""

    seat: int
    column: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ContractsReturned(Event):
    """Everybody held a contract, so everybody gave one back."""


@dataclass(frozen=True, slots=True)
class ContractsReleased(Event):
    """A seat used its token and gave contracts back."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CardPlaced(Event):
    seat: int
    card: int
    space: int


@dataclass(frozen=True, slots=True)
class CardDiscarded(Event):
    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class NetworkGrown(Event):
    """These cards are connected to a depot now and carry a cable car each."""

    seat: int
    spaces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TowerBuilt(Event):
    seat: int
    space: int


@dataclass(frozen=True, slots=True)
class MedalTaken(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class RowCompleted(Event):
    """A seat was the first to fill this row and took the token for it."""

    seat: int
    row: int


@dataclass(frozen=True, slots=True)
class BonusDue(Event):
    """A second compass lies in a row; the seat is to choose a bonus."""

    seat: int
    row: int


@dataclass(frozen=True, slots=True)
class BonusTaken(Event):
    """The bonus for a row was taken; `space` is where its card or token lies, None if it lies nowhere."""

    seat: int
    row: int
    bonus: str
    space: int | None


@dataclass(frozen=True, slots=True)
class BonusLapsed(Event):
    """There was nothing that the seat could have taken for a row."""

    seat: int
    row: int


@dataclass(frozen=True, slots=True)
class BonusDeclined(Event):
    seat: int
    row: int


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class TurnPassed(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """`foundations`: the last token lies. `full`: a city is full. `stuck`: nobody could do anything.

    The seat is the one that ended the game; ties begin with it.
    """

    reason: str
    seat: int


# A frozen fact takes long to make. Of those that nearly every step consists of, the box allows so few different ones
# that each is made once and told again whenever it happens.
project_drawn = cache(ProjectDrawn)
project_laid = cache(ProjectLaid)
card_placed = cache(CardPlaced)
card_discarded = cache(CardDiscarded)
turn_ended = cache(TurnEnded)

EVENTS: tuple[type[Event], ...] = (
    GameBegun,
    ProjectDrawn,
    ProjectLaid,
    ColumnTaken,
    ContractsReturned,
    ContractsReleased,
    CardPlaced,
    CardDiscarded,
    NetworkGrown,
    TowerBuilt,
    MedalTaken,
    RowCompleted,
    BonusDue,
    BonusTaken,
    BonusLapsed,
    BonusDeclined,
    TurnEnded,
    TurnPassed,
    GameEnded,
)
