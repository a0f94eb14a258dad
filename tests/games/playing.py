"""Whole games of random legal answers, for tests that run on every game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.game import Game, Seat, Viewer
from server.games.engine.options import Cards, Flag, Limit, Option, OptionValue, Pick, read_options
from server.games.engine.play import Play, Step, begin
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json, to_json
from server.model import Refused

Options = Mapping[str, OptionValue]
Move = tuple[Seat, Command]

MAX_DECISIONS = 5_000
"""The maximum length of a game; a longer one is taken for endless."""


@dataclass
class Record:
    """A played game: its plays, and the step before each of them."""

    game: Game[Any]
    seats: int
    dice: Dice
    plays: list[Play] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    moves: list[Move | None] = field(default_factory=list)
    """The answer that led to each play; None for the beginning and for a step taken back."""

    first_reprs: list[str] = field(default_factory=list)
    """The repr of every play and step when it was new; it must never change."""

    def add(self, move: Move | None, play: Play, step: Step) -> None:
        self.moves.append(move)
        self.plays.append(play)
        self.steps.append(step)
        self.first_reprs.append(repr((play, step)))

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (None, *range(self.seats))

    def sampled(self, rng: random.Random, maximum: int) -> list[int]:
        """Return the indices of some plays that wait for an answer, in order."""
        waiting = range(len(self.plays) - 1)
        return sorted(rng.sample(waiting, min(maximum, len(waiting))))

    @property
    def last(self) -> Play:
        return self.plays[-1]

    def transitions(self) -> Iterator[tuple[Play, Move | None, Play, Step]]:
        """Yield every play with its move, the next play, and the step between them."""
        return zip(self.plays, self.moves[1:], self.plays[1:], self.steps[1:], strict=False)


Choose = Callable[[Play, random.Random], Move | None]
"""A strategy that returns a seat's answer, or None where the seat that is asked takes its last step back."""


def by_chance(play: Play, rng: random.Random) -> Move | None:
    """Answer anything that is legal; sometimes change a sealed answer, sometimes take a step back."""
    assert play.decision is not None
    if play.past and rng.random() < 0.2:
        return None
    seats = sorted(play.decision.prompts) if rng.random() < 0.2 else play.awaited
    seat = rng.choice(seats)
    return seat, play.decision.prompts[seat].sample(rng)


class Bias:
    """A random player with a bias for a whole game: some commands over others, small amounts over large or the reverse.

    Uniform choice spends everything early and then passes for ever; biased games reach positions that it does not.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._likes: dict[str, float] = {}
        self._thrift = rng.choice((-1, 1, 1, 1))
        self._ideas = rng.choice((1, 2, 4, 6))

    def __call__(self, play: Play, rng: random.Random) -> Move | None:
        move = by_chance(play, rng)
        if move is None or play.decision is None:
            return None
        seat, idea = move
        prompt = play.decision.prompts[seat]
        ideas = [idea, *(prompt.sample(rng) for _ in range(self._ideas - 1))]
        return seat, max(ideas, key=self._liking)

    def _liking(self, command: Command) -> tuple[float, int]:
        if command.name not in self._likes:
            self._likes[command.name] = self._rng.random()
        return self._likes[command.name], -self._thrift * _size(to_json(command))


def _size(value: Json) -> int:
    """Return the sum of all numbers in a value: the cost of a bid, and an arbitrary order for other commands."""
    if isinstance(value, dict):
        return _size(list(value.values()))
    if isinstance(value, list):
        return sum(map(_size, value))
    return value if isinstance(value, int) else 0


def by_fallback(play: Play, _: random.Random) -> Move:
    """Answer as for seats whose time has run out."""
    assert play.decision is not None
    return play.awaited[0], play.decision.prompts[play.awaited[0]].fallback


def play_out(game: Game[Any], seats: int, options: Options, rng: random.Random, choose: Choose = by_chance) -> Record:
    """Return the record of a game played to its end."""
    record = Record(game, seats, Dice(rng.randbytes(SEED_BYTES)))
    record.add(None, *begin(game, seats, options, record.dice))
    while record.last.decision is not None:
        play, decision = record.last, record.last.decision
        assert play.number <= MAX_DECISIONS, f"the game has not ended after {MAX_DECISIONS} decisions"
        assert len(play.awaited) > 0, "nobody is awaited though the game is not over"
        assert all(prompt.choices for prompt in decision.prompts.values()), f"{decision.kind} offers nothing"
        move = choose(play, rng)
        record.add(move, *accepted(moved(play, move, record.dice)))
    return record


def moved(play: Play, move: Move | None, dice: Dice) -> tuple[Play, Step] | Refused:
    """Return the play after an answer, or after the seat that is asked took its last step back."""
    if move is None:
        return play.undo(play.awaited[0], play.number)
    seat, command = move
    return play.answer(seat, play.number, command, dice)


def accepted(result: tuple[Play, Step] | Refused) -> tuple[Play, Step]:
    assert not isinstance(result, Refused), f"a legal answer was refused: {result}"
    return result


def sampled_options(game: Game[Any], seats: int, rng: random.Random) -> dict[str, OptionValue]:
    """Return options that may be agreed, drawn from the game's own description of them."""
    for _ in range(100):
        given = {option.name: sampled_value(option, rng) for option in game.options if rng.random() < 0.5}
        options = read_options(game.options, given)
        if game.check_options(seats, options) is None:
            return options
    raise AssertionError(f"{game.name} contradicts nearly all options")


def sampled_value(option: Option, rng: random.Random) -> object:
    match option:
        case Flag():
            return rng.random() < 0.5
        case Limit():
            return None if option.none and rng.random() < 0.3 else rng.randint(option.minimum, option.maximum)
        case Pick():
            if option.each and rng.random() < 0.3:
                return [rng.choice(option.values) for _ in option.each]
            return rng.choice(option.values)
        case Cards():
            supply = [card for card, copies in option.supply.items() for _ in range(copies)]
            return rng.sample(supply, option.size) if rng.random() < 0.8 else []
    raise AssertionError(option)
