"""Advantages with all their ties, points and winners (section 8 of the rules)."""

from __future__ import annotations

import pytest

from server.games.engine.game import Outcome
from server.games.planners.scoring import Tie, scored, standings
from server.games.planners.state import Over
from tests.games.planners.scenes import Scene, space_at


def ended(*drawings: str, by: str = "y", **setting: object) -> Scene:
    """Let a game have ended with these cities in the turn of a seat."""
    scene = Scene(*drawings, turn=by, seats=max(2, len(drawings)), **setting)  # type: ignore[arg-type]
    scene.state.stage = Over("foundations", scene.state.turn)
    return scene


# -- ranks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cities, points",
    [
        (("3 3 . . .", "3 . . . ."), [4, 0]),
        (("3 3 . . .", "3 . . . .", "2c . . . ."), [4, 2, 0]),
        (("3 3 . . .", "3 . . . .", "2c . . . .", "0f . . . ."), [4, 2, 0, -2]),
    ],
    ids=["2 seats", "3 seats", "4 seats"],
)
def test_the_highest_total_of_a_row_leads_its_district(cities: tuple[str, ...], points: list[int]) -> None:
    scene = ended(*cities)
    assert scene.order("green") == "ybrg"[: len(cities)]
    assert [standing.points for standing in scene.ranking("green")] == points
    assert [standing.tie for standing in scene.ranking("green")] == [None] * len(cities)


@pytest.mark.parametrize(
    "cities, points",
    [
        (("2t* 2t* . . .", "1tc* . . . ."), [5, 0]),
        (("2t* 2t* . . .", "1tc* . . . .", ". . . . ."), [5, 2, 0]),
        (("2t* 2t* 2t* . .", "1tc* 1tc* . . .", "1tc* . . . .", ". . . . ."), [5, 2, 0, -2]),
    ],
    ids=["2 seats", "3 seats", "4 seats"],
)
def test_the_most_cable_cars_lead(cities: tuple[str, ...], points: list[int]) -> None:
    scene = ended(*cities)
    assert scene.order("cars") == "ybrg"[: len(cities)]
    assert [standing.points for standing in scene.ranking("cars")] == points


def test_a_total_of_nothing_is_ranked_too() -> None:
    ranking = ended(". . . . .", "3 . . . .").ranking("green")
    assert [(standing.seat, standing.total) for standing in ranking] == [(1, 3), (0, 0)]


# -- ties in a district -------------------------------------------------------------------------------------------


def test_equal_totals_are_compared_card_by_card_from_the_left() -> None:
    scene = ended("2c 3 3 . .", "3 2c 3 . .")
    assert scene.order("green") == "by"
    assert scene.ranking("green")[1].tie == Tie("space", space_at("green 1"))
    scene = ended("3 2c 3 . .", "3 3 2c . .")
    assert (scene.order("green"), scene.ranking("green")[1].tie) == ("by", Tie("space", space_at("green 2")))


def test_an_empty_space_counts_nothing_in_a_comparison() -> None:
    scene = ended("3 . . . .", "0f 3 . . .")
    assert (scene.order("green"), scene.ranking("green")[1].tie) == ("yb", Tie("space", space_at("green 1")))


def test_values_are_compared_as_they_count_at_the_end() -> None:
    scene = ended("0q 3 . . .\n2t* . . . .", "3 0q . . .\n2t* . . . .")
    assert (scene.ranking("yellow")[0].total, scene.order("yellow")) == (7, "yb")
    scene = ended("0q^ 3 . . .\n. . . . .", "3 u2 . . .\n. . . . .")
    assert (scene.ranking("yellow")[0].total, scene.order("yellow")) == (5, "by")


def test_equal_rows_are_followed_by_the_row_below() -> None:
    scene = ended("u2 . . . .\n. . . . .", "u2 . . . .\n3 . . . .")
    assert (scene.order("yellow"), scene.ranking("yellow")[1].tie) == ("by", Tie("space", space_at("green 1")))


def test_the_row_below_is_compared_card_by_card_and_not_by_its_total() -> None:
    scene = ended("u2 . . . .\n3 . . . .", "u2 . . . .\n2c 3 3 . .")
    assert scene.order("yellow") == "yb"


def test_rule_8_2_a_table_may_agree_to_compare_the_row_below_by_its_total_first() -> None:
    scene = ended("u2 . . . .\n3 . . . .", "u2 . . . .\n2c 3 3 . .", rows_below_by_total=True)
    assert (scene.order("yellow"), scene.ranking("yellow")[1].tie) == ("by", Tie("row", 4))


def test_rule_8_2_at_such_a_table_cards_decide_where_the_totals_below_are_equal() -> None:
    scene = ended("u2 . . . .\n3 2c . . .", "u2 . . . .\n2c 3 . . .", rows_below_by_total=True)
    assert (scene.order("yellow"), scene.ranking("yellow")[1].tie) == ("yb", Tie("space", space_at("green 1")))


def test_rule_8_2_at_such_a_table_the_row_itself_is_compared_card_by_card() -> None:
    scene = ended("2c 3 3 . .", "3 2c 3 . .", rows_below_by_total=True)
    assert (scene.order("green"), scene.ranking("green")[1].tie) == ("by", Tie("space", space_at("green 1")))


def test_rule_8_2_at_such_a_table_the_rows_below_are_compared_around_to_the_last() -> None:
    scene = ended(
        """
        .       .       .       .       .
        u2      .       .       .       .
        .       .       .       .       .
        """,
        """
        2c      .       .       .       .
        u2      .       .       .       .
        .       .       .       .       .
        """,
        rows_below_by_total=True,
    )
    assert (scene.order("yellow"), scene.ranking("yellow")[1].tie) == ("by", Tie("row", 2))
    assert scene.view()["standings"][3][1]["tie"] == {"by": "row", "row": 2}


