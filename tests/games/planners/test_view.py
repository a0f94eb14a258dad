"""Views show everything but the order of the deck."""

from __future__ import annotations

import json
from typing import Any

from server.games.engine.dice import Dice
from server.games.engine.game import view_of
from server.games.engine.options import read_options
from server.games.planners.components import CARDS
from tests.games.planners import GAME
from tests.games.planners.scenes import Scene

CITY = """
    .       .       .       .       .
    0q      0f      .       .       .
    2c      2c      0f      .       .
    3       0f!     2c      .       .
    3~*     3^      1tc*    .       .
"""


def rich() -> Scene:
    return Scene(
        CITY,
        columns=("gray:2c u0f", "", "u2"),
        contracts={"y": 1},
        releases="b",
        points="y",
        medal="y",
        completed={"gray": "b"},
        bonuses={"points": 2},
    )


def test_a_seat_is_shown_with_what_its_city_counts() -> None:
    seat = rich().seat_view()
    assert [CARDS[card].value if card else None for card in seat["cards"][20:]] == [3, 3, 1, None, None]
    assert seat["values"][20:] == [3, 5, 1, 0, 0]
    assert (seat["cars"], seat["towers"]) == ([20, 22], [16])
    assert (seat["extra_value"], seat["extra_tracks"]) == ([21], [20])
    assert seat["totals"] == [0, 0, 4, 5, 9]
    assert seat["sites"] == [[6, 2, 7], [12, 4, 7]]
    assert (seat["compasses"], seat["bonus_rows"]) == ([0, 0, 2, 1, 1], [2])
    assert (seat["contracts"], seat["release"], seat["point_tokens"]) == (1, False, 1)


def test_a_seat_is_shown_the_points_it_would_have_if_the_game_ended_now() -> None:
    seat = rich().seat_view()
    assert seat["parts"] == {"advantages": 25, "towers": 2, "medal": 2, "rows": 0, "tokens": 3}
    assert seat["points"] == 32
    assert rich().seat_view("b")["parts"] == {"advantages": 0, "towers": 0, "medal": 0, "rows": 2, "tokens": 0}


def test_the_table_is_shown_with_its_columns_and_what_is_left() -> None:
    view = rich().view()
    assert [len(cards) for cards in view["columns"]] == [2, 0, 1]
    assert view["column_tokens"] == [87]
    assert view["open_columns"] == [0]
    assert (view["tokens"], view["tokens_at_start"]) == (2, 6)
    assert view["completed"] == [None, 1, None, None, None]
    assert (view["medal"], view["turn"]) == (0, 0)
    assert view["bonuses"] == {"value": 3, "universal": 3, "depot": 3, "points": 2, "release": 3, "tracks": 3}
    assert view["bonus_of_row"] == ["value", "universal", "depot", "points", "release"]


def test_standings_say_what_decided_between_equals() -> None:
    view = Scene("3 2c . . .\n2t* . . . .", "2c 3 . . .\n2t* . . . .", turn="b").view()
    yellow, cars = view["standings"][3], view["standings"][5]
    assert yellow == [
        {"seat": 0, "total": 5, "points": 4, "tie": None},
        {"seat": 1, "total": 5, "points": 0, "tie": {"by": "space", "space": 15}},
    ]
    assert cars[1] == {"seat": 0, "total": 1, "points": 0, "tie": {"by": "turn"}}
    view = Scene("2t* . . . .", "3 2t* . . .").view()
    assert view["standings"][5][1]["tie"] == {"by": "column", "column": 0}


def test_every_stage_is_shown() -> None:
    scene = Scene(columns=("gray:2c gray:2c green:3", "", ""), top="yellow:3")
    first, second, third = taken = list(scene.state.columns[0])
    assert scene.view()["stage"] == {"name": "turn"}
    scene.take(1).place("gray:2c")
    assert scene.view()["stage"] == {"name": "placing", "column": 0, "cards": [second, third], "taken": taken}
    scene.place("gray:2c")
    assert scene.view()["stage"] == {"name": "bonus", "row": 1, "column": 0, "cards": [third], "taken": taken}
    assert scene.seat_view()["bonus_rows"] == []
    assert scene.view()["open_columns"] == []
    scene.take_bonus("tracks", "gray 1").discard("green:3")
    assert scene.view()["stage"] == {"name": "confirming", "column": 0, "cards": [], "taken": taken}
    assert scene.seat_view()["bonus_rows"] == [1]
    scene.confirm().draw()
    assert scene.view()["stage"] == {"name": "laying", "card": 46}
    assert first in scene.seat_view()["cards"]


def test_the_end_is_shown_with_its_reason_and_its_seat() -> None:
    scene = Scene(tokens=1, top="gray:0f", turn="b").draw().lay(1)
    assert scene.view()["stage"] == {"name": "over", "reason": "foundations", "seat": 1}


def test_the_order_of_the_deck_is_told_to_nobody() -> None:
    state, (event,) = GAME.begin(3, read_options(GAME.options, {}), Dice(bytes(32)))
    shown: list[Any] = [event.shown_to(viewer) for viewer in (None, 0, 1, 2)]
    assert all(one == shown[0] for one in shown)
    assert "deck" not in shown[0]
    assert (shown[0]["seats"], shown[0]["tokens"]) == (3, 8)
    assert str(list(state.deck[:3]))[1:-1] not in json.dumps(view_of(GAME, state, 0))


def test_what_a_step_leaves_alone_is_the_same_object_in_the_next_view() -> None:
    scene = rich()
    before = scene.view()
    scene.draw()
    after = scene.view()
    assert after["deck"] == before["deck"] - 1
    for part in ("columns", "seats", "standings"):
        assert all(new is old for old, new in zip(before[part], after[part], strict=True)), part
