"""The command `sanfrancisco`: reads arguments, calls the tools, prints.

Results go to standard output, progress and complaints to standard error. What was asked wrongly, and a log that is
damaged, give one sentence and exit code 2, before anything is printed or written.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import re
import sys
import textwrap
import threading
import time
import webbrowser
from collections.abc import Callable, Coroutine, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from server.bots.registry import UnknownStrength, strategy_of
from server.games.game import Game
from server.games.options import BadOption, Cards, Flag, Limit, Option, OptionValue, read_options
from server.games.record import DamagedLog, Log, read_log
from server.games.registry import GAMES, UnknownGame, game_named
from server.settings import PREFIX, BadSetting, Settings, described, option_name
from server.store.base import StoreUnusable, TableStore
from server.tools.logs import LogFolder, NoPlaceForLogs
from server.tools.progress import Progress
from server.tools.show import NoSuchStep, game_text, step_text
from server.tools.simulate import ResultTable, random_game

PROGRAM = "sanfrancisco"
BAD_INPUT = 2
INTERRUPTED = 130
TABLE_LOG = '{"log":"sanfrancisco-table/'
"""How a log begins that was written by the command export."""

_HELP_WIDTH = 78
T = TypeVar("T")


class BadRequest(ValueError):
    """What was asked for cannot be done; the message is a sentence."""


COMPLAINTS = (BadOption, BadRequest, BadSetting, DamagedLog, NoPlaceForLogs, NoSuchStep, UnknownGame, UnknownStrength)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A log can hold characters that the terminal has no way to show.
        sys.stdout.reconfigure(errors="backslashreplace")
    asked = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = asked.run
    try:
        run(asked)
        sys.stdout.flush()
    except COMPLAINTS as complaint:
        return _complain(asked.prog, str(complaint))
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        _discard_output()
    except OSError as error:
        _discard_output()
        return _complain(asked.prog, f"The output could not be written: {error.strerror}.")
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _complain(program: str, sentence: str) -> int:
    print(f"{program}: {sentence}", file=sys.stderr)
    return BAD_INPUT


def _discard_output() -> None:
    # Else Python tries once more to write what is left when it closes the stream, and complains once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# simulate


def _simulate(asked: argparse.Namespace) -> None:
    game = game_named(asked.game)
    seats = game.seats[0] if asked.players is None else asked.players
    options = _agreed(game, seats, asked.option)
    folder = None if asked.logs is None else LogFolder(asked.logs, game, asked.seed, asked.games)
    table = ResultTable(seats)
    progress = Progress(sys.stderr, asked.games, "games")
    if not asked.json:
        print(table.header)
    decisions = 0
    start = time.perf_counter()
    for number in range(1, asked.games + 1):
        played = random_game(game, seats, options, asked.seed, number)
        decisions += played.decisions
        if folder is not None:
            folder.write(played)
        if sys.stdout.isatty():
            progress.clear()
        print(json.dumps(played.plain()) if asked.json else table.line(played))
        progress.advance(number)
    sys.stdout.flush()
    progress.clear()
    print(_pace(asked.games, decisions, time.perf_counter() - start), file=sys.stderr)


def _agreed(game: Game[Any], seats: int, given: Sequence[tuple[str, str]]) -> dict[str, OptionValue]:
    """Give the options of a game; raise `BadRequest` or `BadOption` for what cannot be played."""
    if seats not in game.seats:
        raise BadRequest(f"{game.name.capitalize()} is for {_seat_span(game)} players, not for {seats}.")
    chosen: dict[str, str] = {}
    for name, value in given:
        if name in chosen:
            raise BadRequest(f"Option {name} is given twice.")
        chosen[name] = value
    options = read_options(game.options, chosen)
    contradiction = game.check_options(seats, options)
    if contradiction is not None:
        raise BadRequest(contradiction)
    return options


def _pace(games: int, decisions: int, seconds: float) -> str:
    played = f"{games:,} {'game' if games == 1 else 'games'} with {decisions:,} decisions in {seconds:.2f} seconds"
    return f"{played}: {games / seconds:,.1f} games and {decisions / seconds:,.0f} decisions per second."


# arena


def _arena(asked: argparse.Namespace) -> None:
    from server.tools.arena import HEADER, Match, play_match, standing_line, standings

    game = game_named(asked.game)
    options = _agreed(game, len(asked.seats), asked.option)
    for strength in asked.seats:
        strategy_of(game.name, strength)
    match = Match(game.name, options, asked.seats, asked.seed)
    progress = Progress(sys.stderr, asked.games, "games")
    results = []
    for result in play_match(match, asked.games, min(asked.jobs, asked.games)):
        results.append(result)
        progress.advance(len(results))
    progress.clear()
    standing = standings(match, results)
    if asked.json:
        print(json.dumps({"game": game.name, "games": asked.games, "standings": [line.plain() for line in standing]}))
    else:
        print("\n".join([HEADER, *map(standing_line, standing)]))


# show


def _show(asked: argparse.Namespace) -> None:
    text = _text_of(asked.log)
    log = _game_of_table(text) if text.startswith(TABLE_LOG) else read_log(text)
    print(game_text(log) if asked.step is None else step_text(log, asked.step), end="")


def _game_of_table(text: str) -> Log:
    from server.tools.table_log import game_of, read_table_log

    return game_of(read_table_log(text))


def _text_of(source: str) -> str:
    if source == "-" and sys.stdin is None:
        raise BadRequest("Standard input is closed.")
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise BadRequest(f"{source} cannot be read: {error.strerror}.") from None
    # A log is ASCII: a byte that is none becomes a character that breaks the chain, and is found with its line.
    return content.decode("ascii", "replace")


# serve


def _serve(asked: argparse.Namespace) -> None:
    settings = Settings.read({name: getattr(asked, name) for name, _ in described()}, os.environ)
    # The other commands need not wait for all that a server needs.
    from server.app import serve
    from server.gateway.serving import CannotListen

    def announce(address: str) -> None:
        print(f"San Francisco Tables: {address}", flush=True)
        if asked.open and _has_desktop():
            # A browser may take its time; the server does not wait for it.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        serve(settings, announce)
    except (CannotListen, StoreUnusable) as reason:
        raise BadRequest(str(reason)) from None


def _has_desktop() -> bool:
    """Whether a browser would open in a window rather than in the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


