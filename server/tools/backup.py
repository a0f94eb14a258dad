"""Back up a whole database into one file, online: a copy of the SQLite file, or all tables and values of a Redis.

The server that uses a file makes the copy, in the folder of the backup if it can write there, else beside its database.
The command then gives the copy its name, with the rights of its own user. So it makes no difference that a service may
write to its own folder only, and the backup belongs to whoever asked for it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from server.control import Handler, Message, NoServer, Refusal, Send, control_path, requested
from server.store.api import KeyValueStore, LogDamaged, StorageFailed, StoreInUse, StoreUnusable, TableStore
from server.store.backup import check_target, finish_copy, part_file, put_in_place
from server.store.sqlite import SqliteStore
from server.tools.tables import NotDone, opened

OnProgress = Callable[[int, int], None]
PROGRESS_SECONDS = 0.1
VALUES_AT_ONCE = 500
BACKUP = "backup"
"""The value of `do` in the request of a command to a server."""


@dataclass(frozen=True, slots=True)
class BackupResult:
    """What was written. `damaged` are sentences about tables that could not be copied."""

    size: int
    tables: int | None = None
    damaged: list[str] = field(default_factory=list)


# -- a file ---------------------------------------------------------------------------------------------------


def backup_handler(store: SqliteStore, database: Path) -> Handler:
    """Return the handler of the server that makes a copy of its database for a command."""
    beside = database.absolute().parent

    async def handle(request: Message, send: Send) -> None:
        loop, next_at = asyncio.get_running_loop(), 0.0

        def on_progress(done: int, total: int) -> None:
            nonlocal next_at
            if time.monotonic() >= next_at:
                next_at = time.monotonic() + PROGRESS_SECONDS
                loop.call_soon_threadsafe(send, {"progress": [done, total]})

        folder = _shared_folder(request)
        try:
            async with store.copied(folder or beside, on_progress) as part:
                send({"done": {"name": part.name, "is_in_folder": folder is not None}})
                # The command moves the file and then closes the connection, which cancels this.
                await loop.create_future()
        except (StorageFailed, StoreUnusable) as error:
            raise Refusal(str(error)) from None

    return handle


def _shared_folder(request: Message) -> Path | None:
    """Return the folder that the command named, if this process sees the same folder there and can write to it.

    A service often has a folder /tmp of its own, and others that it can only read.
    """
    match request:
        case {"folder": str(name), "device": int(device), "inode": int(inode)}:
            try:
                found = os.stat(name)
            except (OSError, ValueError):
                return None
            is_same = (found.st_dev, found.st_ino) == (device, inode)
            return Path(name) if is_same and os.access(name, os.W_OK | os.X_OK) else None
    return None


def back_up_file(database: Path, target: Path, on_progress: OnProgress, *, replace: bool) -> BackupResult:
    """Write a copy of a database to `target`: by the server that uses it, or here if none does."""
    target = target.absolute()
    try:
        check_target(target, replace=replace)
        try:
            asyncio.run(_back_up_unused(database, target, on_progress, replace=replace))
        except StoreInUse as in_use:
            _back_up_used(database.absolute(), target, on_progress, replace=replace, in_use=in_use)
    except (StorageFailed, StoreUnusable, Refusal) as reason:
        raise NotDone(str(reason)) from None
    return BackupResult(target.stat().st_size)


@contextmanager
def copy_of_used(database: Path, on_progress: OnProgress) -> Iterator[Path]:
    """Yield a copy of a database that a server uses, beside it; delete it afterwards."""
    copy = database.absolute().with_name(f".{database.name}.verify")
    try:
        back_up_file(database, copy, on_progress, replace=True)
        yield copy
    finally:
        copy.unlink(missing_ok=True)


async def _back_up_unused(database: Path, target: Path, on_progress: OnProgress, *, replace: bool) -> None:
    store = await SqliteStore.open(database)
    try:
        await store.backup(target, on_progress, replace=replace)
    finally:
        await store.close()


def _back_up_used(database: Path, target: Path, on_progress: OnProgress, *, replace: bool, in_use: StoreInUse) -> None:
    folder = os.stat(target.parent)
    request = {"do": BACKUP, "folder": str(target.parent), "device": folder.st_dev, "inode": folder.st_ino}
    try:
        with requested(control_path(database), request) as replies:
            for reply in replies:
                match reply:
                    case {"progress": [int(done), int(total)]}:
                        on_progress(done, total)
                    case {"done": {"name": str(name), "is_in_folder": bool(is_in_folder)}}:
                        part = (target.parent if is_in_folder else database.parent) / name
                        put_in_place(part, target, replace=replace)
    except NoServer as reason:
        raise NotDone(f"{in_use} {reason}") from None


# -- Redis ----------------------------------------------------------------------------------------------------


def back_up_redis(url: str, target: Path, on_progress: OnProgress, *, replace: bool) -> BackupResult:
    """Write all tables and values of a Redis, whose workers may run, to a file as a server with a file has it."""
    target = target.absolute()
    part = target.with_name(f".{target.name}.backup.part")
    try:
        check_target(target, replace=replace)
        with part_file(part):
            tables, damaged = asyncio.run(_copy_redis(url, part, on_progress))
            finish_copy(part, part)
            put_in_place(part, target, replace=replace)
    except (StorageFailed, StoreUnusable) as reason:
        raise NotDone(str(reason)) from None
    return BackupResult(target.stat().st_size, tables, damaged)


async def _copy_redis(url: str, part: Path, on_progress: OnProgress) -> tuple[int, list[str]]:
    async with opened(url) as source:
        store = await SqliteStore.open(part, "fast")
        try:
            # Users come last: a user may sit down at a table while the tables are copied.
            result = await copy_tables(source, store, on_progress)
            await copy_values(source.key_values, store.key_values)
        finally:
            await store.close()
            os.unlink(f"{part}.lock")
    return result


async def copy_tables(source: TableStore, target: TableStore, on_progress: OnProgress) -> tuple[int, list[str]]:
    """Copy all tables; return how many, and a sentence about each whose log is damaged."""
    names = await source.names()
    count, damaged = 0, []
    for number, name in enumerate(names, 1):
        try:
            table = await source.copy(name)
        except LogDamaged as damage:
            damaged.append(str(damage))
        else:
            # It may have been deleted since the names were read.
            if table is not None:
                count += await target.restore(table, compact=table.phase == "over")
        on_progress(number, len(names))
    return count, damaged


async def copy_values(source: KeyValueStore, target: KeyValueStore) -> None:
    """Copy all key-value pairs that have not expired."""
    for kind in await source.kinds():
        last = ""
        while page := await source.page(kind, last, VALUES_AT_ONCE):
            await asyncio.gather(*(target.put(kind, *value) for value in page))
            last = page[-1].key
