"""A storage that is rolled back to an older copy, and clients that resume afterwards."""

from __future__ import annotations

from typing import Any

from tests.tables.table_server import Screen, TableServer, pass_time


def tables_of(server: TableServer) -> dict[str, Any]:
    tables: dict[str, Any] = server.store._tables  # type: ignore[attr-defined]
    return tables


async def put_back(server: TableServer, copy: dict[str, Any]) -> None:
    """Crash the server and restore a copy of the storage."""
    await pass_time(1)
    await server.crash()
    server.store._tables = copy  # type: ignore[attr-defined]
    for row in copy.values():
        row.leased_until = 0.0


async def come_back(server: TableServer, screen: Screen, table: str) -> Screen:
    """Resume a user's subscription with a new connection, as the page does."""
    await pass_time(1)
    return await server.watch(screen.user.id, table, have=screen.number, stamp=screen.stamp)