# tables, export, import; what these need is loaded only for them


def _tables(asked: argparse.Namespace) -> None:
    from server.tools.tables import table_lines

    print("\n".join(_in_database(asked, table_lines)))


def _export(asked: argparse.Namespace) -> None:
    from server.tools.table_log import write_table_log
    from server.tools.tables import exported, warning_of

    log = _in_database(asked, lambda store: exported(store, asked.table))
    text = write_table_log(log)
    if asked.output is None:
        print(text, end="")
    else:
        _write_new(asked.output, text)
    warning = warning_of(log)
    if warning is not None:
        print(f"{asked.prog}: {warning}", file=sys.stderr)


def _write_new(path: Path, text: str) -> None:
    """Write a file that nobody else may read, and never over another one."""
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(text.encode("ascii"))
    except OSError as error:
        raise BadRequest(f"{path} could not be written: {error.strerror}.") from None


def _import(asked: argparse.Namespace) -> None:
    from server.tools.table_log import read_table_log, replayed
    from server.tools.tables import import_table

    log = read_table_log(_text_of(asked.log))
    # A log that makes no sense must not even lead to an empty database.
    replayed(log)
    _in_database(asked, lambda store: import_table(store, log), make=True)
    print(f"Imported table {log.table} with {len(log.records)} records.")


def _in_database(
    asked: argparse.Namespace, do: Callable[[TableStore], Coroutine[Any, Any, T]], make: bool = False
) -> T:
    """Give what is done with the database that is asked for; `make` it if there is none."""
    from server.tools.tables import NotDone, opened

    path = Settings.read({"database": asked.database}, os.environ).database
    if not make and not path.exists():
        raise BadRequest(f"There is no database {path}.")

    async def run() -> T:
        async with opened(path) as store:
            return await do(store)

    try:
        return asyncio.run(run())
    except NotDone as reason:
        raise BadRequest(str(reason)) from None


# The arguments and their help


class _Parser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        sys.exit(_complain(self.prog, f"{message[0].upper()}{message[1:]}; see {self.prog} --help."))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=PROGRAM, description="Tables for board games about San Francisco.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_simulate(commands)
    _add_arena(commands)
    _add_show(commands)
    _add_serve(commands)
    _add_tables(commands)
    _add_export(commands)
    _add_import(commands)
    return parser


