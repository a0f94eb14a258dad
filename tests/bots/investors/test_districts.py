"""The tables of a district, written by its four streets: y b r g are sticks, # is white, . is free."""

from __future__ import annotations

from itertools import product

import pytest

from server.bots.investors.districts import CODES, DistrictWeights, district_tables, holder_of
from server.games.investors import city
from server.games.investors.components import BANK
from server.games.investors.text import SEAT_LETTERS

OWNERS = {**{letter: seat for seat, letter in enumerate(SEAT_LETTERS)}, "#": city.WHITE, ".": city.FREE}
SEATS = 4


def key(streets: str) -> int:
    return sum(CODES[OWNERS[letter]] for letter in streets)


def probabilities(streets: str, *, years: int = 8, landmark: bool = False) -> dict[str, float]:
    found = district_tables(SEATS, years, 6, landmark, DistrictWeights()).probabilities[key(streets)]
    return dict(zip(SEAT_LETTERS, found, strict=False))


@pytest.mark.parametrize("kind", ["villa", BANK])
def test_the_majority_is_that_of_the_rules(kind: str) -> None:
    layout: list[str | None] = [kind] * city.DISTRICTS
    for streets in product((*range(SEATS), city.WHITE, city.FREE), repeat=4):
        sticks = [city.FREE] * city.STREETS
        for street, owner in zip(city.STREETS_OF[0], streets, strict=True):
            sticks[street] = owner
        expected = city.holder(layout, sticks, 0)
        assert holder_of(sum(CODES[owner] for owner in streets), SEATS, landmark=kind == BANK) == expected


@pytest.mark.parametrize("landmark", [False, True])
def test_probabilities_add_up_to_at_most_one(landmark: bool) -> None:
    for streets in product("ybrg#.", repeat=4):
        found = probabilities("".join(streets), landmark=landmark)
        assert all(probability >= 0 for probability in found.values())
        assert sum(found.values()) <= 1 + 1e-9


def test_seats_in_the_same_situation_have_the_same_probability() -> None:
    assert len({round(probability, 9) for probability in probabilities("....").values()}) == 1
    assert probabilities("yb..")["y"] == pytest.approx(probabilities("yb..")["b"])


def test_each_stick_brings_one_nearer() -> None:
    rising = [probabilities(streets)["y"] for streets in ("....", "y...", "yy..", "yyy.")]
    assert rising == sorted(rising)
    assert len(set(rising)) == 4
    assert rising[-1] == 1


def test_two_of_three_streets_beside_a_park_are_a_majority() -> None:
    assert probabilities("yy.#")["y"] == 1


def test_what_is_settled_for_nobody_promises_nothing() -> None:
    assert set(probabilities("yybb").values()) == {0}
    assert set(probabilities("yb##").values()) == {0}


def test_one_foreign_stick_ends_all_hope_for_a_landmark() -> None:
    assert set(probabilities("yyb.", landmark=True).values()) == {0}
    assert probabilities("yyy.", landmark=True)["y"] > 0


def test_the_less_time_is_left_the_less_comes_of_it() -> None:
    falling = [probabilities("yy..", years=years)["y"] for years in (12, 6, 2, 1, 0)]
    assert falling == sorted(falling, reverse=True)
    assert falling[-1] == 0


def test_a_stick_that_rebuilds_for_another_is_a_loss() -> None:
    gains = district_tables(SEATS, 8, 6, False, DistrictWeights()).gains[key("yyb.")]
    assert gains[OWNERS["r"]] < 0 < gains[OWNERS["y"]]


def test_seats_that_rebuild_for_another_seat_are_listed_too() -> None:
    assert district_tables(SEATS, 8, 6, False, DistrictWeights()).rebuilding_seats[key("yyb.")] == tuple(
        OWNERS[letter] for letter in "yrg"
    )


def test_nothing_comes_of_a_district_without_a_prize() -> None:
    nothing = district_tables(SEATS, 8, 0, False, DistrictWeights())
    assert set(nothing.gains[key("yyb.")]) == {0}
    assert nothing.rebuilding_seats[key("yyb.")] == ()
    assert set(nothing.year_end_gains[key("yyb.")]) == {0}
