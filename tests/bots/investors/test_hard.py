"""Search: the same answer for the same seed and budget, and answers that win."""

from __future__ import annotations

import math
import random

import pytest

from server.bots.investors.candidates import candidates
from server.bots.investors.evaluation import Evaluation, Weights
from server.bots.investors.hard import Hard, SearchBudget
from server.bots.investors.knowledge import determinized_state, known_state
from server.bots.investors.rollout import rollout, win_probability
from server.games.engine.dice import Dice
from server.games.engine.prompts import Command
from server.games.investors.commands import PassBid, PlaceStick
from server.games.investors.state import Over
from tests.bots.investors import NORMAL, answer, question_for
from tests.bots.positions import Position, some_positions
from tests.games.investors import GAME
from tests.games.investors.scenes import Scene
from tests.games.players import seed_bytes

WEIGHTS = Weights()
SMALL = SearchBudget(simulations=8, rounds=1)


def test_all_candidates_are_legal_and_normal_s_own_comes_first() -> None:
    for number, position in enumerate(some_positions(GAME, "ideas", 200)):
        question = position.question
        evaluation = Evaluation(known_state(question), WEIGHTS)
        found = candidates(evaluation, position.seat, question.prompt, random.Random(number))
        commands = [choice.command for choice in found]
        assert all(question.prompt.admit(command) is None for command in commands)
        assert len(set(commands)) == len(commands)
        first = answer_of_normal(position, number)
        assert commands[0] == first


def answer_of_normal(position: Position, number: int) -> Command:
    return NORMAL.choose(position.question, random.Random(number), math.inf).command


def test_without_time_it_plays_as_normal() -> None:
    for number, position in enumerate(some_positions(GAME, "no time", 30)):
        chosen = Hard(SMALL).choose(position.question, random.Random(number), 0.0)
        assert chosen.command == answer_of_normal(position, number)


def test_the_same_seed_gives_the_same_answer() -> None:
    for number, position in enumerate(some_positions(GAME, "again", 10)):
        chosen = [Hard(SMALL).choose(position.question, random.Random(number), math.inf) for _ in range(2)]
        assert chosen[0] == chosen[1]


def test_a_rollout_ends_after_so_many_rounds_or_with_the_game() -> None:
    scene = Scene(years=3)
    state = determinized_state(question_for(scene, "y"), random.Random(1))
    for rounds in (0, 1, 4):
        later = rollout(state, {}, rounds, WEIGHTS, Dice(seed_bytes(1)), random.Random(1))
        assert later.round == state.round + rounds + 1
    over = rollout(state, {}, 1000, WEIGHTS, Dice(seed_bytes(1)), random.Random(1))
    assert isinstance(over.stage, Over)


def test_a_rollout_does_not_change_its_first_state() -> None:
    question = question_for(Scene(years=3), "y")
    state = determinized_state(question, random.Random(1))
    rollout(state, {}, 2, WEIGHTS, Dice(seed_bytes(1)), random.Random(1))
    assert state == determinized_state(question, random.Random(1))


def test_the_win_probabilities_of_all_seats_add_up_to_one() -> None:
    for position in some_positions(GAME, "chances", 50):
        state = determinized_state(position.question, random.Random(1))
        if None not in state.layout:
            chances = [win_probability(state, seat, WEIGHTS) for seat in range(state.settings.seats)]
            assert sum(chances) == pytest.approx(1)
            assert min(chances) > 0


def test_prestige_sticks_and_money_raise_the_win_probability() -> None:
    def chance(drawing: str = "", **position: object) -> float:
        return win_probability(Scene(drawing, years=6, **position).state, 0, WEIGHTS)

    rebuilt = """
        +---+
        | h |
        +---+
    """
    begun = """
        +-y-+
        y O |
        +---+
    """
    assert chance(rebuilt, owner="y") > chance() > chance(rebuilt, owner="b")
    assert chance(begun) > chance()
    assert chance(influence={"b": 2}) > chance() > chance(influence={"y": 2})
    assert chance(hands={"b": (10,)}) > chance() > chance(hands={"y": (10,)})


def test_the_right_that_wins_the_game_is_won_and_used() -> None:
    """Yellow gets the bank with one more stick and wins at once; blue has no money left to stop it."""
    drawing = """
        +-y-+---+
        y B 1 f |
        +-y-+---+
    """
    hands = dict.fromkeys("brg", (10,))
    scene = Scene(drawing, years=11, owner="b", hands=hands, tenders=("factory/cheques/1",), start="b")
    scene.accept()
    scene.bids("b10 r- g-")
    strategy = Hard(SearchBudget(simulations=24, rounds=1))
    command = answer(scene, "y", strategy)
    assert command != PassBid()
    scene.do("y", command)
    scene.do("b", PassBid())
    assert answer(scene, "y", strategy) == PlaceStick(scene.street("1"))
