"""Standing orders: drawing and laying a project while nobody is there to do it (RULES 3.2)."""

from __future__ import annotations

from typing import Final

from server.games.engine.options import Limit
from server.games.engine.orders import OrderKind, OrderRules, Situation, Values, any_of, prepared_kind
from server.games.engine.prompts import Command, OneOf
from server.games.planners.commands import Draw, Finalize, Lay, PlannersCommand
from server.games.planners.components import MARKET_COLUMNS

SHORTEST, LONGEST = "shortest", "longest"


def _draw(values: Values, situation: Situation) -> Command | None:
    """Draw, unless a column that the seat could take is long; then lay the card."""
    lengths = [len(cards) for cards in situation.view["columns"]]
    match situation.kind:
        case "turn":
            is_theirs = situation.offered(Draw) is None or _is_long(values["unless"], lengths, situation)
            return None if is_theirs else Draw()
        case "lay":
            return Lay(_column(values["column"], lengths))
    return None


def _is_long(limit: int | None, lengths: list[int], situation: Situation) -> bool:
    """Return whether a column that the seat could take has so many cards."""
    takeable = situation.offered(Finalize)
    if limit is None or takeable is None:
        return False
    columns = takeable["column"]
    assert isinstance(columns, OneOf)
    return any(isinstance(column, int) and lengths[column] >= limit for column in columns.values)


def _column(wanted: str, lengths: list[int]) -> int:
    if wanted in (SHORTEST, LONGEST):
        return lengths.index(min(lengths) if wanted == SHORTEST else max(lengths))
    return int(wanted) - 1


ORDERS: Final = OrderRules(
    (
        OrderKind(
            "draw",
            (
                any_of(
                    "column",
                    "The column for the card that is drawn.",
                    (SHORTEST, LONGEST, *(str(column + 1) for column in MARKET_COLUMNS)),
                ),
                Limit(
                    "unless",
                    "Leave the turn to the person if a column that can be taken has so many cards.",
                    1,
                    12,
                    None,
                    none=True,
                ),
            ),
            _draw,
            continues=frozenset({"lay"}),
        ),
        prepared_kind(PlannersCommand.members(), ("turn", "lay")),
    ),
)
