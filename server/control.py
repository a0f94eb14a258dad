"""The control socket: how commands on the same machine ask a running server for something.

A unix-domain socket beside the database, which only its owner and root may use; nothing of it is reachable over the
network. A request is one line of JSON with a field `do`. The replies are lines of JSON: any number of them with
`progress`, then one with `done` or `refused`. A client that closes its connection cancels its request.

The server opens the socket while it holds the lock on the database, so a socket that is there already is a stale one.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
import socket
import stat
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

log = logging.getLogger(__name__)

MAX_LINE: Final = 4096
"""Bytes of a request; a longer one is refused."""

MAX_CONNECTIONS: Final = 8
"""Connections at a time; further ones are closed at once."""

REQUEST_TIMEOUT_SECONDS: Final = 5.0
"""The time for a client to send its request."""

_MAX_NAME: Final = 60
_MAX_ADDRESS: Final = 100  # Linux allows 107 bytes, other systems fewer

Message = dict[str, Any]
Send = Callable[[Message], None]
"""Sends a reply. It never waits; progress that a slow client has not read is dropped."""

Handler = Callable[[Message, Send], Awaitable[None]]
"""Serves one request. It is cancelled when the client closes its connection, or when the server stops."""


class Refusal(Exception):
    """A request is refused; the message is a sentence."""


class NoServer(Exception):
    """No server answers; the message is a sentence."""


def control_path(database: Path) -> Path:
    """Return the path of the control socket of the server with this database."""
    name = f"{database.name}.control"
    if len(os.fsencode(name)) > _MAX_NAME:
        name = f".{hashlib.sha256(os.fsencode(database.name)).hexdigest()[:16]}.control"
    return database.absolute().with_name(name)


@contextlib.contextmanager
def _address(path: Path) -> Iterator[str]:
    """Yield an address of this path that is short enough for a socket: through the open folder if necessary."""
    if len(os.fsencode(path)) <= _MAX_ADDRESS:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


# -- server ---------------------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def control_socket(path: Path, handlers: Mapping[str, Handler]) -> AsyncIterator[None]:
    """Serve requests, by the value of `do`, on a socket at `path`, which is removed at the end.

    If the socket cannot be opened, a warning is logged: games do not depend on it.
    """
    try:
        listener = _listen(path)
    except OSError as error:
        log.warning("control socket not opened", extra={"path": str(path), "error": error.strerror})
        yield
        return
    inode = os.lstat(path).st_ino
    control = _Control(handlers)
    server = await asyncio.start_unix_server(control.accept, sock=listener, limit=MAX_LINE)
    try:
        yield
    finally:
        server.close()
        await control.close()
        with contextlib.suppress(OSError):
            if os.lstat(path).st_ino == inode:
                os.unlink(path)


def _listen(path: Path) -> socket.socket:
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # On Linux the file gets the mode of the socket, so nobody else can ever connect.
        os.fchmod(listener.fileno(), 0o600)
        with _address(path) as address:
            listener.bind(address)
        path.chmod(0o600)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


class _Control:
    """The connections of a control socket."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = handlers
        self._tasks: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._tasks) >= MAX_CONNECTIONS or not _is_allowed(_peer_uid(writer)):
            writer.close()
            return
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, TimeoutError):
            pass
        except asyncio.CancelledError:
            # Only `close` cancels this task.
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def close(self) -> None:
        """Cancel all requests."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def send(message: Message) -> None:
            if "progress" not in message or writer.transport.get_write_buffer_size() == 0:
                writer.write(json.dumps(message).encode() + b"\n")

        async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
            request = await _read_request(reader)
        handler = None if request is None else self._handlers.get(str(request.get("do")))
        if request is None or handler is None:
            send({"refused": "The server does not know this request; is it another version?"})
            return
        handling = asyncio.ensure_future(handler(request, send))
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait([handling, leaving], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in (handling, leaving):
                each.cancel()
            await asyncio.wait([handling, leaving])
        if handling.cancelled():
            return
        error = handling.exception()
        if isinstance(error, Refusal):
            send({"refused": str(error)})
        elif error is not None:
            log.error("control request failed", exc_info=error)
            send({"refused": "The server failed; its log says why."})
        if writer.can_write_eof():
            writer.write_eof()
        async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
            await writer.drain()


async def _read_request(reader: asyncio.StreamReader) -> Message | None:
    """Return the request, or None if it is not a line with a JSON object."""
    try:
        request = json.loads(await reader.readline())
    except ValueError:  # also a line that is too long
        return None
    return request if isinstance(request, dict) else None


def _is_allowed(uid: int | None) -> bool:
    """Return whether a user may control this server: its own user, and root, who can read the database anyway."""
    return uid is None or uid in (os.geteuid(), 0)


def _peer_uid(writer: asyncio.StreamWriter) -> int | None:
    """Return the user at the other end; None where the system does not tell, and the mode of the file must do."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    form = struct.Struct("3i")
    peer = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, form.size)
    _, uid, _ = form.unpack(peer)
    return int(uid)


# -- client ---------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def requested(path: Path, request: Message) -> Iterator[Iterator[Message]]:
    """Send a request to the server behind a control socket, and yield its replies; leaving cancels the request.

    Raise `NoServer` if no server answers, and `Refusal`, in the iterator, if it refuses the request.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            with _address(path) as address:
                connection.connect(address)
            connection.sendall(json.dumps(request).encode() + b"\n")
        except PermissionError:
            raise NoServer(f"Only the user of the server, or root, may use {path}.") from None
        except OSError as error:
            raise NoServer(f"The server does not answer at {path}: {error.strerror}.") from None
        with connection.makefile("rb") as replies:
            yield _replies(replies)


def _replies(lines: Any) -> Iterator[Message]:
    gone = NoServer("The server has closed the connection before it was done.")
    try:
        for line in lines:
            reply: Message = json.loads(line)
            if "refused" in reply:
                raise Refusal(reply["refused"])
            yield reply
            if "done" in reply:
                return
    except (OSError, ValueError):
        raise gone from None
    raise gone
