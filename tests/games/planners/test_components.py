"""The contents of the box, counted (sections 1 to 4 and 6 of the rules)."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources

import pytest

from server.games.planners.city import NEIGHBOURS
from server.games.planners.components import (
    BONUS_CARDS,
    BONUS_SUPPLY,
    BONUSES,
    CABLE_CAR_POINTS,
    CARDS,
    DECK,
    DEPOT_COLUMNS,
    DISTRICT_BONUSES,
    DISTRICT_POINTS,
    DISTRICTS,
    FOUNDATION_TOKENS,
    ends_before_the_deck,
)
from server.games.planners.text import face

UNIVERSAL = None
FEATURES = ("tracks", "depot", "square", "foundation", "seaside", "compass")

DECK_LISTED = {
    "blue": "3x2 2tx2 2cx2 1tcx2 1sx2 0scx2 0fx2 1dx1",
    "gray": "3x1 2tx2 2cx3 1tcx3 0qx3 0fx2 1dx1",
    "orange": "3x1 2tx2 2cx3 1tcx3 0qx3 0fx2 1dx1",
    "yellow": "3x2 2tx2 2cx3 1tcx3 0qx3 0fx2",
    "green": "3x4 2tx3 2cx3 1tcx3 0fx2",
    "universal": "u2x5 u1tx3 u1cx2 u0dx1 u0fx1",
}


def of_row(row: int | None) -> list[int]:
    return [card for card in DECK if CARDS[card].row == row]


@pytest.mark.parametrize("district", [*DISTRICTS, "universal"])
def test_the_reconstructed_deck_has_the_proposed_cards(district: str) -> None:
    row = None if district == "universal" else DISTRICTS.index(district)
    listed = dict(entry.rsplit("x", 1) for entry in DECK_LISTED[district].split())
    assert Counter(map(face, of_row(row))) == {name: int(copies) for name, copies in listed.items()}


def test_there_are_87_project_cards_numbered_from_1() -> None:
    assert tuple(range(1, 88)) == DECK


def test_fifteen_cards_belong_to_each_district_and_twelve_are_universal() -> None:
    assert [len(of_row(row)) for row in (*range(5), UNIVERSAL)] == [15, 15, 15, 15, 15, 12]


def test_the_features_of_the_deck_add_up() -> None:
    totals = {feature: sum(getattr(CARDS[card], feature) for card in DECK) for feature in FEATURES}
    assert totals == {"tracks": 28, "depot": 4, "square": 9, "foundation": 11, "seaside": 4, "compass": 32}
    assert sum(CARDS[card].value for card in DECK) == 114


def test_city_squares_lie_in_gray_orange_and_yellow_only_and_seaside_in_blue_only() -> None:
    assert {CARDS[card].row for card in DECK if CARDS[card].square} == {1, 2, 3}
    assert {CARDS[card].row for card in DECK if CARDS[card].seaside} == {0}


def test_the_data_files_say_that_they_are_reconstructed() -> None:
    for file in ("cards.json", "board.json"):
        text = resources.files("server.games.planners").joinpath(file).read_text("utf-8")
        assert json.loads(text)["status"] == "reconstructed"


def test_districts_run_from_the_coast_to_the_parks() -> None:
    assert DISTRICTS == ("blue", "gray", "orange", "yellow", "green")


def test_a_depot_is_printed_below_every_column() -> None:
    assert DEPOT_COLUMNS == (0, 1, 2, 3, 4)


def test_each_district_gives_a_bonus_of_its_own_and_there_are_three_of_each() -> None:
    assert DISTRICT_BONUSES == ("value", "universal", "depot", "points", "release")
    assert {*DISTRICT_BONUSES, "tracks"} == set(BONUSES)
    assert BONUS_SUPPLY == 3


def test_ruling_7_bonus_cards_have_their_feature_and_nothing_else() -> None:
    assert {bonus: face(card) for bonus, card in BONUS_CARDS.items()} == {"universal": "x4", "depot": "x0d"}
    assert [CARDS[card].row for card in BONUS_CARDS.values()] == [UNIVERSAL, UNIVERSAL]


def test_foundation_tokens_go_by_the_number_of_seats() -> None:
    assert FOUNDATION_TOKENS == {2: 6, 3: 8, 4: 10}


def test_a_deck_with_fewer_foundations_than_tokens_is_not_accepted() -> None:
    assert ends_before_the_deck(10)
    assert not ends_before_the_deck(9)


@pytest.mark.parametrize("seats, halves", [(2, 25), (3, 37), (4, 25)])
def test_advantages_add_up_to_the_same_in_every_game(seats: int, halves: int) -> None:
    assert 5 * sum(DISTRICT_POINTS[seats]) + sum(CABLE_CAR_POINTS[seats]) == halves


def test_a_space_has_two_to_four_neighbours_which_are_mutual() -> None:
    assert Counter(map(len, NEIGHBOURS)) == {2: 4, 3: 12, 4: 9}
    assert all(space in NEIGHBOURS[other] for space in range(25) for other in NEIGHBOURS[space])
