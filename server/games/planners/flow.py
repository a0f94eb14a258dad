"""A step of Planners in the making."""

from __future__ import annotations

from server.games import flow
from server.games.planners.changes import CHANGES
from server.games.planners.state import State


class Flow(flow.Flow[State]):
    """A step whose events change a position of Planners."""

    __slots__ = ()
    changes = CHANGES
