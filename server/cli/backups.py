"""The commands that keep a database safe: backup, verify, restore, reindex."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.cli.arguments import HELP_WIDTH, BadRequest, Commands, add_command
from server.cli.sentences import counted
from server.cli.serving import add_database, place_of
from server.cli.transcripts import is_text, verify_game
from server.store.api import StorageFailed, StoreInUse, StoreUnusable
from server.tools.progress import Progress

if TYPE_CHECKING:
    from server.tools.verify import Findings

# The functions import their tools themselves, so that other commands start faster.

DAMAGED = 1
PAGES_PER_MEGABYTE = 1_000_000 // 4096


def _backup(args: argparse.Namespace) -> int:
    from server.tools.backup import back_up_file, back_up_redis
    from server.tools.tables import NotDone

    place = place_of(args)
    if isinstance(place, Path) and not place.exists():
        raise BadRequest(f"There is no database {place}.")
    _stop_like_ctrl_c()
    began = time.monotonic()
    try:
        if isinstance(place, Path):
            progress = Progress(sys.stderr, 0, "MB", PAGES_PER_MEGABYTE)
            done = back_up_file(place, args.file, progress.advance, replace=args.force)
        else:
            progress = Progress(sys.stderr, 0, "tables")
            done = back_up_redis(place, args.file, progress.advance, replace=args.force)
    except NotDone as reason:
        raise BadRequest(str(reason)) from None
    finally:
        progress.clear()
    for sentence in done.damaged:
        print(sentence)
    what = f"{done.size / 1e6:.1f} MB" + ("" if done.tables is None else f", {counted(done.tables, 'table')}")
    print(f"Wrote {args.file}: {what}, in {time.monotonic() - began:.1f} seconds.")
    return DAMAGED if done.damaged else 0


def _verify(args: argparse.Namespace) -> int:
    if args.file is not None and (args.database is not None or args.redis is not None):
        raise BadRequest("Give a FILE, or --database or --redis, not both.")
    if args.file is not None and is_text(args.file):
        return verify_game(args.file, args.head or ())
    if args.head:
        raise BadRequest("--head is for a transcript or the log of a game.")
    place: Path | str = place_of(args) if args.file is None else args.file
    _stop_like_ctrl_c()
    try:
        findings = _verified(place)
    except StoreInUse:
        findings = _verified_copy(Path(place))
    return DAMAGED if findings.damages or findings.wrong else 0


def _verified_copy(database: Path) -> Findings:
    """Check a database that a server uses: a copy of it, which the server makes."""
    from server.tools.backup import copy_of_used
    from server.tools.tables import NotDone

    progress = Progress(sys.stderr, 0, "MB", PAGES_PER_MEGABYTE)
    try:
        with copy_of_used(database, progress.advance) as copy:
            progress.clear()
            return _verified(copy)
    except NotDone as reason:
        raise BadRequest(str(reason)) from None
    finally:
        progress.clear()


def _verified(place: Path | str) -> Findings:
    """Check a database; print a line for each damaged table, and a summary. Raise StoreInUse for a file in use."""
    from server.store.sqlite import SqliteStore
    from server.tools.tables import NotDone, opened
    from server.tools.verify import verify_tables

    progress = Progress(sys.stderr, 0, "tables")

    def on_damage(sentence: str) -> None:
        progress.clear()
        print(sentence, flush=True)

    async def check() -> Findings:
        if isinstance(place, str):
            async with opened(place) as store:
                return await verify_tables(store, progress.advance, on_damage)
        file = await SqliteStore.open_read_only(place)
        try:
            # The tables first: a damage of the file may be that of one table, which is then named.
            findings = await verify_tables(file, progress.advance, on_damage)
            await file.check_integrity()
            return findings
        finally:
            await file.close()

    began = time.monotonic()
    try:
        findings = asyncio.run(check())
    except StoreInUse:
        raise  # the caller decides
    except (NotDone, StorageFailed, StoreUnusable) as reason:
        raise BadRequest(str(reason)) from None
    finally:
        progress.clear()
    damaged = f"{len(findings.damages)} damaged" if findings.damages else "all intact"
    seconds = time.monotonic() - began
    tables, entries = counted(findings.tables, "table"), counted(findings.entries, "entry")
    for sentence in findings.wrong:
        print(f"{sentence} The command reindex builds the index again.")
    if findings.unindexed and not findings.wrong:
        text = "Finished games that are not in the index yet"
        print(f"{text}: {findings.unindexed}. A server adds them when it runs, as the command reindex does.")
    print(f"{tables} with {entries} in {seconds:.1f} seconds: {damaged}.")
    return findings


def _restore(args: argparse.Namespace) -> int:
    from server.tools.restore import restore_file, restore_redis
    from server.tools.tables import NotDone

    place = place_of(args)
    _stop_like_ctrl_c()
    try:
        is_damaged = args.verify and bool(_verified(args.file).damages)
    except StoreInUse as reason:
        raise BadRequest(str(reason)) from None
    if is_damaged:
        raise BadRequest("The backup is damaged; nothing was restored. --no-verify restores what is intact.")
    try:
        if isinstance(place, Path):
            progress = Progress(sys.stderr, 0, "MB", PAGES_PER_MEGABYTE)
            aside = restore_file(args.file, place, progress.advance, replace=args.force)
            damaged: list[str] = []
            kept = "" if aside is None else f" The old one is {aside}."
            text = f"Restored the database {place}.{kept}"
        else:
            progress = Progress(sys.stderr, 0, "tables")
            tables, damaged = asyncio.run(restore_redis(args.file, place, progress.advance, replace=args.force))
            text = f"Restored {counted(tables, 'table')} into the Redis."
    except NotDone as reason:
        raise BadRequest(str(reason)) from None
    finally:
        progress.clear()
    for sentence in damaged:
        print(sentence)
    print(text)
    return DAMAGED if damaged else 0


def _reindex(args: argparse.Namespace) -> int:
    from server.tools.reindex import reindex_file, reindex_redis
    from server.tools.tables import NotDone

    place = place_of(args)
    if isinstance(place, Path) and not place.exists():
        raise BadRequest(f"There is no database {place}.")
    _stop_like_ctrl_c()
    began = time.monotonic()
    progress = Progress(sys.stderr, 0, "tables")
    try:
        if isinstance(place, Path):
            rebuilt = reindex_file(place, progress.advance)
        else:
            rebuilt = reindex_redis(place, progress.advance)
    except NotDone as reason:
        raise BadRequest(str(reason)) from None
    finally:
        progress.clear()
    for table in rebuilt.unreadable:
        print(f"The log of table {table!r} cannot be read, so its game is not in the index.")
    what = f"{counted(rebuilt.games, 'finished game')} in {time.monotonic() - began:.1f} seconds"
    if rebuilt.is_same:
        print(f"Built the index again: {what}. Nothing was different.")
    else:
        counts = f"{rebuilt.added} added, {rebuilt.changed} changed, {rebuilt.removed} removed"
        ratings = f"; ratings of {', '.join(rebuilt.rerated)} computed again" if rebuilt.rerated else ""
        print(f"Built the index again: {what}. {counts}{ratings}.")
    return DAMAGED if rebuilt.unreadable else 0


def _stop_like_ctrl_c() -> None:
    """Let SIGTERM end the command as Ctrl-C does, so that it deletes what is not complete."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def add_backup(commands: Commands) -> None:
    parser = add_command(
        commands,
        "backup",
        _backup,
        "Write everything in a database to one file, while games go on.",
        epilog=textwrap.fill(
            "A running server with a file makes the copy itself. The backup of a Redis is the same kind of file, and "
            "holds each table as it was at one moment. A backup contains every secret; only its owner may read it.",
            HELP_WIDTH,
        ),
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a new file for the backup")
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
    add_database(parser)


_OF_A_GAME: Final = (
    "Of a game it checks the public chain, the seeds, the sealed answers, the draws, and that all of it follows from "
    "the moves by the rules. The exit code is 0 if the game is verified, 1 if something is wrong, and 3 if it cannot "
    "be verified."
)
_OF_A_DATABASE: Final = (
    "Of a database it checks the hash chain of each table, that its log replays, and its summary. It prints a line "
    "for each damaged table, and a summary. The index of finished games and the ratings are compared with the logs. "
    "The exit code is 0 if all are intact, 1 if some are damaged or the index is wrong, and 2 if the database cannot "
    "be read. A Redis may be in use; of a file in use, the server makes a copy for the check, which needs as much "
    "space beside it."
)


def add_verify(commands: Commands) -> None:
    parser = add_command(
        commands,
        "verify",
        _verify,
        "Verify the game in a transcript or a log, or check every table of a backup or a database.",
        epilog="\n\n".join((textwrap.fill(_OF_A_GAME, HELP_WIDTH), textwrap.fill(_OF_A_DATABASE, HELP_WIDTH))),
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        nargs="?",
        help="a transcript, the log of a table, or a backup (default: the database of the options below)",
    )
    parser.add_argument(
        "--head",
        metavar="HEAD",
        action="append",
        help="a fingerprint, or a head of the public chain, that somebody noted during the game",
    )
    add_database(parser)


def add_reindex(commands: Commands) -> None:
    parser = add_command(
        commands,
        "reindex",
        _reindex,
        "Build the index of finished games and the ratings again from the logs, while games go on.",
        epilog=textwrap.fill(
            "A server keeps the index up to date by itself, so this is for an index that verify finds to be wrong, and "
            "for games that an earlier version could not read. A running server with a file does the work itself. The "
            "exit code is 1 if some logs cannot be read.",
            HELP_WIDTH,
        ),
    )
    add_database(parser)


def add_restore(commands: Commands) -> None:
    parser = add_command(
        commands,
        "restore",
        _restore,
        "Restore a whole backup into a file or into a Redis.",
        epilog=textwrap.fill(
            "All servers must be stopped. A restore into a Redis that is broken off can be repeated; until it is "
            "complete, servers do not start on that Redis.",
            HELP_WIDTH,
        ),
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the backup")
    parser.add_argument(
        "--force",
        action="store_true",
        help="restore although tables exist: a file is kept under another name, a Redis is emptied",
    )
    parser.add_argument(
        "--no-verify", dest="verify", action="store_false", help="do not check the backup first; restore what is intact"
    )
    add_database(parser)
