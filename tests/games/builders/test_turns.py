"""Pawns, turn order, and the actions of each space."""

from __future__ import annotations

import pytest

from server.games.builders.commands import (
    CleanUp,
    Confirm,
    Develop,
    Pass,
    PlacePawn,
    TakeDollar,
    TakeGoal,
    TakeIncome,
    TakeMaterial,
    TakePermit,
)
from server.games.builders.events import ActionChosen
from tests.games.builders.scenes import Scene


def test_vector_1_material_through_an_occupied_space_for_2_dollars() -> None:
    scene = Scene(card="A1").money(b=3)
    scene.done("o", "material", TakeMaterial())
    scene.done("k", "income", TakeIncome())
    scene.done("b", "build", TakeMaterial())
    assert [scene.of(letter, "front") for letter in "okb"] == [1, 0, 1]
    assert [scene.of(letter, "money") for letter in "okb"] == [0, 3, 1]
    assert scene.state.order == (1, 0, 2)


def test_a_pawn_goes_to_a_free_space_of_the_next_area_only() -> None:
    scene = Scene(card="A1")
    assert scene.values("place_pawn") == [0, 1, 2, 3, 4]
    scene.done("o", 4, TakeDollar())
    assert scene.values("place_pawn") == [0, 1, 2, 3]
    assert not scene.may(PlacePawn(4))


def test_after_the_last_turn_on_a_card_all_go_on_from_the_right() -> None:
    scene = Scene(card="A1", seats=4)
    for letter, space in zip("okbw", (2, 4, 0, 1), strict=True):
        scene.done(letter, space, TakeDollar())
    assert scene.state.order == (1, 0, 3, 2)
    assert (scene.state.area, scene.awaited) == (2, "k")


def test_ruling_1_a_dollar_can_be_had_on_every_space_but_the_one_for_passing() -> None:
    for space in range(5):
        scene = Scene(card="A1").at("o", space)
        assert ("take_dollar" in scene.offered) is (space != 3)
    scene = Scene(card="A1").done("o", "dollar", TakeDollar())
    assert scene.of("o", "money") == 1


def test_ruling_2_passing_gives_nothing_and_leads_to_being_second() -> None:
    scene = Scene(card="A1").done("o", "pass", Pass())
    assert scene.of("o", "money") == 0
    scene.done("k", "dollar", TakeDollar()).done("b", "material", TakeDollar())
    assert scene.state.order == (1, 0, 2)


def test_ruling_2_one_can_pass_only_on_its_space() -> None:
    for space in (0, 1, 2, 4):
        assert "pass" not in Scene(card="A1").at("o", space).offered


def test_ruling_2_another_action_can_be_paid_for_from_the_space_for_passing() -> None:
    scene = Scene(card="A1").money(o=4).done("o", "pass", TakeMaterial())
    assert (scene.of("o", "money"), scene.of("o", "front")) == (0, 1)


def test_ruling_2_two_players_cannot_pass() -> None:
    scene = Scene(card="A1", seats=2)
    assert scene.values("place_pawn") == [0, 1, 2]


@pytest.mark.parametrize("space, fee", [("build", 2), ("material", 0), ("income", 2), ("pass", 4), ("dollar", 6)])
def test_ruling_3_every_step_costs_2_dollars_whatever_the_space(space: str, fee: int) -> None:
    scene = Scene(card="A1").money(o=6).done("o", space, TakeMaterial())
    assert scene.of("o", "money") == 6 - fee
    assert scene.new_events(ActionChosen) == [ActionChosen(0, "material", fee)]


def test_ruling_4_the_fee_comes_before_the_action_and_its_proceeds_cannot_pay_it() -> None:
    # Two steps to the income of 3 cost 4; with 3 dollars it is not to be had, though it would pay for itself.
    assert "take_income" not in Scene(card="A1").money(o=3).at("o", "build").offered
    scene = Scene(card="A1").money(o=4).done("o", "build", TakeIncome())
    assert scene.of("o", "money") == 3


def test_ruling_4_the_action_must_be_possible_with_what_the_fee_leaves() -> None:
    # Clean-up is one step from material: 2 for the fee and at least 2 for the step.
    assert "clean_up" not in Scene(card="A5").money(o=3).at("o", "material").offered
    scene = Scene(card="A5").money(o=4).at("o", "material")
    assert scene.values("clean_up") == [-1]
    assert len(Scene(card="A5").money(o=5).at("o", "material").values("clean_up")) > 1


def test_ruling_5_nobody_pays_to_reach_the_dollar_or_the_pass() -> None:
    scene = Scene(card="A1").money(o=15).at("o", "pass")
    assert "take_dollar" not in scene.offered
    scene = Scene(card="A1").money(o=15).at("o", "income").do("o", TakeDollar())
    assert scene.of("o", "money") == 15
    assert scene.new_events(ActionChosen) == [ActionChosen(0, "dollar", 0)]


def test_ruling_6_one_may_stand_where_the_action_is_impossible_and_take_a_dollar() -> None:
    scene = Scene(card="A1").at("o", "build")
    assert scene.offered == {"take_dollar"}
    assert scene.do("o", TakeDollar(), Confirm()).of("o", "money") == 1


def test_ruling_6_who_could_act_may_take_a_dollar_all_the_same() -> None:
    scene = Scene(card="A1").at("o", "material")
    assert scene.offered == {"take_dollar", "take_material"}
    scene.do("o", TakeDollar())
    assert (scene.of("o", "money"), scene.of("o", "front")) == (1, 0)


def test_ruling_7_one_action_is_all_of_a_turn() -> None:
    scene = Scene(card="A1").money(o=10).at("o", "material").do("o", TakeMaterial())
    assert (scene.kind, scene.offered) == ("confirm", {"confirm"})
    scene.do("o", Confirm())
    assert scene.awaited == "k"


@pytest.mark.parametrize(
    "card, command",
    [
        ("A1", CleanUp(-1)),
        ("A1", Develop()),
        ("A1", TakePermit(0)),
        ("A4", TakeMaterial()),
        ("A2", TakeIncome()),
        ("A5", TakeGoal("blind")),
    ],
)
def test_what_is_not_on_the_card_is_not_offered(card: str, command: object) -> None:
    assert not Scene(card=card).money(o=15).at("o", 0).may(command)


def test_time_that_runs_out_costs_a_seat_no_more_than_its_action() -> None:
    scene = Scene(card="A1").money(o=5)
    for kind in ("place_pawn", "act", "confirm"):
        assert (scene.kind, scene.awaited) == (kind, "o")
        assert scene.play.decision is not None
        scene.do("o", scene.play.decision.prompts[0].fallback)
    assert (scene.awaited, scene.of("o", "money"), scene.of("o", "front")) == ("k", 6, 0)
