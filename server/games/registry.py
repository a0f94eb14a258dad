"""The games there are. The only place that knows them all."""

from __future__ import annotations

from typing import Any, Final

from server.games.game import Game
from server.games.investors.rules import Investors

GAMES: Final[dict[str, Game[Any]]] = {game.name: game for game in (Investors(),)}


class UnknownGame(LookupError):
    """There is no game of this name; the message is a sentence."""


def game_named(name: str) -> Game[Any]:
    """Give the game of this name, or raise `UnknownGame`."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"There is no game {name!r}; there are {', '.join(GAMES)}.") from None
