"""A game that is over, step by step: every audience sees again what it saw then, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest

from server.tables.log import RECORDS_AT_ONCE
from tests.tables.virtual_time import in_virtual_time
from tests.tables.world import Answer, PatientBots, Screen, World, pass_time, person

NAMES = ("ann", "ben")
AUDIENCES = (*NAMES, "pat")
RANDOM_GAMES: list[tuple[str, dict[str, Any]]] = [
    ("auction", {"options": {"rounds": 6}}),
    ("auction", {"options": {"rounds": 6}, "show_decided": False}),
    ("mosaic", {}),
    ("investors", {}),
]


class Watcher(Screen):
    """A connection that keeps the game as it was shown, and the events told, at each of its steps."""

    def __init__(self, name: str) -> None:
        super().__init__(person(name))
        self.steps: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
        self._number: int | None = None

    def send(self, frame: Any) -> bool:
        is_sent = super().send(frame)
        play = None if self.view is None else self.view["play"]
        if play is not None and frame.message["type"] == "update":
            number = play["decision"]["number"] if play["decision"] else None
            if number != self._number or not self.steps:
                self._number = number
                self.steps.append((play, frame.message["events"]))
        return is_sent


async def play_out(world: World, table: str, rng: random.Random) -> None:
    """Let people talk, change sealed answers, take back and decide by chance until the game is over."""
    while (state := world.state(table)).phase != "over":
        names = [name for name in NAMES if state.seat_of(name) in state.play.decision.prompts]
        if names:
            await world.play_on(table, rng.choice(names), rng)
        if names and rng.random() < 0.1:
            # Where nothing can be taken back this is refused.
            await world.ask(names[0], "undo", table, decision=world.state(table).play.number)
        if rng.random() < 0.1:
            await world.do(rng.choice(AUDIENCES), "say", table, text="well")
        await pass_time(0.1)


@pytest.mark.parametrize("game, settings", RANDOM_GAMES)
@in_virtual_time
async def test_every_step_is_seen_again_as_it_was(game: str, settings: dict[str, Any]) -> None:
    world = World(bots=PatientBots(0))
    table = await world.create("ann", game=game, seats=3, absence_seconds=None, **settings)
    await world.seat(table, "ben")
    await world.do("ann", "add_bot", table)
    watchers = {name: Watcher(name) for name in AUDIENCES}
    for name, watcher in watchers.items():
        await world.watch(name, table, watcher)
    await world.do("ann", "start", table)
    await play_out(world, table, random.Random(4))
    before = await world.log(table)
    assert len(before) > RECORDS_AT_ONCE
    for is_restarted in (False, True):
        if is_restarted:
            await world.restart()
        for name, watcher in watchers.items():
            last = len(watcher.steps) - 1
            for step in {0, 1, last, *range(0, last, 7)} if is_restarted else range(last + 1):
                seen = await world.do(name, "look_back", table, step=step)
                assert (seen["step"], seen["steps"]) == (step, last)
                assert seen["view"]["mine"] == (NAMES.index(name) if name in NAMES else None)
                assert (seen["view"]["play"], seen["events"]) == watcher.steps[step], (name, step)
                assert (seen["view"]["table"]["seed"] is None) == (step < last)
            assert await world.refusal(name, "look_back", table, step=last + 1) == "no_such_step"
    assert await world.log(table) == before
    await world.registry.close()


@in_virtual_time
async def test_nothing_of_a_running_game_is_shown_again() -> None:
    world = World()
    table = await world.create("ann", seats=2)
    assert await world.refusal("ann", "look_back", table, step=0) == "wrong_phase"
    await world.seat(table, "ben")
    await world.do("ann", "start", table)
    for name in AUDIENCES:
        assert await world.refusal(name, "look_back", table, step=0) == "wrong_phase"
    await world.registry.close()


async def given_up(world: World, **settings: Any) -> str:
    """Give a table whose players gave the game up before they decided anything."""
    table = await world.begin(*NAMES, **settings)
    for name in NAMES:
        await world.do(name, "vote", table, on="abandon", agree=True)
    return table


@in_virtual_time
async def test_a_game_that_was_given_up_has_the_steps_until_then() -> None:
    world = World()
    table = await given_up(world)
    seen = await world.do("ann", "look_back", table, step=0)
    assert (seen["steps"], seen["view"]["table"]["phase"]) == (0, "running")
    assert [fact["event"] for fact in seen["events"]][:1] == ["game_started"]
    assert await world.refusal("ann", "look_back", table, step=1) == "no_such_step"
    await world.registry.close()


@in_virtual_time
async def test_a_table_that_closed_before_its_game_has_no_steps() -> None:
    world = World()
    table = await world.create("ann")
    await world.do("ann", "leave_seat", table)
    assert await world.refusal("ann", "look_back", table, step=0) == "no_such_step"
    await world.registry.close()


@in_virtual_time
async def test_who_may_not_watch_may_not_look_back() -> None:
    world = World()
    table = await given_up(world, spectators=False)
    assert await world.refusal("pat", "look_back", table, step=0) == "no_spectators"
    await world.registry.close()


@in_virtual_time
async def test_at_a_private_table_only_those_look_back_who_were_let_in() -> None:
    world = World()
    table = await given_up(world, private=True)
    assert await world.refusal("pat", "look_back", table, step=0) == "no_such_table"
    await world.watch("pat", table, key=world.key(table))
    seen = await world.do("pat", "look_back", table, step=0)
    assert seen["view"]["table"]["key"] is None
    await world.registry.close()


@in_virtual_time
async def test_looking_back_lets_other_tables_go_on() -> None:
    world = World(bots=PatientBots(0))
    table = await world.begin("ann", bots=2, game="investors", absence_seconds=None)
    rng = random.Random(2)
    while world.state(table).phase != "over":
        if world.state(table).seat_of("ann") in world.state(table).play.decision.prompts:
            await world.play_on(table, "ann", rng)
        await pass_time(0.1)
    other = await world.begin("cat", "dan", table="table2")
    answers: list[Answer] = []
    looking = world.send("ann", "look_back", table, step=0)
    looking.add_done_callback(lambda done: answers.append(done.result()))
    await world.do("cat", "say", other, text="not kept waiting")
    assert answers == []
    assert (await looking)["type"] == "done"
    await world.registry.close()
