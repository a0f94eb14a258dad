"""Copies of a SQLite file: page by page while the store goes on, under a temporary name until they are complete.

The backup API of SQLite copies in steps. Writes between two steps go through the same connection, so SQLite applies
them to the pages that are copied already: the copy is the state of one moment, that of the last step.

A copy is never synced on the thread of the store, where an append would wait for it. It is synced on other threads,
every few megabytes: otherwise the system would write hundreds of megabytes at once, and a commit would wait for those.
"""

import asyncio
import errno
import fcntl
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path

from .api import StorageFailed
from .database_file import check, journals, named_errors, open_plain, sidecars, size_of
from .group_commit import GiveWay, GroupCommit

PAGES_PER_STEP = 64
"""An append waits for one step at most. After each, the copy pauses for as long as the step took."""

PAGES_PER_SYNC = 1024
COPY_CHUNK = 1 << 20

OnProgress = Callable[[int, int], None]
"""Takes the number of pages that are copied and that of all pages. It is called on any thread."""


@asynccontextmanager
async def copied(commits: GroupCommit, database: Path, part: Path, on_progress: OnProgress) -> AsyncIterator[Path]:
    """Yield a complete copy of a database with the temporary name `part`; delete it unless it was renamed.

    Raise StorageFailed if it cannot be written. Appends go on meanwhile.
    """
    check_space(database, part.parent)
    with part_file(part):
        await commits.in_steps(lambda db, give_way: copy_pages(db, part, give_way, on_progress))
        finishing = asyncio.ensure_future(asyncio.to_thread(finish_copy, part, database))
        try:
            await asyncio.shield(finishing)
        except asyncio.CancelledError:
            # The file must not be deleted before the thread is done with it.
            await asyncio.wait([finishing])
            raise
        yield part


def copy_pages(db: sqlite3.Connection, part: Path, give_way: GiveWay, on_progress: OnProgress) -> None:
    """Copy an open database to an empty file, and let other jobs run between the steps."""
    with closing(open_plain(part)) as copy, ThreadPoolExecutor(1) as disk:
        # A copy that is broken off is deleted, so it needs no journal.
        copy.execute("PRAGMA journal_mode = OFF")
        copy.execute("PRAGMA synchronous = OFF")
        synced_pages = 0
        begun_at = time.monotonic()
        syncing: Future[None] | None = None

        def between(_: int, remaining: int, total: int) -> None:
            nonlocal synced_pages, syncing, begun_at
            go_on_at = 2 * time.monotonic() - begun_at
            on_progress(total - remaining, total)
            if total - remaining - synced_pages >= PAGES_PER_SYNC:
                if syncing is not None:
                    give_way(syncing.done)
                    syncing.result()
                synced_pages = total - remaining
                syncing = disk.submit(_sync, part)
            give_way(lambda: time.monotonic() >= go_on_at)
            begun_at = time.monotonic()

        with _as_failure(part):
            db.backup(copy, pages=PAGES_PER_STEP, progress=between, sleep=0.001)


def finish_copy(part: Path, database: Path) -> None:
    """Check a complete copy of `database`, and wait until it is on the disk."""
    with _as_failure(part), named_errors(database):
        with closing(open_plain(part)) as copy:
            # A single file, which can be read from a medium that cannot be written to.
            copy.execute("PRAGMA journal_mode = DELETE")
            check(copy, database)
        _sync(part)


@contextmanager
def part_file(part: Path) -> Iterator[None]:
    """Create an empty file with a temporary name, for this process alone; delete it at the end if it is still there.

    A file that a killed process has left is replaced.
    """
    with _as_failure(part):
        descriptor = _locked(part)
    try:
        with _as_failure(part):
            os.fchmod(descriptor, 0o600)
            os.ftruncate(descriptor, 0)
        yield
    finally:
        for path in (part, *sidecars(part)):
            with suppress(OSError):
                if path != part or os.path.samestat(os.stat(part), os.fstat(descriptor)):
                    path.unlink()
        os.close(descriptor)


