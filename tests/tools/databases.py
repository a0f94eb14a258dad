"""Databases with golden tables, a server that uses one, and what files and a Redis hold."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from server.control import control_path, control_socket
from server.store.api import KeyValue, TableCopy, TableStore
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from server.tools.backup import BACKUP, backup_handler

TABLES = 6
TIMEOUT_SECONDS = 30.0


@contextmanager
def server_on(database: Path) -> Iterator[None]:
    """Hold a database open and serve its control socket, as a server does, in another thread."""
    opened, stop = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        store = await SqliteStore.open(database)
        async with control_socket(control_path(database), {BACKUP: backup_handler(store, database)}):
            opened.set()
            await stop.wait()
        await store.close()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert opened.wait(TIMEOUT_SECONDS)
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(TIMEOUT_SECONDS)
        loop.close()


async def contents(store: TableStore) -> tuple[list[TableCopy | None], list[tuple[str, list[KeyValue]]]]:
    """Return everything in a store."""
    values = store.key_values
    tables = [await store.copy(name) for name in await store.names()]
    return tables, [(kind, await values.page(kind)) for kind in await values.kinds()]


def contents_of(path: Path) -> Any:
    async def read() -> Any:
        store = await SqliteStore.open_read_only(path)
        try:
            return await contents(store)
        finally:
            await store.close()

    return asyncio.run(read())


def contents_of_redis(url: str) -> Any:
    async def read() -> Any:
        store = RedisStore.at(url)
        try:
            return await contents(store)
        finally:
            await store.close()

    return asyncio.run(read())


def said(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    return captured.out + captured.err


def left_in(*folders: Path) -> list[str]:
    """Return the names of files that a command must not leave behind."""
    return [name for folder in folders for name in sorted(os.listdir(folder)) if "part" in name or name[0] == "."]


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()
