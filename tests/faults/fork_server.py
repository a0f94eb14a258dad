"""Starts real server processes in milliseconds: a template process that has imported everything is forked for each.

The template runs no event loop and no thread, so a forked process is like a fresh one: it runs `sanfrancisco serve`
with its own sockets, event loop, threads and log, and can be killed like any other. Two things differ from a fresh
process. Bots answer by a fixed rule, so that a game can be repeated without a server; and the process may be told to
kill itself at a named point (`kill_points.py`).
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from pathlib import Path
from typing import NoReturn

from tests.gateway.process import ROOT

MESSAGE_BYTES = 65_536
START_SECONDS = 30.0
PR_SET_PDEATHSIG = 1


class Died(Exception):
    """A server process ended before it listened."""


class ForkedServer:
    """A server process that was forked from the template."""

    def __init__(self, pid: int, output: int, orders: int) -> None:
        self.pid = pid
        self._orders = orders
        self.http = ""
        self._output = output
        self._pidfd = os.pidfd_open(pid)
        self._has_ended = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._pidfd, self._on_end)

    @property
    def is_running(self) -> bool:
        return not self._has_ended.is_set()

    async def until_listening(self) -> None:
        """Wait until clients can connect; raise `Died` if the process ends before."""
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._output, readable.set)
        try:
            line = b""
            async with asyncio.timeout(START_SECONDS):
                while not line.endswith(b"\n"):
                    await readable.wait()
                    readable.clear()
                    data = os.read(self._output, 1_000) if self.is_running else b""
                    if not data:
                        raise Died(line.decode())
                    line += data
            self.http = line.decode().split()[-1]
        finally:
            if self.is_running:
                loop.remove_reader(self._output)

    def tell(self, sign: signal.Signals) -> None:
        if self.is_running:
            os.kill(self.pid, sign)

    def arm(self, point: str, passing: int) -> None:
        """Let the process kill itself when it passes a named point for the given time from now on."""
        if self.is_running:
            os.write(self._orders, json.dumps([point, passing]).encode())
            self.tell(signal.SIGUSR1)

    async def until_ended(self) -> None:
        """Wait until the process has ended."""
        await self._has_ended.wait()

    def _on_end(self) -> None:
        for fd in (self._pidfd, self._output, self._orders):
            asyncio.get_running_loop().remove_reader(fd)
            os.close(fd)
        self._has_ended.set()


class ForkServer:
    """The template process, as a test uses it. Close it at the end."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.fork_server", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                cwd=ROOT,
                env={name: value for name, value in os.environ.items() if not name.startswith("SANFRANCISCO_")},
            )
        self._control.setblocking(False)
        self._lock = asyncio.Lock()

    async def fork(self, arguments: tuple[str, ...], log: Path) -> ForkedServer:
        """Start a server with these arguments of `sanfrancisco serve`; its log is appended to a file."""
        output, their_output = os.pipe()
        their_orders, orders = os.pipe()
        fds = [their_output, os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), their_orders]
        try:
            async with self._lock:
                socket.send_fds(self._control, [json.dumps({"serve": arguments}).encode()], fds)
                pid = int(await self._answer())
        finally:
            for fd in fds:
                os.close(fd)
        return ForkedServer(pid, output, orders)

    async def exit_code(self, server: ForkedServer) -> int:
        """Wait until a process has ended; return its exit code, or the negative number of the signal that ended it."""
        await server.until_ended()
        async with self._lock:
            self._control.send(json.dumps({"wait": server.pid}).encode())
            return int(await self._answer())

    async def _answer(self) -> bytes:
        answer = await asyncio.get_running_loop().sock_recv(self._control, MESSAGE_BYTES)
        assert answer, "the template process has ended"
        return answer

    def close(self) -> None:
        """End the template, and with it all its processes."""
        self._control.close()
        self._process.wait(START_SECONDS)


# -- the template process -------------------------------------------------------------------------------------


def main(control_fd: int) -> None:
    """Fork a server for each order until the test has ended."""
    _import_everything()
    gc.collect()
    gc.freeze()
    control = socket.socket(fileno=control_fd)
    while True:
        message, fds, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 3)
        if not message:
            return
        order = json.loads(message)
        if "wait" in order:
            _, status = os.waitpid(order["wait"], 0)
            control.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        pid = os.fork()
        if pid == 0:
            control.close()
            _serve(order["serve"], *fds)
        for fd in fds:
            os.close(fd)
        control.send(str(pid).encode())


def _import_everything() -> None:
    """Import what a server imports at its start and at its first requests."""
    import encodings.idna  # noqa: F401

    import server.app
    import server.cli  # noqa: F401
    import tests.faults.kill_points  # noqa: F401


def _serve(arguments: list[str], output: int, log: int, orders: int) -> NoReturn:
    """Be a server process until the end."""
    # Nothing that a test forgets may outlive the template.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    for fd, standard in ((output, 1), (log, 2)):
        os.dup2(fd, standard)
        os.close(fd)
    # The streams of the template know things about files that are no longer theirs.
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    code = 1
    try:
        from server.cli import main as sanfrancisco
        from tests.faults.kill_points import arm, let_bots_answer_by_rule

        let_bots_answer_by_rule()
        signal.signal(signal.SIGUSR1, lambda number, frame: arm(*json.loads(os.read(orders, MESSAGE_BYTES))))
        code = sanfrancisco(["serve", *arguments])
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main(int(sys.argv[1]))
