"""A cache of the parts of the last public view: a part whose inputs have not changed is reused, not made again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, TypeVarTuple, cast

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class ViewCache:
    """The parts of the last public view, each with the inputs that it was made from.

    All states of one game share a cache. It is no part of a position, and no rule depends on it. Because the next view
    holds the same object where nothing has changed, comparing two views can stop at identical objects.
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: dict[Hashable, tuple[tuple[object, ...], object]] = {}

    def part(self, place: Hashable, make: Callable[[*Ts], T], *of: *Ts) -> T:
        """Return the result of `make` for these inputs, or the cached one if the inputs of this place are the same.

        The function must be pure, and every place must always be used with the same function.
        """
        last = self._parts.get(place)
        if last is not None and last[0] == of:
            return cast("T", last[1])
        made = make(*of)
        self._parts[place] = of, made
        return made
