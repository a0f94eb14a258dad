"""The commands of a seat. The prompt of a decision says which of them are legal, and with which values."""

from __future__ import annotations

from dataclasses import dataclass

from server.games.engine.prompts import Command


class PlannersCommand(Command, family=True):
    """A command of Planners."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Draw(PlannersCommand):
    """Draw the top project card (RULES 3.2)."""


@dataclass(frozen=True, slots=True)
class Lay(PlannersCommand):
    """Lay the drawn card below a column of the project board (RULES 3.2)."""

    column: int


@dataclass(frozen=True, slots=True)
class Finalize(PlannersCommand):
    """Take all cards of a column, and a contract (RULES 3.4)."""

    column: int


@dataclass(frozen=True, slots=True)
class Place(PlannersCommand):
    """Place a card that was taken: the card, and the row of the city (RULES 5.1)."""

    placement: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Discard(PlannersCommand):
    """Put a card that was taken out of the game (RULES 3.6)."""

    card: int


@dataclass(frozen=True, slots=True)
class TakeValue(PlannersCommand):
    """Take the token for more value and put it on an own card (RULES 6.3)."""

    space: int


@dataclass(frozen=True, slots=True)
class TakeUniversal(PlannersCommand):
    """Take the valuable universal card and place it in a row (RULES 6.4)."""

    row: int


@dataclass(frozen=True, slots=True)
class TakeDepot(PlannersCommand):
    """Take the depot card and place it in a row (RULES 6.4)."""

    row: int


@dataclass(frozen=True, slots=True)
class TakePoints(PlannersCommand):
    """Take the token that is worth points (RULES 6.5)."""


@dataclass(frozen=True, slots=True)
class TakeRelease(PlannersCommand):
    """Take the token that gives contracts back (RULES 6.6)."""


@dataclass(frozen=True, slots=True)
class TakeTracks(PlannersCommand):
    """Take a tracks token and put it on an own card (RULES 6.7)."""

    space: int


@dataclass(frozen=True, slots=True)
class Decline(PlannersCommand):
    """Take no bonus (RULES 6.2)."""


@dataclass(frozen=True, slots=True)
class Release(PlannersCommand):
    """Use the token that gives contracts back (RULES 4.4)."""

    count: int


@dataclass(frozen=True, slots=True)
class Confirm(PlannersCommand):
    """End the turn after finalizing; nothing can be taken back any more (RULES 3.7)."""


@dataclass(frozen=True, slots=True)
class Pass(PlannersCommand):
    """Do nothing, since nothing is possible (RULES 3.9)."""
