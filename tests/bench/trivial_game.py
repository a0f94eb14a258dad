"""A game with hardly any rules, so that what a benchmark measures is everything around them. It never ends.

Seats put a mark on one of a few places by turns. An update of it has about 220 bytes, like those of other contestants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from server.games.engine.dice import Dice
from server.games.engine.events import EVERYBODY, Event, Seat
from server.games.engine.game import Answers, Decision, Game, Outcome, StageRules
from server.games.engine.options import OptionValue
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from server.games.engine.reducers import Reducers
from server.games.engine.serialization import Json
from server.games.engine.step_builder import StepBuilder

PLACES: Final = 8
NAME: Final = "marks"


class MarksCommand(Command, family=True):
    """A command of Marks."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PutMark(MarksCommand):
    place: int


class MarksEvent(Event, family=True):
    """An event of Marks."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class MarksCleared(MarksEvent):
    visible_to = EVERYBODY
    sentence = "{seats} seats begin."
    seats: int


@dataclass(frozen=True, slots=True)
class MarkPut(MarksEvent):
    visible_to = EVERYBODY
    sentence = "Seat {seat} marks place {place}, which has {marks} now."
    seat: int
    place: int
    marks: int
    """The number of marks on the place now."""


@dataclass(slots=True)
class MarksState:
    """The number of marks on each place, and the seat in turn."""

    seats: int
    places: tuple[int, ...] = (0,) * PLACES
    turn: Seat = 0
    stage: None = None

    def copy(self) -> MarksState:
        """Return a copy that can be changed without changing this state."""
        return MarksState(self.seats, self.places, self.turn)


REDUCERS: Final = Reducers[MarksState]()


@REDUCERS.register_first(MarksCleared)
def _marks_cleared(event: MarksCleared) -> MarksState:
    return MarksState(event.seats)


@REDUCERS.register(MarkPut)
def _mark_put(draft: MarksState, event: MarkPut) -> None:
    place = event.place
    draft.places = (*draft.places[:place], event.marks, *draft.places[place + 1 :])
    draft.turn = (event.seat + 1) % draft.seats


_PROMPT: Final = Prompt((Choice(PutMark, {"place": OneOf(tuple(range(PLACES)))}),), PutMark(0))


def _set_up(seats: int, options: Mapping[str, OptionValue], dice: Dice) -> MarksCleared:
    return MarksCleared(seats)


def _decide(state: MarksState) -> Decision:
    return Decision("mark", {state.turn: _PROMPT})


def _resolve(step: StepBuilder[MarksState], answers: Answers) -> None:
    state = step.state
    command = answers[state.turn]
    assert isinstance(command, PutMark)
    step.emit(MarkPut(state.turn, command.place, state.places[command.place] + 1))


def _public_view(state: MarksState) -> dict[str, Json]:
    return {"places": [*state.places], "turn": state.turn}


def _outcome(state: MarksState) -> Outcome | None:
    return None


MARKS: Final = Game(
    name=NAME,
    seats=range(2, 5),
    events=MarksEvent.members(),
    commands=MarksCommand.members(),
    set_up=_set_up,
    reducers=REDUCERS,
    stages={type(None): StageRules(_decide, _resolve)},
    public_view=_public_view,
    outcome=_outcome,
    draw=lambda state: " ".join(map(str, state.places)),
)
"""The seat in turn puts a mark anywhere."""
