"""Durability: nothing is replied or shown before it is durable, and a repeated request takes effect once."""

from __future__ import annotations

from typing import Any

import pytest

from server.model import Done
from server.store.api import Conflict, Fenced, NewEntry, Position, Rewound
from server.tables.entries import write_entry
from server.tables.events import SeatLeft
from server.tables.log import LEASE_SECONDS
from server.tables.replies import reply_message
from tests.replies import code_of, result_of
from tests.tables.faulty_server import faulty_server, ready, users
from tests.tables.faulty_store import Fault, fails, gives, loses_the_reply, takes, works
from tests.tables.roles import choice
from tests.tables.table_server import PatientBots, Reply, TableServer, pass_time, person, settle
from tests.tables.virtual_time import in_virtual_time

# -- durable before it is shown -------------------------------------------------------------------------------


@in_virtual_time
async def test_nothing_is_answered_shown_or_listed_while_the_append_is_under_way() -> None:
    server, store = faulty_server()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    await pass_time(1)
    ann.drain()
    listed = len(server.lists.updates)
    store.plan("append", takes(5))
    answer = server.send("ben", "take_seat", table)
    await pass_time(4.9)
    assert not answer.done()
    assert ann.drain() == []
    assert len(server.lists.updates) == listed
    assert server.state(table).chairs[1].is_free
    await pass_time(0.2)
    assert isinstance(answer.result(), Done)
    assert [message["type"] for message in ann.drain()] == ["update"]
    await server.registry.close()


@in_virtual_time
async def test_the_answer_comes_before_the_frames_that_show_what_it_did() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    await pass_time(1)
    ann.drain()

    def on_reply(reply: Reply) -> None:
        ann.messages.append(reply_message("", reply))

    for request_id in ("one", "two"):
        server.registry.ask(person("ann"), ready(request_id), on_reply)
    await settle()
    assert [message["type"] for message in ann.drain()] == ["done", "update", "done", "update"]
    await server.registry.close()


@pytest.mark.parametrize("fault", [fails, loses_the_reply])
@in_virtual_time
async def test_after_a_failed_append_the_same_request_again_happens_once(fault: Fault) -> None:
    server, store = faulty_server()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    ann.drain()
    store.plan("append", fault)
    assert await server.refusal("ben", "take_seat", table, id="sit") == "storage_failed"
    assert [message for message in ann.drain() if message["type"] == "update"] == []
    assert server.state(table).chairs[1].is_free
    assert await server.do("ben", "take_seat", table, id="sit") == {"seat": 1}
    assert await server.log(table) == ["table_opened+seat_taken", "seat_taken"]
    fresh = await server.watch("ann", table)
    assert ann.view == fresh.view
    assert ann.number == fresh.number
    await server.registry.close()


@pytest.mark.parametrize("fault", [fails, loses_the_reply])
@in_virtual_time
async def test_after_a_failed_append_another_request_works(fault: Fault) -> None:
    server, store = faulty_server()
    table = await server.create("ann", seats=3)
    ann = await server.watch("ann", table)
    store.plan("append", fault)
    await server.refusal("ben", "take_seat", table)
    await server.do("cat", "take_seat", table)
    await server.do("ann", "say", table, text="hello")
    assert ann.view == (await server.watch("ann", table)).view
    users = [chair.user for chair in server.state(table).chairs]
    assert users == (["ann", "cat", None] if fault is fails else ["ann", "ben", "cat"])
    await server.registry.close()


@in_virtual_time
async def test_a_failed_append_that_happened_is_shown_a_moment_later_without_anybody_asking() -> None:
    server, store = faulty_server()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    store.plan("append", loses_the_reply)
    await server.refusal("ben", "take_seat", table)
    assert users(ann) == ["ann", None]
    await pass_time(2)
    assert users(ann) == ["ann", "ben"]
    await server.registry.close()


@pytest.mark.parametrize("method", ["claim", "read"])
@in_virtual_time
async def test_a_table_that_could_not_be_loaded_can_be_loaded_later(method: str) -> None:
    server, store = faulty_server()
    table = await server.create("ann")
    await server.restart()
    store.plan(method, fails)
    assert await server.refusal("ben", "take_seat", table) == "storage_failed"
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_could_not_be_stored_is_not_opened_and_can_be_opened_later() -> None:
    server, store = faulty_server()
    store.plan("create", fails, loses_the_reply)
    assert code_of(await server.try_create("ann", "table1")) == "storage_failed"
    assert code_of(await server.try_create("ann", "table1")) == "storage_failed"
    assert result_of(await server.try_create("ann", "table1"))["seat"] == 0
    assert await server.log("table1") == ["table_opened+seat_taken"]
    await server.registry.close()


