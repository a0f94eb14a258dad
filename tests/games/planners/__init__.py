"""Tests of Planners: scenes and drawings that set up any position, and players for whole games."""

from typing import Final

from server.games.planners.rules import PLANNERS

GAME: Final = PLANNERS
