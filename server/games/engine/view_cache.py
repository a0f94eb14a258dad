"""The last public view of a game, part by part: what has not changed since is shown again, not made again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, TypeVarTuple, cast

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class ViewCache:
    """The parts of the public view that was made last, each with what it was made of.

    All states of a game hand the same one on to each other. It is no part of a position and nothing follows from it;
    but the next view has the same object where nothing has changed, so whoever compares views need not look inside.
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: dict[Hashable, tuple[tuple[object, ...], object]] = {}

    def part(self, place: Hashable, make: Callable[[*Ts], T], *of: *Ts) -> T:
        """Give what `make` makes of these values, or made of them last time for this place.

        It must be a function of these values alone, and always the same one for a place.
        """
        last = self._parts.get(place)
        if last is not None and last[0] == of:
            return cast("T", last[1])
        made = make(*of)
        self._parts[place] = of, made
        return made
