"""Tests of Builders: scenes to set any position, players for whole games, and the tests themselves."""

from typing import Final

from server.games.builders.rules import BUILDERS

GAME: Final = BUILDERS
