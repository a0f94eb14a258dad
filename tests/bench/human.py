"""Human pace: many tables of four, each of which moves once in about five seconds, and tables at which nothing happens.

`python -m tests.bench.human --tables 200 --seconds 20 --against OTHER_TREE` compares our servers of two source trees.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

import uvloop

from tests.bench.bench_server import BenchServer, ServerMissing, separate_cores
from tests.bench.contestants import BOARDGAME_IO, COLYSEUS, CONTESTANTS, RAW, REAL, TRIVIAL, Contestant, ours
from tests.bench.dialects import Dialect
from tests.bench.load import LoadFailed, LoadTable
from tests.bench.measurement import Effort, Report, percentile, turns
from tests.bench.peers import PeerMissing
from tests.bench.workload import LoadResult, measured_play, opened_tables, raise_file_limit

TITLE = "Human pace: a move every five seconds at each of many tables"
PAUSE_SECONDS = 5.0
"""The mean time between the moves of a table."""

WARM_UP_SECONDS = 2.0
SETTLE_SECONDS = 3.0
NAMES = (RAW, TRIVIAL, REAL, COLYSEUS, BOARDGAME_IO)


@dataclass(slots=True)
class Rounds:
    """The figures of one contestant in each round. Waits are in milliseconds."""

    numbers: list[int] = field(default_factory=list)
    microseconds_per_move: list[float] = field(default_factory=list)
    p50: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    share: list[float] = field(default_factory=list)
    """The server's share of its core."""

    load_share: list[float] = field(default_factory=list)
    rest_share: list[float] = field(default_factory=list)
    """The server's share of its core while nothing happens."""

    kib_per_table: list[float] = field(default_factory=list)
    """The memory of a table with its four connections."""

    def add(self, number: int, play: LoadResult) -> None:
        self.numbers.append(number)
        self.microseconds_per_move.append(play.microseconds_per_move)
        self.p50.append(1000 * percentile(play.stats.to_all, 50))
        self.p99.append(1000 * percentile(play.stats.to_all, 99))
        self.share.append(play.server_share)
        self.load_share.append(play.load_share)


@dataclass(slots=True)
class Entrant:
    """A contestant with its running server and open tables."""

    server: BenchServer
    dialect: Dialect
    tables: list[LoadTable] = field(default_factory=list)
    rounds: Rounds = field(default_factory=Rounds)


def human_pause(rng: random.Random) -> Callable[[], float]:
    """Return a function that returns the next pause, which spreads around the mean, so that tables stay independent."""
    return lambda: rng.uniform(0.5, 1.5) * PAUSE_SECONDS


async def play_like_people(server: BenchServer, tables: Sequence[LoadTable], seconds: float) -> LoadResult:
    """Let every table move once in about `PAUSE_SECONDS`; a game that is over makes no more moves."""
    rng = random.Random(1)

    def start() -> None:
        for table in tables:
            table.play(human_pause(rng), rng.uniform(0, PAUSE_SECONDS))

    return await measured_play(server, tables, start, lambda: asyncio.sleep(seconds))


async def share_at_rest(servers: Sequence[BenchServer], seconds: float) -> list[float]:
    """Return the share of a core that each server takes while nothing happens, all at the same time."""
    wall, spent = time.perf_counter(), [server.cpu_seconds() for server in servers]
    await asyncio.sleep(seconds)
    wall = time.perf_counter() - wall
    return [(server.cpu_seconds() - before) / wall for server, before in zip(servers, spent, strict=True)]


def run(effort: Effort) -> Report:
    report = Report(TITLE, rows=[_HEAD])
    raise_file_limit()
    contestants = {contestant.name: contestant for contestant in CONTESTANTS if contestant.name in NAMES}
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(measure(report, contestants, cores, tables=20, rounds=1, seconds=6.0, rest=2.0))
    report.notes += [sentence, *_NOTES]
    return report


_HEAD = ["", "CPU per move", "p50", "p99", "share of a core", "at rest", "KiB per table", "load's CPU"]
_NOTES = [
    "Medians over the rounds. Waits are from sending a move to its receipt by the last of the four players.",
    "At rest: the server's share of its core while nothing happens at the same tables, which stay connected.",
]


