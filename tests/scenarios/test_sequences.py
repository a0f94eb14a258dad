"""The sequences of PROTOCOL.md, word for word, on the real server, in both encodings."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from protocol.client import Client, WatchedTable
from protocol.codec import Encoding
from tests.faults.kills import free_port
from tests.gateway.process import ServerProcess
from tests.protocol.document import sequences
from tests.scenarios.people import UNLIMITED, guest_token, open_table, play_until, socket_url
from tests.scenarios.sequence_runner import SequenceRunner

NAMES = ("Ada", "Ben", "Cleo")
Until = Callable[[dict[str, Any]], bool]
"""Takes the decision that Ada sees, and returns whether the sequence can begin with it."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("sequences"), *UNLIMITED)
    yield process
    process.end()


# -- preparations of the sequences ----------------------------------------------------------------------------


def at_once(decision: dict[str, Any]) -> bool:
    return True


def all_seal(decision: dict[str, Any]) -> bool:
    return bool(decision["sealed"]) and decision["awaited"] == [0, 1, 2]


def ada_decides(decision: dict[str, Any]) -> bool:
    return 0 in decision["awaited"] and not decision["sealed"]


async def nothing(runner: SequenceRunner) -> None:
    """Prepare nothing: the sequence itself names its participants."""


async def a_handle(runner: SequenceRunner) -> None:
    """Choose a handle that no other run has taken."""
    runner.values["$handle"] = f"ada-{runner.encoding.value}"


def a_game(until: Until, *following: str) -> Callable[[SequenceRunner], Awaitable[None]]:
    """Let Ada, Ben and Cleo play until the first suitable decision; then some of them watch the table."""

    async def begin(runner: SequenceRunner) -> None:
        tokens = {name: guest_token(runner.http) for name in NAMES}
        async with AsyncExitStack() as stack:
            people = [
                await stack.enter_async_context(Client(socket_url(runner.http), token, runner.encoding))
                for token in tokens.values()
            ]
            for name, client in zip(NAMES, people, strict=True):
                await client.request("set_name", name=name)
            table = await open_table(people, "investors", seats=3)
            watched = [await client.watch(table) for client in people]
            await play_until(people, watched, lambda: until(watched[0].view["play"]["decision"]))
            runner.values |= _known(table, people, watched[0])
        for name, token in tokens.items():
            runner.device(name).use_session(token)
        for name in following:
            device = runner.device(name)
            await device.connect(runner.subprotocol_of("sanfrancisco.1.json"))
            await device.send({"type": "watch", "id": "first", "table": table})
            await device.get({"type": "done", "id": "first"}, {})

    return begin


def _known(table: str, people: list[Client], ada: WatchedTable) -> dict[str, Any]:
    decision = ada.view["play"]["decision"]
    users = {f"${name.lower()}": client.user["id"] for name, client in zip(NAMES, people, strict=True)}
    asked = {"$fallback": decision["prompt"]["fallback"]} if "prompt" in decision else {"$fallback": {"do": "nothing"}}
    return {
        "$table": table,
        "$number": ada.number,
        "$stamp": ada.stamp,
        "$decision": decision["number"],
        **users,
        **asked,
    }


BEGINNINGS = {
    "joining": nothing,
    "bidding": a_game(all_seal, *NAMES),
    "reconnecting": a_game(ada_decides, "Ada"),
    "restarting": a_game(ada_decides, "Ada"),
    "watching": a_game(at_once),
    "second device": a_game(at_once, "Ada"),
    "keeping a name": a_handle,
    "looking back": a_game(at_once, *NAMES),
    "program": a_game(at_once, "Ada"),
    "old page": nothing,
}


def test_every_sequence_of_the_document_is_run() -> None:
    assert sequences().keys() == BEGINNINGS.keys()


@pytest.mark.parametrize("encoding", Encoding)
@pytest.mark.parametrize("name", [name for name in BEGINNINGS if name != "restarting"])
async def test_a_sequence_of_the_document_happens_on_the_live_server(
    name: str, encoding: Encoding, live: ServerProcess
) -> None:
    async with SequenceRunner(live.http, encoding) as runner:
        await BEGINNINGS[name](runner)
        await runner.play(sequences()[name])


@pytest.mark.parametrize("encoding", Encoding)
async def test_a_server_that_is_told_to_restart_says_so_and_goes_on(encoding: Encoding, tmp_path: Path) -> None:
    arguments = (*UNLIMITED, f"--port={free_port()}")
    server = ServerProcess(tmp_path, *arguments)
    try:
        async with SequenceRunner(server.http, encoding) as runner:
            await BEGINNINGS["restarting"](runner)
            server.tell(signal.SIGTERM)
            assert server.exit_code() == 0
            server.end()
            server = ServerProcess(tmp_path, *arguments)
            await runner.play(sequences()["restarting"])
    finally:
        server.end()
