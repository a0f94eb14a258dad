"""The contents of the box: counts and tables, and the consistency of the reconstructed cards."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from server.games.builders import components
from server.games.builders.city import City, city_of, plots_of
from server.games.builders.components import (
    ACTION_CARDS,
    BUILDINGS_PER_SEAT,
    COLOURS,
    EDITION,
    EDITIONS,
    GRIDS,
    OTHER_GOALS,
    PARK_VALUES,
    PERMITS,
    PLOT_CARDS,
    SEATS,
    STACKS,
    START_GOALS,
    SYMBOLS,
    YEARS,
)
from server.games.builders.resources import in_corner
from server.games.builders.scoring import points
from tests.games.builders.scenes import Scene

DATA = sorted(Path(components.__file__).parent.glob("*.json"))


def test_vector_10_the_box_holds_98_cards_16_rubble_and_32_buildings() -> None:
    goals = len(START_GOALS) + len(OTHER_GOALS) + 1
    developments = sum(STACKS.values()) + len(PARK_VALUES)
    assert (len(PLOT_CARDS), len(ACTION_CARDS), developments, len(PERMITS), goals) == (8, 6, 17, 42, 25)
    assert len(PLOT_CARDS) + len(ACTION_CARDS) + developments + len(PERMITS) + goals == 98
    assert all(sum(len(card.rubble[side]) for card in PLOT_CARDS.values()) == 16 for side in "AB")
    assert BUILDINGS_PER_SEAT * SEATS[-1] == 32


def test_each_goal_is_in_the_box_once() -> None:
    assert (len(START_GOALS), len(OTHER_GOALS)) == (8, 16)
    assert len({*START_GOALS, *OTHER_GOALS}) == 24


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.stem)
def test_every_data_file_says_what_is_printed_and_what_is_not(path: Path) -> None:
    data = json.loads(path.read_text("utf-8"))
    parts = [data] if "status" in data else [part for name, part in data.items() if name != "earlier"]
    assert all("printed" in part["status"] or "reconstructed" in part["status"] for part in parts)


# -- the city -------------------------------------------------------------------------------------------------


def test_every_card_has_the_numbers_1_to_6_and_colours_2_2_1_1() -> None:
    for card in PLOT_CARDS.values():
        assert sorted(number for _, number in card.plots) == [1, 2, 3, 4, 5, 6]
        assert sorted(Counter(colour for colour, _ in card.plots).values()) == [1, 1, 2, 2]


def test_every_colour_and_number_is_in_the_box_twice() -> None:
    plots = Counter(plot for card in PLOT_CARDS.values() for plot in card.plots)
    assert set(plots.values()) == {2}
    assert len(plots) == 24


def test_the_two_sides_have_their_rubble_in_different_places_two_on_each_card() -> None:
    for card in PLOT_CARDS.values():
        assert len({*card.rubble["A"], *card.rubble["B"]}) == 4
    for side in "AB":
        colours = Counter(card.plots[at][0] for card in PLOT_CARDS.values() for at in card.rubble[side])
        assert set(colours.values()) == {4}


def whole_city(*, across: bool = False) -> City:
    return city_of(tuple(PLOT_CARDS), 4, strict_wild=False, across_cards=across)


def test_neighbours_on_a_card_never_share_a_colour() -> None:
    city = whole_city()
    for plot, (colour, _) in enumerate(city.plots):
        assert all(city.plots[other][0] != colour for other in plots_of(city.neighbours[plot]))


@pytest.mark.parametrize("across", [False, True])
def test_being_neighbours_is_mutual(across: bool) -> None:
    city = whole_city(across=across)
    for plot in range(48):
        assert all(city.neighbours[other] >> plot & 1 for other in plots_of(city.neighbours[plot]))


def test_the_neighbours_of_a_plot_are_those_at_its_sides_on_the_same_card() -> None:
    assert [plots_of(mask) for mask in whole_city().neighbours[6:12]] == [
        [7, 8],
        [6, 9],
        [6, 9, 10],
        [7, 8, 11],
        [8, 11],
        [9, 10],
    ]


def test_across_the_streets_the_neighbours_are_on_the_next_cards() -> None:
    # Plot 11 is at the bottom right of the second of four cards; below it lies the sixth card, to its right the third.
    assert plots_of(whole_city(across=True).neighbours[11]) == [9, 10, 16, 31]


# -- permits and actions --------------------------------------------------------------------------------------


def test_every_pair_of_symbols_is_on_seven_permits() -> None:
    pairs = Counter(permit.symbols for permit in PERMITS)
    assert pairs == dict.fromkeys(combinations(SYMBOLS, 2), 7)


def test_ten_permits_of_each_colour_and_two_wild_ones() -> None:
    assert Counter(permit.colour for permit in PERMITS) == {**dict.fromkeys(COLOURS, 10), None: 2}
    assert all((permit.colour is None) is (permit.number is None) for permit in PERMITS)


def test_two_permits_for_the_same_plot_share_no_symbol() -> None:
    for one, other in combinations([permit for permit in PERMITS if permit.colour], 2):
        if (one.colour, one.number) == (other.colour, other.number):
            assert not {*one.symbols} & {*other.symbols}


@pytest.mark.parametrize("seats", SEATS)
def test_the_last_space_of_every_card_is_a_dollar_and_only_more_than_two_can_pass(seats: int) -> None:
    for spaces in EDITION.spaces[seats].values():
        actions = [space.action for space in spaces]
        assert len(actions) == (3 if seats == 2 else 5)
        assert actions[-1] == "dollar"
        assert ("pass" in actions) is (seats > 2)
        assert seats == 2 or actions[-2] == "pass"


def test_exactly_one_card_has_a_subsidised_build_on_either_side() -> None:
    for seats in SEATS:
        actions = Counter(space.action for spaces in EDITION.spaces[seats].values() for space in spaces)
        assert actions["build_subsidised"] == 1
        assert actions["build"] == (3 if seats == 2 else 4)


def test_what_the_cards_offer_together_is_as_the_reconstruction_says() -> None:
    for seats, offers in ((2, (4, 2, 3, 1, 1, 1, 0)), (4, (5, 4, 4, 1, 2, 1, 1))):
        actions = Counter(space.action for spaces in EDITION.spaces[seats].values() for space in spaces)
        kinds = ("material", "permit", "goal", "income", "clean_up", "develop")
        assert (actions["build"] + actions["build_subsidised"], *(actions[kind] for kind in kinds)) == offers


def test_the_sourced_card_reads_build_material_income_3() -> None:
    spaces = EDITION.spaces[3]["A1"]
    assert [(space.action, space.amount) for space in spaces[:3]] == [("build", 0), ("material", 0), ("income", 3)]


# -- boards ---------------------------------------------------------------------------------------------------


def test_the_boards_have_the_numbers_of_the_rules() -> None:
    assert [(year, YEARS[year].build_cost) for year in sorted(YEARS)] == [
        (1906, 0),
        (1907, 1),
        (1908, 1),
        (1909, 2),
        (1910, 2),
        (1911, 3),
        (1912, 3),
    ]
    assert EDITION.points_by_steps == tuple(range(-7, 7))
    assert (EDITION.column_bar, EDITION.row_bar) == ((0, 0, 1, 1, 2, 3, 4, 5, 6, 7), (-2, 0, 2, 4, 6))
    assert EDITION.money_points == (-3, -2, -1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2)
    assert GRIDS == {2: (2, 2), 3: (3, 2), 4: (4, 2)}


def test_games_of_earlier_rules_keep_their_numbers() -> None:
    for rules in (1, 2, 3):
        earlier = EDITIONS[rules]
        assert earlier.points_by_steps == (-7, -5, -3, -1, 0, 2, 4, 6, 8, 10)
        assert (earlier.column_bar, earlier.row_bar) == ((0, 1, 2, 3, 5, 7), (-2, 0, 2, 4, 6))
        assert earlier.money_points == (-3, -2, -1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)
        assert [space.action for space in earlier.spaces[4]["A2"][:3]] == ["build", "permit", "clean_up"]
        assert [space.action for space in earlier.spaces[2]["A4"]] == ["permit", "develop", "dollar"]


def test_a_game_of_earlier_rules_is_scored_and_played_by_its_numbers() -> None:
    now = Scene(card="A2").money(o=15).marker(o=(5, 4))
    then = Scene(card="A2").put(rules=3).money(o=15).marker(o=(5, 4))
    assert (points(now.state, 0)["board"], points(now.state, 0)["money"]) == (2, 2)
    assert (points(then.state, 0)["board"], points(then.state, 0)["money"]) == (10, 4)
    assert not in_corner(now.state, 0)
    assert in_corner(then.state, 0)
    assert "clean_up" not in now.at("o", "permit").offered
    assert "clean_up" in then.at("o", "permit").offered
