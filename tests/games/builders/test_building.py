"""Building: which permits open which plots, what it costs, and the development cards that come with it."""

from __future__ import annotations

import pytest

from server.games.builders.commands import (
    Build,
    BuildSubsidised,
    ChoosePermit,
    ChoosePlot,
    Confirm,
    DeclineCard,
    TakeCard,
    TakeDollar,
)
from server.games.builders.events import BestBuilderTaken, CardOffered
from tests.games.builders.scenes import CORNER, Scene, permit

WHOLE = """
    P6. Y2.   P1. Y5.   P2. Y1.   G4. Y2.
    R1. G4.   G6. P2.   R5. P6.   R1. G5.
    P3. Y5.   Y3. R4.   G3. R4.   P3. R6.

    G6. P1.   R3. G1.   R6. G2.   Y3. P4.
    R2. G3.   G5. R2.   Y4. P5.   G1. Y6.
    P5. Y4.   Y6. P4.   R3. Y1.   R5. G2.
"""
"""The city of four players, without rubble: every colour and number twice."""


def composing(
    permits: str, *, drawing: str = WHOLE, card: str = "A2", money: int = 15, seats: int = 4, **more: object
) -> Scene:
    """Return a scene in which orange has begun to put a building together."""
    scene = Scene(drawing, card=card, seats=seats, **more).money(o=money).front(o=1).permits(o=permits)
    if card == "A3":
        return scene.at("o", "build_subsidised").do("o", BuildSubsidised())
    return scene.at("o", "build").do("o", Build())


def using(scene: Scene, *names: str) -> Scene:
    return scene.do("o", *(ChoosePermit(permit(name)) for name in names))


def every(what: str) -> set[str]:
    """Return all plots of a colour or a number."""
    return {f"{what}{number}" for number in range(1, 7)} if what.isalpha() else {f"{colour}{what}" for colour in "GYRP"}


# -- one permit -----------------------------------------------------------------------------------------------


def test_one_permit_opens_the_plots_of_its_colour_and_number() -> None:
    assert using(composing("R3:LP"), "R3:LP").plots() == {"R3"}


def test_building_takes_the_building_at_hand_the_permit_and_the_cost_of_the_year() -> None:
    scene = using(composing("R3:LP Y1:LT", year=1911), "R3:LP")
    scene.do("o", ChoosePlot(scene.plot("R3")))
    assert scene.built("o") == {"R3"}
    assert (scene.of("o", "front"), scene.of("o", "money")) == (0, 12)
    assert scene.of("o", "permits") == (permit("Y1:LT"),)
    assert scene.state.permit_discard == (permit("R3:LP"),)
    assert scene.kind == "confirm"


@pytest.mark.parametrize("year, cost", [(1906, 0), (1907, 1), (1908, 1), (1909, 2), (1910, 2), (1911, 3)])
def test_the_cost_is_that_of_the_year(year: int, cost: int) -> None:
    scene = using(composing("R3:LP", year=year, money=cost), "R3:LP")
    scene.do("o", ChoosePlot(scene.plot("R3")))
    assert scene.of("o", "money") == 0
    if cost:
        poor = Scene(WHOLE, card="A2", seats=4, year=year).money(o=cost - 1).front(o=1).permits(o="R3:LP")
        assert "build" not in poor.at("o", "build").offered


def test_without_a_building_at_hand_nobody_builds() -> None:
    assert "build" not in Scene(WHOLE, card="A2", seats=4).money(o=9).permits(o="R3:LP").at("o", "build").offered


def test_without_a_permit_nobody_builds() -> None:
    assert "build" not in Scene(WHOLE, card="A2", seats=4).money(o=9).front(o=1).at("o", "build").offered


