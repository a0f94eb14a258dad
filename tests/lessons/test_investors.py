"""The lesson of Investors: its game can be played, every idea occurs, and answers mean what their texts say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.games.investors.events import (
    ActionLaid,
    AuctionWon,
    ChequeDrawn,
    DistrictRebuilt,
    GameEnded,
    InfluenceRevealed,
    OptionPaid,
    StickMoved,
)
from server.lessons.checking import lesson_problems
from server.lessons.lesson import FOLDER, Step, lesson_of
from server.lessons.positions import Position, Reached, positions_of, reach
from server.model import Refused

ROOT = Path(__file__).parents[2]
_FOUND = lesson_of("investors")
assert _FOUND is not None
LESSON = _FOUND
POSITIONS = {step.id: position for step, position in zip(LESSON.steps, positions_of(LESSON), strict=True)}
ASKING = [step for step in LESSON.steps if step.answers]


def step_named(name: str) -> Step:
    return next(step for step in LESSON.steps if step.id == name)


def reached(name: str, *answers: dict[str, Any]) -> Reached:
    """Return what the learner reaches with these answers to a step."""
    result = reach(LESSON, step_named(name), POSITIONS[name], answers)
    assert not isinstance(result, Refused), result
    return result


def prestige(position: Position) -> list[int]:
    return list(position.play.state.prestige)


def test_the_lesson_fits_the_rules_the_texts_and_the_page() -> None:
    assert lesson_problems(FOLDER / "investors.json", ROOT) == []


def test_the_learner_acts_in_most_of_14_to_24_steps() -> None:
    assert 14 <= len(LESSON.steps) <= 24
    assert 2 * len(ASKING) >= len(LESSON.steps)


@pytest.mark.parametrize("step", ASKING, ids=lambda step: step.id)
def test_the_own_answer_of_a_step_completes_it_with_its_first_meaning(step: Step) -> None:
    result = reached(step.id, *step.answers)
    assert result.is_done
    assert result.meaning == step.meanings[0].id == "good"


@pytest.mark.parametrize(
    "idea, event",
    [
        ("sealed", InfluenceRevealed),
        ("third", DistrictRebuilt),
        ("crew_second", ActionLaid),
        ("raise", AuctionWon),
        ("pay", OptionPaid),
        ("shift", StickMoved),
        ("last_place", GameEnded),
    ],
)
def test_every_idea_of_the_game_occurs(idea: str, event: type) -> None:
    assert any(isinstance(each, event) for each in reached(idea, *step_named(idea).answers).latest)


@pytest.mark.parametrize("card", range(10))
def test_equal_cards_cancel_out_and_only_a_9_ties_with_the_others(card: int) -> None:
    result = reached("tie", {"do": "play_influence", "card": card})
    (shown,) = (event for event in result.latest if isinstance(event, InfluenceRevealed))
    assert shown.cards == (card, 9, 9)
    assert shown.winners == (() if card == 9 else (0,))
    assert result.meaning == ("other" if card == 9 else "high" if card > 5 else "good")


@pytest.mark.parametrize(
    "card, meaning, winners",
    [
        (1, "other", (1, 2)),
        (2, "tie", (1,)),
        (3, "good", (1, 0)),
        (4, "tie", (2,)),
        (5, "good", (0, 1)),
        (9, "high", (0, 1)),
    ],
)
def test_the_first_sealed_card_is_explained_by_what_it_wins(card: int, meaning: str, winners: tuple[int, ...]) -> None:
    result = reached("sealed", {"do": "play_influence", "card": card})
    assert result.meaning == meaning
    assert any(isinstance(event, InfluenceRevealed) and event.winners == winners for event in result.latest)


@pytest.mark.parametrize(
    "name, answer, meaning",
    [
        ("tender", {"do": "reject_tender"}, "other"),
        ("place", {"do": "place_stick", "street": 20}, "also"),
        ("place", {"do": "place_stick", "street": 65}, "edge"),
        ("place", {"do": "waive"}, "other"),
        ("third", {"do": "waive"}, "other"),
        ("action", {"do": "abstain"}, "abstain"),
        ("action", {"do": "play_influence", "card": 3}, "tie"),
        ("action", {"do": "play_influence", "card": 0}, "other"),
        ("crew", {"do": "place_stick", "street": 55}, "leisure"),
        ("auction", {"do": "raise_bid", "cheques": [20, 10]}, "good"),
        ("auction", {"do": "raise_bid", "cheques": [100]}, "other"),
        ("auction", {"do": "pass_bid"}, "passed"),
        ("raise", {"do": "raise_bid", "cheques": [90]}, "good"),
        ("raise", {"do": "pass_bid"}, "other"),
        ("options", {"do": "choose_option", "option": "market_leisure"}, "also"),
        ("options", {"do": "choose_option", "option": "factory_office"}, "other"),
        ("pay", {"do": "pay_cheque", "cheque": 50}, "other"),
        ("subsidy", {"do": "claim_subsidy", "mode": "influence"}, "other"),
        ("last_bid", {"do": "pass_bid"}, "other"),
    ],
)
def test_another_answer_gets_its_own_meaning(name: str, answer: dict[str, Any], meaning: str) -> None:
    result = reached(name, answer)
    assert result.is_done
    assert result.meaning == meaning


def test_both_free_streets_rebuild_the_factory() -> None:
    for street in (26, 63):
        result = reached("third", {"do": "place_stick", "street": street})
        assert result.meaning == "good"
        assert prestige(result.position) == [6, 0, 0]


def test_two_of_the_three_cheques_left_in_the_bank_are_too_much_and_the_next_is_one_of_them() -> None:
    assert sorted(POSITIONS["stop"].play.state.bank) == [10, 30, 40]
    result = reached("stop", {"do": "draw_cheque"})
    assert result.meaning == "other"
    assert [(event.cheque, event.bust) for event in result.latest if isinstance(event, ChequeDrawn)] == [(40, True)]


def test_only_two_streets_decide_the_game_with_the_last_stick() -> None:
    assert prestige(POSITIONS["last_place"]) == [26, 27, 23]
    for street, meaning, points in ((5, "good", 32), (73, "also", 30), (6, "other", 26)):
        result = reached("last_place", {"do": "place_stick", "street": street})
        assert result.meaning == meaning
        assert prestige(result.position) == [points, 27, 23]
        assert (result.position.play.decision is None) == (meaning != "other")


def test_the_last_position_is_the_end_of_a_game_that_the_learner_wins() -> None:
    play = POSITIONS[LESSON.steps[-1].id].play
    outcome = play.game.outcome(play.state)
    assert outcome is not None
    assert outcome.reason == "years"
    assert outcome.scores == (32, 27, 23)
    assert outcome.places == (1, 2, 3)
