"""The points of each of the 24 goals."""

from __future__ import annotations

import pytest

from server.games.builders.components import MAJORITY_POINTS, OTHER_GOALS, START_GOALS
from server.games.builders.scoring import card_points, majority, pairs_of_neighbours
from tests.games.builders.scenes import Scene

BLOCK = """
    P6o Y2k   P1. Y5.
    R1o G4.   G6o P2.
    P3. Y5o   Y3. R4k
"""
"""Two cards. Orange: P6, R1, Y5 and, all by itself, G6. Black: Y2 beside P6, and R4."""


def test_every_goal_of_the_box_has_a_worth() -> None:
    scene = Scene(BLOCK)
    for goal in (*START_GOALS, *OTHER_GOALS):
        assert all(isinstance(points, int) for points in scene.worth(goal))


def test_buildings_are_worth_1_each() -> None:
    assert Scene(BLOCK).worth("buildings") == (4, 2, 0)


def test_isolated_buildings_have_no_building_beside_them() -> None:
    # Y5 touches nothing at its sides; R4 neither, for G6 lies at its corner only.
    assert Scene(BLOCK).worth("isolated") == (4, 2, 0)


def test_ruling_30_rubble_and_empty_plots_are_no_buildings() -> None:
    around = """
        P6* Y2*
        R1o G4*
        P3* Y5.
    """
    assert Scene(around).worth("isolated") == (2, 0, 0)
    assert Scene(around.replace("P6*", "P6k")).worth("isolated") == (0, 0, 0)


def test_ruling_30_a_street_separates_the_cards_unless_the_table_says_otherwise() -> None:
    across = """
        P6. Y2o   P1k Y5.
        R1. G4.   G6. P2.
        P3. Y5.   Y3. R4.
    """
    assert Scene(across).worth("isolated") == (2, 2, 0)
    assert Scene(across).worth("next_to_opponent") == (0, 0, 0)
    assert Scene(across, adjacent_across_cards=True).worth("isolated") == (0, 0, 0)
    assert Scene(across, adjacent_across_cards=True).worth("next_to_opponent") == (2, 2, 0)


def test_ruling_31_next_to_opponents_counts_buildings_not_neighbours() -> None:
    surrounded = """
        P6k Y2.
        R1o G4b
        P3k Y5.
    """
    assert Scene(surrounded).worth("next_to_opponent") == (2, 4, 2)


@pytest.mark.parametrize(
    "drawing, pairs",
    [
        ("P6o Y2. / R1. G4o / P3. Y5.", 0),
        ("P6o Y2o / R1. G4. / P3. Y5.", 1),
        ("P6o Y2o / R1o G4. / P3. Y5.", 1),
        ("P6o Y2o / R1o G4. / P3o Y5.", 2),
        ("P6. Y2o / R1o G4o / P3o Y5.", 2),
        ("P6o Y2o / R1o G4o / P3o Y5.", 2),
        ("P6o Y2o / R1o G4o / P3o Y5o", 3),
        ("P6k Y2o / R1o G4k / P3k Y5o", 0),
    ],
)
def test_ruling_32_every_building_is_in_one_pair_and_the_best_pairing_counts(drawing: str, pairs: int) -> None:
    scene = Scene(drawing.replace(" / ", "\n"))
    assert scene.worth("own_pairs")[0] == 3 * pairs
    assert pairs_of_neighbours(scene.state.city, scene.state.buildings[0]) == pairs


def test_ruling_32_pairs_go_across_streets_only_if_the_table_says_so() -> None:
    drawing = """
        P6. Y2o   P1o Y5.
        R1. G4o   G6. P2.
        P3. Y5.   Y3o R4.

        P2. Y1.   G4. Y2.
        R5. P6.   R1. G5.
        G3. R4.   P3. R6.
    """
    # Across the street Y2 could go with P1 as well as with G4, but not with both.
    assert Scene(drawing).worth("own_pairs")[0] == 3
    assert Scene(drawing, adjacent_across_cards=True).worth("own_pairs")[0] == 3
    below = drawing.replace("G4. Y2.", "G4o Y2.")
    assert Scene(below).worth("own_pairs")[0] == 3
    assert Scene(below, adjacent_across_cards=True).worth("own_pairs")[0] == 6


def test_ruling_33_a_corner_is_surrounded_when_all_plots_beside_it_are_built_on_by_anybody() -> None:
    drawing = """
        P6o Y2k
        R1b G4o
        P3o Y5.
    """
    # P6 is surrounded by black and blue, P3 has an empty plot at its side, and G4 is no corner.
    assert Scene(drawing).worth("surrounded_corners") == (3, 3, 0)
    assert Scene(drawing.replace("Y5.", "Y5k")).worth("surrounded_corners") == (6, 6, 0)
    assert Scene(drawing.replace("Y5.", "Y5*")).worth("surrounded_corners") == (3, 3, 0)


def test_ruling_33_across_streets_a_corner_has_more_plots_beside_it() -> None:
    drawing = """
        P6o Y2k   P1. Y5.
        R1k G4k   G6. P2.
        P3. Y5.   Y3. R4.
    """
    assert Scene(drawing, adjacent_across_cards=True).worth("surrounded_corners") == (3, 0, 0)
    assert Scene(drawing).worth("surrounded_corners") == (3, 3, 0)


@pytest.mark.parametrize(
    "colour, points", [("green", (2, 0, 0)), ("yellow", (2, 2, 0)), ("red", (2, 2, 0)), ("purple", (2, 0, 0))]
)
def test_buildings_on_a_colour_are_worth_2_each(colour: str, points: tuple[int, ...]) -> None:
    assert Scene(BLOCK).worth(f"colour_{colour}") == points


