"""Facts of games between bots, by which the reconstructed numbers of the box were chosen.

`python -m tests.bots.builders.facts --seats 3 --strength normal --games 400` plays so many games of equal bots and
prints how they end, with 95 % confidence intervals; `--rules 3` plays with the numbers of an earlier version of the
rules. RECONSTRUCTION.md beside the data files says which facts were asked for. Seats of one game are not independent,
so the interval of a mean counts a game once.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from server.bots.registry import strategy_of
from server.bots.strategy import question_from_play
from server.games.builders.components import BUILDINGS_PER_SEAT, MAX_MONEY, RULES_VERSION
from server.games.builders.resources import in_corner
from server.games.builders.rules import BUILDERS
from server.games.engine.dice import Dice, digest
from server.games.engine.options import read_options
from server.games.engine.play import begin
from tests.games.playing import accepted

_Z = 1.959964
"""Standard errors on each side of the mean in a 95 % confidence interval."""


class Facts(NamedTuple):
    """The counts of one game by seat, and the reason of its end."""

    reason: str
    built: list[int]
    money: list[int]
    steps: list[int]
    exhausted: list[bool]
    """Whether a marker has reached the last field of the development board."""

    scores: list[int]
    wins: list[float]
    """The seats' parts in the win, the seat that began first."""


def play_game(seats: int, strength: str, seed: int, number: int, rules: int = RULES_VERSION) -> Facts:
    """Return the facts of one game of equal bots."""
    game, strategy = BUILDERS.as_of(rules), strategy_of("builders", strength)
    assert game is not None, f"the set-up of rules {rules} is not known"
    options, dice = read_options(game.options, {}), Dice(digest("facts/deal", str(seed), str(number)))
    play, _ = begin(game, seats, options, dice)
    start = play.state.turn
    while play.decision is not None:
        seat = play.awaited[0]
        rng = Random(f"{seed}/{number}/{play.number}/{seat}")
        command = strategy.choose(question_from_play(play, seat, options), rng, math.inf).command
        play, _ = accepted(play.answer(seat, play.number, command, dice))
    state, outcome = play.state, game.outcome(play.state)
    assert outcome is not None
    order = [*range(start, seats), *range(start)]
    return Facts(
        outcome.reason,
        [state.built(seat) for seat in order],
        [state.money[seat] for seat in order],
        [state.columns[seat] + state.rows[seat] for seat in order],
        [in_corner(state, seat) for seat in order],
        [outcome.scores[seat] for seat in order],
        [1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in order],
    )


def play_games(seats: int, strength: str, seed: int, games: int, rules: int = RULES_VERSION) -> Iterator[Facts]:
    """Yield the facts of so many games."""
    return (play_game(seats, strength, seed, number, rules) for number in range(games))


def summary(played: Sequence[Facts]) -> dict[str, object]:
    """Return the facts of all games: values, each with the bounds of its interval."""
    seats = len(played[0].built)
    return {
        "games": len(played),
        "eighth_building": _share(sum(max(game.built) == BUILDINGS_PER_SEAT for game in played), len(played)),
        "ended_by_it": _share(sum(game.reason == "eighth" for game in played), len(played)),
        "buildings": _mean([_average(game.built) for game in played]),
        "seats_by_buildings": [
            sum(game.built.count(built) for game in played) for built in range(BUILDINGS_PER_SEAT + 1)
        ],
        "money": _mean([_average(game.money) for game in played]),
        "purse_of_12_or_more": _mean([_average([money >= MAX_MONEY - 3 for money in game.money]) for game in played]),
        "board_exhausted": _mean([_average(game.exhausted) for game in played]),
        "steps": _mean([_average(game.steps) for game in played]),
        "points": _mean([_average(game.scores) for game in played]),
        "wins_by_seat": [_mean([game.wins[at] for game in played]) for at in range(seats)],
    }


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _mean(values: Sequence[float]) -> list[float]:
    mean = _average(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    spread = _Z * math.sqrt(variance / len(values))
    return [round(mean, 3), round(mean - spread, 3), round(mean + spread, 3)]


def _share(found: int, games: int) -> list[float]:
    """Return a share with its Wilson score interval."""
    share, z = found / games, _Z * _Z / games
    middle = (share + z / 2) / (1 + z)
    spread = _Z * math.sqrt(share * (1 - share) / games + z / (4 * games)) / (1 + z)
    return [round(share, 3), round(max(0.0, middle - spread), 3), round(min(1.0, middle + spread), 3)]


def main() -> None:
    """Play games and print their facts as JSON."""
    parser = argparse.ArgumentParser(description="Play games of equal Builders bots and print how they end.")
    parser.add_argument("--seats", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--strength", default="normal")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", type=int, default=RULES_VERSION, help="the version whose numbers are used")
    args = parser.parse_args()
    played = list(play_games(args.seats, args.strength, args.seed, args.games, args.rules))
    for name, value in summary(played).items():
        sys.stdout.write(f"{name}: {json.dumps(value)}\n")


if __name__ == "__main__":
    main()
