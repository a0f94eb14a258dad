"""What a seat knows, as a state of the game: the open parts from the view, the hidden ones left out or dealt by chance.

The rules work on states, so a bot that thinks with a state of its own can look ahead with the very rules of the game.
Nothing here has ever seen the true state.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from server.bots.strategy import Question
from server.games.builders.city import city_of, mask_of
from server.games.builders.components import OTHER_GOALS, PARK, PARK_VALUES, PERMITS, START_GOALS, SYMBOLS
from server.games.builders.state import (
    Acting,
    Composing,
    Confirming,
    Gaining,
    Placing,
    Rewarding,
    Stage,
    State,
)


def known_state(question: Question) -> State:
    """Give the position without the hidden goals of others, and with piles in no particular order."""
    view, seat = question.view, question.seat
    hidden: list[tuple[str, ...]] = [()] * len(view["seats"])
    hidden[seat] = tuple(view["hidden_goals"])
    return _state(question, unseen_permits(view), unseen_goals(view), hidden)


def possible_state(question: Question, rng: Random) -> State:
    """Give a position that could be the true one: what is hidden is dealt by chance from all that is not seen."""
    view, seat = question.view, question.seat
    permits, goals = unseen_permits(view), unseen_goals(view)
    rng.shuffle(permits)
    rng.shuffle(goals)
    hidden = []
    for other, one in enumerate(view["seats"]):
        count = 0 if other == seat else int(one["hidden_goals"])
        hidden.append(tuple(goals[:count]))
        del goals[:count]
    hidden[seat] = tuple(view["hidden_goals"])
    return _state(question, permits, goals, hidden)


def unseen_permits(view: Mapping[str, Any]) -> list[int]:
    """Give the permits that must be in the pile."""
    seen = {*view["permits"], *view["permit_discard"]}
    seen.update(*(one["permits"] for one in view["seats"]))
    return [permit for permit in range(len(PERMITS)) if permit not in seen]


def unseen_goals(view: Mapping[str, Any]) -> list[str]:
    """Give the goals that are in the pile or face down before others."""
    goals = view["goals"]
    seen = {*goals["common"], *goals["display"], *view["hidden_goals"]}
    seen.update(*(one["open_goals"] for one in view["seats"]))
    return [goal for goal in (*START_GOALS, *OTHER_GOALS) if goal not in seen]


def _state(question: Question, permits: list[int], goals: list[str], hidden: list[tuple[str, ...]]) -> State:
    view = question.view
    city, seats, left = view["city"], view["seats"], view["development"]
    owners = city["owners"]
    return State(
        seats=len(seats),
        city=city_of(
            tuple(card for card, _ in city["cards"]),
            city["grid"][0],
            city["strict_wild"],
            city["adjacent_across_cards"],
        ),
        sides=tuple(side for _, side in city["cards"]),
        action_cards=tuple(view["action_cards"]),
        park_values=PARK_VALUES if question.options["park_order"] == "rising" else PARK_VALUES[::-1],
        order=tuple(view["order"]),
        permits_shown=tuple(view["permits"]),
        permit_pile=tuple(permits),
        common_goals=tuple(view["goals"]["common"]),
        goals_shown=tuple(view["goals"]["display"]),
        goal_pile=tuple(goals[: view["goals"]["pile"]]),
        ruins=mask_of(iter(city["rubble"])),
        stacks=tuple(len(left[symbol]) if symbol == PARK else left[symbol] for symbol in SYMBOLS),
        money=tuple(one["money"] for one in seats),
        columns=tuple(one["marker"][0] for one in seats),
        rows=tuple(one["marker"][1] for one in seats),
        front=tuple(one["front"] for one in seats),
        supply=tuple(one["supply"] for one in seats),
        buildings=tuple(
            mask_of(plot for plot, owner in enumerate(owners) if owner == seat) for seat in range(len(seats))
        ),
        permits=tuple(tuple(one["permits"]) for one in seats),
        open_goals=tuple(tuple(one["open_goals"]) for one in seats),
        hidden_goals=tuple(hidden),
        rubble=tuple(one["rubble"] for one in seats),
        cards=tuple(_cards(one["cards"]) for one in seats),
        parks=tuple(tuple(one["cards"][PARK]) for one in seats),
        pawns=tuple(None if pawn is None else (pawn[0], pawn[1]) for pawn in view["pawns"]),
        year=view["year"],
        area=view["area"],
        acted=len(view["acted"]),
        best_builder=view["best_builder"],
        permit_discard=tuple(view["permit_discard"]),
        stage=_stage(view["stage"]),
    )


def _cards(cards: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(len(cards[symbol]) if symbol == PARK else cards[symbol] for symbol in SYMBOLS)


def _stage(stage: Mapping[str, Any]) -> Stage:
    match stage["name"]:
        case "placing":
            return Placing()
        case "acting":
            return Acting()
        case "rewarding":
            return Rewarding()
        case "composing":
            return Composing(stage["subsidised"], stage["fee"], tuple(stage["permits"]))
        case "gaining":
            return Gaining(tuple(stage["symbols"]))
        case "confirming":
            return Confirming()
    raise AssertionError(stage)
