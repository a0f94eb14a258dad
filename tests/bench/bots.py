"""Bots: the latency of people's moves, without bots and with very many.

Bots run in worker processes, which share the server's core here: that is the worst case.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import uvloop

from tests.bench.bench_server import BenchServer, our_server, separate_cores
from tests.bench.contestants import GAME
from tests.bench.dialects.ours import OurDialect, OurMover, connect, guests
from tests.bench.live import THINKING_SECONDS
from tests.bench.load import LoadTable
from tests.bench.measurement import Effort, Report, percentile
from tests.bench.workload import opened_tables, run_load

TITLE = "Bots: people play while bots think"
ABSENCE_SECONDS = 10
SETTLE_SECONDS = 3
PACE = ("--bot-min-seconds", "0.8", "--bot-max-seconds", "2.0")
STRENGTH = "normal"
SEATS = 4


@dataclass(frozen=True, slots=True)
class Scale:
    """The number of tables of bots and of people, and the rounds in which people play on both servers in turn."""

    bot_tables: int
    peoples_tables: int
    rounds: int
    seconds: float
    warm_up_seconds: float
    """The time until a bot stands in for every absent host; a brief measurement does not wait for that."""


FULL_SCALE = Scale(bot_tables=50, peoples_tables=40, rounds=6, seconds=10.0, warm_up_seconds=ABSENCE_SECONDS + 10)
QUICK_SCALE = Scale(bot_tables=2, peoples_tables=4, rounds=1, seconds=1.0, warm_up_seconds=1.0)


def run(effort: Effort) -> Report:
    scale = FULL_SCALE if effort.is_full else QUICK_SCALE
    report = Report(TITLE, rows=[["", "figure", "to reach"]])
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(measure(report, scale, cores))
    report.notes += [sentence, "Moves are durable; times in milliseconds are medians with the 99th percentile."]
    return report


async def measure(report: Report, scale: Scale, cores: set[int]) -> None:
    """Compare two servers, one of which has bots. They take turns: while people play at one, the other is suspended."""
    alone: list[float] = []
    among_bots: list[float] = []
    thinking = 0.0
    with our_server(cores, arguments=PACE) as empty, our_server(cores, arguments=PACE) as full:
        await _bots_play(full, scale.bot_tables)
        await asyncio.sleep(scale.warm_up_seconds)
        for _ in range(scale.rounds):
            with full.suspended():
                alone += await _people_play(empty, scale)
            with empty.suspended():
                # First let the server catch up on what is overdue since it was suspended.
                await asyncio.sleep(SETTLE_SECONDS)
                before = full.worker_cpu_seconds()
                among_bots += await _people_play(full, scale)
                thinking += full.worker_cpu_seconds() - before
    title = f"among {scale.bot_tables * SEATS} seats of {STRENGTH} bots"
    report.add_times("people alone: from move to answer", alone)
    report.add_times(f"{title}: from move to answer", among_bots)
    ratio = percentile(among_bots, 99) / percentile(alone, 99)
    report.add("the 99th percentile among bots, by that alone", ratio, f"{ratio:.2f}", "at most 2")
    share = thinking / (scale.rounds * scale.seconds)
    report.add(f"{title}: thinking", share, f"{100 * share:.0f} % of a core")


async def _people_play(server: BenchServer, scale: Scale) -> list[float]:
    """Let people play at their own tables for a while, and return the latencies of their moves in seconds."""
    tables = await opened_tables(OurDialect(server.port, game=GAME), scale.peoples_tables, watchers=0, seats=3)
    play = await run_load(server, tables, scale.seconds, scale.peoples_tables / THINKING_SECONDS)
    for table in tables:
        table.close()
    return play.stats.to_answer


async def _bots_play(server: BenchServer, tables: int) -> None:
    """Let bots play at so many tables, with one stand-in for each host, who has left."""
    settings = {"game": GAME, "seats": SEATS, "absence_seconds": ABSENCE_SECONDS, "time_up": "bot"}
    for token in await guests(server.port, tables):
        host = OurMover(LoadTable(), seat=0)
        await connect(host, server.port, token)
        table = (await host.request("create_table", settings=settings))["table"]
        await host.request("fill_with_bots", table=table, strength=STRENGTH)
        await host.request("start", table=table)
        host.close()
