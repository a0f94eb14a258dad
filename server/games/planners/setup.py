"""Setting up the box (RULES 2)."""

from __future__ import annotations

from collections.abc import Mapping

from server.games.engine.dice import Dice
from server.games.engine.options import OptionValue
from server.games.planners.components import DECK, FOUNDATION_TOKENS
from server.games.planners.events import GameBegun


def box_set_up(seats: int, options: Mapping[str, OptionValue], dice: Dice) -> GameBegun:
    """Return the first event: the shuffled deck and the seat that begins."""
    first = options["first_seat"]
    return GameBegun(
        seats=seats,
        first_seat=dice.below("first_seat", seats) if first == "random" else int(str(first)),
        allow_decline_bonus=bool(options["allow_decline_bonus"]),
        resolve_bonus_on_final_card=bool(options["resolve_bonus_on_final_card"]),
        tokens=FOUNDATION_TOKENS[seats],
        deck=dice.shuffled("deck", DECK),
        sold_out_leaves_nothing=True if options["sold_out_bonus"] == "nothing" else None,
        rows_below_by_total=True if options["rows_below_by_total"] else None,
    )
