"""The commands that play and show games without a server: simulate, show."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

from server.cli.arguments import (
    HELP_WIDTH,
    BadRequest,
    Commands,
    add_command,
    pair,
    parsed_options,
    positive,
    seat_span,
    whole,
)
from server.cli.sentences import counted
from server.games.engine.game import Game
from server.games.engine.game_log import GameLog, read_log
from server.games.engine.options import Cards, Flag, Limit, Option
from server.games.registry import GAMES, game_named
from server.tools.log_folder import LogFolder
from server.tools.progress import Progress
from server.tools.show import game_text, step_text
from server.tools.simulate import ResultTable, random_game

TABLE_EXPORT = '{"log":"sanfrancisco-table/'
"""The first characters of a log that the command export wrote."""


def _simulate(args: argparse.Namespace) -> None:
    game = game_named(args.game)
    seats = game.seats[0] if args.players is None else args.players
    options = parsed_options(game, seats, args.option)
    folder = None if args.logs is None else LogFolder(args.logs, game, args.seed, args.games)
    table = ResultTable(seats)
    progress = Progress(sys.stderr, args.games, "games")
    if not args.json:
        print(table.header)
    decisions = 0
    start = time.perf_counter()
    for number in range(1, args.games + 1):
        played = random_game(game, seats, options, args.seed, number)
        decisions += played.decisions
        if folder is not None:
            folder.write(played)
        if sys.stdout.isatty():
            progress.clear()
        print(json.dumps(played.to_json()) if args.json else table.line(played))
        progress.advance(number)
    sys.stdout.flush()
    progress.clear()
    print(_speed_text(args.games, decisions, time.perf_counter() - start), file=sys.stderr)


def _speed_text(games: int, decisions: int, seconds: float) -> str:
    played = f"{counted(games, 'game')} with {counted(decisions, 'decision')} in {seconds:.2f} seconds"
    return f"{played}: {games / seconds:,.1f} games and {decisions / seconds:,.0f} decisions per second."


def _show(args: argparse.Namespace) -> None:
    text = text_of(args.log)
    log = _game_of_table(text) if text.startswith(TABLE_EXPORT) else read_log(text)
    print(game_text(log) if args.step is None else step_text(log, args.step), end="")


def _game_of_table(text: str) -> GameLog:
    from server.tables.table_export import game_of, read_table_export

    return game_of(read_table_export(text))


def text_of(source: str) -> str:
    if source == "-" and sys.stdin is None:
        raise BadRequest("Standard input is closed.")
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise BadRequest(f"{source} cannot be read: {error.strerror}.") from None
    # A log is ASCII: any other byte becomes a character that breaks the hash chain, which is reported with its line.
    return content.decode("ascii", "replace")


def add_simulate(commands: Commands) -> None:
    parser = add_command(
        commands,
        "simulate",
        _simulate,
        "Play random legal games and print a line for each; the same seed prints the same lines.",
        epilog="\n".join(["games and their options:", *(line for game in GAMES.values() for line in _game_help(game))]),
    )
    parser.add_argument("game", metavar="GAME", help=f"the game: {', '.join(GAMES)}")
    parser.add_argument("--players", metavar="N", type=whole, help="number of seats (default: the minimum of the game)")
    parser.add_argument("--games", metavar="N", type=positive, default=1, help="number of games (default: 1)")
    parser.add_argument("--seed", metavar="S", type=whole, default=0, help="random seed, a whole number (default: 0)")
    parser.add_argument(
        "--option", metavar="KEY=VALUE", type=pair, action="append", default=[], help="set an option of the game"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")
    parser.add_argument(
        "--logs", metavar="DIR", type=Path, help="also write the log of each game to a new file in this folder"
    )


def add_show(commands: Commands) -> None:
    parser = add_command(
        commands,
        "show",
        _show,
        "Print a game, finished or not, as text: every step, the position in characters, the result.",
        epilog="The commands `simulate --logs` and `export` write logs.",
    )
    parser.add_argument("log", metavar="LOG", help="file with the log, or - for standard input")
    parser.add_argument("--step", metavar="N", type=positive, help="print only this step and the position after it")


def _game_help(game: Game[Any]) -> list[str]:
    lines = ["", f"  {game.name}, {seat_span(game)} players"]
    for option in game.options:
        lines.append(f"    {option.name}={_values_help(option)}")
        supply = f" There are {', '.join(option.supply)}." if isinstance(option, Cards) else ""
        help_text = f"{option.help}{supply} Default: {_default_help(option)}."
        lines += textwrap.wrap(help_text, HELP_WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return lines


def _values_help(option: Option) -> str:
    if isinstance(option, Flag):
        return "yes|no"
    if isinstance(option, Limit):
        return f"{option.minimum}..{option.maximum}{'|none' if option.none else ''}"
    if isinstance(option, Cards):
        return "CARD,CARD,..."
    values = "|".join(option.values)
    return f"{values}|{','.join(option.values[:2])},..." if option.each else values


def _default_help(option: Option) -> str:
    if isinstance(option, Flag):
        return "yes" if option.default else "no"
    if isinstance(option, Cards):
        return ",".join(option.default) or "none chosen"
    return "none" if option.default is None else str(option.default)
