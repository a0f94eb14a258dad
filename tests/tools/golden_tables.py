"""A database with real tables: the exported games of the golden logs."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

from server.store.api import TableStore
from server.store.sqlite import SqliteStore
from server.tables.table_export import TableExport, read_table_export
from server.tools.tables import import_table

EXPORTS = Path(__file__).parent.parent / "golden" / "protocol-1" / "exports"


@cache
def golden_exports() -> tuple[TableExport, ...]:
    """Return the exported tables, the shortest first."""
    logs = [read_table_export(path.read_text()) for path in sorted(EXPORTS.glob("*.log"))]
    return tuple(sorted(logs, key=lambda log: len(log.entries)))


async def import_golden(store: TableStore, count: int | None = None) -> None:
    """Import the exported tables, or the shortest of them."""
    for log in golden_exports()[:count]:
        await import_table(store, log)


def golden_database(path: Path, count: int | None = None) -> None:
    """Make a database file with these tables."""

    async def fill() -> None:
        store = await SqliteStore.open(path, "fast")
        await import_golden(store, count)
        await store.close()

    asyncio.run(fill())
