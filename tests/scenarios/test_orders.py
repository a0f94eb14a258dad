"""A standing order at a real server that is killed: it acts at the next one, and only its owner is shown it."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

from protocol.client import Client, WatchedTable
from tests.gateway.process import server_process
from tests.scenarios.people import guest_token, open_table, socket_url

ORDER = {"kind": "draw", "values": {"column": "2"}, "until": "changed"}
TIMEOUT = 60


async def until_laid(watched: WatchedTable) -> None:
    """Wait until a card lies in the second column."""
    async with asyncio.timeout(TIMEOUT):
        while not watched.view["play"]["game"]["columns"][1]:
            watched.changed.clear()
            await watched.changed.wait()


def seat_awaited(watched: WatchedTable) -> int:
    seat: int = watched.view["play"]["decision"]["awaited"][0]
    return seat


async def give_and_be_killed(folder: Path) -> tuple[str, list[str]]:
    """Give an order, and kill the server before it acts; return the table, and the tokens of owner and rival."""
    with server_process(folder, "--bot-min-seconds=50", "--bot-max-seconds=60") as server:
        tokens = [guest_token(server.http) for _ in range(2)]
        url = socket_url(server.http)
        async with Client(url, tokens[0]) as first, Client(url, tokens[1]) as second:
            people = [first, second]
            table = await open_table(people, "planners", seats=2)
            owner = seat_awaited(await first.watch(table))
            await people[owner].request("set_orders", table=table, revision=0, orders=[ORDER])
            server.tell(signal.SIGKILL)
            server.exit_code()
    return table, [tokens[owner], tokens[1 - owner]]


async def test_an_order_survives_a_killed_server(tmp_path: Path) -> None:
    table, (owner, rival) = await give_and_be_killed(tmp_path)
    with server_process(tmp_path) as server:
        url = socket_url(server.http)
        # The owner is away: the rival alone opens the table.
        async with Client(url, rival) as client:
            watched = await client.watch(table)
            await until_laid(watched)
            log = str(await client.read_log(table))
            assert watched.view["orders"]["given"] == []
            assert "order_used" not in log
        async with Client(url, owner) as client:
            watched = await client.watch(table)
            assert watched.view["orders"]["given"] == [{**ORDER, "values": {"column": "2", "unless": None}}]
            assert "order_used" in str(await client.read_log(table))
