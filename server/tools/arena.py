"""Strategies play each other: the same deals again and again, with every strategy in every seat.

Game by game the entrants move on by one seat; a deal is played until everybody had every seat, then comes the next.
The same seed gives the same games, on however many cores; only the times differ.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from random import Random
from time import thread_time
from typing import NamedTuple

from server.bots.registry import strategy_of
from server.bots.strategy import question_from_play
from server.games.engine.dice import Dice, digest
from server.games.engine.options import OptionValue
from server.games.engine.play import begin
from server.games.engine.serialization import Json, to_json
from server.games.registry import game_named
from server.model import Refused

_WAITING_PER_JOB = 4
"""Games that are handed to a process ahead of time."""

_Z = 1.959964
"""How many standard errors lie on each side of the mean in an interval of 95 %."""


class Match(NamedTuple):
    """What is played: a game, and the strength that plays in each seat of its first game."""

    game: str
    options: Mapping[str, OptionValue]
    entrants: tuple[str, ...]
    seed: int

    def seated(self, number: int) -> tuple[str, ...]:
        """Give the strength in each seat of a game; games are counted from 0."""
        shift = number % len(self.entrants)
        return self.entrants[shift:] + self.entrants[:shift]


@dataclass(frozen=True, slots=True)
class Result:
    """How one game went, by seat. Who shares the first place shares the win."""

    seated: tuple[str, ...]
    wins: tuple[float, ...]
    points: tuple[float, ...]
    seconds: tuple[array[float], ...]
    """The processor time of each decision: what others do on the machine does not count."""


class IllegalAnswer(AssertionError):
    """A strategy has answered what its prompt does not admit."""


def play_game(match: Match, number: int) -> Result:
    """Play one game of a match."""
    game = game_named(match.game)
    seated = match.seated(number)
    strategies = [strategy_of(match.game, strength) for strength in seated]
    dice = Dice(digest("arena/deal", str(match.seed), str(number // len(seated))))
    play, _ = begin(game, len(seated), match.options, dice)
    seconds = tuple(array("d") for _ in seated)
    while play.decision is not None:
        asked = play
        for seat in asked.awaited:
            seed = digest("arena/choice", str(match.seed), str(number), str(asked.number), str(seat))
            question, rng = question_from_play(asked, seat, match.options), Random(seed)  # noqa: S311 (no secrets)
            start = thread_time()
            chosen = strategies[seat].choose(question, rng, math.inf)
            seconds[seat].append(thread_time() - start)
            answered = play.answer(seat, asked.number, chosen.command, dice)
            if isinstance(answered, Refused):
                json_value = to_json(chosen.command)
                raise IllegalAnswer(f"{seated[seat]} answered {json_value} about {question.kind}: {answered.sentence}")
            play, _ = answered
    outcome = game.outcome(play.state)
    assert outcome is not None, "a game that asks nothing more must be over"
    share = 1 / len(outcome.winners)
    wins = tuple(share if seat in outcome.winners else 0.0 for seat in range(len(seated)))
    points = tuple(score / outcome.per_point for score in outcome.scores)
    return Result(seated, wins, points, seconds)


def play_match(match: Match, games: int, jobs: int) -> Iterator[Result]:
    """Play so many games in so many processes, and give each result as it comes, always in the same order."""
    if jobs == 1:
        yield from (play_game(match, number) for number in range(games))
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        numbers = iter(range(games))
        waiting: list[Future[Result]] = []
        try:
            while True:
                room = jobs * _WAITING_PER_JOB - len(waiting)
                waiting += [pool.submit(play_game, match, number) for number in islice(numbers, room)]
                if not waiting:
                    return
                yield waiting.pop(0).result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


class Estimate(NamedTuple):
    """A figure and the interval in which it lies with a confidence of 95 %."""

    value: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Standing:
    """How all seats of one strength did together."""

    strength: str
    seats: int
    wins: float
    won: Estimate
    """The share of games that one seat of this strength wins; with several seats, their average."""

    points: Estimate
    decisions: int
    median_seconds: float
    p99_seconds: float

    def to_json(self) -> dict[str, Json | float]:
        return {
            "strength": self.strength,
            "seats": self.seats,
            "wins": round(self.wins, 3),
            **_estimate_to_json("won", self.won),
            **_estimate_to_json("points", self.points),
            "decisions": self.decisions,
            "median_milliseconds": round(self.median_seconds * 1000, 3),
            "p99_milliseconds": round(self.p99_seconds * 1000, 3),
        }


def _estimate_to_json(name: str, estimate: Estimate) -> dict[str, Json | float]:
    return {
        name: round(estimate.value, 4),
        f"{name}_least": round(estimate.least, 4),
        f"{name}_most": round(estimate.most, 4),
    }


def standings(match: Match, results: Sequence[Result]) -> list[Standing]:
    """Give how each strength did, in the order in which they were named."""
    return [_standing(strength, results) for strength in dict.fromkeys(match.entrants)]


def _standing(strength: str, results: Sequence[Result]) -> Standing:
    seats = results[0].seated.count(strength)
    # Seats of one game depend on each other, so a game counts once: with the average of its seats.
    wins = [_total(result.wins, result, strength) / seats for result in results]
    points = [_total(result.points, result, strength) / seats for result in results]
    times = sorted(time for result in results for seat in _seats_of(result, strength) for time in result.seconds[seat])
    return Standing(
        strength,
        seats,
        sum(wins) * seats,
        _share(sum(wins), len(wins)),
        _mean(points),
        len(times),
        _quantile(times, 0.5),
        _quantile(times, 0.99),
    )


def _seats_of(result: Result, strength: str) -> Iterable[int]:
    return (seat for seat, other in enumerate(result.seated) if other == strength)


def _total(values: Sequence[float], result: Result, strength: str) -> float:
    return sum(values[seat] for seat in _seats_of(result, strength))


def _share(wins: float, games: int) -> Estimate:
    """Give a share with the interval of Wilson, which also holds near 0 and 1."""
    share, z = wins / games, _Z * _Z / games
    middle = (share + z / 2) / (1 + z)
    spread = _Z * math.sqrt(share * (1 - share) / games + z / (4 * games)) / (1 + z)
    return Estimate(share, max(0.0, middle - spread), min(1.0, middle + spread))


def _mean(values: Sequence[float]) -> Estimate:
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    spread = _Z * math.sqrt(variance / len(values))
    return Estimate(mean, mean - spread, mean + spread)


def _quantile(ordered: Sequence[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


_FORM = "{:9} {:>5} {:>8} {:>22} {:>24} {:>10} {:>11} {:>11}"
HEADER = _FORM.format("strength", "seats", "wins", "won by one seat", "points", "decisions", "median", "p99")


def standing_line(standing: Standing) -> str:
    """Give a standing as a line below the header."""
    won, points = standing.won, standing.points
    return _FORM.format(
        standing.strength,
        standing.seats,
        f"{standing.wins:.1f}",
        f"{won.value:.1%} ({won.least:.1%}–{won.most:.1%})",
        f"{points.value:.1f} ({points.least:.1f}–{points.most:.1f})",
        standing.decisions,
        f"{standing.median_seconds * 1000:.2f} ms",
        f"{standing.p99_seconds * 1000:.2f} ms",
    )
