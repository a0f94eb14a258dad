"""Sanitizes text that users write for others: names and chat lines.

One pass from left to right keeps a character only if it is visible or shapes a visible one. A name that would lose a
character is refused, so that nobody gets a name they did not type; a chat line just loses the character. The result is
in Unicode's composed form (NFC), and sanitizing it again changes nothing. Lengths are counted in characters as a reader
sees them (an approximation of Unicode's grapheme clusters).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

MAX_NAME_LENGTH: Final = 24

_MAX_MARKS: Final = 4  # accents and vowel signs on one letter; more than any script needs, too few to reach other lines
_POINTS_PER_CHARACTER: Final = 4  # maximum average; bounds the bytes of a text whatever its characters are made of

_NON_JOINER: Final = "\u200c"
_JOINER: Final = "\u200d"
_JOINERS: Final = (_NON_JOINER, _JOINER)
_VIRAMA: Final = 9  # the combining class of the signs that join two letters in Indic scripts
_STYLES: Final = "\ufe0e\ufe0f"  # variation selectors: text style or emoji style
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
# Emoji are added to this range every year; accept those that this Python does not know yet.
_EMOJI: Final = range(0x1F000, 0x1FB00)

_DIRECTIONS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Characters in the categories of letters, symbols or marks that are invisible nevertheless.
_BLANKS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U0001d159"
    + "".join(map(chr, range(0xFE00, 0xFE0E)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)

_CONTROL: Final = "control characters"
_DIRECTION: Final = "characters that change the direction of text"
_INVISIBLE: Final = "invisible characters"
_UNKNOWN: Final = "characters that not every device can show"
_MARKS: Final = "accents without a letter, or too many accents on one letter"


class BadText(ValueError):
    """A text cannot be shown to others. The message is a sentence for its author.

    `variant` and `values` say the same to clients that speak another language; see `server.model.Refused`.
    """

    def __init__(self, sentence: str, variant: str = "", values: Mapping[str, str | int] | None = None) -> None:
        super().__init__(sentence)
        self.variant = variant
        self.values = values or {}


def clean_name(name: str, max_length: int = MAX_NAME_LENGTH) -> str:
    """Return the sanitized name, or raise BadText."""
    cleaned, removed = _clean(name)
    if removed is not None:
        raise BadText(f"A name cannot contain {removed}.", "characters")
    if not cleaned:
        raise BadText("A name needs at least one character.", "empty")
    if _is_longer(cleaned, max_length):
        raise BadText(f"A name can have at most {max_length} characters.", "long", {"count": max_length})
    return cleaned


def clean_line(text: str, max_length: int) -> str:
    """Return the text as one sanitized line of at most `max_length` characters, or raise BadText."""
    cleaned, _ = _clean(text)
    if not cleaned:
        raise BadText("There is nothing to say in that message.")
    if _is_longer(cleaned, max_length):
        raise BadText(f"A message can have at most {max_length} characters.", "long", {"count": max_length})
    return cleaned


def length(text: str) -> int:
    """Return the number of characters that a reader sees: a letter with its accents, an emoji or a flag is one."""
    count = 0
    is_half_a_flag = False
    previous = ""
    for point in text:
        is_flag_letter = ord(point) in _FLAG_LETTERS
        extends_previous = (
            _is_mark(point)
            or point in _JOINERS
            or ord(point) in _SKIN_TONES
            or (previous == _JOINER and _is_emoji(point))
            or (is_flag_letter and is_half_a_flag)
        )
        count += not (extends_previous and previous)
        is_half_a_flag = is_flag_letter and not is_half_a_flag
        previous = point
    return count


def _is_longer(text: str, max_length: int) -> bool:
    return length(text) > max_length or len(text) > max_length * _POINTS_PER_CHARACTER


def _clean(text: str) -> tuple[str, str | None]:
    """Return the sanitized text, and the kind of the first character that was removed, if any."""
    kept: list[str] = []
    removed: list[str] = []
    for given in unicodedata.normalize("NFC", text) + " ":
        point = " " if given.isspace() else given
        reason = _objection(point)
        if reason is None:
            if _ends_with_idle_joiner(kept, point):
                kept.pop()
                removed.append(_INVISIBLE)
            reason = _objection_after(kept, point)
        if reason is not None:
            removed.append(reason)
        elif point != " " or (kept and kept[-1] != " "):
            kept.append(point)
    return unicodedata.normalize("NFC", "".join(kept).strip()), removed[0] if removed else None


def _objection(point: str) -> str | None:
    """Return the kind of a character that is never allowed, or None."""
    category = unicodedata.category(point)
    if category == "Cc":
        return _CONTROL
    if point in _DIRECTIONS:
        return _DIRECTION
    if point in _BLANKS or (category == "Cf" and point not in _JOINERS):
        return _INVISIBLE
    if category in ("Cs", "Co", "Cn") and not _is_emoji(point):
        return _UNKNOWN
    return None


def _objection_after(kept: list[str], point: str) -> str | None:
    """Return the kind of a character that is not allowed after those that were kept, or None."""
    is_first = not kept or kept[-1] == " "
    if point in _STYLES:
        return _INVISIBLE if is_first or not _has_styles(kept[-1]) else None
    if point in _JOINERS:
        return _INVISIBLE if is_first else None
    if _is_mark(point) and (is_first or all(map(_is_mark, kept[-_MAX_MARKS:]))):
        return _MARKS
    return None


def _ends_with_idle_joiner(kept: list[str], after: str) -> bool:
    """Return whether the last character is a joiner that joins nothing between its neighbours."""
    if not kept or kept[-1] not in _JOINERS:
        return False
    before = kept[-2]
    return not (
        (unicodedata.combining(before) == _VIRAMA and unicodedata.category(after) == "Lo")
        or unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
        or (kept[-1] == _JOINER and (_is_emoji(before) or before in _STYLES) and _is_emoji(after))
    )


def _is_mark(point: str) -> bool:
    return unicodedata.category(point).startswith("M")


def _is_emoji(point: str) -> bool:
    return unicodedata.category(point) == "So" or ord(point) in _EMOJI


def _has_styles(point: str) -> bool:
    return _is_emoji(point) or unicodedata.category(point) in ("Sm", "Po", "Pd", "Nd")
