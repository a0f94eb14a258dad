"""Requests about lessons, as connections send them.

The reply to `get_lesson` holds a view as tables send it, built for the learner's seat by the same functions, so that
the page of a lesson is the page of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from protocol.messages import GetLesson, GetLessons, KeepLesson, LessonRequest, NoClock, TableSettings
from server.games.engine.events import Event
from server.games.engine.play import play_view
from server.lessons.lesson import Lesson, lesson_of
from server.lessons.positions import Position, Reached, dice_of, positions_of, reach
from server.lessons.progress import LessonProgress
from server.model import Done, Refused, Reply, User
from server.tables.chairs import Chair
from server.tables.results import refused
from server.tables.state import TableState
from server.tables.views import VisibleEvents, table_view

TABLE_ID: Final = "lesson"
"""The id of the table in the view of a lesson; no real table has it."""

OPPONENT: Final = "easy"
"""The strength that the view shows for scripted opponents."""


class LessonService:
    """Answers the requests of `protocol/lesson_requests.py`."""

    def __init__(self, progress: LessonProgress) -> None:
        self._progress = progress

    async def answer(self, user: User, request: LessonRequest) -> Reply:
        """Return the reply to a request of a user."""
        match request:
            case GetLesson():
                return _position_shown(user, request)
            case GetLessons():
                return Done({"lessons": await self._progress.of(user.id)})
            case KeepLesson():
                lesson = lesson_of(request.game)
                if lesson is None:
                    return refused("no_such_lesson")
                if request.step >= len(lesson.steps):
                    return refused("no_such_step")
                await self._progress.keep(user.id, request.game, lesson.steps[request.step].id, is_done=request.done)
                return Done()
        return refused("unknown_request")


@lru_cache(maxsize=8)
def _positions(game: str) -> list[Position]:
    """Return the positions of the lesson of a game; they are played once and kept."""
    lesson = lesson_of(game)
    assert lesson is not None
    return positions_of(lesson)


def _position_shown(user: User, request: GetLesson) -> Reply:
    lesson = lesson_of(request.game)
    if lesson is None:
        return refused("no_such_lesson")
    if request.step >= len(lesson.steps):
        return refused("no_such_step")
    start = _positions(request.game)[request.step]
    step = lesson.steps[request.step]
    if request.ahead:
        return _looked_ahead(lesson, request, start)
    reached = reach(lesson, step, start, request.answers)
    if isinstance(reached, Refused):
        return reached
    return Done(_shown(user, lesson, request, reached))


def _looked_ahead(lesson: Lesson, request: GetLesson, start: Position) -> Reply:
    """Return the play that would follow from the last answer, as `look_ahead` does at a table."""
    if not request.answers:
        return Refused("malformed", "There is no answer to look ahead from.")
    reached = reach(lesson, lesson.steps[request.step], start, request.answers[:-1])
    if isinstance(reached, Refused):
        return reached
    play, seat = reached.position.play, lesson.learner
    command = play.read(seat, play.number, request.answers[-1])
    if isinstance(command, Refused):
        return command
    ahead = play.look_ahead(seat, play.number, command, dice_of(lesson.seed))
    return ahead if isinstance(ahead, Refused) else Done({"play": play_view(ahead, seat)})


def _shown(user: User, lesson: Lesson, request: GetLesson, reached: Reached) -> dict[str, Any]:
    step = lesson.steps[request.step]
    table = _table(user, lesson, reached.position)
    entries = _entries(lesson, reached.position.log, table)
    return {
        "lesson": {
            "game": lesson.game,
            "steps": [each.id for each in lesson.steps],
            "seats": lesson.seats,
            "learner": lesson.learner,
        },
        "step": request.step,
        "guide": {
            "id": step.id,
            "point": step.point,
            "asks": bool(step.answers) and not reached.is_done,
            "answers": [] if reached.is_done else step.answers[len(request.answers) :],
            "meaning": reached.meaning,
            "done": reached.is_done,
        },
        "view": table_view(table, lesson.learner),
        "entries": entries,
        "latest": VisibleEvents(table, reached.latest).to(lesson.learner),
    }


def _entries(lesson: Lesson, log: Sequence[Sequence[Event]], table: TableState) -> list[dict[str, Any]]:
    """Return the log as the learner sees it."""
    visible = (VisibleEvents(table, events).to(lesson.learner) for events in log)
    return [{"number": number, "events": events} for number, events in enumerate(visible, 1)]


def _table(user: User, lesson: Lesson, position: Position) -> TableState:
    """Return the state of a table that would be at this position, for its view."""
    settings = TableSettings(
        game=lesson.game,
        seats=len(lesson.seats),
        options=lesson.options,
        clock=NoClock(kind="none"),
        private=True,
        spectators=False,
        absence_seconds=None,
        hints="none",
        orders=False,
    )
    chairs = [
        Chair(user=user.id, name=user.name, ready=True) if name is None else Chair(name=name, bot=OPPONENT, ready=True)
        for name in lesson.seats
    ]
    return TableState(
        id=TABLE_ID,
        settings=settings,
        opener=user.id,
        host=user.id,
        key="",
        secret=None,
        created=0,
        chairs=chairs,
        phase="running" if position.play.decision is not None else "over",
        play=position.play,
        thinking=[None] * len(chairs),
        away=[None] * len(chairs),
    )
