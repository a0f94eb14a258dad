"""Think time: the seconds between a prompt and a bot's answer, as people see them.

It depends only on what everybody can see, never on how long the search really took: that would reveal secrets.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from server.bots.registry import RANDOM

SEARCH_SECONDS: Final = {RANDOM: 0.1, "easy": 0.2, "normal": 0.5, "hard": 1.5, "expert": 2.5}
"""The time budget of each strength for one decision; see `Strategy.choose`."""

_SHORT, _USUAL, _LONG = (0.0, 0.4), (0.1, 0.8), (0.4, 1.0)
_SHORT_KINDS: Final = frozenset({"lay_tile", "draw_cheques", "consider_tender", "claim_subsidy"})
"""Kinds of decisions, of any game, that people mostly make quickly."""


class ThinkTime(NamedTuple):
    """The minimum and the maximum of seconds that a bot takes; a maximum of 0 means no delay."""

    minimum: float
    maximum: float

    def draw(self, strength: str, kind: str, *, is_sealed: bool, rng: Random) -> float:
        """Return the seconds for a decision of this kind."""
        if self.maximum <= 0:
            return 0.0
        # The search always fits in, so that nobody can see how much of it was needed.
        minimum = max(self.minimum, SEARCH_SECONDS[strength])
        maximum = max(self.maximum, minimum + 0.5)
        low, high = _SHORT if kind in _SHORT_KINDS else _LONG if is_sealed else _USUAL
        return minimum + (maximum - minimum) * rng.uniform(low, high)
