"""Positions made from what a seat knows: the rules can go on from them.

Hidden is the order of the deck alone, so a possible state differs from the true one in nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from server.bots.strategy import Question
from server.games.engine.game import Seat
from server.games.planners.city import EMPTY, City
from server.games.planners.components import DECK
from server.games.planners.state import PLACING, TURNING, Choosing, Laying, Over, Settings, Stage, State


def known_state(question: Question) -> State:
    """Give the position with all that the seat knows; the deck holds the right cards in an order that says nothing."""
    view = question.view
    stage, seats = view["stage"], view["seats"]
    count = len(seats)
    lying: list[int] = [*stage.get("cards", ()), *([stage["card"]] if stage["name"] == "laying" else [])]
    cities = tuple([_city(seat) for seat in seats])
    return State(
        settings=Settings(
            count,
            bool(question.options["allow_decline_bonus"]),
            bool(question.options["resolve_bonus_on_final_card"]),
            view["tokens_at_start"],
        ),
        deck=_unseen([*lying, *view["discarded"]], view["columns"], cities),
        tokens=view["tokens"],
        turn=view["turn"],
        cities=cities,
        contracts=tuple([seat["contracts"] for seat in seats]),
        releases=tuple([seat["release"] for seat in seats]),
        point_tokens=tuple([seat["point_tokens"] for seat in seats]),
        columns=tuple(map(tuple, view["columns"])),
        completed=tuple(view["completed"]),
        medal=view["medal"],
        bonuses=view["bonuses"],
        discarded=tuple(view["discarded"]),
        column=stage.get("column"),
        taken=tuple(stage.get("taken", ())),
        hand=tuple(stage.get("cards", ())),
        drawer=_likely_drawer(view, count),
        stage=_stage(stage),
    )


def shuffled(state: State, rng: Random) -> State:
    """Give the position with the deck in another order."""
    possible, deck = state.copy(), list(state.deck)
    rng.shuffle(deck)
    possible.deck = tuple(deck)
    return possible


def _unseen(lying: list[int], columns: Iterable[Iterable[int]], cities: Iterable[City]) -> tuple[int, ...]:
    seen = {*lying, *(card for column in columns for card in column), *(card for city in cities for card in city.cards)}
    return tuple([card for card in DECK if card not in seen])


def _likely_drawer(view: Mapping[str, Any], seats: int) -> Seat:
    """Give who may have drawn last: the view does not say it, and it decides ties of a game that is stuck alone."""
    turn: Seat = view["turn"]
    return turn if view["stage"]["name"] == "laying" else (turn - 1) % seats


def _city(seat: Mapping[str, Any]) -> City:
    city = City()
    for space, card in enumerate(seat["cards"]):
        if card != EMPTY:
            city.add(card, space)
    city.cars, city.towers = _bits(seat["cars"]), _bits(seat["towers"])
    city.extra_value, city.extra_tracks = _bits(seat["extra_value"]), _bits(seat["extra_tracks"])
    city.tracks |= city.extra_tracks
    return city


def _bits(spaces: Iterable[int]) -> int:
    return sum(1 << space for space in spaces)


def _stage(stage: Mapping[str, Any]) -> Stage:
    match stage["name"]:
        case "turn":
            return TURNING
        case "laying":
            return Laying(stage["card"])
        case "placing" | "confirming":
            return PLACING
        case "bonus":
            return Choosing(stage["row"])
    return Over(stage["reason"], stage["seat"])
