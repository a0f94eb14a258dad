"""Until the turn is confirmed every step of finalizing can be taken back; a draw never can (ruling 7.28)."""

from __future__ import annotations

from server.model import Refused
from tests.games.planners.scenes import Scene

COLUMN = ("gray:2c gray:2c green:2t", "", "")


def test_ruling_28_a_whole_finalize_turn_can_be_taken_back_step_by_step() -> None:
    scene = Scene(columns=COLUMN)
    states = [scene.state]
    scene.take(1)
    states.append(scene.state)
    scene.place("gray:2c")
    states.append(scene.state)
    scene.place("gray:2c")
    states.append(scene.state)
    scene.take_bonus("universal", "blue")
    states.append(scene.state)
    scene.discard("green:2t")
    assert scene.kind == "confirm"
    for state in reversed(states):
        assert scene.may_undo
        scene.undo()
        assert scene.state == state
    assert (scene.kind, scene.may_undo) == ("turn", False)
    assert scene.take(1).place("green:2t").city_is("2t* . . . .")


def test_ruling_28_a_confirmed_turn_cannot_be_taken_back() -> None:
    scene = Scene(columns=("gray:3", "", "")).take(1).place("gray:3").confirm()
    assert not scene.may_undo
    assert isinstance(scene.play.undo(1, scene.play.number), Refused)
    assert isinstance(scene.play.undo(0, scene.play.number), Refused)


def test_ruling_28_a_full_city_can_be_taken_back_until_the_turn_is_confirmed() -> None:
    scene = Scene("3 3 3 3 .", columns=("green:2c", "", "")).take(1).place("green:2c")
    assert scene.state.completed[4] == 0
    scene.undo()
    assert scene.state.completed[4] is None


def test_ruling_28_a_draw_cannot_be_taken_back() -> None:
    scene = Scene(top="green:3").draw()
    assert not scene.may_undo


def test_a_laid_project_cannot_be_taken_back() -> None:
    assert not Scene(top="green:3").draw().lay(1).may_undo


def test_contracts_given_back_can_be_taken_again_before_anything_is_drawn() -> None:
    scene = Scene(contracts={"y": 2}, releases="y").release(2)
    assert scene.may_undo
    scene.undo()
    assert (scene.contracts(), scene.state.releases[0], scene.may_undo) == ("2 0", True, False)


def test_contracts_given_back_before_the_draw_stay_so_after_it() -> None:
    scene = Scene(contracts={"y": 2}, releases="y").release(2).draw()
    assert not scene.may_undo


def test_contracts_given_back_after_the_draw_can_be_taken_again_but_the_draw_cannot() -> None:
    scene = Scene(contracts={"y": 2}, releases="y").draw().release(2)
    assert scene.may_undo
    scene.undo()
    assert (scene.kind, scene.contracts(), scene.may_undo) == ("lay", "2 0", False)


def test_contracts_given_back_before_finalizing_are_part_of_what_can_be_taken_back() -> None:
    scene = Scene(columns=("gray:3 u2", "", ""), contracts={"y": 2}, releases="y").release(1).take(1)
    scene.undo()
    assert (scene.kind, scene.contracts(), scene.may_undo) == ("turn", "1 0", True)
    scene.undo()
    assert (scene.contracts(), scene.may_undo) == ("2 0", False)


def test_only_the_seat_whose_turn_it_is_takes_back() -> None:
    scene = Scene(columns=COLUMN).take(1)
    assert isinstance(scene.play.undo(1, scene.play.number), Refused)