def test_a_permit_for_a_plot_that_is_taken_or_not_in_the_city_opens_nothing() -> None:
    drawing = """
        P6. Y2.
        R1k G4.
        P3. Y5.
    """
    # The other cards of this city are C2, C3 and C4, so there is a red 1 on C4, but no red 3.
    scene = Scene(drawing, seats=2, card="A2").money(o=9).front(o=1)
    assert "build" not in scene.permits(o="R3:LP").at("o", "build").offered
    scene = Scene(drawing.replace("R1k", "R1.").replace("P6.", "P6k"), seats=2, card="A2").money(o=9).front(o=1)
    scene.permits(o="R1:LP").at("o", "build").do("o", Build(), ChoosePermit(permit("R1:LP")))
    assert len(scene.values("choose_plot")) == 2


def test_the_fee_counts_when_a_building_is_to_be_paid() -> None:
    # From the dollar of A2 it is four steps to build.
    scene = Scene(WHOLE, card="A2", seats=4).front(o=1).permits(o="R3:LP")
    assert "build" not in scene.money(o=8).at("o", "dollar").offered
    scene = Scene(WHOLE, card="A2", seats=4).front(o=1).permits(o="R3:LP").money(o=9)
    scene.at("o", "dollar").do("o", Build(), ChoosePermit(permit("R3:LP")))
    scene.do("o", ChoosePlot(scene.plot("R3")))
    assert scene.of("o", "money") == 0


# -- two permits ----------------------------------------------------------------------------------------------


def test_vector_6_two_permits_open_each_others_colour_and_number_and_their_own_plots() -> None:
    scene = using(composing("R3:LP P5:LT"), "R3:LP", "P5:LT")
    assert scene.plots() == {"R5", "P3", "R3", "P5"}
    assert "G3" not in scene.plots()


def test_ruling_10_two_permits_of_a_colour_open_all_of_it() -> None:
    assert using(composing("R3:LP R4:LH"), "R3:LP", "R4:LH").plots() == every("R")


def test_ruling_10_two_permits_of_a_number_open_all_of_it() -> None:
    assert using(composing("R3:LP P3:TP"), "R3:LP", "P3:TP").plots() == every("3")


def test_a_second_permit_may_be_added_for_a_card_though_the_first_is_enough() -> None:
    scene = using(composing("R3:LP G1:LT"), "R3:LP")
    assert scene.offered == {"choose_plot", "choose_permit"}
    using(scene, "G1:LT").do("o", ChoosePlot(scene.plot("R3")), TakeCard("light"))
    assert (scene.of("o", "permits"), scene.of("o", "cards")) == ((), (1, 0, 0, 0))


def test_rule_7_3_a_second_permit_that_is_not_needed_must_bring_a_card() -> None:
    scene = using(composing("R3:LP R5:TH"), "R3:LP", "R5:TH")
    assert scene.plots() == every("R") - {"R3", "R5"}
    scene = using(composing("R3:LP G5:HP"), "R3:LP")
    assert permit("G5:HP") in scene.values("choose_permit")
    scene = using(composing("R3:LP G5:HP").stacks(park=0), "R3:LP", "G5:HP")
    assert scene.plots() == {"R5", "G3"}


def test_rule_7_3_a_permit_with_which_no_plot_would_be_left_is_not_offered() -> None:
    scene = using(composing("**:LP R5:TH R4:LH"), "**:LP")
    assert scene.values("choose_permit") == [permit("R4:LH")]
    scene = using(composing("R3:LP G6:TH G5:HP", card="A3"), "R3:LP")
    assert scene.values("choose_permit") == [permit("G5:HP")]


def test_rule_7_3_the_card_for_which_a_permit_was_added_is_not_declined() -> None:
    scene = using(composing("R3:LP R1:LP"), "R3:LP", "R1:LP")
    scene.do("o", ChoosePlot(scene.plot("R3")))
    assert (scene.offered, scene.values("take_card")) == ({"take_card"}, ["light", "park"])
    scene = using(composing("R3:LP R1:LP"), "R3:LP", "R1:LP")
    assert scene.do("o", ChoosePlot(scene.plot("R4"))).offered == {"take_card", "decline_card"}


