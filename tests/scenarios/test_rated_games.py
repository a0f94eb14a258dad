"""Rated games over real websockets: guests keep their names, play for ratings, and find them in their profiles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from protocol.client import Client, RequestRefused
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, all_play, choose_by_number, person
from tests.store.redis_server import RedisServer

WAIT = 30.0


async def keep_name(client: Client, handle: str) -> None:
    await client.request("keep_name", handle=handle)
    await client.request("make_recovery_codes")


async def indexed(client: Client, table: str) -> dict[str, Any]:
    """Return a game as soon as it is in the index."""
    async with asyncio.timeout(WAIT):
        while True:
            try:
                game: dict[str, Any] = (await client.request("get_game", table=table))["game"]
            except RequestRefused:
                await asyncio.sleep(0.02)
            else:
                return game


async def refusal(client: Client, kind: str, **fields: Any) -> str:
    with pytest.raises(RequestRefused) as refused:
        await client.request(kind, **fields)
    return refused.value.code


@pytest.fixture(params=["one process", "two workers"])
async def addresses(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[str]]:
    """Return the addresses of two workers, or twice that of a single process."""
    redis = RedisServer() if request.param == "two workers" else None
    if redis is not None:
        redis.start()
    started: list[ServerProcess] = []

    def start(name: str) -> None:
        (tmp_path / name).mkdir()
        started.append(ServerProcess(tmp_path / name, *(("--redis", redis.url) if redis else ()), *UNLIMITED))

    try:
        names = ["one", "two"] if redis else ["one"]
        await asyncio.gather(*(asyncio.to_thread(start, name) for name in names))
        yield [started[0].http, started[-1].http]
    finally:
        for process in started:
            process.end()
        if redis is not None:
            redis.remove()


async def hidden(client: Client, handle: str) -> None:
    """Wait until a profile is closed to somebody; another worker learns of it a moment later."""
    async with asyncio.timeout(WAIT):
        while True:
            try:
                await client.request("get_profile", handle=handle)
            except RequestRefused:
                return
            await asyncio.sleep(0.02)


async def test_guests_keep_their_names_and_play_a_rated_game(addresses: list[str]) -> None:
    settings = {"game": "planners", "seats": 3, "rated": True, "hints": "all"}
    one, two = addresses
    async with person(one) as ada, person(two) as bob, person(two) as guest:
        assert await refusal(ada, "create_table", settings=settings) == "not_rated"
        await keep_name(ada, "ada_l")
        await keep_name(bob, "bob_n")
        table = (await ada.request("create_table", settings=settings))["table"]
        assert await refusal(guest, "take_seat", table=table) == "not_rated"
        assert await refusal(guest, "quick_match", game="planners", rated=True) == "not_rated"
        await bob.request("take_seat", table=table)
        await bob.request("ready", table=table, ready=True)
        await ada.request("add_bot", table=table, strength="easy")
        await ada.request("start", table=table)
        played = await all_play([ada, bob], table, choose_by_number(1))
        assert not played[0].view["table"]["hints"]

        game = await indexed(guest, table)
        assert (game["rated"], game["end"]) == (True, "finished")
        changes = {seat["handle"]: seat["rating"]["change"] for seat in game["seats"] if seat["bot"] is None}
        assert changes.keys() == {"ada_l", "bob_n"}
        assert [seat["rating"] for seat in game["seats"] if seat["bot"] is not None] == [None]
        for handle, change in changes.items():
            profile = (await guest.request("get_profile", handle=handle))["profile"]
            [rating] = profile["ratings"]
            assert (rating["game"], rating["rating"], rating["games"]) == ("planners", 1500 + change, 1)
            assert (rating["provisional"], rating["rank"]) == (True, None)
            assert [row["table"] for row in profile["recent"]] == [table]
            assert [each["handle"] for each in profile["companions"]] == [*({"ada_l", "bob_n"} - {handle})]
            assert profile["person"]["online"] is True
        rankings = await ada.request("get_rankings", game="planners")
        assert rankings["rows"] == []
        assert (rankings["own"]["reason"], rankings["own"]["games"]) == ("games", 1)

        await bob.request("set_profile", motto="", languages=[], privacy="nobody")
        await hidden(ada, "bob_n")
        assert await refusal(ada, "get_profile", handle="bob_n") == "no_such_person"
        assert (await bob.request("get_profile", handle="bob_n"))["profile"]["person"]["privacy"] == "nobody"
        again = (await ada.request("play_again", table=table))["table"]
        assert (await ada.watch(again)).view["table"]["settings"]["rated"]
