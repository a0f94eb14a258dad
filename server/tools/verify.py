"""Check a database: every hash chain, that every log can be replayed, and that every summary follows from its log.

The index of finished games is compared with the logs too. What is wrong there is no damage: the command reindex builds
the index again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import msgpack

from server.games.registry import GAMES
from server.history.game_reader import GameReader
from server.history.rebuilding import all_records, first_wrong_rating
from server.history.record import GameRecord
from server.store.api import LogDamaged, StorageFailed, TableStore
from server.tables.entries import open_entry, read_dated
from server.tables.history import History
from server.tables.summary import pack_summary

_BATCH = 500

OnProgress = Callable[[int, int], None]


@dataclass(slots=True)
class Findings:
    """What a check has found; `damages` are sentences, each about one table."""

    tables: int = 0
    entries: int = 0
    damages: list[str] = field(default_factory=list)
    unindexed: int = 0
    """Finished games that are not in the index yet; a server adds them by itself."""

    wrong: list[str] = field(default_factory=list)
    """Sentences about the index of finished games where it does not follow from the logs."""


class _Damage(Exception):
    """A table is damaged; the message is a sentence."""


async def verify_tables(store: TableStore, on_progress: OnProgress, on_damage: Callable[[str], None]) -> Findings:
    """Check all tables, one after the other; only one is in memory at a time."""
    found = Findings()
    names = await store.names()
    finished, wrong = set[str](), list[str]()
    for number, name in enumerate(names, 1):
        reader = GameReader()
        try:
            found.entries += await _verify_table(store, name, reader)
        except _Damage as damage:
            found.damages.append(str(damage))
            on_damage(str(damage))
            # What cannot be read is not compared.
            finished.add(name)
        if isinstance(reader.found, GameRecord):
            finished.add(name)
            try:
                stored = await store.games.record(name)
            except (StorageFailed, TypeError, ValueError):
                stored = b""
            found.unindexed += stored is None
            wrong += [name] if stored not in (None, reader.found.pack()) else []
        found.tables += 1
        on_progress(number, len(names))
    try:
        await _verify_index(store, finished, wrong, found)
    except (StorageFailed, TypeError, ValueError):
        # A damaged file may hold values of another type.
        found.wrong.append("The index of finished games cannot be read.")
    return found


async def _verify_index(store: TableStore, finished: set[str], wrong: list[str], found: Findings) -> None:
    """Add sentences about the index of finished games; `wrong` are tables that it has otherwise than their logs."""
    unknown = [record.table async for record in all_records(store.games) if record.table not in finished]
    # A game in a Redis may have ended since its log was read.
    over = {row.table for row in await store.rows(unknown) if row.phase == "over"}
    wrong = sorted({*wrong, *unknown} - over)
    if wrong:
        found.wrong.append(
            f"The index of finished games does not follow from the logs. Tables: {len(wrong)}, such as {wrong[0]!r}."
        )
    for game in GAMES:
        if await first_wrong_rating(store.games, game) is not None:
            found.wrong.append(f"The ratings of {game} do not follow from the games in the index.")


async def _verify_table(store: TableStore, table: str, reader: GameReader) -> int:
    """Return the number of entries of a table; raise `_Damage` if it is damaged. `reader` takes all entries."""
    history: History | None = None
    number = 0
    # A worker may append to a table in a Redis meanwhile; only what the row knows of is checked.
    rows = await store.rows([table])
    if not rows:
        raise _Damage(f"Table {table!r} cannot be read: its row is damaged.")
    (row,) = rows
    async for number, payload in _entries(store, table, row.seq):
        try:
            history = _applied(history, payload, reader)
        except Exception as error:
            # Rules trust events, so an invalid one can make them fail with any exception.
            raise _Damage(f"Table {table!r} is damaged at entry {number}: it cannot be replayed.") from error
    if history is None or number < row.seq:
        raise _Damage(f"Table {table!r} is damaged at entry {number + 1}: it is missing.")
    if history.table.id != table:
        raise _Damage(f"Table {table!r} is damaged at entry 1: its log is that of table {history.table.id!r}.")
    if history.table.phase != row.phase:
        raise _Damage(f"Table {table!r} is damaged at entry {number}: its phase does not follow from its log.")
    if not _is_summary(row.summary, pack_summary(history.table, history.decision_opened_at)):
        raise _Damage(f"Table {table!r} is damaged at entry {number}: its summary does not follow from its log.")
    return number


async def _entries(store: TableStore, table: str, last: int) -> AsyncIterator[tuple[int, bytes]]:
    number = 0
    try:
        while number < last and (batch := await store.read(table, number, min(_BATCH, last - number))):
            for entry in batch:
                number = entry.seq
                yield number, entry.payload
    except LogDamaged as damage:
        raise _Damage(f"Table {table!r} is damaged at entry {damage.seq}: the hash chain is broken.") from None
    except (StorageFailed, TypeError, ValueError) as error:
        # A damaged file may hold values of another type, and the archive in a Redis bytes that cannot be unpacked.
        raise _Damage(f"Table {table!r} is damaged at entry {number + 1}: it cannot be read.") from error


def _applied(history: History | None, payload: bytes, reader: GameReader) -> History:
    if history is None:
        at, events = read_dated(payload, None)
        history = History(open_entry(payload))
    else:
        at, events = read_dated(payload, history.table.settings.game)
        history.table.apply(events, at=at)
    history.add(events, at)
    reader.add(history.table, events)
    return history


def _is_summary(stored: bytes, expected: bytes) -> bool:
    """Return whether a stored summary says what it should. An earlier version may have written fewer fields."""
    try:
        return _agree(msgpack.unpackb(stored), msgpack.unpackb(expected))
    except (ValueError, TypeError, msgpack.UnpackException):
        return False


def _agree(stored: Any, expected: Any) -> bool:
    if isinstance(stored, dict) and isinstance(expected, dict):
        return all(key in expected and _agree(value, expected[key]) for key, value in stored.items())
    if isinstance(stored, list) and isinstance(expected, list):
        return len(stored) == len(expected) and all(map(_agree, stored, expected))
    return bool(stored == expected)
