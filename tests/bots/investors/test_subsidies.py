"""Subsidies: what is claimed, what is removed for it, and when drawing stops. y decides."""

from __future__ import annotations

import pytest

from server.bots.investors import STRATEGIES
from server.bots.strategy import Strategy
from server.games.investors.commands import ClaimSubsidy, DrawCheque, StopDrawing
from tests.bots.investors import answer, choice_of, drawing_cheques
from tests.games.investors.scenes import Scene

every_strength = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
quick = pytest.mark.parametrize("strategy", [STRATEGIES["easy"], STRATEGIES["normal"]], ids=["easy", "normal"])

BANK = (30, 40, 50, 60, 70, 80, 20, 10)


@quick
def test_who_has_no_influence_takes_it(strategy: Strategy) -> None:
    scene = Scene(influence={"y": 0}, bank=BANK, years=3).subsidy("subsidy")
    assert answer(scene, "y", strategy) == ClaimSubsidy("influence")


@quick
def test_who_has_no_money_and_much_influence_draws_cheques(strategy: Strategy) -> None:
    scene = Scene(hands={"y": ()}, bank=BANK, years=3).subsidy("subsidy")
    assert answer(scene, "y", strategy) == ClaimSubsidy("cheques")


@quick
def test_nobody_draws_from_an_empty_bank(strategy: Strategy) -> None:
    scene = Scene(years=3).subsidy("subsidy")
    assert answer(scene, "y", strategy) == ClaimSubsidy("influence")


@every_strength
def test_the_first_cheque_is_no_risk(strategy: Strategy) -> None:
    assert answer(drawing_cheques("", BANK), "y", strategy) == DrawCheque()


@quick
def test_who_is_near_the_limit_stops(strategy: Strategy) -> None:
    assert answer(drawing_cheques("y y", (70, 20, 30, 40)), "y", strategy) == StopDrawing()


def test_a_stop_says_how_likely_the_loss_was() -> None:
    reason = choice_of(drawing_cheques("y y", (70, 20, 30, 40)), "y").reason
    assert reason is not None
    assert reason.key == "inv.hint.stop"
    assert 75 < reason.values["risk"] < 90


def test_sticks_that_have_done_their_work_are_removed() -> None:
    scene = Scene(
        """
        +-y-+---+
        y v y v |
        +---+---+
        """,
        influence={"y": 2},
        years=3,
        supply={"y": 12},
    ).subsidy("removal_subsidy")
    command = answer(scene, "y")
    assert isinstance(command, ClaimSubsidy)
    assert command.sticks


def test_sticks_that_promise_a_majority_stay() -> None:
    scene = Scene(
        """
        +-Y-+
        y B y
        +---+
        """,
        years=3,
    ).subsidy("removal_subsidy")
    command = answer(scene, "y")
    assert isinstance(command, ClaimSubsidy)
    assert scene.street("Y") not in (command.sticks or ())
