"""Action cards: who gets them, what they do, and where they are laid."""

from __future__ import annotations

import pytest

from server.games.investors import city
from server.games.investors.commands import MoveStick, ReplaceStick, SwapSticks, Waive
from server.games.investors.events import (
    ActionDrawn,
    ActionLaid,
    RightWaived,
    SticksSwapped,
    TenderOpened,
)
from tests.games.investors.cities import VILLA_NEARLY_DONE
from tests.games.investors.scenes import Scene


def nobody_wants_it(scene: Scene) -> None:
    scene.influence(**dict.fromkeys("ybrg"))


# -- two sticks ----------------------------------------------------------------------------------------------


def test_ruling_36_with_one_free_street_only_one_of_two_sticks_is_placed() -> None:
    scene = Scene(
        """
        +-y-+-b-+
        b V 1 V y
        +-r-+-g-+
        """,
        seats=5,
    ).acting("v", "two/influence")
    scene.place("v", "1")
    assert scene.new_events(ActionLaid) == [ActionLaid("two/influence", 1907)]
    assert scene.kind == "consider_tender"


def test_ruling_36_the_second_of_two_sticks_may_be_waived() -> None:
    scene = Scene(VILLA_NEARLY_DONE).acting("b", "two/influence")
    scene.place("b", "1")
    scene.waive("b")
    assert (scene.stick("1"), scene.supply("b")) == ("b", 14)
    assert len(scene.new_events(ActionLaid)) == 1


AROUND_TWO = """
    +   +-1-+-2-+   +
      F 3 o 4 H 5 F
    +   +-6-+-7-+   +
"""


def test_ruling_37_the_first_of_two_sticks_may_lie_at_any_district() -> None:
    scene = Scene(AROUND_TWO, owner="y").acting("y", "two/influence")
    assert scene.open_streets("y") == set(scene.state.free_streets())


def test_ruling_37_both_sticks_lie_at_the_same_district_rebuilt_ones_and_landmarks_included() -> None:
    scene = Scene(AROUND_TWO, owner="y").acting("y", "two/influence")
    scene.place("y", "4")
    assert scene.open_streets("y") == scene.streets("123567")


def test_ruling_37_two_sticks_at_an_edge_street_lie_at_its_only_district() -> None:
    scene = Scene(
        """
        +-1-+
        2 V 3
        +-4-+
        """,
        at=(0, 2),
    ).acting("y", "two/influence")
    scene.place("y", "1")
    assert scene.open_streets("y") == scene.streets("234")


# -- shifting a stick ----------------------------------------------------------------------------------------

FLAT_PATHS = """
    +   +   +-1-+   +   +

    +   +   +-2-+   +   +

    +-3-+-4-+-B-+-5-+-6-+

    +   +   +-7-+   +   +

    +   +   +-8-+   +   +
"""
UPRIGHT_PATHS = """
    +   +   +   +   +   +
            1
    +   +   +   +   +   +
            2
    +   +   +   +   +   +
    3   4   B   5   6
    +   +   +   +   +   +
            7
    +   +   +   +   +   +
            8
    +   +   +   +   +   +
"""
TOP_SECOND_COLUMN = (0, 1)


def ends(scene: Scene, seat: str, name: str) -> set[int]:
    """Return where a seat may shift a named stick."""
    return set(scene.space(seat, MoveStick, "move").groups.get(scene.street(name), ()))


@pytest.mark.parametrize(
    "drawing, axis_only, names",
    [
        (FLAT_PATHS, False, "12345678"),
        (FLAT_PATHS, True, "3456"),
        (UPRIGHT_PATHS, False, "12345678"),
        (UPRIGHT_PATHS, True, "1278"),
    ],
    ids=["flat", "flat, own line only", "upright", "upright, own line only"],
)
def test_ruling_38_a_stick_is_shifted_straight_by_one_or_two(drawing: str, axis_only: bool, names: str) -> None:
    scene = Scene(drawing, at=TOP_SECOND_COLUMN, move_axis_only=axis_only).acting("y", "move/influence")
    assert ends(scene, "y", "B") == scene.streets(names)


