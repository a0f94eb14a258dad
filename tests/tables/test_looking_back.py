"""Looking back at a finished game: each viewer sees every step as it saw it then, and nothing else."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from server.model import Done
from server.store.api import LogDamaged
from server.tables import look_back
from tests.tables.faulty_store import FaultyStore, fails, raises, takes
from tests.tables.table_server import PatientBots, Reply, Screen, TableServer, pass_time, person, settle, wall
from tests.tables.virtual_time import in_virtual_time

NAMES = ("ann", "ben")
VIEWERS = (*NAMES, "pat")
RANDOM_GAMES: list[tuple[str, dict[str, Any]]] = [
    ("auction", {"options": {"rounds": 6}}),
    ("auction", {"options": {"rounds": 6}, "show_decided": False}),
    ("mosaic", {}),
    ("investors", {}),
]


class Watcher(Screen):
    """A connection that records the view and the events of each step."""

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


async def play_out(server: TableServer, table: str, rng: random.Random) -> None:
    """Let people chat, change sealed answers, undo and decide at random until the game is over."""
    while (state := server.state(table)).phase != "over":
        names = [name for name in NAMES if state.seat_of(name) in state.play.decision.prompts]
        if names:
            await server.play_on(table, rng.choice(names), rng)
        if names and rng.random() < 0.1:
            # Refused where nothing can be undone.
            await server.ask(names[0], "undo", table, decision=server.state(table).play.number)
        if rng.random() < 0.1:
            await server.do(rng.choice(VIEWERS), "say", table, text="well")
        await pass_time(0.1)


async def finished(game: str = "auction", **settings: Any) -> tuple[TableServer, str, dict[str, Watcher]]:
    """Return a server with the table of a finished game of two people and a bot, and what each viewer saw of it."""
    server = TableServer(bots=PatientBots(0))
    table = await server.create("ann", game=game, seats=3, absence_seconds=None, **settings)
    await server.seat(table, "ben")
    await server.do("ann", "add_bot", table)
    watchers = {name: Watcher(name) for name in VIEWERS}
    for name, watcher in watchers.items():
        await server.watch(name, table, watcher, key=server.key(table))
    await server.do("ann", "start", table)
    await play_out(server, table, random.Random(4))
    return server, table, watchers


@pytest.fixture(params=[look_back.MAX_CHECKPOINTS, 5])
def _checkpoints(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a checkpoint of every step, or of few."""
    monkeypatch.setattr(look_back, "MAX_CHECKPOINTS", request.param)


@pytest.mark.usefixtures("_checkpoints")
@pytest.mark.parametrize("game, settings", RANDOM_GAMES)
@in_virtual_time
async def test_every_step_is_seen_again_as_it_was(game: str, settings: dict[str, Any]) -> None:
    server, table, watchers = await finished(game, **settings)
    before = await server.log(table)
    for is_restarted in (False, True):
        if is_restarted:
            await server.restart()
        for name, watcher in watchers.items():
            last = len(watcher.steps) - 1
            for step in {0, 1, last, *range(0, last, 7)} if is_restarted else range(last + 1):
                seen = await server.do(name, "look_back", table, step=step)
                assert (seen["step"], seen["steps"]) == (step, last)
                assert seen["view"]["mine"] == (NAMES.index(name) if name in NAMES else None)
                assert (seen["view"]["play"], seen["events"]) == watcher.steps[step], (name, step)
                assert (seen["view"]["table"]["seed"] is None) == (step < last)
            assert await server.refusal(name, "look_back", table, step=last + 1) == "no_such_step"
    assert await server.log(table) == before
    await server.registry.close()


@in_virtual_time
async def test_players_see_nothing_of_a_running_game_again() -> None:
    server = TableServer()
    table = await server.create("ann", seats=2)
    assert await server.refusal("ann", "look_back", table, step=0) == "wrong_phase"
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    for name in NAMES:
        for request in ({"step": 0}, {"step": 0, "eyes": "spectators"}, {"step": 0, "eyes": 0}):
            assert await server.refusal(name, "look_back", table, **request) == "wrong_phase"
        assert await server.refusal(name, "get_timeline", table) == "wrong_phase"
    await server.registry.close()


async def given_up(server: TableServer, **settings: Any) -> str:
    """Return a table whose players abandoned the game before their first decision."""
    table = await server.begin(*NAMES, **settings)
    for name in NAMES:
        await server.do(name, "vote", table, on="abandon", agree=True)
    return table


