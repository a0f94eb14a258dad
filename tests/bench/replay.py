"""Replay: the time to restore a finished game from its log, from its text and from steps already read."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from server.games.engine.game_log import read_log, replay_log, write_log
from server.games.engine.options import read_options
from server.games.registry import GAMES
from server.tools.simulate import random_game
from tests.bench.measurement import Effort, Report, Sample, Spread, interleaved, on_one_core

TITLE = "Replay: milliseconds to restore a finished game from its log"
SEATS = 4
MAX_MILLISECONDS = 20


class FromText:
    """A contestant: a log that is read and replayed once for each measurement."""

    def __init__(self, text: str) -> None:
        self._text = text

    def measure(self) -> Sample:
        return _timed(lambda: replay_log(read_log(self._text)))


class FromSteps(FromText):
    """The same without the reading. Logs are read anew each time, since fifty games in memory would slow Python."""

    def measure(self) -> Sample:
        log = read_log(self._text)
        return _timed(lambda: replay_log(log))


WAYS: dict[str, type[FromText]] = {"text": FromText, "steps": FromSteps}


def _timed(do: Callable[[], object]) -> Sample:
    wall, cpu = time.perf_counter(), time.process_time()
    do()
    return Sample(1, time.perf_counter() - wall, time.process_time() - cpu)


def run(effort: Effort) -> Report:
    report = Report(TITLE)
    report.rows.append(["", "median CPU", "worst CPU", "median wall", "worst wall"])
    with on_one_core() as pinning:
        for name in GAMES:
            _measure_game(name, effort, report)
    report.notes += [
        pinning,
        f"For each of {effort.games} games the median of {effort.rounds} replays; median and worst over the games.",
        f"Figure to reach: below {MAX_MILLISECONDS} from the text.",
    ]
    return report


def _measure_game(name: str, effort: Effort, report: Report) -> None:
    game = GAMES[name]
    options = read_options(game.options, {})
    seats = SEATS if SEATS in game.seats else game.seats[-1]
    contestants: dict[str, FromText] = {}
    for number in range(1, effort.games + 1):
        text = write_log(game, random_game(game, seats, options, seed=1, number=number).steps)
        contestants |= {f"{way} {number}": kind(text) for way, kind in WAYS.items()}
    samples = interleaved(contestants, effort.rounds)
    for way in WAYS:
        games = [samples[each] for each in samples if each.startswith(f"{way} ")]
        cpu = Spread.of([median(1000 * sample.cpu_seconds for sample in rounds) for rounds in games])
        wall = Spread.of([median(1000 * sample.wall_seconds for sample in rounds) for rounds in games])
        row = [f"{name}, from {way}"]
        row += [f"{figure:.1f}" for figure in (cpu.median, cpu.most, wall.median, wall.most)]
        report.rows.append(row)
        report.figures[row[0]] = {"cpu_milliseconds": cpu.to_json(), "wall_milliseconds": wall.to_json()}
