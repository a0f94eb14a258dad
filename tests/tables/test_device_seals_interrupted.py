"""Sealed answers on devices when somebody or something fails: late openings, pauses, restarts, rollbacks, the end."""

from __future__ import annotations

from copy import deepcopy

import pytest

from server.games.engine.play import Answered
from server.model import Done
from server.store.memory import MemoryStore
from server.tables import events
from tests.replies import code_of
from tests.tables.devices import begin, events_of, open_all, opening_of, seal, seal_all, seal_of, unseal
from tests.tables.roles import agree
from tests.tables.rollback import come_back, put_back, tables_of
from tests.tables.table_server import TableServer, pass_time, settle
from tests.tables.virtual_time import in_virtual_time


@pytest.mark.parametrize("shows", [True, False])
@in_virtual_time
async def test_who_does_not_open_within_ten_seconds_plays_the_fallback(shows: bool) -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", "cat", show_decided=shows)
    pat = await server.watch("pat", table)
    await seal_all(server, table, "ann", "ben", "cat")
    fallback = server.state(table).play.decision.prompts[0].fallback
    await open_all(server, table, "ben")
    late_opening = opening_of(server, table, "ann")
    await pass_time(9.9)
    assert server.state(table).play.number == 1
    await pass_time(0.2)
    assert server.state(table).play.number == 2
    assert [event for event in pat.events if event["event"] == "seals_not_opened"] == [
        {"event": "seals_not_opened", "decision": 1, "seats": [0, 2]}
    ]
    last = [each for each in await events_of(server, table, events.AnswerSealed) if each.attempt == 1]
    assert [(each.seat, each.by_server) for each in last] == [(0, True), (2, True)]
    answered = await events_of(server, table, Answered)
    assert [(each.seat, each.command == fallback) for each in answered] == [(1, False), (0, True), (2, True)]
    assert code_of(await server.ask("ann", "unseal", table, **late_opening)) == "stale_decision"
    # Later attempts are published with the openings, and the first ones where that is shown.
    shown = [event["seat"] for event in pat.events if event["event"] == "answer_sealed" and event["decision"] == 1]
    assert shown == ([0, 1, 2] if shows else [])
    await server.registry.close()


@in_virtual_time
async def test_the_openings_wait_ten_seconds_in_each_decision_anew() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    for number in (1, 2):
        # Both fall back to bidding nothing, so that the next decision is sealed again.
        await seal_all(server, table, "ann", "ben")
        await pass_time(9.5)
        assert server.state(table).play.number == number
        await pass_time(0.6)
        assert server.state(table).play.number == number + 1
        await pass_time(5)
    await server.registry.close()


@in_virtual_time
async def test_a_pause_stops_the_openings_and_they_begin_again_after_it() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    await seal_all(server, table, "ann", "ben")
    await pass_time(9)
    await agree(server, table, "pause")
    assert code_of(await unseal(server, table, "ann")) == "paused"
    await pass_time(1_000)
    assert server.state(table).is_opening
    await server.do("ann", "vote", table, on="resume", agree=True)
    await pass_time(9)
    assert server.state(table).is_opening
    await open_all(server, table, "ann", "ben")
    assert not await events_of(server, table, events.SealsNotOpened)
    await server.registry.close()


async def another_owner(server: TableServer, ending: str) -> TableServer:
    """End a server in the middle of something, and return the one that owns its tables then."""
    if ending != "another worker":
        await (server.restart() if ending == "restart" else server.crash())
        return server
    await server.crash()
    await server.registry.close()
    later = TableServer(server.store, worker="another")
    # Its people do not use the ids of their requests again.
    later._ids = server._ids
    return later


