"""The live server under load: real rules, real websockets, every move durable before it is answered.

Absolute figures of one machine, so they need an idle one to mean anything. Other servers under the same load would be
contestants beside ours in `CASES`, each a way to open tables and to move; ratios would then be taken within a round.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvloop

from tests.bench.live_load import LoadTable, Player, Socket, Tally, guests
from tests.bench.live_restart import first_move_after_restart
from tests.bench.live_server import MeasuredServer, cores_apart, measured_server
from tests.bench.measuring import Effort, Report
from tests.store.speed import measure_appends

TITLE = "Live: the server under load"
GAME = "investors"
MOST_ROUNDS = 3
THINKING_SECONDS = 2.0
"""How long people at the busy tables think on average."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much load; brief measurements only show that it runs."""

    idle: int
    spectators: int
    tables: int
    watchers: int
    busy_tables: int
    stored_tables: int


FULL_SCALE = Scale(idle=5_000, spectators=1_000, tables=50, watchers=16, busy_tables=500, stored_tables=1_000)
QUICK_SCALE = Scale(idle=200, spectators=50, tables=4, watchers=4, busy_tables=10, stored_tables=20)


def run(effort: Effort) -> Report:
    scale = FULL_SCALE if effort.rounds > MOST_ROUNDS else QUICK_SCALE
    _raise_file_limit()
    report = Report(TITLE, rows=[["", "figure", "to reach"]])
    with cores_apart() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for case in CASES:
            runner.run(case(report, effort, scale, cores))
    report.notes += [sentence, "Moves are durable; times in milliseconds are medians with the 99th percentile."]
    return report


def _raise_file_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def add_figure(report: Report, name: str, figure: float, shown: str, to_reach: str = "") -> None:
    report.rows.append([name, shown, to_reach])
    report.figures[name] = figure


