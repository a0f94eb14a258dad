"""What the page costs, in a real browser. Times are printed; what does not depend on the machine is asserted."""

from __future__ import annotations

import asyncio
import contextlib
import random
import statistics
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from protocol.client import Client, WatchedTable
from tests.scenarios.people import any_command, open_table, person
from tests.web.browser.conftest import Arrive, RestartableServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAX_SCRIPTS = 120
"""Kilobytes of the scripts that a game needs, gzipped."""

MAX_SHIFT = 0.01
"""Sixty moves together, and nothing that was there moves; a hundredth is left for rounding and a late font."""


async def test_the_scripts_are_light(built: tuple[Path, float], record_property: Callable[[str, object], None]) -> None:
    record_property("JavaScript for a game, gzipped, KB", built[1])
    assert built[1] <= MAX_SCRIPTS


async def any_changed(tables: list[WatchedTable]) -> None:
    """Wait until one of the views is not what it is now."""
    for table in tables:
        table.changed.clear()
    waiting = [asyncio.create_task(table.changed.wait()) for table in tables]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()


async def decide(
    seats: list[tuple[Client, WatchedTable]], count: int, after_each: Callable[[], Awaitable[object]] | None = None
) -> None:
    """Let the seats of a table take so many decisions by chance."""
    rng = random.Random(5)
    for _ in range(count):
        while not (owing := [(client, table) for client, table in seats if table.prompt]):
            await any_changed([table for _, table in seats])
        client, watched = owing[0]
        number, prompt = watched.prompt or (0, {})
        command = any_command(rng, prompt)
        await client.request("decide", table=watched.table, decision=number, command=command)
        while watched.prompt and watched.prompt[0] == number:
            watched.changed.clear()
            await watched.changed.wait()
        if after_each is not None:
            await after_each()


async def test_an_update_is_drawn_at_once_and_moves_nothing_else(
    arrive: Arrive, server: RestartableServer, record_property: Callable[[str, object], None]
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        people = [await stack.enter_async_context(person(server.http)) for _ in range(5)]
        table = await open_table(people, "investors", 5)
        seats = [(client, await client.watch(table)) for client in people]
        await decide(seats, 200)
        visitor = await arrive(f"/t/{table}")
        await visitor.see_city()
        # What moves while fonts and the first view arrive does not count.
        await visitor.page.evaluate("document.fonts.ready.then(() => { measured.shifts = 0; measured.frames = [] })")
        drawn = 0

        async def one_more_frame() -> None:
            nonlocal drawn
            await visitor.page.wait_for_function("(before) => measured.frames.length > before", arg=drawn)
            drawn = len((await visitor.figures())["frames"])

        await decide(seats, 60, one_more_frame)
        figures = await visitor.figures()
    frames = figures["frames"]
    record_property("from an update to its drawn frame at 5 seats, median ms", f"{statistics.median(frames):.1f}")
    record_property("layout shift over 60 decisions", f"{figures['shifts']:.3f}")
    assert figures["shifts"] <= MAX_SHIFT
