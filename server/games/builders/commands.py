"""The commands of a seat. The prompt of a decision says which of them are legal, and with which values."""

from __future__ import annotations

from server.games.engine.frozen import frozen
from server.games.engine.prompts import Command


class BuildersCommand(Command, family=True):
    """A command of Builders."""

    __slots__ = ()


@frozen
class PlacePawn(BuildersCommand):
    """Move on to a free space of the next area (RULES 3.1)."""

    space: int


@frozen
class TakeIncome(BuildersCommand):
    """Take the income that is printed on the card (RULES 5.1)."""


@frozen
class TakeMaterial(BuildersCommand):
    """Take a building from the own supply (RULES 5.2)."""


@frozen
class TakePermit(BuildersCommand):
    """Take a face-up permit (RULES 5.3)."""

    permit: int


@frozen
class TakeGoal(BuildersCommand):
    """Take a face-up goal, or "blind" the top of the pile (RULES 5.4)."""

    goal: str


@frozen
class CleanUp(BuildersCommand):
    """Remove the rubble of a plot and go a step up; plot -1 is the step alone (RULES 5.5)."""

    plot: int


@frozen
class Develop(BuildersCommand):
    """Go a step to the right (RULES 5.6)."""


@frozen
class Build(BuildersCommand):
    """Begin to put a building together (RULES 7)."""


@frozen
class BuildSubsidised(BuildersCommand):
    """Begin to put a subsidised building together (RULES 7.5)."""


@frozen
class TakeDollar(BuildersCommand):
    """Take one dollar instead of an action (RULES 4.3)."""


@frozen
class Pass(BuildersCommand):
    """Do nothing, on the space for it (RULES 4.4)."""


@frozen
class ChoosePermit(BuildersCommand):
    """Use a permit for the building, the first or the second (RULES 7.2, 7.3)."""

    permit: int


@frozen
class ChoosePlot(BuildersCommand):
    """Build on a plot and pay for it (RULES 7.1, 7.4)."""

    plot: int


@frozen
class TakeCard(BuildersCommand):
    """Take a development card of a symbol that both permits show (RULES 8.1)."""

    symbol: str


@frozen
class DeclineCard(BuildersCommand):
    """Take no development card (RULES 8.4)."""


@frozen
class TakeMoney(BuildersCommand):
    """Choose the money of the year's bonus (RULES 6)."""


@frozen
class TakeStep(BuildersCommand):
    """Choose the free step of the year's bonus (RULES 6)."""


@frozen
class Confirm(BuildersCommand):
    """End the turn; nothing of it can be taken back any more (RULES 3.4)."""
