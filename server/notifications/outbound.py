"""POST requests to addresses that people give: bounded in time and size, and never into private networks.

The name is resolved once, every address is checked, and the connection goes to a checked address itself, so that a
second answer of the name server cannot lead elsewhere (DNS rebinding). Redirects are not followed. Of the answer only
the head is read, since nothing in its body matters.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

import h11

from server.notifications.addresses import AddressRules, Target, target_of
from server.notifications.outcomes import Undeliverable

TIMEOUT_SECONDS: Final = 10.0
"""The time for everything: resolving, connecting, sending, and reading the head of the answer."""

MAX_HEAD_BYTES: Final = 16 * 1024
"""Bytes of an answer that are read, with all interim answers."""

MAX_ADDRESSES: Final = 4
"""Addresses of one name that are tried."""

_READ_BYTES: Final = 4 * 1024

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name; raises OSError."""


class Answer(NamedTuple):
    """The head of an answer."""

    status: int
    retry_after: float


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a name, or the address that it is."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class Outbound:
    """Sends POST requests. `tls` verifies the certificates of servers."""

    def __init__(
        self,
        rules: AddressRules,
        tls: ssl.SSLContext | None = None,
        resolve: Resolve = resolve,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self._rules = rules
        self._tls = tls or ssl.create_default_context()
        self._resolve = resolve
        self._timeout = timeout_seconds

    async def post(self, url: str, headers: Sequence[tuple[str, str]], body: bytes) -> Answer:
        """Send a request and return the head of the answer; raise `Undeliverable` if there is none."""
        target = target_of(url)
        try:
            async with asyncio.timeout(self._timeout):
                reader, writer = await self._connect(target)
                try:
                    return await _exchange(reader, writer, target, headers, body)
                finally:
                    # The rest of the answer is not wanted, however long it is.
                    writer.transport.abort()
        except TimeoutError:
            raise Undeliverable("timeout") from None
        except ssl.SSLError:
            raise Undeliverable("tls") from None
        except h11.RemoteProtocolError:
            raise Undeliverable("malformed_answer") from None
        except OSError:
            raise Undeliverable("unreachable") from None

    async def _connect(self, target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first checked address that accepts."""
        try:
            addresses = await self._resolve(target.host, target.port)
        except (OSError, UnicodeError):
            raise Undeliverable("unresolved") from None
        self._rules.check(target, addresses)
        tls = {"ssl": self._tls, "server_hostname": target.host} if target.is_https else {}
        failure: OSError = ConnectionError()
        for address in addresses[:MAX_ADDRESSES]:
            try:
                return await asyncio.open_connection(address, target.port, **tls)  # type: ignore[arg-type]
            except ssl.SSLError:
                raise
            except OSError as error:
                failure = error
        raise failure


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    target: Target,
    headers: Sequence[tuple[str, str]],
    body: bytes,
) -> Answer:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD_BYTES)
    request = h11.Request(
        method="POST",
        target=target.path,
        headers=[
            ("Host", target.authority),
            ("User-Agent", "san-francisco-tables"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            *headers,
        ],
    )
    for part in (request, h11.Data(body), h11.EndOfMessage()):
        writer.write(connection.send(part) or b"")
    # A server may answer, and close, before it has read everything.
    with contextlib.suppress(ConnectionError):
        await writer.drain()
    left = MAX_HEAD_BYTES
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            data = await reader.read(min(_READ_BYTES, left)) if left else b""
            if not left:
                raise Undeliverable("malformed_answer")
            left -= len(data)
            connection.receive_data(data)
        elif isinstance(event, h11.Response):
            return Answer(event.status_code, _retry_after(event))
        elif not isinstance(event, h11.InformationalResponse):
            raise Undeliverable("malformed_answer")


def _retry_after(response: h11.Response) -> float:
    """Return the seconds for which a server has asked; a date counts as none."""
    for name, value in response.headers:
        if name == b"retry-after" and value.isdigit() and len(value) <= 9:
            return float(value)
    return 0.0


def check_status(answer: Answer) -> None:
    """Raise `Undeliverable` unless an answer says that the message was accepted."""
    status = answer.status
    if 200 <= status < 300:
        return
    if status in (404, 410):
        raise Undeliverable("gone", is_final=True)
    if 300 <= status < 400:
        raise Undeliverable("redirected")
    if status == 429:
        raise Undeliverable("too_many", retry_after=answer.retry_after)
    raise Undeliverable("server_error" if status >= 500 else "refused", retry_after=answer.retry_after)
