"""A turn can be put together and taken apart until it is confirmed or a card has been seen."""

from __future__ import annotations

from server.games.builders.commands import (
    Build,
    ChoosePermit,
    ChoosePlot,
    Confirm,
    PlacePawn,
    TakeCard,
    TakeDollar,
    TakeGoal,
    TakeMoney,
    TakePermit,
)
from tests.games.builders.scenes import Scene, permit

DRAWING = """
    P6. Y2.
    R1* G4.
    P3. Y5.
"""


def test_a_whole_building_can_be_taken_back_step_by_step() -> None:
    scene = Scene(DRAWING, card="A2", year=1909).money(o=9).front(o=1).permits(o="R1:LP R3:LP")
    states = [scene.play.state]
    for command in (
        PlacePawn(1),
        Build(),
        ChoosePermit(permit("R1:LP")),
        ChoosePermit(permit("R3:LP")),
        ChoosePlot(2),
        TakeCard("park"),
    ):
        scene.do("o", command)
        assert scene.may_undo("o")
        states.append(scene.play.state)
    assert (scene.of("o", "money"), scene.kind) == (9 - 2 - 2 - 3, "confirm")
    for state in reversed(states[:-1]):
        scene.undo("o")
        assert scene.play.state == state
    assert (scene.kind, scene.may_undo("o")) == ("place_pawn", False)


def test_a_confirmed_turn_cannot_be_taken_back() -> None:
    scene = Scene(card="A1").done("o", "dollar", TakeDollar())
    assert not any(scene.may_undo(letter) for letter in "okb")


def test_a_confirmed_turn_cannot_be_taken_back_even_if_the_same_seat_goes_on() -> None:
    scene = Scene(card="A1", seats=2).done("o", 0, TakeDollar()).done("k", 2, TakeDollar())
    assert (scene.awaited, scene.state.area) == ("k", 2)
    assert not scene.may_undo("k")


def test_a_blindly_drawn_goal_ends_the_turn_and_cannot_be_taken_back() -> None:
    scene = Scene(card="A3").at("o", "goal")
    assert scene.may_undo("o")
    scene.do("o", TakeGoal("blind"))
    assert (scene.awaited, scene.kind) == ("k", "place_pawn")
    assert not any(scene.may_undo(letter) for letter in "okb")


def test_a_blindly_drawn_goal_as_bonus_ends_the_turn_too() -> None:
    scene = Scene(card=None, year=1911).at("o", 0).do("o", TakeGoal("blind"))
    assert (scene.awaited, scene.kind) == ("k", "place_pawn")


def test_on_the_year_board_income_and_permit_can_be_taken_back_before_the_display_is_refilled() -> None:
    scene = Scene(card=None, year=1907)
    shown = scene.state.permits_shown
    scene.at("o", 0).do("o", TakePermit(shown[0]))
    assert scene.state.permits_shown == shown[1:]
    scene.undo("o").undo("o")
    assert (scene.of("o", "money"), scene.state.permits_shown) == (0, shown)


def test_in_1912_the_choice_itself_can_be_taken_back() -> None:
    scene = Scene(card=None, year=1912)
    assert not scene.may_undo("o")
    scene.do("o", TakeMoney()).undo("o")
    assert (scene.kind, scene.of("o", "money")) == ("bonus", 0)
    scene.do("o", TakeMoney(), Confirm())
    assert [scene.may_undo(letter) for letter in "okb"] == [False] * 3


def test_only_the_seat_in_turn_can_take_back() -> None:
    scene = Scene(card="A1").at("o", "dollar").do("o", TakeDollar())
    assert [scene.may_undo(letter) for letter in "okb"] == [True, False, False]
    assert scene.do("o", Confirm()).awaited == "k"
