"""Placing sticks, rebuilding, and what to do without a stick."""

from __future__ import annotations

from server.games.investors.commands import PlaceStick, Waive
from server.games.investors.events import ActionDrawn, DistrictRebuilt, RightWaived, StickPlaced, TenderClosed
from tests.games.investors.scenes import Scene


def test_ruling_27_a_winner_may_waive_and_the_price_is_still_due() -> None:
    scene = Scene(tenders=("villa/influence/3",))
    scene.accept()
    scene.influence(y=7, b=5, r=3, g=3)
    scene.waive("y")
    assert scene.new_events(RightWaived) == [RightWaived(0)]
    assert (scene.left("y"), scene.supply("y")) == (23, 15)
    assert scene.awaited == "b"


BETWEEN_HALL_AND_LEISURE = """
    +---+-r-+
    r L 1 H r
    +-r-+-r-+
"""


def test_ruling_29_one_stick_rebuilds_two_districts_and_both_score() -> None:
    scene = Scene(BETWEEN_HALL_AND_LEISURE).investing("r", "leisure")
    scene.place("r", "1")
    assert scene.shows(
        """
        +---+-r-+
        r l r h r
        +-r-+-r-+
        """
    )
    assert scene.prestige("r") == 15


def test_ruling_29_two_districts_at_once_still_lead_to_one_action_card() -> None:
    scene = Scene(BETWEEN_HALL_AND_LEISURE, actions=("free/influence",)).investing("r", "leisure")
    scene.place("r", "1")
    assert scene.new_events(ActionDrawn) == [ActionDrawn(0, "free/influence")]
    scene.influence(y=None, b=None, r=None, g=None)
    assert scene.kind == "consider_tender"


def test_ruling_29_one_stick_rebuilds_two_districts_for_two_seats() -> None:
    scene = Scene(
        """
        +-y-+-b-+
        y M 1 V b
        +-b-+-g-+
        """
    ).investing("y", "villa")
    scene.place("y", "1")
    assert scene.rebuilders == "yb"
    assert (scene.prestige("y"), scene.prestige("b")) == (5, 4)


def test_ruling_30_rebuilding_is_immediate_and_nobody_is_asked() -> None:
    scene = Scene(
        """
        +-y-+
        y V 1
        +---+
        """
    ).investing("yb", "villa")
    step = scene.place("y", "1")
    assert [event.name for event in step] == ["stick_placed", "district_rebuilt"]
    assert scene.awaited == "b"


TWO_NEARLY_DONE = """
    +-y-+---+-b-+
    y V 1   2 V b
    +---+---+---+
"""


def test_ruling_31_two_rebuildings_in_a_round_lead_to_one_card_after_all_have_invested() -> None:
    scene = Scene(TWO_NEARLY_DONE, actions=("free/influence",)).investing("ybr", "villa")
    scene.place("y", "1")
    assert scene.new_events(ActionDrawn) == []
    scene.place("b", "2")
    assert (scene.rebuilders, scene.new_events(ActionDrawn), scene.awaited) == ("yb", [], "r")
    scene.waive("r")
    assert len(scene.new_events(ActionDrawn)) == 1
    scene.influence(y=None, b=None, r=None, g=None)
    assert scene.kind == "consider_tender"
    assert len(scene.new_events(ActionDrawn)) == 1


def test_a_round_without_rebuilding_leads_to_no_action_card() -> None:
    scene = Scene(TWO_NEARLY_DONE).investing("r", "villa")
    scene.place("r", "1")
    assert scene.new_events(ActionDrawn) == []
    assert scene.kind == "consider_tender"


def test_ruling_32_a_rebuilt_district_keeps_tile_points_and_owner_when_sticks_change() -> None:
    scene = Scene(
        """
        +-b-+
        y v 1
        +-b-+
        """,
        owner="y",
    ).investing("b", "villa")
    before = scene.prestige("y")
    scene.place("b", "1")
    assert scene.rebuilders == ""
    assert (scene.prestige("y"), scene.prestige("b")) == (before, 0)
    assert scene.shows(
        """
        +-b-+
        y v b
        +-b-+
        """
    )


