"""A step of Investors in the making."""

from __future__ import annotations

from server.games.engine import step_builder
from server.games.investors.reducers import REDUCERS
from server.games.investors.state import State


class StepBuilder(step_builder.StepBuilder[State]):
    """A step whose events change a position of Investors."""

    __slots__ = ()
    reducers = REDUCERS
