"""Options of a table: accepted values, refused ones, and their effect."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.games.builders.components import PLOT_CARDS
from server.games.builders.events import GameBegun
from server.games.engine.dice import Dice
from server.games.engine.options import BadOption, read_options
from server.games.engine.serialization import to_json
from tests.games.builders import GAME
from tests.games.builders.players import Eager, played


def begun(seed: int = 0, **options: object) -> GameBegun:
    _, (event,) = GAME.begin(4, read_options(GAME.options, options), Dice(seed.to_bytes(32, "big")))
    assert isinstance(event, GameBegun)
    return event


def test_the_usual_options_are_those_of_the_rules() -> None:
    assert read_options(GAME.options, {}) == {
        "first_seat": "random",
        "plot_sides": "random",
        "park_order": "rising",
        "strict_wild": False,
        "adjacent_across_cards": False,
        "majorities_rank_all": False,
    }


@pytest.mark.parametrize("side", ["A", "B"])
def test_all_plot_cards_show_the_side_that_was_chosen(side: str) -> None:
    assert begun(plot_sides=side).sides == (side,) * 8


def test_rule_2_1_each_plot_card_can_show_a_side_of_its_own() -> None:
    chosen = dict(zip(PLOT_CARDS, "ABBABAAB", strict=True))
    for seed in range(3):
        event = begun(seed, plot_sides=list(chosen.values()))
        assert event.sides == tuple(chosen[card] for card in event.plot_cards)


def test_rule_2_1_some_plot_cards_can_be_left_to_chance() -> None:
    cards, some = list(PLOT_CARDS), ["A", "random", "B", *["random"] * 5]
    lying = [
        dict(zip(event.plot_cards, event.sides, strict=True)) for event in (begun(n, plot_sides=some) for n in range(9))
    ]
    assert {sides[cards[0]] for sides in lying} == {"A"}
    assert {sides[cards[2]] for sides in lying} == {"B"}
    assert {sides[cards[1]] for sides in lying} == {"A", "B"}


def test_rule_2_1_the_same_side_for_each_card_is_that_side_for_all() -> None:
    assert read_options(GAME.options, {"plot_sides": ["B"] * 8})["plot_sides"] == "B"
    assert read_options(GAME.options, {"plot_sides": "A,B,A,B,A,B,A,random"})["plot_sides"] == (*"ABABABA", "random")


@pytest.mark.parametrize("seed", range(5))
def test_version_3_of_the_rules_began_games_alike_with_earlier_numbers(seed: int) -> None:
    earlier = GAME.as_of(3)
    assert earlier is not None
    options = read_options(GAME.options, {})
    now, then = (game.begin(3, options, Dice(seed.to_bytes(32, "big")))[1][0] for game in (GAME, earlier))
    assert isinstance(now, GameBegun)
    assert replace(now, rules=3) == then


@pytest.mark.parametrize("seed", range(5))
def test_version_2_of_the_rules_began_games_as_before(seed: int) -> None:
    earlier = GAME.as_of(2)
    assert earlier is not None
    options = read_options(GAME.options, {})
    now, then = (game.begin(3, options, Dice(seed.to_bytes(32, "big")))[1][0] for game in (GAME, earlier))
    assert isinstance(now, GameBegun)
    assert now.rules == 4
    assert replace(now, rules=None) == then
    assert {"rules", "majorities_rank_all"} & to_json(then).keys() == set()
    for viewer in (None, 1):
        shown, before = now.shown_to(viewer), then.shown_to(viewer)
        assert shown is not None
        assert shown.pop("rules") == 4
        assert shown == before


def test_by_chance_every_plot_card_shows_a_side_of_its_own() -> None:
    assert {side for seed in range(3) for side in begun(seed).sides} == {"A", "B"}
    assert len({begun(seed).sides for seed in range(10)}) > 5


def test_parks_lie_in_the_order_that_was_chosen() -> None:
    assert begun().parks == (2, 3, 4, 5)
    assert begun(park_order="falling").parks == (5, 4, 3, 2)


@pytest.mark.parametrize("seat", range(4))
def test_the_first_seat_is_the_one_that_was_chosen(seat: int) -> None:
    assert begun(first_seat=str(seat)).start_seat == seat


def test_by_chance_every_seat_is_first_some_time() -> None:
    assert {begun(seed).start_seat for seed in range(30)} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "option, value",
    [
        ("plot_sides", "C"),
        ("plot_sides", "a"),
        ("park_order", "random"),
        ("first_seat", "4"),
        ("first_seat", 1),
        ("strict_wild", "perhaps"),
        ("adjacent_across_cards", 2),
        ("plot_sides", ["A"] * 7),
        ("plot_sides", ["A"] * 7 + ["C"]),
        ("plot_sides", "A,B"),
        ("plot_sides", [1] * 8),
        ("plot_sides", {"C1": "A"}),
        ("income_spaces", 3),
    ],
)
def test_what_is_no_option_is_refused_in_a_sentence(option: str, value: object) -> None:
    with pytest.raises(BadOption, match=r"^Option .*\.$|^There is no option .*\.$"):
        read_options(GAME.options, {option: value})


@pytest.mark.parametrize("seats, first, fits", [(2, "2", False), (2, "1", True), (3, "3", False), (4, "3", True)])
def test_a_first_player_without_a_seat_is_a_contradiction(seats: int, first: str, fits: bool) -> None:
    complaint = GAME.check_options(seats, read_options(GAME.options, {"first_seat": first}))
    assert (complaint is None) is fits
    assert fits or complaint == f"Option first_seat: with {seats} players there is no seat {first}."


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "options",
    [
        {"first_seat": "1", "plot_sides": "B"},
        {"strict_wild": True, "park_order": "falling"},
        {"adjacent_across_cards": True, "plot_sides": "A"},
        {"majorities_rank_all": True, "plot_sides": ["A", "B"] * 4},
    ],
    ids=["sides", "strict", "across", "ranks"],
)
def test_every_option_can_be_played_with_every_number_of_seats(seats: int, options: dict[str, object]) -> None:
    play = played(Eager(), seats=seats, seed=7, **options).play
    assert play.decision is None
    assert GAME.outcome(play.state) is not None
