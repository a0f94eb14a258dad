"""Styles for the bots at a table, so that several bots are several characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final, get_args

from protocol.base import Style

STYLES: Final[tuple[str, ...]] = get_args(Style)
PLAIN: Final = "plain"
"""The choice of no style."""

_WITHOUT_STYLE: Final = "random"
"""The strength of bots that play by chance, which have no style."""


def has_style(strength: str) -> bool:
    """Return whether bots of this strength can have a style."""
    return strength != _WITHOUT_STYLE


def bot_styles(table: str, taken: Iterable[str | None]) -> Iterator[str]:
    """Yield styles without end, always one that the fewest bots have; the first one depends on the table.

    `taken` are the styles of the bots at the table.
    """
    first = sha256(table.encode()).digest()[1]
    order = [STYLES[(first + step) % len(STYLES)] for step in range(len(STYLES))]
    seated = list(taken)
    while True:
        style = min(order, key=seated.count)
        seated.append(style)
        yield style
