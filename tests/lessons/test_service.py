"""Requests about lessons: positions as views of a table, and the progress of each user."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from protocol.messages import REQUESTS, LessonRequest
from server.lessons.checking import lesson_problems
from server.lessons.lesson import FOLDER, lesson_names, lesson_of
from server.lessons.positions import positions_of
from server.lessons.progress import LESSON, LessonProgress
from server.lessons.service import LessonService
from server.model import Reply, User
from server.store.memory import MemoryStore
from tests.replies import code_of, result_of

ROOT = Path(__file__).parents[2]
ADA = User("ada1", "Ada")


class Learner:
    """A user who asks for lessons."""

    def __init__(self) -> None:
        self.key_values = MemoryStore().key_values
        self._service = LessonService(LessonProgress(self.key_values))

    async def ask(self, kind: str, user: User = ADA, **fields: Any) -> Reply:
        request = REQUESTS.validate_python({"type": kind, "id": "l1", **fields})
        assert isinstance(request, LessonRequest)
        return await self._service.answer(user, request)

    async def do(self, kind: str, user: User = ADA, **fields: Any) -> dict[str, Any]:
        return dict(result_of(await self.ask(kind, user, **fields)))


@pytest.fixture
def learner() -> Learner:
    return Learner()


@pytest.mark.parametrize("game", lesson_names())
def test_every_lesson_fits_rules_texts_and_page(game: str) -> None:
    assert lesson_problems(FOLDER / f"{game}.json", ROOT) == []


@pytest.mark.parametrize("game", lesson_names())
async def test_every_step_is_shown_as_a_view_of_the_learner(game: str, learner: Learner) -> None:
    lesson = lesson_of(game)
    assert lesson is not None
    for number, step in enumerate(lesson.steps):
        shown = await learner.do("get_lesson", game=game, step=number)
        assert shown["view"]["mine"] == lesson.learner
        assert shown["view"]["table"]["game"] == game
        assert shown["guide"]["id"] == step.id
        assert shown["guide"]["asks"] is bool(step.answers)
        assert json.loads(json.dumps(shown)) == shown


@pytest.mark.parametrize("game", lesson_names())
async def test_what_others_hold_is_not_sent(game: str, learner: Learner) -> None:
    lesson = lesson_of(game)
    assert lesson is not None
    for number, position in enumerate(positions_of(lesson)):
        shown = await learner.do("get_lesson", game=game, step=number)
        seats = shown["view"]["seats"]
        assert [seat["name"] for seat in seats if seat["bot"]] == [name for name in lesson.seats if name]
        answered = [event for entry in shown["entries"] for event in entry["events"] if event["event"] == "answered"]
        assert all("command" not in event or event["seat"] == lesson.learner for event in answered)
        assert len(shown["entries"]) == len(position.log)


@pytest.mark.parametrize("game", lesson_names())
async def test_the_own_answers_of_every_step_are_accepted_and_explained(game: str, learner: Learner) -> None:
    lesson = lesson_of(game)
    assert lesson is not None
    for number, step in enumerate(lesson.steps):
        for given in range(1, len(step.answers) + 1):
            shown = await learner.do("get_lesson", game=game, step=number, answers=step.answers[:given])
            assert shown["guide"]["done"] is (given == len(step.answers)), step.id
            assert shown["latest"], step.id
        if step.answers:
            assert shown["guide"]["meaning"] == step.meanings[0].id


async def test_looking_ahead_shows_a_play_and_keeps_nothing(learner: Learner) -> None:
    lesson = lesson_of("investors")
    assert lesson is not None
    number = next(place for place, step in enumerate(lesson.steps) if step.answers)
    before = await learner.do("get_lesson", game="investors", step=number)
    reply = await learner.ask(
        "get_lesson", game="investors", step=number, answers=lesson.steps[number].answers[:1], ahead=True
    )
    assert code_of(reply) in (None, "not_foreseeable")
    assert await learner.do("get_lesson", game="investors", step=number) == before
    assert code_of(await learner.ask("get_lesson", game="investors", step=number, ahead=True)) == "malformed"


@pytest.mark.parametrize(
    "fields, code",
    [
        ({"game": "chess", "step": 0}, "no_such_lesson"),
        ({"game": "../investors", "step": 0}, "no_such_lesson"),
        ({"game": "investors", "step": 999}, "no_such_step"),
        ({"game": "investors", "step": 0, "answers": [{"do": "bid"}]}, "not_awaited"),
    ],
)
async def test_what_is_not_there_is_refused(fields: dict[str, Any], code: str, learner: Learner) -> None:
    assert code_of(await learner.ask("get_lesson", **fields)) == code
    if "answers" not in fields:
        assert code_of(await learner.ask("keep_lesson", **fields)) == code


async def test_progress_is_kept_for_each_user_and_game(learner: Learner) -> None:
    game = lesson_names()[0]
    await learner.do("keep_lesson", game=game, step=1)
    kept = (await learner.do("get_lessons"))["lessons"]
    assert kept[game]["step"] == 1
    assert kept[game]["done"] is False
    other = (await learner.do("get_lessons", User("bo1", "Bo")))["lessons"]
    assert other[game]["step"] == 0


async def test_a_finished_lesson_stays_finished(learner: Learner) -> None:
    game = lesson_names()[0]
    await learner.do("keep_lesson", game=game, step=2, done=True)
    await learner.do("keep_lesson", game=game, step=0)
    kept = (await learner.do("get_lessons"))["lessons"][game]
    assert (kept["step"], kept["done"]) == (0, True)


async def test_a_step_that_is_gone_from_a_lesson_leads_to_its_beginning(learner: Learner) -> None:
    game = lesson_names()[0]
    value = json.dumps({game: {"step": "no_longer_there", "done": True}}).encode()
    await learner.key_values.put(LESSON, ADA.id, value)
    kept = (await learner.do("get_lessons"))["lessons"][game]
    assert (kept["step"], kept["done"]) == (0, True)


async def test_two_devices_do_not_lose_the_progress_of_each_other(learner: Learner) -> None:
    games = lesson_names()
    await asyncio.gather(*(learner.do("keep_lesson", game=game, step=1) for game in games))
    kept = (await learner.do("get_lessons"))["lessons"]
    assert [kept[game]["step"] for game in games] == [1] * len(games)
