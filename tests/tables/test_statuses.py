"""Statuses: whom a table waits for, for what and since when; in the lists and in the store, after every entry."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgpack
import pytest

from server.model import Done
from server.tables.api import NO_STATUS, TableStatus
from server.tables.summary import status_of, unpack_status
from tests.tables.faulty_store import FaultyStore, fails
from tests.tables.roles import agree, choice, play_turn
from tests.tables.table_server import PatientBots, TableServer, pass_time, settle, wall
from tests.tables.virtual_time import in_virtual_time


def status(server: TableServer, table: str) -> TableStatus:
    """Return the status that the lists got last."""
    return server.lists.statuses[table][-1]


async def stored(server: TableServer, table: str) -> TableStatus | None:
    """Return the status in the store."""
    (row,) = await server.store.rows([table])
    return unpack_status(msgpack.unpackb(row.summary))


async def both(server: TableServer, table: str) -> TableStatus:
    """Return the status of a table, which must be the same in the lists and in the store."""
    assert await stored(server, table) == status(server, table)
    return status(server, table)


async def awaited(server: TableServer, table: str) -> list[str]:
    return sorted((await both(server, table)).awaited)


def now() -> int:
    return round(wall() * 1000)


@in_virtual_time
async def test_a_table_before_its_game_waits_for_nobody() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.seat(table, "ben")
    assert await both(server, table) == NO_STATUS
    await server.registry.close()


@in_virtual_time
async def test_the_status_follows_the_decisions_of_a_game() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", game="mosaic", absence_seconds=None)
    started = now()
    assert await both(server, table) == TableStatus(frozenset({"ann"}), "take", started, {"turn": 0})
    await pass_time(5)
    await server.do("ann", "decide", table, **choice(server, table))
    placed = now()
    assert await both(server, table) == TableStatus(frozenset({"ann"}), "place", placed, {"turn": 0})
    await pass_time(5)
    await server.do("ann", "say", table, text="well")
    assert (await both(server, table)).since == placed
    for _ in range(2):
        await server.do("ann", "decide", table, **choice(server, table))
    assert await both(server, table) == TableStatus(frozenset({"ben"}), "take", now(), {"turn": 1})
    await server.registry.close()


@pytest.mark.parametrize("show_decided", [True, False])
@in_virtual_time
async def test_a_user_who_has_sealed_an_answer_is_not_awaited_any_more(show_decided: bool) -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", show_decided=show_decided)
    started = now()
    assert await awaited(server, table) == ["ann", "ben"]
    await pass_time(3)
    assert isinstance(await server.bid("ann", table, -1), Done)
    assert await awaited(server, table) == ["ben"]
    assert (await both(server, table)).since == started
    told = len(server.lists.statuses[table])
    assert isinstance(await server.bid("ann", table, None), Done)
    assert len(server.lists.statuses[table]) == told
    assert isinstance(await server.bid("ben", table, None), Done)
    assert await awaited(server, table) == ["ann", "ben"]
    assert (await both(server, table)).since == now()
    assert (await both(server, table)).progress == {"round": 2}
    await server.registry.close()


@in_virtual_time
async def test_nobody_is_awaited_in_a_pause() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    before = status(server, table)
    await pass_time(1)
    await agree(server, table, "pause")
    assert await both(server, table) == before._replace(awaited=frozenset())
    await server.do("ann", "vote", table, on="resume", agree=True)
    assert await both(server, table) == before
    await agree(server, table, "abandon")
    assert await both(server, table) == NO_STATUS
    await server.registry.close()


@in_virtual_time
async def test_people_for_whom_a_bot_decides_are_not_awaited() -> None:
    server = TableServer()
    clock = {"kind": "decision", "seconds": 10}
    table = await server.begin("ann", "ben", "cat", clock=clock, absence_seconds=None)
    await server.do("cat", "resign", table)
    assert await awaited(server, table) == ["ann", "ben"]
    assert isinstance(await server.bid("ben", table, None), Done)
    await pass_time(11)
    assert server.state(table).chairs[0].stand_in is not None
    assert await awaited(server, table) == []
    while not status(server, table).awaited:
        server.bots.decide()
        await settle()
    assert await awaited(server, table) == ["ben"]
    await server.do("ann", "return_to_seat", table)
    assert await awaited(server, table) == ["ann", "ben"]
    await server.registry.close()


@in_virtual_time
async def test_a_bot_is_never_awaited() -> None:
    server = TableServer()
    table = await server.begin("ann", bots=1)
    assert await awaited(server, table) == ["ann"]
    assert isinstance(await server.bid("ann", table, -1), Done)
    assert await awaited(server, table) == []
    await server.registry.close()


@in_virtual_time
async def test_undoing_opens_the_decision_anew() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", game="mosaic", absence_seconds=None)
    await server.do("ann", "decide", table, **choice(server, table))
    await pass_time(4)
    await server.do("ann", "undo", table, decision=server.state(table).play.number)
    assert await both(server, table) == TableStatus(frozenset({"ann"}), "take", now(), {"turn": 0})
    await server.registry.close()


@pytest.mark.parametrize("is_crash", [True, False])
@in_virtual_time
async def test_the_status_is_the_same_after_a_restart(is_crash: bool) -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", show_decided=False)
    await pass_time(2)
    assert isinstance(await server.bid("ben", table, -1), Done)
    before = await both(server, table)
    await (server.crash() if is_crash else server.restart())
    assert await stored(server, table) == before
    server.lists.statuses.clear()
    server.registry.load(table)
    await settle()
    assert await both(server, table) == before
    await server.registry.close()


@in_virtual_time
async def test_a_status_that_could_not_be_stored_is_stored_with_the_next_attempt() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    table = await server.begin("ann", "ben")
    store.plan("append", fails)
    assert not isinstance(await server.bid("ann", table, -1), Done)
    assert await awaited(server, table) == ["ann", "ben"]
    assert isinstance(await server.bid("ann", table, -1), Done)
    assert await awaited(server, table) == ["ben"]
    await server.registry.close()


@in_virtual_time
async def test_a_rollback_pauses_the_game_and_nobody_is_awaited() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.loaded(table).append_rollback(1)
    assert await awaited(server, table) == []
    await agree(server, table, "resume")
    assert await awaited(server, table) == ["ann", "ben"]
    await server.registry.close()


@pytest.mark.parametrize("game", ["auction", "mosaic", "investors", "planners", "builders"])
@in_virtual_time
async def test_lists_store_and_table_agree_after_every_entry_of_a_game(game: str) -> None:
    server = TableServer(bots=PatientBots(0.01))
    table = await server.begin("ann", "ben", bots=1, game=game, absence_seconds=None)
    rng = random.Random(9)
    for _ in range(150):
        state = server.state(table)
        if state.phase != "running":
            break
        opened_at = server.loaded(table).history.decision_opened_at
        assert await both(server, table) == status_of(state, state.play, opened_at)
        names = [name for name in ("ann", "ben") if state.seat_of(name) in state.play.decision.prompts]
        if names:
            await server.play_on(table, rng.choice(names), rng)
        if rng.random() < 0.1:
            await server.ask("ann", "undo", table, decision=server.state(table).play.number)
        if rng.random() < 0.1:
            await server.do("ben", "vote", table, on="abandon", agree=rng.random() < 0.5)
        await pass_time(0.02)
    await server.registry.close()


@in_virtual_time
async def test_the_public_summary_does_not_change_with_a_move() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", game="mosaic", absence_seconds=None)
    await pass_time(1)
    told: list[Any] = list(server.lists.updates)
    await play_turn(server, table, "ann")
    await pass_time(1)
    assert server.lists.updates == told
    await server.registry.close()
