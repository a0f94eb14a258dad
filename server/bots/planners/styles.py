"""Styles: the same evaluation with other weights. Without a style, the weights are those of the strength."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from server.bots.planners.evaluation import Weights
from server.bots.strategy import Style

_FACTORS: Final[Mapping[Style, Mapping[str, float]]] = {
    # Cards that lie there count more than those that may come, and contracts are kept back for later columns.
    Style.CAUTIOUS: {"foresight": 0.7, "contract": 1.4, "discount": 0.92, "column_growth": 0.5},
    # What others gain counts little; columns may grow in the hope that they are still there.
    Style.GREEDY: {"rivalry": 0.3, "column_growth": 1.25},
    Style.SPOILER: {"rivalry": 3.0},
}
"""By what each weight is multiplied."""

_SPITE: Final = 1.5
"""The additional part of the gains of the leading opponent that counts as a loss to a spoiler."""


@cache
def styled(weights: Weights, style: Style | None) -> Weights:
    """Return the weights of a style."""
    if style is None:
        return weights
    changed = {name: getattr(weights, name) * factor for name, factor in _FACTORS[style].items()}
    return replace(weights, **changed, spite=_SPITE if style is Style.SPOILER else 0.0)
