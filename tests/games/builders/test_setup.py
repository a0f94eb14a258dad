"""The set-up, and the first year."""

from __future__ import annotations

import pytest

from server.games.builders.commands import Confirm, PlacePawn, TakePermit
from server.games.builders.components import OTHER_GOALS, PERMITS, START_GOALS
from server.games.builders.events import GameBegun
from server.games.builders.state import State
from server.games.engine.dice import Dice
from server.games.engine.options import read_options
from tests.games.builders import GAME
from tests.games.builders.scenes import Scene


def begun(seats: int, seed: int = 0, **options: object) -> tuple[State, GameBegun]:
    state, events = GAME.begin(seats, read_options(GAME.options, options), Dice(seed.to_bytes(32, "big")))
    event = events[0]
    assert isinstance(event, GameBegun)
    return state, event


@pytest.mark.parametrize("seats, cards, rubble, pile", [(2, 4, 8, 16), (3, 6, 12, 15), (4, 8, 16, 14)])
def test_the_city_and_the_goals_go_by_the_number_of_players(seats: int, cards: int, rubble: int, pile: int) -> None:
    for seed in range(5):
        state, event = begun(seats, seed)
        assert len(set(event.plot_cards)) == cards
        assert state.ruins.bit_count() == rubble
        assert (len(event.common_goals), len(event.goals), len(event.dealt_goals)) == (3, 3, seats)
        assert len(event.goal_pile) == pile


def test_the_common_goals_are_start_goals_and_all_goals_are_there_once() -> None:
    _, event = begun(4)
    assert {*event.common_goals} <= {*START_GOALS}
    goals = (*event.common_goals, *event.goals, *event.dealt_goals, *event.goal_pile)
    assert sorted(goals) == sorted((*START_GOALS, *OTHER_GOALS))


def test_three_permits_lie_open_and_all_permits_are_there_once() -> None:
    _, event = begun(2)
    assert len(event.permits) == 3
    assert sorted((*event.permits, *event.permit_pile)) == list(range(len(PERMITS)))


def test_everybody_begins_with_nothing_but_eight_buildings_in_the_supply() -> None:
    state, _ = begun(3)
    assert (state.money, state.supply, state.front) == ((0,) * 3, (8,) * 3, (0,) * 3)
    assert (state.columns, state.rows, state.permits) == ((0,) * 3, (0,) * 3, ((),) * 3)
    assert state.stacks == (5, 4, 4, 4)


def test_the_six_action_cards_lie_in_any_order_all_game() -> None:
    orders = {begun(3, seed)[1].action_cards for seed in range(20)}
    assert len(orders) > 10
    assert all(sorted(order) == ["A1", "A2", "A3", "A4", "A5", "A6"] for order in orders)


def test_which_plot_cards_are_used_and_where_they_lie_is_drawn() -> None:
    cities = [begun(2, seed)[1].plot_cards for seed in range(20)]
    assert len(set(cities)) > 15
    assert {card for city in cities for card in city} == {f"C{number}" for number in range(1, 9)}


def test_ruling_22_the_start_player_begins_1906_and_the_others_follow_clockwise() -> None:
    state, _ = begun(4, first_seat="2")
    assert state.order == (2, 3, 0, 1)


def test_ruling_22_from_the_first_card_on_the_order_is_by_position() -> None:
    scene = Scene(card=None, year=1906)
    for letter, space in zip("okb", (0, 3, 1), strict=True):
        scene.do(letter, PlacePawn(space), TakePermit(scene.state.permits_shown[0]), Confirm())
    assert scene.state.order == (1, 2, 0)
    assert (scene.state.area, scene.kind) == (1, "place_pawn")


def test_1906_gives_the_income_a_building_and_a_permit() -> None:
    scene = Scene(card=None, year=1906)
    first = scene.state.permits_shown[0]
    scene.do("o", PlacePawn(1))
    assert (scene.of("o", "money"), scene.of("o", "front"), scene.of("o", "supply")) == (3, 1, 7)
    assert scene.offered == {"take_permit"}
    scene.do("o", TakePermit(first))
    assert scene.of("o", "permits") == (first,)


def test_income_spaces_are_worth_4_3_2_1_and_hold_one_pawn_each() -> None:
    scene = Scene(card=None, year=1906, seats=4)
    for letter, space, money in zip("okbw", range(4), (4, 3, 2, 1), strict=True):
        assert scene.values("place_pawn") == list(range(space, 4))
        scene.do(letter, PlacePawn(space))
        assert scene.of(letter, "money") == money
        scene.do(letter, TakePermit(scene.state.permits_shown[0]), Confirm())
