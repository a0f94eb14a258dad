"""As much of HTTP as the load needs: one request on a connection of its own."""

from __future__ import annotations

import asyncio
import json
from typing import Any


async def get(port: int, path: str) -> Any:
    """Give the JSON that a server on this machine has there; raises `ConnectionError` for a refusal."""
    return await _ask("GET", port, path, b"")


async def post(port: int, path: str, content: dict[str, Any] | None = None) -> Any:
    """Send something and give the JSON that comes back; raises `ConnectionError` for a refusal."""
    return await _ask("POST", port, path, b"" if content is None else json.dumps(content).encode())


async def _ask(method: str, port: int, path: str, body: bytes) -> Any:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    writer.write(head.encode() + body)
    answer = await reader.read()
    writer.close()
    first, _, rest = answer.partition(b"\r\n")
    headers, _, text = rest.partition(b"\r\n\r\n")
    if b" 200 " not in first[:14]:
        raise ConnectionError(f"{path}: {first.decode(errors='replace')} {text[:200].decode(errors='replace')}")
    if b"transfer-encoding: chunked" in headers.lower():
        text = _joined(text)
    return json.loads(text)


def _joined(chunked: bytes) -> bytes:
    """Give a body without the sizes of its chunks."""
    services, rest = [], chunked
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        services.append(rest[:length])
        rest = rest[length + 2 :]
    return b"".join(services)
