"""Measure the ratings of bots in the arena: `python -m server.tools.bot_ratings --games 120 --hard-games 20`.

For each game and each number of seats, `normal` and each weaker strength play each other, and one bot of each stronger
strength plays against bots of the strength below it. The rating of `normal` is 1500, and the others follow from the
places (`rating_fit.py`). The measurement is printed as JSON; with `--add FILE --since DATE` it is added to the file, in
force for games that end on that day or later (in UTC). The day must be one on which the release with the measurement is
installed everywhere: else the ratings of games that were rated before change when the index is rebuilt.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import Any, Final

from server.bots.registry import STRATEGIES
from server.games.engine.options import read_options
from server.games.registry import game_named
from server.tools.arena import Match, play_match
from server.tools.progress import Progress
from server.tools.rating_fit import MEAN, Contest, Fitted, contest, fit

ANCHOR: Final = "normal"
_DECIMALS: Final = 3


def line_ups(seats: int, strengths: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the line-ups of one number of seats; the strengths of a game are in order, the weakest first."""
    anchor = strengths.index(ANCHOR)
    weaker = [tuple(islice(cycle((strength, ANCHOR)), seats)) for strength in strengths[:anchor]]
    stronger = [(strength, *[below] * (seats - 1)) for below, strength in pairwise(strengths[anchor:])]
    return weaker + stronger


def matches(game: str, seed: int, games: int, hard_games: int) -> Iterator[tuple[Match, int]]:
    """Yield the matches of a game, each with its number of games: whole rotations of the seats."""
    rules = game_named(game)
    for seats in rules.seats:
        strengths = tuple(STRATEGIES[game])
        for entrants in line_ups(seats, strengths):
            is_slow = strengths.index(entrants[0]) > strengths.index(ANCHOR)
            wanted = hard_games if is_slow else games
            yield Match(game, read_options(rules.options, {}), entrants, seed), -(-wanted // seats) * seats


def measured(game: str, seed: int, games: int, hard_games: int, jobs: int) -> dict[str, dict[str, float | int]]:
    """Return the rating of each strength of a game, and the number of games that it rests on."""
    planned = list(matches(game, seed, games, hard_games))
    progress = Progress(sys.stderr, sum(number for _, number in planned), f"games of {game}")
    contests: list[Contest] = []
    for match, number in planned:
        for result in play_match(match, number, jobs):
            contests.append(contest(result.places, result.seated))
            progress.advance(len(contests))
    progress.clear()
    fitted = {ANCHOR: Fitted(MEAN, 0.0), **fit(contests, ANCHOR)}
    return {
        strength: {
            "mu": round(fitted[strength].mu, _DECIMALS),
            "sigma": round(fitted[strength].sigma, _DECIMALS),
            "games": sum(any(other == strength for _, other in game) for game in contests),
        }
        for strength in STRATEGIES[game]
    }


def measurement(args: argparse.Namespace, since: int) -> dict[str, Any]:
    """Return the measurement of all games, with what one needs to repeat it."""
    command = f"python -m server.tools.bot_ratings --games {args.games} --hard-games {args.hard_games}"
    return {
        "since": since,
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"{command} --seed {args.seed}",
        "ratings": {
            game: measured(game, args.seed, args.games, args.hard_games, args.jobs) for game in sorted(STRATEGIES)
        },
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m server.tools.bot_ratings", allow_abbrev=False)
    parser.add_argument(
        "--games", metavar="N", type=int, default=120, help="games of each line-up with a strength below normal"
    )
    parser.add_argument(
        "--hard-games", metavar="N", type=int, default=20, help="games of each line-up with a strength above normal"
    )
    parser.add_argument("--seed", metavar="S", type=int, default=0)
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="number of processes")
    parser.add_argument("--add", metavar="FILE", type=Path, help="add the measurement to this file")
    parser.add_argument("--since", metavar="DATE", type=date.fromisoformat, help="the day from which it is in force")
    args = parser.parse_args(arguments)
    since = 0 if args.since is None else int(datetime.combine(args.since, time(), UTC).timestamp()) * 1000
    earlier = json.loads(args.add.read_text("utf-8")) if args.add is not None and args.add.exists() else []
    if earlier and since <= earlier[-1]["since"]:
        parser.error("--since must be later than that of the last measurement")
    text = json.dumps([*earlier, measurement(args, since)], indent=2) + "\n"
    if args.add is not None:
        args.add.write_text(text, "utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
