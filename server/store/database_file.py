"""The one SQLite file of a server: opened by one process, checked, and brought to the current schema.

The log holds hands and sealed bids, so that nobody else on the machine may read the file.
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
"""full: what is acknowledged survives a power cut. fast: it survives a killed process; the last moves before a power
cut may be lost."""

APPLICATION_ID = 0x5346_5442  # "SFTB", so that a database of another program is not taken for ours
MIN_SQLITE = (3, 37, 0)  # strict tables

# Each step takes a file from the version that is its index to the next; a step that was released is never edited.
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
    """A connection to the file at `path`, made if missing, for the thread that asks and nobody else.

    Raises StoreInUse, StoreDamaged or StoreUnusable, each with a sentence for the operator; the file is then unchanged.
    """
    if sqlite3.sqlite_version_info < MIN_SQLITE:
        raise StoreUnusable(f"SQLite {sqlite3.sqlite_version} is too old; 3.37 or newer is needed.")
    with _only_process(path):
        # A file that another program holds is reported, not waited for.
        db = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            _prepare(db, path, durability)
            yield db
        finally:
            db.close()


@contextmanager
def _only_process(path: Path) -> Iterator[None]:
    """Keep other processes off by a lock that the system drops with the process, however that ends."""
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
        # Only macOS knows a difference: there a plain fsync leaves the data in the drive's cache.
        db.execute("PRAGMA fullfsync = ON")
        db.execute("PRAGMA wal_autocheckpoint = 1000")
        db.execute("PRAGMA foreign_keys = ON")
        _bring_up_to_date(db, path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise _in_use(path, "another program") from error
        raise StoreUnusable(f"The database {path} cannot be opened: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error


def _check(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _damaged(path, found.splitlines()[-1])  # the line before says only which file
    version = _pragma(db, "user_version")
    if version > len(STEPS):
        raise StoreUnusable(f"The database {path} was written by a newer version of this server.")
    is_empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if _pragma(db, "application_id") != APPLICATION_ID and not is_empty:
        raise StoreUnusable(f"The database {path} belongs to another program.")


def _bring_up_to_date(db: sqlite3.Connection, path: Path) -> None:
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
    return StoreInUse(f"The database {path} is already in use by {by}. Stop that one first, or choose another file.")


def _damaged(path: Path, what: str) -> StoreDamaged:
    return StoreDamaged(
        f"The database {path} is damaged ({what}). Put the newest backup in its place, "
        "or move it away to begin with an empty one."
    )


def write_backup(db: sqlite3.Connection, path: Path, backup: Path) -> None:
    """Copy the open database at `path` to `backup`, which is the whole copy afterwards, or what it was before."""
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
