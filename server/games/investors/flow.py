"""A step of Investors in the making."""

from __future__ import annotations

from server.games.engine import step_builder
from server.games.investors.changes import CHANGES
from server.games.investors.state import State


class Flow(step_builder.Flow[State]):
    """A step whose events change a position of Investors."""

    __slots__ = ()
    changes = CHANGES
