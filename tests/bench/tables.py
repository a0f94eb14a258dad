"""Tables: four players and some spectators each, at our server and at those of other projects.

A move of a player reaches all viewers of the table. First each table moves at full speed, one move after the other.
Then all contestants are offered the same rate of moves, half of what the slowest of the fast ones can carry, so that
latencies can be compared.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import uvloop

from tests.bench.bench_server import BenchServer, ServerMissing, separate_cores
from tests.bench.contestants import COLYSEUS, CONTESTANTS, RAW, TRIVIAL, WS, Contestant
from tests.bench.dialects import Dialect
from tests.bench.load import LoadFailed, LoadTable
from tests.bench.measurement import Effort, Report, percentile, turns
from tests.bench.peers import PeerMissing
from tests.bench.workload import SEATS, LoadResult, opened_tables, raise_file_limit, run_load

TITLE = "Tables: moves that reach everybody"
FAST = (RAW, TRIVIAL, WS, COLYSEUS)
"""The contestants whose speed sets the load that is offered to all."""

BUSY_LOAD = 0.9
"""Above this share of its core the load generator may be the bottleneck."""

CARRIED = 0.95
"""Below this part of the offered moves a contestant does not carry the load, and its latencies are meaningless."""

TIMEOUT_SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class Workload:
    """A number of tables, each with four players and some spectators; a brief workload has the same name."""

    name: str
    tables: int
    watchers: int

    @property
    def title(self) -> str:
        tables = "1 table" if self.tables == 1 else f"{self.tables} tables"
        return f"{tables}, {SEATS} players and {self.watchers or 'no'} spectators each"


WATCHED, CROWD, ALONE = "watched", "crowd", "alone"
WORKLOADS = (Workload(WATCHED, 50, 16), Workload(CROWD, 1, 1000), Workload(ALONE, 50, 0))
QUICK_WORKLOADS = (Workload(WATCHED, 10, 16), Workload(CROWD, 1, 100), Workload(ALONE, 10, 0))
MAX_ROUNDS = 4
MAX_SECONDS = 2.0
WARM_UP_SECONDS = 0.5


@dataclass(slots=True)
class Rounds:
    """The figures of one contestant in each round. Times in milliseconds; None where it did not carry the load."""

    numbers: list[int] = field(default_factory=list)
    """The numbers of the rounds; a round that failed is missing."""

    moves_per_second: list[float] = field(default_factory=list)
    deliveries_per_second: list[float] = field(default_factory=list)
    microseconds_per_delivery: list[float] = field(default_factory=list)
    p50: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    load_share: list[float] = field(default_factory=list)
    paced_p50: list[float | None] = field(default_factory=list)
    paced_p99: list[float | None] = field(default_factory=list)
    update_bytes: list[float] = field(default_factory=list)

    def add(self, number: int, fast: LoadResult, paced: LoadResult, is_carried: bool, update_bytes: float) -> None:
        self.numbers.append(number)
        self.moves_per_second.append(fast.moves_per_second)
        self.deliveries_per_second.append(fast.deliveries_per_second)
        self.microseconds_per_delivery.append(fast.microseconds_per_delivery)
        self.p50.append(1000 * percentile(fast.stats.to_all, 50))
        self.p99.append(1000 * percentile(fast.stats.to_all, 99))
        self.load_share.append(fast.load_share)
        self.paced_p50.append(1000 * percentile(paced.stats.to_all, 50) if is_carried else None)
        self.paced_p99.append(1000 * percentile(paced.stats.to_all, 99) if is_carried else None)
        self.update_bytes.append(update_bytes)


@dataclass(slots=True)
class Entrant:
    """A contestant with its running server."""

    contestant: Contestant
    server: BenchServer
    dialect: Dialect
    rounds: Rounds = field(default_factory=Rounds)


def run(effort: Effort) -> Report:
    report = Report(TITLE, rows=[_HEAD])
    raise_file_limit()
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for workload in WORKLOADS if effort.is_full else QUICK_WORKLOADS:
            runner.run(measure(report, workload, CONTESTANTS, effort, cores))
    report.notes += [
        sentence,
        "Medians over the rounds. Waits are from sending a move to its receipt by the last viewer.",
        "Closed: the next player moves when the last move was shown to them. Paced: all are offered as many moves.",
        f"*: the load generator took more than {BUSY_LOAD:.0%} of its core, so this is a lower bound.",
        "–: does not carry the offered load.",
    ]
    return report


_HEAD = [
    *("", "moves/s", "deliveries/s", "server CPU per delivery", "closed: p50", "p99"),
    *("paced: p50", "p99", "bytes per update", "load's CPU"),
]


async def measure(
    report: Report, workload: Workload, contestants: Sequence[Contestant], effort: Effort, cores: set[int]
) -> None:
    """Measure all contestants under one workload in interleaved rounds, and add them to the report."""
    with ExitStack() as stack:
        entrants: dict[str, Entrant] = {}
        for contestant in contestants:
            try:
                server = stack.enter_context(contestant.start(cores))
            except (PeerMissing, ServerMissing) as missing:
                report.note_once(f"{contestant.name}: {missing}")
            else:
                entrants[contestant.name] = Entrant(contestant, server, contestant.dialect(server.port))
        # A warm-up round that does not count shows which rate can be offered.
        seconds = min(effort.seconds, MAX_SECONDS)
        pace = await _offered(report, entrants, workload, seconds)
        for number, name in turns(entrants, min(effort.rounds, MAX_ROUNDS)):
            entrant = entrants[name]
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await _take_turn(number, entrant, workload, seconds, pace)
            except (LoadFailed, OSError, TimeoutError) as failure:
                report.note_once(f"{name}, {workload.title}: {str(failure) or 'It takes too long.'}")
    fill(report, workload, pace, {name: entrant.rounds for name, entrant in entrants.items()})


async def _offered(report: Report, entrants: dict[str, Entrant], workload: Workload, seconds: float) -> float:
    """Return the moves per second to offer; contestants that fail are left out from here on."""
    rates: dict[str, float] = {}
    for _, name in turns(list(entrants), 1):
        entrant = entrants[name]
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                async with _open_tables(entrant, workload) as tables:
                    rates[name] = (await run_load(entrant.server, tables, seconds)).moves_per_second
        except (LoadFailed, OSError, TimeoutError) as failure:
            report.note_once(f"{name}, {workload.title}: {str(failure) or 'It takes too long.'}")
            del entrants[name]
    fast = [rate for name, rate in rates.items() if name in FAST] or list(rates.values())
    return min(fast) / 2


async def _take_turn(number: int, entrant: Entrant, workload: Workload, seconds: float, pace: float) -> None:
    server, ends = entrant.server, entrant.contestant.game_ends
    async with _open_tables(entrant, workload) as tables:
        if not ends:
            await run_load(server, tables, min(seconds, WARM_UP_SECONDS))
        paced = await run_load(server, tables, seconds, pace)
        if not ends:
            fast = await run_load(server, tables, seconds)
        size = statistics.median(size for table in tables for size in table.update_bytes)
    if ends:
        async with _open_tables(entrant, workload) as tables:
            fast = await run_load(server, tables, seconds)
    # One move of each table may be in flight when the time is up.
    is_carried = paced.stats.moves + workload.tables >= CARRIED * pace * paced.wall
    entrant.rounds.add(number, fast, paced, is_carried, size)


@asynccontextmanager
async def _open_tables(entrant: Entrant, workload: Workload) -> AsyncIterator[list[LoadTable]]:
    tables = await opened_tables(entrant.dialect, workload.tables, workload.watchers)
    try:
        yield tables
    finally:
        for table in tables:
            table.close()
        # Wait until the server has noticed the disconnects.
        await asyncio.sleep(0.5)


def fill(report: Report, workload: Workload, pace: float, measured: dict[str, Rounds]) -> None:
    """Add the figures of one workload to the report."""
    report.rows.append([f"{workload.title}; paced: {pace:,.0f} moves/s", *[""] * (len(_HEAD) - 1)])
    for name, rounds in measured.items():
        if not rounds.moves_per_second:
            continue
        busy = "*" if statistics.median(rounds.load_share) > BUSY_LOAD else ""
        report.rows.append(
            [
                f"  {name}",
                f"{statistics.median(rounds.moves_per_second):,.0f}{busy}",
                f"{statistics.median(rounds.deliveries_per_second):,.0f}{busy}",
                f"{statistics.median(rounds.microseconds_per_delivery):.1f} µs",
                f"{statistics.median(rounds.p50):.2f} ms",
                f"{statistics.median(rounds.p99):.2f} ms",
                _wait(rounds.paced_p50),
                _wait(rounds.paced_p99),
                f"{statistics.median(rounds.update_bytes):,.0f}",
                f"{statistics.median(rounds.load_share):.0%}",
            ]
        )
    report.figures[workload.name] = {
        "tables": workload.tables,
        "spectators": workload.watchers,
        "offered_moves_per_second": pace,
        "contestants": {name: asdict(rounds) for name, rounds in measured.items()},
    }


def _wait(milliseconds: list[Any]) -> str:
    carried = [wait for wait in milliseconds if wait is not None]
    return f"{statistics.median(carried):.2f} ms" if 2 * len(carried) > len(milliseconds) else "–"
