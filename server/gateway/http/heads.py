"""Checks of the head of each HTTP request that h11 leaves to its caller: size, framing, version, host and target.

Two programs that read the same bytes differently are how requests are smuggled past a proxy. So everything that the
standards call ambiguous is refused here, even where they would allow a guess.
"""

from __future__ import annotations

import re
from typing import Any, Final

import h11

MAX_HEAD_BYTES: Final = 16 * 1024
"""The whole head: request line and headers. A cookie jar is at most about half of it."""

MAX_LINE_BYTES: Final = 8 * 1024
MAX_HEADERS: Final = 100

REFUSALS: Final = {
    400: "This is not a valid HTTP request.",
    414: "The address of this request is too long.",
    431: "The headers of this request are too large.",
    505: "This server speaks HTTP/1.1.",
}
"""The statuses with which a request is refused before it reaches the application, and their sentences."""

_HEAD_END: Final = re.compile(rb"\n\r?\n")
_FOLDED_LINE: Final = re.compile(rb"\n[ \t]")
_ABSOLUTE_TARGET: Final = re.compile(rb"https?://([^/?#@]+)([/?][^#]*)?", re.IGNORECASE)
_HOST: Final = re.compile(rb"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?")


class HeadRefused(h11.RemoteProtocolError):
    """A request whose head is refused; `error_status_hint` is the status of the response."""

    def __init__(self, status: int) -> None:
        super().__init__(REFUSALS[status], error_status_hint=status)


class CheckedConnection(h11.Connection):
    """The server's end of an HTTP connection. `next_event` raises for a head that fails a check.

    `refused_with` is then the status of the response.
    """

    def __init__(self) -> None:
        super().__init__(h11.SERVER, MAX_HEAD_BYTES)
        self.refused_with = 400
        self._head = bytearray()
        """The bytes received of the next head, and those that came after it in the same segment."""

    def receive_data(self, data: bytes) -> None:
        if self.their_state is h11.IDLE:
            self._head += data
        super().receive_data(data)

    def start_next_cycle(self) -> None:
        super().start_next_cycle()
        # Pipelined requests have been received already.
        self._head = bytearray(self.trailing_data[0])

    def next_event(self) -> Any:
        try:
            if self.their_state is not h11.IDLE:
                return super().next_event()
            # Before h11 parses it: a read brings up to 256 KB at once.
            if len(self._head) > MAX_HEAD_BYTES and not _HEAD_END.search(self._head, 0, MAX_HEAD_BYTES):
                raise HeadRefused(431)
            event = super().next_event()
            if not isinstance(event, h11.Request):
                return event
            received, self._head = self._head, bytearray()
            return checked(event, bytes(received[: len(received) - len(self.trailing_data[0])]))
        except h11.RemoteProtocolError as error:
            self.refused_with = error.error_status_hint if error.error_status_hint in REFUSALS else 400
            raise


def checked(request: h11.Request, head: bytes) -> h11.Request:
    """Return a request with its target as a path and its host as the one it is sent to; raise `HeadRefused`.

    `head` are the bytes that the request was read from.
    """
    if request.http_version not in (b"1.0", b"1.1"):
        raise HeadRefused(505)
    if len(request.target) > MAX_LINE_BYTES:
        raise HeadRefused(414)
    headers = list(request.headers)
    if len(headers) > MAX_HEADERS or any(len(name) + len(value) > MAX_LINE_BYTES for name, value in headers):
        raise HeadRefused(431)
    _check_framing(request, head)
    if request.target.startswith(b"/"):
        hosts = [value for name, value in headers if name == b"host"]
        if not all(_HOST.fullmatch(host) for host in hosts):
            raise HeadRefused(400)
        return request
    # RFC 9112, 3.2.2: the host of an absolute target counts, and not the header.
    absolute = _ABSOLUTE_TARGET.fullmatch(request.target)
    if absolute is None or _HOST.fullmatch(absolute[1]) is None:
        raise HeadRefused(400)
    path = absolute[2] or b"/"
    return h11.Request(
        method=request.method,
        target=path if path.startswith(b"/") else b"/" + path,
        headers=[(b"host", absolute[1]), *((name, value) for name, value in headers if name != b"host")],
        http_version=request.http_version,
    )


def _check_framing(request: h11.Request, head: bytes) -> None:
    """Raise `HeadRefused` if two readers could disagree on where the body of the request ends."""
    if _FOLDED_LINE.search(head):
        raise HeadRefused(400)
    lines = head.lower().split(b"\n")
    lengths = [line for line in lines if line.startswith(b"content-length:")]
    encodings = [line for line in lines if line.startswith(b"transfer-encoding:")]
    # h11 has already refused lengths that differ or are no numbers, and codings other than "chunked".
    if len(lengths) > 1 or any(b"," in line for line in lengths):
        raise HeadRefused(400)
    if encodings and (lengths or request.http_version == b"1.0"):
        raise HeadRefused(400)
