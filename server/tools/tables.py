"""Operations on the tables in a database while no server uses it: list, export, import."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgpack

from server.history.projection import IndexBusy, Projection
from server.lobby.identity import SESSION_SECONDS
from server.store.api import Exists, KeyValueStore, LogDamaged, StorageFailed, StoreUnusable, TableRow, TableStore
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from server.tables.entries import open_entry, read_dated
from server.tables.history import History
from server.tables.summary import pack_summary
from server.tables.table_export import Person, TableExport, replayed

_BATCH: Final = 500


class NotDone(ValueError):
    """A table could not be listed, exported or imported; the message is a sentence."""


@asynccontextmanager
async def opened(place: Path | str, *, read_only: bool = True) -> AsyncIterator[TableStore]:
    """Open the store in a file or in Redis, and close it afterwards. Unless `read_only`, a missing file is created.

    Raise `NotDone` if it cannot be used, or if a server uses the file; Redis may be used beside its servers.
    """
    try:
        if isinstance(place, str):
            store: TableStore = RedisStore.at(place)
        else:
            store = await (SqliteStore.open_read_only(place) if read_only else SqliteStore.open(place))
    except StoreUnusable as reason:
        raise NotDone(str(reason)) from None
    try:
        yield store
    except StorageFailed as reason:
        raise NotDone(str(reason)) from None
    finally:
        await store.close()


# -- list -----------------------------------------------------------------------------------------------------


async def table_lines(store: TableStore) -> list[str]:
    """Return a line of headings and a line for each table, the last changed first."""
    rows = [["table", "game", "phase", "records", "last change", "seats"]]
    rows += [_cells(row) for row in await store.tables()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _cells(row: TableRow) -> list[str]:
    changed = datetime.fromtimestamp(row.updated, UTC).strftime("%Y-%m-%d %H:%M:%S")
    try:
        summary = msgpack.unpackb(row.summary)["summary"]
        seats = ", ".join(_seat_text(seat) for seat in summary["seats"])
        game = summary["game"]
    except (ValueError, KeyError, TypeError, msgpack.UnpackException):
        game, seats = "?", "?"
    return [row.table, game, row.phase, str(row.seq), changed, seats]


def _seat_text(seat: dict[str, str | None]) -> str:
    name, bot = seat["name"], seat["bot"]
    if bot is not None:
        return f"{bot} bot" if name is None else f"{name} ({bot} bot)"
    return name or "free"


# -- export ---------------------------------------------------------------------------------------------------


async def exported(store: TableStore, table: str) -> TableExport:
    """Return the export of a table with all users in its seats."""
    entries: list[bytes] = []
    try:
        while batch := await store.read(table, len(entries), _BATCH):
            entries += [entry.payload for entry in batch]
    except LogDamaged as damage:
        raise NotDone(str(damage)) from None
    if not entries:
        raise NotDone(f"There is no table {table!r} in the database.")
    log = TableExport(table, (), tuple(entries))
    users = sorted({chair.user for chair in replayed(log).chairs if chair.user is not None})
    people = [await _person(store.key_values, user) for user in users]
    return TableExport(table, tuple(person for person in people if person is not None), log.entries)


async def _person(key_values: KeyValueStore, user: str) -> Person | None:
    stored = await key_values.get("user", user)
    if stored is None:
        return None
    sessions = await key_values.find("session", f"{user}.")
    return Person(user, json.loads(stored)["name"], {key: json.loads(value)["used"] for key, value in sessions})


# -- import ---------------------------------------------------------------------------------------------------


async def import_table(store: TableStore, log: TableExport) -> None:
    """Write a table and its unknown users; raise `NotDone` and write nothing if the table exists already.

    Known users are never changed: otherwise a forged export could take over an account.
    """
    state = replayed(log)
    if await store.head(log.table) is not None:
        raise NotDone(f"Table {log.table!r} exists already in the database; nothing was imported.")
    for person in log.people:
        await _add_person(store.key_values, person)
    created = await store.create(log.table, state.phase, pack_summary(state, _decision_opened_at(log)), log.entries)
    if isinstance(created, Exists):
        raise NotDone(f"Table {log.table!r} exists already in the database; nothing was imported.")
    if state.phase == "over":
        with suppress(IndexBusy, StorageFailed):
            # A sweep would find it too, but later.
            await Projection(store).index_game(log.table)


def _decision_opened_at(log: TableExport) -> int | None:
    """Return the time at which the open decision of a table was opened."""
    first, *rest = log.entries
    history = History(open_entry(first))
    at, new_events = read_dated(first, None)
    history.add(new_events, at)
    for entry in rest:
        at, new_events = read_dated(entry, history.table.settings.game)
        history.table.apply(new_events)
        history.add(new_events, at)
    return history.decision_opened_at


async def _add_person(key_values: KeyValueStore, person: Person) -> None:
    latest = max(person.sessions.values(), default=0)
    stored = json.dumps({"name": person.name}).encode()
    if await key_values.put_if_absent("user", person.user, stored, latest + SESSION_SECONDS):
        for key, used in person.sessions.items():
            await key_values.put("session", key, json.dumps({"used": used}).encode(), used + SESSION_SECONDS)


def warning_of(log: TableExport) -> str | None:
    """Return a warning for the operator, or None if the game is over and nothing is secret any more."""
    if replayed(log).phase == "over":
        return None
    return (
        "The game is not over, and this log contains secrets: hands, sealed answers, the seed. "
        "Do not share it with players."
    )
