"""The whole server, started as an operator starts it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from protocol.codec import encode
from server.cli import main
from tests.gateway.gateway_server import JSON, MSGPACK, Client, Raw
from tests.gateway.process import ROOT, WAIT, ServerProcess, server_process
from tests.store.redis_server import RedisServer

ROOMY = ("--request-rate", "10000/1/10000", "--handshake-rate", "10000/1/10000", "--bot-min-seconds", "0")


async def guest(server: ServerProcess) -> str:
    """Return the token of a new user."""
    async with httpx.AsyncClient(base_url=server.http, trust_env=False) as program:
        token: str = (await program.post("/api/session")).json()["token"]
        return token


@contextlib.asynccontextmanager
async def connected(server: ServerProcess, token: str, subprotocol: str = JSON) -> AsyncIterator[Client]:
    names: Any = [subprotocol]
    async with connect(
        f"ws://127.0.0.1:{server.port}/socket",
        additional_headers={"Authorization": f"Bearer {token}"},
        subprotocols=names,
        proxy=None,
        compression=None,
    ) as connection:
        client = Client(connection)
        assert (await client.receive())["type"] == "welcome"
        assert (await client.receive())["type"] == "your_tables"
        yield client


def wait_for_log(server: ServerProcess, event: str) -> None:
    """Wait until the server has logged an event."""
    deadline = time.monotonic() + WAIT
    while f'"event": "{event}"' not in server.log():
        assert time.monotonic() < deadline, server.log()
        time.sleep(0.01)


async def answer_to(client: Client, **request: Any) -> dict[str, Any]:
    """Send a request and return its reply, skipping all messages before it."""
    await client.send(**request)
    while True:
        message = await client.receive()
        if message["type"] in ("done", "refused") and message["id"] == request["id"]:
            assert message["type"] == "done", message
            return message


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_table_is_opened_filled_with_bots_and_begun(tmp_path: Path, subprotocol: str) -> None:
    with server_process(tmp_path, *ROOMY, "--bot-max-seconds", "0.01") as server:
        async with connected(server, await guest(server), subprotocol) as ann:
            settings = {"game": "investors", "seats": 3}
            opened = await answer_to(ann, type="create_table", id="1", settings=settings)
            table = opened["result"]["table"]
            await answer_to(ann, type="watch", id="2", table=table)
            view = await ann.receive()
            while view["type"] != "view":
                view = await ann.receive()
            assert view["view"]["mine"] == 0
            for number in (3, 4):
                await ann.send(type="add_bot", id=str(number), table=table)
            await ann.send(type="ready", id="5", table=table, ready=True)
            await ann.send(type="start", id="6", table=table)
            answered, numbers = [], []
            while len(numbers) < 4:
                message = await ann.receive()
                if message["type"] == "done":
                    answered.append(message["id"])
                elif message["type"] == "update":
                    numbers.append(message["number"])
            assert answered == ["3", "4", "5", "6"]
            assert numbers == list(range(view["number"] + 1, view["number"] + 5))
        async with httpx.AsyncClient(base_url=server.operator_http, trust_env=False) as operator:
            health = (await operator.get("/healthz")).json()
            assert (health["ok"], health["store"], health["tables"]) == (True, "ok", 1)
            metrics = (await operator.get("/metrics")).text
            assert "sanfrancisco_tables_awake 1.0" in metrics
            assert "sanfrancisco_tables_running 1.0" in metrics


async def test_on_a_signal_the_server_finishes_says_goodbye_and_exits_with_zero(tmp_path: Path) -> None:
    with server_process(tmp_path, *ROOMY) as server:
        async with connected(server, await guest(server)) as ann:
            for number in range(10):
                await ann.send(type="create_table", id=f"t{number}", settings={"game": "investors", "seats": 3})
            answered = [(await ann.receive())["id"]]
            server.tell(signal.SIGTERM)
            begun = time.monotonic()
            answered += [message.get("id") for message in await ann.receive_all()]
            assert ann.connection.close_code == 1012
            assert "come back at once" in (ann.connection.close_reason or "")
            assert sorted(filter(None, answered)) == [f"t{number}" for number in range(10)]
            assert server.exit_code() == 0
            assert time.monotonic() - begun < 10
    lines = [json.loads(line) for line in server.log().splitlines()]
    assert [line["event"] for line in lines][-1] == "stopped"


async def test_a_restarted_server_knows_its_users(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        token = await guest(server)
        async with connected(server, token) as ann:
            await answer_to(ann, type="set_name", id="1", name="Ann Arbor")
        server.tell(signal.SIGTERM)
        assert server.exit_code() == 0
    with server_process(tmp_path) as server:
        async with connected(server, token) as ann:
            await answer_to(ann, type="set_name", id="1", name="Ann")


async def test_on_a_second_signal_the_server_exits_at_once(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        stubborn = Raw(server.port)
        try:
            stubborn.shake_hands(await guest(server), JSON)
            server.tell(signal.SIGTERM)
            wait_for_log(server, "draining")
            assert server.process.poll() is None
            begun = time.monotonic()
            server.tell(signal.SIGTERM)
            assert server.exit_code() == 1
            assert time.monotonic() - begun < 1
        finally:
            stubborn.socket.close()


async def test_a_client_that_does_not_close_does_not_delay_the_exit(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        stubborn = Raw(server.port)
        try:
            stubborn.shake_hands(await guest(server), JSON)
            server.tell(signal.SIGTERM)
            begun = time.monotonic()
            assert server.exit_code() == 0
            assert time.monotonic() - begun < 10
        finally:
            stubborn.socket.close()


def complaint(done: tuple[int, str, str]) -> str:
    """Return the one sentence in which a server says why it does not start."""
    code, printed, complaints = done
    assert (code, printed) == (2, ""), complaints
    [line] = complaints.splitlines()
    assert line.startswith("sanfrancisco serve: ")
    return line.removeprefix("sanfrancisco serve: ")


def test_an_address_that_cannot_be_used_is_reported_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    def start(*arguments: str) -> str:
        return complaint((main(["serve", *arguments]), *capsys.readouterr()))

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        in_use = start("--port", str(port))
    assert in_use == f"The server cannot listen on port {port} of 127.0.0.1: Address already in use."
    assert start("--host", "no host") == "There is no host 'no host' to listen on."
    assert start("--request-rate", "fast").startswith("--request-rate cannot be 'fast': a rate is written")


@pytest.mark.parametrize("database", ["tables.db", "no-such-folder/tables.db"])
def test_a_database_that_cannot_be_used_is_reported_in_one_sentence(tmp_path: Path, database: str) -> None:
    with server_process(tmp_path):
        command = [sys.executable, "-m", "server", "serve", "--port", "0", "--database", str(tmp_path / database)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    sentence = complaint((done.returncode, done.stdout, done.stderr))
    assert str(tmp_path / database) in sentence
    assert "in use" in sentence or "No such file" in sentence


async def test_the_log_holds_no_secret(tmp_path: Path) -> None:
    with server_process(tmp_path, "--log-level", "debug") as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as program:
            token = (await program.post("/api/session?secret=inthequery")).json()["token"]
            await program.post("/api/session/code", json={"code": "SECRETCD"})
            await program.get("/?secret=inthequery")
        async with connected(server, token) as ann:
            await answer_to(ann, type="set_name", id="1", name="Secretname")
            made = await answer_to(ann, type="make_code", id="2")
            other = (await answer_to(ann, type="make_token", id="3"))["result"]["token"]
            await ann.send(type="say", id="4", table="abcd", text="secretwords")
            await ann.send(type="start", id="secretid")
            await ann.connection.send(encode({"secretfield": 1}, ann.encoding).decode()[:-1])
            assert await ann.close_code() == 1007
        stranger = Raw(server.port)
        stranger.socket.sendall(b"nonsense with asecret in it\r\n\r\n")
        stranger.socket.recv(1_000)
        stranger.socket.close()
        server.tell(signal.SIGTERM)
        assert server.exit_code() == 0
    log = server.log()
    events = [json.loads(line) for line in log.splitlines()]
    assert {"listening", "connection opened", "connection closed", "draining", "stopped"} <= {
        event["event"] for event in events
    }
    assert [event["code"] for event in events if event["event"] == "connection closed"] == [1007]
    code = made["result"]["code"]
    secrets = [token, token.partition(".")[2], other.partition(".")[2], code, "secret", "SECRET", "Secretname"]
    for secret in secrets:
        assert secret not in log


def test_a_port_of_the_operator_that_is_taken_is_reported_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code = main(["serve", "--port", "0", "--metrics-listen", f"127.0.0.1:{port}"])
    assert f"cannot listen on port {port}" in complaint((code, *capsys.readouterr()))


async def test_each_worker_has_a_port_for_the_operator(tmp_path: Path) -> None:
    redis = RedisServer()
    redis.start()
    try:
        with server_process(tmp_path, "--workers", "2", "--redis", redis.url) as server:
            deadline = time.monotonic() + WAIT
            while len(ports := set(re.findall(r'"event": "operator pages".*"port": (\d+)', server.log()))) < 2:
                assert time.monotonic() < deadline, server.log()
                await asyncio.sleep(0.01)
            async with httpx.AsyncClient(trust_env=False) as operator:
                for port in ports:
                    page = (await operator.get(f"http://127.0.0.1:{port}/metrics")).text
                    assert "sanfrancisco_connections 0.0" in page
            server.tell(signal.SIGTERM)
            assert server.exit_code() == 0
    finally:
        redis.remove()
