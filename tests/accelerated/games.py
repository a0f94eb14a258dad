"""Plays seeded games with the build that runs, and prints a hash of everything that they produced.

One line for each game: its setting, and hashes of its log, of the views and patches of all viewers, and of the choices
of its bots with their reasons. Then one line for each game at a table, with hashes of the bytes of its log and of all
frames. The same lines come from both builds, or one of them is wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import server
from protocol.codec import pack
from protocol.patch import difference, patched
from server.bots.question import choice_to_json
from server.bots.registry import RANDOM, strategy_of, strengths_of
from server.bots.strategy import question_from_play
from server.games.engine.dice import Dice
from server.games.engine.game import Game
from server.games.engine.options import Cards, Flag, Limit, Option, Pick, read_options
from server.games.engine.play import Step, begin, play_view, replay
from server.games.engine.serialization import to_json
from server.games.registry import GAMES
from tests.accelerated.tables import at_a_table
from tests.games.players import seed_bytes
from tests.games.playing import accepted

HARD_DECISIONS = 2
"""In a game, each hard bot thinks so often; then it plays as an easy one, because it thinks for long."""


def settings(game: Game[Any]) -> Iterator[dict[str, object]]:
    """Yield the default options of a game, and for each option all else that can be chosen, within reason."""
    yield {}
    for option in game.options:
        for value in _other_values(option):
            yield {option.name: value}


def _other_values(option: Option) -> list[object]:
    match option:
        case Flag():
            return [not option.default]
        case Limit():
            return [value for value in (option.minimum, option.maximum) if value != option.default]
        case Pick():
            return [value for value in option.values if value != option.default]
        case Cards():
            every = [card for card, number in option.supply.items() for _ in range(number)]
            return [every[: option.size]]


class Trace:
    """Hashes of what a game produced."""

    def __init__(self) -> None:
        self._hashes = {part: hashlib.sha256() for part in ("log", "views", "patches", "choices")}

    def add(self, part: str, value: object) -> None:
        self._hashes[part].update(pack(value))

    def to_json(self) -> dict[str, str]:
        return {part: hashed.hexdigest()[:16] for part, hashed in self._hashes.items()}


def played(game: Game[Any], seats: int, chosen: Mapping[str, object], seed: int) -> dict[str, str]:
    """Play a game of bots of all strengths and return the hashes of what it produced."""
    options = read_options(game.options, chosen)
    dice = Dice(seed_bytes(seed))
    trace = Trace()
    strengths = [*strengths_of(game.name), RANDOM]
    thought: dict[int, int] = {}
    play, step = begin(game, seats, options, dice)
    steps: list[Step] = [step]
    viewers = (None, *range(seats))
    views = {viewer: play_view(play, viewer) for viewer in viewers}
    while True:
        trace.add("log", [to_json(event) for event in step])
        for viewer in viewers:
            view = play_view(play, viewer)
            patch = difference(views[viewer], view)
            assert pack(patched(views[viewer], patch)) == pack(view)
            trace.add("views", [view, [event.shown_to(viewer) for event in step]])
            trace.add("patches", patch)
            views[viewer] = view
        if play.decision is None:
            break
        seat = play.awaited[0]
        strength = strengths[(seat + seed) % len(strengths)]
        if strength in ("hard", "expert"):
            thought[seat] = thought.get(seat, 0) + 1
            strength = strength if thought[seat] <= HARD_DECISIONS else "easy"
        rng = random.Random(f"{seed}/{play.number}/{seat}")
        choice = strategy_of(game.name, strength).choose(question_from_play(play, seat, options), rng, math.inf)
        trace.add("choices", [seat, strength, json.dumps(choice_to_json(choice))])
        play, step = accepted(play.answer(seat, play.number, choice.command, dice))
        steps.append(step)
    outcome = game.outcome(play.state)
    assert outcome is not None
    trace.add("log", outcome.to_json())
    trace.add("log", [game.describe(event) for step in steps for event in step if type(event) in game.events])
    assert play_view(replay(game, steps), None) == views[None]
    return trace.to_json()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1, help="games of each setting")
    parser.add_argument("--settings", type=int, default=sys.maxsize, help="settings of each game")
    args = parser.parse_args()
    sys.stderr.write(f"playing with the {server.BUILD.name} build\n")
    for game in GAMES.values():
        for number, chosen in enumerate(settings(game)):
            if number == args.settings:
                break
            for seed in range(args.games):
                options = read_options(game.options, chosen)
                possible = [seats for seats in game.seats if game.check_options(seats, options) is None]
                seats = possible[(seed + number) % len(possible)]
                hashes = played(game, seats, chosen, seed)
                sys.stdout.write(json.dumps([game.name, seats, chosen, seed, hashes]) + "\n")
                sys.stdout.flush()
        for seed in range(args.games):
            sys.stdout.write(json.dumps([game.name, "at a table", seed, at_a_table(game, seed)]) + "\n")


if __name__ == "__main__":
    main()