def add_times(report: Report, name: str, seconds: Sequence[float], to_reach: str = "") -> None:
    ordered = sorted(seconds)
    median, late = (1000 * ordered[len(ordered) * part // 100] for part in (50, 99))
    report.rows.append([name, f"{median:.1f} ms, {late:.1f} ms", to_reach])
    report.figures[name] = {"median_milliseconds": median, "p99_milliseconds": late}


# -- idle connections -----------------------------------------------------------------------------------------


async def idle(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    """Measure what connections cost that do nothing; each is a user's own."""
    with measured_server(cores) as server:
        tokens = await guests(server.port, scale.idle)
        before = server.memory_mib()
        sockets = [Socket() for _ in tokens]
        for start in range(0, len(sockets), 50):
            pairs = zip(sockets[start : start + 50], tokens[start : start + 50], strict=True)
            await asyncio.gather(*(socket.connect(server.port, token) for socket, token in pairs))
        await asyncio.sleep(1)
        after = server.memory_mib()
        for socket in sockets:
            socket.close()
    name = f"memory with {scale.idle} idle connections"
    add_figure(report, name, after, f"{after:.0f} MiB", "at most 300 MiB")
    each = (after - before) * 1024 / scale.idle
    add_figure(report, "memory of an idle connection", each, f"{each:.1f} KiB", "at most 28 KiB")


# -- moves and deliveries -------------------------------------------------------------------------------------


async def one_table(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    await _watched_tables(report, effort, cores, 1, scale.spectators)


async def many_tables(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    await _watched_tables(report, effort, cores, scale.tables, scale.watchers)


async def _watched_tables(report: Report, effort: Effort, cores: set[int], tables: int, watchers: int) -> None:
    title = f"{tables} {'table' if tables == 1 else 'tables'}, 4 players and {watchers} spectators each"
    moves, deliveries, cost, load, to_all, joining = [], [], [], [], [], []
    update_bytes, joining_bytes = [], []
    for number in range(min(effort.rounds, MOST_ROUNDS)):
        with measured_server(cores) as server:
            opened = await opened_tables(server, tables, seats=4, watchers=watchers, seed=number)
            spent = await played(server, opened, effort.seconds)
            tally = sum_of(opened)
            moves.append(tally.moves / spent.wall)
            deliveries.append(tally.deliveries / spent.wall)
            cost.append(1e6 * spent.server_cpu / tally.deliveries)
            load.append(spent.load_cpu / spent.wall)
            to_all += tally.to_all
            joining += [await _joined(table) for table in opened]
            update_bytes += [size for table in opened for size in table.update_bytes]
            joining_bytes += [size for table in opened for size in table.joining_bytes]
            for table in opened:
                table.close()
    add_figure(report, f"{title}: moves per second", statistics.median(moves), f"{statistics.median(moves):,.0f}")
    median = statistics.median(deliveries)
    add_figure(report, f"{title}: deliveries per second", median, f"{median:,.0f}")
    median = statistics.median(cost)
    add_figure(report, f"{title}: server CPU per delivery", median, f"{median:.1f} µs")
    add_times(report, f"{title}: from move to last viewer", to_all)
    median = statistics.median(load)
    add_figure(report, f"{title}: load generator's share of its core", median, f"{100 * median:.0f} %", "below 100 %")
    if tables > 1:
        median = statistics.median(update_bytes)
        add_figure(report, "update on the wire, median", median, f"{median:.0f} bytes", "at most 400 bytes")
        most = max(joining_bytes)
        add_figure(report, "joining on the wire, most", most, f"{most} bytes", "at most 8192 bytes")
        add_times(report, "joining a running table", joining, "50 ms")


@dataclass(frozen=True, slots=True)
class Spent:
    wall: float
    server_cpu: float
    load_cpu: float


async def opened_tables(
    server: MeasuredServer,
    tables: int,
    *,
    seats: int,
    watchers: int,
    seed: int,
    watched_at: MeasuredServer | None = None,
) -> list[LoadTable]:
    """Give so many tables at which a game has begun and everybody follows, spectators perhaps at another server."""
    tokens = await guests(server.port, tables * seats + 1)
    watching = [((watched_at or server).port, tokens.pop())] * watchers
    opened: list[LoadTable] = []
    for number in range(tables):
        players = [Player() for _ in range(seats)]
        for player in players:
            await player.connect(server.port, tokens.pop())
        opened.append(LoadTable(players, random.Random(seed * tables + number)))
    for start in range(0, tables, 25):
        await asyncio.gather(*(table.open(GAME, watching) for table in opened[start : start + 25]))
    # What was told of who came and went is not what is measured.
    await asyncio.sleep(1)
    return opened


async def played(server: MeasuredServer, tables: list[LoadTable], seconds: float) -> Spent:
    """Let all tables play for a while, or until one game is over."""
    wall, server_cpu, load_cpu = time.perf_counter(), server.cpu_seconds(), time.process_time()
    for table in tables:
        table.play()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _first_over(tables)
    for table in tables:
        table.stop()
    spent = Spent(time.perf_counter() - wall, server.cpu_seconds() - server_cpu, time.process_time() - load_cpu)
    await asyncio.sleep(0.3)
    return spent


async def _joined(table: LoadTable) -> float:
    """Give the seconds that it takes to join a game that has gone on for a while."""
    begun = time.perf_counter()
    await table.players[0].watch(table)
    return time.perf_counter() - begun


async def _first_over(tables: list[LoadTable]) -> None:
    overs = [asyncio.ensure_future(table.over.wait()) for table in tables]
    try:
        await asyncio.wait(overs, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for over in overs:
            over.cancel()


def sum_of(tables: list[LoadTable]) -> Tally:
    total = Tally()
    for table in tables:
        total.moves += table.tally.moves
        total.deliveries += table.tally.deliveries
        total.to_all += table.tally.to_all
        total.to_answer += table.tally.to_answer
    return total


# -- waiting for an answer ------------------------------------------------------------------------------------


async def busy_tables(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    """Measure how long people wait for the answer to a move, at many tables where people think for a moment."""
    thinking = random.Random(1)
    with measured_server(cores) as server:
        opened = await opened_tables(server, scale.busy_tables, seats=3, watchers=0, seed=7)
        for table in opened:
            table.pause = lambda: thinking.uniform(0, 2 * THINKING_SECONDS)
        spent = await played(server, opened, max(1.0, 3 * effort.seconds))
        tally = sum_of(opened)
        for table in opened:
            table.close()
    title = f"{scale.busy_tables} busy tables"
    pace, cost = tally.moves / spent.wall, 1e6 * spent.server_cpu / tally.moves
    add_figure(report, f"{title}: moves per second", pace, f"{pace:,.0f}")
    add_figure(report, f"{title}: server CPU per move", cost, f"{cost:,.0f} µs")
    add_times(report, f"{title}: from move to answer", tally.to_answer, "20 ms, 100 ms")


async def appends(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    """Measure the store alone."""
    with tempfile.TemporaryDirectory() as folder:
        speed = await measure_appends(Path(folder), in_flight=64, seconds=effort.seconds)
    name = "durable appends per second, 64 tables at once"
    add_figure(report, name, speed.appends_per_second, f"{speed.appends_per_second:,.0f}", "at least 2,000")


async def restart(report: Report, effort: Effort, scale: Scale, cores: set[int]) -> None:
    """Measure how soon people can play on after a restart."""
    waits = [await first_move_after_restart(scale.stored_tables, cores) for _ in range(min(effort.rounds, MOST_ROUNDS))]
    name = f"first move after a restart with {scale.stored_tables} tables"
    add_figure(report, name, max(waits), f"{max(waits):.2f} s", "at most 3 s")


CASES: tuple[Callable[[Report, Effort, Scale, set[int]], Awaitable[None]], ...] = (
    idle,
    one_table,
    many_tables,
    busy_tables,
    appends,
    restart,
)
