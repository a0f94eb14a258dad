"""How many decisions a second bots make, in each game and strength: the processor time of one core, nothing else."""

from __future__ import annotations

import sys
import time

from server.bots.registry import RANDOM, strengths_of
from server.games.options import read_options
from server.games.registry import GAMES
from server.tools.arena import Match, play_game
from server.tools.progress import Progress
from tests.bench.measuring import Effort, Report, on_one_core, percentile

TITLE = "Decisions: what bots think in a second"
SEATS = 4


def run(effort: Effort) -> Report:
    report = Report(TITLE, rows=[["", "decisions per CPU second", "median", "p99"]])
    players = [(game, strength) for game in GAMES for strength in (RANDOM, *strengths_of(game))]
    progress = Progress(sys.stderr, len(players), "strengths")
    with on_one_core() as pinning:
        for done, (game, strength) in enumerate(players):
            progress.advance(done)
            measure(report, game, strength, effort.seconds)
    progress.clear()
    report.notes += [pinning, "Whole games of four bots of the same strength, at least one."]
    return report


def measure(report: Report, game: str, strength: str, seconds: float) -> None:
    """Let bots of a strength play whole games until so many seconds have passed, and add what they took."""
    seats = SEATS if SEATS in GAMES[game].seats else GAMES[game].seats[-1]
    match = Match(game, read_options(GAMES[game].options, {}), (strength,) * seats, seed=1)
    spent: list[float] = []
    end, number = time.monotonic() + seconds, 0
    while not spent or time.monotonic() < end:
        spent += [each for seat in play_game(match, number).seconds for each in seat]
        number += 1
    rate = len(spent) / sum(spent)
    median, late = (1000 * percentile(spent, part) for part in (50, 99))
    report.rows.append([f"{game}, {strength}", f"{rate:,.0f}", f"{median:.2f} ms", f"{late:.2f} ms"])
    report.figures[f"{game}, {strength}"] = {
        "per_cpu_second": rate,
        "median_milliseconds": median,
        "p99_milliseconds": late,
    }
