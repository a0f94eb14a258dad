"""A game with hardly any rules, so that what a benchmark measures is everything around them. It never ends.

Seats put a mark on one of a few places by turns. An update of it has about 220 bytes, like those of other contestants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from server.games.engine.dice import Dice
from server.games.engine.game import Decision, Event, Outcome, Seat, Viewer
from server.games.engine.options import Option, OptionValue
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from server.games.engine.serialization import Json, to_json

PLACES: Final = 8
NAME: Final = "marks"


@dataclass(frozen=True, slots=True)
class PutMark(Command):
    place: int


@dataclass(frozen=True, slots=True)
class MarksCleared(Event):
    seats: int


@dataclass(frozen=True, slots=True)
class MarkPut(Event):
    seat: int
    place: int
    marks: int
    """How many there are on the place now."""


class MarksState(NamedTuple):
    """How often each place was marked, and whose turn it is."""

    seats: int
    places: tuple[int, ...] = (0,) * PLACES
    turn: Seat = 0


_PROMPT: Final = Prompt((Choice(PutMark, {"place": OneOf(tuple(range(PLACES)))}),), PutMark(0))


class Marks:
    """The rules: whoever's turn it is puts a mark anywhere."""

    name = NAME
    rules_version = 1
    seats = range(2, 5)
    options: tuple[Option, ...] = ()
    events: tuple[type[Event], ...] = (MarksCleared, MarkPut)
    commands: tuple[type[Command], ...] = (PutMark,)

    def check_options(self, seats: int, options: Mapping[str, OptionValue]) -> str | None:
        return None

    def begin(self, seats: int, options: Mapping[str, OptionValue], dice: Dice) -> tuple[MarksState, list[Event]]:
        return MarksState(seats), [MarksCleared(seats)]

    def apply(self, state: MarksState | None, event: Event) -> MarksState:
        if state is None:
            assert isinstance(event, MarksCleared)
            return MarksState(event.seats)
        assert isinstance(event, MarkPut)
        seats, places, turn = state
        marked = (*places[: event.place], places[event.place] + 1, *places[event.place + 1 :])
        return MarksState(seats, marked, (turn + 1) % seats)

    def decision(self, state: MarksState) -> Decision | None:
        return Decision("mark", {state.turn: _PROMPT})

    def resolve(self, state: MarksState, answers: Mapping[Seat, Command], dice: Dice) -> tuple[MarksState, list[Event]]:
        command = answers[state.turn]
        assert isinstance(command, PutMark)
        event = MarkPut(state.turn, command.place, state.places[command.place] + 1)
        return self.apply(state, event), [event]

    def public_view(self, state: MarksState) -> dict[str, Json]:
        return {"places": [*state.places], "turn": state.turn}

    def own_view(self, state: MarksState, seat: Seat) -> dict[str, Json]:
        return {}

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return to_json(event)

    def outcome(self, state: MarksState) -> Outcome | None:
        return None

    def describe(self, event: Event) -> str:
        return f"{event.name}: {to_json(event)}."

    def draw(self, state: MarksState) -> str:
        return " ".join(map(str, state.places))
