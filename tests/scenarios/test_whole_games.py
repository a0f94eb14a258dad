"""Whole games over real websockets against the real server."""

from __future__ import annotations

import random
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from protocol.codec import Encoding
from server.games.registry import GAMES
from tests.gateway.process import server_process
from tests.scenarios.people import UNLIMITED, all_play, any_command, choose_by_number, open_table, person


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_people_and_a_bot_play_a_whole_game_in_both_encodings_while_others_watch(
    game: str, tmp_path: Path
) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with AsyncExitStack() as stack:
            encodings = [Encoding.MSGPACK, Encoding.JSON]
            people = [await stack.enter_async_context(person(server.http, each)) for each in encodings]
            watchers = [await stack.enter_async_context(person(server.http, each)) for each in encodings]
            table = await open_table(people, game, seats=GAMES[game].seats[0])
            watched = [await watcher.watch(table) for watcher in watchers]
            played = await all_play(people, table, choose_by_number(1))
            outcomes = [seated.view["play"]["outcome"] for seated in played]
            assert outcomes[0] == outcomes[1]
            assert outcomes[0] is not None
            for copy in watched:
                while copy.view["table"]["phase"] != "over":
                    copy.changed.clear()
                    await copy.changed.wait()
            assert watched[0].view == watched[1].view
            assert (
                "hand" not in (watched[0].view["play"]["game"] or {}) or watched[0].view["play"]["game"]["hand"] is None
            )


async def test_programs_open_the_answers_that_they_keep(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(person(server.http)) for _ in range(2)]
            table = await open_table(people, "investors", seats=3, sealed_on_devices=True)
            played = await all_play(people, table, choose_by_number(1))
            assert played[0].view["play"]["outcome"] is not None
            log = [event["event"] for entry in await people[0].read_log(table) for event in entry["events"]]
            assert 0 < log.count("openings_asked") <= log.count("answers_opened")
            assert "seals_not_opened" not in log


async def test_a_sealed_answer_comes_back_to_its_owner_on_another_connection(tmp_path: Path) -> None:
    with server_process(tmp_path, *UNLIMITED) as server:
        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(person(server.http)) for _ in range(3)]
            table = await open_table(people, "investors", seats=3)
            watched = [await client.watch(table) for client in people]
            rng = random.Random(5)
            sealed: dict[str, Any] | None = None
            while sealed is None:
                seat = next(seat for seat, each in enumerate(watched) if each.prompt is not None)
                number, prompt = watched[seat].prompt or (0, {})
                command = any_command(rng, prompt)
                await people[seat].request("decide", table=table, decision=number, command=command)
                decision = watched[seat].view["play"]["decision"]
                while decision is not None and decision["number"] == number and "answer" not in decision:
                    watched[seat].changed.clear()
                    await watched[seat].changed.wait()
                    decision = watched[seat].view["play"]["decision"]
                for each in watched:
                    while (each.view["play"]["decision"] or {}).get("number", 0) < (decision or {}).get("number", 0):
                        each.changed.clear()
                        await each.changed.wait()
                if decision is not None and decision["number"] == number:
                    sealed = decision["answer"]
            again = await people[seat].watch(table)
            assert again.view["play"]["decision"]["answer"] == sealed
            others = [each.view["play"]["decision"] for other, each in enumerate(watched) if other != seat]
            assert all("answer" not in decision for decision in others)
