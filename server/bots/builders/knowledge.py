"""The knowledge of a seat as a state of the game: open parts from the view, hidden ones left out or determinized.

The rules work on states, so a bot that has a state of its own can simulate with the very rules of the game. Nothing
here has ever seen the true state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """Return the position without the hidden goals of others, and with piles in no particular order."""
    view, seat = question.view, question.seat
    hidden: list[tuple[str, ...]] = [()] * len(view["seats"])
    hidden[seat] = tuple(view["hidden_goals"])
    return _state(question, unseen_permits(view), unseen_goals(view), hidden)


def determinized_state(question: Question, rng: Random) -> State:
    """Return a determinization: a possible position in which all hidden cards are dealt at random."""
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
    """Return the permits that must be in the pile."""
    seen = {*view["permits"], *view["permit_discard"]}
    seen.update(*(one["permits"] for one in view["seats"]))
    return [permit for permit in range(len(PERMITS)) if permit not in seen]


def unseen_goals(view: Mapping[str, Any]) -> list[str]:
    """Return the goals that are in the pile or face down in front of others."""
    goals = view["goals"]
    seen = {*goals["common"], *goals["display"], *view["hidden_goals"]}
    seen.update(*(one["open_goals"] for one in view["seats"]))
    return [goal for goal in (*START_GOALS, *OTHER_GOALS) if goal not in seen]


def _state(question: Question, permits: list[int], goals: list[str], hidden: list[tuple[str, ...]]) -> State:
    view = question.view
    city, seats = view["city"], view["seats"]
    cards, sides = zip(*city["cards"], strict=True)
    columns, rows = zip(*_by_seat(seats, "marker"), strict=True)
    return State(
        seats=len(seats),
        city=city_of(cards, city["grid"][0], city["strict_wild"], city["adjacent_across_cards"]),
        sides=sides,
        action_cards=tuple(view["action_cards"]),
        park_values=PARK_VALUES if question.options["park_order"] == "rising" else PARK_VALUES[::-1],
        order=tuple(view["order"]),
        permits_shown=tuple(view["permits"]),
        permit_pile=tuple(permits),
        common_goals=tuple(view["goals"]["common"]),
        goals_shown=tuple(view["goals"]["display"]),
        goal_pile=tuple(goals[: view["goals"]["pile"]]),
        ruins=mask_of(iter(city["rubble"])),
        stacks=_card_counts(view["development"]),
        money=_by_seat(seats, "money"),
        columns=columns,
        rows=rows,
        front=_by_seat(seats, "front"),
        supply=_by_seat(seats, "supply"),
        buildings=_buildings(city["owners"], len(seats)),
        permits=tuple(map(tuple, _by_seat(seats, "permits"))),
        open_goals=tuple(map(tuple, _by_seat(seats, "open_goals"))),
        hidden_goals=tuple(hidden),
        rubble=_by_seat(seats, "rubble"),
        cards=tuple(map(_card_counts, _by_seat(seats, "cards"))),
        parks=tuple(tuple(one["cards"][PARK]) for one in seats),
        pawns=tuple(None if pawn is None else (pawn[0], pawn[1]) for pawn in view["pawns"]),
        year=view["year"],
        area=view["area"],
        acted=len(view["acted"]),
        best_builder=view["best_builder"],
        permit_discard=tuple(view["permit_discard"]),
        stage=_stage(view["stage"]),
        rules=view["rules"],
        majorities_rank_all=view["goals"]["majorities_rank_all"],
    )


def _by_seat(seats: Sequence[Mapping[str, Any]], field: str) -> tuple[Any, ...]:
    return tuple(seat[field] for seat in seats)


def _buildings(owners: Sequence[int | None], seats: int) -> tuple[int, ...]:
    return tuple(mask_of(plot for plot, owner in enumerate(owners) if owner == seat) for seat in range(seats))


def _card_counts(cards: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the number of cards by symbol; a view lists the values of parks and counts all others."""
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
            return Gaining(tuple(stage["symbols"]), stage.get("owed", False))
        case "confirming":
            return Confirming()
    raise AssertionError(stage)
