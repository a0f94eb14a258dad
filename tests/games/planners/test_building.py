"""Cable cars, city squares, skyscrapers, the medal, completed districts (sections 5 and 7 of the rules)."""

from __future__ import annotations

import pytest

from server.games.planners.events import MedalTaken, NetworkGrown, RowCompleted, TowerBuilt
from tests.games.planners.scenes import Scene

# -- the network --------------------------------------------------------------------------------------------------


def test_vector_4_tracks_in_green_connect_the_tracks_above_them_in_one_step() -> None:
    scene = Scene(
        """
        3       1tc     .       .       .
        2t      2t      .       .       .
        .       .       .       .       .
        """,
        columns=("green:2t", "", ""),
    ).take(1)
    scene.place("green:2t")
    assert scene.city_is(
        """
        3       1tc*    .       .       .
        2t*     2t*     .       .       .
        2t*     .       .       .       .
        """
    )
    assert scene.events(NetworkGrown) == [NetworkGrown(0, (11, 15, 16, 20))]


def test_tracks_above_green_are_not_connected_by_a_printed_depot() -> None:
    scene = Scene(columns=("yellow:2t", "", "")).take(1).place("yellow:2t")
    assert scene.city_is("2t . . . .\n. . . . .")


@pytest.mark.parametrize("column", range(5))
def test_every_space_of_green_lies_at_a_printed_depot(column: int) -> None:
    row = ["3"] * min(column, 4) + ["."] * (5 - column)
    scene = Scene(" ".join(row), columns=("green:2t", "", "")).take(1).place("green:2t")
    row[column] = "2t*"
    assert scene.city_is(" ".join(row))


def test_a_card_without_tracks_does_not_connect() -> None:
    scene = Scene(
        """
        2t      .       .       .       .
        .       .       .       .       .
        """,
        columns=("green:3 green:2t", "", ""),
    ).take(1)
    scene.place("green:3", "green:2t")
    assert scene.city_is(
        """
        2t      .       .       .       .
        3       2t*     .       .       .
        """
    )


def test_a_depot_is_connected_by_itself_and_connects_what_is_beside_it() -> None:
    scene = Scene(
        """
        2t      2t      .       .       .
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """,
        columns=("gray:1d", "", ""),
    ).take(1)
    scene.place("gray:1d")
    assert scene.city_is(
        """
        2t*     2t*     .       .       .
        1d*     .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """
    )


def test_ruling_12_tracks_connect_whatever_their_drawing_upwards_and_to_both_sides() -> None:
    scene = Scene(
        """
        u1t     2t      1tc     .       .
        u1t     3       u1t     .       .
        3       .       .       .       .
        """,
        columns=("green:1tc", "", ""),
    ).take(1)
    scene.place("green:1tc")
    assert scene.city_is(
        """
        u1t     2t      1tc     .       .
        u1t     3       u1t     .       .
        3       1tc*    .       .       .
        """
    )
    scene = Scene(
        """
        u1t     2t      1tc     .       .
        u1t     3       u1t     .       .
        3       3       .       .       .
        """,
        columns=("green:1tc", "", ""),
    ).take(1)
    scene.place("green:1tc")
    assert scene.city_is(
        """
        u1t*    2t*     1tc*    .       .
        u1t*    3       u1t*    .       .
        3       3       1tc*    .       .
        """
    )


# -- city squares -------------------------------------------------------------------------------------------------


def test_a_city_square_counts_4_beside_a_cable_car_and_nothing_without_one() -> None:
    scene = Scene("0q . . . .\n. . . . .", columns=("green:3 green:2t", "", "")).take(1)
    assert scene.value("yellow 1") == 0
    scene.discard("green:3")
    scene.place("green:2t")
    assert scene.value("yellow 1") == 4


