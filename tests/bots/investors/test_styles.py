"""Styles: what a bot does differently at any strength; without a style it plays as it always did. y decides."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import islice

import pytest

from server.bots.investors import STRATEGIES
from server.bots.investors.evaluation import Evaluation, Weights
from server.bots.investors.hard import Hard, SearchBudget
from server.bots.investors.knowledge import known_state
from server.bots.investors.normal import normal_choice
from server.bots.investors.styles import styled
from server.bots.strategy import Strategy, Style
from server.games.investors.commands import DrawCheque, PassBid, PlaceStick
from server.games.investors.state import Investing, State
from tests.bots.investors import NORMAL, answer, drawing_cheques
from tests.bots.positions import positions, some_positions
from tests.games.investors import GAME
from tests.games.investors.scenes import Scene

CAUTIOUS, GREEDY, SPOILER = Style.CAUTIOUS, Style.GREEDY, Style.SPOILER
FAST: dict[str, Strategy] = STRATEGIES | {"hard": Hard(SearchBudget(simulations=8, max_per_candidate=2, rounds=0))}
quick = pytest.mark.parametrize("strategy", [STRATEGIES["easy"], NORMAL], ids=["easy", "normal"])


def test_without_a_style_nothing_is_different() -> None:
    weights = Weights()
    assert styled(weights, None) == weights
    for number, position in enumerate(some_positions(GAME, "no style", 60)):
        question = position.question
        evaluation = Evaluation(known_state(question), weights)
        usual = normal_choice(evaluation, position.seat, question.prompt, random.Random(number))
        assert NORMAL.choose(question, random.Random(number), math.inf) == usual


@pytest.mark.parametrize("strategy", FAST.values(), ids=FAST)
def test_every_style_gives_legal_answers_and_none_is_a_copy_of_another(strategy: Strategy) -> None:
    answers: dict[Style, list[object]] = {style: [] for style in Style}
    for number, position in enumerate(some_positions(GAME, "styles", 60)):
        for style in Style:
            question = replace(position.question, style=style)
            command = strategy.choose(question, random.Random(number), math.inf).command
            assert question.prompt.admit(command) is None
            answers[style].append(command)
    assert answers[CAUTIOUS] != answers[GREEDY] != answers[SPOILER] != answers[CAUTIOUS]


A_FACTORY_IN_REACH = """
    +-y-+
    y F 1
    +---+
"""


def highest_bid_raised(strategy: Strategy, style: Style | None) -> int:
    """Return the highest bid of blue that yellow raises, in the middle of a game."""
    lower = [(), (100,), (100, 90), (100, 90, 80)]
    bids = [(*cheques, cheque) for cheques in lower for cheque in (10, 20, 30, 40, 50, 60, 70)]
    raised = [0]
    for bid in bids:
        scene = Scene(A_FACTORY_IN_REACH, tenders=("factory/cheques/1",), start="b", years=5)
        scene.accept()
        scene.bids(f"b{'+'.join(map(str, bid))} r- g-")
        if answer(scene, "y", strategy, style=style) != PassBid():
            raised.append(sum(bid))
    return max(raised)


@quick
def test_the_cautious_bid_less_than_the_greedy(strategy: Strategy) -> None:
    assert highest_bid_raised(strategy, CAUTIOUS) < highest_bid_raised(strategy, GREEDY)


@quick
def test_the_cautious_stop_drawing_first_and_the_greedy_last(strategy: Strategy) -> None:
    def draws_at(total: int, style: Style | None) -> bool:
        scene = drawing_cheques("y", (total, 10, 20, 30))
        return answer(scene, "y", strategy, style=style) == DrawCheque()

    totals = range(10, 101, 10)
    limits = {style: sum(draws_at(total, style) for total in totals) for style in (CAUTIOUS, None, GREEDY)}
    assert limits[CAUTIOUS] < limits[None] < limits[GREEDY]


def test_to_the_spoiler_a_street_is_worth_more_where_the_leader_loses() -> None:
    """Red has rebuilt the town hall; red and blue have each begun a factory."""
    scene = Scene(
        """
        +---+-r-+---+-b-+
        | h r F 1   2 F b
        +---+---+---+---+
        """,
        owner="r",
        years=5,
    )

    def more(street: str, weights: Weights) -> float:
        spoiler = Evaluation(scene.state, styled(weights, SPOILER))
        return spoiler.gain(scene.street(street), 0) - Evaluation(scene.state, weights).gain(scene.street(street), 0)

    assert more("1", Weights()) > more("2", Weights()) + 0.2


def test_the_spoiler_hurts_the_leader_more() -> None:
    """In the same positions, the leading opponent can expect less after the sticks of a spoiler."""
    investing = (
        position
        for position in positions(GAME, "spoiler")
        if isinstance(position.play.state.stage, Investing) and position.play.state.supply[position.seat]
    )
    asked = list(islice(investing, 80))

    def lost(style: Style | None) -> float:
        total = 0.0
        for number, position in enumerate(asked):
            question = replace(position.question, style=style)
            command = NORMAL.choose(question, random.Random(number), math.inf).command
            if isinstance(command, PlaceStick):
                total += lost_by_the_leader(known_state(question), position.seat, command.street)
        return total

    assert lost(SPOILER) > lost(None)


def lost_by_the_leader(state: State, seat: int, street: int) -> float:
    before = Evaluation(state, Weights())
    sticks = [seat if other == street else owner for other, owner in enumerate(state.sticks)]
    after = Evaluation(replace(state, sticks=sticks), Weights())
    leader = before.leaders[seat]
    return before.expected_prestige()[leader] - after.expected_prestige()[leader]


def test_a_search_without_time_shows_the_style() -> None:
    for number, position in enumerate(some_positions(GAME, "styles of hard", 30)):
        for style in Style:
            question = replace(position.question, style=style)
            rng, other = random.Random(number), random.Random(number)
            assert FAST["hard"].choose(question, rng, 0.0).command == NORMAL.choose(question, other, 0.0).command
