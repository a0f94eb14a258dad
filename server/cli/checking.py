"""The command that checks a game under development: check-game."""

from __future__ import annotations

import argparse
from pathlib import Path

from server.cli.arguments import BadRequest, Commands, add_command
from server.tools.check_game import missing_parts

INCOMPLETE = 1


def _check_game(args: argparse.Namespace) -> int:
    folder: Path = args.folder
    if not (folder / "server/games").is_dir():
        raise BadRequest(f"{folder} is not a source tree: it has no folder server/games.")
    missing = missing_parts(args.game, folder)
    for part in missing:
        print(f"missing: {part}")
    print(f"{args.game}: {f'{len(missing)} parts missing' if missing else 'complete'}")
    return INCOMPLETE if missing else 0


def add_check_game(commands: Commands) -> None:
    parser = add_command(
        commands,
        "check-game",
        _check_game,
        "List the parts of a game that are still missing: files, registrations, events, texts, golden logs.",
        epilog="The exit code is 0 if the game is complete and 1 if parts are missing.",
    )
    parser.add_argument("game", metavar="NAME", help="the name of the game, which is the name of its folder")
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        default=Path(__file__).parents[2],
        help="the source tree to check (default: the one that this command runs from)",
    )
