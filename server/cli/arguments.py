"""Arguments and error messages that all commands share."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from server.games.engine.game import Game
from server.games.engine.options import OptionValue, read_options

BAD_INPUT = 2
HELP_WIDTH = 78

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]  # noqa: SLF001 (it has no other name)
else:
    Commands = Any


class BadRequest(ValueError):
    """The command cannot do what was requested; the message is a sentence."""


def fail(program: str, sentence: str) -> int:
    """Print the sentence to standard error and return the exit code."""
    print(f"{program}: {sentence}", file=sys.stderr)
    return BAD_INPUT


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        sys.exit(fail(self.prog, f"{message[0].upper()}{message[1:]}; see {self.prog} --help."))


def add_command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int | None],
    description: str,
    epilog: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=description,
        description=textwrap.fill(description, HELP_WIDTH),
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, prog=parser.prog)
    return parser


def parsed_options(game: Game[Any], seats: int, given: Sequence[tuple[str, str]]) -> dict[str, OptionValue]:
    """Return the options of a game; raise `BadRequest` or `BadOption` if they are invalid."""
    if seats not in game.seats:
        raise BadRequest(f"{game.name.capitalize()} is for {seat_span(game)} players, not for {seats}.")
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


def seat_span(game: Game[Any]) -> str:
    minimum, maximum = game.seats[0], game.seats[-1]
    return str(minimum) if minimum == maximum else f"{minimum} to {maximum}"


def whole(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {text!r}")
    return int(text)


def positive(text: str) -> int:
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 is needed, not {number}")
    return number


def seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", text):
        raise argparse.ArgumentTypeError(f"a number of seconds is needed, not {text!r}")
    return float(text)


def words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


def pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"an option is written KEY=VALUE, not {text!r}")
    return name, value
