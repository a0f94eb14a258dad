"""All games, by name. The only module that knows every game."""

from __future__ import annotations

from typing import Any, Final

from server.games.builders.rules import BUILDERS
from server.games.engine.game import Game
from server.games.engine.serialization import Json
from server.games.investors.rules import INVESTORS
from server.games.planners.rules import PLANNERS

GAMES: Final[dict[str, Game[Any]]] = {game.name: game for game in (INVESTORS, PLANNERS, BUILDERS)}


class UnknownGame(LookupError):
    """There is no game of this name; the message is a sentence."""


def game_named(name: str) -> Game[Any]:
    """Return the game of this name, or raise `UnknownGame`."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"There is no game {name!r}; there are {', '.join(GAMES)}.") from None


def games_described() -> list[dict[str, Json]]:
    """Return what a page needs of every game: seats, options, whether it seals, and the orders that seats can give."""
    return [
        {
            "name": game.name,
            "seats": list(game.seats),
            "options": [option.to_json() for option in game.options],
            "seals_answers": game.seals_answers,
            "orders": None if game.orders is None else game.orders.to_json(),
        }
        for game in GAMES.values()
    ]
