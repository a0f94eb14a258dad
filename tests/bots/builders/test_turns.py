"""Turns in clear positions: buildings, permits, goals and fees."""

from __future__ import annotations

import pytest

from server.bots.builders import STRATEGIES
from server.bots.builders.evaluation import Evaluation
from server.bots.builders.plans import best_plan, plans
from server.bots.strategy import Strategy
from server.games.builders.commands import (
    Build,
    ChoosePermit,
    ChoosePlot,
    Confirm,
    DeclineCard,
    TakeCard,
    TakeDollar,
    TakeGoal,
    TakeMoney,
    TakePermit,
)
from tests.bots.builders import NORMAL, choice_of, turn
from tests.bots.positions import some_positions
from tests.games.builders import GAME
from tests.games.builders.scenes import DICE, Scene, permit
from tests.games.builders.test_building import WHOLE

EASY = STRATEGIES["easy"]
both = pytest.mark.parametrize("strategy", [EASY, NORMAL], ids=["easy", "normal"])


def scene(card: str | None = "A1", drawing: str = WHOLE, **more: object) -> Scene:
    """Return a scene of four seats in which colours and neighbours do not matter, unless goals say so."""
    made = Scene(drawing, card=card, seats=4, **more)
    return made.goals(common="buildings majority_red majority_rubble").hidden_goals(
        o="money", k="isolated", b="rubble", w="own_pairs"
    )


def test_easy_builds_whenever_it_can() -> None:
    commands = turn(scene().money(o=5).front(o=1).permits(o="R3:LP"), EASY)
    assert commands[1:3] == [Build(), ChoosePermit(permit("R3:LP"))]


def test_normal_builds_towards_the_end_what_it_has_the_permit_for() -> None:
    assert Build() in turn(scene(year=1911, card="A4").money(o=15).front(o=2).permits(o="R3:LP").goals(o="colour_red"))


@both
def test_two_permits_of_one_symbol_are_used_together_and_the_card_is_taken(strategy: Strategy) -> None:
    position = scene().money(o=5).front(o=1).permits(o="R3:LP R1:LP Y5:TH")
    commands = turn(position, strategy)
    assert {ChoosePermit(permit("R3:LP")), ChoosePermit(permit("R1:LP"))} < set(commands)
    assert any(isinstance(command, TakeCard) for command in commands)
    assert position.of("o", "permits") == (permit("Y5:TH"),)


def test_the_plot_is_the_one_that_goals_want() -> None:
    position = scene().money(o=9).front(o=1).permits(o="**:LP").hidden_goals(o="colour_red")
    turn(position)
    assert {name[0] for name in position.built("o")} == {"R"}


def test_a_hidden_goal_of_one_s_own_counts_as_well_as_an_open_one() -> None:
    position = scene().money(o=9).front(o=1).permits(o="**:LP").goals(o="colour_green")
    turn(position)
    assert {name[0] for name in position.built("o")} == {"G"}


@both
def test_a_fee_is_not_paid_for_what_is_worth_less(strategy: Strategy) -> None:
    """From the dollar on A1 it would cost $4 to take $3."""
    position = scene("A1").money(o=4).at("o", "dollar")
    assert choice_of(position, strategy).command == TakeDollar()


def test_a_fee_is_paid_for_a_good_house() -> None:
    """The space for building is taken; the next one costs $2."""
    position = scene(year=1909).money(o=12, w=9).front(o=1, w=1).permits(o="R3:LP R1:LP", w="G4:LT")
    position.put(order=(3, 0, 1, 2)).done("w", "build", Build(), ChoosePermit(permit("G4:LT")), ChoosePlot(3))
    assert Build() in turn(position)


def test_easy_pays_no_fee() -> None:
    position = scene(year=1909).money(o=12, w=9).front(o=1, w=1).permits(o="R3:LP R1:LP", w="G4:LT")
    position.put(order=(3, 0, 1, 2)).done("w", "build", Build(), ChoosePermit(permit("G4:LT")), ChoosePlot(3))
    before = position.of("o", "money")
    assert Build() not in turn(position, EASY)
    assert position.of("o", "money") >= before - 3


def test_a_permit_is_taken_that_goes_with_the_one_held() -> None:
    position = scene("A6").money(o=5).front(o=2).permits(o="R3:LP").shown_permits("Y5:TH R1:LP G6:TH")
    position.at("o", "permit")
    assert choice_of(position).command == TakePermit(permit("R1:LP"))


def test_the_goal_is_taken_that_is_already_worth_most() -> None:
    drawing = WHOLE.replace("R1.", "R1o").replace("R5.", "R5o")
    position = scene("A3", drawing, year=1911).goals(shown="card_tram colour_red card_set", pile="")
    position.at("o", "goal")
    assert choice_of(position).command == TakeGoal("colour_red")


def test_in_the_last_year_a_house_is_built_if_it_can_be() -> None:
    position = scene(None, year=1912).money(o=6).front(o=1).permits(o="R3:LP").hidden_goals(o="colour_red")
    assert choice_of(position).command == Build()
    poor = scene(None, year=1912).money(o=2).front(o=1).permits(o="R3:LP")
    assert choice_of(poor).command == TakeMoney()


def test_a_card_that_brings_something_is_not_declined() -> None:
    position = scene().money(o=5).front(o=1).permits(o="R3:LP R1:LP")
    position.at("o", "build").do("o", Build(), ChoosePermit(permit("R3:LP")), ChoosePermit(permit("R1:LP")))
    position.do("o", ChoosePlot(position.plot("R4")))
    assert position.may(DeclineCard())
    assert isinstance(choice_of(position).command, TakeCard)


def test_a_card_that_is_owed_is_taken_even_if_it_brings_nothing() -> None:
    position = scene().money(o=2).front(o=1).permits(o="R5:TH R6:TP").marker(o=(5, 4))
    position.at("o", "build").do("o", Build(), ChoosePermit(permit("R5:TH")), ChoosePermit(permit("R6:TP")))
    position.do("o", ChoosePlot(position.plot("R6")))
    assert choice_of(position).command == TakeCard("tram")


def test_what_is_done_is_confirmed() -> None:
    position = scene().at("o", "dollar").do("o", TakeDollar())
    assert choice_of(position).command == Confirm()


def test_a_bot_that_takes_over_in_the_middle_of_a_turn_finishes_it() -> None:
    position = scene().money(o=5).front(o=1).permits(o="R3:LP R1:LP G2:LP")
    position.at("o", "build").do("o", Build(), ChoosePermit(permit("G2:LP")))
    turn(position)
    assert len(position.built("o")) == 1
    assert permit("G2:LP") not in position.of("o", "permits")


def test_plans_are_legal_to_their_end_and_the_best_comes_first() -> None:
    for position in some_positions(GAME, "plans", 120):
        state = position.play.state
        found = plans(Evaluation(state, position.seat))
        assert found[0].worth == best_plan(Evaluation(state, position.seat)).worth
        assert found[0].worth >= found[-1].worth
        for plan in (*found[:3], found[-1]):
            later = state
            for command in plan.commands:
                decision = GAME.decision(later)
                assert decision is not None
                assert decision.prompts[position.seat].admit(command) is None, (command, plan)
                later, _ = GAME.resolve(later, {position.seat: command}, DICE)
