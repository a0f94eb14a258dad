"""The commands for live tables: serve them, and list, export and import the tables in a database."""

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
from server.config import DEPRECATED, PREFIX, Settings, described, option_name
from server.store.api import StorageFailed, StoreUnusable, TableStore

T = TypeVar("T")

ALONE: Final = "A server that uses a file must be stopped first; servers that use a Redis may run."


def _serve(args: argparse.Namespace) -> None:
    settings = Settings.read({name: getattr(args, name) for name in Settings.model_fields})
    # Imported here so that the other commands start faster.
    from server.app import serve
    from server.gateway.server import CannotListen

    def announce(address: str) -> None:
        print(f"San Francisco Tables: {address}", flush=True)
        if args.open and _has_desktop():
            # Starting a browser may take long; the server must not wait for it.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        serve(settings, announce)
    except (CannotListen, StorageFailed, StoreUnusable) as reason:
        raise BadRequest(str(reason)) from None


def _has_desktop() -> bool:
    """Return whether a browser would open in a window rather than in the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _tables(args: argparse.Namespace) -> None:
    from server.tools.tables import table_lines

    print("\n".join(in_database(args, table_lines)))


def _export(args: argparse.Namespace) -> None:
    from server.tables.table_export import write_table_export
    from server.tools.tables import exported, warning_of

    log = in_database(args, lambda store: exported(store, args.table))
    text = write_table_export(log)
    if args.output is None:
        print(text, end="")
    else:
        write_new(args.output, text)
    warning = warning_of(log)
    if warning is not None:
        print(f"{args.prog}: {warning}", file=sys.stderr)


def write_new(path: Path, text: str) -> None:
    """Write a new file that only its owner may read; raise `BadRequest` if there is one already."""
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(text.encode("ascii"))
    except OSError as error:
        raise BadRequest(f"{path} could not be written: {error.strerror}.") from None


def _import(args: argparse.Namespace) -> None:
    from server.tables.table_export import read_table_export, replayed
    from server.tools.tables import import_table

    log = read_table_export(text_of(args.log))
    # An invalid log must not even create an empty database.
    replayed(log)
    in_database(args, lambda store: import_table(store, log), make=True)
    print(f"Imported table {log.table} with {len(log.entries)} log entries.")


def in_database(args: argparse.Namespace, do: Callable[[TableStore], Coroutine[Any, Any, T]], make: bool = False) -> T:
    """Return the result of a coroutine that uses the chosen database; `make` it if there is none."""
    from server.tools.tables import NotDone, opened

    place = place_of(args)
    if isinstance(place, Path) and not make and not place.exists():
        raise BadRequest(f"There is no database {place}.")

    async def run() -> T:
        async with opened(place, read_only=not make) as store:
            return await do(store)

    try:
        return asyncio.run(run())
    except NotDone as reason:
        raise BadRequest(str(reason)) from None


def place_of(args: argparse.Namespace) -> Path | str:
    """Return the file, or the URL of the Redis, that stores the tables."""
    if args.database is not None and args.redis is not None:
        raise BadRequest("The tables are in a file or in a Redis: give --database or --redis, not both.")
    redis = "" if args.database is not None else args.redis
    settings = Settings.read({"database": args.database, "redis": redis, "workers": "1"})
    return settings.redis or settings.database


def add_serve(commands: Commands) -> None:
    parser = add_command(
        commands,
        "serve",
        _serve,
        "Run the server for live tables until SIGTERM or Ctrl-C.",
        epilog=f"Every option can also be set by an environment variable, as {PREFIX}PORT for --port.",
    )
    parser.add_argument("--open", action="store_true", help="also open the page in a browser, if there is a desktop")
    for name, help_text in described():
        parser.add_argument(option_name(name), metavar="VALUE", help=help_text)
    for old_name, name in DEPRECATED.items():
        parser.add_argument(
            option_name(old_name), dest=name, metavar="VALUE", help=f"deprecated: use {option_name(name)}"
        )


def add_tables(commands: Commands) -> None:
    parser = add_command(
        commands,
        "tables",
        _tables,
        "List the tables in a database, the last changed first: id, game, phase, log entries, seats.",
        epilog=ALONE,
    )
    add_database(parser)


def add_export(commands: Commands) -> None:
    parser = add_command(
        commands,
        "export",
        _export,
        "Write the whole log of a table as text: game, users, chat and clocks, with every secret of the game.",
        epilog=textwrap.fill(
            "It contains hands, sealed answers, the seed and the key of the invite link, so nobody should see the log "
            "of a game that is not over. The command show prints the game in it; import continues it in another "
            f"database. {ALONE}",
            HELP_WIDTH,
        ),
    )
    parser.add_argument("table", metavar="TABLE", help="the id of the table, as the command tables lists it")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="a new file for the log (default: standard output)"
    )
    add_database(parser)


def add_import(commands: Commands) -> None:
    parser = add_command(
        commands,
        "import",
        _import,
        "Import an exported table into a database, where its players can continue the game.",
        epilog=textwrap.fill(
            "The table keeps its id; a table that exists already is not overwritten. Users that the database does not "
            f"know are imported with their sessions; known users are not changed. {ALONE}",
            HELP_WIDTH,
        ),
    )
    parser.add_argument("log", metavar="FILE", help="the exported file, or - for standard input")
    add_database(parser)


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a database."""
    default = Settings.model_fields["database"].default
    help_text = f"file that stores the tables (default: {PREFIX}DATABASE in the environment, or {default})"
    parser.add_argument("--database", metavar="PATH", help=help_text)
    help_text = f"URL of the Redis that stores them instead (default: {PREFIX}REDIS in the environment, or none)"
    parser.add_argument("--redis", metavar="URL", help=help_text)
