"""Verifiable chance: labelled random streams, derived from one 32-byte game seed by HMAC-SHA-256.

A stream is a function of the seed and its label alone: a rule that needs chance names its purpose (`"tender/2"`) and
gets the same numbers whenever it asks. Nothing is remembered, so each shuffle and each draw needs a label of its own.

The encodings are those of the published vectors (`protocol/fairness-vectors.json`); they change together or not at all.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

from protocol.commitments import SEED_BYTES, digest, encode_parts

__all__ = ("SEED_BYTES", "Dice", "digest", "encode_parts")

T = TypeVar("T")

_WORD = 1 << 32


class Dice:
    """A source of random numbers for one game. Two dice with the same seed return the same numbers."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a game seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in the order that this label decides (Fisher-Yates shuffle)."""
        order = list(items)
        words = self._words(label)
        for top in range(len(order) - 1, 0, -1):
            other = _below(words, top + 1)
            order[top], order[other] = order[other], order[top]
        return tuple(order)

    def below(self, label: str, bound: int) -> int:
        """Return a number from 0 up to, but not including, the bound."""
        return _below(self._words(label), bound)

    def _words(self, label: str) -> Iterator[int]:
        for block in count():
            message = encode_parts("pf1/stream", label, struct.pack(">Q", block))
            yield from struct.unpack(">8I", hmac.digest(self._seed, message, "sha256"))


def _below(words: Iterator[int], bound: int) -> int:
    assert 0 < bound <= _WORD, bound
    # Rejection sampling: beyond the last whole multiple of the bound, a remainder would favour small numbers.
    limit = _WORD - _WORD % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound
