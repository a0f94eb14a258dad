"""The year board: income, the bonuses of every year, and 1912."""

from __future__ import annotations

import pytest

from server.games.builders.commands import (
    Build,
    ChoosePermit,
    ChoosePlot,
    Confirm,
    TakeDollar,
    TakeGoal,
    TakeMaterial,
    TakeMoney,
    TakePermit,
    TakeStep,
)
from server.games.builders.events import BonusLapsed, YearBegun
from tests.games.builders.scenes import Scene, permit

THREE_BUILT = """
    P6o Y2o
    R1. G4k
    P3o Y5.
"""


@pytest.mark.parametrize(
    "year, offered",
    [
        (1907, {"take_permit", "take_goal"}),
        (1908, {"take_material", "take_money"}),
        (1909, {"take_permit", "take_step"}),
        (1910, {"take_material", "take_money"}),
        (1911, {"take_permit", "take_goal", "take_money"}),
    ],
)
def test_each_year_offers_its_bonus_after_the_income(year: int, offered: set[str]) -> None:
    scene = Scene(card=None, year=year).at("o", 0)
    assert (scene.kind, scene.offered, scene.of("o", "money")) == ("bonus", offered, 4)


@pytest.mark.parametrize("year, money", [(1908, 6), (1910, 3), (1911, 3)])
def test_the_money_of_a_bonus_goes_by_the_own_buildings_or_not(year: int, money: int) -> None:
    scene = Scene(THREE_BUILT, card=None, year=year).done("o", 3, TakeMoney())
    assert scene.of("o", "money") == 1 + money


def test_a_building_as_bonus_comes_from_the_supply() -> None:
    scene = Scene(card=None, year=1908).done("o", 0, TakeMaterial())
    assert (scene.of("o", "front"), scene.of("o", "supply")) == (1, 7)


def test_the_free_step_of_1909_goes_to_the_right_and_in_the_last_column_up() -> None:
    assert Scene(card=None, year=1909).done("o", 0, TakeStep()).marker_of("o") == (1, 0)
    assert Scene(card=None, year=1909).marker(o=(9, 2)).done("o", 0, TakeStep()).marker_of("o") == (9, 3)


def test_ruling_19_a_goal_as_bonus_can_be_open_or_blind() -> None:
    scene = Scene(card=None, year=1907).goals(shown="rubble money", pile="isolated").at("o", 0)
    assert scene.values("take_goal") == ["rubble", "money", "blind"]
    scene.do("o", TakeGoal("blind"))
    assert scene.of("o", "hidden_goals")[-1] == "isolated"
    scene.at("k", 1).do("k", TakeGoal("money"))
    assert scene.of("k", "open_goals") == ("money",)


def test_at_the_change_of_years_an_open_goal_is_replaced_before_the_next_turn() -> None:
    scene = Scene(card=None, year=1907).goals(shown="rubble money row", pile="isolated card_park")
    scene.done("o", 0, TakeGoal("money"))
    assert scene.state.goals_shown == ("rubble", "row", "card_park")


def test_ruling_20_each_takes_income_and_bonus_before_the_next() -> None:
    scene = Scene(card=None, year=1908).done("o", 0, TakeMaterial())
    assert (scene.of("o", "front"), scene.of("k", "money"), scene.awaited) == (1, 0, "k")
    assert scene.kind == "place_pawn"


def test_ruling_21_what_is_impossible_is_not_offered_and_money_for_no_building_is_nothing() -> None:
    scene = Scene(card=None, year=1908).front(o=8).at("o", 0)
    assert scene.offered == {"take_money"}
    scene.do("o", TakeMoney())
    assert scene.of("o", "money") == 4


def test_ruling_21_if_no_bonus_is_possible_there_is_none() -> None:
    scene = Scene(card=None, year=1907).goals(shown="", pile="").permits(o="G1:LT G2:LP G2:TH G3:LP G3:TH").at("o", 0)
    assert (scene.kind, scene.new_events(BonusLapsed)) == ("confirm", [BonusLapsed(0)])
    assert scene.do("o", Confirm()).awaited == "k"


