"""A step of Builders in the making, and what many rules do in it: money that comes and goes, markers that move."""

from __future__ import annotations

from server.games.builders.changes import CHANGES
from server.games.builders.components import CORNER_DOLLAR, LAST_COLUMN, MAX_MONEY, TOP_ROW
from server.games.builders.events import MarkerCapped, MarkerMoved, MoneyGained, MoneyPaid
from server.games.builders.state import State
from server.games.engine import step_builder
from server.games.engine.game import Seat


class Flow(step_builder.Flow[State]):
    """A step whose events change a position of Builders."""

    __slots__ = ()
    changes = CHANGES


def gain(flow: Flow, seat: Seat, amount: int, why: str) -> None:
    """Give a seat money; what the track does not hold is lost (RULES 2.6)."""
    flow.emit(MoneyGained(seat, min(amount, MAX_MONEY - flow.state.money[seat]), why))


def pay(flow: Flow, seat: Seat, amount: int, why: str) -> None:
    """Take money from a seat that has enough."""
    if amount:
        flow.emit(MoneyPaid(seat, amount, why))


def in_corner(state: State, seat: Seat) -> bool:
    """Tell whether a seat's marker can go no further (RULES 5.7)."""
    return state.columns[seat] == LAST_COLUMN and state.rows[seat] == TOP_ROW


def step_up(flow: Flow, seat: Seat) -> None:
    """Move a marker up, at the top row to the right (RULES 5.5)."""
    column, row = flow.state.columns[seat], flow.state.rows[seat]
    _step(flow, seat, *((column, row + 1) if row < TOP_ROW else (column + 1, row)))


def step_right(flow: Flow, seat: Seat) -> None:
    """Move a marker to the right, in the last column up (RULES 5.6)."""
    column, row = flow.state.columns[seat], flow.state.rows[seat]
    _step(flow, seat, *((column + 1, row) if column < LAST_COLUMN else (column, row + 1)))


def _step(flow: Flow, seat: Seat, column: int, row: int) -> None:
    if in_corner(flow.state, seat):
        flow.emit(MarkerCapped(seat))
        gain(flow, seat, CORNER_DOLLAR, "corner")
    else:
        flow.emit(MarkerMoved(seat, column, row))
