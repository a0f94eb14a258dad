"""Choices about the own city: where the taken cards go, and which bonus is taken."""

from __future__ import annotations

import math
from collections.abc import Iterator

from server.bots.planners.city_updates import with_card, with_tracks, with_value
from server.bots.planners.evaluation import Evaluation
from server.bots.planners.market import wins_full
from server.bots.planners.plans import Plan, best_plan, empty_plan
from server.bots.strategy import BotChoice, Reason
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from server.games.planners.city import ROW_BITS, City
from server.games.planners.commands import (
    Confirm,
    Decline,
    Discard,
    Place,
    TakeDepot,
    TakePoints,
    TakeRelease,
    TakeTracks,
    TakeUniversal,
    TakeValue,
)
from server.games.planners.components import BONUS_CARDS, CARDS, COLUMNS, COMPASSES_FOR_BONUS, SPACES

_CONFIRM = BotChoice(Confirm(), Reason("planners.hint.confirm"))


def place(evaluation: Evaluation, beam_width: int) -> BotChoice:
    """Return the next step of the best plan for the cards in hand, or the end of the turn."""
    state = evaluation.state
    seat, hand = state.turn, state.hand
    if not hand:
        return _CONFIRM
    city = state.cities[seat]
    start = empty_plan(evaluation, seat, city)
    plan = best_plan(evaluation, seat, start, hand, beam_width)
    if sum(plan.city.filled) == SPACES and not wins_full(state, seat, plan):
        plan = best_plan(evaluation, seat, start, hand, beam_width, may_fill=False)
    if not plan.steps:
        return BotChoice(Discard(hand[0]), Reason("planners.hint.discard"))
    step = plan.steps[0]
    return BotChoice(Place((step.card, step.row)), Reason(f"planners.hint.{_placement_key(evaluation, city, plan)}"))


def _placement_key(evaluation: Evaluation, city: City, plan: Plan) -> str:
    """Return the key of the most important effect of the first step of a plan."""
    card, row = plan.steps[0]
    grown = with_card(city, card, row)
    if grown.towers != city.towers:
        return "place_tower"
    if grown.filled[row] == COLUMNS and evaluation.state.completed[row] is None:
        return "place_row"
    if CARDS[card].compass and (grown.compasses & ROW_BITS[row]).bit_count() == COMPASSES_FOR_BONUS:
        return "place_bonus"
    if grown.cars != city.cars:
        return "place_car"
    if CARDS[card].foundation:
        return "place_foundation"
    return "place_value" if CARDS[card].value > 1 else "place_more"


def bonus(evaluation: Evaluation, prompt: Prompt) -> BotChoice:
    """Return the best bonus at its best place."""
    state = evaluation.state
    seat = state.turn
    city = state.cities[seat]
    base = evaluation.worth(seat, city)
    may_decline = any(choice.command is Decline for choice in prompt.choices)
    best: tuple[float, Command] = (0.0, Decline()) if may_decline else (-math.inf, prompt.fallback)
    for choice in prompt.choices:
        for command, after, extra in _ways(evaluation, choice, city):
            gain = evaluation.worth(seat, after) - base + extra
            if gain > best[0]:
                best = gain, command
    return BotChoice(best[1], Reason(f"planners.hint.{best[1].name}"))


def _ways(evaluation: Evaluation, choice: Choice, city: City) -> Iterator[tuple[Command, City, float]]:
    """Yield each way to take a bonus, the city after it, and its value besides the city."""
    place = next(iter(choice.spaces.values()), None)
    values = [int(value) for value in place.values] if isinstance(place, OneOf) else []
    command = choice.command
    if command is TakePoints:
        yield TakePoints(), city, evaluation.bonus_worth("points")
    elif command is TakeRelease:
        yield TakeRelease(), city, evaluation.bonus_worth("release")
    elif command is TakeValue:
        yield from ((TakeValue(space), with_value(city, space), 0.0) for space in values)
    elif command is TakeTracks:
        yield from ((TakeTracks(space), with_tracks(city, space), 0.0) for space in values)
    elif command is TakeUniversal:
        yield from ((TakeUniversal(row), with_card(city, BONUS_CARDS["universal"], row), 0.0) for row in values)
    elif command is TakeDepot:
        yield from ((TakeDepot(row), with_card(city, BONUS_CARDS["depot"], row), 0.0) for row in values)
