"""The command that analyses a finished game: analyse."""

from __future__ import annotations

import argparse
import json
import sys

from server.cli.arguments import BadRequest, Commands, add_command
from server.cli.playing import text_of
from server.tools.progress import Progress


def _analyse(args: argparse.Namespace) -> None:
    from server.coach.analysis import NotAnalysable, analyse
    from server.coach.files import NoGame, game_of_file
    from server.coach.text import findings_text

    progress: Progress | None = None

    def on_progress(done: int, of: int) -> None:
        nonlocal progress
        progress = progress or Progress(sys.stderr, of, "parts")
        progress.advance(done)

    try:
        findings = analyse(game_of_file(text_of(args.file)), on_progress=on_progress)
    except NoGame as reason:
        raise BadRequest(str(reason)) from None
    except NotAnalysable as reason:
        raise BadRequest(f"The game cannot be analysed: {reason}.") from None
    finally:
        if progress is not None:
            progress.clear()
    print(json.dumps(findings) if args.json else findings_text(findings), end="\n" if args.json else "")


def add_analyse(commands: Commands) -> None:
    parser = add_command(
        commands,
        "analyse",
        _analyse,
        "Analyse a finished game: chances to win, turning points of each seat, auctions. It takes a minute or two.",
        epilog="The commands `export` and `transcript` write such files; the page of a finished game offers them, too.",
    )
    parser.add_argument("file", metavar="FILE", help="exported log of a table, or transcript; - for standard input")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
