"""Text that people write for other people: made safe to show, and counted as people count.

Both the names of users and the lines of a chat go through here, and nothing else decides about them. Cleaning is one
walk from left to right that keeps a character only where it can be seen or shapes what can be seen. A name that
loses a character by this is refused, so that nobody is called something they did not type; a line just loses it.
Cleaned text is in Unicode's composed form (NFC), and cleaning it again changes nothing.
"""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_NAME_LENGTH: Final = 24

_MAX_MARKS: Final = 4  # accents and vowel signs on one letter; more than any writing needs, too few to climb lines
_POINTS_PER_CHARACTER: Final = 4  # on average; bounds the bytes behind what counts as few characters

_NON_JOINER: Final = "\u200c"
_JOINER: Final = "\u200d"
_JOINERS: Final = (_NON_JOINER, _JOINER)
_VIRAMA: Final = 9  # the combining class of the signs that make one letter of two in Indic writing
_STYLES: Final = "\ufe0e\ufe0f"  # the choice between a sign in black and one in colours
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
# New pictures appear here every year, and a Python that is older than a picture should let it pass.
_PICTURES: Final = range(0x1F000, 0x1FB00)

_DIRECTIONS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Characters that count as letters, signs or marks, and yet nothing is seen of them.
_BLANKS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U0001d159"
    + "".join(map(chr, range(0xFE00, 0xFE0E)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)

_CONTROL: Final = "control characters"
_DIRECTION: Final = "characters that change the direction of writing"
_INVISIBLE: Final = "characters that cannot be seen"
_UNKNOWN: Final = "characters that not every device can show"
_MARKS: Final = "accents without a letter, or that many on one letter"


class BadText(ValueError):
    """A text cannot be shown to others; the message is a sentence for its author."""


def clean_name(name: str) -> str:
    """Give the name as others may see it, or raise `BadText`."""
    cleaned, lost = _cleaned(name)
    if lost is not None:
        raise BadText(f"A name cannot have {lost}.")
    if not cleaned:
        raise BadText("A name needs at least one character.")
    if _is_longer(cleaned, MAX_NAME_LENGTH):
        raise BadText(f"A name can have {MAX_NAME_LENGTH} characters at most.")
    return cleaned


def clean_line(text: str, most: int) -> str:
    """Give the text as one line of at most so many characters, or raise `BadText`."""
    cleaned, _ = _cleaned(text)
    if not cleaned:
        raise BadText("There is nothing to say in that message.")
    if _is_longer(cleaned, most):
        raise BadText(f"A message can have {most} characters at most.")
    return cleaned


def length(text: str) -> int:
    """Count the characters of a cleaned text as a reader does: a letter with its accents, a picture, a flag is one."""
    count = 0
    flag_is_half = False
    before = ""
    for point in text:
        is_flag_letter = ord(point) in _FLAG_LETTERS
        belongs = (
            _is_mark(point)
            or point in _JOINERS
            or ord(point) in _SKIN_TONES
            or (before == _JOINER and _is_picture(point))
            or (is_flag_letter and flag_is_half)
        )
        count += not (belongs and before)
        flag_is_half = is_flag_letter and not flag_is_half
        before = point
    return count


def _is_longer(text: str, most: int) -> bool:
    return length(text) > most or len(text) > most * _POINTS_PER_CHARACTER


def _cleaned(text: str) -> tuple[str, str | None]:
    """Give what may be shown of a text, and what the first character was that may not, if any."""
    kept: list[str] = []
    lost: list[str] = []
    for given in unicodedata.normalize("NFC", text) + " ":
        point = " " if given.isspace() else given
        reason = _reason_against(point)
        if reason is None:
            if _ends_with_idle_joiner(kept, point):
                kept.pop()
                lost.append(_INVISIBLE)
            reason = _misplaced(point, kept)
        if reason is not None:
            lost.append(reason)
        elif point != " " or (kept and kept[-1] != " "):
            kept.append(point)
    return unicodedata.normalize("NFC", "".join(kept).strip()), lost[0] if lost else None


def _reason_against(point: str) -> str | None:
    """Say what is wrong with a character wherever it stands."""
    category = unicodedata.category(point)
    if category == "Cc":
        return _CONTROL
    if point in _DIRECTIONS:
        return _DIRECTION
    if point in _BLANKS or (category == "Cf" and point not in _JOINERS):
        return _INVISIBLE
    if category in ("Cs", "Co", "Cn") and not _is_picture(point):
        return _UNKNOWN
    return None


def _misplaced(point: str, kept: list[str]) -> str | None:
    """Say what is wrong with a character behind those that were kept."""
    is_first = not kept or kept[-1] == " "
    if point in _STYLES:
        return _INVISIBLE if is_first or not _has_styles(kept[-1]) else None
    if point in _JOINERS:
        return _INVISIBLE if is_first else None
    if _is_mark(point) and (is_first or all(map(_is_mark, kept[-_MAX_MARKS:]))):
        return _MARKS
    return None


def _ends_with_idle_joiner(kept: list[str], after: str) -> bool:
    """Tell whether there is a joiner at the end that shapes nothing between the characters around it."""
    if not kept or kept[-1] not in _JOINERS:
        return False
    before = kept[-2]
    return not (
        (unicodedata.combining(before) == _VIRAMA and unicodedata.category(after) == "Lo")
        or unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
        or (kept[-1] == _JOINER and (_is_picture(before) or before in _STYLES) and _is_picture(after))
    )


def _is_mark(point: str) -> bool:
    return unicodedata.category(point).startswith("M")


def _is_picture(point: str) -> bool:
    return unicodedata.category(point) == "So" or ord(point) in _PICTURES


def _has_styles(point: str) -> bool:
    return _is_picture(point) or unicodedata.category(point) in ("Sm", "Po", "Pd", "Nd")
