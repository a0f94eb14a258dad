"""The lobby of a real server as a program sees it: pages of tables, and the limit of one host."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from protocol.client import Client
from tests.gateway.process import server_process
from tests.scenarios.people import UNLIMITED, person, refusal_of

HOSTS = 4
RATES = [argument for argument in UNLIMITED if not argument.startswith("--hosted-tables")]


async def open_tables(host: Client, name: str) -> list[str]:
    """Open as many public tables as the server allows, and return them."""
    settings: dict[str, Any] = {"game": "planners", "seats": 3, "name": name}
    tables = [(await host.request("create_table", settings=settings))["table"] for _ in range(3)]
    assert await refusal_of(host.request("create_table", settings=settings)) == "too_many_tables"
    return tables


async def test_a_program_reads_all_pages_and_finds_a_table_by_its_name(tmp_path: Path) -> None:
    with server_process(tmp_path, *RATES) as server:
        async with AsyncExitStack() as stack:
            hosts = [await stack.enter_async_context(person(server.http)) for _ in range(HOSTS)]
            opened = [await open_tables(host, f"Club {number}") for number, host in enumerate(hosts)]
            assert [len(tables) for tables in opened] == [3] * HOSTS
            heard: list[dict[str, Any]] = []
            reader = await stack.enter_async_context(person(server.http, on_message=heard.append))
            # The lists learn of the last tables a moment after their replies.
            async with asyncio.timeout(60):
                while len([table async for table in reader.find_tables()]) < 3 * HOSTS:
                    await reader.request("ping")
            found = [table["table"] async for table in reader.find_tables(limit=5)]
            # One table of each host comes before the others.
            assert sorted(found[:HOSTS]) == sorted(tables[0] for tables in opened)
            assert sorted(found) == sorted(table for tables in opened for table in tables)
            named = [table["table"] async for table in reader.find_tables(search="CLUB 2", game="planners")]
            assert named == opened[2]
            assert [table async for table in reader.find_tables("running")] == []
            # A client without queries gets the first page of each phase.
            heard.clear()
            await reader.request("list_tables")
            while not any(message["type"] == "tables" for message in heard):
                await reader.request("ping")
            [listed] = [message for message in heard if message["type"] == "tables"]
            assert [table["table"] for table in listed["tables"]] == found
            assert (listed["open"]["total"], listed["running"]["total"]) == (3 * HOSTS, 0)
            assert listed["waiting"] == {"planners": HOSTS}