def test_ruling_38_no_stick_is_pushed_or_jumped() -> None:
    scene = Scene(
        """
        +   +   +-1-+   +   +

        +   +   +-r-+   +   +

        +-3-+-4-+-B-+-5-+-g-+

        +   +   +-7-+   +   +

        +   +   +-8-+   +   +
        """,
        at=TOP_SECOND_COLUMN,
    ).acting("y", "move/influence")
    assert ends(scene, "y", "B") == scene.streets("34578")


def test_ruling_38_a_stick_is_not_shifted_out_of_the_city_or_through_a_park() -> None:
    scene = Scene(
        """
        +-#-+-B-+-1-+-2-+
        # * # F |   |   |
        +-#-+-3-+   +   +
        |   |   |   |   |
        +   +-4-+   +   +
        """,
        at=(0, 0),
    ).acting("y", "move/influence")
    assert ends(scene, "y", "B") == scene.streets("1234")


def test_ruling_39_anybodys_stick_can_be_shifted() -> None:
    scene = Scene(
        """
        +-Y-+
        | V B
        +-R-+
        """
    ).acting("y", "move/influence")
    assert set(scene.space("y", MoveStick, "move").groups) == scene.streets("YBR")


# -- swapping and replacing ----------------------------------------------------------------------------------

BESIDE_A_PARK = """
    +-#-+-Y-+
    # * # V B
    +-#-+-R-+
"""


def test_ruling_40_a_white_stick_is_never_swapped_replaced_or_shifted() -> None:
    scene = Scene(BESIDE_A_PARK).acting("y", "swap/influence")
    assert set(scene.space("y", SwapSticks, "sticks").values) == scene.streets("YBR")
    scene = Scene(BESIDE_A_PARK).acting("y", "replace/influence")
    assert scene.open_streets("y", ReplaceStick) == scene.streets("BR")
    scene = Scene(BESIDE_A_PARK).acting("y", "move/influence")
    assert set(scene.space("y", MoveStick, "move").groups) <= scene.streets("YBR")


def test_ruling_41_any_two_sticks_can_be_swapped_whosoever_they_are() -> None:
    scene = Scene(BESIDE_A_PARK).acting("y", "swap/influence")
    scene.do("y", SwapSticks((scene.street("B"), scene.street("R"))))
    assert (scene.stick("B"), scene.stick("R")) == ("r", "b")


def test_ruling_41_two_sticks_of_one_owner_can_be_swapped_without_effect() -> None:
    scene = Scene(
        """
        +-Y-+---+
        | V |   |
        +---+-y-+
        """
    ).acting("b", "swap/influence")
    before = list(scene.state.sticks)
    first, second = scene.state.sticks_of(0)
    scene.do("b", SwapSticks((first, second)))
    assert list(scene.state.sticks) == before
    assert len(scene.new_events(SticksSwapped)) == 1


def test_ruling_42_an_own_stick_is_not_replaced() -> None:
    scene = Scene(BESIDE_A_PARK).acting("y", "replace/influence")
    assert scene.refused("y", ReplaceStick(scene.street("Y")))


def test_a_replaced_stick_goes_back_to_its_owner() -> None:
    scene = Scene(BESIDE_A_PARK).acting("y", "replace/influence")
    scene.do("y", ReplaceStick(scene.street("B")))
    assert (scene.stick("B"), scene.supply("b"), scene.supply("y")) == ("y", 15, 13)


def test_ruling_34_replacing_without_a_stick_in_supply_lifts_one() -> None:
    scene = Scene(BESIDE_A_PARK, supply={"y": 0}).acting("y", "replace/influence")
    assert scene.refused("y", ReplaceStick(scene.street("B")))
    scene.do("y", ReplaceStick(scene.street("B"), lift=scene.street("Y")))
    assert [scene.stick(name) for name in "BY"] == ["y", "-"]
    assert (scene.supply("y"), scene.supply("b")) == (0, 15)


def test_a_stick_is_placed_anywhere_with_the_card_for_a_free_stick() -> None:
    scene = Scene(BESIDE_A_PARK).acting("y", "free/influence")
    assert scene.open_streets("y") == {street for street, owner in enumerate(scene.state.sticks) if owner == city.FREE}


