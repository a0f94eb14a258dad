"""A game as a value: its data, the functions of its rules, and what all games do alike with them.

A game is a pure state machine. `begin` and `resolve` return events in which every draw and shuffle is already
resolved; `apply` folds an event into a state without dice, so a log replays whatever becomes of the rules later.
While a game is not over it waits for exactly one *decision*, owed by one seat or by several at once. `play.py` gathers
the answers; when the last is in, `resolve` carries on with all of them, so no rule sees their order.

What a viewer may know is built up from nothing by `public_view`, `own_view` and the `visible_to` of each event. No
viewer sees everything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Generic, NamedTuple

from server.games.engine.dice import Dice
from server.games.engine.events import Event, Formatters, Seat, Viewer, written
from server.games.engine.frozen import frozen
from server.games.engine.options import Option, OptionValue
from server.games.engine.prompts import Command, Prompt
from server.games.engine.reducers import Reducers, State
from server.games.engine.serialization import Json
from server.games.engine.step_builder import StepBuilder

__all__ = ("Answers", "Decision", "Game", "Outcome", "Seat", "StageRules", "Viewer", "no_progress", "ranked", "view_of")


class Decision(NamedTuple):
    """A question to one seat or several: every seat that has a prompt owes an answer.

    Sealed: no answer is revealed before the last is in, and a seat may change its answer until then.
    Undoable: the step before it revealed nothing, so the one seat that owes this decision may take that step back.
    Forced: seats that have one possible answer, which is their fallback, **as everybody knows**. The play answers for
    them, so it must follow from public facts alone that they are forced: not asking a seat tells that it is.
    """

    kind: str
    prompts: Mapping[Seat, Prompt]
    sealed: bool = False
    undoable: bool = False
    forced: Collection[Seat] = ()


@frozen
class Outcome:
    """A result: scores and places by seat. Places count from 1; seats that share a place have the same number."""

    reason: str
    scores: tuple[int, ...]
    places: tuple[int, ...]
    tie_break: str | None
    """The criterion between seats of equal score, None if scores alone decide; seats may be equal in it too."""

    breakdown: tuple[Mapping[str, int], ...]
    """The parts of each seat's score, by name; they add up to the score."""

    per_point: int = 1
    """The scale of scores: 2 where a game counts halves of points, since a score is a whole number."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    def points(self, score: int) -> str:
        """Return a score in points, as text."""
        return f"{score / self.per_point:g}"

    def to_json(self) -> Json:
        # Omitted where scores are whole points, as in logs and clients that do not know the field.
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
    """Return the place of each key (standard competition ranking): the greatest is first, equal keys share a place."""
    return tuple(1 + sum(other > key for other in keys) for key in keys)


Answers = Mapping[Seat, Command]
SetUp = Callable[[int, Mapping[str, OptionValue], Dice], Event]


class StageRules(NamedTuple):
    """The rules of one stage of a game: the decision it opens, and what follows from the answers of all seats."""

    decide: Callable[[Any], Decision]
    resolve: Callable[[StepBuilder[Any], Answers], None]


def _no_contradiction(seats: int, options: Mapping[str, OptionValue]) -> str | None:
    return None


def _nothing_more(step: StepBuilder[Any]) -> None:
    """Emit nothing: the first event alone opens the first decision."""


def no_progress(state: Any) -> dict[str, int]:
    """Return nothing: the game does not say how far it is."""
    return {}


def _always(state: Any) -> bool:
    return True


def _no_points(view: Mapping[str, Any]) -> tuple[int, ...]:
    return ()


def _no_city(state: Any) -> dict[str, Json]:
    return {}


def _nothing_own(state: Any, seat: Seat) -> dict[str, Json]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Game(Generic[State]):
    """The data and the functions of one game; the functions are pure."""

    name: str
    seats: range
    events: tuple[type[Event], ...]
    commands: tuple[type[Command], ...]
    set_up: SetUp
    """Return the first event, which alone tells `apply` the number of seats and the options."""

    reducers: Reducers[State]
    stages: Mapping[type, StageRules]
    """The rules of each stage that asks for a decision. The game is over in a stage that is not listed."""

    public_view: Callable[[State], dict[str, Json]]
    """Return what everybody may know of a state."""

    outcome: Callable[[State], Outcome | None]
    """Return the result; None exactly while the game is not over."""

    draw: Callable[[State], str]
    """Return the position as characters, for tests and the readable log."""

    rules_version: int = 1
    earlier_set_ups: Mapping[int, SetUp] = field(default_factory=dict)
    """How earlier versions of the rules began a game, for those whose games are played on exactly as they were then.

    The first event says by which rules the game is played.
    """

    options: tuple[Option, ...] = ()
    seals_answers: bool = False
    """Some decisions of the game are sealed."""

    check_options: Callable[[int, Mapping[str, OptionValue]], str | None] = _no_contradiction
    """Return a sentence if the values contradict each other or the number of seats, each being fine alone."""

    after_set_up: Callable[[StepBuilder[State]], None] = _nothing_more
    """Emit what follows the first event up to the first decision."""

    own_view: Callable[[State, Seat], dict[str, Json]] = _nothing_own
    """Return what only this seat may know, under keys that are added to those of the public view or replace them."""

    progress: Callable[[State], dict[str, int]] = no_progress
    """Return how far the game is, for lists of tables: a few numbers that everybody may know, such as the round."""

    is_early: Callable[[State], bool] = _always
    """Return whether the game is in about its first third, as everybody can see: as long as spectators predict."""

    points_shown: Callable[[Mapping[str, Any]], Sequence[int]] = _no_points
    """Return the points of each seat that a public view shows; nothing if it shows none."""

    city: Callable[[State], dict[str, Json]] = _no_city
    """Return a small drawing of the city for lists of finished games, from public facts: at most 400 bytes of JSON.

    It has a character for each tile: the number of the seat that owns it, or a letter for what lies there.
    """

    redeal: Callable[[State, Seat, Sequence[Event], Dice], Event] | None = None
    """Return the event that deals again what a seat cannot know, such as the cards of others and the orders of decks.

    None if nothing is hidden. It is given all events so far. What the seat sees stays the same, and the event does not
    depend on what the seat does not see.
    """

    formatters: Formatters = field(default_factory=dict)
    """The words for values in the sentences of events, by name."""

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    def as_of(self, rules_version: int) -> Game[State] | None:
        """Return the game as a version of its rules began it; None for a version whose games are not known here."""
        return self if rules_version == self.rules_version else _as_of(self, rules_version)

    def begin(self, seats: int, options: Mapping[str, OptionValue], dice: Dice) -> tuple[State, list[Event]]:
        """Return the state in which the first decision is open, and the events that led there."""
        first = self.set_up(seats, options, dice)
        step = StepBuilder(self.reducers, self.reducers.first(first), dice)
        step.events.append(first)
        self.after_set_up(step)
        return step.state, step.events

    def apply(self, state: State | None, event: Event) -> State:
        """Return the state after the event; None is the state before the first. The given state is not changed."""
        if state is None:
            assert type(event) is self.reducers.first_event, event
            return self.reducers.first(event)
        draft = state.copy()
        self.reducers.by_event[type(event)](draft, event)
        return draft

    def decision(self, state: State) -> Decision | None:
        """Return the open decision; None exactly when the game is over."""
        rules = self.stages.get(type(state.stage))
        return None if rules is None else rules.decide(state)

    def resolve(self, state: State, answers: Answers, dice: Dice) -> tuple[State, list[Event]]:
        """Return the next state and its events, given the admitted answers of all seats that owed the decision."""
        step = StepBuilder(self.reducers, state.copy(), dice)
        self.stages[type(state.stage)].resolve(step, answers)
        return step.state, step.events

    def describe(self, event: Event) -> str:
        """Return one sentence for the readable log of a finished game; it may tell everything."""
        return written(event, self.formatters)


@lru_cache(maxsize=64)
def _as_of(game: Game[State], rules_version: int) -> Game[State] | None:
    set_up = game.earlier_set_ups.get(rules_version)
    return None if set_up is None else replace(game, rules_version=rules_version, set_up=set_up)


def view_of(game: Game[State], state: State, viewer: Viewer) -> dict[str, Json]:
    """Return all that the viewer may know of the state."""
    own = {} if viewer is None else game.own_view(state, viewer)
    return game.public_view(state) | own
