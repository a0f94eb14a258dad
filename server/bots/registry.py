"""The strategies of each game, by strength. The strategies of a game are in the folder of its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from server.bots import builders, investors, planners
from server.bots.random_strategy import RandomStrategy
from server.bots.strategy import Strategy, Style

STRENGTHS: Final = ("easy", "normal", "hard", "expert")
"""All strengths, the weakest first. A game may have strategies of some of them."""

RANDOM: Final = "random"
"""The strength that every game has: any legal answer."""

STRATEGIES: Final[Mapping[str, Mapping[str, Strategy]]] = {
    "investors": investors.STRATEGIES,
    "planners": planners.STRATEGIES,
    "builders": builders.STRATEGIES,
}
"""By game and strength. A game that is not listed has only the random strategy."""

_RANDOM_STRATEGY: Final = RandomStrategy()


class UnknownStrength(LookupError):
    """A game has no strategy of this strength; the message is a sentence."""


class UnknownStyle(LookupError):
    """A strength cannot be played in this style; the message is a sentence."""


def strengths_of(game: str) -> tuple[str, ...]:
    """Return the strengths that people are offered in a game, the weakest first."""
    return tuple(STRATEGIES.get(game, ())) or (RANDOM,)


def strategy_of(game: str, strength: str) -> Strategy:
    """Return the strategy of a strength, or raise `UnknownStrength`."""
    if strength == RANDOM:
        return _RANDOM_STRATEGY
    try:
        return STRATEGIES[game][strength]
    except KeyError:
        offered = ", ".join(dict.fromkeys((*strengths_of(game), RANDOM)))
        raise UnknownStrength(f"{game} has no bot of strength {strength!r}; there are {offered}.") from None


def read_style(strength: str, name: str | None) -> Style | None:
    """Return the style of this name, None for None, or raise `UnknownStyle`; chance has no style."""
    if name is None:
        return None
    if strength == RANDOM:
        raise UnknownStyle("A random bot has no style.")
    try:
        return Style(name)
    except ValueError:
        raise UnknownStyle(f"There is no style {name!r}; there are {', '.join(Style)}.") from None
