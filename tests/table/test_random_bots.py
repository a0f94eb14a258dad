"""Bots that play by chance."""

from __future__ import annotations

import asyncio
import random

from server.bots.random_legal import RandomBots
from server.games.prompt import Choice, Command, OneOf, Prompt
from tests.games.toy_auction import Bid, Sit
from tests.table.virtual_time import in_virtual_time
from tests.table.world import World, pass_time

PROMPT = Prompt((Choice(Sit), Choice(Bid, {"card": OneOf((3, 7))})), Sit())


@in_virtual_time
async def test_a_bot_answers_with_something_legal_within_its_time() -> None:
    bots = RandomBots(random.Random(1), 0.5, 2.0)
    loop = asyncio.get_running_loop()
    answers: list[tuple[float, Command]] = []
    begun = loop.time()
    for _ in range(200):
        bots.think("random", {}, PROMPT, lambda command: answers.append((loop.time() - begun, command)))
    assert answers == []
    await pass_time(3)
    assert {command for _, command in answers} == {Sit(), Bid(3), Bid(7)}
    assert len(answers) == 200
    assert all(0.5 <= pause <= 2.01 for pause, _ in answers)


@in_virtual_time
async def test_how_long_a_bot_thinks_does_not_depend_on_what_it_sees() -> None:
    pauses = []
    for view, prompt in (({}, PROMPT), ({"hand": [1, 2, 3]}, Prompt((Choice(Sit),), Sit()))):
        bots = RandomBots(random.Random(1), 0.5, 2.0)
        loop = asyncio.get_running_loop()
        begun, done = loop.time(), loop.create_future()
        bots.think("random", dict(view), prompt, done.set_result)
        await done
        pauses.append(round(loop.time() - begun, 3))
    assert pauses[0] == pauses[1]


@in_virtual_time
async def test_bots_play_a_game_to_its_end_at_a_table() -> None:
    world = World(bots=RandomBots(random.Random(1), 0.1, 0.5))  # type: ignore[arg-type]
    table = await world.begin("ann", bots=3, game="investors", absence_seconds=10)
    await pass_time(3_600)
    assert world.state(table).phase == "over"
    assert world.state(table).play.decision is None
    await world.keeper.close()
