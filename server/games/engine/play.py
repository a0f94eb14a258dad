"""A play: one game under way, with its state, the open decision and the sealed answers so far.

This is the one place that gathers answers, for every game alike. It is as pure as the rules: a play is never changed;
each accepted command returns a new play and the *step* that led to it, a list of events. A log is a list of steps
(event sourcing), and `replay` folds it back without dice and without judging commands again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from server.games.engine.dice import Dice
from server.games.engine.events import Event, Seat, Viewer
from server.games.engine.game import Decision, Game
from server.games.engine.options import OptionValue
from server.games.engine.play_events import PLAY_EVENTS, Answered, Undone
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json, to_json
from server.model import Refused

__all__ = [
    "NOTHING_OWN",
    "PLAY_EVENTS",
    "Answered",
    "OwnPlay",
    "Play",
    "Step",
    "Undone",
    "begin",
    "go_on",
    "joined",
    "keep_step",
    "own_play",
    "play_view",
    "plays_between",
    "public_play",
    "replay",
    "resumed",
]

Step = Sequence[Event]


class Play(NamedTuple):
    """A game under way. `number` counts the decisions opened so far and identifies the open one."""

    game: Game[Any]
    state: Any
    decision: Decision | None
    number: int
    answers: Mapping[Seat, Command]
    past: tuple[Any, ...]
    """The states to which the seat that owes the open decision may go back, the latest last."""

    asks_forced: bool = False
    """Ask forced seats too, as in games that began before the play answered for them."""

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Return the seats that owe an answer now, in turn order."""
        decision, answers = self.decision, self.answers
        if decision is None:
            return ()
        prompts = decision.prompts
        if not answers and len(prompts) == 1:
            return tuple(prompts)
        return tuple(sorted(prompts.keys() - answers.keys()))

    def read(self, seat: Seat, number: int, json_value: object) -> Command | Refused:
        """Return the command that an untrusted JSON value describes, or the refusal."""
        refusal = self.not_asked(seat, number)
        if refusal is not None or self.decision is None:
            return refusal or _OVER
        return self.decision.prompts[seat].read(json_value)

    def answer(self, seat: Seat, number: int, command: Command, dice: Dice) -> tuple[Play, Step] | Refused:
        """Return the play after the seat's answer and the step that it caused, or the refusal."""
        _, _, decision, own_number, _, _, _ = self
        if decision is None or number != own_number or seat not in decision.prompts:
            return self.not_asked(seat, number) or _OVER
        return decision.prompts[seat].admit(command) or self.answered(seat, command, dice)

    def answer_json(self, seat: Seat, number: int, json_value: object, dice: Dice) -> tuple[Play, Step] | Refused:
        """Return the play after the answer that an untrusted JSON value describes, and the step, or the refusal."""
        command = self.read(seat, number, json_value)
        return command if isinstance(command, Refused) else self.answered(seat, command, dice)

    def answered(self, seat: Seat, command: Command, dice: Dice) -> tuple[Play, list[Event]]:
        """Return the play after an answer that the prompt admits, and the step that it caused."""
        game, before, decision, number, given, past, asks_forced = self
        assert decision is not None
        _, prompts, is_sealed, _, _ = decision
        answers = {**given, seat: command}
        # Here and below equivalent to `Play(...)` and four times as fast, on the path of every step of every game.
        if len(answers) < len(prompts):
            gathered = tuple.__new__(Play, (game, before, decision, number, answers, past, asks_forced))
            return gathered, [Answered(seat, command)]
        state, events = game.resolve(before, answers, dice)
        if is_sealed:
            events.insert(0, Answered(seat, command))
        after = game.decision(state)
        forced: dict[Seat, Command] = {}
        if after is not None and after.forced and not asks_forced:
            state, after, forced = _answer_forced(game, state, after, events, dice)
        kept = (*past, before) if after is not None and after.undoable else ()
        return tuple.__new__(Play, (game, state, after, number + 1, forced, kept, asks_forced)), events

    def look_ahead(self, seat: Seat, number: int, command: Command, dice: Dice) -> Play | Refused:
        """Return the play that would follow from an answer that reveals nothing; refuse any other answer."""
        if self.decision is not None and (self.decision.sealed or len(self.decision.prompts) > 1):
            return self.not_asked(seat, number) or _REVEALING
        answered = self.answer(seat, number, command, dice)
        if isinstance(answered, Refused):
            return answered
        ahead, _ = answered
        # A step can be undone exactly if it revealed nothing, so one rule serves for undo and preview.
        return ahead if ahead.past and ahead.awaited == (seat,) else _REVEALING

    def undo(self, seat: Seat, number: int) -> tuple[Play, Step] | Refused:
        """Return the play before the seat's last step, or the refusal."""
        refusal = self.not_asked(seat, number)
        if refusal is not None:
            return refusal
        if not self.past:
            return Refused("not_undoable", "There is nothing that could still be taken back.")
        return self._opened(self.past[-1], self.past[:-1], {}), [Undone(seat)]

    def without_answer(self, seat: Seat) -> Play:
        """Return the play without the answer of a seat, which has sealed another one that nobody knows yet."""
        if seat not in self.answers:
            return self
        return self._replace(answers={other: command for other, command in self.answers.items() if other != seat})

    def advance(self, step: Step) -> Play:
        """Return the play after a step from a log."""
        past = self.past
        if any(isinstance(event, Undone) for event in step):
            return self._opened(past[-1], past[:-1], {})
        state, answers, is_resolved = _folded(self.game, self.state, step)
        if is_resolved:
            return self._opened(state, (*past, self.state), answers)
        return self._replace(answers={**self.answers, **answers})

    def _opened(self, state: Any, past: tuple[Any, ...], answers: Mapping[Seat, Command]) -> Play:
        decision = self.game.decision(state)
        kept = past if decision is not None and decision.undoable else ()
        return Play(self.game, state, decision, self.number + 1, answers, kept, self.asks_forced)

    def not_asked(self, seat: Seat, number: int) -> Refused | None:
        """Return the refusal of a seat that does not owe the decision of this number; None if it owes it."""
        if self.decision is None:
            return _OVER
        if number != self.number:
            return Refused("stale_decision", "That decision is over; the game has gone on.")
        if seat not in self.decision.prompts:
            return Refused("not_awaited", "It is not for you to decide now.")
        return None


