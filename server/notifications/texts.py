"""The sentences of notifications, in four languages (`texts/`).

A message says which table, which game, what kind of decision, and until when: nothing that a game keeps secret. The
names of games and decisions are those of the page; a test keeps both equal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from server.notifications.planning import local_time
from server.notifications.recipients import News

LANGUAGES: Final = ("en", "de", "it", "pl")

MAX_LINES: Final = 10
"""Lines of a message; further news are counted."""


class Message(NamedTuple):
    """A notification as people read it."""

    id: str
    """The same for every attempt to send the same news, so that a receiver can tell repetitions."""

    language: str
    title: str
    lines: tuple[str, ...]
    path: str
    """The path of the page that a click opens."""

    tag: str
    """Of two messages with the same tag, a browser shows the later one only."""

    news: tuple[News, ...] = ()


@cache
def texts_in(language: str) -> Mapping[str, str]:
    """Return all texts of a language, or of English for an unknown one."""
    known = language if language in LANGUAGES else "en"
    folder = resources.files(__package__).joinpath("texts")
    texts: dict[str, str] = json.loads(folder.joinpath(f"{known}.json").read_text("utf-8"))
    return texts


def text(language: str, name: str, **values: object) -> str:
    """Return a text with its values."""
    return texts_in(language)[name].format(**values)


def message_of(
    message_id: str,
    language: str,
    zone: str,
    news: tuple[News, ...],
    names: Mapping[str, str],
    *,
    is_person: bool = True,
) -> Message:
    """Return the message about news, of which there is at least one.

    `names` are those of people, by id. A table is told that a decision waits, and not for whom: that may be secret.
    """
    lines = [_line(language, zone, each, names, is_person) for each in news[:MAX_LINES]]
    if len(news) > MAX_LINES:
        lines.append(text(language, "more", count=len(news) - MAX_LINES))
    first = news[0]
    tables = {each.table for each in news}
    path = f"/t/{first.table}" if len(tables) == 1 and first.about != "invited" else "/"
    if len(news) == 1:
        title = text(language, f"{_kind(first, is_person)}.title", game=game_name(language, first.game))
        return Message(message_id, language, title, tuple(lines), path, first.table, news)
    title = text(language, "digest.title", count=len(news))
    return Message(message_id, language, title, tuple(lines), path, "digest", news)


def trial_message(message_id: str, language: str) -> Message:
    """Return the message with which a person tests a contact."""
    return Message(message_id, language, text(language, "test.title"), (text(language, "test.line"),), "/you", "test")


def game_name(language: str, game: str) -> str:
    """Return the name of a game."""
    return texts_in(language).get(f"game.{game}", game)


def time_text(language: str, zone: str, milliseconds: int) -> str:
    """Return a day and a time of day in a zone."""
    local = local_time(zone, milliseconds / 1000)
    month = text(language, "months").split()[local.month - 1]
    clock = f"{local:%H:%M}" if zone != "UTC" else f"{local:%H:%M} UTC"
    return text(language, "time", day=local.day, month=month, clock=clock)


def _kind(news: News, is_person: bool) -> str:
    return "open" if news.about == "move" and not is_person else news.about


def _line(language: str, zone: str, news: News, names: Mapping[str, str], is_person: bool) -> str:
    game = game_name(language, news.game)
    kind = _kind(news, is_person)
    ask = texts_in(language).get(f"ask.{news.game}.{news.decision}")
    by = names.get(news.by)
    table = f"{news.name} ({game})" if news.name else game
    is_plain = (news.about == "move" and ask is None) or (news.about == "invited" and by is None)
    line = text(language, f"{kind}.line{'_plain' if is_plain else ''}", table=table, game=game, ask=ask, by=by)
    if news.deadline is None:
        return line
    return f"{line} ({text(language, 'deadline', time=time_text(language, zone, news.deadline))})"
