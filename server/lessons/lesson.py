"""A lesson as data: the deal, the scripted answers, and the steps with what they point at.

`GAME.json` beside this module is the lesson of a game. The texts of its steps are in the catalogue of the page, under
`lesson.GAME.STEP`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from server.games.engine.events import Seat

FOLDER: Final = Path(__file__).parent

MAX_STEPS: Final = 60
"""Steps of one lesson."""

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Target = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,20}(:[A-Za-z0-9_.-]{1,20})?$")]
Command = dict[str, Any]
Answer = tuple[Seat, Command]


class BadLesson(ValueError):
    """A lesson that cannot be played; the message tells its author why."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Meaning(_Part):
    """What an answer of the learner means. It explains answers whose fields have the values of `when`."""

    id: Name
    when: Command | None = None
    """A field must be equal to its value here, or to one of a list of values; None fits every answer."""

    def fits(self, command: Command) -> bool:
        """Return whether this explains an answer."""
        return self.when is None or all(
            name in command and (command[name] == value or (isinstance(value, list) and command[name] in value))
            for name, value in self.when.items()
        )


class Step(_Part):
    """One idea of a lesson. With `answers` it asks the learner to do something, else it only explains."""

    id: Name
    script: list[Answer] = []
    """Answers of any seats that are given before the step is shown."""

    point: Annotated[list[Target], Field(max_length=8)] = []
    answers: Annotated[list[Command], Field(max_length=12)] = []
    """The answers of the learner that the lesson goes on from."""

    others: list[Answer] = []
    """Answers of other seats that follow the first one of the learner."""

    meanings: list[Meaning] = []

    def meaning_of(self, command: Command) -> str:
        """Return the id of the meaning that explains an answer."""
        return next(meaning.id for meaning in self.meanings if meaning.fits(command))


class Lesson(_Part):
    """The lesson of one game. The seat without a name is the learner's."""

    game: Name
    rules: Annotated[int, Field(ge=1)] | None = None
    """The version of the rules by which the lesson is played; None for the newest."""

    options: dict[str, bool | int | str | list[str] | None] = {}
    seed: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    seats: Annotated[list[str | None], Field(min_length=2, max_length=5)]
    steps: Annotated[list[Step], Field(min_length=1, max_length=MAX_STEPS)]

    @property
    def learner(self) -> Seat:
        return self.seats.index(None)


def read_lesson(text: str) -> Lesson:
    """Return the lesson in a text; raise `BadLesson` if its form is not right."""
    try:
        lesson = Lesson.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadLesson(f"{place or 'the file'}: {first['msg']}") from error
    if lesson.seats.count(None) != 1:
        raise BadLesson("seats: exactly one seat is null, the learner's")
    ids = [step.id for step in lesson.steps]
    twice = next((each for each in ids if ids.count(each) > 1), None)
    if twice is not None:
        raise BadLesson(f"steps: two steps are called {twice}")
    for step in lesson.steps:
        _check_step(step)
    return lesson


def _check_step(step: Step) -> None:
    if not step.answers and (step.others or step.meanings):
        raise BadLesson(f"{step.id}: others and meanings need answers")
    if step.answers and (not step.meanings or step.meanings[-1].when is not None):
        raise BadLesson(f'{step.id}: the last meaning must fit every answer, so it has no "when"')


@cache
def lesson_of(game: str) -> Lesson | None:
    """Return the lesson of a game; None if there is none."""
    file = FOLDER / f"{game}.json"
    return read_lesson(file.read_text("utf-8")) if game in lesson_names() else None


@cache
def lesson_names() -> tuple[str, ...]:
    """Return the names of the games that have a lesson."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.json")))
