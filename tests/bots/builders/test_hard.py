"""Looking ahead: the same from the same luck, with as much effort as it is given."""

from __future__ import annotations

import math
import random

import pytest

from server.bots.builders.ahead import chance_to_win, played_on
from server.bots.builders.evaluation import WEIGHTS
from server.bots.builders.hard import Effort, Hard
from server.bots.builders.knowledge import possible_state
from server.games.builders.commands import Build, TakeMoney
from server.games.builders.state import Over
from tests.bots.builders import NORMAL, asked, chosen
from tests.bots.positions import some_positions
from tests.games.builders import GAME
from tests.games.builders.scenes import DICE, Scene

LITTLE = Hard(Effort(trials=6, most_per_idea=2, ideas=3, turns=4))


def test_without_time_it_plays_as_normal() -> None:
    for number, position in enumerate(some_positions(GAME, "no time", 40)):
        hurried = LITTLE.choose(position.question, random.Random(number), 0.0)
        assert hurried == NORMAL.choose(position.question, random.Random(number), 0.0)


def test_the_same_luck_gives_the_same_answer() -> None:
    for number, position in enumerate(some_positions(GAME, "again", 10)):
        answers = [LITTLE.choose(position.question, random.Random(number), math.inf) for _ in range(2)]
        assert answers[0] == answers[1]


def test_playing_on_ends_after_so_many_turns_or_with_the_game() -> None:
    state = possible_state(asked(Scene(year=1911, card="A5")), random.Random(1))
    later = played_on(state, 2, WEIGHTS, DICE)
    assert (later.area, later.acted) == (state.area, 2)
    assert isinstance(played_on(state, 1_000, WEIGHTS, DICE).stage, Over)


def test_playing_on_changes_nothing_in_the_state_it_began_with() -> None:
    question = asked(Scene(year=1910, card="A2"))
    state = possible_state(question, random.Random(1))
    played_on(state, 6, WEIGHTS, DICE)
    assert state == possible_state(question, random.Random(1))


def test_the_chances_of_all_seats_add_up() -> None:
    for position in some_positions(GAME, "chances", 40):
        state = position.play.state
        chances = [chance_to_win(state, seat, WEIGHTS) for seat in range(state.seats)]
        assert sum(chances) == pytest.approx(1)


def test_points_houses_and_money_are_chances() -> None:
    def chance(scene: Scene) -> float:
        return chance_to_win(scene.state, 0, WEIGHTS)

    def scene() -> Scene:
        return Scene(year=1910).money(o=3, k=3, b=3)

    assert chance(scene().marker(o=(3, 0))) > chance(scene()) > chance(scene().marker(k=(3, 0)))
    assert chance(scene().cards(o={"light": 3})) > chance(scene()) > chance(scene().cards(k={"light": 3}))
    assert chance(scene().money(o=9)) > chance(scene()) > chance(scene().money(k=9))
    assert chance(scene().front(o=1).permits(o="R3:LP R1:LP")) > chance(scene())


def test_the_house_that_wins_the_game_is_built() -> None:
    """In the last turn of the game two points for red decide; $2 would not be enough."""
    scene = Scene(year=1912, card=None, seats=2).money(o=6, k=6).front(o=1).permits(o="**:LP")
    scene.goals(common="buildings row column", o="colour_red").hidden_goals(o="money", k="isolated").marker(k=(1, 0))
    scene.put(order=(1, 0), acted=0).do("k", TakeMoney())
    scene.do("k", chosen(scene).command)
    assert chosen(scene, Hard()).command == Build()
