"""Search: the same answer for the same seed and budget, and answers that win."""

from __future__ import annotations

import math
import random

import pytest

from server.bots.builders.evaluation import WEIGHTS
from server.bots.builders.hard import Hard, SearchBudget
from server.bots.builders.knowledge import determinized_state
from server.bots.builders.rollout import rollout, win_probability
from server.games.builders.commands import Build, TakeMoney
from server.games.builders.state import Over
from tests.bots.builders import NORMAL, choice_of, question_for
from tests.bots.positions import some_positions
from tests.games.builders import GAME
from tests.games.builders.scenes import DICE, Scene

SMALL = Hard(SearchBudget(simulations=6, max_per_candidate=2, candidates=3, turns=4))


def test_without_time_it_plays_as_normal() -> None:
    for number, position in enumerate(some_positions(GAME, "no time", 40)):
        hurried = SMALL.choose(position.question, random.Random(number), 0.0)
        assert hurried == NORMAL.choose(position.question, random.Random(number), 0.0)


def test_the_same_seed_gives_the_same_answer() -> None:
    for number, position in enumerate(some_positions(GAME, "again", 10)):
        answers = [SMALL.choose(position.question, random.Random(number), math.inf) for _ in range(2)]
        assert answers[0] == answers[1]


def test_a_rollout_ends_after_so_many_turns_or_with_the_game() -> None:
    state = determinized_state(question_for(Scene(year=1911, card="A5")), random.Random(1))
    later = rollout(state, 2, WEIGHTS, DICE)
    assert (later.area, later.acted) == (state.area, 2)
    assert isinstance(rollout(state, 1_000, WEIGHTS, DICE).stage, Over)


def test_a_rollout_does_not_change_its_first_state() -> None:
    question = question_for(Scene(year=1910, card="A2"))
    state = determinized_state(question, random.Random(1))
    rollout(state, 6, WEIGHTS, DICE)
    assert state == determinized_state(question, random.Random(1))


def test_the_win_probabilities_of_all_seats_add_up_to_one() -> None:
    for position in some_positions(GAME, "chances", 40):
        state = position.play.state
        chances = [win_probability(state, seat, WEIGHTS) for seat in range(state.seats)]
        assert sum(chances) == pytest.approx(1)


def test_points_houses_and_money_raise_the_win_probability() -> None:
    def chance(scene: Scene) -> float:
        return win_probability(scene.state, 0, WEIGHTS)

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
    scene.do("k", choice_of(scene).command)
    assert choice_of(scene, Hard()).command == Build()