def test_vector_e_diagonal_neighbours_never_count() -> None:
    scene = Scene("0q . . . .\n3 . . . .", columns=("green:2t", "", "")).take(1).place("green:2t")
    assert scene.value("yellow 1") == 0
    scene = Scene(
        """
        3       2c      u2      .       .
        2c      .       .       .       .
        3       2c      3       .       .
        .       .       .       .       .
        """,
        columns=("orange:0f", "", ""),
    ).take(1)
    scene.place("orange:0f")
    assert (scene.around("orange 2"), scene.towers()) == (6, [])


def test_a_printed_depot_does_not_switch_a_square_on() -> None:
    scene = Scene("0q . . . .\n. . . . .", columns=("green:3", "", "")).take(1).place("green:3")
    assert scene.value("yellow 1") == 0


def test_ruling_18_a_square_with_a_tracks_token_counts_4_once_it_is_connected() -> None:
    scene = Scene("0q~ . . . .\n. . . . .", columns=("green:2t", "", "")).take(1)
    assert scene.value("yellow 1") == 0
    scene.place("green:2t")
    assert scene.city_is("0q~* . . . .\n2t* . . . .")
    assert scene.value("yellow 1") == 4


# -- skyscrapers --------------------------------------------------------------------------------------------------


def test_vector_5_a_depot_switches_a_square_on_and_the_foundation_beside_it_reaches_seven() -> None:
    scene = Scene(
        """
        .       .       .       .       .
        0q      0f      .       .       .
        u2      3       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """,
        columns=("blue:1d", "", ""),
    ).take(1)
    assert (scene.value("gray 1"), scene.towers()) == (0, [])
    scene.place("blue:1d")
    assert scene.value("gray 1") == 4
    assert scene.city_is(
        """
        1d*     .       .       .       .
        0q      0f!     .       .       .
        u2      3       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """
    )


def test_vector_6_a_seaside_card_lowers_what_a_foundation_needs() -> None:
    scene = Scene(
        """
        .       .       .       .       .
        3       .       .       .       .
        0f      .       .       .       .
        3       .       .       .       .
        .       .       .       .       .
        """,
        columns=("blue:1s", "", ""),
    ).take(1)
    assert scene.city().needs == 7
    scene.place("blue:1s")
    assert scene.city().needs == 6
    assert scene.events(TowerBuilt) == [TowerBuilt(0, 10)]


def test_ruling_15_seaside_counts_for_every_foundation_of_that_city_and_for_no_other() -> None:
    scene = Scene(
        """
        .       .       .       .       .
        2c      2c      .       .       .
        0f      0f      .       .       .
        2c      2c      .       .       .
        .       .       .       .       .
        """,
        columns=("blue:1s blue:1s blue:0sc", "", ""),
    ).take(1)
    scene.place("blue:1s", "blue:1s")
    assert (scene.city().needs, scene.towers()) == (5, [])
    scene.place("blue:0sc")
    assert (scene.city().needs, scene.towers()) == (4, [10, 11])
    assert scene.city("b").needs == 7


def test_ruling_15_no_foundation_needs_less_than_nothing() -> None:
    city = Scene().city().copy()
    city.seasides = (1 << 8) - 1
    assert city.needs == 0


def test_a_foundation_placed_where_enough_lies_already_is_built_on_at_once() -> None:
    scene = Scene(
        """
        .       .       .       .       .
        3       1tc     .       .       .
        3       .       .       .       .
        u1t     3       .       .       .
        .       .       .       .       .
        """,
        columns=("orange:0f", "", ""),
    ).take(1)
    scene.place("orange:0f")
    assert scene.towers() == [11]


def test_what_a_foundation_itself_counts_does_not_matter() -> None:
    scene = Scene("3 0f^ . . .\nu2 3 . . .", columns=("yellow:0q", "", "")).take(1).place("yellow:0q")
    assert (scene.value("yellow 2"), scene.around("yellow 2")) == (2, 6)
    assert scene.towers() == []


