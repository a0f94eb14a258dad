"""Choices of `normal` in positions with one clearly best answer."""

from __future__ import annotations

import pytest

from server.bots.planners import STRATEGIES
from server.bots.strategy import Strategy
from server.games.planners.commands import Confirm, Decline, Draw, Finalize, Lay, Release, TakePoints
from tests.bots.planners import NORMAL, answer, choice_of
from tests.games.planners.scenes import Scene

EASY = STRATEGIES["easy"]
both = pytest.mark.parametrize("strategy", [EASY, NORMAL], ids=["easy", "normal"])


@both
def test_with_nothing_to_take_a_card_is_drawn(strategy: Strategy) -> None:
    found = choice_of(Scene(), strategy)
    assert found.command == Draw()
    assert found.reason is not None
    assert found.reason.key == "planners.hint.draw_only"


@both
def test_a_long_column_of_good_cards_is_taken(strategy: Strategy) -> None:
    scene = Scene(columns=("blue:3 green:3 yellow:3 gray:3", "blue:0f", ""))
    found = choice_of(scene, strategy)
    assert found.command == Finalize(0)
    assert found.reason is not None
    assert found.reason.values["letter"] == "A"


def test_a_single_poor_card_is_not_worth_a_contract() -> None:
    assert answer(Scene(columns=("blue:1s", "", ""), seats=4)) == Draw()


def test_of_two_columns_the_one_that_fits_the_city_is_taken() -> None:
    """Blue is full, so cards for blue are worth nothing."""
    drawing = """
        3       3       2t      2t      2c
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
    """
    scene = Scene(drawing, columns=("blue:2c blue:1s blue:1s", "green:3 green:3 green:2t", ""))
    assert answer(scene) == Finalize(1)


@both
def test_two_contracts_go_back_as_soon_as_they_can(strategy: Strategy) -> None:
    assert answer(Scene(releases="y", contracts={"y": 2}), strategy) == Release(2)


def test_a_token_is_kept_while_it_could_give_back_one_contract_only() -> None:
    assert not isinstance(answer(Scene(releases="y", contracts={"y": 1})), Release)


def test_a_good_card_is_not_laid_where_the_next_seat_can_take_it_and_the_drawer_cannot() -> None:
    """Blue has no contract, yellow has two: yellow can take column A only if it grows, blue would take it at once."""
    scene = Scene(
        columns=("green:3 yellow:3 gray:3", "blue:0f", "orange:0f"), top="blue:3", contracts={"y": 3}, seats=2
    ).draw()
    assert answer(scene) != Lay(0)


@both
def test_a_turn_ends_with_its_confirmation(strategy: Strategy) -> None:
    scene = Scene(columns=("green:3 green:3", "", "")).take(1)
    while scene.kind != "confirm":
        scene.do(answer(scene, strategy))
    assert answer(scene, strategy) == Confirm()


def test_a_card_that_builds_a_skyscraper_is_placed_for_it() -> None:
    """The foundation lacks one; the card could go anywhere, but it helps below the foundation alone."""
    drawing = """
        3       .       .       .       .
        0f      3       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
    """
    scene = Scene(drawing, columns=("u2", "", "")).take(1)
    found = choice_of(scene)
    assert found.command == scene.placing("u2 orange")
    assert found.reason is not None
    assert found.reason.key == "planners.hint.place_tower"


def test_a_card_that_fills_a_row_first_says_so() -> None:
    drawing = "3 3 2t* 2t* ."
    scene = Scene(drawing, columns=("green:3", "", "")).take(1)
    found = choice_of(scene)
    assert found.command == scene.placing("green:3")
    assert found.reason is not None
    assert found.reason.key == "planners.hint.place_row"


def test_points_are_taken_where_tracks_connect_nothing() -> None:
    drawing = """
        2c      .       .       .       .
        .       .       .       .       .
    """
    scene = Scene(drawing, columns=("yellow:2c", "", "")).take(1).place("yellow:2c")
    assert answer(scene) == TakePoints()


def test_a_bonus_that_helps_is_not_declined() -> None:
    drawing = """
        2c      .       .       .       .
        .       .       .       .       .
    """
    scene = Scene(drawing, columns=("yellow:2c", "", ""), allow_decline_bonus=True).take(1).place("yellow:2c")
    assert answer(scene) != Decline()
