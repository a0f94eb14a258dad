"""Tests of Investors: scenes and drawings that set up any position, and players for whole games."""

from typing import Final

from server.games.investors.rules import INVESTORS

GAME: Final = INVESTORS

TWELVE_CARDS: Final = (
    *("bonus_villa", "bonus_residential", "subsidy", "subsidy", "removal_subsidy"),
    *("two/influence", "two/cheques", "move/influence", "swap/influence", "free/cheques"),
    *("replace/influence", "replace/cheques"),
)
"""A deck as a table could choose it for the second variant."""
