"""Names that insult others, in whatever characters they are written.

The list is short and catches the plain cases: a name that only hints at an insult is for people to judge. Stems count
anywhere in a name; words count alone, so that "Scunthorpe", "Ignazio" and "grape" stay names.
"""

from __future__ import annotations

import re
from typing import Final

from server.text.lookalikes import lookalike_keys

_STEMS: Final = (
    "fuck",
    "nigger",
    "nigga",
    "faggot",
    "motherf",
    "cocksucker",
    "hitler",
    "siegheil",
    "arschloch",
    "hurensohn",
    "wichser",
    "missgeburt",
    "untermensch",
    "skurwysyn",
    "vaffanculo",
)
_WORDS: Final = (
    "bitch",
    "cunt",
    "kike",
    "rapist",
    "retard",
    "shit",
    "slut",
    "whore",
    "nazi",
    "fotze",
    "hure",
    "kanake",
    "nutte",
    "schlampe",
    "kurwa",
    "puttana",
    "stronzo",
)


def is_offensive(name: str) -> bool:
    """Return whether a name insults others."""
    keys = lookalike_keys(name)
    if any(stem in key for stem in _STEM_KEYS for key in keys):
        return True
    words = [name, *re.split(r"[\W_]+", name), *re.split(r"[\W\d_]+", name)]
    return any(not lookalike_keys(word).isdisjoint(_WORD_KEYS) for word in words if word)


_STEM_KEYS: Final = frozenset(key for stem in _STEMS for key in lookalike_keys(stem))
_WORD_KEYS: Final = frozenset(key for word in _WORDS for key in lookalike_keys(word))
