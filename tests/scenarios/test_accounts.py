"""Accounts on a server of two workers: keep the name at one, sign in at the other, play, and be deleted in a game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from protocol.client import Client, RequestRefused, TurnedAway, WatchedTable
from tests.gateway.process import ServerProcess
from tests.people.authenticator import Authenticator
from tests.scenarios.people import UNLIMITED
from tests.store.redis_server import RedisServer

PATIENCE = 20.0


class Site:
    """A worker as a browser sees it at `localhost`, which passkeys need."""

    def __init__(self, process: ServerProcess) -> None:
        self.process = process
        self.origin = f"http://localhost:{process.port}"

    def client(self, token: str) -> Client:
        return Client(f"ws://localhost:{self.process.port}/socket", token)

    async def post(self, path: str, body: Any = None, token: str = "") -> httpx.Response:
        """Send a request as a page does."""
        headers = {"Host": f"localhost:{self.process.port}", "Origin": self.origin}
        cookies = {"sid": token} if token else {}
        async with httpx.AsyncClient(
            base_url=self.process.http, headers=headers, cookies=cookies, trust_env=False, timeout=PATIENCE
        ) as browser:
            return await browser.post(path, json=body)

    async def guest(self) -> str:
        return _token(await self.post("/api/session"))


def _token(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    return answer.cookies["sid"]


@pytest.fixture
async def sites(tmp_path: Path) -> AsyncIterator[list[Site]]:
    redis = RedisServer()
    redis.start()
    started: list[ServerProcess] = []

    def start(name: str) -> None:
        (tmp_path / name).mkdir()
        started.append(ServerProcess(tmp_path / name, "--redis", redis.url, *UNLIMITED))

    try:
        await asyncio.gather(asyncio.to_thread(start, "one"), asyncio.to_thread(start, "two"))
        yield [Site(process) for process in started]
    finally:
        for process in started:
            process.end()
        redis.remove()


async def until(watched: WatchedTable, is_so: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until the view of a table is so."""
    async with asyncio.timeout(PATIENCE):
        while not is_so(watched.view):
            watched.changed.clear()
            if not is_so(watched.view):
                await watched.changed.wait()


async def listing(client: Client, table: str) -> dict[str, Any]:
    """Return a running table when the lists show its former player; they are published once in a while."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async for summary in client.find_tables("running"):
                if summary["table"] == table and summary["seats"][0]["former"]:
                    return summary
            await asyncio.sleep(0.05)


async def test_an_account_on_two_workers_until_it_is_deleted_in_the_middle_of_a_game(sites: list[Site]) -> None:
    one, two = sites
    authenticator = Authenticator(one.origin)
    first = await one.guest()
    async with asyncio.timeout(3 * PATIENCE), one.client(first) as ada, two.client(await two.guest()) as bob:
        await asyncio.gather(ada.welcomed.wait(), bob.welcomed.wait())
        ada_id = ada.user["id"]
        opened = await ada.request("create_table", settings={"game": "investors", "seats": 3})
        table = opened["table"]
        watched = await bob.watch(table)
        assert (watched.view["seats"][0]["handle"], watched.view["seats"][0]["former"]) == (None, False)

        # Keep the name, with a passkey.
        await ada.request("keep_name", handle="Ada")
        options = (await ada.request("begin_passkey"))["options"]
        added = await ada.request("add_passkey", credential=authenticator.create(options), name="Laptop")
        assert added["handle"] == "ada"
        await until(watched, lambda view: view["seats"][0]["handle"] == "ada")

        # Another browser signs in at the other worker.
        options = (await two.post("/api/session/passkey/begin")).json()["options"]
        authenticator.origin = two.origin
        answer = await two.post("/api/session/passkey", {"credential": authenticator.get(options)})
        second = _token(answer)
        assert answer.json()["user"] == {"id": ada_id, "name": ada.user["name"], "handle": "ada"}
        async with two.client(second) as phone:
            await phone.welcomed.wait()
            assert phone.user["handle"] == "ada"
            devices = (await phone.request("get_account"))["account"]["devices"]
            assert [device["current"] for device in devices] == [True, False]

            # Play with Bob and a bot, and be deleted from the second browser.
            await bob.request("take_seat", table=table)
            await bob.request("ready", table=table, ready=True)
            await ada.request("add_bot", table=table)
            await ada.request("say", table=table, text="Good luck!")
            await ada.request("start", table=table)
            await until(watched, lambda view: view["table"]["phase"] == "running")
            with pytest.raises(RequestRefused) as refusal:
                await phone.request("delete_account", confirm="someone else")
            assert refusal.value.code == "not_confirmed"
            await phone.request("delete_account", confirm="ada")
            # Both browsers are signed out, at both workers.
            for client in (ada, phone):
                with pytest.raises(TurnedAway):
                    await client.unless_turned_away(asyncio.Event().wait())

        await until(watched, lambda view: bool(view["seats"][0]["former"]))
        seat = watched.view["seats"][0]
        assert (seat["name"], seat["handle"], seat["resigned"]) == ("Former player", None, True)
        assert seat["stand_in"] is not None
        name = ada.user["name"]
        assert name not in json.dumps(watched.view)
        assert name not in json.dumps(await bob.read_log(table))
        listed = await listing(bob, table)
        assert name not in json.dumps(listed)
        # A view from the other worker says the same.
        async with one.client(await one.guest()) as stranger:
            seen = await stranger.watch(table)
            assert seen.view["seats"][0]["name"] == "Former player"
            with pytest.raises(RequestRefused) as refusal:
                await stranger.request("keep_name", handle="a-d-a")
            assert refusal.value.code == "handle_taken"
        # The bot plays for the former player, so the game goes on until it waits for Bob.
        await until(watched, lambda view: 1 in view["play"]["decision"]["awaited"])

        # The passkey is unknown now, and the cookie is that of nobody.
        options = (await two.post("/api/session/passkey/begin")).json()["options"]
        answer = await two.post("/api/session/passkey", {"credential": authenticator.get(options)})
        assert (answer.status_code, answer.json()["code"]) == (403, "bad_passkey")
        assert (await one.post("/api/session", token=first)).json()["user"]["id"] != ada_id