def test_ruling_43_a_majority_through_a_shifted_stick_rebuilds() -> None:
    scene = Scene(
        """
        +-y-+---+
        y V | M B
        +-1-+-Y-+
        """
    ).acting("b", "move/influence")
    scene.do("b", MoveStick((scene.street("Y"), scene.street("1"))))
    assert scene.rebuilders == "y"


def test_ruling_43_a_shifted_stick_does_not_count_twice_on_its_way() -> None:
    scene = Scene(
        """
        +-Y-+
        y V |
        +-1-+
        """
    ).acting("y", "move/influence")
    scene.do("y", MoveStick((scene.street("Y"), scene.street("1"))))
    assert scene.rebuilders == ""


def test_ruling_43_a_swap_rebuilds_for_both_after_the_whole_exchange() -> None:
    scene = Scene(
        """
        +-y-+---+-b-+
        y V B   Y V b
        +---+---+---+
        """
    ).acting("r", "swap/influence")
    scene.do("r", SwapSticks((scene.street("B"), scene.street("Y"))))
    assert sorted(scene.rebuilders) == ["b", "y"]
    assert (scene.prestige("y"), scene.prestige("b"), scene.prestige("r")) == (4, 4, 0)


def test_ruling_43_replacing_one_of_two_against_two_gives_the_other_the_majority() -> None:
    scene = Scene(
        """
        +-y-+
        b V B
        +-y-+
        """
    ).acting("r", "replace/influence")
    scene.do("r", ReplaceStick(scene.street("B")))
    assert scene.rebuilders == "y"


def test_ruling_43_a_rebuilding_through_an_action_card_leads_to_another_card() -> None:
    scene = Scene(VILLA_NEARLY_DONE, actions=("free/influence", "swap/influence")).acting("y", "free/influence")
    scene.place("y", "1")
    assert scene.new_events(ActionDrawn) == [ActionDrawn(0, "swap/influence")]
    assert scene.new_events(ActionLaid) == [ActionLaid("free/influence", 1907)]
    nobody_wants_it(scene)
    assert scene.new_events(ActionLaid)[-1] == ActionLaid("swap/influence", 1908)
    assert scene.kind == "consider_tender"


@pytest.mark.parametrize("effect", ["two", "move", "swap", "free", "replace"])
def test_ruling_44_the_winner_of_any_action_card_may_decline(effect: str) -> None:
    scene = Scene(BESIDE_A_PARK).seeking(f"{effect}/influence")
    scene.influence(y=5, b=1, r=None, g=None)
    scene.do("y", Waive())
    assert scene.left("y") == 25
    assert scene.new_events(RightWaived) == [RightWaived(0)]
    assert scene.new_events(ActionLaid) == [ActionLaid(f"{effect}/influence", 1907)]


def test_an_action_card_won_by_cheques_is_paid_to_the_bank() -> None:
    scene = Scene(VILLA_NEARLY_DONE).seeking("free/cheques")
    scene.bids("y30 b- r40 g- y-")
    assert (scene.kind, scene.awaited) == ("use_action", "r")
    assert (scene.paid("r"), sorted(scene.state.bank)) == ((40,), [40])


def test_an_action_card_is_sought_though_the_start_player_alone_could_not_use_it() -> None:
    """All sticks in the city are yellow: yellow has nothing to replace, but everybody else has."""
    scene = Scene(VILLA_NEARLY_DONE, actions=("replace/influence",)).investing("y", "villa")
    scene.place("y", "1")
    assert scene.new_events(TenderOpened) == [TenderOpened("influence", 1)]
    scene.influence(y=None, b=1, r=None, g=None)
    scene.do("b", ReplaceStick(scene.street("1")))
    assert scene.stick("1") == "b"


def test_a_winner_who_cannot_use_the_card_is_not_asked() -> None:
    scene = Scene(VILLA_NEARLY_DONE).seeking("replace/influence")
    scene.influence(y=1, b=None, r=None, g=None)
    assert scene.new_events(RightWaived) == [RightWaived(0)]
    assert scene.new_events(ActionLaid) == [ActionLaid("replace/influence", 1907)]
