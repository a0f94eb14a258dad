"""Replays: the eyes of any seat after the end, what was public to spectators before, timelines and shared games."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from server.model import Done
from server.tables import look_back
from tests.tables.faulty_store import FaultyStore, takes
from tests.tables.table_server import TableServer, pass_time, settle, wall
from tests.tables.test_looking_back import NAMES, VIEWERS, Watcher, finished, given_up
from tests.tables.virtual_time import in_virtual_time

# -- eyes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["auction", "investors"])
@in_virtual_time
async def test_after_the_end_everybody_sees_through_the_eyes_of_any_viewer(game: str) -> None:
    server, table, watchers = await finished(game)
    last = len(watchers["pat"].steps) - 1
    for step in {0, 1, last // 2, last}:
        for name, eyes in (("ann", 0), ("ben", 1), ("pat", "spectators")):
            for viewer in VIEWERS:
                seen = await server.do(viewer, "look_back", table, step=step, eyes=eyes)
                assert (seen["view"]["play"], seen["events"]) == watchers[name].steps[step], (name, step)
                assert (seen["eyes"], seen["view"]["mine"]) == (eyes, None if eyes == "spectators" else eyes)
    assert await server.refusal("pat", "look_back", table, step=0, eyes=3) == "no_such_seat"
    await server.registry.close()


@in_virtual_time
async def test_all_eyes_see_every_hand_and_the_answers_while_they_are_sealed() -> None:
    server, table, watchers = await finished(options={"rounds": 6})
    last, counted = len(watchers["pat"].steps) - 1, 0
    for step in range(last + 1):
        seen = await server.do("pat", "look_back", table, step=step, eyes="all")
        own = [await server.do("pat", "look_back", table, step=step, eyes=seat) for seat in range(3)]
        assert seen["view"]["play"] == watchers["pat"].steps[step][0]
        for seat in range(3):
            assert seen["open"][seat] == own[seat]["open"][seat]
            assert [part is None for part in own[seat]["open"]] == [other != seat for other in range(3)]
            assert seen["open"][seat]["game"]["hand"] == own[seat]["view"]["play"]["game"]["hand"]
        if step == last or not seen["view"]["play"]["decision"]["sealed"]:
            continue
        counted += 1
        following = await server.do("pat", "look_back", table, step=step + 1, eyes="all")
        sealed = {event["seat"]: event["command"] for event in following["events"] if event["event"] == "answered"}
        asked = seen["view"]["play"]["decision"]["seats"]
        assert {seat for seat in range(3) if seen["open"][seat]["answer"] is not None} == set(asked) == set(sealed)
        assert all(seen["open"][seat]["answer"] == command for seat, command in sealed.items())
    assert counted > 3
    await server.registry.close()


@in_virtual_time
async def test_all_eyes_see_no_order_of_a_deck() -> None:
    server, table, _ = await finished("investors")
    seen = await server.do("pat", "look_back", table, step=0, eyes="all")
    assert seen["view"]["table"]["seed"] is None
    assert not {"tender_deck", "action_deck", "bag"} & {key for event in seen["events"] for key in event}
    await server.registry.close()


@in_virtual_time
async def test_other_eyes_show_neither_the_key_of_the_table_nor_what_players_wrote() -> None:
    server = TableServer()
    table = await server.begin(*NAMES, private=True)
    await server.do("ann", "say", table, text="between us")
    for name in NAMES:
        await server.bid(name, table, -1)
    for name in NAMES:
        await server.do(name, "vote", table, on="abandon", agree=True)
    key = (await server.do("ann", "share_game", table))["key"]
    for eyes in (0, 1, "spectators", "all"):
        view = (await server.do("pat", "look_back", table, step=1, eyes=eyes, key=key))["view"]
        assert (view["table"]["key"], view["talk"]) == (None, [])
        view = (await server.do("ben", "look_back", table, step=1, eyes=eyes))["view"]
        assert view["table"]["key"] == server.key(table)
        assert [line["text"] for line in view["talk"]] == ["between us"]
    await server.registry.close()


# -- running games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("maximum", [look_back.MAX_CHECKPOINTS, 3])
@pytest.mark.parametrize("shows", [True, False])
@in_virtual_time
async def test_live_spectators_step_back_in_what_was_public(
    shows: bool, maximum: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_back, "MAX_CHECKPOINTS", maximum)
    server = TableServer()
    table = await server.create("ann", options={"rounds": 6}, show_decided=shows)
    await server.seat(table, "ben")
    watcher = Watcher("pat")
    await server.watch("pat", table, watcher)
    await server.do("ann", "start", table)
    rng = random.Random(1)
    first = await server.do("sue", "look_back", table, step=0)
    assert first["view"]["table"]["seed"] is None
    for _ in range(8):
        asked = server.state(table).play.decision.prompts
        await server.play_on(table, NAMES[rng.choice(sorted(asked))], rng)
        if server.state(table).phase == "over":
            break
        seen = [await server.do("sue", "look_back", table, step=step) for step in range(len(watcher.steps))]
        assert [(one["view"]["play"], one["events"]) for one in seen] == watcher.steps
        assert all(one["open"] is None for one in seen)
        timeline = await server.do("sue", "get_timeline", table)
        assert timeline["last"] == seen[-1]["steps"] == len(watcher.steps) - 1
        assert [row["events"] for row in timeline["steps"]] == [len(events) for _, events in watcher.steps]
    assert len(watcher.steps) > 2
    await server.registry.close()


@in_virtual_time
async def test_what_is_sealed_in_a_running_game_changes_no_byte_for_spectators() -> None:
    """The same game with another sealed answer looks the same, whoever asks for whatever."""
    told = []
    for card in (0, 1):
        server = TableServer()
        table = await server.begin(*NAMES, show_decided=False)
        command = {"do": "bid", "card": server.state(table).play.state.hands[0][card]}
        await server.do("ann", "decide", table, decision=1, command=command)
        answers = [
            await server.ask("pat", kind, table, **fields)
            for kind, fields in (
                ("look_back", {"step": 0, "between": True}),
                ("look_back", {"step": 0, "eyes": "spectators"}),
                ("look_back", {"step": 0, "eyes": "all"}),
                ("look_back", {"step": 0, "eyes": 0}),
                ("look_back", {"step": 1}),
                ("get_timeline", {}),
                ("get_timeline", {"log_from": 0}),
                ("get_timeline", {"log_from": 0, "eyes": "all"}),
                ("get_timeline", {"log_from": 0, "eyes": 1}),
                ("share_game", {}),
            )
        ]
        codes = [None if isinstance(answer, Done) else answer.code for answer in answers]
        hidden = "wrong_phase"
        assert codes == [None, None, hidden, hidden, "no_such_step", None, None, hidden, hidden, hidden]
        told.append(json.dumps([dict(answer.result) for answer in answers if isinstance(answer, Done)]))
        await server.registry.close()
    assert told[0] == told[1]


@in_virtual_time
async def test_no_decision_waits_for_a_spectator_who_steps_back() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    table = await server.begin(*NAMES)
    store.plan("read", takes(5))
    looking = server.send("pat", "look_back", table, step=0)
    await settle()
    await asyncio.wait_for(server.bid("ann", table, -1), 1)
    assert not looking.done()
    await server.registry.close()
    assert isinstance(looking.result(), Done)


@in_virtual_time
async def test_each_entry_of_a_running_game_is_replayed_once() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    table = await server.begin(*NAMES)
    await server.do("pat", "look_back", table, step=0)
    for name in NAMES:
        await server.bid(name, table, -1)
    store.calls.clear()
    seen = [server.send("pat", "look_back", table, step=1) for _ in range(20)]
    assert all(isinstance(reply, Done) for reply in await asyncio.gather(*seen))
    assert store.calls.count("read") == 1
    store.calls.clear()
    await server.do("pat", "look_back", table, step=0)
    assert "read" not in store.calls
    await server.registry.close()


@in_virtual_time
async def test_a_sealed_answer_does_not_make_looking_back_slower() -> None:
    """Otherwise the time of a reply would tell that somebody has answered."""
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    table = await server.begin(*NAMES, show_decided=False)
    for kind, fields in (("look_back", {"step": 0}), ("get_timeline", {}), ("get_timeline", {"log_from": 0})):
        await server.do("pat", kind, table, **fields)
    await server.bid("ann", table, -1)
    store.calls.clear()
    for kind, fields in (("look_back", {"step": 0}), ("get_timeline", {}), ("get_timeline", {"log_from": 0})):
        await server.do("pat", kind, table, **fields)
    assert "read" not in store.calls
    await server.registry.close()


# -- timelines ------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_timeline_says_who_decided_what_and_when() -> None:
    server, table, watchers = await finished("investors")
    timeline = await server.do("pat", "get_timeline", table)
    rows, last = timeline["steps"], timeline["last"]
    assert [row["step"] for row in rows] == list(range(last + 1)) == list(range(len(watchers["pat"].steps)))
    assert (rows[0]["seat"], rows[0]["kind"], rows[0]["stage"]) == (None, None, {"round": 1})
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    for row, (before, _), (_, events) in zip(rows[1:], watchers["pat"].steps, watchers["pat"].steps[1:], strict=False):
        decision = before["decision"]
        assert row["kind"] == decision["about"]
        assert row["seat"] == (decision["seats"][0] if len(decision["seats"]) == 1 else None)
        assert row["stage"] == {"round": before["game"]["round"]}
        assert row["events"] == len(events)
    await server.registry.close()


@in_virtual_time
async def test_a_step_that_was_taken_back_is_in_the_timeline() -> None:
    server, table, _ = await finished("mosaic")
    rows = (await server.do("pat", "get_timeline", table))["steps"]
    undone = [row for row in rows if row["kind"] == "undo"]
    assert undone
    assert all(row["seat"] in (0, 1) for row in undone)
    await server.registry.close()


@pytest.mark.parametrize("maximum", [look_back.MAX_CHECKPOINTS, 7])
@in_virtual_time
async def test_pages_of_the_log_are_the_events_of_the_steps(maximum: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_back, "MAX_CHECKPOINTS", maximum)
    monkeypatch.setattr(look_back, "MAX_LOG_STEPS", 10)
    server, table, _ = await finished("mosaic")
    for eyes in ("all", "spectators", 1):
        read: list[Any] = []
        last = 0
        while len(read) <= last:
            page = await server.do("pat", "get_timeline", table, log_from=len(read), eyes=eyes)
            assert 0 < len(page["log"]) <= 10
            read, last = [*read, *page["log"]], page["last"]
        assert [entry["step"] for entry in read] == list(range(last + 1))
        for entry in read[:: 5 if maximum > 100 else 1]:
            seen = await server.do("pat", "look_back", table, step=entry["step"], eyes=eyes)
            assert entry["events"] == seen["events"]
        assert last > 10
    assert await server.refusal("pat", "get_timeline", table, log_from=last + 1) == "no_such_step"
    await server.registry.close()


@in_virtual_time
async def test_a_long_timeline_is_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_back, "MAX_ROWS", 5)
    server, table, _ = await finished("mosaic")
    timeline = await server.do("pat", "get_timeline", table)
    steps = [row["step"] for row in timeline["steps"]]
    spacing = steps[1]
    assert spacing in (2, 4, 8)
    assert steps == list(range(0, timeline["last"] + 1, spacing))
    assert len(steps) <= 5
    await server.registry.close()


# -- shared games ---------------------------------------------------------------------------------------------


READS: list[tuple[str, dict[str, Any]]] = [
    ("look_back", {"step": 0, "eyes": "all"}),
    ("get_timeline", {}),
    ("read_log", {}),
]


@pytest.mark.parametrize(
    "settings, refusal", [({"private": True}, "no_such_table"), ({"spectators": False}, "no_spectators")]
)
@in_virtual_time
async def test_a_game_that_is_not_public_is_for_those_who_sat_there_and_those_with_the_key(
    settings: dict[str, Any], refusal: str
) -> None:
    server = TableServer()
    table = await given_up(server, **settings)
    key = (await server.do("ann", "share_game", table))["key"]
    assert (await server.do("ben", "share_game", table))["key"] == key
    for kind, fields in READS:
        await server.do("ann", kind, table, **fields)
        assert await server.refusal("pat", kind, table, **fields) == refusal
        assert await server.refusal("pat", kind, table, **fields, key="0" * 32) == refusal
        await server.do("pat", kind, table, **fields, key=key)
    await server.restart()
    await server.do("pat", "look_back", table, step=0, key=key)
    assert (await server.do("ben", "share_game", table, share=False)) == {"key": None}
    assert await server.refusal("pat", "look_back", table, step=0, key=key) == refusal
    again = (await server.do("ann", "share_game", table))["key"]
    assert again != key
    await server.do("pat", "look_back", table, step=0, key=again)
    assert await server.refusal("pat", "look_back", table, step=0, key=key) == refusal
    await server.registry.close()


@in_virtual_time
async def test_only_those_who_sat_there_share_a_game_and_only_after_its_end() -> None:
    server = TableServer()
    table = await server.begin(*NAMES, private=True)
    assert await server.refusal("ann", "share_game", table) == "wrong_phase"
    for name in NAMES:
        await server.do(name, "vote", table, on="abandon", agree=True)
    assert await server.refusal("pat", "share_game", table) == "no_such_table"
    await server.watch("pat", table, key=server.key(table))
    assert await server.refusal("pat", "share_game", table) == "not_seated"
    await server.registry.close()


@in_virtual_time
async def test_a_public_game_needs_no_key() -> None:
    server = TableServer()
    table = await given_up(server)
    assert (await server.do("ann", "share_game", table)) == {"key": None}
    assert await server.store.key_values.get("shared_game", table) is None
    await server.registry.close()


@in_virtual_time
async def test_the_key_of_a_shared_game_opens_no_running_table() -> None:
    server = TableServer()
    table = await server.begin(*NAMES, private=True)
    await server.store.key_values.put("shared_game", table, b"k" * 32)
    for kind, fields in READS:
        assert await server.refusal("pat", kind, table, **fields, key="k" * 32) == "no_such_table"
    await pass_time(0.1)
    await server.registry.close()
