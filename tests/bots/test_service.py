"""The bot service: the delay of its answers, and an answer in every case."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest

from server.bots.question import read_question
from server.bots.registry import strengths_of
from server.bots.service import BotService
from server.bots.strategy import Style
from server.bots.think_time import SEARCH_SECONDS, ThinkTime
from server.bots.worker_pool import NoAnswer, WorkerPool
from server.games.engine.serialization import Json
from server.games.registry import GAMES
from tests.bots.positions import Position, positions, some_positions
from tests.games.test_secrecy import SECRETS
from tests.tables.virtual_time import in_virtual_time

INVESTORS = GAMES["investors"]
MIN, MAX = 0.8, 2.0


class FakeWorkerPool(WorkerPool):
    """A pool that answers with a made-up command after so many seconds, or fails."""

    def __init__(self, seconds: float, fails: bool = False) -> None:
        super().__init__(1)
        self.seconds = seconds
        self.fails = fails
        self.requests: list[dict[str, Any]] = []

    async def ask(self, request: dict[str, Any], deadline: float, *, is_long: bool) -> dict[str, Any]:
        self.requests.append(request)
        await asyncio.sleep(self.seconds)
        if self.fails:
            raise NoAnswer("it hangs")
        return {"command": {"do": "thought"}, "reason": None}


def table_view(position: Position) -> dict[str, Any]:
    """Return the parts of a table's view that a bot uses."""
    question = position.question_json()
    assert position.play.decision is not None
    decision = {"about": question["about"], "sealed": position.play.decision.sealed, "prompt": question["prompt"]}
    settings = {"game": question["game"], "options": question["options"]}
    return {
        "table": {"settings": settings},
        "mine": position.seat,
        "play": {"game": question["view"], "decision": decision},
    }


async def delay_and_answer(
    position: Position, strength: str, workers: WorkerPool, think_time: ThinkTime
) -> tuple[float, Json]:
    """Return the delay in seconds, and the answer."""
    loop = asyncio.get_running_loop()
    start, answer = loop.time(), loop.create_future()
    bots = BotService(workers, think_time, random.Random(1))
    bots.think(strength, None, table_view(position), answer.set_result)
    command = await answer
    return round(loop.time() - start, 3), command


@pytest.mark.parametrize("strength", ["random", *strengths_of("investors")])
@in_virtual_time
async def test_a_bot_takes_its_time_but_not_too_long(strength: str) -> None:
    for position in some_positions(INVESTORS, "time", 50):
        seconds, _ = await delay_and_answer(position, strength, FakeWorkerPool(0.01), ThinkTime(MIN, MAX))
        assert MIN <= seconds <= MAX + 0.01


@in_virtual_time
async def test_the_delay_does_not_depend_on_the_time_of_the_search() -> None:
    position = next(positions(INVESTORS, "time"))
    for strength, seconds in SEARCH_SECONDS.items():
        quick = await delay_and_answer(position, strength, FakeWorkerPool(0.0), ThinkTime(MIN, MAX))
        slow = await delay_and_answer(position, strength, FakeWorkerPool(seconds), ThinkTime(MIN, MAX))
        assert quick == slow


@in_virtual_time
async def test_the_delay_does_not_depend_on_secrets_not_even_on_its_own() -> None:
    """Two plays that look the same to spectators take the same time."""
    rng = random.Random(2)
    for position in some_positions(INVESTORS, "own", 50):
        twin = position._replace(play=SECRETS["investors"].scrambled(position.play, None, rng))
        left = await delay_and_answer(position, "normal", FakeWorkerPool(0.0), ThinkTime(MIN, MAX))
        right = await delay_and_answer(twin, "normal", FakeWorkerPool(0.4), ThinkTime(MIN, MAX))
        assert left[0] == right[0]


@in_virtual_time
async def test_without_think_time_an_answer_comes_at_once() -> None:
    position = next(positions(INVESTORS, "time"))
    assert await delay_and_answer(position, "normal", FakeWorkerPool(0.0), ThinkTime(0, 0)) == (0.0, {"do": "thought"})


@in_virtual_time
async def test_without_an_answer_the_fallback_of_the_prompt_is_played() -> None:
    position = next(positions(INVESTORS, "time"))
    _, command = await delay_and_answer(position, "hard", FakeWorkerPool(3.5, fails=True), ThinkTime(MIN, MAX))
    assert command == position.question_json()["prompt"]["fallback"]


@in_virtual_time
async def test_every_decision_has_its_own_seed() -> None:
    workers, position = FakeWorkerPool(0.0), next(positions(INVESTORS, "time"))
    bots = BotService(workers, ThinkTime(0, 0), random.Random(1))
    for _ in range(3):
        bots.think("normal", None, table_view(position), lambda command: None)
    await asyncio.sleep(1)
    assert len({request["seed"] for request in workers.requests}) == 3


@in_virtual_time
async def test_a_question_names_the_style_of_the_bot_and_advice_has_none() -> None:
    workers, position = FakeWorkerPool(0.0), next(positions(INVESTORS, "time"))
    bots = BotService(workers, ThinkTime(0, 0), random.Random(1))
    bots.think("normal", "greedy", table_view(position), lambda command: None)
    bots.think("normal", None, table_view(position), lambda command: None)
    bots.advise("normal", table_view(position), lambda advice: None)
    await asyncio.sleep(1)
    assert [request["question"]["style"] for request in workers.requests] == ["greedy", None, None]
    assert read_question(workers.requests[0]["question"]) == replace(position.question, style=Style.GREEDY)


@in_virtual_time
async def test_advice_comes_without_a_pause_or_not_at_all() -> None:
    position = next(positions(INVESTORS, "time"))
    for fails, expected in ((False, {"command": {"do": "thought"}, "reason": None}), (True, None)):
        loop = asyncio.get_running_loop()
        start, advice = loop.time(), loop.create_future()
        bots = BotService(FakeWorkerPool(0.1, fails), ThinkTime(MIN, MAX), random.Random(1))
        bots.advise("normal", table_view(position), advice.set_result)
        assert await advice == expected
        assert round(loop.time() - start, 3) == 0.1


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@in_virtual_time
async def test_the_random_strength_needs_no_process(game: Any) -> None:
    for position in some_positions(game, "chance", 20):
        workers = FakeWorkerPool(0.0)
        _, command = await delay_and_answer(position, "random", workers, ThinkTime(0, 0))
        assert workers.requests == []
        assert not hasattr(position.question.prompt.read(command), "code")


def test_the_pause_of_a_standing_order_is_a_think_time_drawn_from_the_given_source() -> None:
    bots = BotService(FakeWorkerPool(0.0), ThinkTime(MIN, MAX), random.Random(1))
    first, again = (bots.pause("bid", True, random.Random("order")) for _ in range(2))
    assert first == again
    assert MIN <= first <= MAX
    assert bots.pause("bid", True, random.Random("another")) != first
