"""Whole tables out of the SQLite file, and back into it."""

import sqlite3

from .api import GENESIS, LogEntry, Position, TableCopy, end_of, verified


def copy_table(db: sqlite3.Connection, table: str) -> TableCopy | None:
    """Return a table as it is now, or None if there is none. Raise LogDamaged if its log is corrupt."""
    row = db.execute(
        "SELECT number, phase, about, updated, epoch, seq, head FROM tables WHERE name = ?", (table,)
    ).fetchone()
    if row is None:
        return None
    number, phase, summary, updated, epoch, seq, head = row
    found = db.execute("SELECT seq, head, fence, payload FROM events WHERE number = ? ORDER BY seq", (number,))
    log = verified(table, Position(0, GENESIS), Position(seq, head), seq + 1, (LogEntry(*each) for each in found))
    answers = db.execute("SELECT command_id, request_hash, answer FROM commands WHERE number = ?", (number,))
    return TableCopy(table, phase, summary, updated, epoch, log, {key: (digest, text) for key, digest, text in answers})


def restore_table(db: sqlite3.Connection, copy: TableCopy) -> bool:
    """Create a table from a copy; return False if it exists."""
    end = end_of(copy.entries)
    created = db.execute(
        "INSERT OR IGNORE INTO tables (name, phase, about, seq, head, epoch, updated) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (copy.table, copy.phase, copy.summary, end.seq, end.head, copy.epoch, copy.updated),
    )
    if created.rowcount == 0:
        return False
    number = created.lastrowid
    db.executemany(
        "INSERT INTO events (number, seq, head, fence, payload) VALUES (?, ?, ?, ?, ?)",
        ((number, entry.seq, entry.head, entry.fence, entry.payload) for entry in copy.entries),
    )
    db.executemany(
        "INSERT INTO commands (number, command_id, request_hash, answer) VALUES (?, ?, ?, ?)",
        ((number, key, digest, text) for key, (digest, text) in copy.answers.items()),
    )
    return True
