"""The styles of play as weights: how a cautious, a greedy and a spoiling bot value what all of them plan alike."""

from __future__ import annotations

from typing import Final

from server.bots.builders.evaluation import Weights
from server.bots.strategy import Style

_FACTORS: Final[dict[Style, dict[str, float]]] = {
    # A reserve of money, permits for houses that are near, goals that are sure; the dollar before the gamble.
    Style.CAUTIOUS: {"first_dollars": 1.25, "later_dollars": 1.15, "without_building": 0.9, "blind_goal": 0.6},
    # Houses and goals, seen or unseen: money is there to be spent, and others do not matter.
    Style.GREEDY: {"later_dollars": 0.95, "house": 1.1, "blind_goal": 1.2, "denial": 0.0},
    Style.SPOILER: {"denial": 3.0},
}
_SPOIL: Final = 0.25


def styled(weights: Weights, style: Style | None) -> Weights:
    """Return the weights of a style; those given, if there is none."""
    if style is None:
        return weights
    changed = {name: getattr(weights, name) * factor for name, factor in _FACTORS[style].items()}
    return weights._replace(**changed, spoil=_SPOIL if style is Style.SPOILER else 0.0)
