"""Rules: decisions per second in random legal play, compared with catanatron's random players.

A decision is one answer of one seat: computing the prompt, sampling from it, checking and applying the answer.
Catanatron's decisions are counted the same way: one for each action of its four random players. Catanatron also asks a
player who has one possible action, so our seats are asked here for answers that have no alternative; at a table the
play answers for them.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from server.games.registry import GAMES
from tests.bench.builds import ACCELERATED, NOT_BUILT, PLAIN, Environment, builds
from tests.bench.measurement import Effort, Report, Sample, Spread, interleaved, on_one_core
from tests.bench.peers import PeerMissing, python_with
from tests.bench.processes import Worker

TITLE = "Rules: decisions per second in random legal play"
PEER = "catanatron"
REQUIREMENTS = ("catanatron==3.2.1", "networkx==3.6.1")
SEATS = 4
MAX_ROUNDS = 7
PLAIN_RATIOS, ACCELERATED_RATIOS = (3.5, 4.0), (5.0, 7.0)
"""The ratios to catanatron to reach first and in the end."""


def run(effort: Effort) -> Report:
    report = Report(TITLE)
    with ExitStack() as stack:
        report.notes.append(stack.enter_context(on_one_core()))
        workers: dict[str, Worker] = {}

        def enter(name: str, python: Path | str, module: str, *arguments: str, build: Environment) -> None:
            workers[name] = stack.enter_context(
                Worker(python, module, *arguments, seconds=effort.seconds, environment=build)
            )

        found = builds(effort)
        for build, environment in found.items():
            for name, game in GAMES.items():
                seats = str(SEATS if SEATS in game.seats else game.seats[-1])
                title = name if build == PLAIN else f"{name}, {build}"
                enter(title, sys.executable, "tests.bench.game_worker", name, seats, build=environment)
        if ACCELERATED not in found:
            report.notes.append(NOT_BUILT)
        try:
            enter(PEER, python_with(PEER, *REQUIREMENTS), "tests.bench.catanatron_worker", build={})
        except PeerMissing as missing:
            report.notes.append(str(missing))
        for worker in workers.values():
            worker.warm_up()
        samples = interleaved(workers, min(effort.rounds, MAX_ROUNDS))
    fill(report, samples)
    return report


def fill(report: Report, samples: dict[str, list[Sample]]) -> None:
    """Add the samples to the report; ratios are those within a round."""
    report.rows.append(["", "per CPU second", "per wall second", "ratio by CPU time", "ratio by wall time"])
    peer = samples.get(PEER)
    for name, own in samples.items():
        cpu = Spread.of([sample.per_cpu_second for sample in own])
        wall = Spread.of([sample.per_wall_second for sample in own])
        row = [name, f"{cpu.median:,.0f}", f"{wall.median:,.0f}"]
        figures = {"per_cpu_second": cpu.to_json(), "per_wall_second": wall.to_json()}
        if peer is None or name == PEER:
            row += ["", ""]
        else:
            pairs = list(zip(own, peer, strict=True))
            by_cpu = Spread.of([ours.per_cpu_second / theirs.per_cpu_second for ours, theirs in pairs])
            by_wall = Spread.of([ours.per_wall_second / theirs.per_wall_second for ours, theirs in pairs])
            row += [_ratio(by_cpu), _ratio(by_wall)]
            figures |= {"ratio_by_cpu_time": by_cpu.to_json(), "ratio_by_wall_time": by_wall.to_json()}
        report.rows.append(row)
        report.figures[name] = figures
    report.notes.append(f"Medians over {len(next(iter(samples.values())))} rounds; ratios with the least and the most.")
    if peer is not None:
        report.notes.append(f"Ratios to {PEER}. Accelerated: the build that `make accelerate` compiles.")


def _ratio(spread: Spread) -> str:
    return f"{spread.median:.2f} ({spread.least:.2f} to {spread.most:.2f})"