_OVER = Refused("game_over", "The game is over.")
_REVEALING = Refused("not_foreseeable", "What follows from that cannot be taken back, so it is not shown before.")


def begin(
    game: Game[Any], seats: int, options: Mapping[str, OptionValue], dice: Dice, *, asks_forced: bool = False
) -> tuple[Play, Step]:
    """Return the play at the first decision of a new game and its first step; options come from `read_options`."""
    state, events = game.begin(seats, options, dice)
    decision = game.decision(state)
    forced: dict[Seat, Command] = {}
    if decision is not None and decision.forced and not asks_forced:
        state, decision, forced = _answer_forced(game, state, decision, events, dice)
    return Play(game, state, decision, 1, forced, (), asks_forced), events


def replay(game: Game[Any], steps: Iterable[Step], *, asks_forced: bool = False) -> Play:
    """Return the play that a log leads to."""
    iterator = iter(steps)
    state, answers, _ = _folded(game, None, next(iterator))
    play = Play(game, state, game.decision(state), 1, answers, (), asks_forced)
    for step in iterator:
        play = play.advance(step)
    return play


def keep_step(steps: list[Step], step: Step) -> None:
    """Add a step to those that count: one that takes another back removes it, and sealed answers alone are no step."""
    if any(isinstance(event, Undone) for event in step):
        steps.pop()
    elif any(not isinstance(event, Answered) for event in step):
        steps.append(step)


def plays_between(before: Any, step: Step, after: Play) -> list[Play]:
    """Return the play after each event of a step, for somebody who looks at its events one by one.

    `before` is the state before the step, None before the first one; `after` is the play after it, and the one after
    the last event that changes the state. No decision is open before that. A step may hold events of a table, too.
    """
    game = after.game
    places = [place for place, event in enumerate(step) if game.reducers.reduces(type(event))]
    if not places or (before is None and type(step[places[0]]) is not game.reducers.first_event):
        # A step was taken back, or a game goes on from another one, whose state is not known here.
        return [after] * len(step)
    state, left = before, places
    if before is None:
        # What comes before the first event of a game is shown with the state that this event makes.
        state, left = game.apply(None, step[places[0]]), places[1:]
    plays: list[Play] = []
    for place, event in enumerate(step):
        if place in left:
            state = game.apply(state, event)
        plays.append(after if place >= places[-1] else after._replace(state=state, decision=None, answers={}, past=()))
    return plays


def go_on(game: Game[Any], steps: Sequence[Step], seat: Seat, dice: Dice, *, is_redealt: bool) -> tuple[Play, Step]:
    """Return a play that goes on after the steps of another one, and its first step.

    Its first decision cannot be undone. Redealt: that step deals again what the seat cannot know.
    """
    play = resumed(game, steps, ())
    step: list[Event] = []
    if is_redealt and game.redeal is not None:
        step = [game.redeal(play.state, seat, [event for each in steps for event in each], dice)]
        redealt = resumed(game, steps, step)
        # Only forced seats have answered: who is forced is public, and so the same in any deal.
        prompts = {} if redealt.decision is None else redealt.decision.prompts
        step += [Answered(other, prompts[other].fallback) for other in play.answers if other in prompts]
    return resumed(game, steps, step), step


