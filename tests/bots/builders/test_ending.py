"""The eighth house ends the game: it is built when that wins, and not when it loses."""

from __future__ import annotations

import pytest

from server.bots.builders.ending import ends_game, finishing_gain
from server.bots.builders.evaluation import Evaluation
from server.games.builders.commands import Build, ChoosePermit, ChoosePlot, Confirm
from tests.bots.builders import turn
from tests.games.builders.scenes import Scene, permit
from tests.games.builders.test_building import NEARLY_DONE


def seven_built(leader: str, year: int = 1910) -> Scene:
    """Return a position in which orange can build its eighth house, and one seat leads by all lights."""
    scene = Scene(NEARLY_DONE, card="A2", seats=4, year=year).money(o=6, k=6, b=6, w=6).front(o=1).permits(o="R3:LP")
    scene.goals(common="buildings majority_rubble row")
    scene.hidden_goals(o="isolated", k="isolated", b="isolated", w="isolated")
    return scene.cards(**{leader: {"light": 5}}).stacks(light=0)


@pytest.mark.parametrize("year", [1909, 1910, 1911])
def test_the_eighth_house_is_built_by_who_leads(year: int) -> None:
    assert Build() in turn(seven_built("o", year))


@pytest.mark.parametrize("year", [1909, 1910, 1911])
def test_the_eighth_house_is_not_built_by_who_would_lose(year: int) -> None:
    assert Build() not in turn(seven_built("k", year))


def test_the_higher_the_lead_the_more_the_end_is_worth() -> None:
    ahead, behind = (finishing_gain(Evaluation(seven_built(leader).state, 0), 0.0, 0.5) for leader in "ok")
    assert ahead > behind


def test_only_the_first_eighth_house_ends_a_game_that_would_go_on() -> None:
    scene = seven_built("o")
    assert ends_game(Evaluation(scene.state, 0))
    assert not ends_game(Evaluation(scene.state, 2))
    assert not ends_game(Evaluation(Scene(NEARLY_DONE, card=None, seats=4, year=1912).state, 0))
    scene.at("o", "build").do("o", Build(), ChoosePermit(permit("R3:LP")), ChoosePlot(scene.plot("R3")), Confirm())
    assert not ends_game(Evaluation(scene.state, 1))


def test_nobody_plans_for_turns_that_will_not_come() -> None:
    scene = seven_built("o")
    assert (
        Evaluation(scene.state, 2).remaining.turns
        < Evaluation(Scene(card="A2", seats=4, year=1910).state, 2).remaining.turns
    )
    scene.at("o", "build").do("o", Build(), ChoosePermit(permit("R3:LP")), ChoosePlot(scene.plot("R3")), Confirm())
    assert Evaluation(scene.state, 1).remaining.turns == 0