ENDINGS = ["restart", "crash", "another worker"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("stage", ["sealed", "asked", "opened"])
@in_virtual_time
async def test_the_next_owner_goes_on_where_the_openings_were(stage: str, ending: str) -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    assert isinstance(await server.bid("ann", table, None), Done)
    await seal(server, table, "ann")
    if stage != "sealed":
        await seal(server, table, "ben")
    if stage == "opened":
        await open_all(server, table, "ann")
    before = server.state(table)
    ann = await server.watch("ann", table)
    later = await another_owner(server, ending)
    again = await later.watch("ann", table)
    state = later.state(table)
    assert (state.seals, state.is_opening, state.play.answers) == (before.seals, before.is_opening, before.play.answers)
    assert ann.view == again.view
    if stage == "sealed":
        await seal(later, table, "ben")
    await open_all(later, table, *(["ben"] if stage == "opened" else ["ann", "ben"]))
    assert later.state(table).play.number == 2
    assert not await events_of(later, table, events.SealsNotOpened)
    await later.registry.close()


@pytest.mark.parametrize("ending", ENDINGS)
@in_virtual_time
async def test_the_deadline_runs_anew_at_the_next_owner(ending: str) -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    await seal_all(server, table, "ann", "ben")
    await pass_time(9)
    later = await another_owner(server, ending)
    await later.watch("ann", table)
    await pass_time(9)
    assert later.state(table).is_opening
    await pass_time(1.5)
    assert later.state(table).play.number == 2
    await later.registry.close()


@in_virtual_time
async def test_requests_that_are_repeated_after_a_restart_have_no_second_effect() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    sealing, opening = seal_of(server, table, "ann"), opening_of(server, table, "ann")
    await server.do("ann", "seal", table, id="s", **sealing)
    await server.crash()
    await server.watch("ann", table)
    before = await server.entries(table)
    await server.do("ann", "seal", table, id="s", **sealing)
    assert await server.entries(table) == before
    await seal(server, table, "ben")
    await server.do("ann", "unseal", table, id="u", **opening)
    await open_all(server, table, "ben")
    await server.crash()
    await server.watch("ann", table)
    before = await server.entries(table)
    await server.do("ann", "unseal", table, id="u", **opening)
    other = {**opening, "salt": "00" * 16}
    assert await server.refusal("ann", "unseal", table, id="u", **other) == "id_reused"
    assert await server.entries(table) == before
    await server.registry.close()


@in_virtual_time
async def test_a_log_that_lost_an_opening_is_opened_again() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    await seal_all(server, table, "ann", "ben")
    ann = await server.watch("ann", table)
    copy = deepcopy(tables_of(server))
    await pass_time(1)
    await open_all(server, table, "ann")
    await put_back(server, copy)
    await come_back(server, ann, table)
    assert code_of(await unseal(server, table, "ann")) == "paused"
    await pass_time(60)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="resume", agree=True)
    await pass_time(9)
    assert server.state(table).play.awaited == (0, 1)
    await open_all(server, table, "ann", "ben")
    assert server.state(table).play.number == 2
    await server.registry.close()


@in_virtual_time
async def test_a_log_that_lost_a_seal_waits_for_another_one() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    await seal(server, table, "ben")
    ann = await server.watch("ann", table)
    copy = deepcopy(tables_of(server))
    await pass_time(1)
    await seal(server, table, "ann")
    await put_back(server, copy)
    ann = await come_back(server, ann, table)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="resume", agree=True)
    assert ("kept" in ann.decision, ann.decision["awaited"], ann.decision["opening"]) == (False, [0], None)
    await seal(server, table, "ann")
    await open_all(server, table, "ann", "ben")
    assert server.state(table).play.number == 2
    await server.registry.close()


@pytest.mark.parametrize("is_opening", [True, False])
@in_virtual_time
async def test_a_game_can_be_abandoned_while_devices_keep_answers(is_opening: bool) -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    await seal_all(server, table, *(["ann", "ben"] if is_opening else ["ann"]))
    ann = await server.watch("ann", table)
    await agree(server, table, "abandon")
    assert server.state(table).phase == "over"
    assert ann.view is not None
    assert ann.view["play"]["decision"] is None
    assert code_of(await server.ask("ann", "unseal", table, **opening_of(server, table, "ann"))) == "game_over"
    before = await server.entries(table)
    await pass_time(60)
    assert await server.entries(table) == before
    await server.registry.close()


@in_virtual_time
async def test_an_open_vote_does_not_keep_the_openings_from_ending_nor_they_the_vote() -> None:
    """Both have a deadline, and the table has one alarm."""
    server = TableServer()
    table = await begin(server, "ann", "ben", absence_seconds=3_600)
    await server.watch("ann", table)
    await pass_time(3_595)
    await server.do("ann", "vote", table, on="abandon", agree=True)
    await seal_all(server, table, "ann", "ben")
    await pass_time(6)
    assert (server.state(table).phase, server.state(table).is_opening) == ("over", True)
    await server.registry.close()
    server = TableServer()
    table = await begin(server, "ann", "ben", absence_seconds=3_600)
    await server.do("ann", "vote", table, on="abandon", agree=True)
    await seal_all(server, table, "ann", "ben")
    await pass_time(11)
    assert (server.state(table).phase, server.state(table).play.number) == ("running", 2)
    await server.registry.close()


@in_virtual_time
async def test_the_bot_of_a_person_who_was_away_answers_and_the_person_seals_at_the_next_decision() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", clock={"kind": "decision", "seconds": 10}, time_up="bot")
    await seal(server, table, "ann")
    await pass_time(11)
    server.bots.decide()
    await settle()
    assert server.state(table).is_opening
    assert await server.refusal("ben", "return_to_seat", table) == "not_awaited"
    await open_all(server, table, "ann")
    await server.do("ben", "return_to_seat", table)
    assert server.state(table).chairs[1].stand_in is None
    await server.registry.close()


@in_virtual_time
async def test_the_store_of_a_table_in_the_middle_can_be_read_by_another_process() -> None:
    """What is folded from the log is what the table had in its memory, after each entry."""
    server = TableServer(MemoryStore())
    table = await begin(server, "ann", "ben")
    steps: list[tuple[str, int | None]] = [("ann", None), ("ann", 0), ("ben", 0)]
    for name, place in steps:
        if place is None:
            await server.bid(name, table, None)
        else:
            await seal(server, table, name, place)
        live = server.state(table)
        await server.restart()
        await server.watch(name, table)
        folded = server.state(table)
        assert (folded.play, folded.seals, folded.is_opening) == (live.play, live.seals, live.is_opening)
    await server.registry.close()