@in_virtual_time
async def test_a_game_that_was_given_up_has_the_steps_until_then() -> None:
    server = TableServer()
    table = await given_up(server)
    seen = await server.do("ann", "look_back", table, step=0)
    assert (seen["steps"], seen["view"]["table"]["phase"]) == (0, "running")
    assert [fact["event"] for fact in seen["events"]][:1] == ["game_started"]
    assert await server.refusal("ann", "look_back", table, step=1) == "no_such_step"
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_closed_before_its_game_has_no_steps() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.do("ann", "leave_seat", table)
    assert await server.refusal("ann", "look_back", table, step=0) == "no_such_step"
    await server.registry.close()


@in_virtual_time
async def test_a_user_who_may_not_watch_may_not_look_back() -> None:
    server = TableServer()
    table = await given_up(server, spectators=False)
    assert await server.refusal("pat", "look_back", table, step=0) == "no_spectators"
    await server.registry.close()


@in_virtual_time
async def test_only_people_with_access_look_back_at_a_private_table() -> None:
    server = TableServer()
    table = await given_up(server, private=True)
    assert await server.refusal("pat", "look_back", table, step=0) == "no_such_table"
    await server.watch("pat", table, key=server.key(table))
    seen = await server.do("pat", "look_back", table, step=0)
    assert seen["view"]["table"]["key"] is None
    await server.registry.close()


@in_virtual_time
async def test_looking_back_lets_other_tables_go_on() -> None:
    server = TableServer(bots=PatientBots(0))
    table = await server.begin("ann", bots=2, game="investors", absence_seconds=None)
    rng = random.Random(2)
    while server.state(table).phase != "over":
        if server.state(table).seat_of("ann") in server.state(table).play.decision.prompts:
            await server.play_on(table, "ann", rng)
        await pass_time(0.1)
    other = await server.begin("cat", "dan", table="table2")
    answers: list[Reply] = []
    looking = server.send("ann", "look_back", table, step=0)
    looking.add_done_callback(lambda done: answers.append(done.result()))
    await server.do("cat", "say", other, text="not kept waiting")
    assert answers == []
    assert isinstance(await looking, Done)
    await server.registry.close()


# -- cost -----------------------------------------------------------------------------------------------------


def new_server() -> tuple[TableServer, FaultyStore]:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    return TableServer(store), store


@in_virtual_time
async def test_many_requests_share_one_replay() -> None:
    server, store = new_server()
    table = await given_up(server)
    store.calls.clear()
    seen = [server.send(name, "look_back", table, step=0) for name in VIEWERS for _ in range(5)]
    assert all(isinstance(reply, Done) for reply in await asyncio.gather(*seen))
    reads = store.calls.count("read")
    assert reads == 2, "one batch, and the end of the log"
    await server.do("pat", "look_back", table, step=0)
    assert store.calls.count("read") == reads
    await server.registry.close()


@in_virtual_time
async def test_a_table_does_not_wait_for_a_replay() -> None:
    server, store = new_server()
    table = await given_up(server)
    store.plan("read", takes(5))
    looking = server.send("pat", "look_back", table, step=0)
    await settle()
    assert isinstance(await asyncio.wait_for(server.send("ann", "say", table, text="well"), 1), Done)
    assert not looking.done()
    await server.registry.close()
    assert isinstance(looking.result(), Done)


@in_virtual_time
async def test_a_replay_that_failed_is_tried_again() -> None:
    server, store = new_server()
    table = await given_up(server)
    store.plan("read", fails, raises(LogDamaged(table, 3)))
    assert await server.refusal("pat", "look_back", table, step=0) == "storage_failed"
    assert await server.refusal("pat", "look_back", table, step=0) == "table_unavailable"
    await server.do("pat", "look_back", table, step=0)
    await server.registry.close()


@in_virtual_time
async def test_the_tables_that_were_looked_back_at_last_keep_their_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_back, "MAX_REPLAYED", 2)
    server, store = new_server()
    tables = [await given_up(server, table=f"table{number}") for number in range(3)]

    async def is_read(table: str) -> bool:
        store.calls.clear()
        await server.do("ann", "look_back", table, step=0)
        return "read" in store.calls

    assert [await is_read(tables[number]) for number in (0, 1, 0, 2, 0, 1)] == [True, True, False, True, False, True]
    await server.registry.close()
    assert not server.registry._context.replays._used