def test_below_the_bottom_row_comes_the_top_row() -> None:
    scene = ended(
        """
        2c      .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        u2      .       .       .       .
        """,
        """
        3       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        u2      .       .       .       .
        """,
    )
    assert (scene.order("green"), scene.ranking("green")[1].tie) == ("by", Tie("space", space_at("blue 1")))


def test_all_rows_are_compared_down_to_the_last() -> None:
    scene = ended(
        """
        .       .       .       .       .
        u2      .       .       .       .
        .       .       .       .       .
        """,
        """
        2c      .       .       .       .
        u2      .       .       .       .
        .       .       .       .       .
        """,
        by="y",
    )
    assert (scene.order("yellow"), scene.ranking("yellow")[1].tie) == ("by", Tie("space", space_at("orange 1")))


# -- ties of cable cars -------------------------------------------------------------------------------------------


def test_equal_cable_cars_are_compared_column_by_column() -> None:
    scene = ended("3 2t* 2t* . .", "3 3 2t* 1tc* .")
    assert (scene.order("cars"), scene.ranking("cars")[1].tie) == ("yb", Tie("column", 1))
    scene = ended("3 2t* . . .", "2t* . . . .")
    assert (scene.order("cars"), scene.ranking("cars")[1].tie) == ("by", Tie("column", 0))


def test_cars_in_one_column_outweigh_those_further_right() -> None:
    scene = ended(
        """
        2t*     .       .       .       .
        2t*     .       .       .       .
        """,
        """
        .       .       .       .       .
        2t*     1tc*    .       .       .
        """,
        by="b",
    )
    assert (scene.order("cars"), scene.ranking("cars")[1].tie) == ("yb", Tie("column", 0))


# -- the last tie-break -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by, order", [("y", "ybrg"), ("b", "brgy"), ("r", "rgyb"), ("g", "gybr")])
def test_still_equal_who_ended_the_game_comes_first_and_then_those_to_the_left(by: str, order: str) -> None:
    scene = ended("", "", "", "", by=by)
    assert [scene.order(category) for category in ("blue", "gray", "orange", "yellow", "green", "cars")] == [order] * 6
    assert [standing.tie for standing in scene.ranking("gray")] == [None, *[Tie("turn")] * 3]


def test_ties_of_lower_ranks_are_broken_as_well() -> None:
    scene = ended("2c . . . .", "3 . . . .", "2c . . . .", "2t* . . . .", by="r")
    assert scene.order("green") == "brgy"
    assert [standing.points for standing in scene.ranking("green")] == [4, 2, 0, -2]


def test_before_the_end_standings_are_as_if_the_turn_ended_the_game() -> None:
    assert Scene(turn="b").order("gray") == "by"


# -- points -------------------------------------------------------------------------------------------------------


def test_all_parts_of_a_score_are_counted_in_halves() -> None:
    scene = ended(
        "3 0f! 2c . .\n3 3 2t* . .",
        ". . . . .",
        medal="y",
        completed={"blue": "y", "gray": "y"},
        points="yb",
    )
    ours, theirs = scored(scene.state, standings(scene.state))
    assert ours == {
        **dict.fromkeys(("blue", "gray", "orange", "yellow", "green"), 4),
        "cable_cars": 5,
        "towers": 2,
        "medal": 2,
        "rows": 4,
        "tokens": 3,
    }
    assert sum(theirs.values()) == theirs["tokens"] == 3
    assert (scene.outcome.scores, scene.outcome.per_point) == ((36, 3), 2)


def test_contracts_and_unused_tokens_are_worth_nothing() -> None:
    plain = ended("3 . . . .", ". . . . .").outcome
    rich = ended("3 . . . .", ". . . . .", contracts={"y": 3}, releases="b").outcome
    assert plain.scores == rich.scores


def test_a_score_in_halves_is_written_as_points() -> None:
    outcome = Outcome("full", (15, -1, 4), (1, 3, 2), None, ({}, {}, {}), per_point=2)
    assert [outcome.points(score) for score in outcome.scores] == ["7.5", "-0.5", "2"]
    assert outcome.to_json()["per_point"] == 2


# -- winners ------------------------------------------------------------------------------------------------------


def test_the_most_points_win() -> None:
    outcome = ended("3 . . . .", ". . . . .").outcome
    assert (outcome.winners, outcome.places, outcome.tie_break) == ((0,), (1, 2), None)


def test_a_tie_goes_to_more_cable_cars() -> None:
    outcome = ended(
        """
        3       .       .       .       .
        3       .       .       .       .
        3       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        """,
        """
        2c      .       .       .       .
        2t*     .       .       .       .
        """,
        points="y",
        completed={"blue": "b"},
    ).outcome
    assert outcome.scores == (15, 15)
    assert (outcome.winners, outcome.places, outcome.tie_break) == ((1,), (2, 1), "cable_cars")


def test_a_tie_with_as_many_cable_cars_is_a_shared_win() -> None:
    outcome = ended(
        """
        3       .       .       .       .
        3       .       .       .       .
        3       .       .       .       .
        .       .       .       .       .
        1tc*    .       .       .       .
        """,
        """
        2c      .       .       .       .
        2t*     .       .       .       .
        """,
        by="b",
        points="y",
        completed={"blue": "b"},
    ).outcome
    assert outcome.scores == (15, 15)
    assert (outcome.winners, outcome.places, outcome.tie_break) == ((0, 1), (1, 1), "cable_cars")
