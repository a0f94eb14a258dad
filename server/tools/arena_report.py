"""The report of a match: estimates with 95 % confidence intervals, as lines and as JSON values.

The games of one deal are not independent of each other: a good hand is good in each of them. The unit of every interval
is therefore the deal, with the mean of its games.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from server.tools.arena import Match, Result
from server.tools.arena_measures import Ratio

_Z = 1.959964
"""Standard errors on each side of the mean in a 95 % confidence interval."""

Deal = Sequence[Result]
"""The games of one deal, one for each seating."""


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def to_json(self, name: str) -> dict[str, float]:
        return {
            name: round(self.value, 4),
            f"{name}_least": round(self.low, 4),
            f"{name}_most": round(self.high, 4),
        }

    def __str__(self) -> str:
        return f"{self.value:.1f} ({self.low:.1f}–{self.high:.1f})"


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of all seats of one entrant together."""

    entrant: str
    seats: int
    wins: float
    won: Estimate
    """The share of games that one seat of this entrant wins; with several seats, their mean."""

    points: Estimate
    decisions: int
    median_seconds: float
    p99_seconds: float
    measures: Mapping[str, Estimate]
    """By name; a measure without a case is left out."""

    def to_json(self) -> dict[str, Any]:
        return {
            "strength": self.entrant,
            "seats": self.seats,
            "wins": round(self.wins, 3),
            **self.won.to_json("won"),
            **self.points.to_json("points"),
            "decisions": self.decisions,
            "median_milliseconds": round(self.median_seconds * 1000, 3),
            "p99_milliseconds": round(self.p99_seconds * 1000, 3),
            "measures": {name: estimate.to_json("value") for name, estimate in self.measures.items()},
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a match."""

    match: Match
    games: int
    deals: int
    ends: Mapping[str, int]
    """The number of games by the reason for their end, the most frequent first."""

    decisions: Estimate
    """Of all seats together in one game."""

    rounds: Estimate
    standings: tuple[Standing, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.match.game,
            "games": self.games,
            "deals": self.deals,
            "seed": self.match.seed,
            "ends": dict(self.ends),
            **self.decisions.to_json("decisions_per_game"),
            **self.rounds.to_json("rounds_per_game"),
            "standings": [standing.to_json() for standing in self.standings],
        }


def report(match: Match, results: Sequence[Result]) -> Report:
    """Return the report of a match from its results, in the order of their numbers."""
    deals: list[list[Result]] = []
    for number, result in enumerate(results):
        if match.deal(number) == len(deals):
            deals.append([])
        deals[-1].append(result)
    return Report(
        match,
        len(results),
        len(deals),
        dict(Counter(result.end for result in results).most_common()),
        _mean([_over(deal, lambda result: sum(map(len, result.seconds))) for deal in deals]),
        _mean([_over(deal, lambda result: result.rounds) for deal in deals]),
        tuple(_standing(entrant, deals) for entrant in dict.fromkeys(match.entrants)),
    )


def _standing(entrant: str, deals: Sequence[Deal]) -> Standing:
    results = [result for deal in deals for result in deal]
    seats = results[0].seated.count(entrant)
    wins = [_over(deal, lambda result: _total(result.wins, result, entrant) / seats) for deal in deals]
    points = [_over(deal, lambda result: _total(result.points, result, entrant) / seats) for deal in deals]
    times = sorted(time for result in results for seat in _seats_of(result, entrant) for time in result.seconds[seat])
    ratios = {name: _ratio([_measured(deal, name, entrant) for deal in deals]) for name in results[0].measures or ()}
    return Standing(
        entrant,
        seats,
        sum(_total(result.wins, result, entrant) for result in results),
        _share(wins, len(results)),
        _mean(points),
        len(times),
        _quantile(times, 0.5),
        _quantile(times, 0.99),
        {name: estimate for name, estimate in ratios.items() if estimate is not None},
    )


def _over(deal: Deal, value: Callable[[Result], float]) -> float:
    """Return the mean of a value over the games of a deal."""
    return sum(map(value, deal)) / len(deal)


def _seats_of(result: Result, entrant: str) -> Iterable[int]:
    return (seat for seat, other in enumerate(result.seated) if other == entrant)


def _total(values: Sequence[float], result: Result, entrant: str) -> float:
    return sum(values[seat] for seat in _seats_of(result, entrant))


def _measured(deal: Deal, name: str, entrant: str) -> Ratio:
    ratios = [(result.measures or {})[name][seat] for result in deal for seat in _seats_of(result, entrant)]
    return Ratio(sum(ratio.total for ratio in ratios), sum(ratio.cases for ratio in ratios))


# -- estimates ------------------------------------------------------------------------------------------------


def _share(shares: Sequence[float], games: int) -> Estimate:
    """Return the mean of the shares won in each deal, with Wilson's score interval, which also holds near 0 and 1.

    Its number of trials is the effective one (Kish): as many independent games as would vary like these deals. Where
    the deals do not vary, that is the number of deals if all were won or none, else the number of games.
    """
    share, variance = _moments(shares)
    trials: float = len(shares)
    if 0 < share < 1 and len(shares) > 1:
        trials = min(games, share * (1 - share) * len(shares) / variance) if variance > 0 else games
    z = _Z * _Z / trials
    middle = (share + z / 2) / (1 + z)
    spread = _Z * math.sqrt(share * (1 - share) / trials + z / (4 * trials)) / (1 + z)
    return Estimate(share, max(0.0, middle - spread), min(1.0, middle + spread))


def _mean(values: Sequence[float]) -> Estimate:
    mean, variance = _moments(values)
    spread = _Z * math.sqrt(variance / len(values))
    return Estimate(mean, mean - spread, mean + spread)


def _ratio(deals: Sequence[Ratio]) -> Estimate | None:
    """Return the ratio of the totals to the counts of all deals; None if there was no case (linearized variance)."""
    total, count = sum(deal.total for deal in deals), sum(deal.cases for deal in deals)
    if count == 0:
        return None
    ratio = total / count
    _, variance = _moments([deal.total - ratio * deal.cases for deal in deals])
    spread = _Z * math.sqrt(variance * len(deals)) / count
    return Estimate(ratio, ratio - spread, ratio + spread)


def _moments(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the variance of values."""
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)


