"""What a table takes of the server's memory: while it is played, and when it has been put to rest.

The memory of connections is not counted: everybody has connected before the first table is opened. A table at rest is
measured by opening as many tables again and again: what the first ones left behind for others to use is used by then.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from itertools import pairwise

import uvloop

from tests.bench.contestants import GAME
from tests.bench.dialects.ours import OurDialect, guests
from tests.bench.http_client import get
from tests.bench.load import LoadTable
from tests.bench.measuring import Effort, Report
from tests.bench.playing import AT_ONCE, SEATS, played, raise_file_limit
from tests.bench.served import Served, cores_apart, our_server
from tests.bench.trivial_server import MODULE, REST_SOON

TITLE = "Holding: memory that a table takes"
PLAY_SECONDS = 3.0
MOVES = 30
"""As many moves as each table has made when it is looked at."""

CYCLES = 5
"""How often tables are opened, played and left; the last time, what was left behind before is used up."""

REST_TIMEOUT_SECONDS = 60
SETTLE_SECONDS = 1.0


@dataclass(slots=True)
class Memory:
    """The server's resident memory, in KiB, before, between and after."""

    connected: int
    playing: int
    at_rest: int


def run(effort: Effort) -> Report:
    raise_file_limit()
    report = Report(TITLE, rows=[["", "figure", "to reach"]])
    with cores_apart() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(measure(report, 200 if effort.is_full else 20, cores))
    report.notes.append(sentence)
    return report


async def measure(report: Report, tables: int, cores: set[int]) -> None:
    with our_server(cores, module=(*MODULE, *REST_SOON)) as server:
        # The same people every time, for a user is no part of a table.
        tokens = await guests(server.port, tables * SEATS)
        cycles = [await _cycle(server, tokens) for _ in range(CYCLES)]
    live = (cycles[0].playing - cycles[0].connected) / tables
    report.add(f"one of {tables} tables that are played", live, f"{live:.1f} KiB", "at most 200 KiB")
    # What tables keep would be added every time; what the allocator takes now and then is not theirs.
    rest = min(after.at_rest - before.at_rest for before, after in pairwise(cycles[1:])) / tables
    report.add("a table at rest", rest, f"{rest:.1f} KiB", "0 KiB")
    report.figures["memory_kib"] = [asdict(cycle) for cycle in cycles]


async def _cycle(server: Served, tokens: list[str]) -> Memory:
    """Open tables for all these people, let them be played for a while, and leave them until all are at rest."""
    dialect = OurDialect(server.port, game=GAME)
    tables = [LoadTable() for _ in range(len(tokens) // SEATS)]
    for number, table in enumerate(tables):
        table.movers = [dialect.mover(table, seat) for seat in range(SEATS)]
        await dialect.connect_movers(table, tokens[number * SEATS : (number + 1) * SEATS])
    await asyncio.sleep(SETTLE_SECONDS)
    connected = server.memory_kib()
    for start in range(0, len(tables), AT_ONCE):
        await asyncio.gather(*map(dialect.found, tables[start : start + AT_ONCE]))
    for table in tables:
        for mover in table.movers:
            await dialect.enter(mover)
    await played(server, tables, PLAY_SECONDS, MOVES * len(tables) / PLAY_SECONDS)
    playing = server.memory_kib()
    for table in tables:
        table.close()
    async with asyncio.timeout(REST_TIMEOUT_SECONDS):
        await _all_at_rest(server)
    return Memory(connected, playing, server.memory_kib())


async def _all_at_rest(server: Served) -> None:
    awake = 1
    while awake:
        await asyncio.sleep(SETTLE_SECONDS)
        awake = (await get(server.port, "/healthz"))["tables"]
