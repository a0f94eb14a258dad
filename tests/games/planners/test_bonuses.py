"""Bonuses: the second compass of a row, the six kinds with their targets, what follows (sections 6 and 7)."""

from __future__ import annotations

import pytest

from server.games.planners.commands import Decline, TakePoints, TakeTracks, TakeUniversal, TakeValue
from server.games.planners.events import (
    BonusDeclined,
    BonusDue,
    BonusLapsed,
    BonusTaken,
    GameEnded,
    MedalTaken,
    NetworkGrown,
    RowCompleted,
    TowerBuilt,
)
from tests.games.planners.scenes import Scene

ROWS = ["blue", "gray", "orange", "yellow", "green"]
SOLD_OUT = dict.fromkeys(("value", "universal", "depot", "points", "release", "tracks"), 0)


def second_in(district: str, **setting: object) -> Scene:
    """Let a seat with one compass in a row place the second, with a plain card still in the hand."""
    card = f"{district}:2c"
    city = "\n".join("2c . . . ." if row == district else ". . . . ." for row in ROWS)
    return Scene(city, columns=(f"{card} u2", "", ""), **setting).take(1).place(card)  # type: ignore[arg-type]


# -- when ---------------------------------------------------------------------------------------------------------


def test_vector_7_a_second_compass_in_gray_gives_the_card_or_tracks() -> None:
    scene = second_in("gray")
    assert (scene.kind, scene.awaited) == ("bonus", "y")
    assert scene.offers == {"take_universal": ROWS, "take_tracks": ["gray 1", "gray 2"]}
    scene.take_bonus("universal", "green")
    assert scene.city_is("2c 2c . . .\n. . . . .\n. . . . .\nx4 . . . .")
    assert (scene.value("green 1"), scene.state.bonuses["universal"]) == (4, 2)


def test_the_first_compass_of_a_row_gives_nothing() -> None:
    scene = Scene("2c . . . .\n. . . . .", columns=("green:2c u2", "", "")).take(1).place("green:2c")
    assert scene.kind == "place"


def test_vector_c_a_third_compass_in_a_row_gives_nothing() -> None:
    scene = Scene("2c 2c . . .\n. . . . .", columns=("yellow:2c u1c u2", "", "")).take(1)
    scene.place("yellow:2c", "u1c yellow")
    assert (scene.kind, scene.events(BonusDue)) == ("place", [])


def test_each_district_gives_its_own_bonus() -> None:
    offered = {district: next(iter(second_in(district).offers)) for district in ROWS}
    assert offered == {
        "blue": "take_value",
        "gray": "take_universal",
        "orange": "take_depot",
        "yellow": "take_points",
        "green": "take_release",
    }


def test_ruling_19_a_universal_compass_counts_in_the_row_where_it_lies() -> None:
    scene = Scene("2c . . . .", columns=("u1c u1c", "", "")).take(1).place("u1c yellow")
    assert scene.kind == "place"
    scene.place("u1c green")
    assert scene.events(BonusDue) == [BonusDue(0, 4)]


def test_ruling_5_a_bonus_comes_before_the_next_card_and_takes_the_leftmost_space() -> None:
    scene = second_in("gray")
    assert scene.hand == ["u2"]
    scene.take_bonus("universal", "gray").place("u2 gray")
    assert scene.city_is("2c 2c x4 u2 .\n. . . . .\n. . . . .\n. . . . .")


def test_a_seat_can_have_the_bonuses_of_several_districts_in_one_turn() -> None:
    scene = Scene(columns=("green:2c green:2c yellow:2c yellow:2c", "", "")).take(1)
    scene.place("green:2c", "green:2c").take_bonus("release").place("yellow:2c", "yellow:2c").take_bonus("points")
    assert (scene.state.releases[0], scene.state.point_tokens[0], scene.kind) == (True, 1, "confirm")


# -- what ---------------------------------------------------------------------------------------------------------


def test_ruling_16_more_value_goes_on_any_own_card() -> None:
    scene = Scene(
        """
        2c      .       .       .       .
        x4      0q      .       .       .
        2c      0f      .       .       .
        0q      .       .       .       .
        2t*     x0d*    .       .       .
        """,
        columns=("blue:2c", "", ""),
    ).take(1)
    scene.place("blue:2c")
    places = ["blue 1", "blue 2", "gray 1", "gray 2", "orange 1", "orange 2", "yellow 1", "green 1", "green 2"]
    assert scene.offers["take_value"] == places
    before = {place: scene.value(place) for place in places}
    for place in places:
        scene.take_bonus("value", place)
        assert scene.value(place) == before[place] + 2
        scene.undo()
    assert (before["gray 2"], before["yellow 1"]) == (0, 4)
    assert scene.refuses(TakeValue(24))


def test_ruling_16_more_value_on_a_foundation_helps_its_neighbours_but_not_itself() -> None:
    scene = Scene(
        """
        2c      0f      .       .       .
        3       0f      .       .       .
        u2      .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """,
        columns=("blue:2c", "", ""),
    ).take(1)
    scene.place("blue:2c")
    scene.take_bonus("value", "gray 2")
    assert (scene.around("gray 2"), scene.around("blue 2")) == (3, 6)
    assert scene.towers() == []


