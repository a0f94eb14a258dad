"""A step of Planners in the making."""

from __future__ import annotations

from server.games.engine import step_builder
from server.games.planners.changes import CHANGES
from server.games.planners.state import State


class Flow(step_builder.Flow[State]):
    """A step whose events change a position of Planners."""

    __slots__ = ()
    changes = CHANGES
