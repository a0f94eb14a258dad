"""Plans for the cards of a column: which to place, where, and in which order, found by beam search.

The order matters only within a row, for a card goes to the leftmost empty space.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from server.bots.planners.city_updates import with_card
from server.bots.planners.evaluation import Evaluation
from server.games.engine.game import Seat
from server.games.planners.city import ROW_BITS, City
from server.games.planners.components import CARDS, COLUMNS, COMPASSES_FOR_BONUS


class Placement(NamedTuple):
    """A card and the row it goes to."""

    card: int
    row: int


class Plan(NamedTuple):
    """Some cards placed one after the other, the city after that, and its value with all bonuses."""

    steps: tuple[Placement, ...]
    city: City
    bonuses: float
    worth: float


_MAX_CARDS: Final = 7
"""The maximum of cards in one search; of a longer column, those with the highest value alone."""


def empty_plan(evaluation: Evaluation, seat: Seat, city: City) -> Plan:
    """Return the plan that leaves a city as it is."""
    return Plan((), city, 0.0, evaluation.worth(seat, city))


def best_plan(
    evaluation: Evaluation, seat: Seat, start: Plan, cards: tuple[int, ...], beam_width: int, *, may_fill: bool = True
) -> Plan:
    """Return the best plan that a beam search finds for the cards; cards that it does not place are discarded.

    `start` is the empty plan. With `may_fill` the city may become full, which ends the game.
    """
    best = start
    cards = _best_cards(evaluation, seat, start, cards)
    if not may_fill:
        cards = cards[: sum(map(COLUMNS.__sub__, start.city.filled)) - 1]
    beam = [start]
    for _ in cards:
        longer: dict[tuple[tuple[int, ...], int], Plan] = {}
        for plan in beam:
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
        beam = sorted(longer.values(), key=_worth, reverse=True)[:beam_width]
        # Keep searching from a worse plan: a poor card may prepare for a good one.
        if beam[0].worth > best.worth:
            best = beam[0]
    return best


def _best_cards(evaluation: Evaluation, seat: Seat, start: Plan, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards to plan with, the best first if there are too many."""
    if len(cards) <= _MAX_CARDS:
        return cards

    def alone(card: int) -> float:
        rows = start.city.rows_for(card)
        return max([_after(evaluation, seat, start, card, row).worth for row in rows], default=-math.inf)

    return tuple(sorted(cards, key=alone, reverse=True)[:_MAX_CARDS])


def _worth(plan: Plan) -> float:
    return plan.worth


def _after(evaluation: Evaluation, seat: Seat, plan: Plan, card: int, row: int) -> Plan:
    city = with_card(plan.city, card, row)
    bonuses = plan.bonuses
    if CARDS[card].compass and (city.compasses & ROW_BITS[row]).bit_count() == COMPASSES_FOR_BONUS:
        bonuses += evaluation.compass_bonus(row)
    return Plan((*plan.steps, Placement(card, row)), city, bonuses, evaluation.worth(seat, city) + bonuses)