# -- the same request again -----------------------------------------------------------------------------------


@in_virtual_time
async def test_the_same_request_again_gets_the_same_answer_also_after_a_restart() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    first = await server.ask("ben", "take_seat", table, id="sit")
    assert await server.ask("ben", "take_seat", table, id="sit") == first
    await server.do("ben", "leave_seat", table)
    assert await server.ask("ben", "take_seat", table, id="sit") == first, "it would be possible now, and is not done"
    assert server.state(table).chairs[1].is_free
    await server.restart()
    assert await server.ask("ben", "take_seat", table, id="sit") == first
    await server.crash()
    assert await server.ask("ben", "take_seat", table, id="sit") == first
    assert server.state(table).chairs[1].is_free
    await server.registry.close()


@in_virtual_time
async def test_the_same_request_again_gets_the_same_answer_though_it_would_be_refused_now() -> None:
    server = TableServer()
    table = await server.create("ann", private=True)
    key = server.key(table)
    sat = await server.ask("ben", "take_seat", table, id="sit", key=key)
    ben = await server.watch("ben", table)
    said = await server.ask("ben", "say", table, id="talk", text="hello")
    left = await server.ask("ben", "leave_seat", table, id="leave")
    server.registry.unsubscribe(table, ben)
    assert await server.refusal("ben", "ready", table, ready=True) == "no_such_table"
    assert await server.ask("ben", "leave_seat", table, id="leave") == left
    assert await server.ask("ben", "say", table, id="talk", text="hello") == said
    assert await server.ask("ben", "take_seat", table, id="sit", key=key) == sat
    await server.registry.close()


@in_virtual_time
async def test_an_answer_to_a_decision_sent_twice_counts_once_and_is_accepted_twice() -> None:
    server = TableServer()
    table = await server.begin("ann", game="mosaic")
    asked = choice(server, table)
    first = await server.ask("ann", "decide", table, id="move", **asked)
    assert await server.ask("ann", "decide", table, id="move", **asked) == first
    assert server.state(table).play.number == 2
    await server.registry.close()


@in_virtual_time
async def test_an_id_used_again_for_something_else_is_refused() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.do("ben", "take_seat", table, id="sit", seat=1)
    assert await server.refusal("ben", "take_seat", table, id="sit", seat=2) == "id_reused"
    assert await server.refusal("ben", "leave_seat", table, id="sit") == "id_reused"
    assert server.state(table).chairs[1].user == "ben"
    await server.registry.close()


@in_virtual_time
async def test_two_users_may_use_the_same_id() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    assert await server.do("ben", "take_seat", table, id="sit") == {"seat": 1}
    assert await server.do("cat", "take_seat", table, id="sit") == {"seat": 2}
    await server.registry.close()


# -- owners ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "result", [Fenced(), Conflict(9, b""), Rewound(1, b"")], ids=lambda result: type(result).__name__
)
@in_virtual_time
async def test_after_an_append_of_another_owner_the_log_is_read_and_the_request_handled_again(result: Any) -> None:
    server, store = faulty_server()
    table = await server.create("ann")
    store._tables[table].leased_until = 0.0
    store.plan("append", gives(result))
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    assert await server.log(table) == ["table_opened+seat_taken", "seat_taken"]
    await server.registry.close()


@in_virtual_time
async def test_a_log_that_keeps_changing_makes_the_table_busy() -> None:
    server, store = faulty_server()
    table = await server.create("ann")
    store.always("append", gives(Conflict(9, b"")))
    assert await server.refusal("ben", "take_seat", table) == "busy"
    store.always("append", works)
    await server.do("ben", "take_seat", table)
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_another_worker_holds_is_busy_until_its_lease_has_run_out() -> None:
    server = TableServer()
    table = await server.create("ann")
    first, server.registry = server.registry, server.new_registry()
    assert await server.refusal("ben", "take_seat", table) == "busy"
    await pass_time(LEASE_SECONDS)
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    await server.registry.close()
    await first.close()


@in_virtual_time
async def test_an_owner_that_was_replaced_writes_nothing_and_takes_over_again_when_it_can() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    first = server.registry
    ann = await server.watch("ann", table)
    await pass_time(LEASE_SECONDS)
    second = server.registry = server.new_registry()
    await server.do("ben", "take_seat", table)
    server.registry = first
    assert await server.refusal("cat", "take_seat", table) == "busy"
    assert (await server.store.head(table)).seq == 2  # type: ignore[union-attr]
    await second.close()
    assert await server.do("cat", "take_seat", table) == {"seat": 2}
    assert users(ann) == ["ann", "ben", "cat"]
    await first.close()


