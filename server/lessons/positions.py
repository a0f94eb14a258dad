"""The positions of a lesson, played by the real rules.

A position is a pure function of the lesson, the number of the step, and the answers that the learner gave since the
step began. So nothing is stored of a lesson under way, and going back is another step number. The game of a lesson
always goes on with the answers of its data; what else the learner tries is played out and then left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from server.games.engine.dice import Dice
from server.games.engine.events import Event, Seat
from server.games.engine.game import Game
from server.games.engine.options import read_options
from server.games.engine.play import Play, begin
from server.games.registry import game_named
from server.lessons.lesson import BadLesson, Command, Lesson, Step
from server.model import Refused


class Position(NamedTuple):
    """A moment of a lesson: the play, and the log up to it, a list of steps of the game."""

    play: Play
    log: tuple[Sequence[Event], ...]


class Reached(NamedTuple):
    """The position after answers of the learner to a step."""

    position: Position
    latest: tuple[Event, ...]
    """The events that the last answer caused."""

    meaning: str | None
    """What the answers mean; None until they are complete."""

    is_done: bool


@lru_cache(maxsize=16)
def dice_of(seed: str) -> Dice:
    """Return the dice of a lesson."""
    return Dice(bytes.fromhex(seed))


def positions_of(lesson: Lesson) -> list[Position]:
    """Return the position at the beginning of each step; raise `BadLesson` for an answer that the rules refuse."""
    game = _game_of(lesson)
    play, events = begin(game, len(lesson.seats), read_options(game.options, lesson.options), dice_of(lesson.seed))
    position = Position(play, (events,))
    positions: list[Position] = []
    for step in lesson.steps:
        for seat, command in step.script:
            position = _scripted(lesson, step, position, seat, command)
        positions.append(position)
        for number, command in enumerate(step.answers):
            position = _scripted(lesson, step, position, lesson.learner, command)
            if number == 0:
                for seat, answer in step.others:
                    position = _scripted(lesson, step, position, seat, answer)
    return positions


def _game_of(lesson: Lesson) -> Game[Any]:
    """Return the game by the rules of the lesson; raise `BadLesson` if it no longer knows them."""
    game = game_named(lesson.game)
    found = game if lesson.rules is None else game.as_of(lesson.rules)
    if found is None:
        raise BadLesson(f"rules: {lesson.game} cannot be begun by version {lesson.rules}")
    return found


def _scripted(lesson: Lesson, step: Step, position: Position, seat: Seat, command: Command) -> Position:
    if not 0 <= seat < len(lesson.seats):
        raise BadLesson(f"{step.id}: there is no seat {seat}")
    answered = _answered(lesson, position, seat, command)
    if isinstance(answered, Refused):
        about = None if position.play.decision is None else position.play.decision.kind
        awaited = ", ".join(map(str, position.play.awaited)) or "nobody"
        raise BadLesson(
            f"{step.id}: seat {seat} cannot answer {command}: {answered.sentence} "
            f"The decision is {about!r}, and seat {awaited} is awaited."
        )
    return answered


def _answered(lesson: Lesson, position: Position, seat: Seat, command: object) -> Position | Refused:
    play = position.play
    answered = play.answer_json(seat, play.number, command, dice_of(lesson.seed))
    if isinstance(answered, Refused):
        return answered
    after, events = answered
    return Position(after, (*position.log, events))


def is_asked(lesson: Lesson, play: Play) -> bool:
    """Return whether the learner owes the open decision an answer."""
    return lesson.learner in play.awaited


def reach(lesson: Lesson, step: Step, start: Position, answers: Sequence[Any]) -> Reached | Refused:
    """Return what the learner reaches with answers to a step, or the refusal of the rules.

    The step is done with as many answers as it has, with one that is not its own, or when others must decide. An answer
    that is not its own is the one that is explained; if there is none, it is the first.
    """
    position, latest = start, len(start.log)
    explained: Command | None = None
    is_done = not step.answers
    for number, command in enumerate(answers):
        if is_done or not isinstance(command, dict):
            return Refused("not_awaited", "The lesson waits for no answer now.", "lesson")
        latest = len(position.log)
        answered = _answered(lesson, position, lesson.learner, command)
        if isinstance(answered, Refused):
            return answered
        position = answered
        if number == 0:
            position = _with_others(lesson, step, position)
        is_other = command != step.answers[number]
        if is_other or explained is None:
            explained = command
        is_done = is_other or number + 1 == len(step.answers) or not is_asked(lesson, position.play)
    caused = tuple(event for events in position.log[latest:] for event in events)
    meaning = step.meaning_of(explained) if is_done and explained is not None else None
    return Reached(position, caused, meaning, is_done)


def _with_others(lesson: Lesson, step: Step, position: Position) -> Position:
    """Return the position after the scripted answers of other seats; where one is not legal, its fallback is given."""
    for seat, command in step.others:
        play = position.play
        if play.decision is None or seat not in play.awaited:
            continue
        answered = _answered(lesson, position, seat, command)
        if isinstance(answered, Refused):
            fallback = play.answer(seat, play.number, play.decision.prompts[seat].fallback, dice_of(lesson.seed))
            assert not isinstance(fallback, Refused)
            after, events = fallback
            answered = Position(after, (*position.log, events))
        position = answered
    return position
