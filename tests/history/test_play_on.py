"""Playing on from a step of a finished game: at a private table of its own, whose log replays alone."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from typing import Any

import msgpack
import pytest

from protocol.codec import read_request
from protocol.messages import PlayOn
from server.history.finished import FinishedGames
from server.history.play_on import PlayingOn
from server.model import Done, Refused, Reply, User
from server.store.memory import MemoryStore
from server.tables.entries import open_entry, read_entry, write_entry
from server.tables.events import ContinuedFrom
from tests.history.finished_games import with_finished_game
from tests.tables.table_server import TableServer, pass_time, person, settle
from tests.tables.virtual_time import in_virtual_time


class Replays:
    """A server with a finished game of two people and a bot, and the service that goes on from it."""

    def __init__(self, server: TableServer, table: str) -> None:
        self.server = server
        self.table = table
        self.service = self.new_service()

    def new_service(self) -> PlayingOn:
        games = FinishedGames(self.server.store, self.server.registry.turns)
        return PlayingOn(games, self.server.registry, self._table_id, lambda game: ("normal", "random"))

    @staticmethod
    def _table_id(user: User, request_id: str) -> str:
        return f"from{user.id}{request_id}"

    async def ask(self, name: str, **fields: Any) -> Reply:
        request = PlayOn.model_validate({"type": "play_on", "id": "r1", "table": self.table, "seat": 0} | fields)
        return await asyncio.wait_for(self.service.answer(person(name), request), 60)

    async def go_on(self, name: str, **fields: Any) -> dict[str, Any]:
        reply = await self.ask(name, **fields)
        assert isinstance(reply, Done), reply
        return dict(reply.result)

    async def refusal(self, name: str, **fields: Any) -> str:
        reply = await self.ask(name, **fields)
        assert isinstance(reply, Refused), reply
        return reply.code

    async def seen(self, step: int, eyes: Any, table: str | None = None) -> dict[str, Any]:
        return await self.server.do("ann", "look_back", table or self.table, step=step, eyes=eyes)


async def played(game: str = "investors", **settings: Any) -> Replays:
    return Replays(*await with_finished_game(game, **settings))


def position(view: dict[str, Any]) -> str:
    """Return what a viewer sees of a game, without the number of the decision, undoing, and sealing."""
    play = view["play"]
    decision = {key: value for key, value in play["decision"].items() if key not in ("number", "undoable", "attempt")}
    return json.dumps([play["game"], decision], sort_keys=True)


@pytest.mark.parametrize("game, hidden", [("investors", "redealt"), ("planners", "as_it_was"), ("builders", "redealt")])
@in_virtual_time
async def test_a_table_goes_on_from_a_step_against_bots(game: str, hidden: str) -> None:
    replays = await played(game)
    server = replays.server
    last = (await replays.seen(0, 0))["steps"]
    for step in (last * 2 // 3,):
        before = await replays.seen(step, 1)
        opened = await replays.go_on("pat", step=step, seat=1, hidden=hidden, bots="normal", id=f"s{step}")
        table = opened["table"]
        assert (opened["seat"], len(opened["key"])) == (1, 32)
        screen = await server.watch("pat", table)
        first = await server.store.read(table)
        view = screen.view
        assert view is not None
        assert (view["mine"], view["table"]["phase"]) == (1, "running")
        assert [seat["bot"] for seat in view["seats"]] == ["normal", None, "normal"]
        assert (view["table"]["settings"]["private"], view["table"]["settings"]["rated"]) == (True, False)
        state = open_entry(first[0].payload)
        assert state.origin == f"{replays.table}:{step}"
        if len(first) == 2:
            # No bot has decided yet.
            assert position(view) == position(before["view"])
        # The game is played to its end, also by another process, which knows only the log.
        rng = random.Random(5)
        await server.restart()
        replays.service = replays.new_service()
        await server.watch("pat", table)
        while (now := server.state(table)).phase != "over":
            if 1 in now.play.awaited:
                await server.play_on(table, "pat", rng)
            await pass_time(0.1)
        ended = server.state(table).play.state
        await server.restart()
        replays.service = replays.new_service()
        await server.watch("pat", table)
        assert server.state(table).play.state == ended
    await server.registry.close()


@in_virtual_time
async def test_the_first_position_is_that_of_the_step_for_the_seat_and_redealt_for_others() -> None:
    # Deals pass cheques that only two seats know.
    replays = await played("investors", options={"bargaining_offers": 2})
    last = (await replays.seen(0, 0))["steps"]
    server = replays.server
    differs = 0
    for hidden in ("as_it_was", "redealt"):
        for step in range(0, last, max(1, last // 5)):
            opened = await replays.go_on("pat", step=step, seat=1, hidden=hidden, id=f"{hidden[:2]}{step}")
            table = opened["table"]
            for name in ("quinn", "rob"):
                await server.do(name, "take_seat", table, key=opened["key"])
            assert server.state(table).phase == "running"
            people = [chair.user for chair in server.state(table).chairs]
            assert people == ["quinn", "pat", "rob"]
            for seat, name in enumerate(people):
                view = (await server.watch(name, table)).view
                assert view is not None
                same = position(view) == position((await replays.seen(step, seat))["view"])
                if seat == 1 or hidden == "as_it_was":
                    assert same
                else:
                    differs += not same
    assert differs > 0
    await server.registry.close()


@in_virtual_time
async def test_the_game_begins_when_the_people_with_the_link_have_sat_down() -> None:
    replays = await played("planners")
    server = replays.server
    opened = await replays.go_on("pat", step=3, seat=2)
    table, key = opened["table"], opened["key"]
    assert server.state(table).phase == "open"
    assert server.state(table).chairs[2].user == "pat"
    assert await server.refusal("quinn", "take_seat", table) == "no_such_table"
    await server.do("quinn", "take_seat", table, key=key)
    settings = server.state(table).settings.model_dump(mode="json") | {"options": {}}
    assert await server.refusal("pat", "change_settings", table, settings=settings) == "bad_settings"
    await server.do("pat", "fill_with_bots", table)
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_nothing_of_the_game_before_the_step_is_shown_at_the_new_table() -> None:
    replays = await played("investors")
    server = replays.server
    opened = await replays.go_on("pat", step=4, seat=1, hidden="redealt")
    table = opened["table"]
    await server.do("quinn", "take_seat", table, key=opened["key"])
    await server.do("rob", "take_seat", table, key=opened["key"])
    for name in ("pat", "quinn"):
        entries = (await server.do(name, "read_log", table))["entries"]
        names = [event["event"] for entry in entries for event in entry["events"]]
        assert "game_begun" not in names
        assert "cards_redealt" not in names
        (origin,) = [event for entry in entries for event in entry["events"] if event["event"] == "continued_from"]
        assert origin == {
            "event": "continued_from",
            "table": replays.table,
            "step": 4,
            "seat": 1,
            "hidden": "redealt",
        }
    assert "steps" in ContinuedFrom.__match_args__
    await server.registry.close()


@pytest.mark.parametrize("earlier, now", [("anew", "redealt"), ("same", "as_it_was")])
def test_earlier_words_for_hidden_cards_are_understood_in_requests_and_logs(earlier: str, now: str) -> None:
    fields = {"type": "play_on", "id": "1", "table": "k3q7m2xd", "step": 4, "seat": 1}
    request = read_request(fields | {"hidden": earlier})
    assert isinstance(request, PlayOn)
    assert request.hidden == now
    _, events = msgpack.unpackb(write_entry([ContinuedFrom("k3q7m2xd", 4, 1, now, "steps")], 0))
    assert events[0]["hidden"] == now
    entry = msgpack.packb([0, [events[0] | {"hidden": earlier}]])
    assert read_entry(entry, None) == [ContinuedFrom("k3q7m2xd", 4, 1, now, "steps")]


@in_virtual_time
async def test_a_new_table_can_be_gone_on_from_as_well() -> None:
    replays = await played("builders")
    server = replays.server
    opened = await replays.go_on("ann", step=10, seat=0, hidden="redealt", bots="random")
    table = opened["table"]
    for _ in range(400):
        if server.state(table).phase == "over":
            break
        if 0 in server.state(table).play.awaited:
            await server.play_on(table, "ann", random.Random(1))
        await pass_time(0.1)
    if server.state(table).phase != "over":
        await server.do("ann", "vote", table, on="abandon", agree=True)
    replays.table = table
    steps = (await replays.seen(0, 0))["steps"]
    before = await replays.seen(steps // 2, 0)
    again = await replays.go_on("ann", step=steps // 2, seat=0, hidden="as_it_was", id="r2")
    for name in ("ben", "cat"):
        await server.do(name, "take_seat", again["table"], key=again["key"])
    view = (await server.watch("ann", again["table"])).view
    assert view is not None
    assert position(view) == position(before["view"])
    await server.registry.close()


@in_virtual_time
async def test_the_same_request_opens_the_same_table() -> None:
    replays = await played("planners")
    first = await replays.go_on("pat", step=3, seat=2)
    assert await replays.go_on("pat", step=3, seat=2) == first
    assert (await replays.go_on("pat", step=3, seat=2, id="r2"))["table"] != first["table"]
    await replays.server.registry.close()


@in_virtual_time
async def test_what_cannot_be_gone_on_from_is_refused() -> None:
    replays = await played("planners")
    last = (await replays.seen(0, 0))["steps"]
    tables = len(await replays.server.store.names())
    assert await replays.refusal("pat", step=last + 1) == "no_such_step"
    assert await replays.refusal("pat", step=last) == "game_over"
    assert await replays.refusal("pat", step=0, seat=3) == "no_such_seat"
    assert await replays.refusal("pat", step=0, bots="hard") == "no_such_strength"
    assert await replays.refusal("pat", step=0, table="nothing") == "no_such_table"
    running = await replays.server.begin("ann", "ben", table="table2", game="planners")
    assert await replays.refusal("pat", step=0, table=running) == "wrong_phase"
    assert len(await replays.server.store.names()) == tables + 1
    await replays.server.registry.close()


@in_virtual_time
async def test_a_private_game_is_gone_on_from_by_those_who_sat_there_and_with_the_key() -> None:
    replays = await played("planners", private=True)
    assert await replays.refusal("pat", step=0) == "no_such_table"
    assert await replays.refusal("pat", step=0, key="wrong") == "no_such_table"
    await replays.go_on("ben", step=0)
    key = (await replays.server.do("ann", "share_game", replays.table))["key"]
    await replays.go_on("pat", step=0, key=key)
    assert await replays.refusal("rob", step=0, key=replays.server.key(replays.table)) == "no_such_table"
    await replays.server.do("ann", "share_game", replays.table, share=False)
    assert await replays.refusal("sue", step=0, key=key) == "no_such_table"
    await replays.server.registry.close()


@in_virtual_time
async def test_a_running_private_game_looks_like_none() -> None:
    replays = await played("planners")
    table = await replays.server.begin("ann", "ben", table="table2", game="planners", private=True)
    assert await replays.refusal("pat", step=0, table=table) == "no_such_table"
    assert await replays.refusal("ann", step=0, table=table) == "wrong_phase"
    await replays.server.registry.close()


@in_virtual_time
async def test_a_damaged_log_is_not_gone_on_from() -> None:
    replays = await played("planners")
    store = replays.server.store
    assert isinstance(store, MemoryStore)
    await replays.server.registry.close()
    row = store._tables[replays.table]
    row.entries[5] = replace(row.entries[5], payload=b"other")
    assert await replays.refusal("pat", step=20) == "table_unavailable"
    await settle()