def _add_simulate(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(
        commands,
        "simulate",
        _simulate,
        "Play random legal games and print a line for each; the same seed prints the same lines.",
        epilog="\n".join(["games and their options:", *(line for game in GAMES.values() for line in _game_help(game))]),
    )
    parser.add_argument("game", metavar="GAME", help=f"which game: {', '.join(GAMES)}")
    parser.add_argument("--players", metavar="N", type=_whole, help="how many seats play (default: the fewest)")
    parser.add_argument("--games", metavar="N", type=_positive, default=1, help="how many games (default: 1)")
    parser.add_argument("--seed", metavar="S", type=_whole, default=0, help="a whole number (default: 0)")
    parser.add_argument(
        "--option", metavar="KEY=VALUE", type=_pair, action="append", default=[], help="set an option of the game"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")
    parser.add_argument(
        "--logs", metavar="DIR", type=Path, help="also write the log of each game to a new file in this folder"
    )


def _add_arena(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(
        commands,
        "arena",
        _arena,
        "Let strengths of bots play each other, each in every seat, and print how they did.",
        epilog="Intervals are those of a confidence of 95 %. Who shares the first place shares the win.",
    )
    parser.add_argument("game", metavar="GAME", help=f"which game: {', '.join(GAMES)}")
    parser.add_argument(
        "--seats",
        metavar="STRENGTH,...",
        type=_words,
        required=True,
        help="who plays, one for each seat: easy, normal, hard or random",
    )
    parser.add_argument("--games", metavar="N", type=_positive, default=100, help="how many games (default: 100)")
    parser.add_argument("--seed", metavar="S", type=_whole, default=0, help="a whole number (default: 0)")
    parser.add_argument(
        "--option", metavar="KEY=VALUE", type=_pair, action="append", default=[], help="set an option of the game"
    )
    parser.add_argument(
        "--jobs", metavar="N", type=_positive, default=os.cpu_count() or 1, help="processes (default: one per core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_show(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(
        commands,
        "show",
        _show,
        "Print a game, finished or not, as text: what happened, the position drawn in characters, the result.",
        epilog="Logs are written by the command simulate with --logs, and by the command export.",
    )
    parser.add_argument("log", metavar="LOG", help="the file with the log, or - for standard input")
    parser.add_argument(
        "--step", metavar="N", type=_positive, help="print only this step, and the position right after it"
    )


def _add_serve(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(
        commands,
        "serve",
        _serve,
        "Run the server for live tables until it is told to stop.",
        epilog=f"Every setting can also be given in the environment, as {PREFIX}PORT for --port.",
    )
    parser.add_argument("--open", action="store_true", help="also open the page in a browser, if there is a desktop")
    for name, sentence in described():
        parser.add_argument(option_name(name), metavar="VALUE", help=sentence)


def _add_tables(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(
        commands,
        "tables",
        _tables,
        "List the tables in a database, the last changed first: id, game, phase, records in the log, seats.",
        epilog="The server that uses the database must be stopped.",
    )
    _add_database(parser)


def _add_export(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(
        commands,
        "export",
        _export,
        "Write the whole log of a table as text: the game, people, talk and clocks, with every secret of it.",
        epilog=textwrap.fill(
            "Hands, sealed answers, the seed and the key of the invite link are in it, so while the game is not over "
            "the log is for nobody's eyes. The command show prints the game in it, and import lets it go on in another "
            "database. The server that uses the database must be stopped.",
            _HELP_WIDTH,
        ),
    )
    parser.add_argument("table", metavar="TABLE", help="the id of the table, as the command tables lists it")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="a new file for the log (default: standard output)"
    )
    _add_database(parser)


def _add_import(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(
        commands,
        "import",
        _import,
        "Put a table that was exported into a database, where its people can go on playing.",
        epilog=textwrap.fill(
            "The table keeps its id, and one that is there already is not touched. People whom the database does not "
            "know come with their sessions; of those it knows, nothing is changed. The server that uses the database "
            "must be stopped.",
            _HELP_WIDTH,
        ),
    )
    parser.add_argument("log", metavar="FILE", help="the file that was exported, or - for standard input")
    _add_database(parser)


def _add_database(parser: argparse.ArgumentParser) -> None:
    sentence = f"file that keeps the tables (default: {Settings.database}, or {PREFIX}DATABASE in the environment)"
    parser.add_argument("--database", metavar="PATH", help=sentence)


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    run: Callable[[argparse.Namespace], None],
    description: str,
    epilog: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=description,
        description=textwrap.fill(description, _HELP_WIDTH),
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, prog=parser.prog)
    return parser


def _version() -> str:
    try:
        return metadata.version("sanfrancisco-tables")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {text!r}")
    return int(text)


def _positive(text: str) -> int:
    number = _whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 is needed, not {number}")
    return number


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"an option is written KEY=VALUE, not {text!r}")
    return name, value


def _seat_span(game: Game[Any]) -> str:
    least, most = game.seats[0], game.seats[-1]
    return str(least) if least == most else f"{least} to {most}"


def _game_help(game: Game[Any]) -> list[str]:
    lines = ["", f"  {game.name}, {_seat_span(game)} players"]
    for option in game.options:
        lines.append(f"    {option.name}={_values_help(option)}")
        supply = f" There are {', '.join(option.supply)}." if isinstance(option, Cards) else ""
        help_text = f"{option.help}{supply} Default: {_default_help(option)}."
        lines += textwrap.wrap(help_text, _HELP_WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return lines


def _values_help(option: Option) -> str:
    if isinstance(option, Flag):
        return "yes|no"
    if isinstance(option, Limit):
        return f"{option.least}..{option.most}{'|none' if option.none else ''}"
    if isinstance(option, Cards):
        return "CARD,CARD,..."
    return "|".join(option.values)


def _default_help(option: Option) -> str:
    if isinstance(option, Flag):
        return "yes" if option.default else "no"
    if isinstance(option, Cards):
        return ",".join(option.default) or "none chosen"
    return "none" if option.default is None else str(option.default)