def test_after_the_sixth_card_the_next_year_begins_with_the_right_most_pawn() -> None:
    scene = Scene(card="A6", year=1907)
    for letter, space in zip("okb", (0, 4, 2), strict=True):
        scene.done(letter, space, TakeDollar())
    assert scene.new_events(YearBegun) == [YearBegun(1908)]
    assert (scene.state.area, scene.state.order, scene.kind) == (0, (1, 2, 0), "place_pawn")


# -- 1912 -----------------------------------------------------------------------------------------------------


def test_1912_begins_after_the_sixth_card_of_1911_in_the_order_of_that_card() -> None:
    scene = Scene(card="A6", year=1911)
    for letter, space in zip("okb", (1, 0, 4), strict=True):
        scene.done(letter, space, TakeDollar())
    assert (scene.state.year, scene.state.order) == (1912, (2, 0, 1))
    assert (scene.kind, scene.offered, scene.awaited) == ("bonus", {"take_money"}, "b")


def test_ruling_29_1912_has_no_income_and_offers_a_build_for_3_or_2_dollars() -> None:
    scene = Scene(THREE_BUILT, card=None, year=1912).money(o=3, k=2).front(o=1, k=1).permits(o="R1:LP", k="Y5:LP")
    assert scene.offered == {"build", "take_money"}
    scene.do("o", Build(), ChoosePermit(permit("R1:LP")), ChoosePlot(2), Confirm())
    assert (scene.of("o", "money"), scene.built("o")) == (0, {"P6", "Y2", "P3", "R1"})
    assert (scene.awaited, scene.offered) == ("k", {"take_money"})
    scene.do("k", TakeMoney(), Confirm())
    assert scene.of("k", "money") == 4


def test_ruling_29_1912_has_no_subsidy_and_rubble_costs_3_more() -> None:
    drawing = THREE_BUILT.replace("R1.", "R1*")
    poor = Scene(drawing, card=None, year=1912, seats=2).money(o=5).front(o=1).permits(o="R1:LP")
    # There is another red 1 on the fourth card of this city, without rubble.
    poor.do("o", Build(), ChoosePermit(permit("R1:LP")))
    assert [plot for plot in poor.values("choose_plot") if plot < 6] == []
    rich = Scene(drawing, card=None, year=1912, seats=2).money(o=6).front(o=1).permits(o="R1:LP")
    rich.do("o", Build(), ChoosePermit(permit("R1:LP")))
    assert rich.values("choose_plot")[0] == 2
    assert rich.plots() == {"R1"}


NEARLY_DONE = """
    P6o Y2o   P1o Y5.   P2. Y1.
    R1o G4o   G6. P2.   R5. P6.
    P3o Y5o   Y3. R4.   G3. R4.
"""


def test_ruling_29_everybody_has_a_turn_in_1912_even_after_an_eighth_building() -> None:
    scene = Scene(NEARLY_DONE, card=None, year=1912).money(o=3).front(o=1).permits(o="R4:LH")
    scene.do("o", Build(), ChoosePermit(permit("R4:LH")))
    scene.do("o", ChoosePlot(scene.values("choose_plot")[0]), Confirm())
    assert scene.state.best_builder == 0
    for letter in "kb":
        assert scene.awaited == letter
        scene.do(letter, TakeMoney(), Confirm())
    assert scene.play.decision is None
    assert scene.outcome.reason == "final_year"


def test_a_bonus_that_nobody_answers_commits_to_nothing() -> None:
    for year, fallback in ((1908, TakeMoney()), (1909, TakeStep()), (1912, TakeMoney())):
        scene = Scene(card=None, year=year)
        if year != 1912:
            scene.at("o", 0)
        assert scene.play.decision is not None
        assert scene.play.decision.prompts[0].fallback == fallback
    scene = Scene(card=None, year=1907).at("o", 0)
    assert scene.play.decision is not None
    assert scene.play.decision.prompts[0].fallback == TakePermit(scene.state.permits_shown[0])
