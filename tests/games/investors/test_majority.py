"""Majorities: section 8 of the rules row by row, and the examples of the rulebook."""

from __future__ import annotations

from itertools import product

import pytest

from server.games.investors import city
from server.games.investors.components import STICKS_PER_SEAT
from tests.games.investors.drawing import city_drawn
from tests.games.investors.scenes import Scene


def around(kind: str, sides: str) -> str:
    """Draw a district of a kind with its top, left, right and bottom side; # puts a park beside it."""
    n, w, e, s = ("*" if side == "#" else " " for side in sides)
    lines = [
        "+   +   +   +",
        f"      {n}",
        f"+   +-{sides[0]}-+   +",
        f"  {w} {sides[1]} {kind} {sides[2]} {e}",
        f"+   +-{sides[3]}-+   +",
        f"      {s}",
        "+   +   +   +",
    ]
    return "\n".join(lines)


def rebuilt_by(kind: str, sides: str) -> str:
    """Return who rebuilds a district when the first of its sticks is placed last, or nothing."""
    position = next(number for number, side in enumerate(sides) if side in "ybrgv")
    last = sides[position]
    before = sides[:position] + "1" + sides[position + 1 :]
    scene = Scene(around(kind, before), at=(1, 2 if kind == "H" else 0), seats=5).acting(last, "free/influence")
    scene.place(last, "1")
    return scene.rebuilders


TABLE = [
    # whites, free, sticks: who has an ordinary district, who has the town hall or bank
    ("yyyy", "y", "y"),
    ("yyyb", "y", ""),
    ("yybr", "y", ""),
    ("yybb", "", ""),
    ("ybrg", "", ""),
    ("-yyy", "y", ""),
    ("-yyb", "", ""),
    ("-ybr", "", ""),
    ("--yy", "", ""),
    ("--yb", "", ""),
    ("---y", "", ""),
    ("#yyy", "y", "y"),
    ("#yyb", "y", ""),
    ("#ybr", "", ""),
    ("#-yy", "y", ""),
    ("#-yb", "", ""),
    ("##yy", "y", None),
    ("##yb", "", None),
    ("##-y", "", None),
    ("###y", "y", None),
]


SETTLED_EARLIER = {"yyyy": "-yyy", "#yyy": "#-yy"}
"""Rows that an ordinary district cannot reach: it is rebuilt one stick before."""


@pytest.mark.parametrize(
    "sides, holder", [(SETTLED_EARLIER.get(sides, sides), ordinary) for sides, ordinary, _ in TABLE]
)
def test_the_majority_table_holds_for_an_ordinary_district(sides: str, holder: str) -> None:
    assert rebuilt_by("V", sides) == holder


@pytest.mark.parametrize("kind", ["H", "B"])
@pytest.mark.parametrize("sides, holder", [(sides, landmark) for sides, _, landmark in TABLE if landmark is not None])
def test_the_majority_table_holds_for_town_hall_and_bank(kind: str, sides: str, holder: str) -> None:
    assert rebuilt_by(kind, sides) == holder


def test_vector_majority_1_two_green_against_one_blue_and_one_yellow_is_green() -> None:
    assert rebuilt_by("M", "ggby") == "g"


def test_vector_majority_2_two_violet_beside_a_park_with_one_street_free_is_violet() -> None:
    assert rebuilt_by("O", "vv#-") == "v"


def test_vector_majority_3_two_against_two_is_a_draw() -> None:
    assert rebuilt_by("F", "yygg") == ""


def test_vector_majority_4_three_blue_and_one_street_free_is_blue() -> None:
    assert rebuilt_by("L", "bbb-") == "b"


def test_vector_town_hall_needs_four_red_sticks() -> None:
    assert rebuilt_by("H", "rrrr") == "r"
    assert rebuilt_by("H", "rrr-") == ""


def test_vector_bank_with_a_park_needs_three_blue_sticks() -> None:
    assert rebuilt_by("B", "bbb#") == "b"


@pytest.mark.parametrize("kind", ["V", "H"])
def test_the_majority_is_what_nobody_can_reach_any_more(kind: str) -> None:
    """Section 8 as it is written, held against every way that four streets can look."""
    owners = (city.FREE, city.WHITE, 0, 1, 2)
    drawn = city_drawn(around(kind, "----"), at=(1, 2))
    layout = [drawn.kinds.get(district) for district in range(city.DISTRICTS)]
    for sides in product(owners, repeat=4):
        sticks = [city.FREE] * city.STREETS
        for street, owner in zip(city.STREETS_OF[city.MIDDLE], sides, strict=True):
            sticks[street] = owner
        assert city.holder(layout, sticks, city.MIDDLE) == majority_as_written(kind, sides), sides


def majority_as_written(kind: str, sides: tuple[int, ...]) -> int | None:
    free = sides.count(city.FREE)
    for seat in range(3):
        own = sides.count(seat)
        if kind == "H" and own and own == 4 - sides.count(city.WHITE):
            return seat
        if kind == "V" and all(own > sides.count(other) + free for other in range(3) if other != seat):
            return seat
    return None


def test_ruling_7_a_stick_at_the_edge_counts_for_its_single_district() -> None:
    scene = Scene(
        """
        +-1-+
        y V b
        +-r-+
        """,
        at=(0, 2),
    ).investing("y", "edge")
    scene.place("y", "1")
    assert scene.shows(
        """
        +-y-+
        y v b
        +-r-+
        """,
        at=(0, 2),
    )
    assert scene.prestige("y") == 4


def test_ruling_28_the_holder_rebuilds_when_the_stick_of_another_settles_it() -> None:
    scene = Scene(
        """
        +-y-+
        y O 1
        +-b-+
        """
    ).investing("r", "office")
    scene.place("r", "1")
    assert scene.rebuilders == "y"
    assert (scene.prestige("y"), scene.prestige("r")) == (6, 0)


def test_ruling_35_an_empty_supply_of_the_others_does_not_settle_a_district() -> None:
    """Blue could not fill the two free streets from its supply, but it could lift sticks: still open."""
    scene = Scene(
        """
        +-1-+
        y V |
        +---+
        """,
        seats=3,
        supply={"b": 0, "r": 0},
    ).investing("y", "villa")
    assert [scene.supply(seat) for seat in "br"] == [0, 0]
    scene.place("y", "1")
    assert scene.rebuilders == ""


def test_ruling_61_taking_sticks_away_never_gives_anybody_a_majority() -> None:
    owners = (city.FREE, city.WHITE, 0, 1, 2, 3)
    layout = ["villa"] * city.DISTRICTS
    streets = city.STREETS_OF[city.MIDDLE]
    for sides in product(owners, repeat=4):
        sticks = [city.FREE] * city.STREETS
        for street, owner in zip(streets, sides, strict=True):
            sticks[street] = owner
        if city.holder(layout, sticks, city.MIDDLE) is not None:
            continue
        for street in streets:
            if sticks[street] >= 0:
                fewer = [city.FREE if other == street else owner for other, owner in enumerate(sticks)]
                assert city.holder(layout, fewer, city.MIDDLE) is None, sides


def test_a_seat_has_fifteen_sticks_however_many_a_scene_lays() -> None:
    scene = Scene(supply={"y": 0, "b": 3})
    assert [len(scene.state.sticks_of(seat)) + scene.state.supply[seat] for seat in range(4)] == [STICKS_PER_SEAT] * 4
