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

from .api import StoreDamaged, StoreInUse, StoreUnusable
from .sqlite_games import SCHEMA as GAMES_SCHEMA
from .sqlite_games import add_empty_index

Durability = Literal["full", "fast"]
"""full: acknowledged writes survive a power cut. fast: they survive a killed process; a power cut may lose the last."""

APPLICATION_ID = 0x5346_5442  # "SFTB"; tells our files from those of other programs
_MAGIC = b"SQLite format 3\0"
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
    GAMES_SCHEMA,
)
WITH_GAMES = 2
"""The first schema version with an index of finished games."""


@contextmanager
def open_database(path: Path, durability: Durability) -> Iterator[sqlite3.Connection]:
    """Yield a connection to the file at `path`, which is created if missing, for the calling thread only.

    Raise StoreInUse, StoreDamaged or StoreUnusable, each with a sentence for the operator; the file is then unchanged.
    """
    with only_process(path):
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except OSError as error:
            raise _cannot_open(path, error) from error
        with closing(_connect(str(path))) as db:
            _prepare(db, path, durability)
            yield db


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that changes nothing on the disk, to a file that no process uses.

    A file that a killed process has left with a journal is recovered first, as a server would at its start.
    Raise StoreInUse, StoreDamaged or StoreUnusable.
    """
    if not path.is_file():
        raise StoreUnusable(f"There is no file {path}.")
    if path.stat().st_size == 0:
        raise StoreUnusable(f"The file {path} is empty; it is no database of this server.")
    if any(size_of(journal) for journal in journals(path)):
        with open_database(path, "full") as db:
            yield db
        return
    with _unless_in_use(path), closing(_connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        with named_errors(path):
            check(db, path)
            if _pragma(db, "user_version") == 0:
                raise StoreUnusable(f"The file {path} is no database of this server.")
            if _pragma(db, "user_version") < WITH_GAMES:
                add_empty_index(db)
        yield db


def open_plain(path: Path) -> sqlite3.Connection:
    """Return a connection to a file that only this process knows, without any check."""
    return _connect(str(path))


def _connect(name: str, *, uri: bool = False) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < MIN_SQLITE:
        raise StoreUnusable(f"SQLite {sqlite3.sqlite_version} is too old; 3.37 or newer is needed.")
    # Do not wait for the lock of another program; report it.
    db = sqlite3.connect(name, timeout=0, isolation_level=None, uri=uri)
    # One damaged name must not hide all the others; and messages of SQLite quote damaged bytes.
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return db


def journals(path: Path) -> list[Path]:
    """Return the files in which SQLite keeps transactions that are not in the database file yet."""
    return [path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-journal")]


def sidecars(path: Path) -> list[Path]:
    """Return all files that SQLite may put beside the database file."""
    return [*journals(path), path.with_name(f"{path.name}-shm")]


def size_of(path: Path) -> int:
    """Return the size of a file in bytes; 0 if there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


@contextmanager
def only_process(path: Path) -> Iterator[None]:
    """Hold the lock on a database against other processes. The system releases it when this process ends.

    Raise StoreInUse if another process holds it.
    """
    try:
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _cannot_open(path, error) from error
    try:
        if os.geteuid() == 0:
            # Otherwise a server that does not run as root could not open it after a command of root.
            owner = os.stat(path if path.exists() else path.absolute().parent)
            os.fchown(lock, owner.st_uid, owner.st_gid)
        _take_lock(lock, path, fcntl.LOCK_EX)
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(lock)


@contextmanager
def _unless_in_use(path: Path) -> Iterator[None]:
    """Hold a shared lock, if the database has a lock file; a file that no process has opened needs none."""
    try:
        lock = os.open(f"{path}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        yield
        return
    try:
        _take_lock(lock, path, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)


def _take_lock(lock: int, path: Path, kind: int) -> None:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.read(lock, 20).decode("ascii", "replace").strip()
        raise _in_use(path, f"process {pid}" if pid else "another process") from None


def _prepare(db: sqlite3.Connection, path: Path, durability: Durability) -> None:
    with named_errors(path):
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        check(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {'FULL' if durability == 'full' else 'NORMAL'}")
        # Matters on macOS only, where a plain fsync leaves the data in the cache of the drive.
        db.execute("PRAGMA fullfsync = ON")
        # 4 MB: all appends wait while these pages are copied from the journal to the file and synced.
        db.execute("PRAGMA wal_autocheckpoint = 1000")
        # 8 MB: a commit reads no page again that another table has pushed out.
        db.execute("PRAGMA cache_size = -8000")
        db.execute("PRAGMA foreign_keys = ON")
        _migrate(db, path)


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Raise StoreInUse, StoreDamaged or StoreUnusable, with a sentence for the operator, for an error of SQLite."""
    try:
        yield
    except sqlite3.OperationalError as error:
        # Errors of the Python module itself have no code.
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise _in_use(path, "another program") from error
        raise StoreUnusable(f"The database {path} cannot be opened: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error
    except UnicodeDecodeError as error:
        # SQLite has quoted damaged bytes in the message of an error.
        raise _damaged(path, "it holds text that is not UTF-8") from error


def check(db: sqlite3.Connection, path: Path, pragma: str = "quick_check") -> None:
    """Raise StoreDamaged or StoreUnusable if the file is corrupt or no database of this server."""
    # The result may quote damaged bytes; `_connect` decodes them.
    found = db.execute(f"PRAGMA {pragma}(1)").fetchone()[0]
    if found != "ok":
        raise _damaged(path, str(found).splitlines()[-1])  # the line before only names the file
    version = _pragma(db, "user_version")
    if version > len(STEPS):
        raise StoreUnusable(f"The database {path} was written by a newer version of this server.")
    is_empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if _pragma(db, "application_id") != APPLICATION_ID and not is_empty:
        raise StoreUnusable(f"The database {path} belongs to another program.")


def check_integrity(db: sqlite3.Connection, path: Path) -> None:
    """Raise StoreDamaged if an index does not fit its table, or if a row belongs to no table of a game."""
    with named_errors(path):
        check(db, path, "integrity_check")
        orphan = db.execute("PRAGMA foreign_key_check").fetchone()
    if orphan is not None:
        raise _damaged(path, f"a row of {orphan[0]} belongs to no table")


def _has_magic(path: Path) -> bool:
    if not path.exists():
        return False
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def apply_journal(path: Path) -> None:
    """Write what is in the journals of a database into its file, if SQLite can; the caller must hold its lock."""
    if not _has_magic(path):
        # SQLite would delete the journal of something that it does not take for a database.
        return
    with suppress(sqlite3.Error, UnicodeDecodeError), closing(open_plain(path)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


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


def _cannot_open(path: Path, error: OSError) -> StoreUnusable:
    return StoreUnusable(f"The database {path} cannot be opened: {error.strerror}.")


def _damaged(path: Path, detail: str) -> StoreDamaged:
    return StoreDamaged(
        f"The database {path} is damaged ({detail}). Restore the latest backup, "
        "or move the file away to start with an empty database."
    )
