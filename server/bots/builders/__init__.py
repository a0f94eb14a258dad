"""Bots for Builders: three strengths that share one evaluation of positions."""

from typing import Final

from server.bots.builders.easy import Easy
from server.bots.builders.hard import Hard
from server.bots.builders.normal import Normal
from server.bots.strategy import Strategy

STRATEGIES: Final[dict[str, Strategy]] = {"easy": Easy(), "normal": Normal(), "hard": Hard()}
"""By strength, the weakest first."""
