"""Positions of all games with a seat that owes an answer, for tests that ask something of every strategy."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from server.bots.registry import STRATEGIES
from server.bots.strategy import Question, question_in
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.game import Game, Seat
from server.games.engine.play import Play, begin
from server.games.registry import GAMES
from tests.games.playing import Mood, Options, accepted, moved, sampled_options

PLAYERS = [(GAMES[game], strength) for game, strengths in STRATEGIES.items() for strength in strengths]
"""Every game with every strength that is its own."""


class Position(NamedTuple):
    """A play, and a seat that owes an answer in it."""

    play: Play
    seat: Seat
    options: Options

    @property
    def question(self) -> Question:
        return question_in(self.play, self.seat, self.options)

    def asked(self) -> dict[str, Any]:
        """Give the question as it is taken from the seat's view of a table."""
        question = self.question
        options = {name: list(value) if isinstance(value, tuple) else value for name, value in self.options.items()}
        json_value = question.prompt.to_json()
        described = {"game": question.game, "options": options, "seat": self.seat}
        return {**described, "view": question.view, "about": question.kind, "prompt": json_value}


def positions(game: Game[Any], seed: str) -> Iterator[Position]:
    """Give the positions of games without end, with any number of seats and any options, each game in some mood."""
    rng = random.Random(seed)
    while True:
        seats = rng.choice(game.seats)
        options = sampled_options(game, seats, rng)
        dice = Dice(rng.randbytes(SEED_BYTES))
        play, _ = begin(game, seats, options, dice)
        mood = Mood(rng)
        while play.decision is not None:
            yield Position(play, rng.choice(play.awaited), options)
            play, _ = accepted(moved(play, mood(play, rng), dice))


def some_positions(game: Game[Any], seed: str, number: int) -> list[Position]:
    """Give so many positions from all over a few games; those of rare kinds as often as those of common ones."""
    kinds: dict[str, list[Position]] = {}
    for count, position in enumerate(positions(game, seed)):
        assert position.play.decision is not None
        kinds.setdefault(position.play.decision.kind, []).append(position)
        if count >= 50 * number:
            break
    rng = random.Random(seed)
    return [rng.choice(kinds[rng.choice(sorted(kinds))]) for _ in range(number)]
