"""Dice that note every shuffle and every draw, for transcripts of games that anybody can verify."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from server.games.engine.dice import Dice
from server.games.engine.serialization import Json, value_to_json

T = TypeVar("T")


class RecordedDice(Dice):
    """Dice that return the same numbers as others of their seed, and note them as JSON in `draws`."""

    __slots__ = ("draws",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.draws: list[dict[str, Json]] = []

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in the order that this label decides, and note it."""
        order = super().shuffled(label, items)
        self.draws.append({"label": label, "items": value_to_json(tuple(items)), "order": value_to_json(order)})
        return order

    def below(self, label: str, bound: int) -> int:
        """Return a number from 0 up to, but not including, the bound, and note it."""
        value = super().below(label, bound)
        self.draws.append({"label": label, "below": bound, "value": value})
        return value
