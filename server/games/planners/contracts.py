"""Contracts: the cost of taking a column, and the ways to give contracts back (RULES 4)."""

from __future__ import annotations

from typing import Final

from server.games.engine.prompts import Choice, OneOf
from server.games.engine.step_builder import StepBuilder
from server.games.planners.commands import Release
from server.games.planners.components import MAX_RELEASE
from server.games.planners.events import ContractsReleased, ContractsReturned
from server.games.planners.state import State

RELEASES: Final = tuple(
    (Choice(Release, {"count": OneOf(tuple(range(1, count + 1)))}),) if count else ()
    for count in range(MAX_RELEASE + 1)
)
"""The choices for using the token, by the number of contracts that it could give back."""


def takeable(lengths: tuple[int, ...], contracts: int) -> tuple[int, ...]:
    """Return the columns that a seat with this number of contracts may take, given their lengths (RULES 3.4)."""
    return tuple(column for column, length in enumerate(lengths) if length > contracts)


def releasable(state: State) -> int:
    """Return the number of contracts that the seat to move could give back with a token (RULES 4.4)."""
    return min(MAX_RELEASE, state.contracts[state.turn]) if state.releases[state.turn] else 0


def release(step: StepBuilder[State], count: int) -> None:
    step.emit(ContractsReleased(step.state.turn, count))


def settle_contracts(step: StepBuilder[State]) -> None:
    """Let everybody give a contract back if everybody has one (RULES 4.2)."""
    if 0 not in step.state.contracts:
        step.emit(ContractsReturned())