LAST_STICKS = """
    +-1-+---+-Y-+
    y V 2   | V |
    +---+---+---+
"""


def test_ruling_33_without_a_stick_in_supply_an_own_one_is_lifted() -> None:
    scene = Scene(LAST_STICKS, supply={"y": 0}).investing("y", "villa")
    assert scene.open_streets("y", PlaceStick, "lift") == set(scene.state.sticks_of(0))
    scene.place("y", "1", lift="Y")
    assert (scene.stick("1"), scene.stick("Y"), scene.supply("y")) == ("y", "-", 0)


def test_ruling_33_the_stick_must_be_lifted_and_goes_to_a_different_street() -> None:
    scene = Scene(LAST_STICKS, supply={"y": 0}).investing("y", "villa")
    assert scene.refused("y", PlaceStick(scene.street("1")))
    assert scene.refused("y", PlaceStick(scene.street("Y"), scene.street("Y")))


def test_ruling_33_with_a_stick_in_supply_none_is_lifted() -> None:
    scene = Scene(LAST_STICKS, supply={"y": 1}).investing("y", "villa")
    assert scene.refused("y", PlaceStick(scene.street("1"), scene.street("Y")))
    scene.place("y", "1")
    assert scene.supply("y") == 0


def test_ruling_33_majorities_are_looked_at_after_placing() -> None:
    """With the lifted stick still in place yellow would have three here."""
    scene = Scene(
        """
        +-Y-+
        y V |
        +-1-+
        """,
        supply={"y": 0},
    ).investing("y", "villa")
    scene.place("y", "1", lift="Y")
    assert scene.rebuilders == ""
    assert scene.shows(
        """
        +---+
        y V |
        +-y-+
        """
    )


def test_ruling_34_of_two_sticks_each_missing_one_is_lifted_and_the_first_stays() -> None:
    scene = Scene(LAST_STICKS, supply={"y": 1}).acting("y", "two/influence")
    scene.place("y", "1")
    assert scene.street("1") not in scene.open_streets("y", PlaceStick, "lift")
    scene.place("y", "2", lift="Y")
    assert [scene.stick(name) for name in "12Y"] == ["y", "y", "-"]
    assert scene.supply("y") == 0


def test_ruling_34_with_an_empty_supply_both_of_two_sticks_are_lifted() -> None:
    scene = Scene(LAST_STICKS, supply={"y": 0}).acting("y", "two/influence")
    scene.place("y", "1", lift="Y")
    other = next(street for street in scene.state.sticks_of(0) if street not in scene.streets("1"))
    scene.do("y", PlaceStick(scene.street("2"), other))
    assert [event.lifted for event in scene.new_events(StickPlaced)] == [scene.street("Y"), other]


def test_sticks_are_placed_in_the_order_of_the_rights() -> None:
    scene = Scene(TWO_NEARLY_DONE).investing("rb", "villa")
    assert (scene.kind, scene.awaited) == ("invest", "r")
    assert scene.refused("b", PlaceStick(scene.street("1")))
    scene.place("r", "1")
    assert scene.awaited == "b"
    assert scene.street("1") not in scene.open_streets("b")


def test_an_investor_has_exactly_one_right_for_each_tender() -> None:
    scene = Scene(tenders=("villa/influence/3",))
    scene.accept()
    scene.influence(y=7, b=5, r=5, g=5)
    assert [len(event.rights) for event in scene.new_events(TenderClosed)] == [1]
    scene.do("y", Waive())
    assert scene.kind == "consider_tender"


def test_the_prestige_of_a_district_goes_to_its_holder_at_once() -> None:
    scene = Scene(TWO_NEARLY_DONE).investing("y", "villa")
    scene.place("y", "1")
    assert [(event.seat, event.prestige, event.bonus) for event in scene.new_events(DistrictRebuilt)] == [(0, 4, 0)]
    assert scene.prestige("y") == 4