def test_rule_7_3_a_tram_counts_only_where_its_dollar_is_left() -> None:
    drawing = WHOLE.replace("R5.", "R5*", 1)
    assert using(composing("R5:TH R6:TP", drawing=drawing, money=5), "R5:TH", "R6:TP").plots() == every("R")
    scene = using(composing("R5:TH R6:TP", drawing=drawing, money=4), "R5:TH", "R6:TP")
    assert scene.plots() == every("R"), "the other red 5 has no rubble"
    assert len([plot for plot in scene.values("choose_plot") if scene.state.ruins >> plot & 1]) == 0
    scene = using(composing("R5:TH R6:TP", money=1), "R5:TH", "R6:TP")
    assert scene.plots() == every("R") - {"R5", "R6"}


def test_rule_7_3_the_dollar_of_the_corner_pays_for_the_tram() -> None:
    drawing = WHOLE.replace("R5.", "R5*")
    scene = Scene(drawing, card="A2", seats=4).money(o=4).front(o=1).permits(o="R5:TH R6:TP").marker(o=CORNER)
    using(scene.at("o", "build").do("o", Build()), "R5:TH", "R6:TP")
    ruin = next(plot for plot in scene.values("choose_plot") if scene.state.ruins >> plot & 1)
    scene.do("o", ChoosePlot(ruin), TakeCard("tram"))
    assert (scene.of("o", "cards"), scene.of("o", "money")) == ((0, 1, 0, 0), 1)


def test_a_game_of_version_2_of_the_rules_goes_on_with_needless_permits() -> None:
    scene = Scene(WHOLE, card="A2", seats=4).put(rules=2).money(o=15).front(o=1).permits(o="R3:LP R5:TH R1:LP")
    using(scene.at("o", "build").do("o", Build()), "R3:LP", "R5:TH").do("o", ChoosePlot(scene.plot("R3")))
    assert (scene.kind, scene.of("o", "permits")) == ("confirm", (permit("R1:LP"),))
    scene = Scene(WHOLE, card="A2", seats=4).put(rules=2).money(o=15).front(o=1).permits(o="R3:LP R1:LP")
    using(scene.at("o", "build").do("o", Build()), "R3:LP", "R1:LP").do("o", ChoosePlot(scene.plot("R3")))
    assert scene.offered == {"take_card", "decline_card"}


def test_only_permits_are_offered_with_which_a_plot_stays_possible() -> None:
    # In this city of four cards there is no red 3, and nothing that red 3 and green 1 would open together.
    drawing = """
        P6. Y2.   P1. Y5.
        R1k G4.   G6. P2.
        P3. Y5.   Y3. R4.
    """
    scene = Scene(drawing, seats=2, card="A2").money(o=9).front(o=1).permits(o="R3:LP G1:LT P6:LH")
    scene.at("o", "build").do("o", Build())
    assert scene.values("choose_permit") == [permit("R3:LP"), permit("G1:LT"), permit("P6:LH")]
    using(scene, "R3:LP")
    assert scene.offered == {"choose_permit"}
    assert permit("P6:LH") in scene.values("choose_permit")


def test_at_most_two_permits_are_used() -> None:
    scene = using(composing("R3:LP R5:TH R1:LP"), "R3:LP", "R5:TH")
    assert scene.offered == {"choose_plot"}


@pytest.mark.parametrize("permits", ["R3:LP", "R3:LP R5:TH", "R3:LP R1:LP G1:LT"])
def test_time_that_runs_out_over_a_building_leads_to_the_end_of_the_turn(permits: str) -> None:
    scene = composing(permits, drawing=WHOLE.replace("R3.", "R3*"))
    while scene.awaited == "o":
        assert scene.play.decision is not None
        scene.do("o", scene.play.decision.prompts[0].fallback)
    assert (len(scene.built("o")), scene.of("o", "cards"), scene.awaited) == (1, (0, 0, 0, 0), "k")


# -- subsidy and wild permits ---------------------------------------------------------------------------------


def test_ruling_8_subsidised_one_permit_opens_its_colour_or_number() -> None:
    assert using(composing("R3:LP", card="A3"), "R3:LP").plots() == every("R") | every("3")


