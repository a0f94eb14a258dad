"""A commentator with the Python client at a real server, who loses the connection and resumes after a kill."""

from __future__ import annotations

import asyncio
from pathlib import Path

from protocol.client import Client, WatchedTable, socket_url
from tests.faults.kills import free_port
from tests.gateway.process import server_process
from tests.scenarios.people import UNLIMITED, any_changed, guest_token, open_table, play_until, wait_until

DELAY = {"kind": "decisions", "decisions": 2}


def number(watched: WatchedTable) -> int:
    """Return the number of the decision that is shown; 0 before the game."""
    play = watched.view["play"]
    return 0 if play is None else int(play["decision"]["number"])


async def test_a_commentator_is_two_decisions_behind_also_after_a_kill(tmp_path: Path) -> None:
    arguments = (*UNLIMITED, f"--port={free_port()}")
    seen: list[int] = []
    async with asyncio.timeout(120):
        with server_process(tmp_path, *arguments) as server:
            tokens = [guest_token(server.http) for _ in range(4)]
            clients = [Client(socket_url(server.http), token) for token in tokens]
            ann, ben, eve, cat = [await client.__aenter__() for client in clients]
            table = await open_table([ann, ben, eve], "investors", 3, delayed_view=DELAY, absence_seconds=None)
            key = (await ann.request("commentary_key", table=table))["key"]
            players = [await client.watch(table) for client in (ann, ben, eve)]
            watched = await cat.watch(table, key, delayed=True)
            for reached in (4, 6):
                await play_until([ann, ben, eve], players, lambda: number(players[0]) >= reached)  # noqa: B023
                at_least = number(players[0]) - 2
                await wait_until(watched, lambda view: number(watched) >= at_least)  # noqa: B023
                seen.append(number(watched))
                assert number(watched) <= number(players[0]) - 2
            hands = [seat["game"] for seat in watched.view["open"]]
            assert [set(hand) for hand in hands] == [{"hand"}] * 3
            server.process.kill()
            server.process.wait()
        with server_process(tmp_path, *arguments):
            await play_until([ann, ben, eve], players, lambda: number(players[0]) >= 9)
            while number(watched) < number(players[0]) - 2:
                await any_changed([watched])
            assert seen[-1] < number(watched) <= number(players[0]) - 2
            assert cat.reconnects > 0
            for client in clients:
                await client.__aexit__()
