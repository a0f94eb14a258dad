"""The control socket: for the user of the server only, one line of JSON per request, and gone with the server."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server import control
from server.control import Message, NoServer, Refusal, Send, control_path, control_socket, requested

TIMEOUT_SECONDS = 20.0


async def echo(request: Message, send: Send) -> None:
    send({"progress": [1, 2]})
    send({"done": request["say"]})


async def refuse(request: Message, send: Send) -> None:
    raise Refusal("Not today.")


async def fail(request: Message, send: Send) -> None:
    raise ZeroDivisionError


HANDLERS = {"echo": echo, "refuse": refuse, "fail": fail}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return control_path(tmp_path / "tables.db")


def ask(path: Path, **request: object) -> list[Message]:
    with requested(path, request) as replies:
        return list(replies)


@contextmanager
def raw(path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(TIMEOUT_SECONDS)
        connection.connect(str(path))
        yield connection


def sent(path: Path, line: bytes) -> bytes:
    """Return everything that the server replies to these bytes."""
    with raw(path) as connection, connection.makefile("rb") as replies:
        connection.sendall(line)
        return replies.read()


async def test_a_request_gets_its_replies(path: Path) -> None:
    async with control_socket(path, HANDLERS):
        assert await asyncio.to_thread(ask, path, do="echo", say="yes") == [{"progress": [1, 2]}, {"done": "yes"}]
        with pytest.raises(Refusal, match=r"^Not today\.$"):
            await asyncio.to_thread(ask, path, do="refuse")


async def test_a_bug_is_logged_and_the_next_request_is_served(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with control_socket(path, HANDLERS):
        with pytest.raises(Refusal, match="its log says why"):
            await asyncio.to_thread(ask, path, do="fail")
        assert (await asyncio.to_thread(ask, path, do="echo", say=1))[-1] == {"done": 1}
    assert "control request failed" in caplog.text


@pytest.mark.parametrize(
    "line", [b"\n", b"[]\n", b"{}\n", b'{"do": "dance"}\n', b"\xff\xfe\n", b'{"do": {}}\n', b"x" * 10_000 + b"\n"]
)
async def test_anything_else_is_refused_with_a_sentence(path: Path, line: bytes) -> None:
    async with control_socket(path, HANDLERS):
        answered = await asyncio.to_thread(sent, path, line)
        assert json.loads(answered) == {"refused": "The server does not know this request; is it another version?"}


async def test_only_its_owner_may_open_the_socket(path: Path) -> None:
    async with control_socket(path, HANDLERS):
        found = os.lstat(path)
        assert stat.S_ISSOCK(found.st_mode)
        assert stat.S_IMODE(found.st_mode) == 0o600


async def test_the_server_asks_the_system_who_is_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with control_socket(path, HANDLERS):
        # As if another user had got past the mode of the file.
        monkeypatch.setattr(os, "geteuid", lambda: 4242)
        monkeypatch.setattr(control, "_peer_uid", lambda writer: 4243)
        with pytest.raises(NoServer):
            await asyncio.to_thread(ask, path, do="echo", say=1)
        monkeypatch.setattr(control, "_peer_uid", lambda writer: 4242)
        assert (await asyncio.to_thread(ask, path, do="echo", say=1))[-1] == {"done": 1}
        monkeypatch.setattr(control, "_peer_uid", lambda writer: 0)
        assert (await asyncio.to_thread(ask, path, do="echo", say=1))[-1] == {"done": 1}


async def test_the_system_tells_the_user_of_a_connection(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int | None] = []
    peer_uid = control._peer_uid
    monkeypatch.setattr(control, "_peer_uid", lambda writer: seen.append(peer_uid(writer)))
    async with control_socket(path, HANDLERS):
        await asyncio.to_thread(ask, path, do="echo", say=1)
    assert seen == [os.geteuid()]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
async def test_another_user_is_refused_even_if_the_mode_lets_it_in() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        path = Path(folder) / "tables.db.control"
        connect = f"import socket; s = socket.socket(socket.AF_UNIX); s.connect({str(path)!r})"
        script = f"{connect}; b'' == s.recv(9) and print('closed')"
        os.chmod(folder, 0o711)  # noqa: S103
        async with control_socket(path, HANDLERS):
            for mode, said in ((0o600, b""), (0o666, b"closed\n")):
                os.chmod(path, mode)
                process = await asyncio.create_subprocess_exec(
                    *("/usr/bin/env", "python3", "-c", script), user=65534, stdout=-1, stderr=-3, cwd="/"
                )
                assert await asyncio.wait_for(process.communicate(), TIMEOUT_SECONDS) == (said, None)
            assert (await asyncio.to_thread(ask, path, do="echo", say=1))[-1] == {"done": 1}


@pytest.mark.parametrize("name", ["tables.db", "x" * 200 + ".db", "ü" * 100])
async def test_a_path_may_be_longer_than_an_address_of_a_socket(tmp_path: Path, name: str) -> None:
    folder = tmp_path / ("long" * 30) / ("longer" * 20)
    os.makedirs(folder)
    path = control_path(folder / name)
    assert len(os.fsencode(path)) > 200
    async with control_socket(path, HANDLERS):
        assert stat.S_IMODE(os.lstat(path).st_mode) == 0o600
        assert (await asyncio.to_thread(ask, path, do="echo", say=1))[-1] == {"done": 1}
    assert path.name not in os.listdir(path.parent)


async def test_a_socket_that_a_killed_server_has_left_is_replaced(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stale:
        stale.bind(str(path))
    with pytest.raises(NoServer, match=r"does not answer at .*: Connection refused"):
        await asyncio.to_thread(ask, path, do="echo", say=1)
    async with control_socket(path, HANDLERS):
        assert (await asyncio.to_thread(ask, path, do="echo", say=1))[-1] == {"done": 1}
    assert path.name not in os.listdir(path.parent)
    with pytest.raises(NoServer, match="No such file"):
        await asyncio.to_thread(ask, path, do="echo", say=1)


def test_a_file_of_that_name_is_left_alone(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def open_and_close() -> None:
        async with control_socket(path, HANDLERS):
            pass

    path.write_text("mine")
    with caplog.at_level(logging.WARNING):
        asyncio.run(open_and_close())
    assert "control socket not opened" in caplog.text
    assert path.read_text() == "mine"


async def test_a_client_that_leaves_cancels_its_request(path: Path) -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def wait(request: Message, send: Send) -> None:
        begun.set()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            cancelled.set()

    async with asyncio.timeout(TIMEOUT_SECONDS), control_socket(path, {"wait": wait}):
        with raw(path) as connection:
            connection.sendall(b'{"do": "wait"}\n')
            await begun.wait()
        await cancelled.wait()
        begun.clear()
        cancelled.clear()
        # The other way round: the server ends.
        with raw(path) as connection:
            connection.sendall(b'{"do": "wait"}\n')
            await begun.wait()
    assert cancelled.is_set()


async def test_connections_are_few_and_a_silent_one_does_not_stay(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "MAX_CONNECTIONS", 2)
    async with control_socket(path, HANDLERS):
        with raw(path), raw(path), raw(path) as third:
            assert await asyncio.to_thread(third.recv, 1) == b""
    monkeypatch.setattr(control, "REQUEST_TIMEOUT_SECONDS", 0.01)
    async with control_socket(path, HANDLERS):
        with raw(path) as silent:
            assert await asyncio.to_thread(silent.recv, 1) == b""
