"""Reasons for choices: the key of a sentence, and the values that it needs."""

from __future__ import annotations

from server.bots.builders.evaluation import Evaluation
from server.bots.builders.plans import Plan, bonus_money
from server.bots.strategy import BotChoice, Reason
from server.games.builders.actions import ACTION_OF
from server.games.builders.commands import (
    Build,
    BuildSubsidised,
    ChoosePermit,
    ChoosePlot,
    CleanUp,
    DeclineCard,
    Develop,
    Pass,
    PlacePawn,
    TakeCard,
    TakeDollar,
    TakeGoal,
    TakeIncome,
    TakeMaterial,
    TakeMoney,
    TakePermit,
    TakeStep,
)
from server.games.builders.components import BLIND, FEE_PER_STEP, INCOME_SPACES, NO_PLOT, SYMBOLS, YEAR_BOARD
from server.games.builders.state import State
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json


def with_reason(evaluation: Evaluation, plan: Plan) -> BotChoice:
    """Return the first command of a plan with its reason."""
    key, values = _reason(evaluation, plan)
    return BotChoice(plan.commands[0], Reason(f"builders.hint.{key}", values))


def _reason(evaluation: Evaluation, plan: Plan) -> tuple[str, dict[str, Json]]:
    state, seat, first = evaluation.state, evaluation.seat, plan.commands[0]
    match first:
        case PlacePawn(space):
            return _placement_reason(state, space, plan)
        case TakeGoal(goal) if goal != BLIND:
            return "goal", {"count": max(1, round(evaluation.goal(goal)))}
        case CleanUp(plot):
            return ("step_up" if plot == NO_PLOT else "clean_up"), {}
        case ChoosePlot() | ChoosePermit():
            is_plot = isinstance(first, ChoosePlot)
            brings_card = any(isinstance(command, TakeCard) for command in plan.commands)
            return ("plot" if is_plot else "permits_with_card" if brings_card else "permits"), {}
        case TakeCard(symbol):
            return "card", {"count": max(1, round(evaluation.card_worth[SYMBOLS.index(symbol)]))}
        case TakeMoney():
            return "bonus_money", {"amount": bonus_money(state, seat)}
    return _KEYS.get(type(first), "confirm"), {}


def _placement_reason(state: State, space: int, plan: Plan) -> tuple[str, dict[str, Json]]:
    if state.area == YEAR_BOARD:
        is_early = space > 0 and _is_free(state, space - 1)
        return ("year_early" if is_early else "year_income"), {"amount": INCOME_SPACES[space]}
    action, own = plan.commands[1], state.spaces[space].action
    if type(action) in ACTION_OF and ACTION_OF[type(action)] != own:
        return "place_and_pay", {"amount": _fee(state, space, action)}
    # A seat that takes the dollar of any space has chosen the space for the turn order.
    return f"place_{own if type(action) in ACTION_OF else 'early'}", {}


def _is_free(state: State, space: int) -> bool:
    return (state.area, space) not in state.pawns


def _fee(state: State, space: int, action: Command) -> int:
    actions = [one.action for one in state.spaces]
    return FEE_PER_STEP * abs(actions.index(ACTION_OF[type(action)]) - space)


_KEYS: dict[type[Command], str] = {
    TakeIncome: "income",
    TakeMaterial: "material",
    TakePermit: "permit",
    TakeGoal: "goal_blind",
    Develop: "develop",
    Build: "build",
    BuildSubsidised: "build",
    TakeDollar: "dollar",
    Pass: "pass",
    DeclineCard: "decline_card",
    TakeStep: "bonus_step",
}
