"""The actions of the cards, except building: when each can be chosen, and what it does (RULES 5).

An action is offered only if it can be carried out and paid with the money that is left after the fee. What a display or
the rubble offers stays the same for several turns, so those choices are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from server.games.builders.building import can_build
from server.games.builders.city import plots_of
from server.games.builders.commands import (
    Build,
    BuildSubsidised,
    CleanUp,
    Develop,
    TakeGoal,
    TakeIncome,
    TakeMaterial,
    TakePermit,
)
from server.games.builders.components import (
    BLIND,
    CLEAN_UP_PRICE,
    CLEAN_UP_STEP_PRICE,
    DEVELOP_PRICE,
    MAX_PERMITS_HELD,
    NO_PLOT,
)
from server.games.builders.events import GoalDrawn, GoalTaken, MaterialTaken, PermitTaken, RubbleCleared
from server.games.builders.resources import gain, in_corner, pay, step_right, step_up
from server.games.builders.state import State
from server.games.engine.game import Seat
from server.games.engine.prompts import Choice, Command, OneOf
from server.games.engine.step_builder import StepBuilder

_INCOME = Choice(TakeIncome)
_MATERIAL = Choice(TakeMaterial)
_DEVELOP = Choice(Develop)
_BUILD = Choice(Build)
_BUILD_SUBSIDISED = Choice(BuildSubsidised)

COMMAND_OF: dict[str, type[Command]] = {
    "income": TakeIncome,
    "material": TakeMaterial,
    "permit": TakePermit,
    "goal": TakeGoal,
    "clean_up": CleanUp,
    "develop": Develop,
    "build": Build,
    "build_subsidised": BuildSubsidised,
}
ACTION_OF = {command: action for action, command in COMMAND_OF.items()}


def _income(state: State, seat: Seat, money: int) -> Choice | None:
    return _INCOME


def _material(state: State, seat: Seat, money: int) -> Choice | None:
    return _MATERIAL if state.supply[seat] else None


def _permit(state: State, seat: Seat, money: int) -> Choice | None:
    if not state.permits_shown or len(state.permits[seat]) >= MAX_PERMITS_HELD:
        return None
    return _take_permit(state.permits_shown)


@lru_cache(maxsize=1024)
def _take_permit(permits: tuple[int, ...]) -> Choice:
    return Choice(TakePermit, {"permit": OneOf(permits)})


def _goal(state: State, seat: Seat, money: int) -> Choice | None:
    goals = (*state.goals_shown, BLIND) if state.goal_pile else state.goals_shown
    return _take_goal(goals) if goals else None


@lru_cache(maxsize=1024)
def _take_goal(goals: tuple[str, ...]) -> Choice:
    return Choice(TakeGoal, {"goal": OneOf(goals)})


def _clean_up(state: State, seat: Seat, money: int) -> Choice | None:
    ruins = state.ruins if money >= CLEAN_UP_PRICE else 0
    # A seat that can pay for rubble can also pay for the step alone.
    return _clean_up_of(ruins) if money >= _step_price(state, seat, CLEAN_UP_STEP_PRICE) else None


@lru_cache(maxsize=1024)
def _clean_up_of(ruins: int) -> Choice:
    return Choice(CleanUp, {"plot": OneOf((*plots_of(ruins), NO_PLOT))})


def _develop(state: State, seat: Seat, money: int) -> Choice | None:
    return _DEVELOP if money >= _step_price(state, seat, DEVELOP_PRICE) else None


def _build(state: State, seat: Seat, money: int) -> Choice | None:
    return _BUILD if can_build(state, seat, money, subsidised=False) else None


def _build_subsidised(state: State, seat: Seat, money: int) -> Choice | None:
    return _BUILD_SUBSIDISED if can_build(state, seat, money, subsidised=True) else None


OFFERS: dict[str, Callable[[State, Seat, int], Choice | None]] = {
    "income": _income,
    "material": _material,
    "permit": _permit,
    "goal": _goal,
    "clean_up": _clean_up,
    "develop": _develop,
    "build": _build,
    "build_subsidised": _build_subsidised,
}
"""A function for each action that returns its choice for a seat with this much money left, or None."""


def _step_price(state: State, seat: Seat, price: int) -> int:
    return 0 if in_corner(state, seat) else price  # RULES 5.7


def carry_out(step: StepBuilder[State], seat: Seat, command: Command, income: int = 0) -> None:
    """Carry out an action; building only begins with its choice."""
    match command:
        case TakeIncome():
            gain(step, seat, income, "income")
        case TakeMaterial():
            step.emit(MaterialTaken(seat))
        case TakePermit(permit):
            step.emit(PermitTaken(seat, permit))
        case TakeGoal(goal):
            top = step.state.goal_pile[-1:]
            step.emit(GoalDrawn(seat, top[0]) if goal == BLIND else GoalTaken(seat, goal))
        case CleanUp(plot):
            _clean(step, seat, plot)
        case Develop():
            pay(step, seat, _step_price(step.state, seat, DEVELOP_PRICE), "develop")
            step_right(step, seat)


def _clean(step: StepBuilder[State], seat: Seat, plot: int) -> None:
    if plot == NO_PLOT:
        pay(step, seat, _step_price(step.state, seat, CLEAN_UP_STEP_PRICE), "step")
    else:
        pay(step, seat, CLEAN_UP_PRICE, "clean_up")
        step.emit(RubbleCleared(seat, plot, "clean_up"))
    step_up(step, seat)
