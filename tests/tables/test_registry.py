"""The table registry: loading, unloading and closing of tables; presence, and the lists."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import msgpack
import pytest

from server.model import Done
from server.tables.log import LEASE_SECONDS
from server.tables.mailbox import MAX_MAILBOX
from server.tables.messages import TableDeserted
from server.tables.registry import DESERTED_INTERVAL_SECONDS, DESERTED_SECONDS, UNLOAD_INTERVAL_SECONDS
from server.tables.subscribers import PRESENCE_DELAY_SECONDS
from tests.replies import code_of, result_of
from tests.tables.faulty_store import FaultyStore, fails, takes
from tests.tables.roles import choice
from tests.tables.table_server import PatientBots, Screen, TableServer, pass_time, person, settle, wall
from tests.tables.virtual_time import in_virtual_time

# -- awake and at rest ----------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_process_that_begins_touches_no_table() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    await server.create("ann")
    await server.restart()
    store.calls.clear()
    server.registry.start()
    await pass_time(60)
    assert server.registry.loaded == 0
    assert store.calls == []
    await server.registry.close()


@in_virtual_time
async def test_a_table_without_subscribers_is_unloaded_and_loaded_again_on_request() -> None:
    server = TableServer()
    server.registry.start()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    await pass_time(3 * UNLOAD_INTERVAL_SECONDS)
    assert server.registry.loaded == 1
    server.registry.unsubscribe(table, ann)
    await pass_time(2 * UNLOAD_INTERVAL_SECONDS)
    assert server.registry.loaded == 0
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    await server.watch("ann", table, ann, have=ann.number)
    assert ann.missed is not None
    assert [fact["event"] for fact in ann.missed] == ["seat_taken"]
    await server.registry.close()


@in_virtual_time
async def test_an_unloaded_table_is_freed_without_the_garbage_collector() -> None:
    server = TableServer()
    server.registry.start()
    table = await server.begin("ann", "ben", absence_seconds=None)
    ann = await server.watch("ann", table)
    actor = weakref.ref(server.registry._actors[table])
    gc.disable()
    try:
        server.registry.unsubscribe(table, ann)
        await pass_time(2 * UNLOAD_INTERVAL_SECONDS)
        assert server.registry.loaded == 0
        assert actor() is None
    finally:
        gc.enable()
    await server.registry.close()


@in_virtual_time
async def test_a_table_is_not_unloaded_while_a_clock_runs_or_a_bot_thinks() -> None:
    server = TableServer()
    server.registry.start()
    await server.begin("ann", "ben", table="clock", clock={"kind": "decision", "seconds": 1_000}, absence_seconds=None)
    await server.begin("ann", bots=1, table="bots", absence_seconds=None)
    await server.begin("ann", "ben", table="free", absence_seconds=None)
    await pass_time(3 * UNLOAD_INTERVAL_SECONDS)
    assert sorted(server.registry._actors) == ["bots", "clock"]
    await server.registry.close()


@in_virtual_time
async def test_a_request_that_comes_while_a_table_is_being_unloaded_is_served() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    server.registry.start()
    table = await server.create("ann", seats=3)
    store.plan("release", takes(5))
    await pass_time(UNLOAD_INTERVAL_SECONDS + 1)
    assert server.registry.loaded == 0
    answers = [server.send(name, "take_seat", table) for name in ("ben", "cat")]
    await pass_time(1)
    assert not answers[0].done()
    assert [result_of(await answer)["seat"] for answer in answers] == [1, 2]
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_does_not_exist_is_forgotten_soon() -> None:
    server = TableServer()
    server.registry.start()
    assert await server.refusal("ann", "take_seat", "nowhere") == "no_such_table"
    assert code_of(await server.try_watch(Screen(person("ann")), "nowhere")) == "no_such_table"
    await pass_time(2 * UNLOAD_INTERVAL_SECONDS)
    assert server.registry.loaded == 0
    await server.registry.close()


@in_virtual_time
async def test_a_full_mailbox_refuses_as_busy_and_loses_nothing_that_it_took() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    table = await server.create("ann")
    store.plan("append", takes(5))
    answers = [server.send("ann", "say", table, text=str(number)) for number in range(MAX_MAILBOX + 10)]
    await settle()
    late = [server.send("ann", "say", table, text="late") for _ in range(2)]
    codes = [code_of(await answer) for answer in (*answers, *late)]
    assert codes == [None] * MAX_MAILBOX + ["busy"] * 10 + [None, "busy"]
    assert len(await server.log(table)) == 1 + MAX_MAILBOX + 1
    await server.registry.close()


@in_virtual_time
async def test_a_bot_waits_for_a_full_mailbox_and_is_heard_afterwards() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    table = await server.begin("ann", bots=1, absence_seconds=None)
    store.plan("append", takes(5))
    answers = [server.send("ann", "say", table, text=str(number)) for number in range(MAX_MAILBOX)]
    await settle()
    answers.append(server.send("ann", "say", table, text="full now"))
    server.bots.decide()
    await pass_time(10)
    assert all(answer.done() for answer in answers)
    assert server.state(table).awaited() == (0,)
    await server.registry.close()


# -- the end --------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_closing_finishes_all_mailboxes_and_gives_all_tables_up() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    server.registry.start()
    for table in ("table1", "table2"):
        await server.create("ann", table, seats=3)
    store.plan("append", takes(1), takes(1), takes(1))
    answers = [server.send(name, "take_seat", table) for table in ("table1", "table2") for name in ("ben", "cat")]
    store.plan("create", takes(1))
    opening = asyncio.ensure_future(server.try_create("ann", "table3"))
    await asyncio.sleep(0)
    first = server.registry
    closing = asyncio.ensure_future(first.close())
    await settle()
    assert code_of(await server.ask("dan", "take_seat", "table1")) == "busy"
    await closing
    assert all(isinstance(answer.result(), Done) for answer in answers)
    assert code_of(await opening) == "busy"
    assert all(row.fence is None for row in store._tables.values())
    server.registry = server.new_registry()
    assert await server.refusal("dan", "take_seat", "table1") == "no_free_seat"
    assert isinstance(await server.try_create("ann", "table3"), Done)
    await server.registry.close()


@in_virtual_time
async def test_closing_waits_for_a_table_that_is_being_put_to_rest() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    server.registry.start()
    await server.create("ann")
    store.plan("release", takes(5))
    await pass_time(UNLOAD_INTERVAL_SECONDS + 1)
    await server.registry.close()
    assert all(row.fence is None for row in store._tables.values())
    assert len(asyncio.all_tasks()) == 1


@in_virtual_time
async def test_nothing_is_left_of_a_process_that_has_ended() -> None:
    server = TableServer(bots=PatientBots(pause_seconds=1))
    server.registry.start()
    table = await server.begin("ann", "ben", bots=1, clock={"kind": "decision", "seconds": 10})
    ann, ben = await server.watch("ann", table), await server.watch("ben", table)
    actor = server.registry._actors[table]
    await server.registry.close()
    told = len(server.lists.updates)
    server.registry.unsubscribe(table, ann)
    actor.unsubscribe(ben)
    ann.drain()
    await pass_time(1_000)
    assert len(asyncio.all_tasks()) == 1
    assert ann.drain() == []
    assert len(server.lists.updates) == told
    assert code_of(await server.ask("ann", "say", table, text="hello")) == "busy"


@in_virtual_time
async def test_after_one_process_has_ended_another_one_takes_over_at_once() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.restart()
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    await server.registry.close()


@in_virtual_time
async def test_a_worker_renews_its_leases_also_after_the_storage_has_failed() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store, worker="one of many")
    server.registry.start()
    table = await server.create("ann")
    await server.watch("ann", table)
    fence = store._tables[table].fence
    store.plan("renew", fails)
    for _ in range(10):
        await pass_time(LEASE_SECONDS)
        assert store._tables[table].leased_until > asyncio.get_running_loop().time()
    assert store._tables[table].fence == fence
    await server.registry.close()


@in_virtual_time
async def test_a_process_alone_keeps_its_tables_without_renewing_leases() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    server.registry.start()
    table = await server.create("ann")
    await server.watch("ann", table)
    fence = store._tables[table].fence
    store.calls.clear()
    await pass_time(10 * LEASE_SECONDS)
    assert store.calls == []
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    assert store._tables[table].fence == fence
    await server.registry.close()


# -- tables that nobody comes back to -------------------------------------------------------------------------


@in_virtual_time
async def test_an_open_table_is_over_when_nobody_has_come_for_a_day() -> None:
    server = TableServer()
    server.registry.start()
    await server.create("ann", "left1")
    await server.create("ann", "watched")
    await server.begin("ann", "ben", table="running", absence_seconds=None)
    pat = await server.watch("pat", "watched")
    await pass_time(DESERTED_SECONDS["open"] - DESERTED_INTERVAL_SECONDS)
    assert server.lists.of("left1")["phase"] == "open"
    await pass_time(3 * DESERTED_INTERVAL_SECONDS)
    assert server.lists.of("left1")["phase"] == "over"
    assert {row.table: row.phase for row in await server.store.tables()} == {
        "left1": "over",
        "watched": "open",
        "running": "running",
    }
    server.registry.unsubscribe("watched", pat)
    await pass_time(2 * DESERTED_INTERVAL_SECONDS)
    assert server.lists.of("watched")["phase"] == "over"
    assert server.registry.loaded == 0
    await server.registry.close()


@in_virtual_time
async def test_a_running_game_is_abandoned_when_nothing_has_happened_for_a_month() -> None:
    server = TableServer()
    await server.begin("ann", "ben", table="running", absence_seconds=None)
    await server.restart()
    for days, phase in ((29, "running"), (2, "over")):
        await pass_time(days * 24 * 3600)
        await server.registry._abandon_deserted()
        await settle()
        assert server.lists.of("running")["phase"] == phase
    await server.registry.close()


@in_virtual_time
async def test_a_table_at_which_something_has_just_happened_is_not_cleared_away() -> None:
    server = TableServer()
    table = await server.create("ann")
    server.registry.post(table, TableDeserted(0))
    await server.do("ben", "take_seat", table)
    server.registry.post(table, TableDeserted(1))
    await settle()
    assert server.state(table).phase == "open"
    server.registry.post(table, TableDeserted(2))
    await settle()
    assert server.state(table).phase == "over"
    await server.registry.close()


# -- presence and lists ---------------------------------------------------------------------------------------


@in_virtual_time
async def test_presence_shows_who_is_here_away_a_bot_or_free() -> None:
    server = TableServer()
    table = await server.create("ann", seats=4)
    await server.do("ben", "take_seat", table)
    await server.do("ann", "add_bot", table)
    ann = await server.watch("ann", table)
    await pass_time(1)
    assert ann.presence == {
        "type": "presence",
        "table": table,
        "seats": ["here", "away", "bot", "free"],
        "spectators": 0,
        "away": [None, None, None, None],
    }
    ben, tab = await server.watch("ben", table), await server.watch("ben", table)
    await pass_time(1)
    assert ann.presence["seats"] == ["here", "here", "bot", "free"]
    server.registry.unsubscribe(table, tab)
    await pass_time(1)
    assert ann.presence["seats"] == ["here", "here", "bot", "free"]
    server.registry.unsubscribe(table, ben)
    await pass_time(1)
    assert ann.presence["seats"] == ["here", "away", "bot", "free"]
    await server.registry.close()


@in_virtual_time
async def test_many_joins_are_collected_into_one_presence_message() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    await pass_time(1)
    ann.drain()
    for number in range(100):
        await server.watch(f"u{number}", table)
    await pass_time(PRESENCE_DELAY_SECONDS + 0.01)
    assert [message["spectators"] for message in ann.drain()] == [100]
    await server.registry.close()


@in_virtual_time
async def test_a_spectator_with_several_connections_is_one_spectator() -> None:
    server = TableServer()
    table = await server.create("ann")
    tabs = [await server.watch("pat", table) for _ in range(3)]
    await pass_time(1)
    assert tabs[0].presence is not None
    assert tabs[0].presence["spectators"] == 1
    assert server.lists.of(table)["spectators"] == 1
    for tab in tabs:
        server.registry.unsubscribe(table, tab)
    await pass_time(1)
    assert server.lists.of(table)["spectators"] == 0
    await server.registry.close()


@in_virtual_time
async def test_a_later_connection_gets_the_presence() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.watch("ann", table)
    await pass_time(1)
    pat = await server.watch("pat", table)
    assert [message["type"] for message in pat.drain()] == ["view", "presence"]
    await server.registry.close()


@in_virtual_time
async def test_the_last_to_leave_is_not_counted_when_the_table_is_put_to_rest_at_once() -> None:
    server = TableServer()
    table = await server.create("ann")
    pat = await server.watch("pat", table)
    await pass_time(1)
    server.registry.unsubscribe(table, pat)
    await server.registry.close()
    assert server.lists.of(table)["spectators"] == 0


def summary(row: Any) -> Any:
    return msgpack.unpackb(row.summary)


@in_virtual_time
async def test_the_lists_and_the_store_show_a_table_as_it_is_after_every_step() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3, game="mosaic", absence_seconds=None)
    await server.watch("pat", table)

    async def same(phase: str) -> None:
        await pass_time(1)
        (row,) = await server.store.tables()
        expected = server.summary(table)
        assert (row.phase, expected["phase"]) == (phase, phase)
        stored = summary(row)
        assert {key: stored[key] for key in ("summary", "private")} == {"summary": expected, "private": False}
        assert stored.keys() == {"summary", "private", "status"}
        assert server.lists.of(table) == {**expected, "spectators": 1}
        assert (await server.store.tables(phase)) == [row]

    await same("open")
    for name, kind, fields in (
        ("ben", "take_seat", {}),
        ("ann", "add_bot", {}),
        ("ann", "remove_bot", {"seat": 2}),
        ("cat", "take_seat", {}),
        ("ann", "kick", {"seat": 2}),
        ("ann", "leave_seat", {}),
        ("dan", "take_seat", {}),
        ("eve", "take_seat", {}),
        ("dan", "ready", {"ready": True}),
        ("eve", "ready", {"ready": True}),
    ):
        await server.do(name, kind, table, **fields)
        await same("open")
    assert server.summary(table)["host"] == "ben"
    await server.do("ben", "start", table)
    await same("running")
    while server.state(table).phase == "running":
        (seat,) = server.state(table).awaited()
        await server.do(server.state(table).chairs[seat].user, "decide", table, **choice(server, table))
    await same("over")
    await server.do("ben", "play_again", table)
    await pass_time(1)
    assert {row.phase for row in await server.store.tables()} == {"over", "open"}
    await server.registry.close()


@in_virtual_time
async def test_the_lists_get_no_summary_that_has_not_changed() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    await pass_time(1)
    told = len(server.lists.updates)
    await server.do("ann", "say", table, text="hello")
    await server.do("ann", "ready", table, ready=True)
    server.registry.unsubscribe(table, ann)
    await pass_time(1)
    assert len(server.lists.updates) == told
    await server.registry.close()


@pytest.mark.parametrize("is_private", [True, False])
@in_virtual_time
async def test_the_lists_learn_which_tables_are_private(is_private: bool) -> None:
    server = TableServer()
    await server.create("ann", private=is_private)
    assert {private for _, private in server.lists.updates} == {is_private}
    await server.registry.close()
