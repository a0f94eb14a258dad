"""Views show everything but face-down goals and the order of the piles."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server.games.builders.commands import Build, ChoosePermit, ChoosePlot, TakeGoal
from server.games.builders.events import GameBegun, GoalDrawn, PermitsReshuffled
from server.games.engine.dice import Dice
from server.games.engine.game import Viewer, view_of
from server.games.engine.options import read_options
from tests.games.builders import GAME
from tests.games.builders.scenes import Scene, permit

VIEWERS = (None, 0, 1, 2)


def seen(scene: Scene, viewer: Viewer = None) -> Any:
    return view_of(GAME, scene.state, viewer)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_ruling_38_face_down_goals_are_shown_to_their_owner_alone(viewer: Viewer) -> None:
    scene = (
        Scene(card="A3")
        .hidden_goals(o="isolated own_pairs", k="column", b="row")
        .goals(common="buildings majority_red majority_green", shown="rubble", pile="money card_tram")
    )
    shown = seen(scene, viewer)
    own = {None: None, 0: {"isolated": 0, "own_pairs": 0}, 1: {"column": 0}, 2: {"row": -2}}
    assert shown["hidden_goals"] == own[viewer]
    assert [seat["hidden_goals"] for seat in shown["seats"]] == [2, 1, 1]
    written = json.dumps(shown)
    for seat, goals in enumerate(scene.state.hidden_goals):
        assert viewer == seat or not any(f'"{goal}"' in written for goal in goals)
    assert "card_tram" not in written


@pytest.mark.parametrize("viewer", VIEWERS)
def test_ruling_38_a_dealt_goal_is_told_to_its_seat_alone(viewer: Viewer) -> None:
    _, (event,) = GAME.begin(3, read_options(GAME.options, {}), Dice(bytes(32)))
    assert isinstance(event, GameBegun)
    shown: Any = event.shown_to(viewer)
    assert shown["dealt_goal"] == (None if viewer is None else event.dealt_goals[viewer])
    assert (shown["goal_pile"], shown["permit_pile"]) == (15, 39)
    hidden = set(event.dealt_goals) - {shown["dealt_goal"]}
    assert not hidden & set(json.dumps(shown).split('"'))


def test_ruling_38_a_blindly_drawn_goal_is_told_to_its_seat_alone() -> None:
    event = GoalDrawn(1, "isolated")
    assert event.shown_to(1) == {"event": "goal_drawn", "seat": 1, "goal": "isolated"}
    assert event.shown_to(0) == event.shown_to(None) == {"event": "goal_drawn", "seat": 1}


def test_ruling_38_the_order_of_a_new_pile_is_told_to_nobody() -> None:
    shown = [PermitsReshuffled((3, 1, 2)).shown_to(viewer) for viewer in VIEWERS]
    assert shown == [{"event": "permits_reshuffled", "cards": 3}] * 4


def test_the_city_is_shown_by_cards_owners_and_rubble() -> None:
    drawing = """
        P6o Y2*
        R1. G4k
        P3. Y5.
    """
    shown = seen(Scene(drawing))["city"]
    assert shown["grid"] == [3, 2]
    assert shown["cards"][0] == ["C1", "A"]
    assert shown["owners"][:6] == [0, -1, -1, 1, -1, -1]
    assert shown["rubble"] == [1]


def test_a_seat_is_shown_with_all_that_it_has() -> None:
    scene = Scene(card="A2").money(o=7).front(o=2).permits(o="R3:LP").rubble(o=1).marker(o=(2, 1))
    scene.cards(o={"light": 2, "park": 1}).goals(o="rubble", common="column row majority_rubble")
    shown = seen(scene)["seats"][0]
    assert shown == {
        "money": 7,
        "marker": [2, 1],
        "front": 2,
        "supply": 6,
        "built": 0,
        "permits": [permit("R3:LP")],
        "open_goals": ["rubble"],
        "hidden_goals": 1,
        "rubble": 1,
        "cards": {"light": 2, "tram": 0, "hydrant": 0, "park": [2]},
        "points": {"common": 1 + 0 + 5, "goals": 2, "board": -4, "cards": 3 + 2, "best_builder": 0, "money": 0},
        "goal_points": {"column": 1, "row": 0, "majority_rubble": 5, "rubble": 2},
    }


def test_a_building_in_the_making_is_shown_with_the_plots_in_its_reach() -> None:
    drawing = """
        P6. Y2.   P1. Y5.
        R1. G4.   G6. P2.
        P3. Y5.   Y3. R4*
    """
    scene = Scene(drawing, seats=2, card="A2").money(o=5).front(o=1).permits(o="P6:LH R4:LH").at("o", 1)
    scene.do("o", Build())
    stage = seen(scene)["stage"]
    assert (stage["name"], stage["fee"], stage["permits"], stage["subsidised"]) == ("composing", 2, [], False)
    plots = [plot for plot in stage["plots"] if plot < 12]
    assert plots == [0]
    scene = Scene(drawing, seats=2, card="A2").money(o=6).front(o=1).permits(o="P6:LH R4:LH").at("o", 1)
    scene.do("o", Build(), ChoosePermit(permit("P6:LH")))
    assert [plot for plot in seen(scene)["stage"]["plots"] if plot < 12] == [0, 11]
    scene.do("o", ChoosePlot(0))
    assert seen(scene)["stage"] == {"name": "confirming"}


def test_the_next_parks_are_shown_from_the_top() -> None:
    assert seen(Scene())["development"] == {"light": 5, "tram": 4, "hydrant": 4, "park": [2, 3, 4, 5]}
    assert seen(Scene().stacks(park=1))["development"]["park"] == [5]
    assert seen(Scene().stacks(park=0))["development"]["park"] == []


def test_who_has_acted_and_who_is_next_is_shown() -> None:
    scene = Scene(card="A3").goals(shown="", pile="money row").at("o", "goal").do("o", TakeGoal("blind"))
    shown = seen(scene)
    assert (shown["order"], shown["acted"], shown["turn"]) == ([0, 1, 2], [0], 1)
    assert (shown["year"], shown["round"], shown["area"]) == (1907, 2, 3)
    assert shown["pawns"] == [[3, 1], [2, 1], [2, 0]]