def test_ruling_11_a_skyscraper_is_built_without_asking() -> None:
    scene = Scene("3 0f . . .\n3 3 . . .", columns=("yellow:2c", "", "")).take(1).place("yellow:2c")
    assert scene.city_is("3 0f! 2c . .\n3 3 . . .")
    assert scene.kind == "confirm"


def test_ruling_13_a_skyscraper_is_never_lost_and_each_is_built_once() -> None:
    scene = Scene("3 0f! 2c . .\n3 3 . . .", columns=("yellow:0q green:3", "", ""), medal="y").take(1)
    scene.place("yellow:0q", "green:3")
    assert scene.events(TowerBuilt) == []
    assert scene.towers() == [16]


def test_ruling_14_a_skyscraper_changes_nothing_about_its_card() -> None:
    scene = Scene(
        """
        u1t     u1t     .       .       .
        3       0f^!    0f      .       .
        3       3       2c      .       .
        """,
        columns=("yellow:3", "", ""),
        medal="y",
    ).take(1)
    assert scene.value("yellow 2") == 2
    scene.place("yellow:3")
    assert scene.city_is(
        """
        u1t     u1t     .       .       .
        3       0f^!    0f!     3       .
        3       3       2c      .       .
        """
    )


def test_ruling_30_all_that_one_card_brings_about_counts() -> None:
    scene = Scene(
        """
        1s      1s      .       .       .
        .       .       .       .       .
        3       2c      0f      0q      0f
        3       3       2c      u1t     u1t
        3       3       3       3       .
        """,
        columns=("green:2t", "", ""),
        completed={"orange": "b", "yellow": "b"},
    ).take(1)
    scene.place("green:2t")
    assert scene.city_is(
        """
        1s      1s      .       .       .
        .       .       .       .       .
        3       2c      0f!     0q      0f!
        3       3       2c      u1t*    u1t*
        3       3       3       3       2t*
        """
    )
    _, *followed = scene.steps[-1]
    assert list(map(type, followed)) == [NetworkGrown, TowerBuilt, TowerBuilt, MedalTaken, RowCompleted]


# -- the medal ----------------------------------------------------------------------------------------------------

ONE_TOWER = "3 0f! 2c . .\n3 3 . . ."


def test_the_first_builder_takes_the_medal() -> None:
    scene = Scene("3 0f . . .\n3 3 . . .", columns=("yellow:2c", "", "")).take(1).place("yellow:2c")
    assert scene.state.medal == 0
    assert scene.events(MedalTaken) == [MedalTaken(0)]


def test_vector_d_with_equal_skyscrapers_the_medal_stays() -> None:
    scene = Scene(
        ONE_TOWER,
        "u2 0f . . .\nu2 3 . . .",
        turn="b",
        columns=("yellow:2c yellow:2t", "", ""),
        medal="y",
    ).take(1)
    scene.place("yellow:2c")
    assert scene.towers("b") == [16]
    assert (scene.state.medal, scene.events(MedalTaken)) == (0, [])


def test_the_medal_goes_to_who_has_more_skyscrapers_than_its_holder() -> None:
    scene = Scene(
        ONE_TOWER,
        """
        3       .       .       .       .
        0f!     2c      0f      .       .
        u2      u2      3       .       .
        .       .       .       .       .
        """,
        turn="b",
        columns=("orange:2t", "", ""),
        medal="y",
    ).take(1)
    scene.place("orange:2t")
    assert scene.towers("b") == [10, 12]
    assert (scene.state.medal, scene.events(MedalTaken)) == (1, [MedalTaken(1)])


def test_the_first_to_complete_a_district_takes_its_token() -> None:
    scene = Scene("3 3 3 3 .", columns=("green:2c", "", "")).take(1).place("green:2c")
    assert scene.events(RowCompleted) == [RowCompleted(0, 4)]
    scene = Scene("u2 u2 u2 u2 .", turn="y", columns=("green:2c", "", ""), completed={"green": "b"})
    scene.take(1).place("green:2c")
    assert (scene.state.completed[4], scene.events(RowCompleted)) == (1, [])
