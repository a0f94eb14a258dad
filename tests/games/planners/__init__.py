"""Tests of Planners: scenes and drawings to set any position, players for whole games, and the tests themselves."""

from typing import Final

from server.games.planners.rules import PLANNERS

GAME: Final = PLANNERS