def test_ruling_16_more_value_can_build_a_skyscraper() -> None:
    scene = Scene(
        """
        2c      .       .       .       .
        3       .       .       .       .
        0f      .       .       .       .
        u2      .       .       .       .
        .       .       .       .       .
        """,
        columns=("blue:2c", "", ""),
    ).take(1)
    scene.place("blue:2c").take_bonus("value", "yellow 1")
    assert scene.events(TowerBuilt) == [TowerBuilt(0, 10)]


def test_a_point_token_is_worth_one_and_a_half_points() -> None:
    scene = second_in("yellow").take_bonus("points")
    assert scene.events(BonusTaken) == [BonusTaken(0, 3, "points", None)]
    assert scene.seat_view()["parts"]["tokens"] == 3


def test_the_depot_card_connects_what_is_beside_it() -> None:
    scene = Scene(
        """
        2t      .       .       .       .
        .       .       .       .       .
        2c      .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """,
        columns=("orange:2c", "", ""),
    ).take(1)
    scene.place("orange:2c").take_bonus("depot", "gray")
    assert scene.city_is(
        """
        2t*     .       .       .       .
        x0d*    .       .       .       .
        2c      2c      .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """
    )
    assert scene.events(NetworkGrown) == [NetworkGrown(0, (0, 5))]


def test_ruling_17_tracks_go_on_any_own_card_without_them_but_on_no_depot() -> None:
    scene = Scene(
        """
        1d*     .       .       .       .
        0q      x4      x0d*    0f      .
        2t      3~      .       .       .
        2c      .       .       .       .
        2t*     .       .       .       .
        """,
        columns=("yellow:2c", "", ""),
    ).take(1)
    scene.place("yellow:2c")
    assert scene.offers["take_tracks"] == ["gray 1", "gray 2", "gray 4", "yellow 1", "yellow 2"]
    scene.take_bonus("tracks", "gray 2")
    assert scene.city_is(
        """
        1d*     .       .       .       .
        0q      x4~*    x0d*    0f      .
        2t*     3~*     .       .       .
        2c      2c      .       .       .
        2t*     .       .       .       .
        """
    )
    assert scene.events(BonusTaken) == [BonusTaken(0, 3, "tracks", 6)]


def test_ruling_6_a_bonus_card_connects_builds_and_completes_but_gives_no_bonus() -> None:
    scene = Scene(
        """
        3       3       2t      2t      .
        0f      2c      2c      .       .
        0q      3       2c      .       .
        u2      .       .       .       .
        .       .       .       .       .
        """,
        columns=("orange:2c", "", ""),
    ).take(1)
    scene.place("orange:2c").take_bonus("depot", "blue")
    assert scene.city_is(
        """
        3       3       2t*     2t*     x0d*
        0f      2c      2c      .       .
        0q      3       2c      2c      .
        u2      .       .       .       .
        .       .       .       .       .
        """
    )
    assert list(map(type, scene.steps[-1])) == [BonusTaken, NetworkGrown, RowCompleted]
    scene = Scene(
        """
        .       .       .       .       .
        0q      0f      .       .       .
        2c      3       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """,
        columns=("orange:2c", "", ""),
    ).take(1)
    scene.place("orange:2c").take_bonus("depot", "blue")
    assert list(map(type, scene.steps[-1])) == [BonusTaken, NetworkGrown, TowerBuilt, MedalTaken]


def test_ruling_22_a_bonus_card_can_fill_a_city_and_so_end_the_game() -> None:
    scene = Scene(
        """
        3       3       2c      2c      1s
        3       2c      2c      0q      0q
        3       2c      0q      0q      .
        3       3       2c      2c      0q
        3       3       3       3       .
        """,
        columns=("orange:2c green:2c", "", ""),
        completed=dict.fromkeys(("blue", "gray", "yellow"), "b"),
    ).take(1)
    scene.place("orange:2c").take_bonus("depot", "green")
    assert (scene.kind, scene.discarded()) == ("confirm", ["green:2c"])
    scene.confirm()
    assert scene.events(GameEnded) == [GameEnded("full", 0)]
    assert [event.row for event in scene.events(RowCompleted)] == [2, 4]


# -- what is left -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("district", ROWS)
def test_ruling_9_when_the_bonus_of_a_district_is_sold_out_tracks_may_still_be_taken(district: str) -> None:
    scene = second_in(district, bonuses={**SOLD_OUT, "tracks": 1})
    assert scene.offers == {"take_tracks": [f"{district} 1", f"{district} 2"]}
    scene.take_bonus("tracks", f"{district} 2")
    assert scene.state.bonuses["tracks"] == 0


@pytest.mark.parametrize("district", ROWS)
def test_rule_6_2_a_table_may_agree_that_a_sold_out_bonus_leaves_nothing(district: str) -> None:
    scene = second_in(district, bonuses={**SOLD_OUT, "tracks": 1}, sold_out_leaves_nothing=True)
    row = ROWS.index(district)
    assert (scene.kind, scene.events(BonusLapsed)) == ("place", [BonusLapsed(0, row)])
    assert (scene.state.bonuses["tracks"], scene.seat_view()["bonus_rows"]) == (1, [row])


