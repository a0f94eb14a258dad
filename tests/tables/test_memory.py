"""The memory of tables: a loaded one is small, and an unloaded one takes none."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from typing import Any

from server.tables.registry import UNLOAD_INTERVAL_SECONDS
from tests.tables.table_server import PatientBots, Screen, TableServer, pass_time, person
from tests.tables.virtual_time import in_virtual_time


@in_virtual_time
async def test_an_unloaded_table_is_freed_without_the_garbage_collector() -> None:
    server = TableServer()
    server.registry.start()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    # Not of the core itself, of which the accelerated build can have no weak reference.
    settings = weakref.ref(server.core(table).state.settings)
    gc.disable()
    try:
        server.registry.unsubscribe(table, ann)
        await pass_time(2 * UNLOAD_INTERVAL_SECONDS)
        assert server.registry.loaded == 0
        assert settings() is None
    finally:
        gc.enable()
        await server.registry.close()


@in_virtual_time
async def test_a_table_in_memory_is_small_and_an_unloaded_one_takes_nothing() -> None:
    server = TableServer(bots=PatientBots(pause_seconds=0.1))
    tables = [f"table{number}" for number in range(10)]
    clock = {"kind": "decision", "seconds": 10}
    settings: dict[str, Any] = {"game": "investors", "clock": clock, "absence_seconds": None, "time_up": "fallback"}
    for table in tables:
        await server.begin("ann", bots=3, table=table, **settings)
    await pass_time(250)
    await in_use(server, tables)
    tracemalloc.start()
    try:
        awake = await in_use(server, tables)
        at_rest, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert awake / len(tables) <= 200 * 1024
    # What remains is the chat line, which this store keeps in memory.
    assert at_rest / len(tables) <= 4 * 1024


async def in_use(server: TableServer, tables: list[str]) -> int:
    """Load tables with people in every role, and unload them; return the bytes that they took in memory."""
    await server.restart()
    screens = [Screen(person(name)) for name in ("ann", "pat") for _ in tables]
    for screen, table in zip(screens, 2 * tables, strict=True):
        await server.watch(screen.user.id, table, screen)
    for table in tables:
        assert server.state(table).phase == "running"
        await server.do("ann", "say", table, text="hello")
    await pass_time(1)
    for screen in screens:
        # The views of clients are not part of the server's memory.
        screen.view = None
        screen.drain()
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    for screen, table in zip(screens, 2 * tables, strict=True):
        server.registry.unsubscribe(table, screen)
    await server.restart()
    server.lists.updates.clear()
    del screens, screen
    gc.collect()
    return taken
