"""Choosing streets for sticks. Streets that a drawing numbers are free; y decides."""

from __future__ import annotations

import pytest

from server.bots.investors import STRATEGIES
from server.bots.investors.action_cards import NO_USE, Use
from server.bots.investors.building import with_reason
from server.bots.investors.evaluation import Evaluation, Weights
from server.bots.investors.knowledge import known_state
from server.bots.strategy import BotChoice, Reason, Strategy
from server.games.investors.commands import PlaceStick, ReplaceStick, Waive
from tests.bots.investors import answer, choice_of, question_for
from tests.games.investors.scenes import Scene

every_strength = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)

NEARLY_THERE = """
    +-y-+---+
    y B 1 f |
    +-y-+---+
"""


@every_strength
def test_a_majority_in_reach_is_taken(strategy: Strategy) -> None:
    """It wins the game, too: b has 6."""
    scene = Scene(NEARLY_THERE, years=11, owner="b").investing("y", "factory")
    assert answer(scene, "y", strategy) == PlaceStick(scene.street("1"))


def test_the_reason_names_the_prestige() -> None:
    scene = Scene(NEARLY_THERE, years=11, owner="b").investing("y", "factory")
    reason = choice_of(scene, "y").reason
    assert reason is not None
    assert reason.key == "inv.hint.place_rebuild"
    assert dict(reason.values) == {"street": scene.street("1"), "prestige": 10}


def test_the_last_year_is_ended_rather_by_who_wins_than_by_who_loses() -> None:
    drawing = """
        +-y-+---+
        y V 1 f |
        +-b-+---+
    """
    gains = []
    for ahead in "yb":
        scene = Scene(drawing, years=11, owner=ahead)
        evaluation = Evaluation(known_state(question_for(scene, "y")), Weights())
        gains.append(evaluation.gain(scene.street("1"), seat=0))
    assert gains[0] > gains[1] + 5


def test_one_stick_for_two_majorities_is_better_than_for_one() -> None:
    scene = Scene(
        """
        +-y-+-y-+---+-y-+
        y V 1 O y   2 V y
        +-b-+-b-+---+-b-+
        """,
        years=6,
    ).investing("y", "villa")
    assert answer(scene, "y") == PlaceStick(scene.street("1"))


def test_a_street_gains_from_what_it_denies_to_a_rival() -> None:
    around = """
        +-{0}-+---+
        {0} H 1 V |
        +-{0}-+---+
    """
    gains = []
    for sticks in "-b":
        scene = Scene(around.format(sticks), years=6)
        evaluation = Evaluation(known_state(question_for(scene, "y")), Weights())
        gains.append(evaluation.gain(scene.street("1"), seat=0))
    assert gains[0] < gains[1]


def test_a_stick_in_the_way_says_so() -> None:
    scene = Scene(
        """
        +-b-+---+
        b H 1 V |
        +-b-+---+
        """,
        years=6,
    ).investing("y", "villa")
    evaluation = Evaluation(known_state(question_for(scene, "y")), Weights())
    use = Use(PlaceStick(scene.street("1")), 1.0)
    assert with_reason(evaluation, 0, use).reason == Reason("inv.hint.place_block", {"street": scene.street("1")})


@every_strength
def test_no_stick_is_placed_that_rebuilds_for_another(strategy: Strategy) -> None:
    """Every street but one is taken, and with a third stick there b has the majority."""
    scene = Scene(
        """
        +-b-+
        b V 1
        +-r-+
        """,
        years=11,
    ).investing("y", "villa")
    assert answer(scene, "y", strategy) != PlaceStick(scene.street("1"))


def test_without_a_supply_a_stick_is_lifted_that_has_done_its_work() -> None:
    scene = Scene(
        """
        +-y-+-y-+
        y v y V 1
        +-y-+-b-+
        """,
        years=11,
        supply={"y": 0},
    ).investing("y", "villa")
    command = answer(scene, "y")
    assert isinstance(command, PlaceStick)
    assert command.street == scene.street("1")
    assert command.lift is not None
    scene.do("y", command)
    assert scene.rebuilders == "y"


def test_a_replaced_stick_gives_a_majority() -> None:
    scene = Scene(
        """
        +-y-+
        y B y
        +-B-+
        """,
        years=11,
    ).acting("y", "replace/influence")
    assert answer(scene, "y") == ReplaceStick(scene.street("B"))


def test_two_sticks_win_what_one_cannot() -> None:
    scene = Scene(
        """
        +-y-+
        y B 1
        +-2-+
        """,
        years=11,
    ).acting("y", "two/influence")
    for _ in range(2):
        scene.do("y", answer(scene, "y"))
    assert scene.rebuilders == "y"
    assert scene.prestige("y") >= 10


@pytest.mark.parametrize("card", ["move/influence", "swap/influence", "free/influence"])
def test_an_action_card_is_used_to_rebuild(card: str) -> None:
    """One stick of y lies beside the place where it would complete a majority."""
    scene = Scene(
        """
        +-y-+---+
        y O 1   y
        +-b-+---+
        """,
        years=11,
        at=(1, 1),
    ).acting("y", card)
    scene.do("y", answer(scene, "y"))
    assert "y" in scene.rebuilders


def test_waiving_says_so() -> None:
    scene = Scene(NEARLY_THERE, years=11)
    evaluation = Evaluation(known_state(question_for(scene, "y")), Weights())
    assert with_reason(evaluation, 0, NO_USE) == BotChoice(Waive(), Reason("inv.hint.waive"))
