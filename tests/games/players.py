"""Players for every game, and whole games played by one. The `players.py` of a game adds players of its own."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.game import Game as Rules
from server.games.engine.game import Seat
from server.games.engine.options import read_options
from server.games.engine.play import Play, Step, begin
from server.games.engine.prompts import Command, Prompt
from tests.games.playing import accepted

SHORT_SHARE = 3
"""A short run plays one in so many batches of random games or decisions; ALL_GAMES (`make games`) plays all."""


def batches(count: int) -> range:
    """Return the numbers of the batches to play, of so many in all."""
    return range(count if "ALL_GAMES" in os.environ else count // SHORT_SHARE)


class Player(Protocol):
    """A player that answers every prompt of a game; it may see the whole state."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command: ...


class Uniform:
    """A player that chooses uniformly among all legal commands."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        return prompt.sample(rng)


class Absent:
    """A player that is absent: it always answers with the fallback."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        return prompt.fallback


class Game(NamedTuple):
    """A game, whole or in part."""

    play: Play
    steps: list[Step]
    answers: list[tuple[str, Command]]
    """The kind of each decision, and the answer."""


Watch = Callable[[Play, Step], None]


def seed_bytes(seed: int) -> bytes:
    return seed.to_bytes(SEED_BYTES, "big")


def played_by(
    rules: Rules[Any],
    player: Player,
    *,
    seats: int,
    seed: int,
    steps: int | None = None,
    watch: Watch | None = None,
    undo: int = 0,
    asks_forced: bool = False,
    **options: object,
) -> Game:
    """Play a game to its end, or only this number of answers.

    `watch` is called with every step. The first `undo` steps that can be taken back are taken back. With `asks_forced`,
    each decision is a step of its own, also where a seat has no choice.
    """
    dice, rng = Dice(seed_bytes(seed)), random.Random(seed)
    play, step = begin(rules, seats, read_options(rules.options, options), dice, asks_forced=asks_forced)
    log = [step]
    answers = []
    while play.decision is not None and (steps is None or len(log) <= steps):
        if watch is not None:
            watch(play, log[-1])
        seat = play.awaited[0]
        if undo and play.past:
            undo -= 1
            play, step = accepted(play.undo(seat, play.number))
        else:
            command = player.answer(play, seat, play.decision.prompts[seat], rng)
            answers.append((play.decision.kind, command))
            play, step = accepted(play.answer(seat, play.number, command, dice))
        log.append(step)
    if watch is not None:
        watch(play, log[-1])
    return Game(play, log, answers)
