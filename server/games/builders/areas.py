"""The frame of a game: turns follow each other in an area, areas in a year, years in a game (RULES 3, 11)."""

from __future__ import annotations

from typing import TypeVar

from server.games.builders.components import ACTION_CARDS, GOALS_SHOWN, PERMITS_SHOWN, YEAR_BOARD
from server.games.builders.events import (
    AreaClosed,
    GameEnded,
    GoalsRefilled,
    GoalsRevealed,
    PermitsRefilled,
    PermitsReshuffled,
    TurnEnded,
    YearBegun,
)
from server.games.builders.state import State
from server.games.engine.game import Seat
from server.games.engine.step_builder import StepBuilder

T = TypeVar("T")


def end_turn(step: StepBuilder[State]) -> None:
    """End the turn of the seat in turn and, if it was the last, the area, the year or the game."""
    state = step.state
    step.emit(TurnEnded(state.turn))
    if state.area == YEAR_BOARD:
        _refill(step)  # RULES 3.6: at the change of years every card is replaced at once.
    if state.acted == state.seats:
        _close_area(step)


def _close_area(step: StepBuilder[State]) -> None:
    state = step.state
    if state.in_last_year:
        _end_game(step, "final_year")
    elif state.best_builder is not None:
        _end_game(step, "eighth")
    else:
        is_last_card = state.area == len(ACTION_CARDS)
        _refill(step)
        step.emit(AreaClosed(_from_the_right(state)))
        if is_last_card:
            step.emit(YearBegun(state.year + 1))


def _end_game(step: StepBuilder[State], reason: str) -> None:
    step.emit(GoalsRevealed(step.state.hidden_goals))
    step.emit(GameEnded(reason))


def _from_the_right(state: State) -> tuple[Seat, ...]:
    """Return the seats by the places of their pawns, the right-most first (RULES 3.2)."""
    spaces = {seat: pawn[1] for seat, pawn in enumerate(state.pawns) if pawn is not None}
    return tuple(sorted(spaces, key=lambda seat: -spaces[seat]))


def _refill(step: StepBuilder[State]) -> None:
    state = step.state
    while len(state.permits_shown) < PERMITS_SHOWN and (state.permit_pile or state.permit_discard):
        if not state.permit_pile:
            pile = step.dice.shuffled(f"permits/{state.permit_shuffles}", state.permit_discard)
            step.emit(PermitsReshuffled(pile))
        step.emit(PermitsRefilled(_top(state.permit_pile, PERMITS_SHOWN - len(state.permits_shown))))
    if len(state.goals_shown) < GOALS_SHOWN and state.goal_pile:
        step.emit(GoalsRefilled(_top(state.goal_pile, GOALS_SHOWN - len(state.goals_shown))))


def _top(pile: tuple[T, ...], cards: int) -> tuple[T, ...]:
    return pile[-cards:][::-1]
