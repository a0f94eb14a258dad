"""The catalogues of the page, and which of their texts each module shows."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

from tests.web.node import WEB

SOURCE: Final = WEB / "src"
CATALOGUE: Final = SOURCE / "catalogue"
LANGUAGES: Final = ("en", "de", "it", "pl")

IMPORT: Final = r'^(?:import|export) (?:[^"]* from )?"(\.[^"]+\.js)";'

Text = str | dict[str, str]


def areas() -> list[str]:
    """Return the names of all areas, those of English."""
    return sorted(path.stem for path in (CATALOGUE / "en").glob("*.json"))


@cache
def texts(language: str, area: str) -> dict[str, Text]:
    """Return the texts of one file of the catalogue; raise ValueError if a key is in it twice."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError(f"{language}/{area}.json has a key twice")
        return found

    found: dict[str, Text] = json.loads(
        (CATALOGUE / language / f"{area}.json").read_text("utf-8"), object_pairs_hook=unique
    )
    return found


def areas_shown(module: Path) -> set[str]:
    """Return the areas of the texts that a module and everything that it imports may show."""
    shown: set[str] = set()
    for each in _imported(module):
        for start in re.findall(r'["`]([a-z_]+\.[a-z_0-9.]*)', each.read_text("utf-8")):
            # A key that is put together from parts: all keys that begin so, if they are in one area.
            found = {area for area, keys in _keys().items() if start in keys} or {
                area for area, keys in _keys().items() if any(key.startswith(start) for key in keys)
            }
            if len(found) == 1:
                shown |= found
    return shown


@cache
def _keys() -> dict[str, set[str]]:
    return {area: set(texts("en", area)) for area in areas()}


def _imported(module: Path) -> set[Path]:
    found: set[Path] = set()
    pending = [module.resolve()]
    while pending:
        if (each := pending.pop()) in found:
            continue
        found.add(each)
        names = re.findall(IMPORT, each.read_text("utf-8"), re.MULTILINE)
        pending += [(each.parent / name).resolve() for name in names]
    return found
