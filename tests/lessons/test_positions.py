"""The positions of a lesson: scripted answers, answers of the learner, and what does not fit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server.lessons.lesson import BadLesson, Lesson, read_lesson
from server.lessons.positions import Reached, positions_of, reach
from server.model import Refused

ASK = {"id": "lay", "answers": [{"do": "lay", "column": 0}], "meanings": [{"id": "good", "when": {"column": [0, 1]}}]}
SMALL: dict[str, Any] = {
    "game": "planners",
    "seed": "11" * 32,
    "options": {"first_seat": "0"},
    "seats": [None, "Ulla"],
    "steps": [
        {"id": "aim", "point": ["board"]},
        {**ASK, "meanings": [*ASK["meanings"], {"id": "other"}], "others": [[1, {"do": "draw"}]]},
        {"id": "rival", "script": [[1, {"do": "lay", "column": 1}]]},
    ],
}


def lesson(**changes: Any) -> Lesson:
    return read_lesson(json.dumps({**SMALL, **changes}))


def step(number: int, **changes: Any) -> list[dict[str, Any]]:
    """Return the steps of the small lesson with one of them changed."""
    return [{**each, **changes} if place == number else each for place, each in enumerate(SMALL["steps"])]


def reached(given: Lesson, number: int, *answers: dict[str, Any]) -> Reached:
    result = reach(given, given.steps[number], positions_of(given)[number], answers)
    assert isinstance(result, Reached), result
    return result


def test_a_position_follows_from_the_scripted_answers_before_it() -> None:
    small = lesson()
    aim, lay, rival = positions_of(small)
    assert aim == lay
    assert lay.play.awaited == (0,)
    assert [len(column) for column in rival.play.state.columns] == [1, 1, 0]


def test_a_lesson_is_played_by_the_rules_that_it_names() -> None:
    assert [positions_of(lesson(rules=rules))[0].play.game.rules_version for rules in (None, 2)] == [3, 2]
    with pytest.raises(BadLesson, match="cannot be begun by version 99"):
        positions_of(lesson(rules=99))


def test_positions_are_the_same_each_time() -> None:
    assert positions_of(lesson()) == positions_of(lesson())


def test_the_own_answer_of_a_step_leads_to_the_next_one() -> None:
    small = lesson()
    result = reached(small, 1, {"do": "lay", "column": 0})
    assert result.is_done
    assert result.meaning == "good"
    assert len(positions_of(small)[2].log) > len(result.position.log)


def test_another_answer_is_played_and_explained() -> None:
    result = reached(lesson(), 1, {"do": "lay", "column": 2})
    assert result.meaning == "other"
    assert [len(column) for column in result.position.play.state.columns] == [0, 0, 1]


def test_an_answer_that_a_meaning_lists_has_that_meaning() -> None:
    assert reached(lesson(), 1, {"do": "lay", "column": 1}).meaning == "good"


def test_a_later_answer_that_is_not_the_steps_own_is_the_one_that_is_explained() -> None:
    step = {
        "id": "turn",
        "script": [[0, {"do": "lay", "column": 0}], [1, {"do": "draw"}], [1, {"do": "lay", "column": 1}]],
        "answers": [{"do": "draw"}, {"do": "lay", "column": 0}],
        "meanings": [{"id": "good", "when": {"do": "draw"}}, {"id": "two", "when": {"column": 2}}, {"id": "other"}],
    }
    small = lesson(steps=[step])
    assert reached(small, 0, {"do": "draw"}).meaning is None
    assert reached(small, 0, {"do": "draw"}, {"do": "lay", "column": 0}).meaning == "good"
    assert reached(small, 0, {"do": "draw"}, {"do": "lay", "column": 2}).meaning == "two"
    assert reached(small, 0, {"do": "draw"}, {"do": "lay", "column": 1}).meaning == "other"


def test_nothing_is_reached_without_an_answer() -> None:
    result = reached(lesson(), 1)
    assert not result.is_done
    assert result.meaning is None
    assert result.latest == ()


@pytest.mark.parametrize("command", [{"do": "lay", "column": 7}, {"do": "bid"}, {}, {"do": ["lay"]}])
def test_an_illegal_answer_is_refused_by_the_rules(command: dict[str, Any]) -> None:
    small = lesson()
    assert isinstance(reach(small, small.steps[1], positions_of(small)[1], [command]), Refused)


@pytest.mark.parametrize("number", [0, 1])
def test_an_answer_that_nobody_asked_for_is_refused(number: int) -> None:
    small, lay = lesson(), {"do": "lay", "column": 0}
    refusal = reach(small, small.steps[number], positions_of(small)[number], [lay] * (number + 1))
    assert isinstance(refusal, Refused)
    assert refusal.code == "not_awaited"


def test_others_give_their_fallback_where_their_script_is_not_legal() -> None:
    small = lesson(steps=step(1, others=[[1, {"do": "finalize", "column": 0}]])[:2])
    with pytest.raises(BadLesson):
        positions_of(lesson(steps=[*step(1, others=[[1, {"do": "finalize", "column": 2}]])[:2]]))
    start = positions_of(lesson())[1]
    result = reach(small, small.steps[1], start, [{"do": "lay", "column": 2}])
    assert isinstance(result, Reached)
    assert len(result.position.log) == len(start.log) + 2


@pytest.mark.parametrize(
    "changes, complaint",
    [
        ({"seats": ["Silas", "Ulla"]}, "exactly one seat is null"),
        ({"seed": "11"}, "seed"),
        ({"colour": "blue"}, "colour"),
        ({"steps": [SMALL["steps"][0]] * 2}, "two steps are called aim"),
        ({"steps": step(0, meanings=[{"id": "good"}])}, "need answers"),
        ({"steps": [{**ASK}]}, "must fit every answer"),
        ({"steps": step(0, point=["the board!"])}, "point"),
    ],
)
def test_a_lesson_of_another_form_is_refused_with_a_sentence(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadLesson, match=complaint):
        lesson(**changes)


@pytest.mark.parametrize(
    "script, complaint",
    [
        ([[1, {"do": "lay", "column": 0}]], "seat 1 cannot answer .* seat 0 is awaited"),
        ([[5, {"do": "lay", "column": 0}]], "there is no seat 5"),
        ([[0, {"do": "lay", "column": 9}]], "9 is not possible"),
    ],
)
def test_an_answer_that_the_rules_refuse_is_named_with_its_step(script: list[Any], complaint: str) -> None:
    with pytest.raises(BadLesson, match=f"aim: .*{complaint}|aim: {complaint}"):
        positions_of(lesson(steps=step(0, script=script)))
