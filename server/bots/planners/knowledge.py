"""The knowledge of a seat as a state of the game, so that a bot can simulate with the very rules of the game.

Only the order of the deck is hidden, so a determinized state differs from the true one in nothing else.
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
    """Return the position as the seat knows it; the deck holds the right cards in a fixed order."""
    view = question.view
    stage, seats = view["stage"], view["seats"]
    count = len(seats)
    in_play: list[int] = [*stage.get("cards", ()), *([stage["card"]] if stage["name"] == "laying" else [])]
    cities = tuple([_city(seat) for seat in seats])
    return State(
        settings=Settings(
            count,
            bool(question.options["allow_decline_bonus"]),
            bool(question.options["resolve_bonus_on_final_card"]),
            view["tokens_at_start"],
            sold_out_leaves_nothing=question.options["sold_out_bonus"] == "nothing",
            rows_below_by_total=bool(question.options["rows_below_by_total"]),
        ),
        deck=_unseen([*in_play, *view["discarded"]], view["columns"], cities),
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


def determinized_state(state: State, rng: Random) -> State:
    """Return a determinization: the position with a shuffled deck."""
    determinized, deck = state.copy(), list(state.deck)
    rng.shuffle(deck)
    determinized.deck = tuple(deck)
    return determinized


def _unseen(outside: list[int], columns: Iterable[Iterable[int]], cities: Iterable[City]) -> tuple[int, ...]:
    seen = {
        *outside,
        *(card for column in columns for card in column),
        *(card for city in cities for card in city.cards),
    }
    return tuple([card for card in DECK if card not in seen])


def _likely_drawer(view: Mapping[str, Any], seats: int) -> Seat:
    """Return the seat that probably drew last: the view does not show it, and it only breaks ties of a stuck game."""
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
