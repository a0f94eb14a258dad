"""The sentences of notifications: complete in every language, and the same words as on the page."""

from __future__ import annotations

import string

import pytest

from server.games.registry import GAMES
from server.notifications.outcomes import CODES
from server.notifications.recipients import EVERYTHING, News
from server.notifications.texts import LANGUAGES, message_of, texts_in, time_text, trial_message
from tests.web.texts import texts


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_texts_with_the_same_placeholders(language: str) -> None:
    english, other = texts_in("en"), texts_in(language)
    assert list(other) == list(english)
    assert {name: placeholders(text) for name, text in other.items()} == {
        name: placeholders(text) for name, text in english.items()
    }
    assert len(other["months"].split()) == 12


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_and_decisions_are_called_as_on_the_page(language: str) -> None:
    page = texts(language, "page")
    shared = {name: text for name, text in texts_in(language).items() if name.startswith(("ask.", "game."))}
    assert shared == {name: page[name] for name in shared}
    assert set(shared) == {name for name in page if name.startswith("ask.")} | {f"game.{name}" for name in GAMES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_a_sentence_for_every_failure_and_every_wish(language: str) -> None:
    page = texts(language, "notifications")
    assert {f"notify.error.{code}" for code in CODES} == {name for name in page if name.startswith("notify.error.")}
    assert {f"notify.about.{about}" for about in EVERYTHING} == {
        name for name in page if name.startswith("notify.about.")
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("about", EVERYTHING)
@pytest.mark.parametrize("is_person", [True, False])
def test_every_kind_of_news_makes_a_message(language: str, about: str, is_person: bool) -> None:
    news = [
        News(about, "t1", game, name, 0, ("a",), decision=decision, since=1, deadline=deadline, by="bob")
        for game in GAMES
        for name in ("Fog", None)
        for decision in ("invest", "new one", None)
        for deadline in (10**12, None)
    ]
    for each in news:
        message = message_of("id", language, "Europe/Warsaw", (each,), {"bob": "Bob"}, is_person=is_person)
        assert message.title
        assert all(message.lines)
        assert "{" not in message.title + "".join(message.lines)
    digest = message_of("id", language, "UTC", tuple(news), {}, is_person=is_person)
    assert str(len(news)) in digest.title
    assert len(digest.lines) == 11


def test_a_message_leads_to_the_table_or_to_the_list_of_all() -> None:
    one = News("move", "t1", "planners", None, 0, ("a",))
    other = News("ended", "t2", "planners", None, 0, ("a",))
    invited = News("invited", "t3", "planners", None, 0, ("a",))
    paths = [message_of("id", "en", "UTC", news, {}).path for news in ((one,), (one, other), (invited,))]
    assert paths == ["/t/t1", "/", "/"]


def test_times_are_those_of_the_persons_zone() -> None:
    noon = 1_795_176_000_000
    assert time_text("en", "UTC", noon) == "20 Nov, 12:00 UTC"
    assert time_text("de", "Europe/Berlin", noon) == "20. Nov., 13:00"
    assert time_text("en", "America/New_York", noon) == "20 Nov, 07:00"


def test_an_unknown_language_is_english() -> None:
    assert trial_message("id", "xx").title == trial_message("id", "en").title