@in_virtual_time
async def test_a_lease_that_is_lost_is_noticed_without_anybody_asking() -> None:
    server, store = faulty_server(worker="one of many")
    server.registry.start()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    store._tables[table].leased_until = 0.0
    thief = await store.claim(table, "thief", 0)
    left = write_entry([SeatLeft(0, kicked=False)], 0)
    await store.append(table, thief.fence, Position(1, thief.head), NewEntry(left))
    await pass_time(10)
    assert users(ann) == [None, None]
    await server.registry.close()


@in_virtual_time
async def test_an_owner_whose_lease_has_run_out_shows_no_view_from_before_it() -> None:
    # What the client was told by the next owner must be in every view that it gets afterwards, from whomever.
    server, store = faulty_server(worker="one of many")
    server.registry.start()
    table = await server.create("ann")
    store.always("renew", fails)
    await pass_time(LEASE_SECONDS)
    next_owner = await store.claim(table, "another", 0)
    left = write_entry([SeatLeft(0, kicked=False)], 0)
    await store.append(table, next_owner.fence, Position(1, next_owner.head), NewEntry(left))
    assert users(await server.watch("ann", table)) == [None, None]
    await server.registry.close()


@in_virtual_time
async def test_an_owner_whose_lease_has_run_out_goes_on_if_nobody_has_taken_the_table() -> None:
    server, store = faulty_server(worker="one of many")
    server.registry.start()
    table = await server.create("ann")
    store.always("renew", fails)
    await pass_time(10 * LEASE_SECONDS)
    fence = store._tables[table].fence
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    assert store._tables[table].fence == fence
    await server.registry.close()


@in_virtual_time
async def test_the_loss_of_an_earlier_lease_does_not_affect_the_current_one() -> None:
    server = TableServer()
    table = await server.create("ann")
    server.registry._actors[table].on_lease_lost("1.earlier")
    assert await server.do("ben", "take_seat", table) == {"seat": 1}
    await server.registry.close()


# -- bots and clocks have nobody who asks again ---------------------------------------------------------------


@pytest.mark.parametrize("fault", [fails, loses_the_reply, gives(Fenced()), gives(Conflict(99, b""))])
@in_virtual_time
async def test_a_game_of_bots_goes_on_after_storage_has_failed(fault: Fault) -> None:
    server, store = faulty_server(PatientBots(pause_seconds=0.5))
    table = await server.begin("ann", bots=2, absence_seconds=None)
    store.plan("append", works, fault, fault, works, fault)
    store.plan("head", fails)
    await server.bid("ann", table, -1)
    await pass_time(60)
    assert server.state(table).play.number > 1
    assert server.state(table).awaited() in ((0,), (0, 1, 2))
    await server.registry.close()


@pytest.mark.parametrize("fault", [fails, loses_the_reply, gives(Conflict(99, b""))])
@in_virtual_time
async def test_a_clock_that_runs_out_is_noticed_though_storage_has_failed(fault: Fault) -> None:
    server, store = faulty_server()
    table = await server.begin("ann", "ben", clock={"kind": "decision", "seconds": 10}, game="mosaic")
    store.plan("append", fault, fault)
    await pass_time(30)
    assert server.state(table).chairs[0].stand_in == "random"
    await server.registry.close()


@in_virtual_time
async def test_while_storage_is_down_a_table_retries_once_a_second_and_no_more() -> None:
    server, store = faulty_server()
    table = await server.create("ann")
    await server.watch("ann", table)
    store.always("append", fails)
    store.always("head", fails)
    answers = [server.send("ann", "say", table, text=str(number)) for number in range(50)]
    await pass_time(1)
    assert {code_of(answer.result()) for answer in answers} == {"storage_failed"}
    store.calls.clear()
    await pass_time(60)
    assert len(store.calls) <= 61
    await server.registry.close()


@in_virtual_time
async def test_an_append_that_seemed_to_fail_but_took_effect_is_shown_to_subscribers() -> None:
    server, store = faulty_server()
    table = await server.begin("ann", "ben")
    pat = await server.watch("pat", table)
    await server.bid("ann", table, -1)
    store.plan("append", loses_the_reply)
    assert code_of(await server.bid("ben", table, -1)) == "storage_failed"
    await pass_time(2)
    assert "bids_revealed" in [event["event"] for event in pat.missed or ()]
    await server.registry.close()
