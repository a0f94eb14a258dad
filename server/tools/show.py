"""A game as readable text: every step in words, the position in characters, the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.games.engine.events import Event
from server.games.engine.game import Game, Outcome, Seat
from server.games.engine.game_log import GameLog, made_of_step, plays
from server.games.engine.play import Answered, Play, Step, Undone
from server.games.engine.prompts import Command
from server.tools.simulate import round_of


class NoSuchStep(LookupError):
    """The log has no step of this number; the message is a sentence."""


def game_text(log: GameLog) -> str:
    """Return a whole game, drawn as each round begins and at its end; raise `DamagedLog` if it cannot be replayed."""
    lines: list[str] = []
    drawn: list[str] = []
    play: Play | None = None
    for number, (after, step) in enumerate(zip(plays(log), log.steps, strict=True), 1):
        lines += made_of_step(number, _step_lines, number, step, after)
        began = made_of_step(number, _round_begun, play, after)
        play = after
        if began is not None:
            position = made_of_step(number, _position, play)
            lines += ["", f"Round {began}", *(position if position != drawn else ["Nothing has changed."]), ""]
            drawn = position
    assert play is not None, "a log has at least one step"
    lines += made_of_step(len(log.steps), _ending, play)
    return "\n".join([_summary(log, play), "", *lines, ""])


def step_text(log: GameLog, number: int) -> str:
    """Return one step of a game and the position after it; raise `NoSuchStep` or `DamagedLog`."""
    if not 1 <= number <= len(log.steps):
        raise NoSuchStep(f"The log has steps 1 to {len(log.steps)}; there is no step {number}.")
    history = list(plays(log))
    play = history[number - 1]
    lines = made_of_step(number, _step_lines, number, log.steps[number - 1], play)
    lines += made_of_step(number, _ending, play)
    return "\n".join([_summary(log, history[-1]), "", *lines, ""])


def _summary(log: GameLog, last: Play) -> str:
    ending = "finished" if last.decision is None else "not finished"
    steps = "1 step" if len(log.steps) == 1 else f"{len(log.steps)} steps"
    return f"{log.game.name.capitalize()}, rules {log.rules}, {steps}, {ending}"


def _round_begun(before: Play | None, after: Play) -> int | None:
    """Return the round that begins between two plays, or None."""
    began = round_of(after)
    is_same = before is not None and began == round_of(before)
    return None if is_same or after.decision is None else began


def _titled(title: str) -> tuple[str, str, str]:
    return title, "-" * len(title), ""


def _step_lines(number: int, step: Step, play: Play) -> list[str]:
    label = f"{number:>5}  "
    margins = [label, *[" " * len(label)] * (len(step) - 1)]
    return [margin + _sentence(play, event) for margin, event in zip(margins, step, strict=True)]


def _sentence(play: Play, event: Event) -> str:
    game = play.game
    if isinstance(event, Answered):
        return f"{_seat_begins(game, event.seat)} seals an answer: {_command_words(game, event.command)}."
    if isinstance(event, Undone):
        return f"{_seat_begins(game, event.seat)} takes the last step back."
    return game.describe(event)


def _seat_words(game: Game[Any], seat: Seat) -> str:
    """Return a seat as the sentences of the game name it."""
    formatter = game.formatters.get("seat")
    return f"seat {seat}" if formatter is None else formatter(seat)


def _seat_begins(game: Game[Any], seat: Seat) -> str:
    words = _seat_words(game, seat)
    return words[:1].upper() + words[1:]


def _command_words(game: Game[Any], command: Command) -> str:
    fields = [(name, getattr(command, name)) for name in command.__match_args__]
    given = [f"{_spaced(name)} {_value_words(game, name, value)}" for name, value in fields if value is not None]
    return ", ".join([_spaced(command.name), *given])


def _value_words(game: Game[Any], name: str, value: object) -> str:
    if isinstance(value, tuple):
        return " and ".join(_value_words(game, name, part) for part in value) or "none"
    formatter = game.formatters.get(name)
    return _spaced(str(value)) if formatter is None else formatter(value)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _position(play: Play) -> list[str]:
    return play.game.draw(play.state).split("\n")


def _ending(play: Play) -> list[str]:
    outcome = play.game.outcome(play.state)
    position = ["", *_titled("The position"), *_position(play), ""]
    if outcome is not None:
        return position + _outcome_lines(play.game, outcome)
    assert play.decision is not None
    awaited = ", ".join(_seat_words(play.game, seat) for seat in play.awaited)
    return [*position, f"Awaited: {awaited} ({_spaced(play.decision.kind)})."]


def _outcome_lines(game: Game[Any], outcome: Outcome) -> list[str]:
    parts = list(dict.fromkeys(part for breakdown in outcome.breakdown for part in breakdown))
    rows = [["place", "seat", "score", *map(_spaced, parts)]]
    for seat in sorted(range(len(outcome.places)), key=lambda seat: (outcome.places[seat], seat)):
        earned = outcome.breakdown[seat]
        scored = [outcome.points(earned[part]) if part in earned else "-" for part in parts]
        place, score = outcome.places[seat], outcome.points(outcome.scores[seat])
        rows.append([str(place), _seat_words(game, seat), score, *scored])
    reason = _value_words(game, "reason", outcome.reason)
    decided = f"Ended by: {reason}. Tie-break: {_spaced(outcome.tie_break or 'not needed')}."
    return [*_titled("The result"), *_table(rows), "", decided]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows with each column as wide as its widest cell, aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
