"""The lesson of Builders: its answers, what deviations mean, and its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.games.builders.city import plots_of
from server.lessons.checking import lesson_problems
from server.lessons.lesson import FOLDER, Lesson, lesson_of
from server.lessons.positions import Position, Reached, dice_of, positions_of, reach
from server.model import Refused

ROOT = Path(__file__).parents[2]
FILE = FOLDER / "builders.json"

IDEAS = {
    "the order of turns": ["income", "order", "last"],
    "permits and building": ["permit", "pair", "two", "plot"],
    "another action for a fee": ["fee"],
    "rubble": ["clean_up", "rubble"],
    "development cards and the board": ["light", "board"],
    "goals": ["goals", "goal"],
    "years": ["path", "year", "bonus", "leap"],
    "the end": ["final", "last_plot", "end"],
}


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    found = lesson_of("builders")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def positions(lesson: Lesson) -> dict[str, Position]:
    return {step.id: position for step, position in zip(lesson.steps, positions_of(lesson), strict=True)}


def answered(lesson: Lesson, positions: dict[str, Position], step_id: str, answers: list[dict[str, Any]]) -> Reached:
    """Return what the learner reaches with answers to a step."""
    step = next(step for step in lesson.steps if step.id == step_id)
    reached = reach(lesson, step, positions[step_id], answers)
    assert isinstance(reached, Reached), reached
    return reached


def test_everything_in_the_lesson_fits() -> None:
    assert lesson_problems(FILE, ROOT) == []


def test_every_answer_of_the_lesson_has_its_first_meaning_and_completes_its_step(
    lesson: Lesson, positions: dict[str, Position]
) -> None:
    for step in lesson.steps:
        if step.answers:
            reached = answered(lesson, positions, step.id, step.answers)
            assert (reached.meaning, reached.is_done) == (step.meanings[0].id, True), step.id


def test_every_idea_occurs_in_order_and_the_learner_acts_in_most_steps(lesson: Lesson) -> None:
    ids = [step.id for step in lesson.steps]
    for idea, steps in IDEAS.items():
        assert [step for step in ids if step in steps] == steps, idea
    assert 14 <= len(ids) <= 24
    assert sum(bool(step.answers) for step in lesson.steps) > len(ids) / 2


@pytest.mark.parametrize(
    "step, answer, meaning",
    [
        ("income", {"do": "place_pawn", "space": 3}, "first"),
        ("permit", {"do": "take_permit", "permit": 16}, "yellow"),
        ("order", {"do": "place_pawn", "space": 2}, "develop"),
        ("order", {"do": "place_pawn", "space": 4}, "other"),
        ("pair", {"do": "take_dollar"}, "other"),
        ("two", {"do": "choose_plot", "plot": 18}, "alone"),
        ("plot", {"do": "choose_plot", "plot": 21}, "green"),
        ("plot", {"do": "choose_plot", "plot": 1}, "rubble"),
        ("fee", {"do": "clean_up", "plot": 1}, "clean_up"),
        ("clean_up", {"do": "clean_up", "plot": -1}, "step"),
        ("clean_up", {"do": "take_dollar"}, "other"),
        ("goal", {"do": "take_goal", "goal": "card_light"}, "light"),
        ("goal", {"do": "take_goal", "goal": "blind"}, "blind"),
        ("bonus", {"do": "take_goal", "goal": "isolated"}, "goal"),
        ("rubble", {"do": "choose_plot", "plot": 19}, "yellow"),
        ("final", {"do": "take_money"}, "money"),
        ("last_plot", {"do": "choose_plot", "plot": 31}, "other"),
    ],
)
def test_another_answer_is_played_and_explained(
    lesson: Lesson, positions: dict[str, Position], step: str, answer: dict[str, Any], meaning: str
) -> None:
    reached = answered(lesson, positions, step, [answer])
    assert (reached.meaning, reached.is_done) == (meaning, True)


def test_any_rubble_of_the_city_may_be_cleared(lesson: Lesson, positions: dict[str, Position]) -> None:
    step = next(step for step in lesson.steps if step.id == "clean_up")
    for plot in plots_of(positions["clean_up"].play.state.ruins):
        assert step.meaning_of({"do": "clean_up", "plot": plot}) == "good", plot


def test_the_lesson_ends_with_the_end_of_the_game_as_its_text_says(positions: dict[str, Position]) -> None:
    play = positions["end"].play
    assert play.decision is None
    assert play.game.outcome(play.state).scores == (60, 59, 55)


def test_the_other_last_plots_tie_with_the_second_and_win_by_houses_as_the_text_says(
    lesson: Lesson, positions: dict[str, Position]
) -> None:
    play = answered(lesson, positions, "last_plot", [{"do": "choose_plot", "plot": 31}]).position.play
    for command in ({"do": "take_card", "symbol": "tram"}, {"do": "confirm"}):
        answer = play.answer_json(0, play.number, command, dice_of(lesson.seed))
        assert not isinstance(answer, Refused), answer
        play, _ = answer
    outcome = play.game.outcome(play.state)
    assert outcome.scores[:2] == (59, 59)
    assert outcome.places[0] == 1
    assert [play.state.built(seat) for seat in (0, 1)] == [6, 4]
