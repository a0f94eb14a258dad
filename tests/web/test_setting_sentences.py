"""Every value of every option of the rules has a sentence in the waiting room."""

from __future__ import annotations

import pytest

from server.games.engine.options import Cards, Flag, Limit, Option, Pick
from server.games.registry import GAMES
from tests.web.texts import LANGUAGES, texts


def endings(option: Option) -> set[str]:
    """Return the endings of the catalogue keys that the values of an option need."""
    match option:
        case Pick(values=values, each=each):
            return {*values, *(["each"] if each else [])}
        case Flag():
            return {"on", "off"}
        case Cards():
            return {"chance", "chosen"}
        case Limit(minimum=minimum, none=none):
            return {"number"} | ({"none"} if none else set()) | ({"zero"} if minimum == 0 else set())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_every_option_has_its_sentence(language: str) -> None:
    keys = set(texts(language, "waiting"))
    needed = {
        f"setting.{name}.{option.name}.{ending}"
        for name, game in GAMES.items()
        for option in game.options
        # All games share the sentences about the first seat.
        if option.name != "first_seat"
        for ending in endings(option)
    }
    assert needed - keys == set()
    seats = {count for game in GAMES.values() for count in game.seats}
    assert {f"setting.seats.{count}" for count in seats} - keys == set()
