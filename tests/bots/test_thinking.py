"""How long bots seem to think, and that an answer always comes."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from server.bots.pauses import SECONDS, Pauses
from server.bots.registry import strengths_of
from server.bots.thinking import Thinking
from server.bots.workers import NoAnswer, Workers
from server.games.engine.serialization import Json
from server.games.registry import GAMES
from tests.bots.positions import Position, positions, some_positions
from tests.games.test_secrecy import SECRETS
from tests.tables.virtual_time import in_virtual_time

INVESTORS = GAMES["investors"]
MIN, MAX = 0.8, 2.0


class PromptWorkers(Workers):
    """Workers that answer with the fallback, after so long."""

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
    """Give what of a table's view a bot looks at."""
    asked = position.asked()
    assert position.play.decision is not None
    decision = {"about": asked["about"], "sealed": position.play.decision.sealed, "prompt": asked["prompt"]}
    settings = {"game": asked["game"], "options": asked["options"]}
    return {
        "table": {"settings": settings},
        "mine": position.seat,
        "play": {"game": asked["view"], "decision": decision},
    }


async def shown(position: Position, strength: str, workers: Workers, pauses: Pauses) -> tuple[float, Json]:
    """Give after how many seconds which answer is shown."""
    loop = asyncio.get_running_loop()
    begun, answer = loop.time(), loop.create_future()
    Thinking(workers, pauses, random.Random(1)).think(strength, table_view(position), answer.set_result)
    command = await answer
    return round(loop.time() - begun, 3), command


@pytest.mark.parametrize("strength", ["random", *strengths_of("investors")])
@in_virtual_time
async def test_a_bot_takes_its_time_but_not_too_long(strength: str) -> None:
    for position in some_positions(INVESTORS, "time", 50):
        seconds, _ = await shown(position, strength, PromptWorkers(0.01), Pauses(MIN, MAX))
        assert MIN <= seconds <= MAX + 0.01


@in_virtual_time
async def test_how_long_a_bot_really_thinks_cannot_be_seen() -> None:
    position = next(positions(INVESTORS, "time"))
    for strength, seconds in SECONDS.items():
        quick = await shown(position, strength, PromptWorkers(0.0), Pauses(MIN, MAX))
        slow = await shown(position, strength, PromptWorkers(seconds), Pauses(MIN, MAX))
        assert quick == slow


@in_virtual_time
async def test_how_long_a_bot_seems_to_think_does_not_depend_on_secrets_even_its_own() -> None:
    """Whoever watches sees what spectators see: two plays that are alike to them take the same time."""
    rng = random.Random(2)
    for position in some_positions(INVESTORS, "own", 50):
        twin = position._replace(play=SECRETS["investors"].scrambled(position.play, None, rng))
        left = await shown(position, "normal", PromptWorkers(0.0), Pauses(MIN, MAX))
        right = await shown(twin, "normal", PromptWorkers(0.4), Pauses(MIN, MAX))
        assert left[0] == right[0]


@in_virtual_time
async def test_without_pauses_an_answer_comes_as_soon_as_it_is_there() -> None:
    position = next(positions(INVESTORS, "time"))
    assert await shown(position, "normal", PromptWorkers(0.0), Pauses(0, 0)) == (0.0, {"do": "thought"})


@in_virtual_time
async def test_where_nothing_is_thought_the_rules_fallback_is_played() -> None:
    position = next(positions(INVESTORS, "time"))
    _, command = await shown(position, "hard", PromptWorkers(3.5, fails=True), Pauses(MIN, MAX))
    assert command == position.asked()["prompt"]["fallback"]


@in_virtual_time
async def test_every_decision_has_chance_of_its_own() -> None:
    workers, position = PromptWorkers(0.0), next(positions(INVESTORS, "time"))
    bots = Thinking(workers, Pauses(0, 0), random.Random(1))
    for _ in range(3):
        bots.think("normal", table_view(position), lambda command: None)
    await asyncio.sleep(1)
    assert len({request["seed"] for request in workers.requests}) == 3


@in_virtual_time
async def test_advice_comes_without_a_pause_or_not_at_all() -> None:
    position = next(positions(INVESTORS, "time"))
    for fails, expected in ((False, {"command": {"do": "thought"}, "reason": None}), (True, None)):
        loop = asyncio.get_running_loop()
        begun, advice = loop.time(), loop.create_future()
        bots = Thinking(PromptWorkers(0.1, fails), Pauses(MIN, MAX), random.Random(1))
        bots.advise("normal", table_view(position), advice.set_result)
        assert await advice == expected
        assert round(loop.time() - begun, 3) == 0.1


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@in_virtual_time
async def test_chance_needs_no_process(game: Any) -> None:
    for position in some_positions(game, "chance", 20):
        workers = PromptWorkers(0.0)
        _, command = await shown(position, "random", workers, Pauses(0, 0))
        assert workers.requests == []
        assert not hasattr(position.question.prompt.read(command), "code")
