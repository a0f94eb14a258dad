"""The fixed ratings of bots: `bot_ratings.json`, which `python -m server.tools.bot_ratings` measures in the arena.

The file is a list of measurements, to which later ones are added at the end and in which nothing changes. A game is
rated by the last measurement that was in force when it ended. So a new measurement changes no rating of the past, and
the ratings that a rebuild of the index computes are those that were computed at first.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

FILE: Final = Path(__file__).with_name("bot_ratings.json")

_RATED_AS: Final = {"expert": "hard"}
"""By strength: the weaker one whose rating counts until a measurement names the stronger one."""


class BotRating(NamedTuple):
    """The rating of bots of one strength in one game."""

    mu: float
    sigma: float


def bot_rating(game: str, strength: str, ended: int) -> BotRating | None:
    """Return the rating of a bot in a game that ended at this time, in milliseconds; None if there is none.

    A strength that was not measured yet is rated as the one below it.
    """
    measurements = _measurements()
    in_force = [measured for since, measured in measurements if since <= ended]
    # Games from before the first measurement are rated by it.
    ratings = in_force[-1] if in_force else measurements[0][1]
    return ratings.get((game, strength)) or ratings.get((game, _RATED_AS.get(strength, strength)))


@cache
def _measurements() -> list[tuple[int, dict[tuple[str, str], BotRating]]]:
    return [(measurement["since"], _ratings(measurement)) for measurement in json.loads(FILE.read_text("utf-8"))]


def _ratings(measurement: dict[str, Any]) -> dict[tuple[str, str], BotRating]:
    return {
        (game, strength): BotRating(rating["mu"], rating["sigma"])
        for game, measured in measurement["ratings"].items()
        for strength, rating in measured.items()
    }
