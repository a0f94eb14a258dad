"""Drawings are read as the game draws them."""

from __future__ import annotations

import pytest

from server.games.investors import city
from tests.games.investors import GAME
from tests.games.investors.drawing import city_drawn
from tests.games.investors.players import played
from tests.games.investors.scenes import Scene
from tests.games.players import Uniform

MAP_LINES = 2 * city.ROWS + 1


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_position_is_read_back_as_it_was(seed: int) -> None:
    state = played(Uniform(), seats=3 + seed % 3, seed=seed).play.state
    drawn = city_drawn(GAME.draw(state))
    assert tuple(drawn.kinds[district] for district in range(city.DISTRICTS)) == tuple(state.layout)
    assert [drawn.sticks[street] for street in range(city.STREETS)] == list(state.sticks)
    assert drawn.rebuilt == {district for district, owner in enumerate(state.rebuilt) if owner >= 0}


def test_a_scene_set_from_a_drawing_draws_the_same_map() -> None:
    drawing = GAME.draw(played(Uniform(), seats=5, seed=1).play.state)
    scene = Scene(drawing, seats=5)
    assert GAME.draw(scene.state).splitlines()[:MAP_LINES] == drawing.splitlines()[:MAP_LINES]


def test_a_city_that_is_still_being_laid_is_read_with_its_gaps() -> None:
    state = played(Uniform(), seats=3, seed=1, steps=20, layout="players").play.state
    kinds = city_drawn(GAME.draw(state)).kinds
    assert tuple(kinds[district] for district in range(city.DISTRICTS)) == tuple(state.layout)
    assert None in kinds.values()


def test_a_patch_says_where_its_streets_and_districts_lie() -> None:
    drawn = city_drawn(
        """
        +-y-+-1-+
        b V # * #
        +---+-#-+
        """,
        at=(3, 4),
    )
    villa, park = 3 * 7 + 4, 3 * 7 + 5
    assert drawn.kinds == {villa: "villa", park: "park"}
    assert drawn.names == {"1": city.flat(3, 5)}
    assert [drawn.sticks[street] for street in city.STREETS_OF[villa]] == [0, city.FREE, 1, city.WHITE]


def test_a_patch_with_the_town_hall_lies_in_the_middle() -> None:
    drawn = city_drawn(
        """
        +---+---+
        | V | H |
        +---+---+
        """
    )
    assert drawn.kinds == {city.MIDDLE - 1: "villa", city.MIDDLE: "hall"}


def test_a_scene_keeps_the_box_whole() -> None:
    scene = Scene(
        """
        +-#-+-#-+
        # * # * #
        +-#-+-#-+
        | V | V |
        +---+---+
        """
    )
    assert sorted(map(str, scene.state.layout)) == sorted(map(str, Scene().state.layout))
