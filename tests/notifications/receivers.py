"""What messages are sent to: HTTP servers that behave as a test says, and a browser that decrypts."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.notifications.web_push import base64url, bytes_of, private_key_of, public_bytes

LOOPBACK = ("127.0.0.0/8", "::1/128")
"""The networks that tests let the server reach."""

OK = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


class Request(NamedTuple):
    """A request that a server has got."""

    target: str
    headers: dict[str, str]
    body: bytes


Behaviour = Callable[["HttpServer", asyncio.StreamWriter], Awaitable[None]]
"""What a server does with a connection once it has read the request."""


def answering(answer: bytes) -> Behaviour:
    """Return a server that sends these bytes and closes."""

    async def behave(server: HttpServer, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    return behave


def status(number: int, *headers: str) -> Behaviour:
    """Return a server that answers with a status."""
    lines = "".join(f"{header}\r\n" for header in headers)
    return answering(f"HTTP/1.1 {number} X\r\nContent-Length: 0\r\n{lines}\r\n".encode())


async def silent(server: HttpServer, writer: asyncio.StreamWriter) -> None:
    """Answer nothing until the peer leaves."""
    await writer.wait_closed()


async def slow_headers(server: HttpServer, writer: asyncio.StreamWriter) -> None:
    """Send a head that never ends, a few bytes at a time."""
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while not writer.transport.is_closing():
        writer.write(b"X-A: b\r\n")
        await asyncio.sleep(0.01)


async def endless_headers(server: HttpServer, writer: asyncio.StreamWriter) -> None:
    """Send a head that never ends, as fast as possible."""
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while not writer.transport.is_closing():
        writer.write(b"X-A: " + b"b" * 1000 + b"\r\n")
        await writer.drain()


async def endless_interim_answers(server: HttpServer, writer: asyncio.StreamWriter) -> None:
    """Send interim answers without end."""
    while not writer.transport.is_closing():
        writer.write(b"HTTP/1.1 102 Processing\r\n\r\n" * 100)
        await writer.drain()


async def endless_body(server: HttpServer, writer: asyncio.StreamWriter) -> None:
    """Accept, with a body that never ends; count what was taken."""
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not writer.transport.is_closing():
        writer.write(b"400\r\n" + b"b" * 1024 + b"\r\n")
        await writer.drain()
        server.sent += 1024


class HttpServer:
    """A local HTTP server. `behaviours` are for its first connections; the last one goes for all others."""

    def __init__(self, *behaviours: Behaviour) -> None:
        self.behaviours = list(behaviours) or [answering(OK)]
        self.requests: list[Request] = []
        self.connections = 0
        self.sent = 0
        self.port = 0
        self._is_https = False
        self.is_left = asyncio.Event()
        """Set when a connection has ended."""

        self._received = asyncio.Event()

    @property
    def url(self) -> str:
        return f"{'https' if self._is_https else 'http'}://127.0.0.1:{self.port}/hook?a=b"

    async def until(self, count: int) -> None:
        """Wait until so many requests have come."""
        while len(self.requests) < count:
            self._received.clear()
            async with asyncio.timeout(60):
                await self._received.wait()

    @contextlib.asynccontextmanager
    async def running(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[HttpServer]:
        self._is_https = tls is not None
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        yield self
        server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        behave = self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]
        # At the end of a test, a server may still be writing.
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in head[1:-2])}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.requests.append(Request(head[0].split(" ")[1], headers, body))
            self._received.set()
            await behave(self, writer)
        writer.close()
        self.is_left.set()


class PushBrowser:
    """A browser's side of a push subscription."""

    def __init__(self, endpoint: str = "https://push.example/1") -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = secrets.token_bytes(16)
        self.endpoint = endpoint

    @property
    def key(self) -> str:
        return base64url(public_bytes(self._private))

    @property
    def secret(self) -> str:
        return base64url(self._auth)

    def decrypted(self, body: bytes) -> dict[str, Any]:
        """Return the message in a request to the push service."""
        return dict(json.loads(decrypted(body, self._private, self._auth)))


def decrypted(body: bytes, private: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """Return what one record of `aes128gcm` holds (RFC 8188), with the keys of RFC 8291: the receiver's side."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, record = body[21 : 21 + length], body[21 + length :]
    assert len(record) <= size
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    info = b"WebPush: info\0" + public_bytes(private) + sender
    input_key = HKDF(hashes.SHA256(), 32, auth, info).derive(shared)
    key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(input_key)
    nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(input_key)
    padded = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
    assert padded.endswith(b"\x02"), "the delimiter of the last record"
    return padded[:-1]


def key_of(text: str) -> ec.EllipticCurvePrivateKey:
    """Return the private key of a base64url text."""
    return private_key_of(bytes_of(text))