def test_ruling_8_subsidised_two_permits_open_what_either_would() -> None:
    scene = using(composing("R3:LP G5:HP", card="A3"), "R3:LP", "G5:HP")
    assert scene.plots() == every("R") | every("3") | every("G") | every("5")


def test_ruling_8_cost_rubble_and_symbols_count_as_ever() -> None:
    scene = using(composing("R3:LP G6:LP", drawing=WHOLE.replace("R4.", "R4*"), card="A3", money=5), "R3:LP", "G6:LP")
    scene.do("o", ChoosePlot(scene.plot("R4")))
    assert (scene.of("o", "money"), scene.of("o", "rubble"), scene.kind) == (1, 1, "take_card")


def test_ruling_8_a_subsidy_can_be_reached_for_a_fee() -> None:
    scene = Scene(WHOLE, card="A3", seats=4).money(o=3).front(o=1).permits(o="R3:LP").at("o", "goal")
    scene.do("o", BuildSubsidised())
    assert using(scene, "R3:LP").plots() == every("R") | every("3")


def test_ruling_9_a_wild_permit_alone_opens_every_free_plot() -> None:
    scene = using(composing("**:LP", drawing=WHOLE.replace("R4.", "R4k")), "**:LP")
    assert len(scene.values("choose_plot")) == 46
    assert "R4" not in scene.plots()


def test_ruling_9_a_wild_permit_fits_every_pair_and_its_symbols_count() -> None:
    scene = using(composing("**:LP R3:LP"), "R3:LP", "**:LP")
    assert len(scene.values("choose_plot")) == 48
    scene.do("o", ChoosePlot(0))
    assert scene.values("take_card") == ["light", "park"]


def test_ruling_9_strictly_a_wild_permit_alone_opens_nothing() -> None:
    scene = Scene(WHOLE, card="A2", seats=4, strict_wild=True).money(o=9).front(o=1).permits(o="**:LP")
    assert "build" not in scene.at("o", "build").offered


def test_ruling_9_strictly_a_wild_permit_is_the_colour_or_the_number_that_a_pair_lacks() -> None:
    scene = using(composing("**:LP R3:LP", strict_wild=True), "**:LP", "R3:LP")
    assert scene.plots() == every("R") | every("3")
    scene = using(composing("**:LP **:TH", strict_wild=True), "**:LP", "**:TH")
    assert len(scene.values("choose_plot")) == 48


def test_ruling_9_strictly_a_wild_permit_opens_everything_with_a_subsidy() -> None:
    scene = using(composing("**:LP", card="A3", strict_wild=True), "**:LP")
    assert len(scene.values("choose_plot")) == 48


# -- rubble ---------------------------------------------------------------------------------------------------


def test_ruling_26_rubble_on_the_plot_costs_3_more_and_goes_a_step_up() -> None:
    scene = using(composing("R3:LP", drawing=WHOLE.replace("R3.", "R3*"), money=4), "R3:LP")
    scene.do("o", ChoosePlot(scene.plot("R3")))
    assert (scene.of("o", "money"), scene.of("o", "rubble"), scene.marker_of("o")) == (0, 1, (0, 1))
    assert not scene.state.ruins >> scene.plot("R3") & 1


def test_ruling_26_who_cannot_pay_for_the_rubble_builds_elsewhere_or_not_at_all() -> None:
    drawing = WHOLE.replace("R3.", "R3*")
    poor = Scene(drawing, card="A2", seats=4).money(o=3).front(o=1).permits(o="R3:LP")
    assert "build" not in poor.at("o", "build").offered
    scene = using(composing("R3:LP R4:LH", drawing=drawing, money=3), "R3:LP", "R4:LH")
    assert scene.plots() == every("R") - {"R3"}


def test_a_step_beyond_the_corner_is_a_dollar_for_a_building_on_rubble() -> None:
    scene = Scene(WHOLE.replace("R3.", "R3*"), card="A2", seats=4).money(o=4).front(o=1).permits(o="R3:LP")
    scene.marker(o=CORNER).at("o", "build").do("o", Build(), ChoosePermit(permit("R3:LP")))
    scene.do("o", ChoosePlot(scene.plot("R3")))
    assert scene.of("o", "money") == 1


