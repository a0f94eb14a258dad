"""Income, material, permits, goals, clean-up and urban development."""

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
    TakeStep,
)
from server.games.builders.components import OTHER_GOALS
from server.games.builders.events import GoalsRefilled, MarkerCapped, PermitsRefilled, PermitsReshuffled
from tests.games.builders.scenes import CORNER, Scene, permit

CITY = """
    P6. Y2*
    R1. G4.
    P3. Y5*
"""


def test_vector_4_nobody_has_more_than_15_dollars() -> None:
    scene = Scene(card="A1").money(o=14).done("o", "income", TakeIncome())
    assert scene.of("o", "money") == 15
    scene.money(k=15).at("k", "dollar").do("k", TakeDollar())
    assert scene.of("k", "money") == 15


def test_material_comes_from_the_supply() -> None:
    scene = Scene(card="A1").done("o", "material", TakeMaterial())
    assert (scene.of("o", "front"), scene.of("o", "supply")) == (1, 7)


def test_ruling_39_without_a_supply_there_is_no_material() -> None:
    assert "take_material" in Scene(card="A1").front(o=7).at("o", "material").offered
    assert "take_material" not in Scene(card="A1").front(o=8).at("o", "material").offered


# -- permits --------------------------------------------------------------------------------------------------

FOUR = "G1:LT G2:LP G2:TH G3:LP"


def test_vector_5_a_fifth_permit_can_be_taken_and_a_sixth_cannot() -> None:
    assert "take_permit" in Scene(card="A2").permits(o=FOUR).at("o", "permit").offered
    assert "take_permit" not in Scene(card="A2").permits(o=f"{FOUR} G3:TH").at("o", "permit").offered


def test_ruling_15_with_five_permits_there_is_no_permit_as_bonus_either_and_none_is_discarded() -> None:
    scene = Scene(card=None, year=1909).permits(o=f"{FOUR} G3:TH").at("o", 0)
    assert scene.offered == {"take_step"}


def test_a_taken_permit_is_kept_open() -> None:
    scene = Scene(card="A2").shown_permits("R3:LP Y1:LT P6:LH")
    scene.done("o", "permit", TakePermit(permit("Y1:LT")))
    assert scene.of("o", "permits") == (permit("Y1:LT"),)
    assert scene.state.permits_shown == (permit("R3:LP"), permit("P6:LH"))


def test_vector_9_permits_are_refilled_when_all_have_acted_on_the_card() -> None:
    scene = Scene(card="A2").money(k=2).shown_permits("R3:LP Y1:LT P6:LH")
    scene.done("o", "permit", TakePermit(permit("Y1:LT")))
    scene.done("k", "build", TakePermit(permit("R3:LP")))
    assert scene.state.permits_shown == (permit("P6:LH"),)
    top = scene.state.permit_pile[-2:][::-1]
    scene.done("b", "dollar", TakeDollar())
    assert scene.state.permits_shown == (permit("P6:LH"), *top)
    assert scene.new_events(PermitsRefilled) == [PermitsRefilled(top)]


def test_vector_9_at_the_change_of_years_every_permit_is_replaced_before_the_next_turn() -> None:
    scene = Scene(card=None, year=1909)
    for letter in "okb":
        assert len(scene.state.permits_shown) == 3
        scene.done(letter, "okb".index(letter), TakePermit(scene.state.permits_shown[1]))
    assert len(scene.new_events(PermitsRefilled)) == 3


def test_ruling_16_without_an_open_permit_there_is_none_to_be_had() -> None:
    scene = Scene(card="A2").shown_permits("").at("o", "permit")
    assert "take_permit" not in scene.offered


def test_ruling_16_goals_can_be_drawn_blindly_when_none_lies_open() -> None:
    scene = Scene(card="A3").goals(shown="", pile="rubble money").at("o", "goal")
    assert scene.values("take_goal") == ["blind"]


def test_ruling_17_discarded_permits_become_the_new_pile() -> None:
    scene = Scene(card="A2").shown_permits("R3:LP Y1:LT P6:LH")
    discard = tuple(one for one in range(42) if one not in scene.state.permits_shown)
    scene.put(permit_pile=discard[:1], permit_discard=discard[1:])
    scene.money(k=2)
    scene.done("o", "permit", TakePermit(permit("Y1:LT")))
    scene.done("k", "build", TakePermit(permit("R3:LP")))
    scene.done("b", "pass", Pass())
    (shuffled,) = scene.new_events(PermitsReshuffled)
    assert sorted(shuffled.pile) == sorted(discard[1:])
    assert scene.state.permits_shown == (permit("P6:LH"), discard[0], shuffled.pile[-1])
    assert (scene.state.permit_pile, scene.state.permit_discard) == (shuffled.pile[:-1], ())


# -- goals ----------------------------------------------------------------------------------------------------


def test_an_open_goal_stays_open_and_a_blind_one_is_hidden() -> None:
    scene = Scene(card="A3").goals(shown="rubble money row", pile="isolated card_park").hidden_goals(o="column")
    scene.done("o", "goal", TakeGoal("money"))
    assert (scene.of("o", "open_goals"), scene.of("o", "hidden_goals")) == (("money",), ("column",))
    scene.money(k=2).at("k", "build_subsidised").do("k", TakeGoal("blind"))
    assert scene.of("k", "hidden_goals")[-1] == "card_park"
    assert scene.state.goals_shown == ("rubble", "row")


def test_goals_are_refilled_when_all_have_acted_on_the_card() -> None:
    scene = Scene(card="A3").goals(shown="rubble money row", pile="isolated card_park")
    scene.done("o", "goal", TakeGoal("money")).done("k", "pass", Pass()).done("b", "dollar", TakeDollar())
    assert scene.state.goals_shown == ("rubble", "row", "card_park")
    assert scene.new_events(GoalsRefilled) == [GoalsRefilled(("card_park",))]