def test_ruling_34_a_set_is_four_buildings_on_four_colours() -> None:
    assert Scene(BLOCK).worth("colour_set") == (10, 0, 0)
    two_sets = """
        P6o Y2o   P1o Y5o
        R1o G4o   G6o P2.
        P3. Y5.   Y3. R4o
    """
    assert Scene(two_sets).worth("colour_set") == (20, 0, 0)
    assert Scene(two_sets.replace("R1o", "R1k")).worth("colour_set") == (10, 0, 0)


def test_ruling_34_a_set_is_four_different_development_cards() -> None:
    scene = Scene().cards(
        o={"light": 2, "tram": 2, "hydrant": 3, "park": 2},
        k={"light": 5, "tram": 1, "hydrant": 1},
        b={"light": 1, "tram": 1, "hydrant": 1, "park": 1},
    )
    assert scene.worth("card_set") == (20, 0, 10)


@pytest.mark.parametrize("symbol", ["light", "tram", "hydrant", "park"])
def test_development_cards_of_a_symbol_are_worth_2_each(symbol: str) -> None:
    assert Scene().cards(o={symbol: 3}).worth(f"card_{symbol}") == (6, 0, 0)


def test_rubble_is_worth_2_each() -> None:
    assert Scene().rubble(o=3, k=1).worth("rubble") == (6, 2, 0)


def test_ruling_35_money_is_worth_1_for_every_whole_3_dollars() -> None:
    assert [Scene().money(o=money).worth("money")[0] for money in (0, 2, 3, 5, 6, 14, 15)] == [0, 0, 1, 1, 2, 4, 5]


def test_column_and_row_are_worth_what_the_bars_say() -> None:
    assert [Scene().marker(o=(column, 0)).worth("column")[0] for column in range(10)] == [0, 0, 1, 1, 2, 3, 4, 5, 6, 7]
    assert [Scene().marker(o=(0, row)).worth("row")[0] for row in range(5)] == [-2, 0, 2, 4, 6]


def test_vector_3_lights_are_worth_0_1_3_6_10_15() -> None:
    points = [card_points(Scene().cards(o={"light": lights}).state, 0)["light"] for lights in range(6)]
    assert points == [0, 1, 3, 6, 10, 15]


def test_trams_are_worth_3_hydrants_2_and_parks_what_is_printed() -> None:
    scene = Scene().cards(o={"tram": 2, "hydrant": 3, "park": 2}).put(parks=((3, 5), (), ()))
    assert card_points(scene.state, 0) == {"light": 0, "tram": 6, "hydrant": 6, "park": 8}


# -- majorities -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seats, counts, points",
    [
        (2, [2, 1], (3, 1)),
        (2, [1, 1], (2, 2)),
        (2, [4, 0], (3, 0)),
        (3, [4, 2, 2], (5, 2, 2)),
        (3, [1, 2, 3], (1, 3, 5)),
        (3, [2, 2, 1], (4, 4, 1)),
        (3, [1, 1, 1], (3, 3, 3)),
        (4, [3, 3, 1, 0], (6, 6, 3, 0)),
        (4, [5, 2, 2, 2], (7, 3, 3, 3)),
        (4, [1, 1, 1, 1], (4, 4, 4, 4)),
    ],
)
def test_vector_2_equal_players_share_the_points_of_their_places(
    seats: int, counts: list[int], points: tuple[int, ...]
) -> None:
    assert majority(tuple(counts), MAJORITY_POINTS[seats], ranks_all=False) == points


def test_ruling_36_who_has_none_gets_none() -> None:
    assert Scene().rubble(o=2).worth("majority_rubble") == (5, 0, 0)
    assert Scene().worth("majority_rubble") == (0, 0, 0)


@pytest.mark.parametrize(
    "seats, counts, points",
    [
        (2, [4, 0], (3, 1)),
        (3, [4, 2, 0], (5, 3, 1)),
        (3, [4, 0, 0], (5, 2, 2)),
        (4, [3, 3, 1, 0], (6, 6, 3, 1)),
        (4, [2, 0, 0, 0], (7, 3, 3, 3)),
        (4, [0, 0, 0, 0], (4, 4, 4, 4)),
    ],
)
def test_rule_9_7_a_table_may_agree_to_rank_players_who_have_none(
    seats: int, counts: list[int], points: tuple[int, ...]
) -> None:
    scene = Scene(seats=seats, majorities_rank_all=True).put(rubble=tuple(counts))
    assert scene.worth("majority_rubble") == points
    assert scene.worth("majority_green") == {2: (2, 2), 3: (3, 3, 3), 4: (4, 4, 4, 4)}[seats]


@pytest.mark.parametrize(
    "colour, points", [("green", (5, 0, 0)), ("yellow", (4, 4, 0)), ("red", (4, 4, 0)), ("purple", (5, 0, 0))]
)
def test_majorities_go_by_buildings_on_the_colour(colour: str, points: tuple[int, ...]) -> None:
    assert Scene(BLOCK).worth(f"majority_{colour}") == points


def test_ruling_37_a_majority_is_in_the_box_once_so_nobody_holds_one_that_is_common() -> None:
    goals = (*START_GOALS, *OTHER_GOALS)
    assert sorted(goal for goal in goals if goal.startswith("majority")) == [
        "majority_green",
        "majority_purple",
        "majority_red",
        "majority_rubble",
        "majority_yellow",
    ]
