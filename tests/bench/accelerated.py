"""Accelerated: the build that `make accelerate` compiles, by the plain one of the same source, in interleaved rounds.

Measured are whole moves, with everything from the websocket to the log, and decisions of hard bots. Rules are in
`rules.py`. All other benchmarks run the plain build.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from contextlib import ExitStack

import uvloop

from server.games.registry import GAMES
from tests.bench.bench_server import our_server, separate_cores
from tests.bench.builds import ACCELERATED, NOT_BUILT, PLAIN, Environment, builds
from tests.bench.contestants import GAME
from tests.bench.dialects.ours import OurDialect
from tests.bench.measurement import Effort, Report, Spread, interleaved, on_one_core, turns
from tests.bench.processes import Worker
from tests.bench.trivial_server import IN_MEMORY, MODULE
from tests.bench.workload import opened_tables, raise_file_limit, run_load

TITLE = "Accelerated: the compiled build by the plain one"
WHOLE_MOVE, WHOLE_DURABLE_MOVE = "a whole move in memory", "a whole durable move"
HARD_BOTS = "decisions of hard bots"
TABLES, MAX_ROUNDS = 20, 5
_HEAD = ["", "plain", "accelerated", "ratio of CPU time"]


def run(effort: Effort) -> Report:
    report = Report(TITLE, rows=[_HEAD])
    both = builds(effort)
    if ACCELERATED not in both:
        report.notes.append(NOT_BUILT)
        return report
    raise_file_limit()
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(whole_moves(report, WHOLE_MOVE, (*MODULE, *IN_MEMORY), both, effort, cores))
        runner.run(whole_moves(report, WHOLE_DURABLE_MOVE, ("server",), both, effort, cores))
    with on_one_core():
        for game in GAMES:
            hard_bots(report, game, both, effort)
    report.notes += [
        sentence,
        f"Medians over the rounds; ratios with the least and the most. Moves: Investors at {TABLES} tables of four.",
        "Hard bots answer the same questions in both builds.",
    ]
    return report


async def whole_moves(
    report: Report,
    name: str,
    module: tuple[str, ...],
    both: Mapping[str, Environment],
    effort: Effort,
    cores: set[int],
) -> None:
    """Measure the CPU of a move of Investors at full speed."""
    spent: dict[str, list[float]] = {build: [] for build in both}
    for number, build in turns(both, min(effort.rounds, MAX_ROUNDS)):
        with our_server(cores, module=module, environment=both[build]) as server:
            tables = await opened_tables(OurDialect(server.port, number, game=GAME), TABLES, watchers=0)
            play = await run_load(server, tables, effort.seconds)
            spent[build].append(play.microseconds_per_move)
            for table in tables:
                table.close()
    _add(report, name, spent)


def hard_bots(report: Report, game: str, both: Mapping[str, Environment], effort: Effort) -> None:
    """Measure the CPU of the same decisions; a round of a worker is one bundle of questions."""
    with ExitStack() as stack:
        workers = {
            build: stack.enter_context(
                Worker(sys.executable, "tests.bench.bot_worker", game, seconds=0.001, environment=environment)
            )
            for build, environment in both.items()
        }
        for worker in workers.values():
            worker.warm_up()
        samples = interleaved(workers, min(effort.rounds, MAX_ROUNDS))
    times = {build: [1e6 * sample.cpu_seconds / sample.amount for sample in taken] for build, taken in samples.items()}
    _add(report, f"{HARD_BOTS}, {game}", times)


def _add(report: Report, name: str, microseconds: Mapping[str, list[float]]) -> None:
    plain, accelerated = microseconds[PLAIN], microseconds[ACCELERATED]
    ratios = Spread.of([slow / fast for slow, fast in zip(plain, accelerated, strict=True)])
    times = [f"{Spread.of(spent).median:,.0f} µs" for spent in (plain, accelerated)]
    report.rows.append([name, *times, f"{ratios.median:.2f} ({ratios.least:.2f} to {ratios.most:.2f})"])
    report.figures[name] = ratios.to_json()
