"""The steps of a replay: who acted, what was sealed meanwhile, and what each viewer, or all together, saw of a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from server.games.engine.events import Event, Seat, Viewer
from server.games.engine.play import Answered, Play, Undone, own_play, plays_between
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json
from server.tables.answer_secrecy import is_step
from server.tables.events import TABLE_EVENTS, AnswerSealed
from server.tables.state import TableState
from server.tables.views import entry_shown, event_seen_by_all, event_shown

Eyes = Seat | Literal["spectators", "all"]
"""Through whose eyes a step is seen: those of a seat, of spectators, or of all seats together."""


def viewer_of(eyes: Eyes) -> Viewer:
    """Return the viewer whose view is shown: all seats together see what spectators see, and more."""
    return eyes if isinstance(eyes, int) else None


class Checkpoint(NamedTuple):
    """The table after a step, and the events of that step."""

    step: int
    seq: int
    """The position of the step in the log."""

    at: int | None
    """The time of the step, in milliseconds since 1970."""

    table: TableState
    before: Any
    """The state of the game before the step; None before the first one."""

    events: Sequence[Event]
    sealed: Sequence[Answered]
    """The answers that led to this step and are in earlier entries, in the order in which they were given."""

    answers: list[Answered]
    """The answers to the decision that is open after this step. The list is complete when the next step has come."""

    def kept(self) -> Checkpoint:
        """Return the checkpoint with a copy of the table, which the replay goes on to change."""
        return self._replace(table=self.table.after((), None))


class Row(NamedTuple):
    """A step in a timeline. It holds only what everybody could know at that time."""

    step: int
    seat: Seat | None
    """The seat that decided; None if several did."""

    kind: str | None
    """The kind of the decision; None for the first step."""

    stage: dict[str, int]
    """How far the game was when the decision was open."""

    events: int
    at: int | None

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


class StepFolder:
    """Finds the steps among the entries of a log, beginning after a checkpoint, or at the beginning of the log."""

    __slots__ = ("_answers", "_play", "_step")

    def __init__(self, after: Checkpoint | None = None) -> None:
        self._step = -1 if after is None else after.step
        self._play: Play | None = None if after is None else after.table.play
        self._answers: list[Answered] = [] if after is None else _answers_after(after.events)

    def add(self, seq: int, table: TableState, events: Sequence[Event]) -> tuple[Checkpoint, Row] | None:
        """Return the step that an entry is, or None; the table has the entry applied, and is not copied."""
        if not is_step(events):
            self._gather(events)
            return None
        self._step += 1
        before, self._play = self._play, table.play
        sealed = tuple(self._answers)
        # The list belongs to the step before, too, whose decision these answered.
        self._answers += _answers_before(events)
        self._answers = _answers_after(events)
        row = _row(self._step, before, table, events)
        state = None if before is None else before.state
        return Checkpoint(self._step, seq, table.entry_at, table, state, events, sealed, self._answers), row

    def _gather(self, events: Sequence[Event]) -> None:
        """Add the answers of an entry; where a device keeps an answer, an earlier one of its seat no longer counts."""
        for event in events:
            if isinstance(event, Answered):
                self._answers.append(event)
            elif isinstance(event, AnswerSealed) and event.salt is None:
                # In place: the list belongs to a checkpoint.
                self._answers[:] = [answer for answer in self._answers if answer.seat != event.seat]


def _answers_before(events: Sequence[Event]) -> list[Answered]:
    """Return the answers of an entry that led to its step: those before the last event of the game."""
    last = _last_of_game(events)
    return [event for place, event in enumerate(events) if isinstance(event, Answered) and place < last]


def _answers_after(events: Sequence[Event]) -> list[Answered]:
    """Return the answers of an entry to the decision that it opens: those of forced seats."""
    last = _last_of_game(events)
    return [event for place, event in enumerate(events) if isinstance(event, Answered) and place > last]


def _last_of_game(events: Sequence[Event]) -> int:
    places = [
        place for place, event in enumerate(events) if not isinstance(event, Answered) and type(event) not in _AROUND
    ]
    return places[-1] if places else -1


_AROUND = frozenset(TABLE_EVENTS)


def _row(step: int, before: Play | None, table: TableState, events: Sequence[Event]) -> Row:
    play = before or table.play
    seat, kind = None, None
    if before is not None and before.decision is not None:
        kind, prompts = before.decision.kind, before.decision.prompts
        seat = next(iter(prompts)) if len(prompts) == 1 else None
        undone = next((event for event in events if isinstance(event, Undone)), None)
        if undone is not None:
            kind, seat = "undo", undone.seat
    stage = {} if play is None else play.game.progress(play.state)
    return Row(step, seat, kind, stage, len(entry_shown(table, events, None)), table.entry_at)


def events_seen(checkpoint: Checkpoint, eyes: Eyes) -> list[dict[str, Any]]:
    """Return the events of a step as these eyes saw them.

    All together also saw the answers that were sealed before the step, each when it was given.
    """
    return [shown for shown in _shown(checkpoint, eyes) if shown is not None]


def checkpoints_between(checkpoint: Checkpoint, eyes: Eyes) -> Iterator[Checkpoint]:
    """Yield, for each event of a step that these eyes saw, the table after that event.

    It is the checkpoint itself from the last change of the game on. Before that only the game differs: no decision is
    open, and the game runs. The answers that led to the step are shown until the first change.
    """
    table, play = checkpoint.table, checkpoint.table.play
    if play is None:
        return
    events = _sequence(checkpoint, eyes)
    for shown, between in zip(_shown(checkpoint, eyes), plays_between(checkpoint.before, events, play), strict=True):
        if shown is None:
            continue
        if between is play:
            yield checkpoint
            continue
        twin = table.after((), None)
        twin.play, twin.phase = between, "running"
        led = [*checkpoint.sealed, *_answers_before(checkpoint.events)] if between.state is checkpoint.before else []
        yield checkpoint._replace(table=twin, answers=led)


def _sequence(checkpoint: Checkpoint, eyes: Eyes) -> Sequence[Event]:
    """Return the events that these eyes may have seen in part: sealed answers are in entries of their own."""
    return [*checkpoint.sealed, *checkpoint.events] if eyes == "all" else checkpoint.events


def _shown(checkpoint: Checkpoint, eyes: Eyes) -> list[dict[str, Any] | None]:
    """Return what these eyes saw of each of these events; None for events that they did not see."""
    table, events = checkpoint.table, _sequence(checkpoint, eyes)
    if eyes == "all":
        return [event_seen_by_all(table, event) for event in events]
    return [event_shown(table, events, event, viewer_of(eyes)) for event in events]


def opened_hands(checkpoint: Checkpoint, eyes: Eyes) -> list[dict[str, Any] | None] | None:
    """Return by seat what only that seat knew, and its answer to the open decision; None for seats that do not look.

    The answer is shown while it was sealed: it is the one that counted in the end.
    """
    play = checkpoint.table.play
    if eyes == "spectators" or play is None:
        return None
    answers = {answer.seat: answer.command for answer in checkpoint.answers}
    return [
        open_seat(play, seat, answers.get(seat)) if eyes in ("all", seat) else None
        for seat in range(len(checkpoint.table.chairs))
    ]


def open_seat(play: Play, seat: Seat, answer: Command | None) -> dict[str, Any]:
    """Return what only a seat knows, with its answer to the open decision."""
    return {"game": own_play(play, seat).game, "answer": None if answer is None else to_json(answer)}