def test_ruling_18_without_a_pile_the_display_of_goals_shrinks() -> None:
    scene = Scene(card="A3").goals(shown="rubble money", pile="")
    assert scene.at("o", "goal").values("take_goal") == ["rubble", "money"]
    scene.do("o", TakeGoal("money"), Confirm()).done("k", "pass", Pass()).done("b", "dollar", TakeDollar())
    assert scene.state.goals_shown == ("rubble",)


def test_ruling_18_nobody_can_have_too_many_goals() -> None:
    scene = Scene(card="A3").goals(o=" ".join(OTHER_GOALS[3:]), shown="isolated", pile="").at("o", "goal")
    assert scene.values("take_goal") == ["isolated"]


def test_without_any_goal_left_the_action_is_not_offered() -> None:
    assert "take_goal" not in Scene(card="A3").goals(shown="", pile="").at("o", "goal").offered


# -- the development board ------------------------------------------------------------------------------------


def test_clean_up_costs_3_takes_the_rubble_and_goes_a_step_up() -> None:
    scene = Scene(CITY, card="A5").money(o=3)
    scene.done("o", "clean_up", CleanUp(scene.plot("Y5")))
    assert (scene.of("o", "money"), scene.of("o", "rubble"), scene.marker_of("o")) == (0, 1, (0, 1))
    assert scene.state.ruins == 1 << scene.plot("Y2")


def test_clean_up_is_open_for_every_plot_with_rubble_and_no_other() -> None:
    scene = Scene(CITY, card="A5").money(o=3).at("o", "clean_up")
    assert scene.values("clean_up") == [1, 5, -1]


def test_ruling_24_the_step_alone_costs_2_though_rubble_is_left() -> None:
    scene = Scene(CITY, card="A5").money(o=5).done("o", "clean_up", CleanUp(-1))
    assert (scene.of("o", "money"), scene.of("o", "rubble"), scene.marker_of("o")) == (3, 0, (0, 1))


def test_ruling_24_the_step_alone_is_open_when_no_rubble_is_left() -> None:
    scene = Scene(CITY.replace("*", "."), card="A5").money(o=5).at("o", "clean_up")
    assert scene.values("clean_up") == [-1]


def test_who_cannot_pay_the_step_cannot_clean_up() -> None:
    assert "clean_up" not in Scene(CITY, card="A5").money(o=1).at("o", "clean_up").offered
    assert Scene(CITY, card="A5").money(o=2).at("o", "clean_up").values("clean_up") == [-1]


def test_ruling_25_a_cleaned_plot_is_free_for_anybody() -> None:
    # A card of earlier rules, on which one can both clean up and build.
    scene = Scene(CITY, card="A2").put(rules=3).money(o=3, k=1).front(k=1).permits(k="Y5:LP")
    scene.done("o", "clean_up", CleanUp(scene.plot("Y5"))).at("k", "build")
    assert "build" in scene.offered


def test_urban_development_costs_2_and_goes_a_step_to_the_right() -> None:
    scene = Scene(card="A4").money(o=3).done("o", "develop", Develop())
    assert (scene.of("o", "money"), scene.marker_of("o")) == (1, (1, 0))
    assert "develop" not in Scene(card="A4").money(o=1).at("o", "develop").offered


@pytest.mark.parametrize("start, end", [((9, 0), (9, 1)), ((9, 3), CORNER), ((8, 4), CORNER), ((0, 0), (1, 0))])
def test_vector_8_in_the_last_column_urban_development_goes_up(start: tuple[int, int], end: tuple[int, int]) -> None:
    scene = Scene(card="A4").money(o=2).marker(o=start).done("o", "develop", Develop())
    assert scene.marker_of("o") == end


@pytest.mark.parametrize("start, end", [((0, 4), (1, 4)), ((8, 4), CORNER), ((9, 3), CORNER), ((0, 0), (0, 1))])
def test_vector_8_in_the_top_row_clean_up_goes_to_the_right(start: tuple[int, int], end: tuple[int, int]) -> None:
    scene = Scene(card="A5").money(o=2).marker(o=start).done("o", "clean_up", CleanUp(-1))
    assert scene.marker_of("o") == end


def test_vector_8_in_the_corner_either_gives_a_dollar() -> None:
    for card, space, command in (("A4", "develop", Develop()), ("A5", "clean_up", CleanUp(-1))):
        scene = Scene(card=card).marker(o=CORNER).done("o", space, command)
        assert (scene.of("o", "money"), scene.marker_of("o")) == (1, CORNER)
        assert scene.new_events(MarkerCapped) == [MarkerCapped(0)]


def test_ruling_23_in_the_corner_a_step_costs_nothing_and_rubble_still_3() -> None:
    scene = Scene(CITY, card="A5").money(o=3).marker(o=CORNER)
    scene.done("o", "clean_up", CleanUp(scene.plot("Y2")))
    assert (scene.of("o", "money"), scene.of("o", "rubble")) == (1, 1)
    assert Scene(CITY, card="A5").money(o=2).marker(o=CORNER).at("o", "clean_up").values("clean_up") == [-1]


def test_ruling_23_a_free_step_in_the_corner_becomes_a_dollar_up_to_15() -> None:
    scene = Scene(card=None, year=1909).money(o=8).marker(o=CORNER)
    scene.do("o", PlacePawn(0), TakeStep())
    assert (scene.of("o", "money"), scene.marker_of("o")) == (8 + 4 + 1, CORNER)
    scene = Scene(card="A4").money(o=15).marker(o=CORNER).done("o", "develop", Develop())
    assert scene.of("o", "money") == 15
