"""Every kind of standing order has its words in every language: its name, its fields and values, and its sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from server.games.engine.options import Limit, Pick
from server.games.engine.orders import PREPARED, OrderKind
from server.games.registry import GAMES
from tests.web.texts import LANGUAGES, texts

KINDS = [kind for game in GAMES.values() for kind in (game.orders.kinds if game.orders else ())]


def needed(kind: OrderKind, keys: set[str]) -> Iterator[str]:
    """Yield the keys that the page needs for a kind of order."""
    yield f"orders.sentence.{kind.name}"
    if kind.name == PREPARED:
        return
    yield f"orders.kind.{kind.name}"
    for field in kind.fields:
        own = f"orders.field.{kind.name}.{field.name}"
        yield own if own in keys else f"orders.field.{field.name}"
        if isinstance(field, Pick):
            yield from (f"orders.value.{field.name}.{value}" for value in field.values)
        if isinstance(field, Limit) and field.none:
            yield f"orders.value.{field.name}.null"
            yield f"orders.sentence.{kind.name}.{field.name}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_order_has_its_texts(language: str) -> None:
    keys = set(texts(language, "orders"))
    assert {key for kind in KINDS for key in needed(kind, keys)} - keys == set()
    periods = {game.orders.period for game in GAMES.values() if game.orders and game.orders.period}
    assert {f"orders.until.{name}" for name in (*periods, "once", "changed")} - keys == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_name_all_fields_of_an_order_and_no_others(language: str) -> None:
    found = texts(language, "orders")
    for kind in KINDS:
        if kind.name == PREPARED:
            continue
        optional = {field.name for field in kind.fields if isinstance(field, Limit) and field.none}
        fields = {field.name for field in kind.fields}
        for key, wanted in {
            f"orders.sentence.{kind.name}": fields - optional,
            **{f"orders.sentence.{kind.name}.{name}": fields for name in optional},
        }.items():
            sentence = found[key]
            assert isinstance(sentence, str)
            assert set(re.findall(r"\{(\w+)\}", sentence)) == wanted, (language, key)
