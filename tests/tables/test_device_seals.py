"""Sealed answers that stay on devices until all have answered, at tables in virtual time."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.commitments import canonical_json
from protocol.messages import TableSettings
from server.model import Done, Refused
from server.tables import events
from server.tables.entries import write_entry
from server.tables.settings import read_settings
from server.tables.summary import pack_summary
from tests.replies import code_of
from tests.tables.devices import SALTS, begin, bid_of, events_of, open_all, opening_of, seal, seal_all, seal_of, unseal
from tests.tables.table_server import TableServer, pass_time, settle
from tests.tables.virtual_time import in_virtual_time


def awaited(server: TableServer, table: str) -> list[str]:
    """Return the users for whom the lists say that the game waits for them."""
    return sorted(server.loaded(table)._stored_summary.status.awaited)


@in_virtual_time
async def test_a_decision_is_sealed_on_devices_opened_and_resolved() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    ann, ben, pat = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    assert (ann.decision["opening"], ann.decision["attempt"]) == (None, 0)
    await seal(server, table, "ann")
    assert (ann.decision["attempt"], ann.decision["awaited"], pat.decision["awaited"]) == (1, [1], [1])
    commitment = ann.decision["kept"]
    assert "kept" not in pat.decision
    assert "kept" not in ben.decision
    assert pat.events[-1] == {"event": "answer_sealed", "seat": 0, "decision": 1, "commitment": commitment}
    assert ann.events[-2:] == [{"event": "answer_kept", "seat": 0}, pat.events[-1]]
    assert "answer" not in ann.decision
    await seal(server, table, "ben")
    opening = pat.decision["opening"]
    assert (opening["seconds"], [each["seat"] for each in opening["seals"]]) == (10, [0, 1])
    assert opening["seals"][0] == {"seat": 0, "attempt": 0, "commitment": commitment}
    assert pat.events[-1] == {"event": "openings_asked", "decision": 1, "seals": opening["seals"]}
    assert pat.decision["awaited"] == [0, 1]
    assert isinstance(await unseal(server, table, "ben"), Done)
    assert (pat.decision["awaited"], pat.events[-1]) == ([0], {"event": "answered", "seat": 1})
    assert ann.decision["kept"] == commitment
    assert "kept" not in ben.decision
    assert isinstance(await unseal(server, table, "ann"), Done)
    opened = next(event for event in pat.events if event["event"] == "answers_opened")
    assert [each["salt"] for each in opened["openings"]] == [SALTS["ann"], SALTS["ben"]]
    assert not any(each["by_server"] for each in opened["openings"])
    state = server.state(table)
    assert (state.play.number, state.seals, state.is_opening) == (2, {}, False)
    await server.registry.close()


@in_virtual_time
async def test_no_stored_byte_holds_an_answer_or_a_salt_before_all_have_answered() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    await seal(server, table, "ann")
    await seal(server, table, "ann", 1)
    stored = b"".join(entry.payload for entry in await server.store.read(table))
    stored += repr(vars(server.store)).encode()
    for secret in (
        SALTS["ann"],
        bytes.fromhex(SALTS["ann"]),
        '"do":"bid"',
        canonical_json(bid_of(server, table, "ann")),
    ):
        assert (secret if isinstance(secret, bytes) else secret.encode()) not in stored
    assert b"answer_sealed" in stored
    assert not await events_of(server, table, events.SealOpened)
    await seal(server, table, "ben")
    await unseal(server, table, "ann", 1)
    assert SALTS["ann"].encode() in b"".join(entry.payload for entry in await server.store.read(table))
    await server.registry.close()


@pytest.mark.parametrize("shows", [True, False])
@in_virtual_time
async def test_who_has_answered_is_shown_as_at_other_tables_and_that_it_changed_its_answer_never(shows: bool) -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "cat", show_decided=shows)
    ann, ben, pat = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    await seal(server, table, "ann")
    assert ann.decision["awaited"] == [1, 2]
    assert pat.decision["awaited"] == ben.decision["awaited"] == ([1, 2] if shows else [0, 1, 2])
    seen = len(pat.messages), len(ben.messages)
    first = ann.decision["kept"]
    await seal(server, table, "ann", 1)
    assert (len(pat.messages), len(ben.messages)) == seen
    assert (ann.decision["attempt"], ann.decision["kept"] == first) == (2, False)
    assert isinstance(await server.bid("ann", table, None), Done)
    assert "kept" not in ann.decision
    await seal(server, table, "ann", 1)
    assert (len(pat.messages), len(ben.messages)) == seen
    assert len(await events_of(server, table, events.AnswerChanged)) == 3
    await seal_all(server, table, "cat", "ben")
    # From here on everybody may know which devices have not opened.
    for screen in (ann, ben, pat):
        assert screen.decision["awaited"] == [0, 1, 2]
        assert [each["attempt"] for each in screen.decision["opening"]["seals"]] == [3, 0, 0]
    await open_all(server, table, "cat")
    assert [screen.decision["awaited"] for screen in (ann, ben, pat)] == [[0, 1]] * 3
    assert ben.events[-1] == {"event": "answered", "seat": 2}
    assert isinstance(await unseal(server, table, "ann", 1), Done)
    await open_all(server, table, "ben")
    assert server.state(table).play.number == 2
    await server.registry.close()


@in_virtual_time
async def test_an_answer_that_the_server_has_is_void_once_a_device_keeps_another_one() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    ann = await server.watch("ann", table)
    assert isinstance(await server.bid("ann", table, None), Done)
    await seal(server, table, "ann")
    kept = canonical_json(bid_of(server, table, "ann"))
    assert "answer" not in ann.decision
    assert server.state(table).play.answers == {}
    # Otherwise this would be the last answer.
    assert isinstance(await server.bid("ben", table, None), Done)
    assert (server.state(table).play.number, server.state(table).is_opening) == (1, True)
    assert server.state(table).play.awaited == (0,)
    await open_all(server, table, "ann")
    (opened,) = await events_of(server, table, events.AnswersOpened)
    assert [(each.attempt, each.answer) for each in opened.openings] == [(1, kept), (0, '{"do":"sit"}')]
    await server.registry.close()


@in_virtual_time
async def test_without_any_answer_on_a_device_nothing_is_asked_for() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    await seal(server, table, "ann")
    assert isinstance(await server.bid("ann", table, None), Done)
    assert isinstance(await server.bid("ben", table, None), Done)
    assert server.state(table).play.number == 2
    assert not await events_of(server, table, events.OpeningsAsked)
    sealed = await events_of(server, table, events.AnswerSealed)
    assert [(each.seat, each.attempt, each.salt is None) for each in sealed] == [
        (0, 0, True),
        (0, 1, False),
        (1, 0, False),
    ]
    await server.registry.close()


@in_virtual_time
async def test_the_same_seal_and_the_same_opening_twice_are_no_error_and_change_nothing() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    first = seal_of(server, table, "ann")
    await server.do("ann", "seal", table, **first)
    before = await server.entries(table)
    await server.do("ann", "seal", table, **first)
    assert await server.entries(table) == before
    await seal(server, table, "ben")
    await open_all(server, table, "ann")
    before = await server.entries(table)
    await open_all(server, table, "ann")
    assert await server.entries(table) == before
    await server.registry.close()


# -- refusals -------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_table_without_the_setting_keeps_nothing_on_devices() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", sealed_on_devices=False)
    ann = await server.watch("ann", table)
    assert "opening" not in ann.decision
    assert await server.refusal("ann", "seal", table, **seal_of(server, table, "ann")) == "wrong_phase"
    assert code_of(await unseal(server, table, "ann")) == "wrong_phase"
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_is_not_verifiable_keeps_nothing_on_devices() -> None:
    server = TableServer()
    table = await server.create("ann", sealed_on_devices=True, absence_seconds=None)
    await server.seat(table, "ben")
    old = [
        write_entry([event for event in entry if not isinstance(event, events.ServerSeedDrawn)], 1_000)
        for entry in await server.entries(table)
    ]
    summary = pack_summary(server.state(table))
    await server.registry.close()
    later = TableServer()
    await later.store.create(table, "open", summary, old)
    ann = await later.watch("ann", table)
    await later.do("ann", "start", table)
    assert "opening" not in ann.decision
    fields = {"decision": 1, "attempt": 0, "commitment": "A" * 43}
    assert await later.refusal("ann", "seal", table, **fields) == "wrong_phase"
    assert isinstance(await later.bid("ann", table, None), Done)
    assert isinstance(await later.bid("ben", table, None), Done)
    assert later.state(table).play.number == 2
    await later.registry.close()


@in_virtual_time
async def test_a_game_without_sealed_decisions_cannot_have_the_setting() -> None:
    settings = {"game": "mosaic", "seats": 2, "sealed_on_devices": True}
    refused = read_settings(TableSettings.model_validate(settings))
    assert isinstance(refused, Refused)
    assert (refused.code, refused.variant) == ("bad_settings", "unsealed")
    server = TableServer()
    table = await server.create("ann", game="mosaic", seats=2)
    assert await server.refusal("ann", "change_settings", table, settings=settings) == "bad_settings"
    await server.registry.close()


@in_virtual_time
async def test_an_open_decision_cannot_be_sealed() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    assert isinstance(await server.bid("ann", table, -1), Done)
    assert isinstance(await server.bid("ben", table, None), Done)
    assert not server.state(table).play.decision.sealed
    fields = {"decision": 2, "attempt": 0, "commitment": "A" * 43}
    assert await server.refusal("ann", "seal", table, **fields) == "wrong_phase"
    await server.registry.close()


@in_virtual_time
async def test_a_seal_of_another_attempt_or_decision_is_refused() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    before = await server.entries(table)
    other = seal_of(server, table, "ann", attempt=1)
    assert await server.refusal("ann", "seal", table, **other) == "bad_commitment"
    late = {**seal_of(server, table, "ann"), "decision": 2}
    assert await server.refusal("ann", "seal", table, **late) == "stale_decision"
    assert await server.entries(table) == before
    await server.registry.close()


@in_virtual_time
async def test_during_the_openings_nothing_can_be_changed() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", bots=1, hints="all")
    ben = await server.watch("ben", table)
    server.bots.decide()
    await settle()
    await seal_all(server, table, "ann", "ben")
    before = await server.entries(table)
    sit = {"decision": 1, "command": {"do": "sit"}}
    requests: dict[str, dict[str, Any]] = {
        "decide": sit,
        "look_ahead": sit,
        "seal": seal_of(server, table, "ann", 1),
        "undo": {"decision": 1},
        "hint": {"decision": 1},
    }
    for kind, fields in requests.items():
        refused = await server.ask("ann", kind, table, **fields)
        assert isinstance(refused, Refused)
        assert (refused.code, refused.variant) == ("not_awaited", "opening"), kind
    assert await server.entries(table) == before
    assert ben.decision["awaited"] == [0, 1]
    await server.registry.close()


@in_virtual_time
async def test_what_does_not_open_a_seal_is_refused_and_changes_nothing() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "cat")
    await seal(server, table, "ann")
    assert code_of(await unseal(server, table, "ann")) == "wrong_phase"
    assert isinstance(await server.bid("ben", table, None), Done)
    await seal(server, table, "cat")
    before = await server.entries(table)
    right = opening_of(server, table, "ann")
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("bad_commitment", {"command": bid_of(server, table, "ann", 1)}),
        ("bad_commitment", {"salt": SALTS["ben"]}),
        ("illegal_choice", {"command": {"do": "bid", "card": 99}}),
        ("not_offered", {"command": {"do": "nothing"}}),
        ("stale_decision", {"decision": 2}),
    ]
    for code, fields in wrong:
        assert await server.refusal("ann", "unseal", table, **{**right, **fields}) == code, fields
    assert code_of(await unseal(server, table, "ben")) == "wrong_phase", "the server has made the salt"
    assert await server.refusal("pat", "unseal", table, **right) == "not_seated"
    assert await server.entries(table) == before
    await open_all(server, table, "ann", "cat")
    assert code_of(await server.ask("ann", "unseal", table, **right)) == "stale_decision"
    await server.registry.close()


# -- the lists, bots and clocks ----------------------------------------------------------------------------------


@in_virtual_time
async def test_the_lists_wait_for_nobody_whose_answer_is_on_a_device() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    assert awaited(server, table) == ["ann", "ben"]
    await seal(server, table, "ann")
    assert awaited(server, table) == ["ben"]
    await seal(server, table, "ben")
    assert awaited(server, table) == []
    await open_all(server, table, "ann")
    assert awaited(server, table) == []
    await server.restart()
    await server.watch("ann", table)
    assert awaited(server, table) == []
    await open_all(server, table, "ben")
    assert server.state(table).play.number == 2
    assert awaited(server, table) != []
    await server.registry.close()


@in_virtual_time
async def test_bots_answer_as_everywhere_and_the_server_makes_their_salts() -> None:
    server = TableServer()
    table = await begin(server, "ann", bots=2)
    await seal(server, table, "ann")
    server.bots.decide()
    await settle()
    assert server.state(table).is_opening
    sealed = await events_of(server, table, events.AnswerSealed)
    assert [(each.seat, each.by_server) for each in sealed] == [(0, False), (1, True), (2, True)]
    assert not server.bots.asked
    await open_all(server, table, "ann")
    assert server.state(table).play.number == 2
    await server.registry.close()


@in_virtual_time
async def test_who_resigns_after_sealing_can_still_open_and_the_bot_is_not_asked() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "cat")
    await seal(server, table, "ann")
    await server.do("ann", "resign", table)
    await settle()
    assert not server.bots.asked
    assert await server.refusal("ann", "seal", table, **seal_of(server, table, "ann", 1)) == "not_awaited"
    await seal_all(server, table, "ben", "cat")
    await server.do("ben", "resign", table)
    await settle()
    assert not server.bots.asked
    await open_all(server, table, "ann", "ben", "cat")
    state = server.state(table)
    assert (state.play.number, await events_of(server, table, events.SealsNotOpened)) == (2, [])
    await server.registry.close()


@in_virtual_time
async def test_no_clock_runs_for_who_has_sealed_nor_for_anybody_during_the_openings() -> None:
    server = TableServer()
    clock = {"kind": "bank", "seconds": 60, "increment": 0}
    table = await begin(server, "ann", "ben", clock=clock)
    ann = await server.watch("ann", table)
    await pass_time(5)
    await seal(server, table, "ann")
    await pass_time(5)
    await seal(server, table, "ben")
    elapsed = ann.messages[-1]["elapsed"]
    await pass_time(8)
    await open_all(server, table, "ann")
    assert ann.messages[-1]["elapsed"] == elapsed
    await open_all(server, table, "ben")
    (charged,) = await events_of(server, table, events.ClocksCharged)
    assert charged.thinking == (55_000, 50_000)
    await server.registry.close()


@pytest.mark.parametrize("shows", [True, False])
@in_virtual_time
async def test_the_fallback_of_a_seat_that_ran_out_of_time_may_be_the_last_answer(shows: bool) -> None:
    server = TableServer()
    clock = {"kind": "decision", "seconds": 10}
    table = await begin(server, "ann", "ben", clock=clock, time_up="fallback", show_decided=shows)
    pat = await server.watch("pat", table)
    await seal(server, table, "ann")
    await pass_time(10.5)
    assert server.state(table).is_opening
    assert [event["event"] for event in pat.events if event["event"] in ("time_ran_out", "openings_asked")] == [
        "time_ran_out",
        "openings_asked",
    ]
    assert pat.decision["awaited"] == [0]
    await open_all(server, table, "ann")
    assert server.state(table).play.number == 2
    await server.registry.close()
