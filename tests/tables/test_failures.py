"""Failures: damaged logs and mistakes in the code close one table with a sentence, and the others play on."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from server.store.api import LogEntry, StorageFailed, chain
from server.tables.core import TableCore
from server.tables.failures import MAX_FAILURES, WINDOW_MILLISECONDS, FailureCounter
from server.tables.results import refused
from tests.accelerated.marks import plain_only
from tests.replies import code_of
from tests.tables.faulty_server import faulty_server, ready
from tests.tables.faulty_store import FaultyStore, raises
from tests.tables.table_server import PatientBots, Reply, TableServer, pass_time, person, settle
from tests.tables.virtual_time import in_virtual_time

# -- damage ---------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_table_whose_chat_lines_cannot_be_read_is_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the log counts as read although the table in memory is missing, or older than its log."""
    server, store = faulty_server()
    table = await server.create("ann")
    await server.registry.close()
    other = server.new_registry()
    server.registry = other
    read, failures = store.key_values.get, iter([True])

    async def get(kind: str, key: str) -> bytes | None:
        if kind == "chat" and next(failures, False):
            raise StorageFailed("the connection is lost")
        return await read(kind, key)

    monkeypatch.setattr(store.key_values, "get", get)
    assert await server.refusal("ben", "take_seat", table) == "storage_failed"
    await server.do("ben", "take_seat", table)
    assert [seat.user for seat in server.state(table).chairs[:2]] == ["ann", "ben"]
    await server.registry.close()


def spoil(store: FaultyStore, table: str, payload: bytes, *, is_chained: bool) -> None:
    """Change the last entry of a table, with a matching hash or another."""
    row = store._tables[table]
    last = row.entries[-1]
    head = row.entries[-2].head
    row.entries[-1] = LogEntry(
        last.seq, chain(head, last.seq, payload) if is_chained else last.head, last.fence, payload
    )


SENSELESS = {
    "no_msgpack": b"\xc1",
    "no_record": msgpack.packb(7),
    "no_event": msgpack.packb([0, [{"event": "no_such_event"}]]),
    "wrong_field": msgpack.packb([0, [{"event": "seat_left", "seat": "one", "kicked": False}]]),
    "no_such_seat": msgpack.packb([0, [{"event": "seat_left", "seat": 9, "kicked": False}]]),
    "game_out_of_order": msgpack.packb([0, [{"event": "peeked", "seat": 0, "card": 1}]]),
    "bad_seed": msgpack.packb([0, [{"event": "game_started", "seed": "zz", "digest": ""}]]),
}


