"""Drawings are read as the game draws them, and permits and plots have names in characters."""

from __future__ import annotations

import pytest

from server.games.builders.components import PERMITS
from server.games.builders.text import permit_text
from tests.games.builders import GAME
from tests.games.builders.drawing import city_drawn
from tests.games.builders.players import Moody, played
from tests.games.builders.scenes import Scene


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_position_is_read_back_as_it_was(seed: int) -> None:
    seats = 2 + seed % 3
    state = played(Moody(), seats=seats, seed=seed).play.state
    drawn = city_drawn(GAME.draw(state), seats)
    assert drawn.cards == state.city.cards
    assert tuple(drawn.buildings) == state.buildings
    assert drawn.ruins == state.ruins


def test_a_scene_set_from_a_drawing_draws_the_same_map() -> None:
    drawing = """
        P6o Y2*   P1k Y5.
        R1. G4b   G6. P2.
        P3. Y5.   Y3* R4.
    """
    lines = [line.strip() for line in drawing.strip().splitlines()]
    assert [line[:17] for line in GAME.draw(Scene(drawing).state).splitlines()[1:4]] == lines


def test_every_permit_has_a_text_of_its_own() -> None:
    texts = [permit_text(permit) for permit in range(len(PERMITS))]
    assert len(set(texts)) == len(texts)
    assert {"G1:LT", "R3:LP", "**:TH"} <= set(texts)


def test_a_drawing_tells_what_every_seat_has() -> None:
    scene = Scene(seats=2).money(o=7).permits(k="R3:LP **:TH").goals(o="rubble").hidden_goals(o="own_pairs")
    orange, black = GAME.draw(scene.state).splitlines()[-2:]
    assert "orange $7" in orange
    assert "goals rubble (own pairs)" in orange
    assert "permits R3:LP **:TH" in black
