"""A state made from a view gives the seat exactly this view again."""

from __future__ import annotations

import random
from dataclasses import fields
from itertools import islice

from server.bots.builders.knowledge import determinized_state, known_state
from server.games.builders.state import State
from server.games.engine.game import view_of
from tests.bots.positions import positions
from tests.games.builders import GAME

SECRETS = {"permit_pile", "goal_pile", "hidden_goals"}
UNSEEN = {"permit_shuffles"}
"""Fields that no view shows, since only the dice need them."""


def test_all_that_is_open_is_as_in_the_true_state() -> None:
    for position in islice(positions(GAME, "open"), 1_500):
        known, true = known_state(position.question), position.play.state
        for field in fields(State):
            if field.name not in SECRETS | UNSEEN:
                assert getattr(known, field.name) == getattr(true, field.name), field.name


def test_a_bot_knows_its_own_hidden_goals_and_no_others() -> None:
    for position in islice(positions(GAME, "own"), 500):
        known, true = known_state(position.question), position.play.state
        for seat, goals in enumerate(known.hidden_goals):
            assert goals == (true.hidden_goals[seat] if seat == position.seat else ())


def test_a_possible_state_looks_to_the_seat_just_as_the_true_one() -> None:
    rng = random.Random(1)
    different = 0
    for position in islice(positions(GAME, "possible"), 500):
        state, true = determinized_state(position.question, rng), position.play.state
        assert view_of(GAME, state, position.seat) == position.question.view
        assert sorted(state.permit_pile) == sorted(true.permit_pile)
        hidden = [*state.goal_pile, *(goal for goals in state.hidden_goals for goal in goals)]
        assert sorted(hidden) == sorted([*true.goal_pile, *(goal for goals in true.hidden_goals for goal in goals)])
        different += state.hidden_goals != true.hidden_goals
    assert different > 250
