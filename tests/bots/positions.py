"""Positions of all games with a seat that owes an answer, for the tests of all strategies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from server.bots.registry import STRATEGIES
from server.bots.strategy import Question, question_from_play
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.game import Game, Seat
from server.games.engine.play import Play, begin
from server.games.registry import GAMES
from tests.games.playing import Bias, Options, accepted, moved, sampled_options

PLAYERS = [(GAMES[game], strength) for game, strengths in STRATEGIES.items() for strength in strengths]
"""Every game with every strength that is its own."""


class Position(NamedTuple):
    """A play, and a seat that owes an answer in it."""

    play: Play
    seat: Seat
    options: Options

    @property
    def question(self) -> Question:
        return question_from_play(self.play, self.seat, self.options)

    def question_json(self) -> dict[str, Any]:
        """Return the question as `question_from_view` takes it from the seat's view of a table."""
        question = self.question
        options = {name: list(value) if isinstance(value, tuple) else value for name, value in self.options.items()}
        json_value = question.prompt.to_json()
        described = {"game": question.game, "options": options, "seat": self.seat}
        return {**described, "view": question.view, "about": question.kind, "prompt": json_value, "style": None}


def positions(game: Game[Any], seed: str) -> Iterator[Position]:
    """Yield the positions of endless random games, with any seats and options, each game with some bias."""
    rng = random.Random(seed)
    while True:
        seats = rng.choice(game.seats)
        options = sampled_options(game, seats, rng)
        dice = Dice(rng.randbytes(SEED_BYTES))
        # Tables from before ask forced seats too, so bots must understand every question.
        play, _ = begin(game, seats, options, dice, asks_forced=True)
        bias = Bias(rng)
        while play.decision is not None:
            yield Position(play, rng.choice(play.awaited), options)
            play, _ = accepted(moved(play, bias(play, rng), dice))


def some_positions(game: Game[Any], seed: str, number: int) -> list[Position]:
    """Return positions from a few games; decisions of rare kinds as often as those of common kinds."""
    kinds: dict[str, list[Position]] = {}
    for count, position in enumerate(positions(game, seed)):
        assert position.play.decision is not None
        kinds.setdefault(position.play.decision.kind, []).append(position)
        if count >= 50 * number:
            break
    rng = random.Random(seed)
    return [rng.choice(kinds[rng.choice(sorted(kinds))]) for _ in range(number)]
