"""The wall clock is set back and forth during a game: only dates show it, and they never go back."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise

import pytest

from server.model import Done
from server.tables.entries import read_dated
from server.tables.registry import DESERTED_INTERVAL_SECONDS, DESERTED_SECONDS
from tests.tables.rollback import come_back, put_back, tables_of
from tests.tables.table_server import TableServer, pass_time, settle, toys
from tests.tables.virtual_time import in_virtual_time

HOUR, DAY = 3_600.0, 86_400.0
STEPS = (-HOUR, HOUR, -DAY, DAY, 2.0, -2.0, DAY, -DAY)


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


async def bid_both(server: TableServer, table: str) -> None:
    """Let Ann and Ben seal their bids, one after the other, which reveals them."""
    for name in ("ann", "ben"):
        await pass_time(1)
        assert isinstance(await server.bid(name, table, None), Done)


async def waver(server: TableServer, table: str, times: int = 2) -> None:
    """Let Ann vote for a pause and withdraw the vote, to make public entries without an effect."""
    for number in range(times):
        await pass_time(1)
        await server.do("ann", "vote", table, on="pause", agree=number % 2 == 0)


async def times(server: TableServer, table: str) -> list[int]:
    game = server.state(table).settings.game
    entries = await server.store.read(table)
    return [read_dated(entry.payload, game if entry.seq > 1 else None)[0] for entry in entries]


async def losses(server: TableServer, table: str) -> int:
    return (await server.log(table)).count("went_back")


async def agree_to_go_on(server: TableServer, table: str) -> None:
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="resume", agree=True)


@in_virtual_time
async def test_the_dates_of_log_entries_never_go_back_and_go_on_at_the_speed_of_time() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await waver(server, table)
    server.clock_step = -HOUR
    before = await times(server, table)
    await waver(server, table, 4)
    dated = await times(server, table)
    assert dated == sorted(dated)
    assert [later - earlier for earlier, later in pairwise(dated[len(before) - 1 :])] == [1000] * 4
    # Also in another process, which has not seen the clock before.
    await server.crash()
    await waver(server, table)
    dated = await times(server, table)
    assert [later - earlier for earlier, later in pairwise(dated[-2:])] == [1000]
    assert dated == sorted(dated)
    await server.registry.close()


@in_virtual_time
async def test_no_clock_of_a_table_jumps() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", clock={"kind": "bank", "seconds": 600, "increment": 0})
    screen = await server.watch("pat", table)
    for seconds, step in enumerate(STEPS, 1):
        server.clock_step += step
        await waver(server, table, 1)
        assert screen.messages[-1]["elapsed"] == 1_000 * seconds
    await bid_both(server, table)
    # Ann has thought for one second less than Ben, but both are charged when the decision closes.
    assert server.state(table).thinking == [600_000 - 1_000 * (len(STEPS) + seconds) for seconds in (1, 2)]
    await server.registry.close()


@in_virtual_time
@pytest.mark.parametrize("step", [-DAY, -2.0, 2.0, DAY])
async def test_time_runs_out_when_it_has_passed_and_not_earlier(step: float) -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", clock={"kind": "decision", "seconds": 60})
    for seconds, is_over in ((59, False), (2, True)):
        server.clock_step = step
        await pass_time(seconds)
        assert any("time_ran_out" in entry for entry in await server.log(table)) is is_over
    await server.registry.close()


@in_virtual_time
async def test_no_client_that_resumes_is_taken_for_a_witness_of_a_rollback() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    screen = await server.watch("pat", table)
    for step in STEPS:
        server.clock_step += step
        await waver(server, table)
        screen = await come_back(server, screen, table)
        assert screen.missed == []
        await server.crash()
        screen = await come_back(server, screen, table)
    assert await losses(server, table) == 0
    await server.registry.close()


@in_virtual_time
async def test_a_rollback_is_told_once_although_the_clock_was_set_back() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    screen = await server.watch("pat", table)
    copy = deepcopy(tables_of(server))
    server.clock_step = HOUR
    await waver(server, table)
    server.clock_step = 0
    await put_back(server, copy)
    for _ in range(3):
        await come_back(server, screen, table)
    assert await losses(server, table) == 1
    await server.registry.close()


@in_virtual_time
async def test_an_owner_that_finds_its_entries_lost_says_so_once_although_the_clock_was_set_back() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    screen = await server.watch("pat", table)
    copy = deepcopy(tables_of(server))
    server.clock_step = HOUR
    await waver(server, table)
    stamp, number = screen.stamp, screen.number
    server.clock_step = 0
    server.store._tables = copy  # type: ignore[attr-defined]
    assert await server.refusal("ann", "decide", table, decision=1, command={"do": "sit"}) == "paused"
    await server.watch("pat", table, have=number, stamp=stamp)
    assert await losses(server, table) == 1
    await server.registry.close()


@in_virtual_time
async def test_a_second_rollback_is_found_although_the_clock_was_ahead_at_the_first() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    screen = await server.watch("pat", table)
    copy = deepcopy(tables_of(server))
    server.clock_step = HOUR
    await waver(server, table)
    await put_back(server, copy)
    screen = await come_back(server, screen, table)
    await agree_to_go_on(server, table)
    server.clock_step = 0
    copy = deepcopy(tables_of(server))
    await waver(server, table)
    await put_back(server, copy)
    await come_back(server, screen, table)
    assert await losses(server, table) == 2
    await server.registry.close()


@in_virtual_time
@pytest.mark.parametrize("phase", ["open", "running"])
async def test_a_table_is_not_deserted_because_the_clock_was_set_forward(phase: str) -> None:
    server = TableServer()
    table = await (server.create("ann") if phase == "open" else server.begin("ann", "ben", absence_seconds=None))

    async def phase_when_looked_for() -> str:
        await pass_time(DESERTED_INTERVAL_SECONDS)
        await server.registry._abandon_deserted()
        await settle()
        (row,) = await server.store.rows([table])
        return row.phase

    for step in (0, DESERTED_SECONDS[phase] + DAY, -DAY, 0):
        server.clock_step = step
        assert await phase_when_looked_for() == phase
    # In the end it is deserted all the same.
    await pass_time(DESERTED_SECONDS[phase])
    assert await phase_when_looked_for() == "over"
    await server.registry.close()
