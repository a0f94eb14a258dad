"""The commands for authors of lessons: lesson check, lesson show."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from server.cli.arguments import BadRequest, Commands, add_command
from server.lessons.checking import lesson_problems
from server.lessons.lesson import BadLesson, Lesson, read_lesson
from server.lessons.positions import Position, positions_of

UNFIT = 1
_ROOT = Path(__file__).parents[2]


def _lesson(args: argparse.Namespace) -> int:
    file: Path = args.file
    if not file.is_file():
        raise BadRequest(f"There is no file {file}.")
    return _check(file, args.folder) if args.action == "check" else _show(file, args.step)


def _check(file: Path, root: Path) -> int:
    problems = lesson_problems(file, root)
    for problem in problems:
        print(problem)
    count = len(problems)
    print(f"{file.name}: {'1 problem' if count == 1 else f'{count} problems' if count else 'everything fits'}")
    return UNFIT if problems else 0


def _show(file: Path, only: str | None) -> int:
    try:
        lesson = read_lesson(file.read_text("utf-8"))
        positions = positions_of(lesson)
    except BadLesson as error:
        raise BadRequest(str(error)) from error
    steps = [step.id for step in lesson.steps]
    if only is not None and only not in steps:
        raise BadRequest(f"There is no step {only}; there are {', '.join(steps)}.")
    for step_id, position in zip(steps, positions, strict=True):
        if only in (None, step_id):
            _print_position(lesson, step_id, position)
    return 0


def _print_position(lesson: Lesson, step_id: str, position: Position) -> None:
    play = position.play
    print(f"== {step_id}")
    print(play.game.draw(play.state))
    if play.decision is None:
        print("The game is over.")
        return
    print(f"decision {play.decision.kind}, awaited: {', '.join(map(str, play.awaited))}")
    for seat in play.awaited:
        who = "the learner" if seat == lesson.learner else lesson.seats[seat]
        print(f"seat {seat} ({who}): {json.dumps(play.decision.prompts[seat].to_json())}")


def add_lesson(commands: Commands) -> None:
    parser = add_command(
        commands,
        "lesson",
        _lesson,
        "Check the file of a lesson, or show the positions of its steps with what is legal there.",
        epilog="`lesson check` exits with 1 if something does not fit: rules, texts or places to point at.",
    )
    parser.add_argument("action", choices=("check", "show"), help="what to do")
    parser.add_argument("file", metavar="FILE", type=Path, help="the lesson, such as server/lessons/investors.json")
    parser.add_argument("--step", metavar="ID", help="show this step only")
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        default=_ROOT,
        help="the source tree with the texts (default: the one that this command runs from)",
    )
