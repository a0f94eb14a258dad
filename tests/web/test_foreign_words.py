"""English is found on pages in another language, and names are not taken for it."""

from __future__ import annotations

import pytest

from tests.web.browser.foreign_words import english_in
from tests.web.texts import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_an_english_sentence_is_found_and_a_name_is_none(language: str) -> None:
    said = ["Your move", "Foggy Pelican", "San Francisco Tables", "Waiting Wanda", "12:30"]
    problems = english_in(said, language, ["Waiting Wanda"])
    assert len(problems) == 1
    assert problems[0].startswith("'Your move'")
