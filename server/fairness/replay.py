"""The moves of a transcript, played again by the rules with dice that note what they decide."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from protocol.commitments import canonical_json
from server.games.engine.game import Game
from server.games.engine.options import BadOption, read_options
from server.games.engine.play import Play, Step, begin
from server.games.engine.prompts import Command
from server.games.engine.recorded_dice import RecordedDice
from server.games.engine.serialization import BadJson, JsonReader, to_json
from server.model import Refused


class Move(NamedTuple):
    """An answer of a seat to a decision, as canonical JSON; None where the seat took its last step back.

    Sealed: the device of the seat kept an answer, so that an earlier one to the same decision no longer counts.
    """

    decision: int
    seat: int
    command: str | None
    is_sealed: bool = False

    def to_json(self) -> dict[str, Any]:
        given = (
            {"command": self.command} if self.command is not None else {"sealed" if self.is_sealed else "undo": True}
        )
        return {"decision": self.decision, "seat": self.seat, **given}


class Illegal(ValueError):
    """The rules do not allow a move, or a game with these settings."""


class RulesReplay:
    """A game that is played again from its seed. Raises `Illegal` for what the rules do not allow."""

    def __init__(self, game: Game[Any], seats: int, options: Mapping[str, Any], seed: bytes) -> None:
        self.dice = RecordedDice(seed)
        try:
            if seats not in game.seats:
                raise Illegal("The game has no such number of seats.")
            self.play, self.first_step = begin(game, seats, read_options(game.options, options), self.dice)
        except (BadOption, TypeError) as reason:
            raise Illegal("The game has no such options.") from reason

    def add(self, move: Move) -> tuple[Play, Step]:
        """Play a move; return the play before it and its step."""
        before = self.play
        if move.is_sealed:
            if before.decision is None or not before.decision.sealed or before.not_asked(move.seat, move.decision):
                raise Illegal("The seat has no answer to seal.")
            self.play = before.without_answer(move.seat)
            return before, []
        if move.command is None:
            stepped = before.undo(move.seat, move.decision)
        else:
            command = _command(before.game, move.command)
            stepped = before.answer(move.seat, move.decision, command, self.dice)
        if isinstance(stepped, Refused):
            raise Illegal(stepped.sentence)
        self.play, step = stepped
        return before, step


def _command(game: Game[Any], text: str) -> Command:
    try:
        command = _reader(game).read("do", json.loads(text))
    except (BadJson, ValueError, TypeError, RecursionError) as reason:
        raise Illegal("This is no command of the game.") from reason
    if not isinstance(command, Command) or canonical_json(to_json(command)) != text:
        raise Illegal("This is no command of the game.")
    return command


@cache
def _reader(game: Game[Any]) -> JsonReader:
    return JsonReader(game.commands)
