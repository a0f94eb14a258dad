"""How long a bot seems to think. It depends on what everybody can see, and never on what was really thought."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from server.bots.registry import RANDOM

SECONDS: Final = {RANDOM: 0.1, "easy": 0.2, "normal": 0.5, "hard": 1.5}
"""The time that each strength has for a decision; see `Strategy.choose`."""

_QUICK, _USUAL, _WEIGHTY = (0.0, 0.4), (0.1, 0.8), (0.4, 1.0)
_QUICK_ABOUT: Final = frozenset({"lay_tile", "draw_cheques", "consider_tender", "claim_subsidy"})
"""What is mostly decided without much ado, in any game."""


class Pauses(NamedTuple):
    """The least and the most seconds that a bot takes."""

    least: float
    most: float

    def draw(self, strength: str, kind: str, *, is_sealed: bool, rng: Random) -> float:
        """Give the seconds for a decision of this kind."""
        if self.most <= 0:
            return 0.0
        # The time to think always fits in, so that how much of it was needed cannot be seen.
        least = max(self.least, SECONDS[strength])
        most = max(self.most, least + 0.5)
        low, high = _QUICK if kind in _QUICK_ABOUT else _WEIGHTY if is_sealed else _USUAL
        return least + (most - least) * rng.uniform(low, high)
