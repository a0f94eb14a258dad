"""Every lesson to its end, in every language: rules, page and words fit each other at every step.

A short run plays each lesson in one language; LESSON_LANGUAGES (`make lessons`) names the languages of a long one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from server.lessons.lesson import Lesson, lesson_names, lesson_of
from tests.web.browser.conftest import Arrive
from tests.web.browser.test_lessons import COVERED, CUT, GUIDE
from tests.web.texts import texts

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMED = [name for name in os.environ.get("LESSON_LANGUAGES", "").split(",") if name]
SHORT = {"builders": "pl", "investors": "de", "planners": "it"}


def played() -> list[tuple[str, str]]:
    """Return the lessons to play, each with a language."""
    if NAMED:
        return [(game, language) for game in lesson_names() for language in NAMED]
    return [(game, SHORT[game]) for game in lesson_names()]


def plain(text: object) -> str:
    """Return a text of the catalogue as the page shows it."""
    assert isinstance(text, str)
    return " ".join(text.replace("**", "").split())


@pytest.mark.parametrize("game, language", played())
async def test_a_lesson_is_played_to_its_end(
    game: str, language: str, arrive: Arrive, record_property: Callable[[str, object], None]
) -> None:
    lesson = lesson_of(game)
    assert isinstance(lesson, Lesson)
    words = texts(language, f"lesson-{game}")
    visitor = await arrive(None, locale=language, reduced_motion="reduce")
    page = visitor.page
    began = time.monotonic()
    await page.goto(f"{visitor.http}/learn")
    await page.locator(f'a[href="/learn/{game}"]').first.click()
    for number, step in enumerate(lesson.steps):
        key = f"lesson.{game}.{step.id}"
        await page.locator(f"{GUIDE} .guide-count", has_text=f"{number + 1} ").wait_for()
        await page.wait_for_function(
            "(title) => document.querySelector('.guide h2')?.innerText.replace(/\\s+/g, ' ').trim() === title",
            arg=plain(words[f"{key}.title"]),
        )
        assert plain(words[f"{key}.text"]) in " ".join((await page.locator(".guide").inner_text()).split()), step.id
        if step.point:
            assert await page.locator(".guide-light").count() > 0, f"{step.id} points at nothing"
            assert await page.evaluate(COVERED) == 0, f"{step.id} covers what it points at"
        assert await page.evaluate(CUT) == [], step.id
        if step.answers:
            await page.locator(".guide-actions .guide-show").click()
            await page.locator(f"{GUIDE} .guide-meaning.good").wait_for()
            meaning = plain(words[f"{key}.{step.meanings[0].id}"])
            assert meaning in " ".join((await page.locator(".guide-meaning").inner_text()).split())
            assert await page.evaluate(CUT) == [], step.id
        await page.locator(".guide-next").click()
    await page.locator(".lesson-end").wait_for()
    assert await page.evaluate(CUT) == []
    record_property(f"lesson of {game} in {language}, seconds", round(time.monotonic() - began, 1))
    await page.goto(f"{visitor.http}/")
    await page.locator(f'.learn-link.learned[href="/learn/{game}"]').wait_for()
