"""The SQLite file of a server: open it for one process, check it, and migrate it to the current schema.

Only the user of the server may read the file: the logs contain hands and sealed bids.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

from .api import StorageFailed, StoreDamaged, StoreInUse, StoreUnusable

Durability = Literal["full", "fast"]
"""full: acknowledged writes survive a power cut. fast: they survive a killed process; a power cut may lose the last."""

APPLICATION_ID = 0x5346_5442  # "SFTB"; tells our files from those of other programs
MIN_SQLITE = (3, 37, 0)  # strict tables

# Step number n migrates a file from schema version n to n + 1. A released step is never edited.
# The table `snapshots` is unused and always empty. Dropping it would need a step, and files with a new schema version
# cannot be opened by earlier releases any more.
STEPS = (
    """
    CREATE TABLE tables (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        phase TEXT NOT NULL,
        about BLOB NOT NULL,
        seq INTEGER NOT NULL,
        head BLOB NOT NULL,
        epoch INTEGER NOT NULL DEFAULT 0,
        fence TEXT,
        worker TEXT NOT NULL DEFAULT '',
        updated REAL NOT NULL
    ) STRICT;
    CREATE INDEX tables_by_phase ON tables (phase);

    CREATE TABLE events (
        number INTEGER NOT NULL REFERENCES tables,
        seq INTEGER NOT NULL,
        head BLOB NOT NULL,
        fence TEXT NOT NULL,
        payload BLOB NOT NULL,
        PRIMARY KEY (number, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE commands (
        number INTEGER NOT NULL REFERENCES tables,
        command_id TEXT NOT NULL,
        request_hash BLOB NOT NULL,
        answer BLOB NOT NULL,
        PRIMARY KEY (number, command_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE snapshots (
        number INTEGER PRIMARY KEY REFERENCES tables,
        seq INTEGER NOT NULL,
        head BLOB NOT NULL,
        version TEXT NOT NULL,
        blob BLOB NOT NULL,
        digest BLOB NOT NULL
    ) STRICT;

    CREATE TABLE records (
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        expires_at REAL,
        PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
    """,
)


@contextmanager
def open_database(path: Path, durability: Durability) -> Iterator[sqlite3.Connection]:
    """Yield a connection to the file at `path`, which is created if missing, for the calling thread only.

    Raise StoreInUse, StoreDamaged or StoreUnusable, each with a sentence for the operator; the file is then unchanged.
    """
    if sqlite3.sqlite_version_info < MIN_SQLITE:
        raise StoreUnusable(f"SQLite {sqlite3.sqlite_version} is too old; 3.37 or newer is needed.")
    with _only_process(path):
        # Do not wait for the lock of another program; report it.
        db = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            _prepare(db, path, durability)
            yield db
        finally:
            db.close()


@contextmanager
def _only_process(path: Path) -> Iterator[None]:
    """Hold a lock against other processes. The system releases it when this process ends, also by a kill."""
    try:
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreUnusable(f"The database {path} cannot be opened: {error.strerror}.") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.read(lock, 20).decode("ascii", "replace").strip()
            raise _in_use(path, f"process {pid}" if pid else "another process") from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(lock)


def _prepare(db: sqlite3.Connection, path: Path, durability: Durability) -> None:
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        _check(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {'FULL' if durability == 'full' else 'NORMAL'}")
        # Matters on macOS only, where a plain fsync leaves the data in the cache of the drive.
        db.execute("PRAGMA fullfsync = ON")
        db.execute("PRAGMA wal_autocheckpoint = 1000")
        db.execute("PRAGMA foreign_keys = ON")
        _migrate(db, path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise _in_use(path, "another program") from error
        raise StoreUnusable(f"The database {path} cannot be opened: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error


def _check(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _damaged(path, found.splitlines()[-1])  # the line before only names the file
    version = _pragma(db, "user_version")
    if version > len(STEPS):
        raise StoreUnusable(f"The database {path} was written by a newer version of this server.")
    is_empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if _pragma(db, "application_id") != APPLICATION_ID and not is_empty:
        raise StoreUnusable(f"The database {path} belongs to another program.")


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    for version in range(_pragma(db, "user_version"), len(STEPS)):
        db.executescript(
            f"BEGIN IMMEDIATE; {STEPS[version]}"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version + 1}; COMMIT;"
        )


def _pragma(db: sqlite3.Connection, name: str) -> int:
    value = db.execute(f"PRAGMA {name}").fetchone()[0]
    assert isinstance(value, int)
    return value


def _in_use(path: Path, by: str) -> StoreInUse:
    return StoreInUse(f"The database {path} is already in use by {by}. Stop it first, or choose another file.")


def _damaged(path: Path, detail: str) -> StoreDamaged:
    return StoreDamaged(
        f"The database {path} is damaged ({detail}). Restore the latest backup, "
        "or move the file away to start with an empty database."
    )


def write_backup(db: sqlite3.Connection, path: Path, backup: Path) -> None:
    """Copy the open database at `path` to `backup`, atomically: if this fails, `backup` is what it was before."""
    part = backup.with_name(backup.name + ".part")
    try:
        if backup.exists() and backup.samefile(path):
            raise StorageFailed(f"The database {path} cannot be its own backup.")
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            db.backup(copy)
        os.replace(part, backup)
        _sync_folder(backup.parent)
    except (OSError, sqlite3.Error) as error:
        raise StorageFailed(f"The backup {backup} could not be written: {error}.") from error
    finally:
        with suppress(OSError):
            part.unlink()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
