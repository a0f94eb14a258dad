"""Which strategies there are for which game. A game's own are in the folder of its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from server.bots import builders, investors, planners
from server.bots.chance import Chance
from server.bots.strategy import Strategy

STRENGTHS: Final = ("easy", "normal", "hard")
RANDOM: Final = "random"
"""The strength that every game has: it plays whatever is legal."""

STRATEGIES: Final[Mapping[str, Mapping[str, Strategy]]] = {
    "investors": investors.STRATEGIES,
    "planners": planners.STRATEGIES,
    "builders": builders.STRATEGIES,
}
"""By game and strength. A game that is not here is played by chance."""

_CHANCE: Final = Chance()


class UnknownStrength(LookupError):
    """A game is not played in this strength; the message is a sentence."""


def strengths_of(game: str) -> tuple[str, ...]:
    """Give the strengths that people are offered in a game, the weakest first."""
    return tuple(STRATEGIES.get(game, ())) or (RANDOM,)


def strategy_of(game: str, strength: str) -> Strategy:
    """Give the strategy of a strength, or raise `UnknownStrength`."""
    if strength == RANDOM:
        return _CHANCE
    try:
        return STRATEGIES[game][strength]
    except KeyError:
        offered = ", ".join(dict.fromkeys((*strengths_of(game), RANDOM)))
        raise UnknownStrength(f"Nobody plays {game} with strength {strength!r}; there are {offered}.") from None
