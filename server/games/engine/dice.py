"""Chance that anybody can check afterwards: labelled streams derived from one 32-byte game seed.

A stream is a function of the seed and its label alone, so a rule that needs chance names what for
(`"tender/2"`) and gets the same numbers whenever it asks. Nothing here remembers anything: a label is used
for one shuffle or one draw, and whoever needs another one makes another label.

The encodings are those of the published vectors (`tests/games/test_dice.py`); they change together or not at all.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_WORD = 1 << 32


def encode_parts(*parts: str | bytes) -> bytes:
    """Give the parts, each behind its length, so that no two lists of parts read alike."""
    encoded = (part.encode() if isinstance(part, str) else part for part in parts)
    return b"".join(struct.pack(">I", len(part)) + part for part in encoded)


def digest(label: str, *parts: str | bytes) -> bytes:
    """Give the SHA-256 of the parts under a label that says what they are."""
    return hashlib.sha256(encode_parts(label, *parts)).digest()


class Dice:
    """The source of chance of one game. Two dice with the same seed give the same numbers."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a game seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Give the items in the order that this label decides."""
        order = list(items)
        words = self._words(label)
        for top in range(len(order) - 1, 0, -1):
            other = _below(words, top + 1)
            order[top], order[other] = order[other], order[top]
        return tuple(order)

    def below(self, label: str, bound: int) -> int:
        """Give a number from 0 up to, but not including, the bound."""
        return _below(self._words(label), bound)

    def _words(self, label: str) -> Iterator[int]:
        for block in count():
            message = encode_parts("pf1/stream", label, struct.pack(">Q", block))
            yield from struct.unpack(">8I", hmac.digest(self._seed, message, "sha256"))


def _below(words: Iterator[int], bound: int) -> int:
    assert 0 < bound <= _WORD, bound
    # Words past the last whole multiple of the bound are thrown away: a remainder alone would favour small numbers.
    limit = _WORD - _WORD % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound


def server_seed_commitment(table: str, game_number: int, server_seed: bytes) -> bytes:
    """Give what the server publishes before any seat contributes to the shuffle."""
    return digest("pf1/server-seed", table, str(game_number), server_seed)


def client_seed_commitment(table: str, game_number: int, seat: int, identity: str, client_seed: bytes) -> bytes:
    """Give what a seat publishes before any seat opens its contribution."""
    return digest("pf1/client-seed", table, str(game_number), str(seat), identity, client_seed)


def game_seed(
    table: str,
    game_number: int,
    server_seed: bytes,
    rules_version: str,
    deck: Sequence[str],
    contributions: Sequence[tuple[str, bytes]],
) -> bytes:
    """Give the seed that all dice of a game follow from; contributions are (identity, client seed) by seat."""
    seats = (encode_parts(str(seat), identity, seed) for seat, (identity, seed) in enumerate(contributions))
    context = digest("pf1/context", table, str(game_number), rules_version, encode_parts(*deck), *seats)
    return hmac.digest(server_seed, encode_parts("pf1/game-seed", context), "sha256")
