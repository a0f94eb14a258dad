"""Looking ahead: the same from the same luck, with as much effort as it is given, and better for it."""

from __future__ import annotations

import math
import random

import pytest

from server.bots.investors.ahead import chance_to_win, played_on
from server.bots.investors.hard import Effort, Hard
from server.bots.investors.ideas import ideas
from server.bots.investors.knowledge import known_state, possible_state
from server.bots.investors.prospects import Prospects, Weights
from server.games.engine.dice import Dice
from server.games.engine.prompts import Command
from server.games.investors.commands import PassBid, PlaceStick
from server.games.investors.state import Over
from tests.bots.investors import NORMAL, answer, asked
from tests.bots.positions import Position, some_positions
from tests.games.investors import GAME
from tests.games.investors.scenes import Scene
from tests.games.players import seed_bytes

WEIGHTS = Weights()
LITTLE = Effort(trials=8, rounds=1)


def test_all_ideas_are_legal_and_normal_s_own_comes_first() -> None:
    for number, position in enumerate(some_positions(GAME, "ideas", 200)):
        question = position.question
        prospects = Prospects(known_state(question), WEIGHTS)
        found = ideas(prospects, position.seat, question.prompt, random.Random(number))
        commands = [idea.command for idea in found]
        assert all(question.prompt.admit(command) is None for command in commands)
        assert len(set(commands)) == len(commands)
        first = answer_of_normal(position, number)
        assert commands[0] == first


def answer_of_normal(position: Position, number: int) -> Command:
    return NORMAL.choose(position.question, random.Random(number), math.inf).command


def test_without_time_it_plays_as_normal() -> None:
    for number, position in enumerate(some_positions(GAME, "no time", 30)):
        chosen = Hard(LITTLE).choose(position.question, random.Random(number), 0.0)
        assert chosen.command == answer_of_normal(position, number)


def test_the_same_luck_gives_the_same_answer() -> None:
    for number, position in enumerate(some_positions(GAME, "again", 10)):
        chosen = [Hard(LITTLE).choose(position.question, random.Random(number), math.inf) for _ in range(2)]
        assert chosen[0] == chosen[1]


def test_playing_on_ends_after_so_many_rounds_or_with_the_game() -> None:
    scene = Scene(years=3)
    state = possible_state(asked(scene, "y"), random.Random(1))
    for rounds in (0, 1, 4):
        later = played_on(state, {}, rounds, WEIGHTS, Dice(seed_bytes(1)), random.Random(1))
        assert later.round == state.round + rounds + 1
    over = played_on(state, {}, 1000, WEIGHTS, Dice(seed_bytes(1)), random.Random(1))
    assert isinstance(over.stage, Over)


def test_playing_on_changes_nothing_in_the_state_it_began_with() -> None:
    question = asked(Scene(years=3), "y")
    state = possible_state(question, random.Random(1))
    played_on(state, {}, 2, WEIGHTS, Dice(seed_bytes(1)), random.Random(1))
    assert state == possible_state(question, random.Random(1))


def test_the_chances_of_all_seats_add_up() -> None:
    for position in some_positions(GAME, "chances", 50):
        state = possible_state(position.question, random.Random(1))
        if None not in state.layout:
            chances = [chance_to_win(state, seat, WEIGHTS) for seat in range(state.settings.seats)]
            assert sum(chances) == pytest.approx(1)
            assert min(chances) > 0


def test_prestige_sticks_and_money_are_chances() -> None:
    def chance(drawing: str = "", **position: object) -> float:
        return chance_to_win(Scene(drawing, years=6, **position).state, 0, WEIGHTS)

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
    strategy = Hard(Effort(trials=24, rounds=1))
    command = answer(scene, "y", strategy)
    assert command != PassBid()
    scene.do("y", command)
    scene.do("b", PassBid())
    assert answer(scene, "y", strategy) == PlaceStick(scene.street("1"))
