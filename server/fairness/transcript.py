"""The transcript of a finished game, made from the entries of its log: all that a verifier needs.

It holds what was secret during the game, so it is made only when the game is over. A game that cannot be verified has a
transcript too, which says why not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from protocol.commitments import base64url, canonical_json, chain_next, chain_start
from server.fairness.replay import Illegal, Move, RulesReplay
from server.games.engine.events import Event
from server.games.engine.game_log import GameLog
from server.games.engine.play import Play, Undone
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json
from server.tables import events
from server.tables.entries import answers_in, open_entry, read_entry
from server.tables.public_chain import public_line
from server.tables.state import TableState
from server.tables.table_export import TableExport

FORM: Final = "sanfrancisco-transcript/1"


class TranscriptBuilder:
    """Makes the transcript of a game. It gets the entries of the log one after the other, so others can take turns."""

    def __init__(self) -> None:
        self._table: TableState | None = None
        self._play: Play | None = None
        self._replay: RulesReplay | None = None
        self._chain = b""
        self._lines: list[str] = []
        self._moves: list[Move] = []
        self._openings: list[dict[str, Any]] = []

    def add(self, table: TableState, new_events: Sequence[Event]) -> None:
        """Add an entry of the log; the table has the entry applied."""
        before, self._play = self._play, table.play
        self._table = table
        if table.exchange is None:
            return
        self._add_line(table, new_events)
        given, forced = answers_in(new_events)
        has_begun = False
        for event in new_events:
            match event:
                case events.GameStarted():
                    has_begun = True
                case events.AnswerSealed():
                    is_given = before is not None and event.decision == before.number
                    self._add_opening(event, (given if is_given else forced).get(event.seat))
                case events.SealOpened():
                    self._open(event, given[event.seat])
        if before is not None:
            for move in _moves(before.number, new_events, given):
                self._moves.append(move)
                self._play_again(move)
        elif has_begun:
            self._begin_again(table)

    def transcript(self) -> dict[str, Any]:
        """Return the transcript as JSON. At least one entry was added."""
        table = self._table
        assert table is not None, "a log has at least one entry"
        why_not = _why_not(table)
        head: dict[str, Any] = {
            "format": FORM,
            "table": table.chain_id,
            "title": table.settings.game,
            "rules": table.rules_version,
            "verifiable": why_not is None,
            "why_not": why_not,
        }
        if why_not is not None or table.exchange is None or table.play is None:
            return head
        outcome = table.play.game.outcome(table.play.state)
        return {
            **head,
            "game": table.exchange.game,
            "lines": self._lines,
            "head": base64url(self._chain),
            "server_seed": table.exchange.seed,
            "game_seed": table.seed,
            "void_games": table.exchange.game - 1,
            "moves": [move.to_json() for move in self._moves],
            "openings": self._openings,
            "draws": [] if self._replay is None else self._replay.dice.draws,
            "outcome": None if outcome is None else outcome.to_json(),
        }

    def _add_line(self, table: TableState, new_events: Sequence[Event]) -> None:
        line = public_line(table, new_events, len(self._lines) + 1)
        if line is not None:
            self._chain = chain_next(self._chain or chain_start(table.chain_id), line)
            self._lines.append(line.decode())

    def _add_opening(self, sealed: events.AnswerSealed, command: Command | None) -> None:
        answer = None if sealed.salt is None else "" if command is None else canonical_json(to_json(command))
        self._openings.append(
            {
                "decision": sealed.decision,
                "seat": sealed.seat,
                "attempt": sealed.attempt,
                "commitment": sealed.commitment,
                "salt": sealed.salt,
                "answer": answer,
                "by_server": sealed.by_server,
            }
        )

    def _open(self, opened: events.SealOpened, command: Command) -> None:
        """Add what opens an answer that a device had kept."""
        place = {"decision": opened.decision, "seat": opened.seat, "attempt": opened.attempt}
        opening = next(each for each in reversed(self._openings) if place.items() <= each.items())
        opening |= {"salt": opened.salt, "answer": canonical_json(to_json(command))}

    def _begin_again(self, table: TableState) -> None:
        """Play the game again for its draws, which are not in the log. A log that contradicts the rules has fewer."""
        game = table.game.as_of(table.rules_version)
        if table.seed is not None and game is not None:
            try:
                seed = bytes.fromhex(table.seed)
                self._replay = RulesReplay(game, len(table.chairs), table.settings.options, seed)
            except Illegal:
                self._replay = None

    def _play_again(self, move: Move) -> None:
        if self._replay is not None:
            # A verifier finds out what the rules do not allow; there is nothing more to note then.
            with suppress(Illegal):
                self._replay.add(move)


def _moves(decision: int, new_events: Sequence[Event], given: dict[int, Command]) -> list[Move]:
    """Return the moves of an entry; open decisions have their commands beside the events."""
    moves: list[Move] = []
    for event in new_events:
        match event:
            case events.CommandGiven():
                moves.append(Move(decision, event.seat, event.command))
            case Undone():
                moves.append(Move(decision, event.seat, None))
            case events.AnswerSealed(salt=None):
                moves.append(Move(decision, event.seat, None, is_sealed=True))
    return moves or [Move(decision, seat, canonical_json(to_json(command))) for seat, command in given.items()]


def _why_not(table: TableState) -> str | None:
    """Return why a game cannot be verified, as a word; None if it can."""
    if table.continued is not None:
        return "continued"
    if table.exchange is None:
        return "old"
    if table.play is None:
        return "not_begun"
    return "other_rules" if table.game.as_of(table.rules_version) is None else None


def transcript_of(export: TableExport) -> dict[str, Any]:
    """Return the transcript of the game in an export; the caller has checked that it can be replayed and is over."""
    first, *rest = export.entries
    table = open_entry(first)
    builder = TranscriptBuilder()
    builder.add(table, read_entry(first, None))
    for entry in rest:
        new_events = read_entry(entry, table.settings.game)
        table.apply(new_events)
        builder.add(table, new_events)
    return builder.transcript()


def old_transcript(log: GameLog) -> dict[str, Any]:
    """Return the transcript of a game without its table, which nobody can verify."""
    fields = {"format": FORM, "table": "", "title": log.game.name, "rules": log.rules}
    return {**fields, "verifiable": False, "why_not": "old"}


def transcript_text(transcript: dict[str, Any]) -> str:
    """Return a transcript as the text of a file."""
    return json.dumps(transcript, separators=(",", ":")) + "\n"
