"""The commands of a seat. The prompt of a decision says which of them are legal, and with which values."""

from __future__ import annotations

from server.games.engine.frozen import frozen
from server.games.engine.prompts import Command


class PlannersCommand(Command, family=True):
    """A command of Planners."""

    __slots__ = ()


@frozen
class Draw(PlannersCommand):
    """Draw the top project card (RULES 3.2)."""


@frozen
class Lay(PlannersCommand):
    """Lay the drawn card below a column of the project board (RULES 3.2)."""

    column: int


@frozen
class Finalize(PlannersCommand):
    """Take all cards of a column, and a contract (RULES 3.4)."""

    column: int


@frozen
class Place(PlannersCommand):
    """Place a card that was taken: the card, and the row of the city (RULES 5.1)."""

    placement: tuple[int, int]


@frozen
class Discard(PlannersCommand):
    """Put a card that was taken out of the game (RULES 3.6)."""

    card: int


@frozen
class TakeValue(PlannersCommand):
    """Take the token for more value and put it on an own card (RULES 6.3)."""

    space: int


@frozen
class TakeUniversal(PlannersCommand):
    """Take the valuable universal card and place it in a row (RULES 6.4)."""

    row: int


@frozen
class TakeDepot(PlannersCommand):
    """Take the depot card and place it in a row (RULES 6.4)."""

    row: int


@frozen
class TakePoints(PlannersCommand):
    """Take the token that is worth points (RULES 6.5)."""


@frozen
class TakeRelease(PlannersCommand):
    """Take the token that gives contracts back (RULES 6.6)."""


@frozen
class TakeTracks(PlannersCommand):
    """Take a tracks token and put it on an own card (RULES 6.7)."""

    space: int


@frozen
class Decline(PlannersCommand):
    """Take no bonus (RULES 6.2)."""


@frozen
class Release(PlannersCommand):
    """Use the token that gives contracts back (RULES 4.4)."""

    count: int


@frozen
class Confirm(PlannersCommand):
    """End the turn after finalizing; nothing can be taken back any more (RULES 3.7)."""


@frozen
class Pass(PlannersCommand):
    """Do nothing, since nothing is possible (RULES 3.9)."""
