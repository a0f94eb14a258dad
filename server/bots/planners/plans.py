"""What to do with the cards of a column: which to place, where, and in which order.

Order matters in a row alone, for a card goes to the leftmost empty space. A few of the best beginnings are followed
side by side.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from server.bots.planners.evaluation import Evaluation
from server.bots.planners.growth import with_card
from server.games.engine.game import Seat
from server.games.planners.city import ROW_BITS, City
from server.games.planners.components import CARDS, COLUMNS, COMPASSES_FOR_BONUS


class Placed(NamedTuple):
    """A card and the row it goes to."""

    card: int
    row: int


class Plan(NamedTuple):
    """Some cards placed one after the other, the city after that, and what it is worth with all bonuses."""

    steps: tuple[Placed, ...]
    city: City
    bonuses: float
    worth: float


_MAX: Final = 7
"""How many cards are planned with at once; of a longer column, those that look best."""


def nothing(evaluation: Evaluation, seat: Seat, city: City) -> Plan:
    """Give the plan that leaves a city as it is."""
    return Plan((), city, 0.0, evaluation.worth(seat, city))


def planned(
    evaluation: Evaluation, seat: Seat, begun: Plan, cards: tuple[int, ...], breadth: int, *, may_fill: bool = True
) -> Plan:
    """Give the best plan that is found for the cards, following so many at once; what it leaves out is discarded.

    `begun` is the plan that does nothing. `may_fill`: the city may become full, which ends the game.
    """
    best = begun
    cards = _likely(evaluation, seat, begun, cards)
    if not may_fill:
        cards = cards[: sum(map(COLUMNS.__sub__, begun.city.filled)) - 1]
    kept = [begun]
    for _ in cards:
        longer: dict[tuple[tuple[int, ...], int], Plan] = {}
        for plan in kept:
            used = {step.card for step in plan.steps}
            for card in cards:
                if card not in used:
                    for row in plan.city.rows_for(card):
                        after = _after(evaluation, seat, plan, card, row)
                        key = after.city.cards, after.city.towers
                        if key not in longer or longer[key].worth < after.worth:
                            longer[key] = after
        if not longer:
            break
        kept = sorted(longer.values(), key=_worth, reverse=True)[:breadth]
        # Placing one more card must be worth it; but a poor card may prepare for a good one.
        if kept[0].worth > best.worth:
            best = kept[0]
    return best


def _likely(evaluation: Evaluation, seat: Seat, begun: Plan, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Give the cards that are worth planning with, the best first if there are many."""
    if len(cards) <= _MAX:
        return cards

    def alone(card: int) -> float:
        rows = begun.city.rows_for(card)
        return max([_after(evaluation, seat, begun, card, row).worth for row in rows], default=-math.inf)

    return tuple(sorted(cards, key=alone, reverse=True)[:_MAX])


def _worth(plan: Plan) -> float:
    return plan.worth


def _after(evaluation: Evaluation, seat: Seat, plan: Plan, card: int, row: int) -> Plan:
    city = with_card(plan.city, card, row)
    bonuses = plan.bonuses
    if CARDS[card].compass and (city.compasses & ROW_BITS[row]).bit_count() == COMPASSES_FOR_BONUS:
        bonuses += evaluation.compass_bonus(row)
    return Plan((*plan.steps, Placed(card, row)), city, bonuses, evaluation.worth(seat, city) + bonuses)
