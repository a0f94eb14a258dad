"""Restore a whole backup into a file or into a Redis that no server uses.

A file is replaced in one step, by a rename. A Redis is filled table by table: as long as that is not complete it has a
mark, and servers refuse to start on it; the same command can be repeated until it succeeds.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from server.store.api import StorageFailed, StoreUnusable
from server.store.backup import sync_folder
from server.store.database_file import apply_journal, journals, only_process, sidecars, size_of
from server.store.redis import RedisStore
from server.store.redis_checks import check_redis
from server.store.redis_restore import RedisRestore
from server.store.sqlite import SqliteStore
from server.tools.backup import copy_tables, copy_values
from server.tools.tables import NotDone

OnProgress = Callable[[int, int], None]


def restore_file(backup: Path, target: Path, on_progress: OnProgress, *, replace: bool) -> Path | None:
    """Replace a database by a backup; return the new name of the old database, if there was one."""
    target = target.absolute()
    if backup.exists() and target.exists() and backup.samefile(target):
        raise NotDone(f"{target} cannot be restored from itself.")
    if not target.parent.is_dir():
        raise NotDone(f"There is no folder {target.parent}.")
    try:
        with only_process(target):
            is_there = any(map(size_of, (target, *journals(target))))
            if is_there and not replace:
                raise NotDone(f"The database {target} exists already; --force keeps it under another name.")
            return asyncio.run(_replace(backup, target, on_progress, is_there=is_there))
    except (StorageFailed, StoreUnusable) as reason:
        raise NotDone(str(reason)) from None
    except OSError as error:
        raise NotDone(f"{target} could not be restored: {error.strerror}.") from None


async def _replace(backup: Path, target: Path, on_progress: OnProgress, *, is_there: bool) -> Path | None:
    source = await SqliteStore.open_read_only(backup)
    try:
        async with source.copied(target.parent, on_progress, name=f".{target.name}.restore.part") as part:
            if os.geteuid() == 0:
                # The server may run as another user.
                owner = os.stat(target if is_there and size_of(target) else target.parent)
                os.chown(part, owner.st_uid, owner.st_gid)
            aside = _put_aside(target) if is_there else None
            os.replace(part, target)
            sync_folder(target.parent)
            return aside
    finally:
        await source.close()


def _put_aside(target: Path) -> Path:
    """Keep the old database, with its journals, under a new name; return that name."""
    aside = target.with_name(f"{target.name}.{datetime.now(UTC):%Y%m%dT%H%M%S}")
    number = 0
    while aside.exists():
        number += 1
        aside = target.with_name(f"{target.name}.{datetime.now(UTC):%Y%m%dT%H%M%S}.{number}")
    # Without a journal nothing but one rename stands between the old database and the new one.
    apply_journal(target)
    if size_of(target):
        try:
            # A second name, so that there is a database under the first one at any moment.
            os.link(target, aside)
        except OSError:
            # The file system has no hard links.
            os.replace(target, aside)
    for old, new in zip(sidecars(target), sidecars(aside), strict=True):
        if old.exists():
            os.replace(old, new)
    return aside


async def restore_redis(backup: Path, url: str, on_progress: OnProgress, *, replace: bool) -> tuple[int, list[str]]:
    """Fill a Redis from a backup; return the number of tables, and a sentence about each that could not be restored."""
    try:
        await check_redis(url)
        target, marks = RedisStore.at(url), RedisRestore.at(url)
        try:
            if await marks.has_workers():
                raise NotDone("Workers use this Redis; stop them first.")
            if not replace and not await marks.is_incomplete() and not await marks.is_empty():
                raise NotDone("This Redis holds tables or users already; --force deletes them.")
            source = await SqliteStore.open_read_only(backup)
            try:
                await marks.begin()
                restored = await copy_tables(source, target, on_progress)
                await copy_values(source.key_values, target.key_values)
                await marks.end()
            finally:
                await source.close()
        finally:
            await target.close()
            await marks.close()
    except (StorageFailed, StoreUnusable) as reason:
        raise NotDone(str(reason)) from None
    return restored
