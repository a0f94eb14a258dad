"""The contents of the box, counted (sections 1 to 6 of the rules)."""

from __future__ import annotations

from collections import Counter

import pytest

from server.games.investors import city
from server.games.investors.components import (
    ACTION_DECK,
    CHEQUES,
    INFLUENCE_AT_START,
    INFLUENCE_CARDS,
    OPTION_TILES,
    ORDINARY_KINDS,
    PRESTIGE,
    STICKS_PER_SEAT,
    TENDER_DECKS,
    TILES,
    YEARS,
)
from server.games.investors.text import SEAT_NAMES
from tests.games.investors.scenes import Scene


def test_there_are_75_coloured_sticks_and_white_ones_for_three_parks() -> None:
    assert len(SEAT_NAMES) * STICKS_PER_SEAT + 4 * TILES.count("park") == 87


def test_there_are_35_districts_five_of_each_ordinary_kind() -> None:
    assert Counter(Scene().state.layout) == {"hall": 1, "bank": 1, "park": 3, **dict.fromkeys(ORDINARY_KINDS, 5)}


def test_the_whole_city_is_worth_170() -> None:
    assert sum(PRESTIGE.get(str(kind), 0) for kind in Scene().state.layout) == 170


@pytest.mark.parametrize(
    "kind, prestige",
    [
        ("hall", 10),
        ("bank", 10),
        ("factory", 6),
        ("office", 6),
        ("market", 5),
        ("leisure", 5),
        ("villa", 4),
        ("residential", 4),
    ],
)
def test_a_kind_has_its_printed_prestige(kind: str, prestige: int) -> None:
    assert PRESTIGE[kind] == prestige


def test_a_park_is_worth_nothing() -> None:
    assert "park" not in PRESTIGE


def test_the_town_hall_lies_in_the_third_row_and_fourth_column() -> None:
    assert divmod(city.MIDDLE, city.COLUMNS) == (2, 3)


def test_there_are_82_streets_24_at_the_edge_and_58_inside() -> None:
    districts = Counter(len(around) for around in city.DISTRICTS_OF)
    assert (city.STREETS, districts) == (82, {1: 24, 2: 58})
    assert len(city.EDGE_STREETS) == 24


def test_every_district_has_four_streets_of_its_own_or_shared_with_one_neighbour() -> None:
    assert all(len(set(streets)) == 4 for streets in city.STREETS_OF)
    assert Counter(street for streets in city.STREETS_OF for street in streets) == Counter(
        {street: len(around) for street, around in enumerate(city.DISTRICTS_OF)}
    )


def test_influence_cards_run_from_nought_to_nine() -> None:
    assert list(INFLUENCE_CARDS) == list(range(10))


def test_a_seat_has_twelve_cheques_of_580_000_dollars() -> None:
    assert (len(CHEQUES), sum(CHEQUES)) == (12, 580)
    assert Counter(CHEQUES) == {10: 2, 20: 2, 30: 1, 40: 1, 50: 1, 60: 1, 70: 1, 80: 1, 90: 1, 100: 1}


def test_a_seat_begins_with_30_influence_15_sticks_and_no_prestige_and_the_bank_is_empty() -> None:
    scene = Scene()
    assert (INFLUENCE_AT_START, STICKS_PER_SEAT) == (30, 15)
    assert [(scene.left(s), scene.supply(s), scene.prestige(s), scene.hand(s)) for s in "ybrg"] == [
        (30, 15, 0, CHEQUES)
    ] * 4
    assert scene.state.bank == ()


def test_each_option_tile_shows_two_kinds_and_the_order_of_investing_is_theirs() -> None:
    assert list(OPTION_TILES.items()) == [
        ("factory_office", ("factory", "office")),
        ("market_leisure", ("market", "leisure")),
        ("villa_residential", ("villa", "residential")),
    ]


def test_twelve_years_are_played() -> None:
    assert YEARS == 12


@pytest.mark.parametrize(
    "deck, by_mode", [("default", (16, 14, 6)), ("alternative", (20, 13, 3))], ids=["default", "alternative"]
)
def test_a_tender_deck_has_36_cards(deck: str, by_mode: tuple[int, int, int]) -> None:
    cards = TENDER_DECKS[deck]
    assert len(cards) == 36
    counted = Counter(card.mode for card in cards)
    assert (counted["influence"], counted["cheques"], counted["options"]) == by_mode


def test_the_default_tender_deck_is_the_proposed_one() -> None:
    per_kind = {"cheques/1": 2, "influence/2": 1, "influence/3": 1}
    expected = {f"{kind}/{card}": copies for kind in ORDINARY_KINDS for card, copies in per_kind.items()}
    expected |= {"edge/influence/5": 2, "edge/influence/3": 2, "edge/cheques/1": 2, "options/options/3": 6}
    assert Counter(card.name for card in TENDER_DECKS["default"]) == expected


def test_the_alternative_tender_deck_is_the_proposed_one() -> None:
    per_kind = {"cheques/1": 2, "influence/1": 1, "influence/2": 1, "influence/3": 1}
    expected = {f"{kind}/{card}": copies for kind in ORDINARY_KINDS for card, copies in per_kind.items()}
    expected |= {"edge/influence/5": 2, "edge/cheques/1": 1, "options/options/3": 3}
    assert Counter(card.name for card in TENDER_DECKS["alternative"]) == expected


def test_a_tender_by_cheques_always_gives_one_right() -> None:
    assert {card.rights for deck in TENDER_DECKS.values() for card in deck if card.mode == "cheques"} == {1}


def test_the_18_action_cards_are_the_proposed_ones() -> None:
    auctioned = {
        f"{effect}/{mode}": 1
        for effect in ("two", "move", "swap", "free", "replace")
        for mode in ("influence", "cheques")
    }
    expected = {"bonus_villa": 1, "bonus_residential": 1, "subsidy": 3, "removal_subsidy": 3, **auctioned}
    assert Counter(card.name for card in ACTION_DECK) == expected
    assert len(ACTION_DECK) == 18
