"""Many workers are one server: replies, views and logs do not depend on the worker of a connection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from server.cluster import requests
from server.cluster.channels import PEER_TIMEOUT_SECONDS
from server.model import Done, Refused
from server.tables.log import LEASE_SECONDS
from tests.cluster.simulated_cluster import start_cluster
from tests.replies import code_of
from tests.tables.table_server import Screen, person, toys
from tests.tables.virtual_time import in_virtual_time


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        yield


@in_virtual_time
async def test_a_game_is_played_through_several_workers() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin()
    ann, ben, pat = [await cluster.watch(*who, table) for who in (("a", "ann"), ("b", "ben"), ("c", "pat"))]
    assert isinstance(await cluster.seal("a", "ann", table), Done)
    assert isinstance(await cluster.seal("b", "ben", table), Done)
    await asyncio.sleep(1)
    assert ann.number == ben.number
    assert ann.view is not None
    assert ben.view is not None
    assert pat.view is not None
    assert ann.view["play"]["game"]["round"] == ben.view["play"]["game"]["round"] == pat.view["play"]["game"]["round"]
    assert ben.view["mine"] == 1
    assert pat.view["mine"] is None
    assert ann.presence is not None
    assert (ann.presence["seats"], ann.presence["spectators"]) == (["here", "here"], 1)
    await cluster.close()


@in_virtual_time
async def test_a_frame_goes_to_each_worker_once_however_many_watch_there() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    screens = [await cluster.watch("b", f"pat{number}", table) for number in range(20)]
    await asyncio.sleep(1)
    sent: list[str] = []
    channels = cluster.workers["a"].channels
    send = channels.send

    def note(peer: str, kind: str, content: list[Any]) -> None:
        sent.append(kind)
        send(peer, kind, content)

    channels.send = note  # type: ignore[method-assign]
    for who in (("a", "ann"), ("b", "ben")):
        sent.clear()
        assert isinstance(await cluster.seal(*who, table), Done)
        await asyncio.sleep(1)
        assert sent.count("frames") == 1
        assert "frame" not in sent
    assert "group" not in sent, "the second time it is known for whom it is"
    assert {screen.number for screen in screens} == {screens[0].number}
    await cluster.close()


@in_virtual_time
async def test_when_the_owner_is_killed_the_game_goes_on_within_five_seconds_and_nothing_is_lost() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin()
    ben = await cluster.watch("b", "ben", table)
    assert cluster.owner(table) == "a"
    assert isinstance(await cluster.seal("a", "ann", table), Done)
    before = len(await cluster.store.read(table))
    await cluster.kill("a")
    began = asyncio.get_running_loop().time()
    answer = await cluster.send("b", "ben", "decide", table, decision=ben.decision["number"], command={"do": "sit"})
    assert isinstance(answer, Done)
    assert asyncio.get_running_loop().time() - began <= 5
    assert cluster.owner(table) in ("b", "c")
    await asyncio.sleep(PEER_TIMEOUT_SECONDS + 1)
    assert len(await cluster.store.read(table)) == before + 1
    assert ben.decision["number"] > 1
    await cluster.close()


@in_virtual_time
async def test_a_worker_that_ends_in_good_order_hands_its_tables_over_at_once() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    ben = await cluster.watch("b", "ben", table)
    await cluster.workers.pop("a").drain()
    began = asyncio.get_running_loop().time()
    asked = cluster.send("b", "ben", "decide", table, decision=ben.decision["number"], command={"do": "sit"})
    assert isinstance(await asked, Done)
    assert asyncio.get_running_loop().time() - began <= 1
    assert cluster.owner(table) == "b"
    await asyncio.sleep(1)
    assert ben.decision["awaited"] == [0]
    await cluster.close()


@in_virtual_time
async def test_a_frozen_worker_appends_nothing_when_it_wakes_up_and_its_clients_get_the_current_view() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    ann = await cluster.watch("a", "ann", table)
    ben = await cluster.watch("b", "ben", table)
    cluster.workers["a"].freeze()
    await asyncio.sleep(PEER_TIMEOUT_SECONDS + LEASE_SECONDS)
    number = ben.decision["number"]
    asked = cluster.send("b", "ben", "decide", table, decision=number, command={"do": "sit"})
    assert isinstance(await asked, Done)
    assert cluster.workers["b"].registry.owns(table)
    # It wakes up and does not know that its lease has expired.
    cluster.workers["a"].thaw()
    cluster.workers["a"].channels.tick()
    asked = cluster.send("a", "ann", "decide", table, decision=number, command={"do": "sit"})
    assert isinstance(await asked, Done)
    await asyncio.sleep(2)
    assert cluster.owner(table) == "b"
    assert ann.view is not None
    assert ben.view is not None
    assert ann.view["play"]["game"]["round"] == ben.view["play"]["game"]["round"]
    assert ann.decision["number"] == ben.decision["number"] == number + 1
    assert ann.missed is not None
    # Her subscription moves to the next owner before her answer is in, or after it.
    told = [event["event"] for event in (*ann.missed, *ann.events)]
    assert told.count("bids_revealed") == 1, "what is shown anew is told as well"
    await cluster.close()


@in_virtual_time
async def test_lost_envelopes_cost_time_and_nothing_else() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    ben = await cluster.watch("b", "ben", table)
    lost: list[str] = []

    def loses(sender: str, receiver: str) -> bool:
        if sender == "a" and receiver == "b" and len(lost) < 3:
            lost.append(receiver)
            return True
        return False

    cluster.hub.loses = loses
    assert isinstance(await cluster.seal("a", "ann", table), Done)
    assert isinstance(await cluster.seal("b", "ben", table), Done)
    await asyncio.sleep(3)
    assert len(lost) == 3
    state = cluster.state(table)
    assert ben.decision["number"] == state.play.number == 2
    told = [event["event"] for event in (*ben.events, *(ben.missed or ()))]
    assert told.count("bids_revealed") == 1
    await cluster.close()


@in_virtual_time
async def test_a_suspended_worker_retries_before_it_refuses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    # Like a process that was suspended right after its request: it wakes up past the deadline.
    monkeypatch.setattr(requests, "RETRY_SECONDS", 0.0)
    cluster.hub.loses = lambda sender, receiver: (sender, receiver) == ("b", "a")
    answer = cluster.seal("b", "ben", table)
    await asyncio.sleep(requests.REPLY_TIMEOUT_SECONDS)
    cluster.hub.loses = lambda sender, receiver: False
    assert isinstance(await answer, Done)
    await cluster.close()


@in_virtual_time
async def test_a_request_without_a_reply_is_refused_as_possibly_carried_out() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    cluster.hub.loses = lambda sender, receiver: (sender, receiver) == ("a", "b")
    asked = asyncio.get_running_loop().time()
    answer = await cluster.seal("b", "ben", table)
    assert answer == Refused("busy", requests.OUTCOME_UNKNOWN, "unknown")
    assert asyncio.get_running_loop().time() - asked < 2 * requests.RETRY_SECONDS
    assert list(cluster.state(table).play.answers) == [1], "only the word of it got lost"
    await cluster.close()


@in_virtual_time
async def test_a_rollback_is_noticed_by_the_resume_points_at_other_workers() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin()
    ben = await cluster.watch("b", "ben", table)
    copy = deepcopy(cluster.store._tables)
    await asyncio.sleep(1)
    for who in (("a", "ann"), ("b", "ben")):
        assert isinstance(await cluster.seal(*who, table), Done)
    await asyncio.sleep(1)
    assert ben.decision["number"] == 2, "the bids were revealed"
    assert cluster.owner(table) == "a"
    await cluster.kill("a")
    cluster.store._tables = copy
    await asyncio.sleep(PEER_TIMEOUT_SECONDS + LEASE_SECONDS + 1)
    assert ben.missed == [{"event": "went_back", "records": 1}]
    number = cluster.state(table).play.number
    answer = await cluster.send("c", "ben", "decide", table, decision=number, command={"do": "sit"})
    assert code_of(answer) == "paused"
    await cluster.close()


@in_virtual_time
async def test_the_lists_are_the_same_everywhere_even_if_broadcasts_get_lost() -> None:
    cluster = await start_cluster("a", "b")
    await cluster.create("a", "ann", "table1")
    await asyncio.sleep(1)
    cluster.hub.loses = lambda sender, receiver: (sender, receiver) == ("a", "b")
    await cluster.create("a", "ann", "table2")
    await asyncio.sleep(1)
    cluster.hub.loses = lambda sender, receiver: False
    await asyncio.sleep(4)
    for worker in cluster.workers.values():
        assert {summary["table"] for summary in worker.directory.tables_of("ann")} == {"table1", "table2"}
    await cluster.close()


@in_virtual_time
async def test_a_request_that_is_sent_again_to_another_worker_has_one_effect() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    first = await cluster.send("a", "ann", "say", table, id="same", text="hello")
    again = await cluster.send("b", "ann", "say", table, id="same", text="hello")
    assert first == again
    assert [line.text for line in cluster.state(table).talk["players"]] == ["hello"]
    await cluster.close()


@in_virtual_time
async def test_lines_beside_the_log_reach_spectators_of_all_workers_and_go_over_to_the_next_owner() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin()
    ben = await cluster.watch("b", "ben", table)
    screens = [await cluster.watch(worker, "pat", table) for worker in ("a", "b", "c")]
    for _ in range(2):
        assert await cluster.send("b", "pat", "say", table, id="same", text="hello") == Done()
    await asyncio.sleep(1)
    for screen in screens:
        assert [line["text"] for line in screen.chat] == ["hello"]
    assert ben.chat == []
    await cluster.workers["a"].drain()
    assert await cluster.send("c", "pat", "say", table, text="still here") == Done()
    await asyncio.sleep(10)
    assert cluster.owner(table) != "a"
    for screen in screens[1:]:
        assert [line["text"] for line in screen.chat] == ["hello", "still here"]
    assert ben.chat == []
    await cluster.close()


@in_virtual_time
async def test_predictions_reach_spectators_of_all_workers_and_go_over_to_the_next_owner() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin()
    ben = await cluster.watch("b", "ben", table)
    pat, sue = await cluster.watch("b", "pat", table), await cluster.watch("c", "sue", table)
    assert isinstance(await cluster.send("b", "pat", "predict", table, winner=1), Done)
    await asyncio.sleep(2)
    for screen in (pat, sue):
        told = [message["counts"] for message in screen.messages if message["type"] == "predictions"]
        assert told == [[0, 1]]
    await cluster.kill("a")
    await asyncio.sleep(PEER_TIMEOUT_SECONDS + 1)
    assert isinstance(await cluster.send("c", "sue", "predict", table, winner=0), Done)
    await asyncio.sleep(2)
    assert cluster.owner(table) in ("b", "c")
    late = await cluster.watch("b", "pat", table)
    (shown,) = [message["predictions"] for message in late.messages if message["type"] == "view"]
    assert shown == {"counts": [1, 1], "open": True, "own": 1}
    assert "predictions" not in str(ben.messages)
    await cluster.close()


@in_virtual_time
async def test_each_of_several_watch_requests_at_once_gets_a_reply() -> None:
    cluster = await start_cluster("a", "b")
    table = await cluster.begin()
    screen = Screen(person("ben"))
    answers = await asyncio.gather(*(cluster.try_watch("b", screen, table) for _ in range(3)))
    assert answers == [Done(), Done(), Done()]
    await cluster.close()


@pytest.mark.parametrize("table", ["table1", "nowhere"])
@pytest.mark.parametrize("worker", ["a", "b"])
@in_virtual_time
async def test_a_watch_that_is_cancelled_by_unwatch_gets_its_reply(worker: str, table: str) -> None:
    cluster = await start_cluster("a", "b")
    await cluster.begin("table1")
    screen = Screen(person("ben"))
    answer = cluster.try_watch(worker, screen, table)
    cluster.workers[worker].tables.unsubscribe(table, screen)
    assert isinstance(await asyncio.wait_for(answer, 60), Done)
    await asyncio.sleep(1)
    assert screen.messages == [], "nothing is shown to a connection that no longer watches"
    await cluster.close()


@in_virtual_time
async def test_the_log_reads_the_same_through_every_worker_and_after_its_owner_died() -> None:
    cluster = await start_cluster("a", "b", "c")
    table = await cluster.begin(show_decided=False)
    await cluster.seal("a", "ann", table)
    pages = {name: await cluster.do("b", name, "read_log", table) for name in ("ann", "ben", "pat")}
    assert len(pages["ann"]["entries"]) == len(pages["ben"]["entries"]) + 1
    assert pages["ann"]["entries"][-1]["events"] == [{"event": "answered", "seat": 0, "command": {"do": "sit"}}]
    for worker in ("a", "c"):
        assert {name: await cluster.do(worker, name, "read_log", table) for name in pages} == pages
    await cluster.kill(cluster.owner(table))
    worker = next(iter(cluster.workers))
    assert {name: await cluster.do(worker, name, "read_log", table) for name in pages} == pages
    await cluster.close()
