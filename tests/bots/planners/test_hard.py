"""Search: the same answer for the same seed and budget, and answers that win."""

from __future__ import annotations

import math
import random

import pytest

from server.bots.planners.evaluation import Evaluation, Weights
from server.bots.planners.hard import Hard, SearchBudget
from server.bots.planners.knowledge import determinized_state, known_state
from server.bots.planners.market import Market
from server.bots.planners.rollout import rollout, win_probability
from server.games.planners.commands import Draw, Finalize
from server.games.planners.state import Over, State
from tests.bots.planners import answer, question_for
from tests.bots.positions import some_positions
from tests.games.planners import GAME
from tests.games.planners.scenes import Scene

WEIGHTS = Weights()
SMALL = Hard(SearchBudget(simulations=6, rounds=1))


def quick(state: State) -> Market:
    return Market(Evaluation(state, WEIGHTS), 0)


def test_the_same_seed_gives_the_same_answer() -> None:
    for number, position in enumerate(some_positions(GAME, "again", 12)):
        first, second = (SMALL.choose(position.question, random.Random(number), math.inf) for _ in range(2))
        assert first == second


def test_a_rollout_ends_after_so_many_turns_or_with_the_game() -> None:
    state = determinized_state(known_state(question_for(Scene(seats=3))), random.Random(1))
    for ahead in (0, 1, 5):
        later = rollout(quick(state), state, Draw(), ahead)
        assert later.turn == (1 + ahead) % 3
    assert isinstance(rollout(quick(state), state, Draw(), 1_000).stage, Over)


def test_a_rollout_does_not_change_its_first_state() -> None:
    question = question_for(Scene(seats=3, columns=("green:3 u2", "", "")))
    state = determinized_state(known_state(question), random.Random(1))
    rollout(quick(state), state, Finalize(0), 6)
    assert state == determinized_state(known_state(question), random.Random(1))


def test_win_probabilities_are_between_zero_and_one() -> None:
    for position in some_positions(GAME, "chances", 40):
        state = known_state(position.question)
        chances = [win_probability(quick(state), state, seat, WEIGHTS) for seat in range(state.settings.seats)]
        assert all(0 < chance < 1 for chance in chances)


def test_a_better_city_and_fewer_contracts_raise_the_win_probability() -> None:
    def chance(drawing: str = "", **position: object) -> float:
        state = Scene(drawing, seats=3, turn="b", **position).state  # type: ignore[arg-type]
        return win_probability(quick(state), state, 0, WEIGHTS)

    assert chance("3 3 . . .") > chance("3 . . . .") > chance() > chance(contracts={"y": 2})
    assert chance(points="y") > chance() > chance(points="b")


def test_a_game_that_is_over_is_won_or_not() -> None:
    state = Scene("3 3 . . .", top="green:0f", tokens=1).draw().lay(1).state
    assert [win_probability(quick(state), state, seat, WEIGHTS) for seat in (0, 1)] == [1.0, 0.0]


@pytest.mark.parametrize("seed", range(3))
def test_a_contract_is_not_spent_on_a_single_card_when_more_may_come(seed: int) -> None:
    """Normal takes it. All take about equally often, so what counts is how much a taking brings."""
    single = Scene(seats=4, columns=("gray:3", "gray:2c", "u2"))
    assert answer(single) == Finalize(1)
    assert answer(single, SMALL, seed) == Draw()
    assert answer(Scene(seats=4, columns=("green:3 green:2t", "", "")), SMALL, seed) == Finalize(0)


@pytest.mark.parametrize("seed", range(3))
def test_the_column_that_wins_the_game_is_taken(seed: int) -> None:
    """One card fills yellow's city and ends the game with yellow ahead everywhere."""
    drawing = """
        3       3       2t      2t      2c
        3       2t      2t      2c      1tc
        3       2t      2t      2c      1tc
        3       3       2c      2c      1tc
        3       3       3       3       .
    """
    scene = Scene(
        drawing, columns=("green:2c", "", ""), completed=dict.fromkeys(("blue", "gray", "orange", "yellow"), "y")
    )
    assert answer(scene, SMALL, seed) == Finalize(0)
