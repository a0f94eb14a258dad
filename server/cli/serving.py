"""The commands for live tables: serve, and what is done with the tables that a server has kept."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import textwrap
import threading
import webbrowser
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final, TypeVar

from server.cli.arguments import HELP_WIDTH, BadRequest, Commands, add_command
from server.cli.playing import text_of
from server.config import PREFIX, Settings, described, option_name
from server.store.api import StoreUnusable, TableStore

T = TypeVar("T")

_ALONE: Final = "The server that uses a file must be stopped; those that use a Redis may run."


def _serve(args: argparse.Namespace) -> None:
    settings = Settings.read({name: getattr(args, name) for name, _ in described()}, os.environ)
    # The other commands need not wait for all that a server needs.
    from server.app import serve
    from server.gateway.server import CannotListen

    def announce(address: str) -> None:
        print(f"San Francisco Tables: {address}", flush=True)
        if args.open and _has_desktop():
            # A browser may take its time; the server does not wait for it.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        serve(settings, announce)
    except (CannotListen, StoreUnusable) as reason:
        raise BadRequest(str(reason)) from None


def _has_desktop() -> bool:
    """Whether a browser would open in a window rather than in the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _tables(args: argparse.Namespace) -> None:
    from server.tools.tables import table_lines

    print("\n".join(_in_database(args, table_lines)))


def _export(args: argparse.Namespace) -> None:
    from server.tools.table_export import write_table_export
    from server.tools.tables import exported, warning_of

    log = _in_database(args, lambda store: exported(store, args.table))
    text = write_table_export(log)
    if args.output is None:
        print(text, end="")
    else:
        _write_new(args.output, text)
    warning = warning_of(log)
    if warning is not None:
        print(f"{args.prog}: {warning}", file=sys.stderr)


def _write_new(path: Path, text: str) -> None:
    """Write a file that nobody else may read, and never over another one."""
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(text.encode("ascii"))
    except OSError as error:
        raise BadRequest(f"{path} could not be written: {error.strerror}.") from None


def _import(args: argparse.Namespace) -> None:
    from server.tools.table_export import read_table_export, replayed
    from server.tools.tables import import_table

    log = read_table_export(text_of(args.log))
    # A log that makes no sense must not even lead to an empty database.
    replayed(log)
    _in_database(args, lambda store: import_table(store, log), make=True)
    print(f"Imported table {log.table} with {len(log.entries)} records.")


def _in_database(args: argparse.Namespace, do: Callable[[TableStore], Coroutine[Any, Any, T]], make: bool = False) -> T:
    """Give what is done with the database that is asked for; `make` it if there is none."""
    from server.tools.tables import NotDone, opened

    place = _place(args)
    if isinstance(place, Path) and not make and not place.exists():
        raise BadRequest(f"There is no database {place}.")

    async def run() -> T:
        async with opened(place) as store:
            return await do(store)

    try:
        return asyncio.run(run())
    except NotDone as reason:
        raise BadRequest(str(reason)) from None


def _place(args: argparse.Namespace) -> Path | str:
    """Give the file, or the address of the Redis, that holds the tables; what is asked for wins."""
    if args.database is not None and args.redis is not None:
        raise BadRequest("The tables are in a file or in a Redis: give --database or --redis, not both.")
    redis = "" if args.database is not None else args.redis
    settings = Settings.read({"database": args.database, "redis": redis, "workers": "1"}, os.environ)
    return settings.redis or settings.database


def add_serve(commands: Commands) -> None:
    parser = add_command(
        commands,
        "serve",
        _serve,
        "Run the server for live tables until it is told to stop.",
        epilog=f"Every setting can also be given in the environment, as {PREFIX}PORT for --port.",
    )
    parser.add_argument("--open", action="store_true", help="also open the page in a browser, if there is a desktop")
    for name, sentence in described():
        parser.add_argument(option_name(name), metavar="VALUE", help=sentence)


def add_tables(commands: Commands) -> None:
    parser = add_command(
        commands,
        "tables",
        _tables,
        "List the tables in a database, the last changed first: id, game, phase, records in the log, seats.",
        epilog=_ALONE,
    )
    _add_database(parser)


def add_export(commands: Commands) -> None:
    parser = add_command(
        commands,
        "export",
        _export,
        "Write the whole log of a table as text: the game, people, talk and clocks, with every secret of it.",
        epilog=textwrap.fill(
            "Hands, sealed answers, the seed and the key of the invite link are in it, so while the game is not over "
            "the log is for nobody's eyes. The command show prints the game in it, and import lets it go on in another "
            f"database. {_ALONE}",
            HELP_WIDTH,
        ),
    )
    parser.add_argument("table", metavar="TABLE", help="the id of the table, as the command tables lists it")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="a new file for the log (default: standard output)"
    )
    _add_database(parser)


def add_import(commands: Commands) -> None:
    parser = add_command(
        commands,
        "import",
        _import,
        "Put a table that was exported into a database, where its people can go on playing.",
        epilog=textwrap.fill(
            "The table keeps its id, and one that is there already is not touched. People whom the database does not "
            f"know come with their sessions; of those it knows, nothing is changed. {_ALONE}",
            HELP_WIDTH,
        ),
    )
    parser.add_argument("log", metavar="FILE", help="the file that was exported, or - for standard input")
    _add_database(parser)


def _add_database(parser: argparse.ArgumentParser) -> None:
    sentence = f"file that keeps the tables (default: {Settings.database}, or {PREFIX}DATABASE in the environment)"
    parser.add_argument("--database", metavar="PATH", help=sentence)
    sentence = f"address of the Redis that keeps them instead (default: none, or {PREFIX}REDIS in the environment)"
    parser.add_argument("--redis", metavar="URL", help=sentence)
