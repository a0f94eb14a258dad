"""The command `sanfrancisco`: parses arguments, calls the tools, prints.

Results go to standard output, progress and errors to standard error. A wrong argument or a damaged log ends the command
with one sentence and exit code 2, before anything is printed or written.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence

from server import BUILD, version
from server.bots.registry import UnknownStrength, UnknownStyle
from server.cli.arguments import BadRequest, Parser, fail
from server.cli.backups import add_backup, add_reindex, add_restore, add_verify
from server.cli.bots import add_arena, add_bot
from server.cli.checking import add_check_game
from server.cli.coaching import add_analyse
from server.cli.lessons import add_lesson
from server.cli.playing import add_show, add_simulate
from server.cli.serving import add_export, add_import, add_serve, add_tables
from server.cli.transcripts import add_transcript
from server.config import BadSetting
from server.games.engine.game_log import DamagedLog
from server.games.engine.options import BadOption
from server.games.registry import UnknownGame
from server.tools.log_folder import NoPlaceForLogs
from server.tools.show import NoSuchStep

PROGRAM = "sanfrancisco"
INTERRUPTED = 130
USER_ERRORS = (
    BadOption,
    BadRequest,
    BadSetting,
    DamagedLog,
    NoPlaceForLogs,
    NoSuchStep,
    UnknownGame,
    UnknownStrength,
    UnknownStyle,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A log can hold characters that the terminal cannot show.
        sys.stdout.reconfigure(errors="backslashreplace")
    args = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int | None] = args.run
    exit_code = 0
    try:
        exit_code = run(args) or 0
        sys.stdout.flush()
    except USER_ERRORS as error:
        return fail(args.prog, str(error))
    except BrokenPipeError:
        # The reader of our output, such as `head`, has closed the pipe.
        _discard_output()
    except OSError as error:
        _discard_output()
        return fail(args.prog, f"The output could not be written: {error.strerror}.")
    except KeyboardInterrupt:
        return INTERRUPTED
    return exit_code


def _discard_output() -> None:
    # Otherwise Python would try to write the rest when it closes the stream, and print a second error.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog=PROGRAM, description="Tables for board games about San Francisco.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {version()} ({BUILD})")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_simulate(commands)
    add_show(commands)
    add_analyse(commands)
    add_check_game(commands)
    add_lesson(commands)
    add_arena(commands)
    add_bot(commands)
    add_serve(commands)
    add_tables(commands)
    add_export(commands)
    add_import(commands)
    add_transcript(commands)
    add_backup(commands)
    add_verify(commands)
    add_restore(commands)
    add_reindex(commands)
    return parser