async def measure(
    report: Report,
    contestants: dict[str, Contestant],
    cores: set[int],
    *,
    tables: int,
    rounds: int,
    seconds: float,
    rest: float,
) -> None:
    """Measure all contestants with so many tables in interleaved rounds, and add them to the report."""
    with ExitStack() as stack:
        entrants: dict[str, Entrant] = {}
        for name, contestant in contestants.items():
            try:
                server = stack.enter_context(contestant.start(cores))
                entrant = Entrant(server, contestant.dialect(server.port))
                before = server.memory_kib()
                entrant.tables = await opened_tables(entrant.dialect, tables, watchers=0)
                entrant.rounds.kib_per_table.append((server.memory_kib() - before) / tables)
            except (PeerMissing, ServerMissing, LoadFailed, OSError) as missing:
                report.note_once(f"{name}, {tables:,} tables: {missing}")
            else:
                entrants[name] = entrant
        await asyncio.sleep(SETTLE_SECONDS)
        shares = await share_at_rest([entrant.server for entrant in entrants.values()], rest)
        for entrant, share in zip(entrants.values(), shares, strict=True):
            entrant.rounds.rest_share.append(share)
        for number, name in turns(entrants, rounds):
            entrant = entrants[name]
            try:
                await play_like_people(entrant.server, entrant.tables, WARM_UP_SECONDS)
                entrant.rounds.add(number, await play_like_people(entrant.server, entrant.tables, seconds))
            except LoadFailed as failure:
                report.note_once(f"{name}, {tables:,} tables: {failure}")
        for entrant in entrants.values():
            for table in entrant.tables:
                table.close()
    _fill(report, tables, {name: entrant.rounds for name, entrant in entrants.items()})


def _fill(report: Report, tables: int, measured: dict[str, Rounds]) -> None:
    report.rows.append([f"{tables:,} tables", *[""] * (len(_HEAD) - 1)])
    for name, rounds in measured.items():
        report.rows.append(
            [
                f"  {name}",
                _median(rounds.microseconds_per_move, "{:,.0f} µs"),
                _median(rounds.p50, "{:.2f} ms"),
                _median(rounds.p99, "{:.2f} ms"),
                _median(rounds.share, "{:.1%}"),
                _median(rounds.rest_share, "{:.2%}"),
                _median(rounds.kib_per_table, "{:,.0f}"),
                _median(rounds.load_share, "{:.0%}"),
            ]
        )
    report.figures[str(tables)] = {name: asdict(rounds) for name, rounds in measured.items()}


def _median(figures: Sequence[float], form: str) -> str:
    return form.format(statistics.median(figures)) if figures else ""


def compared(report: Report, tables: int, name: str, other: str) -> str:
    """Return a sentence with the cost of a move of one contestant by that of another, of each round."""
    figures = report.figures[str(tables)]
    mine, theirs = figures[name]["microseconds_per_move"], figures[other]["microseconds_per_move"]
    ratios = [mine / their for mine, their in zip(mine, theirs, strict=False)]
    if not ratios:
        return ""
    each = ", ".join(f"{ratio:.3f}" for ratio in ratios)
    return f"CPU per move, {name} by {other}: {statistics.median(ratios):.3f} (rounds: {each})"


def main(arguments: list[str] | None = None) -> int:
    """Compare our servers of this source tree with those of another one, or with other contestants."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.human", description=__doc__)
    parser.add_argument("--tables", type=int, default=200, help="tables of four (default: 200)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of play in each round (default: 20)")
    parser.add_argument("--rounds", type=int, default=3, help="in turn; 0 measures only the rest (default: 3)")
    parser.add_argument("--rest", type=float, default=20.0, help="seconds at which nothing happens (default: 20)")
    parser.add_argument("--against", type=Path, metavar="TREE", help="another source tree to take turns with")
    parser.add_argument("--game", choices=["durable", "trivial", "both"], default="both", help="(default: both)")
    parser.add_argument("--peers", action="store_true", help="measure the other projects' servers as well")
    args = parser.parse_args(arguments)
    games = {"durable": (REAL,), "trivial": (TRIVIAL,), "both": (TRIVIAL, REAL)}[args.game]
    contestants: dict[str, Contestant] = {one.name: one for one in ours() if one.name in games}
    pairs: list[tuple[str, str]] = []
    if args.against is not None:
        for one in ours(args.against.resolve()):
            if one.name in games:
                contestants[other := f"{one.name} ({args.against.resolve().name})"] = one
                pairs.append((one.name, other))
    if args.peers:
        contestants |= {one.name: one for one in CONTESTANTS if one.name in (RAW, COLYSEUS, BOARDGAME_IO)}
    report = Report(TITLE, rows=[_HEAD])
    raise_file_limit()
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(
            measure(
                report,
                contestants,
                cores,
                tables=args.tables,
                rounds=args.rounds,
                seconds=args.seconds,
                rest=args.rest,
            )
        )
    report.notes += [sentence, *_NOTES, *(compared(report, args.tables, *pair) for pair in pairs)]
    print(report.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
