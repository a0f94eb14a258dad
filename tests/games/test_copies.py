"""A copy of a state has all its fields, and shares nothing that a reducer changes."""

from __future__ import annotations

from dataclasses import fields

import pytest

from server.games.engine.dice import Dice
from server.games.engine.options import read_options
from server.games.registry import GAMES
from tests.games.players import seed_bytes


@pytest.mark.parametrize("name", GAMES)
def test_a_copy_has_all_fields_and_shares_no_list(name: str) -> None:
    game = GAMES[name]
    state, _ = game.begin(game.seats[-1], read_options(game.options, {}), Dice(seed_bytes(1)))
    copy = state.copy()
    for field in fields(state):
        value = getattr(state, field.name)
        assert getattr(copy, field.name) == value, field.name
        assert not isinstance(value, list) or getattr(copy, field.name) is not value, field.name