@pytest.mark.parametrize("payload", [*SENSELESS.values(), None], ids=[*SENSELESS, "wrong_hash"])
@in_virtual_time
async def test_a_damaged_table_is_closed_with_a_sentence_and_the_others_play_on(
    payload: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    server, store = faulty_server()
    table, other = await server.create("ann", "table1"), await server.create("ann", "table2")
    await server.do("ben", "take_seat", table)
    await server.restart()
    spoil(store, table, payload or SENSELESS["no_event"], is_chained=payload is not None)
    for _ in range(2):
        answer = await server.ask("ben", "ready", table, ready=True)
        assert answer == refused("table_unavailable")
    assert server.lists.removed == [table]
    assert any(record.message == "log unreadable" and record.table == table for record in caplog.records)  # type: ignore[attr-defined]
    await server.do("ben", "take_seat", other)
    server.registry.start()
    await pass_time(100)
    assert server.registry.loaded == 0
    await server.registry.close()


@in_virtual_time
async def test_a_log_of_later_rules_is_not_read() -> None:
    server, store = faulty_server()
    table = await server.create("ann")
    await server.restart()
    (entry,) = store._tables[table].entries
    at, new_events = msgpack.unpackb(entry.payload)
    new_events[0]["rules_version"] = 99
    payload = msgpack.packb([at, new_events])
    store._tables[table].entries[0] = LogEntry(1, chain(bytes(32), 1, payload), "", payload)
    assert await server.refusal("ben", "take_seat", table) == "table_unavailable"
    await server.registry.close()


# -- mistakes -------------------------------------------------------------------------------------------------


class Clumsy:
    """Makes the core of every table raise on a certain chat line, before or after it is durable."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
        self.is_on = True
        real = getattr(TableCore, where)

        def stumbling(core: TableCore, *args: Any, **kwargs: Any) -> Any:
            if self.is_on and "stumble" in str(args):
                raise ZeroDivisionError("ann holds the 7 of clubs")
            return real(core, *args, **kwargs)

        monkeypatch.setattr(TableCore, where, stumbling)


@plain_only
@pytest.mark.parametrize("where", ["handle", "commit"])
@in_virtual_time
async def test_a_request_that_raises_is_refused_and_the_table_is_rebuilt(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clumsy = Clumsy(monkeypatch, where)
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    core = server.core(table)
    assert await server.refusal("ann", "say", table, id="say", text="stumble") == "busy"
    await server.do("ann", "say", table, text="go on")
    assert server.core(table) is not core
    clumsy.is_on = False
    await server.do("ann", "say", table, id="say", text="stumble")
    said = ["stumble", "go on"] if where == "commit" else ["go on", "stumble"]
    assert ann.view is not None
    assert [line["text"] for line in ann.view["talk"]] == said
    assert [record.message for record in caplog.records] == ["table failed"]
    assert "clubs" not in caplog.text
    assert "ZeroDivisionError" in str(vars(caplog.records[0]))
    await server.registry.close()


@plain_only
@in_virtual_time
async def test_a_table_that_fails_repeatedly_is_quarantined_until_it_is_unloaded(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Clumsy(monkeypatch, "handle")
    server = TableServer()
    server.registry.start()
    table, other = await server.create("ann", "table1"), await server.create("ann", "table2")
    ann = await server.watch("ann", table)
    codes = [await server.refusal("ann", "say", table, text="stumble") for _ in range(MAX_FAILURES + 1)]
    assert codes == ["busy", "busy", "table_unavailable", "table_unavailable"]
    assert ann.messages[-1]["code"] == "table_unavailable"
    assert ann.messages[-1]["id"] is None
    assert await server.refusal("ann", "say", table, text="go on") == "table_unavailable"
    assert server.lists.removed == [table]
    await server.do("ann", "say", other, text="go on")
    await pass_time(31)
    await server.do("ann", "say", table, text="go on")
    assert server.lists.of(table)["phase"] == "open"
    await server.registry.close()


def test_failures_that_are_far_apart_do_not_add_up() -> None:
    mistakes = FailureCounter()
    times = [0, 1, WINDOW_MILLISECONDS + 1, WINDOW_MILLISECONDS + 2, 2 * WINDOW_MILLISECONDS]
    assert [mistakes.note(now) for now in times] == [False, False, False, False, True]


@in_virtual_time
async def test_an_unexpected_exception_of_the_store_is_a_refusal_too() -> None:
    server, store = faulty_server()
    store.plan("create", raises(RuntimeError("never heard of it")))
    assert code_of(await server.try_create("ann", "table1")) == "busy"
    table = await server.create("ann")
    store.plan("append", raises(RuntimeError("never heard of it")))
    assert await server.refusal("ben", "take_seat", table) == "busy"
    await server.do("ben", "take_seat", table)
    await server.registry.close()


@plain_only
@in_virtual_time
async def test_a_bot_that_makes_the_table_fail_gets_it_quarantined_rather_than_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = TableServer(bots=PatientBots(pause_seconds=0.5))
    table = await server.begin("ann", bots=1, absence_seconds=None)
    ann = await server.watch("ann", table)

    def stumbling(*_: Any) -> None:
        raise KeyError("a bot")

    monkeypatch.setattr(TableCore, "bot_decided", stumbling)
    await pass_time(60)
    assert ann.messages[-1]["code"] == "table_unavailable"
    await server.registry.close()


@in_virtual_time
async def test_a_broken_connection_does_not_affect_the_others(caplog: pytest.LogCaptureFixture) -> None:
    server = TableServer()
    table = await server.create("ann")
    ann, pat = await server.watch("ann", table), await server.watch("pat", table)
    pat.is_broken = True
    await server.do("ann", "say", table, text="hello")
    await pass_time(1)
    assert ann.presence is not None
    assert ann.presence["spectators"] == 0
    assert [record.message for record in caplog.records] == ["connection failed"]
    await server.registry.close()


@in_virtual_time
async def test_a_reply_callback_that_raises_is_no_failure_of_the_table(caplog: pytest.LogCaptureFixture) -> None:
    server = TableServer()
    table = await server.create("ann")
    core = server.core(table)

    def gone(_: Reply) -> None:
        raise ConnectionError

    server.registry.ask(person("ann"), ready("x"), gone)
    await settle()
    assert server.core(table) is core
    assert server.state(table).chairs[0].ready
    assert [record.message for record in caplog.records] == ["reply failed"]
    await server.registry.close()
