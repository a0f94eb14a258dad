"""Security headers on every response.

Scripts, styles and fonts get only those that a browser obeys on them: the others would be a sixth of a first visit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS: Final = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
_DOCUMENT_HEADERS: Final = {
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{feature}=()"
        for feature in ("camera", "display-capture", "geolocation", "microphone", "payment", "usb", "browsing-topics")
    ),
}
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src {connections}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors {frames}; "
    "require-trusted-types-for 'script'; trusted-types service-worker"
)
_PARTS_OF_DOCUMENTS: Final = ("text/javascript", "application/javascript", "text/css", "font/woff2")
"""Types that a browser never opens as a document; an SVG can be one."""

_ONE_YEAR: Final = "max-age=31536000"
_HOST_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:[]")


_EMBEDDED: Final = re.compile(r"/g/[a-z0-9]{4,32}")
"""The paths of pages that other sites may show in a frame, if the query says `embed`."""


_READ_BY_EMBEDDED: Final = "/api/games/"


def is_embedded(path: str, query: bytes) -> bool:
    """Return whether an address is that of a replay for other sites: exactly `/g/ID` with `embed` in the query."""
    names = {part.partition(b"=")[0] for part in query.split(b"&")}
    return _EMBEDDED.fullmatch(path) is not None and b"embed" in names


def content_security_policy(host: str, is_secure: bool, origins: Sequence[str], *, is_embedded: bool = False) -> str:
    """Return the Content-Security-Policy. It names the websocket since not every browser counts that as 'self'.

    A page for other sites may be framed by all of them. Its replay is read over HTTP; it can begin no session, and
    connect to no websocket.
    """
    scheme = "https" if is_secure else "http"
    own = list(origins) or ([f"{scheme}://{host}"] if host and _HOST_CHARACTERS.issuperset(host) else [])
    if is_embedded:
        connections = [f"{origin}{_READ_BY_EMBEDDED}" for origin in own] or ["'none'"]
    else:
        connections = ["'self'", *(origin.replace("http", "ws", 1) for origin in own)]
    frames = "*" if is_embedded else "'none'"
    return _CONTENT_SECURITY_POLICY.format(connections=" ".join(connections), frames=frames)


class SecurityHeaders:
    """An ASGI middleware that adds the headers to every response, including those that refuse a websocket."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                self._add(scope, MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _add(self, scope: Scope, headers: MutableHeaders) -> None:
        is_secure = scope["scheme"] in ("https", "wss")
        host = HTTPConnection(scope).headers.get("host", "")
        headers.update(_HEADERS)
        if not headers.get("content-type", "").startswith(_PARTS_OF_DOCUMENTS):
            headers.update(_DOCUMENT_HEADERS)
            embedded = scope["type"] == "http" and is_embedded(scope["path"], scope.get("query_string", b""))
            # The few pages that the server writes itself have a policy of their own.
            headers.setdefault(
                "Content-Security-Policy",
                content_security_policy(host, is_secure, self._origins, is_embedded=embedded),
            )
            if embedded:
                # A site that isolates itself may show only frames that say so.
                headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        headers.setdefault("Cache-Control", "no-store")
        if is_secure:
            headers["Strict-Transport-Security"] = _ONE_YEAR
