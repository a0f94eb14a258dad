"""The decorator of values that are made in great numbers and never changed: events, commands, stages, spaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T]) -> type[T]:
    """Return the class as a dataclass with slots, whose fields the type checker allows nobody to assign.

    Python itself would let them be assigned: it takes three times as long to make a value that forbids it
    (`frozen=True`), and every step of a game makes several.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
