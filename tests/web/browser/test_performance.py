"""The size and speed of the page. Times are recorded; what does not depend on the machine is asserted."""

from __future__ import annotations

import contextlib
import random
import statistics
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from protocol.client import Client, WatchedTable
from tests.scenarios.people import any_changed, any_command, open_table, person, until_answered
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.visitor import NETWORK_ERRORS

pytestmark = pytest.mark.asyncio(loop_scope="session")

LARGEST_SCRIPTS = 120
"""The most gzipped kilobytes of the scripts that a game needs."""

LARGEST_FIRST_LOAD = 120
"""The most kilobytes over the wire until a new visitor sees the home page: everything, with fonts and headers."""

LARGEST_WITH_BIG_TABLE = 180
"""The same while a public game is played, with the scene that draws it on the home page."""

LARGEST_SHIFT = 0.01
"""The most layout shift over sixty decisions, for rounding and a late font."""


async def test_the_scripts_are_light(built: tuple[Path, float], record_property: Callable[[str, object], None]) -> None:
    record_property("JavaScript for a game, gzipped, KB", built[1])
    assert built[1] <= LARGEST_SCRIPTS


async def first_load(arrive: Arrive, *, saves_data: bool) -> tuple[float, int]:
    """Return the kilobytes over the wire and the requests of a new visitor's first look at the home page."""
    visitor = await arrive(None)
    client = await visitor.context.new_cdp_session(visitor.page)
    received: list[int] = []
    client.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    await client.send("Network.enable")
    if saves_data:
        # Then the big table is not fetched, whatever is played on the server.
        script = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
        await visitor.page.add_init_script(script)
    await visitor.page.goto(visitor.http)
    await visitor.page.locator("h1, h2").first.wait_for()
    if not saves_data:
        await visitor.page.locator(".live-standings").wait_for()
    await visitor.page.wait_for_load_state("networkidle")
    await visitor.page.evaluate("document.fonts.ready")
    return sum(received) / 1000, len(received)


async def test_the_home_page_is_light_on_the_wire(
    arrive: Arrive, record_property: Callable[[str, object], None]
) -> None:
    kilobytes, requests = await first_load(arrive, saves_data=True)
    record_property("first load of the home page", f"{kilobytes:.0f} KB over the wire, {requests} requests")
    assert requests > 3
    assert kilobytes <= LARGEST_FIRST_LOAD


async def test_the_home_page_with_a_big_table_is_light_too(
    arrive: Arrive, server: RestartableServer, record_property: Callable[[str, object], None]
) -> None:
    async with person(server.http) as edith:
        table = await open_table([edith], "investors", 3)
        kilobytes, requests = await first_load(arrive, saves_data=False)
        await edith.request("vote", table=table, on="abandon", agree=True)
    record_property("first load with a big table", f"{kilobytes:.0f} KB over the wire, {requests} requests")
    assert kilobytes <= LARGEST_WITH_BIG_TABLE


async def decide(
    seats: list[tuple[Client, WatchedTable]], count: int, after_each: Callable[[], Awaitable[object]] | None = None
) -> None:
    """Let the seats of a table make so many random decisions."""
    rng = random.Random(5)
    for _ in range(count):
        while not (owing := [(client, table) for client, table in seats if table.prompt]):
            await any_changed([table for _, table in seats])
        client, watched = owing[0]
        number, prompt = watched.prompt or (0, {})
        command = any_command(rng, prompt)
        await client.request("decide", table=watched.table, decision=number, command=command)
        await until_answered(watched, number)
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
        await visitor.wait_for_table()
        # Layout shifts while fonts and the first view load do not count.
        await visitor.page.evaluate(
            "document.fonts.ready.then(() => Object.assign(measured, { shifts: 0, frames: [], longTasks: [] }))"
        )
        drawn = 0

        async def one_more_frame() -> None:
            nonlocal drawn
            await visitor.page.wait_for_function("(before) => measured.frames.length > before", arg=drawn)
            drawn = len((await visitor.measurements())["frames"])

        await decide(seats, 60, one_more_frame)
        figures = await visitor.measurements()
    frames = figures["frames"]
    slowest = statistics.quantiles(frames, n=20)[-1]
    record_property(
        "from an update to its drawn frame at 5 seats, p50 / p95 ms", f"{statistics.median(frames):.1f} / {slowest:.1f}"
    )
    record_property("long tasks over 60 decisions, ms", [round(duration) for duration in figures["longTasks"]])
    record_property("layout shift over 60 decisions", f"{figures['shifts']:.3f}")
    assert figures["shifts"] <= LARGEST_SHIFT


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), (720, 450), (390, 844)], ids="{0[0]}x{0[1]}".format)
async def test_banners_and_votes_do_not_move_the_board(
    arrive: Arrive, server: RestartableServer, size: tuple[int, int]
) -> None:
    async with person(server.http) as one, person(server.http) as two:
        table = await open_table([one, two], "planners", 2)
        await one.watch(table)
        visitor = await arrive(None, viewport={"width": size[0], "height": size[1]})
        visitor.ignore_errors(NETWORK_ERRORS)
        await visitor.page.goto(f"{visitor.http}/t/{table}")
        await visitor.wait_for_table()
        await visitor.page.evaluate("document.fonts.ready.then(() => { measured.shifts = 0 })")
        board = visitor.page.locator(".middle")
        before = await board.bounding_box()
        await one.request("vote", table=table, on="pause", agree=True)
        await visitor.page.locator(".notice").wait_for()
        assert await board.bounding_box() == before
        await visitor.context.set_offline(True)
        await visitor.page.evaluate("globalThis.closeSockets()")
        await visitor.page.locator(".banner").wait_for()
        assert await board.bounding_box() == before
        assert (await visitor.measurements())["shifts"] <= LARGEST_SHIFT
