"""Memory of a table in the server: while it is played, and after it was evicted.

Connections are not counted: all players connect before the first table is opened. An evicted table is measured over
several cycles of opening and leaving tables, so that memory that the allocator reuses does not count.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from itertools import pairwise

import uvloop

from tests.bench.bench_server import BenchServer, our_server, separate_cores
from tests.bench.contestants import GAME
from tests.bench.dialects.ours import OurDialect, guests
from tests.bench.http_client import get
from tests.bench.load import LoadTable
from tests.bench.measurement import Effort, Report
from tests.bench.trivial_server import MODULE, REST_SOON
from tests.bench.workload import MAX_CONCURRENT, SEATS, raise_file_limit, run_load

TITLE = "Memory of a table"
PLAY_SECONDS = 3.0
MOVES = 30
"""The moves of each table before its memory is measured."""

CYCLES = 5
"""Cycles in which tables are opened, played and left."""

REST_TIMEOUT_SECONDS = 60
SETTLE_SECONDS = 1.0


@dataclass(slots=True)
class Memory:
    """The server's resident memory in KiB: before the tables, while they are played, and after their eviction."""

    connected: int
    playing: int
    at_rest: int


def run(effort: Effort) -> Report:
    raise_file_limit()
    report = Report(TITLE, rows=[["", "figure", "to reach"]])
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(measure(report, 200 if effort.is_full else 20, cores))
    report.notes.append("The collector runs when memory has grown by half; what waits for it counts as memory at rest.")
    report.notes.append(sentence)
    return report


async def measure(report: Report, tables: int, cores: set[int]) -> None:
    with our_server(cores, arguments=("--log-level", "info"), module=(*MODULE, *REST_SOON)) as server:
        # The same users in every cycle: they are not part of a table.
        tokens = await guests(server.port, tables * SEATS)
        cycles = [await _cycle(server, tokens) for _ in range(CYCLES)]
    live = (cycles[0].playing - cycles[0].connected) / tables
    report.add(f"one of {tables} tables that are played", live, f"{live:.1f} KiB", "at most 200 KiB")
    # Memory that tables leak grows in every cycle; what the allocator takes now and then does not.
    rest = min(after.at_rest - before.at_rest for before, after in pairwise(cycles[1:])) / tables
    report.add("a table at rest", rest, f"{rest:.1f} KiB", "0 KiB")
    report.figures["memory_kib"] = [asdict(cycle) for cycle in cycles]


async def _cycle(server: BenchServer, tokens: list[str]) -> Memory:
    """Open tables for all these users, play for a while, leave them, and wait until all are evicted."""
    dialect = OurDialect(server.port, game=GAME)
    tables = [LoadTable() for _ in range(len(tokens) // SEATS)]
    for number, table in enumerate(tables):
        table.movers = [dialect.mover(table, seat) for seat in range(SEATS)]
        await dialect.connect_movers(table, tokens[number * SEATS : (number + 1) * SEATS])
    await asyncio.sleep(SETTLE_SECONDS)
    connected = server.memory_kib()
    for start in range(0, len(tables), MAX_CONCURRENT):
        await asyncio.gather(*map(dialect.create_table, tables[start : start + MAX_CONCURRENT]))
    for table in tables:
        for mover in table.movers:
            await dialect.join(mover)
    await run_load(server, tables, PLAY_SECONDS, MOVES * len(tables) / PLAY_SECONDS)
    playing = server.memory_kib()
    for table in tables:
        table.close()
    async with asyncio.timeout(REST_TIMEOUT_SECONDS):
        await _all_evicted(server)
    return Memory(connected, playing, server.memory_kib())


async def _all_evicted(server: BenchServer) -> None:
    loaded = 1
    while loaded:
        await asyncio.sleep(SETTLE_SECONDS)
        loaded = (await get(server.find_operator_port(), "/healthz"))["tables"]