# -- development cards ----------------------------------------------------------------------------------------


def test_vector_7_rubble_a_tram_and_two_steps_in_1909() -> None:
    scene = composing("R5:TH R6:TP", drawing=WHOLE.replace("R4.", "R4*"), year=1909, money=6)
    using(scene, "R5:TH", "R6:TP").do("o", ChoosePlot(scene.plot("R4")), TakeCard("tram"))
    assert (scene.of("o", "money"), scene.marker_of("o")) == (0, (1, 1))
    assert (scene.of("o", "rubble"), scene.of("o", "cards")) == (1, (0, 1, 0, 0))
    assert scene.state.left_of("tram") == 3


def test_a_common_symbol_brings_a_card_and_a_free_step_to_the_right() -> None:
    scene = using(composing("R3:LP R4:LH"), "R3:LP", "R4:LH")
    scene.do("o", ChoosePlot(scene.plot("R5")))
    assert scene.values("take_card") == ["light"]
    scene.do("o", TakeCard("light"))
    assert (scene.of("o", "cards"), scene.marker_of("o"), scene.of("o", "money")) == ((1, 0, 0, 0), (1, 0), 14)


def test_a_single_permit_and_permits_without_a_common_symbol_bring_nothing() -> None:
    for names, plot in ((("R3:LP",), "R3"), (("R3:LP", "R5:TH"), "R4")):
        scene = using(composing("R3:LP R5:TH"), *names)
        scene.do("o", ChoosePlot(scene.plot(plot)))
        assert scene.kind == "confirm"


def test_parks_are_taken_from_the_top_2_3_4_5() -> None:
    scene = using(composing("R3:LP G6:LP", card="A3"), "R3:LP", "G6:LP").do("o", ChoosePlot(0), TakeCard("park"))
    assert scene.of("o", "parks") == (2,)
    scene = composing("R3:LP G6:LP", card="A3").stacks(park=2)
    using(scene, "R3:LP", "G6:LP").do("o", ChoosePlot(0), TakeCard("park"))
    assert scene.of("o", "parks") == (4,)


def test_the_order_of_the_parks_can_be_turned_round() -> None:
    scene = composing("R3:LP G6:LP", card="A3", park_order="falling")
    using(scene, "R3:LP", "G6:LP").do("o", ChoosePlot(0), TakeCard("park"))
    assert scene.of("o", "parks") == (5,)


def test_ruling_11_of_two_common_symbols_one_is_chosen() -> None:
    scene = using(composing("R3:LP R1:LP"), "R3:LP", "R1:LP")
    scene.do("o", ChoosePlot(scene.plot("R4")))
    assert scene.values("take_card") == ["light", "park"]
    scene.do("o", TakeCard("park"))
    assert (scene.of("o", "cards"), scene.marker_of("o"), scene.kind) == ((0, 0, 0, 1), (1, 0), "confirm")


def test_ruling_12_an_empty_stack_gives_neither_card_nor_step() -> None:
    scene = composing("R3:LP R4:LH").stacks(light=0)
    using(scene, "R3:LP", "R4:LH").do("o", ChoosePlot(scene.plot("R5")))
    assert (scene.kind, scene.marker_of("o")) == ("confirm", (0, 0))
    assert scene.new_events(CardOffered) == []


def test_ruling_12_the_other_common_symbol_can_be_chosen_if_one_stack_is_empty() -> None:
    scene = composing("R3:LP R1:LP").stacks(light=0)
    using(scene, "R3:LP", "R1:LP").do("o", ChoosePlot(scene.plot("R5")))
    assert scene.values("take_card") == ["park"]


def test_ruling_13_without_a_dollar_left_there_is_no_tram() -> None:
    scene = using(composing("R5:TH R6:TP", year=1907, money=1), "R5:TH", "R6:TP")
    scene.do("o", ChoosePlot(scene.plot("R4")))
    assert (scene.kind, scene.of("o", "money"), scene.marker_of("o")) == ("confirm", 0, (0, 0))


