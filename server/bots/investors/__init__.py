"""Bots for Investors: three strengths that share one evaluation of positions."""

from typing import Final

from server.bots.investors.easy import Easy
from server.bots.investors.hard import Hard
from server.bots.investors.normal import Normal
from server.bots.strategy import Strategy

STRATEGIES: Final[dict[str, Strategy]] = {"easy": Easy(), "normal": Normal(), "hard": Hard()}
"""By strength, the weakest first."""
