"""Measure the cost of a connection: `python -m tests.gateway.measure`. Not a test, since machines differ.

Memory: resident size of the server before and after opening many idle connections. Time: processor time of the server
for each delivered frame, while one user chats at a table and the others watch.
"""

from __future__ import annotations

import asyncio
import base64
import os
import sys
import tempfile
from pathlib import Path

import httpx

from protocol.codec import Encoding, encode
from tests.gateway.gateway_server import masked
from tests.gateway.process import ServerProcess, server_process

IDLE = 2_000
WATCHERS = 400
UPDATES = 500
OPEN_TO_ALL = (
    *("--connections", "20000", "--connections-per-user", "20000", "--connections-per-address", "40000"),
    *("--handshake-rate", "100000/1/100000", "--session-rate", "100000/1/100000", "--log-level", "warning"),
    *("--new-chat-rate", "100000/1/100000", "--new-handshake-rate", "100000/1/100000"),
    *("--request-rate", "100000/1/100000", "--chat-rate", "100000/1/100000", "--frame-rate", "100000/1/100000"),
)


class WaitingClient(asyncio.Protocol):
    """A client that waits for a byte string."""

    def __init__(self) -> None:
        self._words = b""
        self._data = b""
        self._has_arrived = asyncio.Event()

    def expect(self, words: bytes) -> None:
        """Wait for this byte string from now on."""
        self._words, self._data = words, b""
        self._has_arrived.clear()

    async def received(self) -> bytes:
        """Wait for the expected bytes and return everything received up to them."""
        async with asyncio.timeout(20):
            await self._has_arrived.wait()
        return self._data

    def data_received(self, data: bytes) -> None:
        if self._words:
            self._data += data
            if self._words in self._data:
                self._words = b""
                self._has_arrived.set()


async def guest(server: ServerProcess, program: httpx.AsyncClient) -> str:
    token: str = (await program.post(f"{server.http}/api/session")).json()["token"]
    return token


async def connect(server: ServerProcess, token: str) -> tuple[asyncio.Transport, WaitingClient]:
    head = (
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: sanfrancisco.1.json\r\nAuthorization: Bearer {token}\r\n\r\n"
    )
    transport, client = await asyncio.get_running_loop().create_connection(WaitingClient, "127.0.0.1", server.port)
    client.expect(b"your_tables")
    transport.write(head.encode())
    await client.received()
    return transport, client


def send(transport: asyncio.Transport, **request: object) -> None:
    transport.write(masked(1, encode(request, Encoding.JSON)))


def resident_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise LookupError(pid)


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure_memory(server: ServerProcess, program: httpx.AsyncClient) -> str:
    pid = server.process.pid
    tokens = [await guest(server, program) for _ in range(IDLE)]
    warm = [await connect(server, tokens[0]) for _ in range(50)]
    await asyncio.sleep(1)
    before = resident_kib(pid)
    idle = [await connect(server, token) for token in tokens]
    await asyncio.sleep(2)
    after = resident_kib(pid)
    for transport, _ in (*warm, *idle):
        transport.abort()
    await asyncio.sleep(1)
    return f"{(after - before) / IDLE:.1f} KiB for each of {IDLE} idle connections ({before} to {after} KiB)"


async def measure_delivery(server: ServerProcess, program: httpx.AsyncClient) -> str:
    pid = server.process.pid
    token = await guest(server, program)
    speaker, client = await connect(server, token)
    client.expect(b'"key"')
    send(speaker, type="create_table", id="c", settings={"game": "investors", "seats": 3})
    table = (await client.received()).split(b'"table":"')[1].split(b'"')[0].decode()
    watchers = [await connect(server, token) for _ in range(WATCHERS)]
    for transport, _ in watchers:
        send(transport, type="watch", id="w", table=table)
    await asyncio.sleep(2)
    begun = processor_seconds(pid)
    last = watchers[-1][1]
    for number in range(UPDATES):
        last.expect(b"word %d." % number)
        send(speaker, type="say", id=f"s{number}", table=table, text=f"word {number}.")
        await last.received()
    await asyncio.sleep(0.5)
    spent = processor_seconds(pid) - begun
    for transport, _ in ((speaker, client), *watchers):
        transport.abort()
    each = spent / UPDATES / WATCHERS * 1e6
    return f"{each:.1f} microseconds of the server for each of {UPDATES} x {WATCHERS} frames"


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder, server_process(Path(folder), *OPEN_TO_ALL) as server:
        async with httpx.AsyncClient(trust_env=False) as program:
            sys.stdout.write(f"{await measure_memory(server, program)}\n")
            sys.stdout.write(f"{await measure_delivery(server, program)}\n")


if __name__ == "__main__":
    asyncio.run(main())
