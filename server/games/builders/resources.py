"""Money and markers of the seats: the changes that many rules of Builders make."""

from __future__ import annotations

from server.games.builders.components import CORNER_DOLLAR, MAX_MONEY
from server.games.builders.events import MarkerCapped, MarkerMoved, MoneyGained, MoneyPaid
from server.games.builders.state import State
from server.games.engine.game import Seat
from server.games.engine.step_builder import StepBuilder


def gain(step: StepBuilder[State], seat: Seat, amount: int, why: str) -> None:
    """Pay money to a seat; money beyond the end of the track is lost (RULES 2.6)."""
    step.emit(MoneyGained(seat, min(amount, MAX_MONEY - step.state.money[seat]), why))


def pay(step: StepBuilder[State], seat: Seat, amount: int, why: str) -> None:
    """Take money from a seat that has enough."""
    if amount:
        step.emit(MoneyPaid(seat, amount, why))


def in_corner(state: State, seat: Seat) -> bool:
    """Return whether a seat's marker can go no further (RULES 5.7)."""
    edition = state.edition
    return state.columns[seat] == edition.last_column and state.rows[seat] == edition.last_row


def step_up(step: StepBuilder[State], seat: Seat) -> None:
    """Move a marker up, at the top row to the right (RULES 5.5)."""
    column, row = step.state.columns[seat], step.state.rows[seat]
    _step(step, seat, *((column, row + 1) if row < step.state.edition.last_row else (column + 1, row)))


def step_right(step: StepBuilder[State], seat: Seat) -> None:
    """Move a marker to the right, in the last column up (RULES 5.6)."""
    column, row = step.state.columns[seat], step.state.rows[seat]
    _step(step, seat, *((column + 1, row) if column < step.state.edition.last_column else (column, row + 1)))


def _step(step: StepBuilder[State], seat: Seat, column: int, row: int) -> None:
    if in_corner(step.state, seat):
        step.emit(MarkerCapped(seat))
        gain(step, seat, CORNER_DOLLAR, "corner")
    else:
        step.emit(MarkerMoved(seat, column, row))
