"""Bots for Planners: three strengths that share one evaluation of cities."""

from typing import Final

from server.bots.planners.easy import Easy
from server.bots.planners.hard import Hard
from server.bots.planners.normal import Normal
from server.bots.strategy import Strategy

STRATEGIES: Final[dict[str, Strategy]] = {"easy": Easy(), "normal": Normal(), "hard": Hard()}
"""By strength, the weakest first."""
