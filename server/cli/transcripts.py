"""The transcripts of finished games: write one, and verify one."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from server.cli.arguments import HELP_WIDTH, BadRequest, Commands, add_command
from server.cli.serving import ALONE, add_database, in_database, write_new

WRONG: Final = 1
NOT_VERIFIABLE: Final = 3

_MARKS: Final = {True: "right", False: "WRONG", None: "note "}


def _transcript(args: argparse.Namespace) -> None:
    from server.fairness.transcript import transcript_of, transcript_text
    from server.tables.table_export import replayed
    from server.tools.tables import exported

    log = in_database(args, lambda store: exported(store, args.table))
    if replayed(log).phase != "over":
        raise BadRequest(f"The game at table {args.table!r} is not over, and its transcript would tell its secrets.")
    text = transcript_text(transcript_of(log))
    if args.output is None:
        print(text, end="")
    else:
        write_new(args.output, text)


def add_transcript(commands: Commands) -> None:
    parser = add_command(
        commands,
        "transcript",
        _transcript,
        "Write the transcript of a finished game, with which anybody can verify it.",
        epilog=textwrap.fill(
            f"The command verify checks it, and so does the script web/verify-transcript.mjs for Node. {ALONE}",
            HELP_WIDTH,
        ),
    )
    parser.add_argument("table", metavar="TABLE", help="the id of the table, as the command tables lists it")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="a new file for the transcript (default: standard output)"
    )
    add_database(parser)


def is_text(file: Path) -> bool:
    """Return whether a file is a transcript or a log rather than a database."""
    try:
        with file.open("rb") as opened:
            return opened.read(1) == b"{"
    except OSError:
        return False


def verify_game(file: Path, heads: Sequence[str]) -> int:
    """Verify the game in a transcript or a log; print what was checked, and return the exit code."""
    from server.fairness.findings import NOT_VERIFIABLE as NOT_VERIFIABLE_GAME
    from server.fairness.findings import VERIFIED, result_of
    from server.fairness.verify import verify

    findings = verify(_read(file), heads)
    for finding in findings:
        print(f"{_MARKS[finding.ok]}  {finding.sentence}")
    result = result_of(findings)
    if result == VERIFIED:
        print(f"Verified: {file}")
        return 0
    print(f"{'Not verifiable' if result == NOT_VERIFIABLE_GAME else 'NOT VERIFIED'}: {file}")
    return NOT_VERIFIABLE if result == NOT_VERIFIABLE_GAME else WRONG


def _read(file: Path) -> Any:
    """Return the transcript in a file, or that of the game in a log; raise `BadRequest` or `DamagedLog`."""
    from server.fairness.transcript import old_transcript, transcript_of
    from server.games.engine.game_log import FORM as GAME_LOG
    from server.games.engine.game_log import read_log
    from server.tables.table_export import FORM as TABLE_LOG
    from server.tables.table_export import read_table_export, replayed

    try:
        text = file.read_text("utf-8")
    except (OSError, ValueError) as reason:
        raise BadRequest(f"{file} cannot be read: {reason}.") from None
    form = _form(text)
    if form == GAME_LOG:
        return old_transcript(read_log(text))
    if form == TABLE_LOG:
        log = read_table_export(text)
        if replayed(log).phase != "over":
            raise BadRequest("The game in this log is not over, so it cannot be verified yet.")
        return transcript_of(log)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest(f"{file} is neither a transcript nor a log.") from None


def _form(text: str) -> str | None:
    """Return the form of the log that a text is; None if it is no log."""
    try:
        value = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return None
    form = value.get("log") if isinstance(value, dict) else None
    return form if isinstance(form, str) else None