def _quantile(ordered: Sequence[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


# -- lines ----------------------------------------------------------------------------------------------------

_FORM = "{:16} {:>5} {:>8} {:>22} {:>24} {:>10} {:>11} {:>11}"
_HEADER = _FORM.format("strength", "seats", "wins", "won by one seat", "points", "decisions", "median", "p99")
_MEASURE_NAME = "{:30}"
_MEASURE = " {:>22}"


def report_lines(report: Report) -> list[str]:
    """Return a report as lines."""
    games = _counted(report.match.seatings, "game") + (", one for each seating" if report.match.seatings > 1 else "")
    ends = ", ".join(f"{reason} {number}" for reason, number in report.ends.items())
    lines = [
        f"{_counted(report.games, 'game')}: {_counted(report.deals, 'deal')} of {games}.",
        "",
        _HEADER,
        *map(_standing_line, report.standings),
        "",
        *_measure_lines(report.standings),
        f"ends: {ends}",
        f"decisions per game: {report.decisions}",
        f"{_ROUNDS.get(report.match.game, 'turns of each seat')} per game: {report.rounds}",
    ]
    return [line.rstrip() for line in lines]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_ROUNDS = {"investors": "rounds", "builders": "years"}


def _standing_line(standing: Standing) -> str:
    won = standing.won
    return _FORM.format(
        standing.entrant,
        standing.seats,
        f"{standing.wins:.1f}",
        f"{won.value:.1%} ({won.low:.1%}–{won.high:.1%})",
        str(standing.points),
        standing.decisions,
        f"{standing.median_seconds * 1000:.2f} ms",
        f"{standing.p99_seconds * 1000:.2f} ms",
    )


def _measure_lines(standings: Sequence[Standing]) -> list[str]:
    """Return a table of the measures, with a column for each entrant; no lines for a game without measures."""
    names = dict.fromkeys(name for standing in standings for name in standing.measures)
    if not names:
        return []
    lines = [_MEASURE_NAME.format("") + "".join(_MEASURE.format(standing.entrant) for standing in standings)]
    for name in names:
        cells = [str(standing.measures.get(name, "-")) for standing in standings]
        lines.append(_MEASURE_NAME.format(name) + "".join(map(_MEASURE.format, cells)))
    return [*lines, ""]
