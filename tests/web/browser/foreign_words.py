"""Finds English on pages in another language: words that only the English texts have.

Everything that a page says is compared word by word: texts, names for screen readers, tooltips, placeholders and the
title of the document. A word counts as English if an English text of the catalogue has it, or a sentence of the server,
and no text of the other language does. Names of people and bots, and what people wrote, must be given as exceptions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from playwright.async_api import Page

from protocol.codes import REFUSALS
from server.games.registry import GAMES
from server.lobby.names import LANDMARKS, QUALITIES
from server.tables.bot_names import NAMES
from tests.web.node import ROOT
from tests.web.texts import areas, texts

PROPER_NAMES: Final = frozenset({"San Francisco Tables", "San Francisco", "English", "Deutsch", "Italiano", "Polski"})
"""What is the same in every language."""

SCRIPT: Final = (Path(__file__).parent / "said-texts.js").read_text("utf-8")


def words(text: str) -> set[str]:
    """Return the words of a text in lower case, without placeholders; a single letter is none."""
    return {word.lower() for word in re.findall(r"[^\W\d_]{2,}", re.sub(r"\{\w+\}", " ", text))}


def _words_of_catalogue(language: str) -> set[str]:
    found: set[str] = set()
    for area in areas():
        for text in texts(language, area).values():
            found |= set().union(*map(words, [text] if isinstance(text, str) else text.values()))
    return found


def _words_of_rules(language: str) -> set[str]:
    files = (ROOT / "server/games").glob("*/RULES.md" if language == "en" else f"*/RULES.{language}.md")
    return set().union(*(words(file.read_text("utf-8")) for file in files))


@cache
def english_words(language: str) -> frozenset[str]:
    """Return the words that only English texts have, compared with those of another language."""
    english = _words_of_catalogue("en") | _words_of_rules("en") | set().union(*map(words, REFUSALS.values()))
    for game in GAMES.values():
        english |= set().union(*(words(option.help) for option in game.options))
    return frozenset(english - _words_of_catalogue(language) - _words_of_rules(language))


@cache
def _names() -> frozenset[str]:
    return frozenset({*NAMES, *QUALITIES, *LANDMARKS, *PROPER_NAMES})


def english_in(said: Iterable[str], language: str, exceptions: Iterable[str] = ()) -> list[str]:
    """Return the texts that have an English word, each with these words."""
    excepted = sorted({*_names(), *exceptions}, key=len, reverse=True)
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in excepted))
    problems = []
    for text in sorted(set(said)):
        found = words(pattern.sub(" ", text)) & english_words(language)
        if found:
            problems.append(f"{text!r}: {', '.join(sorted(found))}")
    return problems


async def said_texts(page: Page, *, opens_everything: bool = False) -> list[str]:
    """Return everything that a page says, to eyes and to ears; with `opens_everything` also what opens by a click."""
    await page.evaluate(SCRIPT)
    said: list[str] = await page.evaluate("saidTexts()")
    return said + await page.evaluate("openEverything()") if opens_everything else said
