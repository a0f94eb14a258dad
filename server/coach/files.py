"""The game in a file, for its analysis without a server: the exported log of a table, or a transcript."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from server.coach.decisions import Answer, DecisionReader, PlayedGame, game_of_entries, read_command
from server.fairness.findings import Wrong
from server.fairness.form import read_line, read_transcript, why_not_of
from server.fairness.replay import Illegal, RulesReplay
from server.games.engine.events import Seat
from server.games.engine.game_log import DamagedLog
from server.games.engine.options import read_options
from server.games.engine.play import Answered
from server.games.registry import UnknownGame, game_named
from server.tables.table_export import FORM as TABLE_LOG
from server.tables.table_export import read_table_export, replayed


class NoGame(ValueError):
    """A file holds no finished game that can be analysed; the message is a sentence."""


def game_of_file(text: str) -> PlayedGame:
    """Return the finished game in a text; raise `NoGame` or `DamagedLog`."""
    head = _json(text.partition("\n")[0])
    if isinstance(head, dict) and head.get("log") == TABLE_LOG:
        return _of_table(text)
    value = _json(text)
    if isinstance(value, dict) and "moves" in value:
        return _of_transcript(value)
    raise NoGame("This is neither the exported log of a table nor the transcript of a game that can be verified.")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_table(text: str) -> PlayedGame:
    log = read_table_export(text)
    if replayed(log).phase != "over":
        raise NoGame("The game in this log is not over, so its analysis would tell its secrets.")
    game = game_of_entries(log.entries)
    if game is None:
        raise NoGame("The game in this log never began.")
    return game


def _of_transcript(value: Mapping[str, Any]) -> PlayedGame:
    """Return the game of a transcript. It does not say which answers a seat did not give itself, so all count."""
    try:
        why_not_of(value)
        transcript = read_transcript(value)
        setups = [read_line(line, place).setup for place, line in enumerate(transcript.lines, 1)]
        setup = next(setup for setup in setups if isinstance(setup, dict))
        game = game_named(transcript.title).as_of(transcript.rules)
        if game is None:
            raise NoGame("The game was played by rules that are not known here.")
        replay = RulesReplay(game, len(setup["bots"]), setup["options"], transcript.game_seed)
        reader = DecisionReader(len(setup["bots"]), read_options(game.options, setup["options"]))
        reader.add(replay.play, [event for event in replay.first_step if not isinstance(event, Answered)], {})
        answers: dict[Seat, Answer] = {}
        for move in transcript.moves:
            before, step = replay.add(move)
            if move.is_sealed:
                answers.pop(move.seat, None)
            elif move.command is not None:
                answers[move.seat] = Answer(read_command(game, move.command), is_own=True)
            if replay.play.number != before.number:
                reader.add(replay.play, [event for event in step if not isinstance(event, Answered)], answers)
                answers = {}
    except (Wrong, Illegal, UnknownGame, StopIteration, KeyError, TypeError, ValueError) as reason:
        if isinstance(reason, NoGame):
            raise
        raise DamagedLog("The transcript is damaged: its moves cannot be played again.") from reason
    found = reader.game()
    assert found is not None, "the first step was added"
    return found
