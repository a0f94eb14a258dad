"""The interface that every game fulfils: decisions out, answers in, facts out.

A game is a pure state machine. `begin` and `resolve` give events in which every draw and shuffle is already
resolved; `apply` folds an event into a state and never needs dice, so a log replays for ever, whatever later
becomes of the rules. While a game is not over it waits for exactly one *decision*, owed by one seat or by
several at once. `play.py` gathers the answers; when the last is in, `resolve` says what follows from all of
them together. A rule therefore never sees in which order sealed answers arrived.

What a viewer may know is built up from nothing by `public_view`, `own_view` and `shown`. There is no viewer who sees
everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from server.games.engine.dice import Dice
from server.games.engine.options import Option, OptionValue
from server.games.engine.prompts import Command, Prompt
from server.games.engine.serialization import Json, Serializable

Seat = int
Viewer = Seat | None
"""A seat, or None for a spectator."""

State = TypeVar("State")


class Event(Serializable):
    """What happened, in the past tense; a fact of the log."""

    __slots__ = ()
    tag: ClassVar[str | None] = "event"
    seen_alike: ClassVar[bool] = True
    """Everybody may know the same of it: what a spectator is shown is what a seat is shown."""


class Decision(NamedTuple):
    """What the game waits for: an answer from every seat that has a prompt.

    Sealed: nobody learns an answer before all are in, and an answer can be changed until then.
    Undoable: the step that led here revealed nothing, and the one seat that owes this decision may take it back.
    """

    kind: str
    prompts: Mapping[Seat, Prompt]
    sealed: bool = False
    undoable: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. Scores by seat; places from 1, seats that share a place have the same number."""

    reason: str
    scores: tuple[int, ...]
    places: tuple[int, ...]
    tie_break: str | None
    """What was compared between seats of equal score, if there are any; it may have left them equal."""

    breakdown: tuple[Mapping[str, int], ...]
    """Where each seat's score came from; the parts add up to the score."""

    per_point: int = 1
    """How much of a score makes one point: 2 where a game counts halves, for a score is a whole number."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    def points(self, score: int) -> str:
        """Give a score as people write it."""
        return f"{score / self.per_point:g}"

    def to_json(self) -> Json:
        # Most games count whole points, and say nothing of it.
        unit: dict[str, Json] = {} if self.per_point == 1 else {"per_point": self.per_point}
        return {
            "reason": self.reason,
            "scores": list(self.scores),
            "places": list(self.places),
            "winners": list(self.winners),
            "tie_break": self.tie_break,
            "breakdown": [dict(parts) for parts in self.breakdown],
            **unit,
        }


def ranked(keys: Sequence[Any]) -> tuple[int, ...]:
    """Give the place of each key, the greatest first; equal keys share a place and leave the next ones free."""
    return tuple(1 + sum(other > key for other in keys) for key in keys)


class Game(Protocol[State]):
    """The rules of one game. One instance per game, without state of its own."""

    name: str
    rules_version: int
    seats: range
    options: tuple[Option, ...]
    events: tuple[type[Event], ...]
    commands: tuple[type[Command], ...]

    def check_options(self, seats: int, options: Mapping[str, OptionValue]) -> str | None:
        """Give a sentence if the values contradict each other or the number of seats, each being fine alone."""
        ...

    def begin(self, seats: int, options: Mapping[str, OptionValue], dice: Dice) -> tuple[State, list[Event]]:
        """Set up a game; the first event alone tells `apply` the number of seats and the options."""
        ...

    def apply(self, state: State | None, event: Event) -> State:
        """Give the state after the event; None is the state before the first. The given state is not changed."""
        ...

    def decision(self, state: State) -> Decision | None:
        """Give what is awaited; None exactly when the game is over."""
        ...

    def resolve(self, state: State, answers: Mapping[Seat, Command], dice: Dice) -> tuple[State, list[Event]]:
        """Carry on with the answers of all seats that owed the open decision, each admitted by its prompt."""
        ...

    def public_view(self, state: State) -> dict[str, Json]:
        """Give what everybody may know of the state."""
        ...

    def own_view(self, state: State, seat: Seat) -> dict[str, Json]:
        """Give what only this seat may know, under keys that are added to those of the public view or replace them."""
        ...

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        """Give what the viewer may know of an event, or None if not even that it happened."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """Give the result; None exactly while the game is not over."""
        ...

    def describe(self, event: Event) -> str:
        """Give one sentence for the readable log of a finished game; it may tell everything."""
        ...

    def draw(self, state: State) -> str:
        """Give the position as characters, for tests and the readable log."""
        ...


def view_of(game: Game[State], state: State, viewer: Viewer) -> dict[str, Json]:
    """Give all that the viewer may know of the state."""
    own = {} if viewer is None else game.own_view(state, viewer)
    return game.public_view(state) | own
