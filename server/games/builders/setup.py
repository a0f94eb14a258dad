"""Setting up the box (RULES 2)."""

from __future__ import annotations

from collections.abc import Mapping

from server.games.builders.components import (
    ACTION_CARDS,
    COMMON_GOALS,
    GOALS_SHOWN,
    GRIDS,
    OTHER_GOALS,
    PARK_VALUES,
    PERMITS,
    PERMITS_SHOWN,
    PLOT_CARDS,
    RULES_VERSION,
    START_GOALS,
    UNNAMED_RULES,
)
from server.games.builders.events import GameBegun
from server.games.engine.dice import Dice
from server.games.engine.options import OptionValue


def box_set_up(seats: int, options: Mapping[str, OptionValue], dice: Dice, rules: int = RULES_VERSION) -> GameBegun:
    """Return the first event: the shuffled city, cards and goals, and the start seat."""
    first, chosen = options["first_seat"], options["plot_sides"]
    columns, rows = GRIDS[seats]
    plot_cards = dice.shuffled("plot_cards", tuple(PLOT_CARDS))[: columns * rows]
    side_of = dict(
        zip(PLOT_CARDS, chosen if isinstance(chosen, tuple) else [str(chosen)] * len(PLOT_CARDS), strict=True)
    )
    sides = tuple(_side(side_of[card], card, dice) for card in plot_cards)
    permits = dice.shuffled("permits/0", range(len(PERMITS)))
    start_goals = dice.shuffled("start_goals", START_GOALS)
    goals = dice.shuffled("goals", (*start_goals[COMMON_GOALS:], *OTHER_GOALS))
    dealt, shown, pile = goals[:seats], goals[seats : seats + GOALS_SHOWN], goals[seats + GOALS_SHOWN :]
    return GameBegun(
        seats=seats,
        start_seat=dice.below("first_seat", seats) if first == "random" else int(str(first)),
        strict_wild=bool(options["strict_wild"]),
        adjacent_across_cards=bool(options["adjacent_across_cards"]),
        plot_cards=plot_cards,
        sides=sides,
        action_cards=dice.shuffled("action_cards", ACTION_CARDS),
        parks=PARK_VALUES if options["park_order"] == "rising" else PARK_VALUES[::-1],
        permits=permits[:PERMITS_SHOWN],
        permit_pile=permits[PERMITS_SHOWN:],
        common_goals=start_goals[:COMMON_GOALS],
        goals=shown,
        dealt_goals=dealt,
        goal_pile=pile,
        rules=None if rules == UNNAMED_RULES else rules,
        majorities_rank_all=True if options["majorities_rank_all"] else None,
    )


def _side(chosen: str, card: str, dice: Dice) -> str:
    return "AB"[dice.below(f"side/{card}", 2)] if chosen == "random" else chosen
