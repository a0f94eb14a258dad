"""Tests of Builders: scenes that set up any position, and players for whole games."""

from typing import Final

from server.games.builders.rules import BUILDERS

GAME: Final = BUILDERS