def _locked(part: Path) -> int:
    """Return a descriptor of the file, with a lock against other backups to the same place."""
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The process that had the lock may have renamed or deleted the file meanwhile.
            if part.exists() and os.path.samestat(os.stat(part), os.fstat(descriptor)):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise StorageFailed(f"Another backup is being written to {part.parent}.") from None
        os.close(descriptor)


def check_target(target: Path, *, replace: bool) -> None:
    """Raise StorageFailed if a copy cannot take this place: there is a file already, or no folder."""
    with _as_failure(target):
        if not target.parent.is_dir():
            raise StorageFailed(f"There is no folder {target.parent}.")
        if target.is_dir():
            raise StorageFailed(f"{target} is a folder; name a file in it.")
        if replace:
            _check_unused(target)
            return
        if target.exists() or target.is_symlink():
            raise StorageFailed(f"{target} exists already; --force replaces it.")
        for journal in journals(target):
            # SQLite would apply the old journal to the new file.
            if journal.exists():
                raise StorageFailed(f"{journal} belongs to another database; --force deletes it.")


def _check_unused(target: Path) -> None:
    """Raise StorageFailed if a process has the database at `target` open."""
    try:
        lock = os.open(f"{target}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StorageFailed(f"{target} is a database in use; choose another file.") from None
    finally:
        os.close(lock)


def put_in_place(part: Path, target: Path, *, replace: bool) -> None:
    """Give a complete copy its name, atomically, as a file of the calling user. It may be on another file system."""
    check_target(target, replace=replace)
    with _as_failure(target):
        if _is_on(part, target.parent):
            if os.geteuid() == 0:
                os.chown(part, 0, os.getegid())
            _rename(part, target, replace=replace)
        else:
            near = target.with_name(f".{target.name}.part")
            with part_file(near):
                _copy_bytes(part, near)
                _rename(near, target, replace=replace)
        sync_folder(target.parent)


def _is_on(part: Path, folder: Path) -> bool:
    """Return whether a file is on the file system of a folder."""
    return os.stat(part).st_dev == os.stat(folder).st_dev


def _rename(part: Path, target: Path, *, replace: bool) -> None:
    if replace:
        for sidecar in sidecars(target):
            sidecar.unlink(missing_ok=True)
        os.replace(part, target)
        return
    try:
        # Unlike a rename, this never replaces a file that appeared meanwhile.
        os.link(part, target)
    except FileExistsError:
        raise StorageFailed(f"{target} exists already; --force replaces it.") from None
    except OSError:
        # The file system has no hard links.
        os.rename(part, target)
    else:
        part.unlink()


def _copy_bytes(source: Path, target: Path) -> None:
    with source.open("rb") as reading, target.open("r+b") as writing:
        while chunk := reading.read(COPY_CHUNK):
            writing.write(chunk)
        writing.flush()
        os.fsync(writing.fileno())


def check_space(database: Path, folder: Path) -> None:
    """Raise StorageFailed if a copy would fill the disk: a server on the same disk could not store moves any more."""
    needed = size_of(database) + sum(map(size_of, journals(database)))
    with _as_failure(folder):
        space = os.statvfs(folder)
    free = space.f_bavail * space.f_frsize
    if free < needed * 1.1:
        raise StorageFailed(
            f"The backup needs {megabytes(needed)} MB, and the disk of {folder} has only {megabytes(free)} MB left."
        )


def megabytes(size: int) -> int:
    """Return a number of bytes in megabytes, rounded up."""
    return -(-size // 1_000_000)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Wait until the names of the files in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _as_failure(path: Path) -> Iterator[None]:
    """Raise StorageFailed, with a sentence for the operator, for an error of the disk or of SQLite."""
    try:
        yield
    except OSError as error:
        why = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.strerror
        raise StorageFailed(f"{path.parent} could not take the backup: {why}.") from error
    except sqlite3.Error as error:
        is_full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        why = "the disk is full" if is_full else str(error)
        raise StorageFailed(f"{path.parent} could not take the backup: {why}.") from error