def test_rule_6_2_at_such_a_table_tracks_may_be_taken_while_the_bonus_lasts() -> None:
    scene = second_in("yellow", sold_out_leaves_nothing=True)
    assert scene.offers == {"take_points": True, "take_tracks": ["yellow 1", "yellow 2"]}


def test_a_bonus_that_is_sold_out_cannot_be_taken() -> None:
    scene = second_in("yellow", bonuses={"points": 0})
    assert scene.refuses(TakePoints())
    scene = second_in("yellow", bonuses={"tracks": 0})
    assert scene.refuses(TakeTracks(15))


@pytest.mark.parametrize("district", ROWS)
def test_ruling_10_when_nothing_is_left_nothing_happens_and_the_district_is_used(district: str) -> None:
    scene = second_in(district, bonuses=SOLD_OUT)
    row = ROWS.index(district)
    assert (scene.kind, scene.events(BonusLapsed)) == ("place", [BonusLapsed(0, row)])
    assert scene.seat_view()["bonus_rows"] == [row]


def test_ruling_8_a_bonus_must_be_taken_unless_the_table_allows_to_decline() -> None:
    assert second_in("gray").refuses(Decline())
    scene = second_in("gray", allow_decline_bonus=True)
    assert "decline" in scene.offers
    scene.decline()
    assert (scene.kind, scene.events(BonusDeclined)) == ("place", [BonusDeclined(0, 1)])
    assert set(scene.state.bonuses.values()) == {3}
    assert scene.seat_view()["bonus_rows"] == [1]


def test_a_bonus_is_taken_once() -> None:
    scene = second_in("gray").take_bonus("universal", "blue")
    assert scene.kind == "place"
    assert scene.refuses(TakeUniversal(0))


@pytest.mark.parametrize(
    "district, bonus", list(zip(ROWS, ("value", "universal", "depot", "points", "release"), strict=True))
)
def test_an_absent_seat_takes_the_bonus_of_the_district(district: str, bonus: str) -> None:
    scene = second_in(district, allow_decline_bonus=True)
    scene.do(scene.prompt.fallback)
    assert [event.bonus for event in scene.events(BonusTaken)] == [bonus]


# -- the card that fills a city -----------------------------------------------------------------------------------

ONE_SPACE_LEFT = """
    3       3       2c      2c      1s
    3       2c      2c      0q      0q
    3       2c      2c      0q      0q
    3       3       2c      2c      0q
    3       3       3       2c      .
"""
ALL_BUT_GREEN = dict.fromkeys(("blue", "gray", "orange", "yellow"), "b")
GRAY_SPACE_LEFT = """
    3       3       2c      2c      1s
    3       2c      0q      0q      .
    3       2c      2c      0q      0q
    3       3       2c      2c      0q
    3       3       3       3       2c
"""
ALL_BUT_GRAY = dict.fromkeys(("blue", "orange", "yellow", "green"), "b")


def filled(**setting: object) -> Scene:
    scene = Scene(ONE_SPACE_LEFT, columns=("green:2c u2", "", ""), completed=ALL_BUT_GREEN, **setting)  # type: ignore[arg-type]
    return scene.take(1).place("green:2c")


def test_ruling_23_the_card_that_fills_a_city_still_gives_a_bonus_token() -> None:
    scene = filled()
    assert (scene.kind, "take_release" in scene.offers) == ("bonus", True)
    scene.take_bonus("release")
    assert (scene.kind, scene.discarded()) == ("confirm", ["u2"])
    assert scene.confirm().outcome.reason == "full"


def test_ruling_23_the_table_can_rule_that_bonus_out() -> None:
    scene = filled(resolve_bonus_on_final_card=False)
    assert (scene.kind, scene.events(BonusLapsed)) == ("confirm", [BonusLapsed(0, 4)])
    assert scene.confirm().outcome.reason == "full"


def test_ruling_23_there_is_no_space_for_a_bonus_card_in_a_full_city() -> None:
    scene = Scene(GRAY_SPACE_LEFT, columns=("gray:2c", "", ""), completed=ALL_BUT_GRAY).take(1).place("gray:2c")
    assert list(scene.offers) == ["take_tracks"]
    scene = Scene(GRAY_SPACE_LEFT, columns=("gray:2c", "", ""), completed=ALL_BUT_GRAY, bonuses={"tracks": 0}).take(1)
    scene.place("gray:2c")
    assert (scene.kind, scene.events(BonusLapsed)) == ("confirm", [BonusLapsed(0, 1)])


def test_rule_6_2_tracks_may_be_taken_for_a_bonus_without_a_place_even_if_a_sold_out_one_leaves_nothing() -> None:
    scene = Scene(
        GRAY_SPACE_LEFT, columns=("gray:2c", "", ""), completed=ALL_BUT_GRAY, sold_out_leaves_nothing=True
    ).take(1)
    assert list(scene.place("gray:2c").offers) == ["take_tracks"]
