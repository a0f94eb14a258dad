"""Requests about lessons: a position of one, and how far the user has come."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field, StrictBool

from protocol.base import GameName, Request

MAX_LESSON_ANSWERS: Final = 12
"""Answers of the learner to one step of a lesson."""

LessonStep = Annotated[int, Field(strict=True, ge=0, le=1000)]


class LessonRequest(Request):
    """A request about lessons."""


class GetLesson(LessonRequest):
    """Get a position of a lesson: a step, and what follows from the learner's answers to it. Nothing is stored."""

    type: Literal["get_lesson"]
    game: GameName
    step: LessonStep
    answers: Annotated[list[dict[str, Any]], Field(max_length=MAX_LESSON_ANSWERS)] = []
    """The commands that the learner chose since the step began."""

    ahead: StrictBool = False
    """Only look at what would follow from the last answer, as `look_ahead` does."""


class GetLessons(LessonRequest):
    """Get how far the user has come in each lesson."""

    type: Literal["get_lessons"]


class KeepLesson(LessonRequest):
    """Store the step that the user is at in a lesson, to go on from there on any device."""

    type: Literal["keep_lesson"]
    game: GameName
    step: LessonStep
    done: StrictBool = False
    """The lesson was finished; that stays so."""
