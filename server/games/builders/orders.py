"""Standing orders: a whole turn on an action card or on the year board, while nobody is there to take it (RULES 3)."""

from __future__ import annotations

from typing import Final

from server.games.builders.commands import (
    BuildersCommand,
    Confirm,
    Develop,
    Pass,
    PlacePawn,
    TakeDollar,
    TakeIncome,
    TakeMaterial,
    TakeMoney,
    TakeStep,
)
from server.games.builders.components import YEAR_BOARD
from server.games.engine.orders import OrderKind, OrderRules, Situation, Values, any_of, prepared_kind
from server.games.engine.prompts import Command, OneOf

RIGHT, LEFT, ASK = "right", "left", "ask"
_ACTIONS: Final[dict[str, type[Command]]] = {
    "dollar": TakeDollar,
    "income": TakeIncome,
    "material": TakeMaterial,
    "develop": Develop,
}
_BONUSES: Final[dict[str, type[Command]]] = {"money": TakeMoney, "step": TakeStep, "material": TakeMaterial}
_SPACE = any_of("space", "Where the pawn goes; spaces count from the left.", (RIGHT, LEFT, "1", "2", "3", "4", "5"))


def _turn(values: Values, situation: Situation) -> Command | None:
    """Place the pawn on an action card, and take one of the actions that need no choice (RULES 3.1, 4)."""
    if situation.view["area"] == YEAR_BOARD:
        return None
    match situation.kind:
        case "place_pawn":
            return _place(values["space"], situation)
        case "act":
            if values["action"] == ASK:
                return None
            is_passing = values["action"] == "dollar" and situation.offered(Pass) is not None  # RULES 4.4
            return Pass() if is_passing else _ACTIONS[values["action"]]()
        case "confirm":
            return Confirm()
    return None


def _year(values: Values, situation: Situation) -> Command | None:
    """Place the pawn on the year board, and choose the bonus of the year (RULES 6)."""
    if situation.view["area"] != YEAR_BOARD:
        return None
    match situation.kind:
        case "place_pawn":
            return _place(values["space"], situation)
        case "bonus":
            return None if values["bonus"] == ASK else _BONUSES[values["bonus"]]()
        case "confirm":
            return Confirm()
    return None


def _place(wanted: str, situation: Situation) -> Command | None:
    offered = situation.offered(PlacePawn)
    if offered is None:
        return None
    free = offered["space"]
    assert isinstance(free, OneOf)
    spaces = [space for space in free.values if isinstance(space, int)]
    if wanted in (RIGHT, LEFT):
        return PlacePawn(max(spaces) if wanted == RIGHT else min(spaces))
    return PlacePawn(int(wanted) - 1)


ORDERS: Final = OrderRules(
    (
        OrderKind("turn", (_SPACE, any_of("action", "The action to take.", (ASK, *_ACTIONS))), _turn),
        OrderKind("year", (_SPACE, any_of("bonus", "The bonus of the year to take.", (ASK, *_BONUSES))), _year),
        prepared_kind(BuildersCommand.members(), ("place_pawn",)),
    ),
    period="year",
)
