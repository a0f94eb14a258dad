"""Bots that think while people play: what people wait for the answer to a move, without bots and with very many.

The bots of a server think in processes of their own, which share its core here: that is the worst case.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

import uvloop

from tests.bench.live import GAME, MOST_ROUNDS, THINKING_SECONDS, add_figure, add_times, opened_tables, played, sum_of
from tests.bench.live_load import Player, Tally, guests
from tests.bench.live_server import MeasuredServer, cores_apart, measured_server
from tests.bench.measuring import Effort, Report

TITLE = "Bots: people play while bots think"
ABSENCE_SECONDS = 10
SETTLE_SECONDS = 3
PACE = ("--bot-least-seconds", "0.8", "--bot-most-seconds", "2.0")
STRENGTH = "normal"
SEATS = 4


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: so many tables of bots, and rounds in which people play on both servers in turn."""

    bot_tables: int
    peoples_tables: int
    rounds: int
    seconds: float
    warm_up_seconds: float
    """Until a bot stands in for every host who has gone; a brief measurement does not wait for that."""


FULL_SCALE = Scale(bot_tables=50, peoples_tables=40, rounds=6, seconds=10.0, warm_up_seconds=ABSENCE_SECONDS + 10)
QUICK_SCALE = Scale(bot_tables=2, peoples_tables=4, rounds=1, seconds=1.0, warm_up_seconds=1.0)


def run(effort: Effort) -> Report:
    scale = FULL_SCALE if effort.rounds > MOST_ROUNDS else QUICK_SCALE
    report = Report(TITLE, rows=[["", "figure", "to reach"]])
    with cores_apart() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(measure(report, scale, cores))
    report.notes += [sentence, "Moves are durable; times in milliseconds are medians with the 99th percentile."]
    return report


async def measure(report: Report, scale: Scale, cores: set[int]) -> None:
    """Compare two servers, one of which has bots. They take turns: while people play at one, the other stands still."""
    alone, among_bots, thinking = Tally(), Tally(), 0.0
    with measured_server(cores, arguments=PACE) as empty, measured_server(cores, arguments=PACE) as full:
        await _bots_play(full, scale.bot_tables)
        await asyncio.sleep(scale.warm_up_seconds)
        for _ in range(scale.rounds):
            with full.standing_still():
                await _people_play(empty, scale, alone)
            with empty.standing_still():
                # What was under way when it stood still is late now, and is made good first.
                await asyncio.sleep(SETTLE_SECONDS)
                before = full.worker_cpu_seconds()
                await _people_play(full, scale, among_bots)
                thinking += full.worker_cpu_seconds() - before
    title = f"among {scale.bot_tables * SEATS} seats of {STRENGTH} bots"
    add_times(report, "people alone: from move to answer", alone.to_answer)
    add_times(report, f"{title}: from move to answer", among_bots.to_answer)
    ratio = _late(among_bots) / _late(alone)
    add_figure(report, "the 99th percentile among bots, by that alone", ratio, f"{ratio:.2f}", "at most 2")
    share = thinking / (scale.rounds * scale.seconds)
    add_figure(report, f"{title}: thinking", share, f"{100 * share:.0f} % of a core")


async def _people_play(server: MeasuredServer, scale: Scale, tally: Tally) -> None:
    """Let people play at tables of their own for a while, and add to the tally."""
    pauses = random.Random(1)
    tables = await opened_tables(server, scale.peoples_tables, seats=3, watchers=0, seed=7)
    for table in tables:
        table.pause = lambda: pauses.uniform(0, 2 * THINKING_SECONDS)
    await played(server, tables, scale.seconds)
    for table in tables:
        table.close()
    tally.to_answer += sum_of(tables).to_answer


def _late(tally: Tally) -> float:
    ordered = sorted(tally.to_answer)
    return ordered[len(ordered) * 99 // 100]


async def _bots_play(server: MeasuredServer, tables: int) -> None:
    """Let bots play at so many tables: those that sit there, and one for each host, who has gone."""
    settings = {"game": GAME, "seats": SEATS, "absence_seconds": ABSENCE_SECONDS, "time_up": "bot"}
    for token in await guests(server.port, tables):
        host = Player()
        await host.connect(server.port, token)
        table = (await host.request("create_table", settings=settings))["table"]
        await host.request("fill_with_bots", table=table, strength=STRENGTH)
        await host.request("start", table=table)
        host.close()
