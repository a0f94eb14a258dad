"""Decisions: the decisions per second of bots, by game and strength, in processor time of one core.

The positions come from all parts of games of easy bots, in random order.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Mapping
from typing import Any

from server.bots.registry import RANDOM, strategy_of, strengths_of
from server.bots.strategy import Question, question_from_play
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.game import Game
from server.games.engine.options import OptionValue, read_options
from server.games.engine.play import begin
from server.games.registry import GAMES
from server.model import Refused
from server.tools.progress import Progress
from tests.bench.measurement import Effort, Report, on_one_core, percentile

TITLE = "Decisions: what bots think in a second"
SEATS = 4
PLAYED_BY = "easy"


def run(effort: Effort) -> Report:
    report = Report(TITLE, rows=[["", "decisions per CPU second", "median", "p99", "asked"]])
    players = [(game, strength) for game in GAMES for strength in (RANDOM, *strengths_of(game))]
    progress = Progress(sys.stderr, len(players), "strengths")
    with on_one_core() as pinning:
        for done, (game, strength) in enumerate(players):
            progress.advance(done)
            measure(report, game, strength, effort.seconds)
    progress.clear()
    report.notes += [pinning, f"Positions from all over games of four {PLAYED_BY} bots; the times are processor time."]
    return report


def measure(report: Report, name: str, strength: str, seconds: float) -> None:
    """Ask the bots of a strength until so many seconds have passed, and add what they took."""
    game, strategy = GAMES[name], strategy_of(name, strength)
    options = read_options(game.options, {})
    spent: list[float] = []
    number = 0
    end = None
    while end is None or time.monotonic() < end:
        number += 1
        questions = questions_of_game(game, options, random.Random(number))
        end = end or time.monotonic() + seconds
        for question in questions:
            start = time.thread_time()
            strategy.choose(question, random.Random(number), math.inf)
            spent.append(time.thread_time() - start)
            if time.monotonic() >= end:
                break
    rate = len(spent) / sum(spent)
    median, late = (1000 * percentile(spent, part) for part in (50, 99))
    shown = [f"{rate:,.0f}", f"{median:.3g} ms", f"{late:.3g} ms", f"{len(spent):,}"]
    report.rows.append([f"{name}, {strength}", *shown])
    report.figures[f"{name}, {strength}"] = {
        "per_cpu_second": rate,
        "median_milliseconds": median,
        "p99_milliseconds": late,
    }


def questions_of_game(game: Game[Any], options: Mapping[str, OptionValue], rng: random.Random) -> list[Question]:
    """Return all questions of one game in random order."""
    seats = SEATS if SEATS in game.seats else game.seats[-1]
    strategy, dice = strategy_of(game.name, PLAYED_BY), Dice(rng.randbytes(SEED_BYTES))
    play, _ = begin(game, seats, options, dice)
    asked: list[Question] = []
    while play.decision is not None:
        seat = play.awaited[0]
        asked.append(question_from_play(play, seat, options))
        answered = play.answer(seat, play.number, strategy.choose(asked[-1], rng, math.inf).command, dice)
        assert not isinstance(answered, Refused), answered
        play, _ = answered
    rng.shuffle(asked)
    return asked
