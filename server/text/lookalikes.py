"""Names that people take for one another: keys that are equal for names that look alike.

A key is a skeleton of UTS 39 ("Unicode Security Mechanisms") on top of compatibility normalization and case folding. It
also leaves out accents, spaces and punctuation, and takes i, l and 1 for the same: keys are for telling people apart at
one table, where a false alarm costs no more than a number behind a name. A name has two keys, since folding the case
before or after the skeleton finds different look-alikes; names look alike if they share a key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from server.text.confusables import CONFUSABLES

_ACCENTS: Final = frozenset(
    chr(point)
    for first, last in ((0x300, 0x36F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
    for point in range(first, last + 1)
)
"""Combining marks of European scripts and of symbols; in other scripts marks are vowels, which tell names apart."""

_INVISIBLE: Final = ("Cc", "Cf", "Zs", "Zl", "Zp")
_PUNCTUATION: Final = ("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sk", "Lm")


def skeleton(text: str) -> str:
    """Return the skeleton of a text by UTS 39, section 4, without its first step for texts of two directions."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(CONFUSABLES.get(point, point) for point in decomposed))


@lru_cache(maxsize=4096)
def lookalike_keys(name: str) -> frozenset[str]:
    """Return the keys of a name; two names look alike if they share a key."""
    text = unicodedata.normalize("NFKC", _visible(name))
    folded = text.casefold()
    return frozenset((_key(skeleton(text)), _key(folded)))


def look_alike(name: str, other: str) -> bool:
    """Return whether two names look alike."""
    return not lookalike_keys(name).isdisjoint(lookalike_keys(other))


def marked(name: str, others: Iterable[str]) -> str:
    """Return the name, with the first number from 2 on behind it that tells it apart if it looks like one of others."""
    taken = frozenset(key for other in others for key in lookalike_keys(other))
    shown, number = name, 1
    while not taken.isdisjoint(lookalike_keys(shown)):
        number += 1
        shown = f"{name} ({number})"
    return shown


def reserved_name(name: str, reserved: Collection[str], fillers: Collection[str]) -> str | None:
    """Return the reserved name that a name looks like; None if there is none.

    A name with digits beside a reserved one, or of several reserved words with or without fillers, looks like it too.
    """
    without_digits = "".join(point for point in unicodedata.normalize("NFKC", name) if not point.isdigit())
    for candidate in (name, without_digits):
        for other in reserved:
            if look_alike(candidate, other):
                return other
    words = [word for word in re.split(r"[\W_]+", without_digits) if word]
    words = [word for word in words if not any(look_alike(word, filler) for filler in fillers)]
    found = [next((other for other in reserved if look_alike(word, other)), None) for word in words]
    return found[0] if found and None not in found else None


def _key(text: str) -> str:
    """Return the skeleton of a text in small letters, without what is easily overlooked."""
    text = skeleton(text.casefold())
    kept = "".join(point for point in text if point not in _ACCENTS and unicodedata.category(point) not in _PUNCTUATION)
    # A name of nothing but punctuation is told apart by it.
    return (_visible(kept) or text).casefold().replace("i", "l").replace("1", "l")


def _visible(text: str) -> str:
    return "".join(point for point in text if unicodedata.category(point) not in _INVISIBLE)
