"""A minimal HTTP client for the load: one request per connection."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import Any

_PORTS_OF_ADDRESS = 2_000
_ADDRESSES = 200
_connections = count()


def own_address() -> str:
    """Return the address that the next connection comes from.

    One address has too few ports for all connections, and finding a free one gets slow long before they are used up.
    """
    return f"127.0.0.{1 + next(_connections) // _PORTS_OF_ADDRESS % _ADDRESSES}"


async def get(port: int, path: str) -> Any:
    """Return the JSON of a GET request to this machine; raise `ConnectionError` for any status but 200."""
    return await _request("GET", port, path, b"")


async def post(port: int, path: str, content: dict[str, Any] | None = None) -> Any:
    """Return the JSON of a POST request to this machine; raise `ConnectionError` for any status but 200."""
    return await _request("POST", port, path, b"" if content is None else json.dumps(content).encode())


async def _request(method: str, port: int, path: str, body: bytes) -> Any:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(own_address(), 0))
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
        text = _dechunked(text)
    return json.loads(text)


def _dechunked(chunked: bytes) -> bytes:
    """Return a chunked body without the sizes of its chunks."""
    chunks, rest = [], chunked
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        chunks.append(rest[:length])
        rest = rest[length + 2 :]
    return b"".join(chunks)
