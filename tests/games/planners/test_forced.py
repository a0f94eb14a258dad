"""For whom the server answers: everything that decides about legality is open (RULES 9.2)."""

from __future__ import annotations

from tests.games.planners.scenes import Scene


def is_forced(scene: Scene) -> bool:
    assert scene.play.decision is not None
    return bool(scene.play.decision.forced)


def test_a_project_is_drawn_where_no_column_can_be_taken() -> None:
    assert is_forced(Scene())
    assert not is_forced(Scene(columns=("gray:3", "", "")))
    assert is_forced(Scene(columns=("gray:3", "", ""), contracts={"y": 1}))


def test_a_token_leaves_a_choice() -> None:
    assert not is_forced(Scene(columns=("gray:3", "", ""), contracts={"y": 1}, releases="y"))


def test_without_a_deck_one_takes_the_only_column_or_passes() -> None:
    assert is_forced(Scene(columns=("gray:3", "", ""), deck=0))
    assert not is_forced(Scene(columns=("gray:3", "green:3", ""), deck=0))
    assert is_forced(Scene(columns=("gray:3", "", ""), deck=0, contracts={"y": 1}))


def test_a_turn_is_confirmed_by_its_player_who_may_still_take_it_back() -> None:
    scene = Scene(columns=("gray:3", "", "")).take(1)
    assert scene.kind == "place"
    assert not is_forced(scene)
    scene.discard("gray:3")
    assert scene.kind == "confirm"
    assert not is_forced(scene)
