"""Each page fetches the texts that it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.texts import SOURCE, areas_shown

EVERYWHERE = {"page", "refusals"}

ELSEWHERE = {
    # Names of action cards, which the form of a new table shows as soon as the scene of the game has been fetched.
    "pages/home.js": {"investors"},
    "pages/new.js": {"investors"},
    "pages/waiting.js": {"investors", "relations"},
    # Open hands are shown by the page of a finished game only.
    "scenes/investors.js": {"replay"},
    "scenes/builders.js": {"replay"},
}
"""By module: areas that something else has fetched before their texts are shown."""


def fetched() -> dict[Path, set[str]]:
    """Return the modules that are fetched when they are needed, each with the areas that are fetched with it."""
    found: dict[Path, set[str]] = {}
    for importer in SOURCE.rglob("*.js"):
        source = importer.read_text("utf-8")
        for name, named in re.findall(r'\(\) => import\("(\.[^"]+\.js)"\)((?:, "\w+")*)', source):
            found[(importer.parent / name).resolve()] = set(re.findall(r"\w+", named))
    return found


@pytest.mark.parametrize("module", sorted(str(path.relative_to(SOURCE.resolve())) for path in fetched()))
def test_a_module_is_fetched_with_the_texts_that_it_shows(module: str) -> None:
    path = SOURCE / module
    assert areas_shown(path) - EVERYWHERE - ELSEWHERE.get(module, set()) <= fetched()[path.resolve()]
