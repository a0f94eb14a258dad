"""Drawings are read as the game draws them."""

from __future__ import annotations

import pytest

from server.games.planners.city import EMPTY
from server.games.planners.text import face
from tests.games.planners import GAME
from tests.games.planners.drawing import cells
from tests.games.planners.players import Keen, played
from tests.games.planners.scenes import Scene


def drawings(text: str) -> list[str]:
    """Return the drawn cities one by one."""
    lines = text.splitlines()
    return ["\n".join(lines[first : first + 5]) for first, line in enumerate(lines) if line.startswith("  blue")]


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_position_is_read_back_as_it_was(seed: int) -> None:
    state = played(Keen(), seats=2 + seed % 3, seed=seed).play.state
    drawn = drawings(GAME.draw(state))
    assert len(drawn) == len(state.cities)
    for drawing, city in zip(drawn, state.cities, strict=True):
        read = cells(drawing)
        assert {cell.space: cell.face for cell in read} == {
            space: face(card) for space, card in enumerate(city.cards) if card != EMPTY
        }
        bits = {"*": city.cars, "!": city.towers, "^": city.extra_value, "~": city.extra_tracks}
        for mark, expected in bits.items():
            assert sum(1 << cell.space for cell in read if mark in cell.marks) == expected


def test_a_drawing_says_what_lies_on_the_table() -> None:
    scene = Scene(
        """
        .       .       .       .       .
        .       .       .       .       .
        .       .       .       .       .
        3       0f!     2c      .       .
        3~*     3       1tc*    .       .
        """,
        columns=("gray:2t u0f", "", "u1c"),
        contracts={"y": 1},
        releases="y",
        points="y",
        medal="y",
        completed={"gray": "b"},
        deck=40,
    )
    assert GAME.draw(scene.state).splitlines() == [
        "column 1  gray:2t universal:u0f",
        "column 2",
        "column 3  universal:u1c",
        "deck 40  foundation tokens 4",
        "yellow  contracts 1  medal  release token  point token",
        "  blue   .       .       .       .       .       = 0",
        "  gray   .       .       .       .       .       = 0",
        "  orange .       .       .       .       .       = 0",
        "  yellow 3       0f!     2c      .       .       = 5",
        "  green  3*~     3       1tc*    .       .       = 7",
        "blue    contracts 0  completed gray",
        *(
            f"  {district:7}.       .       .       .       .       = 0"
            for district in ("blue", "gray", "orange", "yellow", "green")
        ),
    ]


@pytest.mark.parametrize(
    "drawing", ["3 . 3 . .", "3 3 3 3 3 3", "3 3 3 3", "5 . . . .", "3z . . . .", "\n".join(["3 . . . ."] * 6)]
)
def test_a_drawing_that_means_nothing_is_not_read(drawing: str) -> None:
    with pytest.raises(AssertionError):
        Scene(drawing)


@pytest.mark.parametrize("drawing", ["2t . . . .", "3* . . . .", "0f! . . . ."])
def test_a_drawing_that_the_rules_would_not_leave_behind_is_not_accepted(drawing: str) -> None:
    with pytest.raises(AssertionError, match="of a drawing should be at"):
        Scene(drawing)
