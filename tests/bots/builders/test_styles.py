"""The styles of play: none plays as before, and each of the others can be seen in what it chooses."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from server.bots.builders import STRATEGIES
from server.bots.builders.evaluation import WEIGHTS, Evaluation
from server.bots.builders.hard import Hard, SearchBudget
from server.bots.builders.spoiling import of_goal, of_permit, of_plot
from server.bots.builders.styles import styled
from server.bots.strategy import Strategy, Style
from server.games.builders.commands import TakeGoal
from server.games.engine.prompts import Command
from tests.bots.builders import question_for
from tests.bots.positions import some_positions
from tests.games.builders import GAME
from tests.games.builders.scenes import Scene, permit
from tests.games.builders.test_building import WHOLE

FAST_HARD = Hard(SearchBudget(simulations=4, max_per_candidate=2, candidates=2, turns=1))
PLAYERS = {**STRATEGIES, "hard": FAST_HARD}


def choice(strategy: Strategy, scene: Scene, style: Style | None) -> Command:
    question = replace(question_for(scene), style=style)
    command = strategy.choose(question, random.Random(1), math.inf).command
    assert question.prompt.admit(command) is None
    return command


def test_no_style_leaves_the_weights_as_they_are() -> None:
    assert styled(WEIGHTS, None) is WEIGHTS
    assert len({WEIGHTS, *(styled(WEIGHTS, style) for style in Style)}) == 4


@pytest.mark.parametrize("strength", PLAYERS)
def test_every_style_answers_some_questions_in_its_own_way(strength: str) -> None:
    differences: Counter[Style] = Counter()
    for number, position in enumerate(some_positions(GAME, "styles", 150)):
        plain, *others = (
            PLAYERS[strength].choose(replace(position.question, style=style), random.Random(number), math.inf).command
            for style in (None, *Style)
        )
        for style, command in zip(Style, others, strict=True):
            assert position.question.prompt.admit(command) is None
            differences[style] += command != plain
    assert all(differences[style] > 0 for style in Style), differences


def goals_open_and_unseen() -> Scene:
    scene = Scene(WHOLE, card="A3", seats=4, year=1908).money(o=3)
    scene.goals(
        common="buildings row column", shown="card_tram", pile="money isolated own_pairs colour_red colour_green"
    )
    return scene.hidden_goals(o="rubble", k="column", b="card_set", w="colour_set").at("o", "goal")


@pytest.mark.parametrize("style, goal", [(Style.CAUTIOUS, "card_tram"), (Style.GREEDY, "blind")])
def test_a_cautious_bot_takes_the_goal_that_it_sees_and_a_greedy_one_that_which_may_be_better(
    style: Style, goal: str
) -> None:
    assert choice(STRATEGIES["normal"], goals_open_and_unseen(), style) == TakeGoal(goal)


def test_a_cautious_bot_values_a_reserve_more_and_a_greedy_one_less() -> None:
    state = Scene(seats=4, year=1908).money(o=6).state
    cautious, plain, greedy = (
        Evaluation(state, 0, styled(WEIGHTS, style)).paid(6, 2) for style in (Style.CAUTIOUS, None, Style.GREEDY)
    )
    assert cautious < plain < greedy < 0


def test_a_spoiler_values_what_the_leading_opponent_needs() -> None:
    scene = Scene(WHOLE, card="A4", seats=4, year=1908).front(k=2).permits(k="R3:LP").cards(k={"light": 3})
    scene.goals(k="colour_red", shown="card_light card_tram").shown_permits("R1:LP Y5:TH P6:LH")
    plain = Evaluation(scene.state, 0)
    spoiler = Evaluation(scene.state, 0, styled(WEIGHTS, Style.SPOILER))
    assert plain.rival is None
    assert spoiler.rival is not None
    assert spoiler.rival.seat == 1
    assert of_permit(spoiler, permit("R1:LP")) > 0
    assert of_goal(spoiler, "card_light") > of_goal(spoiler, "card_tram")
    assert of_plot(spoiler, scene.plot("R3")) > 0 == of_plot(spoiler, scene.plot("G6"))
    assert of_permit(plain, permit("R1:LP")) == of_goal(plain, "card_light") == of_plot(plain, scene.plot("R3")) == 0
