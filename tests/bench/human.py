"""Human pace: many tables of four, each of which moves once in about five seconds, and tables at which nothing happens.

`python -m tests.bench.human --tables 200 --seconds 20 --against OTHER_TREE` compares our servers of two source trees.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import uvloop

from tests.bench.bench_server import ServerMissing, separate_cores
from tests.bench.contestants import BOARDGAME_IO, COLYSEUS, CONTESTANTS, RAW, REAL, TRIVIAL, Contestant, ours
from tests.bench.human_limit import MAX_P99, MAX_SHARE, Limit, find_limit, most_tables
from tests.bench.human_pace import PAUSE_SECONDS, Entrant, Rounds, entered, page_pings, share_at_rest
from tests.bench.load import LoadFailed
from tests.bench.measurement import Effort, Report, turns
from tests.bench.peers import PeerMissing
from tests.bench.workload import SEATS, raise_file_limit

TITLE = "Human pace: a move every five seconds at each of many tables"
WARM_UP_SECONDS = 2.0
NAMES = (RAW, TRIVIAL, REAL, COLYSEUS, BOARDGAME_IO)
FEW, RESTING, MANY, LIMIT = "few", "resting", "many", "limit"


@dataclass(frozen=True, slots=True)
class Scale:
    """The numbers of tables, and how long each is measured."""

    few: int
    rounds: int
    """Rounds with few tables, all servers taking turns with their tables open."""

    resting: int
    many: int
    most_open: int
    sizes: int
    """Numbers of tables that are tried to find the most that a core carries."""

    seconds: float
    rest_seconds: float
    """At least the time between two pings of a connection."""


QUICK_SCALE = Scale(few=10, rounds=1, resting=20, many=30, most_open=40, sizes=1, seconds=2.0, rest_seconds=2.0)


def full_scale() -> Scale:
    """Return the scale for this machine, whose limit of open files is the limit of tables."""
    most = most_tables()
    many = min(2_000, most)
    return Scale(200, rounds=3, resting=1_000, many=many, most_open=most, sizes=4, seconds=10.0, rest_seconds=25.0)


def run(effort: Effort) -> Report:
    report = Report(TITLE, rows=[_HEAD])
    raise_file_limit()
    scale = full_scale() if effort.is_full else QUICK_SCALE
    contestants = {contestant.name: contestant for contestant in CONTESTANTS if contestant.name in NAMES}
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(few_tables(report, contestants, cores, scale.few, scale.rounds, scale.seconds))
        runner.run(many_tables(report, contestants, cores, scale))
    report.notes += [sentence, *_NOTES]
    return report


_HEAD = ["", "CPU per move", "p50", "p99", "share of a core", "at rest", "KiB per table", "load's CPU"]
_NOTES = (
    "Medians over the rounds. Waits are from sending a move to its receipt by the last of the four players.",
    "A table moves every 2.5 to 7.5 seconds, and tables do not know of each other.",
    "At rest: the server's share of its core while nothing happens at the same tables, which stay connected.",
    "KiB per table: with its four connections.",
)
_FAILURES = (PeerMissing, ServerMissing, LoadFailed, OSError)


async def few_tables(
    report: Report,
    contestants: Mapping[str, Contestant],
    cores: set[int],
    tables: int,
    rounds: int,
    seconds: float,
    rest_seconds: float = 0.0,
    pings: tuple[float, float] | None = None,
) -> None:
    """Measure in interleaved rounds, while the tables of all contestants stay open."""
    measured = {name: Rounds() for name in contestants}
    async with AsyncExitStack() as stack:
        entrants: dict[str, Entrant] = {}
        for name, contestant in contestants.items():
            try:
                entrant = await stack.enter_async_context(entered(contestant, cores))
                measured[name].kib_per_table.append(await _opened(entrant, tables))
            except _FAILURES as missing:
                report.note_once(f"{name}: {missing}")
            else:
                entrants[name] = entrant
        if rest_seconds:
            with page_pings([*entrants.values()], pings):
                shares = await share_at_rest([entrant.server for entrant in entrants.values()], rest_seconds)
            for name, share in zip(entrants, shares, strict=True):
                measured[name].rest_share.append(share)
        for number, name in turns(entrants, rounds):
            try:
                await entrants[name].warm_up(WARM_UP_SECONDS)
                measured[name].add(number, await entrants[name].play(seconds))
            except LoadFailed as failure:
                report.note_once(f"{name}, {tables:,} tables: {failure}")
    _fill(report, FEW, tables, measured)


async def _opened(entrant: Entrant, tables: int) -> float:
    """Open so many tables, and return the memory of each in KiB."""
    before = entrant.server.memory_kib()
    await entrant.resize(tables)
    return (entrant.server.memory_kib() - before) / tables


async def many_tables(report: Report, contestants: Mapping[str, Contestant], cores: set[int], scale: Scale) -> None:
    """Measure one server after the other, in two rounds: so many connections cannot stay open at all of them."""
    resting = {name: Rounds() for name in contestants}
    many = {name: Rounds() for name in contestants}
    limits: dict[str, Limit] = {}
    for number, name in turns(contestants, 2):
        try:
            async with entered(contestants[name], cores) as entrant:
                if number == 0:
                    await entrant.resize(scale.resting)
                    resting[name].rest_share += await share_at_rest([entrant.server], scale.rest_seconds)
                    resting[name].add(number, await entrant.play(scale.seconds))
                    await entrant.resize(scale.many)
                else:
                    many[name].kib_per_table.append(await _opened(entrant, scale.many))
                await entrant.warm_up(WARM_UP_SECONDS)
                many[name].add(number, await entrant.play(scale.seconds))
                if number == 1 and name != RAW:
                    guess = int(scale.many * MAX_SHARE / statistics.median(many[name].share))
                    guess = scale.most_open if scale.sizes == 1 else guess
                    limits[name] = await find_limit(entrant, guess, scale.most_open, scale.seconds, scale.sizes)
        except _FAILURES as failure:
            report.note_once(f"{name}: {failure}")
    _fill(report, RESTING, scale.resting, resting)
    _fill(report, MANY, scale.many, many)
    _fill_limits(report, limits)


def _fill(report: Report, part: str, tables: int, measured: Mapping[str, Rounds]) -> None:
    title = f"{tables:,} tables, {SEATS * tables:,} connections, {tables / PAUSE_SECONDS:,.0f} moves/s"
    report.rows.append([title, *[""] * (len(_HEAD) - 1)])
    for name, rounds in measured.items():
        if not rounds.share and not rounds.rest_share:
            continue
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
    contestants = {name: asdict(rounds) for name, rounds in measured.items() if rounds.share}
    report.figures[part] = {"tables": tables, "contestants": contestants}


def _median(figures: Sequence[float], form: str) -> str:
    return form.format(statistics.median(figures)) if figures else ""


def _fill_limits(report: Report, limits: Mapping[str, Limit]) -> None:
    """Add the most tables of each contestant, with the figures of the try that it carried."""
    title = f"most tables of one core, at most {MAX_SHARE:.0%} of it, p99 at most {MAX_P99:g} ms"
    report.rows.append([title, *[""] * (len(_HEAD) - 1)])
    for name in filter(limits.__contains__, NAMES):
        limit, best = limits[name], limits[name].best
        if best is not None:
            waits = [f"{best.p50:.2f} ms", f"{best.p99:.2f} ms", f"{best.share:.1%}", "", "", f"{best.load_share:.0%}"]
            cells = [f"  {name}: {limit.tables:,} tables", f"{best.microseconds_per_move:,.0f} µs", *waits]
            report.rows.append(cells)
            if best.open_tables < limit.tables:
                report.notes.append(
                    f"{name}: {best.open_tables:,} tables were open and made as many moves as {limit.tables:,} would: "
                    "a process may not open more files on this machine."
                )
        report.notes.append(f"{name}, beyond {limit.tables:,} tables: {limit.why}.")
    report.figures[LIMIT] = {name: limit.to_json() for name, limit in limits.items()}


def compared(report: Report, name: str, other: str) -> str:
    """Return a sentence with the cost of a move of one contestant by that of another, of each round."""
    figures = report.figures[FEW]["contestants"]
    if name not in figures or other not in figures:
        return ""
    mine, theirs = figures[name]["microseconds_per_move"], figures[other]["microseconds_per_move"]
    ratios = [one / another for one, another in zip(mine, theirs, strict=False)]
    each = ", ".join(f"{ratio:.3f}" for ratio in ratios)
    return f"CPU per move, {name} by {other}: {statistics.median(ratios):.3f} (rounds: {each})"


def main(arguments: list[str] | None = None) -> int:
    """Compare our servers of this source tree with those of another one, or with other contestants."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.human", description=__doc__)
    parser.add_argument("--tables", type=int, default=200, help="tables of four (default: 200)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of play in each round (default: 20)")
    parser.add_argument("--rounds", type=int, default=3, help="in turn; 0 measures only the rest (default: 3)")
    parser.add_argument("--rest", type=float, default=20.0, help="seconds at which nothing happens (default: 20)")
    parser.add_argument(
        "--pings",
        type=float,
        nargs=2,
        metavar=("LEAST", "MOST"),
        help="seconds of rest after which each connection sends a ping, as an open page does (default: never)",
    )
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
    pings = None if args.pings is None else (args.pings[0], args.pings[1])
    report = Report(TITLE, rows=[_HEAD])
    raise_file_limit()
    with separate_cores() as (cores, sentence), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(few_tables(report, contestants, cores, args.tables, args.rounds, args.seconds, args.rest, pings))
    report.notes += [sentence, *_NOTES, *(compared(report, *pair) for pair in pairs)]
    print(report.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