def resumed(game: Game[Any], steps: Sequence[Step], step: Step) -> Play:
    """Return the play that goes on after the steps of another one, none of them undone, and after that of `go_on`."""
    first, *events = (event for each in (*steps, step) for event in each)
    # One draft for all events: nobody sees the states in between.
    state, answers, reducers = game.apply(None, first), dict[Seat, Command](), game.reducers.by_event
    for event in events:
        if isinstance(event, Answered):
            answers[event.seat] = event.command
        else:
            reducers[type(event)](state, event)
            answers = {}
    return Play(game, state, game.decision(state), len(steps) + bool(step), answers, ())


def _folded(game: Game[Any], state: Any, step: Step) -> tuple[Any, dict[Seat, Command], bool]:
    """Return the state after a step, the answers to the decision that is open then, and whether the step opened it."""
    answers: dict[Seat, Command] = {}
    is_resolved = False
    for event in step:
        if isinstance(event, Answered):
            answers[event.seat] = event.command
        else:
            # Answers before an event of the game led to it; those after the last one are to the next decision.
            state, answers, is_resolved = game.apply(state, event), {}, True
    return state, answers, is_resolved


def _answer_forced(
    game: Game[Any], state: Any, first: Decision, events: list[Event], dice: Dice
) -> tuple[Any, Decision | None, dict[Seat, Command]]:
    """Answer for forced seats as long as that opens another decision; add the events.

    Return the state, the decision that is open then, and the answers of its forced seats. A decision that can be undone
    is not skipped unless the next one can be undone too: a player could no longer take back the own step. And a step in
    which its seat had nothing to decide must not end in a decision that can be undone: nothing could be taken back.
    """
    can_undo, added = first.undoable, list[Event]()
    decision: Decision | None = first
    reached, opened = state, decision
    while opened is not None and len(opened.forced) == len(opened.prompts):
        answers = {seat: prompt.fallback for seat, prompt in opened.prompts.items()}
        reached, following = game.resolve(reached, answers, dice)
        opened = game.decision(reached)
        added += following
        if can_undo is (opened is not None and opened.undoable):
            state, decision = reached, opened
            events += added
            added.clear()
        elif can_undo:
            break
    if decision is None or not decision.sealed or len(decision.forced) == len(decision.prompts):
        return state, decision, {}
    answers = {seat: decision.prompts[seat].fallback for seat in decision.forced}
    events += [Answered(seat, command) for seat, command in answers.items()]
    return state, decision, answers


class OwnPlay(NamedTuple):
    """The part of a view that only one viewer may know: its keys are added to the public ones, or replace them."""

    game: dict[str, Json]
    decision: dict[str, Json]


NOTHING_OWN: Final = OwnPlay({}, {})


def public_play(play: Play, awaited: list[Seat]) -> dict[str, Any]:
    """Return what everybody may know now, with these seats as awaited. Views share the result and never change it."""
    decision = play.decision
    outcome = play.game.outcome(play.state)
    shown: dict[str, Any] | None = None
    if decision is not None:
        shown = {
            "number": play.number,
            "about": decision.kind,
            "sealed": decision.sealed,
            "seats": [*sorted(decision.prompts)],
            "awaited": awaited,
        }
    return {
        "game": play.game.public_view(play.state),
        "decision": shown,
        "outcome": None if outcome is None else outcome.to_json(),
    }


def own_play(play: Play, seat: Seat) -> OwnPlay:
    """Return what only the seat may know now: its part of the game, its prompt and its sealed answer."""
    game, state, decision, _, answers, past, _ = play
    shown: dict[str, Json] = {}
    if decision is not None and seat in decision.prompts:
        shown = {"prompt": decision.prompts[seat].to_json(), "undoable": bool(past)}
        if seat in answers:
            shown["answer"] = to_json(answers[seat])
    own = game.own_view(state, seat)
    return OwnPlay(own, shown) if own or shown else NOTHING_OWN


def joined(public: dict[str, Any], own: OwnPlay) -> dict[str, Any]:
    """Return the view that the public and the own part make together."""
    game, decision = public["game"], public["decision"]
    return {
        "game": game | own.game if own.game else game,
        "decision": decision | own.decision if own.decision else decision,
        "outcome": public["outcome"],
    }


def play_view(play: Play, viewer: Viewer) -> dict[str, Any]:
    """Return all that the viewer may know now."""
    public = public_play(play, list(play.awaited))
    return public if viewer is None else joined(public, own_play(play, viewer))
