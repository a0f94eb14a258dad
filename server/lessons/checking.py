"""What does not fit in a lesson, in sentences for its author: rules, texts, and places to point at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from server.games.engine.options import BadOption
from server.games.registry import UnknownGame
from server.lessons.lesson import BadLesson, Lesson, Step, read_lesson
from server.lessons.positions import Position, is_asked, positions_of

LANGUAGES = ("en", "de", "it", "pl")


def lesson_problems(file: Path, root: Path) -> list[str]:
    """Return a sentence for everything in a lesson that does not fit; `root` is the source tree with the texts."""
    try:
        lesson = read_lesson(file.read_text("utf-8"))
        positions = positions_of(lesson)
    except (BadLesson, BadOption, UnknownGame) as error:
        return [str(error)]
    problems = [
        problem
        for step, position in zip(lesson.steps, positions, strict=True)
        for problem in _step_problems(lesson, step, position)
    ]
    problems += _target_problems(lesson, root)
    for language in LANGUAGES:
        problems += _text_problems(lesson, root, language)
    return problems


def _step_problems(lesson: Lesson, step: Step, position: Position) -> Iterator[str]:
    if not step.answers:
        return
    if not is_asked(lesson, position.play):
        yield f"{step.id}: the learner is asked for answers but not awaited"
    first = step.meaning_of(step.answers[0])
    if first != step.meanings[0].id:
        yield f"{step.id}: its own answer means {first}, which is not the first meaning"


def _target_problems(lesson: Lesson, root: Path) -> Iterator[str]:
    sources = [root / "web/src/lessons" / name for name in ("targets.js", f"targets-{lesson.game}.js")]
    text = "".join(file.read_text("utf-8") for file in sources if file.is_file())
    if not text:
        return
    kinds = set(re.findall(r"^\s*(\w+):", text, re.MULTILINE))
    for step in lesson.steps:
        for target in step.point:
            kind = target.partition(":")[0]
            if kind not in kinds:
                yield f"{step.id}: the page cannot point at {target}; it knows {', '.join(sorted(kinds))}"


def text_keys(lesson: Lesson) -> tuple[set[str], set[str]]:
    """Return the keys of the texts that a lesson needs, and of those that it may have besides."""
    needed, optional = set[str](), set[str]()
    for step in lesson.steps:
        key = f"lesson.{lesson.game}.{step.id}"
        needed |= {f"{key}.title", f"{key}.text", *(f"{key}.{meaning.id}" for meaning in step.meanings)}
        optional.add(f"{key}.why")
    return needed, optional


def _text_problems(lesson: Lesson, root: Path, language: str) -> Iterator[str]:
    file = root / "web/src/catalogue" / language / f"lesson-{lesson.game}.json"
    if not file.is_file():
        yield f"{language}: there is no {file.relative_to(root)}"
        return
    texts = json.loads(file.read_text("utf-8"))
    needed, optional = text_keys(lesson)
    yield from (f"{language}: the text {key} is missing" for key in sorted(needed - texts.keys()))
    prefix = f"lesson.{lesson.game}."
    own = {key for key in texts if key.startswith(prefix) and key.count(".") == prefix.count(".") + 1}
    yield from (f"{language}: no step needs the text {key}" for key in sorted(own - needed - optional))
