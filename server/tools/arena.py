"""The arena: strategies play each other, every deal once with each strategy in each seat.

The entrants move on by one seat from game to game; after a full rotation comes the next deal. The same seed plays the
same games on any number of cores; only the times differ.
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

_QUEUED_PER_JOB = 4
"""Games that are submitted ahead for each process."""

_Z = 1.959964
"""Standard errors on each side of the mean in a 95 % confidence interval."""


class Match(NamedTuple):
    """A game, its options and its entrants: the strength in each seat of the first game."""

    game: str
    options: Mapping[str, OptionValue]
    entrants: tuple[str, ...]
    seed: int

    def seated(self, number: int) -> tuple[str, ...]:
        """Return the strength in each seat of a game; games are counted from 0."""
        shift = number % len(self.entrants)
        return self.entrants[shift:] + self.entrants[:shift]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game, by seat. A shared first place is a shared win."""

    seated: tuple[str, ...]
    wins: tuple[float, ...]
    points: tuple[float, ...]
    places: tuple[int, ...]
    seconds: tuple[array[float], ...]
    """The processor time of each decision, which does not depend on other programs."""


class IllegalAnswer(AssertionError):
    """A strategy has given a command that its prompt does not admit."""


def play_game(match: Match, number: int) -> Result:
    """Play one game of a match."""
    game = game_named(match.game)
    seated = match.seated(number)
    strategies = [strategy_of(match.game, strength) for strength in seated]
    dice = Dice(digest("arena/deal", str(match.seed), str(number // len(seated))))
    play, _ = begin(game, len(seated), match.options, dice)
    seconds = tuple(array("d") for _ in seated)
    while play.decision is not None:
        opened = play
        for seat in opened.awaited:
            seed = digest("arena/choice", str(match.seed), str(number), str(opened.number), str(seat))
            question, rng = question_from_play(opened, seat, match.options), Random(seed)  # noqa: S311 (no secrets)
            start = thread_time()
            choice = strategies[seat].choose(question, rng, math.inf)
            seconds[seat].append(thread_time() - start)
            result = play.answer(seat, opened.number, choice.command, dice)
            if isinstance(result, Refused):
                json_value = to_json(choice.command)
                raise IllegalAnswer(f"{seated[seat]} answered {json_value} about {question.kind}: {result.sentence}")
            play, _ = result
    outcome = game.outcome(play.state)
    assert outcome is not None, "a game without an open decision must be over"
    share = 1 / len(outcome.winners)
    wins = tuple(share if seat in outcome.winners else 0.0 for seat in range(len(seated)))
    points = tuple(score / outcome.per_point for score in outcome.scores)
    return Result(seated, wins, points, outcome.places, seconds)


def play_match(match: Match, games: int, jobs: int) -> Iterator[Result]:
    """Yield the results of so many games, played in so many processes, in the order of their numbers."""
    if jobs == 1:
        yield from (play_game(match, number) for number in range(games))
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        numbers = iter(range(games))
        pending: list[Future[Result]] = []
        try:
            while True:
                room = jobs * _QUEUED_PER_JOB - len(pending)
                pending += [pool.submit(play_game, match, number) for number in islice(numbers, room)]
                if not pending:
                    return
                yield pending.pop(0).result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of all seats of one strength together."""

    strength: str
    seats: int
    wins: float
    won: Estimate
    """The share of games that one seat of this strength wins; with several seats, their mean."""

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
        f"{name}_least": round(estimate.low, 4),
        f"{name}_most": round(estimate.high, 4),
    }


def standings(match: Match, results: Sequence[Result]) -> list[Standing]:
    """Return the standing of each strength, in the order of the entrants."""
    return [_standing(strength, results) for strength in dict.fromkeys(match.entrants)]


def _standing(strength: str, results: Sequence[Result]) -> Standing:
    seats = results[0].seated.count(strength)
    # The seats of one game are not independent, so a game counts once, with the mean of its seats.
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
    """Return a share with its Wilson score interval, which also holds near 0 and 1."""
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
    """Return a standing as a line below the header."""
    won, points = standing.won, standing.points
    return _FORM.format(
        standing.strength,
        standing.seats,
        f"{standing.wins:.1f}",
        f"{won.value:.1%} ({won.low:.1%}–{won.high:.1%})",
        f"{points.value:.1f} ({points.low:.1f}–{points.high:.1f})",
        standing.decisions,
        f"{standing.median_seconds * 1000:.2f} ms",
        f"{standing.p99_seconds * 1000:.2f} ms",
    )
