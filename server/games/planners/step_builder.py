"""A step of Planners in the making."""

from __future__ import annotations

from server.games.engine import step_builder
from server.games.planners.reducers import REDUCERS
from server.games.planners.state import State


class StepBuilder(step_builder.StepBuilder[State]):
    """A step whose events change a position of Planners."""

    __slots__ = ()
    reducers = REDUCERS
