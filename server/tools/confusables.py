"""Write `server/text/confusables.py`: `python -m server.tools.confusables confusables.txt`.

The file is at https://www.unicode.org/Public/security/latest/confusables.txt (UTS 39). Characters that compatibility
normalization (NFKC) already maps to the same are left out, since look-alike keys apply that first.
"""

from __future__ import annotations

import re
import sys
import textwrap
import unicodedata
from pathlib import Path

TARGET = Path(__file__).parent.parent / "text" / "confusables.py"

MAX_SOURCES = 15
"""Characters in one word; more than this would be longer than a line."""

HEADER = '''"""Characters that look like others: Unicode {version}, confusables.txt of UTS 39.

`python -m server.tools.confusables` has generated this module.
Copyright (c) Unicode, Inc.; Unicode License v3, https://www.unicode.org/license.txt.
"""

from typing import Final

# Each word is a prototype, as hexadecimal code points, and the characters that look like it.
_DATA: Final = """
{data}
"""


def _read() -> dict[str, str]:
    confusables: dict[str, str] = {{}}
    for word in _DATA.split():
        prototype, _, sources = word.partition("<")
        text = "".join(chr(int(point, 16)) for point in prototype.split("+"))
        confusables |= {{chr(int(point, 16)): text for point in sources.split(",")}}
    return confusables


CONFUSABLES: Final = _read()
"""By character: the prototype that it looks like, of one or more characters."""
'''


def parsed(lines: list[str]) -> dict[str, str]:
    """Return the prototype of each character in the lines of confusables.txt."""
    rows = [line.partition("#")[0].split(";") for line in lines]
    return {_text(row[0]): _text(row[1]) for row in rows if len(row) > 2}


def _text(points: str) -> str:
    return "".join(chr(int(point, 16)) for point in points.split())


def is_needed(source: str, prototype: str) -> bool:
    """Return whether normalization does not already map the character to its prototype."""
    return unicodedata.normalize("NFKC", source) != unicodedata.normalize("NFKC", prototype)


def module(lines: list[str]) -> str:
    """Return the source of the module."""
    version = next(match[1] for line in lines if (match := re.match(r"# Version: (\d+\.\d+)", line)))
    by_prototype: dict[str, list[str]] = {}
    for source, prototype in sorted(parsed(lines).items()):
        if is_needed(source, prototype):
            by_prototype.setdefault(prototype, []).append(source)
    words = [
        f"{_points(prototype, '+')}<{_points(''.join(sources[first : first + MAX_SOURCES]), ',')}"
        for prototype, sources in sorted(by_prototype.items())
        for first in range(0, len(sources), MAX_SOURCES)
    ]
    data = textwrap.fill(" ".join(words), 118, break_long_words=False, break_on_hyphens=False)
    return HEADER.format(version=version, data=data)


def _points(text: str, separator: str) -> str:
    return separator.join(f"{ord(point):X}" for point in text)


if __name__ == "__main__":
    TARGET.write_text(module(Path(sys.argv[1]).read_text("utf-8-sig").splitlines()), "utf-8")