def test_ruling_13_another_common_symbol_can_be_had_without_a_dollar() -> None:
    scene = using(composing("R5:TH R1:TH", money=1), "R5:TH", "R1:TH").do("o", ChoosePlot(2))
    assert scene.values("take_card") == ["hydrant"]


def test_ruling_13_the_dollar_for_the_tram_comes_after_all_other_costs() -> None:
    scene = using(composing("R5:TH R6:TP", drawing=WHOLE.replace("R4.", "R4*"), money=4), "R5:TH", "R6:TP")
    scene.do("o", ChoosePlot(scene.plot("R4")))
    assert (scene.kind, scene.of("o", "money")) == ("confirm", 0)


def test_ruling_14_a_card_can_be_declined_and_then_there_is_no_step() -> None:
    scene = using(composing("R3:LP R4:LH"), "R3:LP", "R4:LH")
    scene.do("o", ChoosePlot(scene.plot("R5")), DeclineCard())
    assert (scene.of("o", "cards"), scene.marker_of("o"), scene.kind) == ((0, 0, 0, 0), (0, 0), "confirm")


# -- the eighth building --------------------------------------------------------------------------------------

NEARLY_DONE = """
    P6o Y2o   P1k Y5k   P2. Y1.   G4. Y2.
    R1o G4o   G6k P2k   R5. P6.   R1. G5.
    P3o Y5o   Y3k R4k   G3. R4.   P3. R6.

    G6o P1k   R3. G1.   R6. G2.   Y3. P4.
    R2. G3.   G5. R2.   Y4. P5.   G1. Y6.
    P5. Y4.   Y6. P4.   R3. Y1.   R5. G2.
"""
"""Orange and black have built seven each."""


def test_the_first_to_build_the_eighth_building_is_best_builder() -> None:
    scene = using(composing("R3:LP", drawing=NEARLY_DONE), "R3:LP").do("o", ChoosePlot(30))
    assert (scene.state.best_builder, scene.state.built(0)) == (0, 8)
    assert scene.new_events(BestBuilderTaken) == [BestBuilderTaken(0)]


def test_the_others_finish_the_card_and_then_the_game_is_over() -> None:
    scene = using(composing("R3:LP", drawing=NEARLY_DONE), "R3:LP").do("o", ChoosePlot(30), Confirm())
    for letter, space in zip("kbw", (1, 2, 4), strict=True):
        assert scene.awaited == letter
        scene.done(letter, space, TakeDollar())
    assert scene.play.decision is None
    assert scene.outcome.reason == "eighth"


def test_ruling_28_a_second_player_still_builds_the_eighth_and_best_builder_stays() -> None:
    scene = Scene(NEARLY_DONE, card="A2", seats=4).money(o=9, k=9).front(o=1, k=1).permits(o="R3:LP", k="Y6:LH")
    scene.at("o", "build").do("o", Build(), ChoosePermit(permit("R3:LP")), ChoosePlot(30), Confirm())
    scene.at("k", "permit").do("k", Build(), ChoosePermit(permit("Y6:LH")))
    scene.do("k", ChoosePlot(scene.values("choose_plot")[0]), Confirm())
    assert (scene.state.built(1), scene.state.best_builder) == (8, 0)
    assert scene.awaited == "b"


def test_ruling_27_an_eighth_building_on_the_last_card_of_1911_ends_the_game_without_1912() -> None:
    scene = Scene(NEARLY_DONE, card="A2", seats=4, year=1911).money(o=9).front(o=1).permits(o="R3:LP")
    order = tuple(card for card in scene.state.action_cards if card != "A2")
    scene.put(action_cards=(*order, "A2"), area=6, pawns=tuple((5, 3 - seat) for seat in range(4)))
    scene.at("o", "build").do("o", Build(), ChoosePermit(permit("R3:LP")), ChoosePlot(30), Confirm())
    for letter, space in zip("kbw", (1, 2, 4), strict=True):
        scene.done(letter, space, TakeDollar())
    assert scene.play.decision is None
    assert (scene.state.year, scene.outcome.reason) == (1911, "eighth")
