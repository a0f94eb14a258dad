"""The arena: strategies play each other, every deal once with each seating of the entrants.

A seating moves the entrants on by one seat. Seatings that repeat an earlier one are not played, so four equal entrants
play each deal once. The same seed plays the same games on any number of cores; only the times differ.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from random import Random
from time import thread_time
from typing import NamedTuple

from server.bots.registry import UnknownStyle, read_style, strategy_of
from server.bots.strategy import Style, question_from_play
from server.games.engine.dice import Dice, digest
from server.games.engine.options import OptionValue
from server.games.engine.play import begin
from server.games.engine.serialization import to_json
from server.games.registry import game_named
from server.model import Refused
from server.tools.arena_measures import Measures, end_reason, measures_of, rounds_of

_QUEUED_PER_JOB = 4
"""Games that are submitted ahead for each process."""


class Entrant(NamedTuple):
    """A strength, and the style in which it plays."""

    strength: str
    style: Style | None = None


def read_entrant(text: str) -> Entrant:
    """Return the entrant that a text such as `hard` or `hard:cautious` names, or raise `UnknownStyle`."""
    strength, separator, style = text.partition(":")
    if separator and not style:
        raise UnknownStyle(f"The style is missing in {text!r}.")
    return Entrant(strength, read_style(strength, style or None))


class Match(NamedTuple):
    """A game, its options and its entrants: the one in each seat of the first game, as `read_entrant` reads it."""

    game: str
    options: Mapping[str, OptionValue]
    entrants: tuple[str, ...]
    seed: int

    @property
    def seatings(self) -> int:
        """Return the number of different seatings, which is the number of games of one deal."""
        shifts = range(1, len(self.entrants) + 1)
        return next(shift for shift in shifts if self._shifted(shift) == self.entrants)

    def seated(self, number: int) -> tuple[str, ...]:
        """Return the entrant in each seat of a game; games are counted from 0."""
        return self._shifted(number % self.seatings)

    def deal(self, number: int) -> int:
        """Return the number of the deal of a game."""
        return number // self.seatings

    def whole_deals(self, games: int) -> int:
        """Return the number of games, at least so many, with which every deal is played with all seatings."""
        return -(-games // self.seatings) * self.seatings

    def _shifted(self, shift: int) -> tuple[str, ...]:
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

    end: str = ""
    """The reason for which the game ended."""

    rounds: float = 0
    measures: Measures | None = None


class IllegalAnswer(AssertionError):
    """A strategy has given a command that its prompt does not admit."""


def play_game(match: Match, number: int) -> Result:
    """Play one game of a match."""
    game = game_named(match.game)
    seated = match.seated(number)
    entrants = [read_entrant(entrant) for entrant in seated]
    strategies = [strategy_of(match.game, entrant.strength) for entrant in entrants]
    dice = Dice(digest("arena/deal", str(match.seed), str(match.deal(number))))
    play, step = begin(game, len(seated), match.options, dice)
    events = list(step)
    seconds = tuple(array("d") for _ in seated)
    while play.decision is not None:
        opened = play
        for seat in opened.awaited:
            seed = digest("arena/choice", str(match.seed), str(number), str(opened.number), str(seat))
            question = question_from_play(opened, seat, match.options, entrants[seat].style)
            rng = Random(seed)  # noqa: S311 (no secrets)
            start = thread_time()
            choice = strategies[seat].choose(question, rng, math.inf)
            seconds[seat].append(thread_time() - start)
            result = play.answer(seat, opened.number, choice.command, dice)
            if isinstance(result, Refused):
                json_value = to_json(choice.command)
                raise IllegalAnswer(f"{seated[seat]} answered {json_value} about {question.kind}: {result.sentence}")
            play, step = result
            events += step
    outcome = game.outcome(play.state)
    assert outcome is not None, "a game without an open decision must be over"
    share = 1 / len(outcome.winners)
    return Result(
        seated,
        tuple(share if seat in outcome.winners else 0.0 for seat in range(len(seated))),
        tuple(score / outcome.per_point for score in outcome.scores),
        outcome.places,
        seconds,
        end_reason(events),
        rounds_of(game.name, events, len(seated)),
        measures_of(game.name, events, len(seated)),
    )


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
