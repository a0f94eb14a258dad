"""Whether a request may come in at all: where it comes from, and whose it is. Nothing here waits or keeps anything.

A cookie is sent by the browser whoever made the page, so it counts only together with the Origin of a page of ours. A
bearer token is sent by a program that has it, which needs no Origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from server.gateway.limits import address_key

SECURE_COOKIE: Final = "__Host-sid"
PLAIN_COOKIE: Final = "sid"
_MAX_TOKEN_LENGTH: Final = 200
_SECURE_SCHEMES: Final = ("https", "wss")


def is_secure(request: HTTPConnection) -> bool:
    """Tell whether the request came over TLS, here or at a proxy that is trusted to say so."""
    return request.scope["scheme"] in _SECURE_SCHEMES


def address_of(request: HTTPConnection) -> str:
    """Give the key under which the sender's address is counted."""
    return address_key(request.client.host) if request.client is not None else "nowhere"


def has_good_host(request: HTTPConnection, origins: Sequence[str]) -> bool:
    """Tell whether the request was meant for this server: any host, unless the server was told its addresses."""
    return not origins or request.headers.get("host") in {urlsplit(origin).netloc for origin in origins}


def has_good_origin(request: HTTPConnection, origins: Sequence[str], is_needed: bool) -> bool:
    """Tell whether the page that sent this is ours; a request without a page passes if no origin is needed.

    Ours are the origins that the server was told, or else the one that the request itself was sent to.
    """
    given = request.headers.getlist("origin")
    if not given:
        return not is_needed
    own = f"{'https' if is_secure(request) else 'http'}://{request.headers.get('host', '')}"
    return len(given) == 1 and given[0] in (origins or (own,))


@dataclass(frozen=True, slots=True)
class Credentials:
    """The session that a request brings, and how."""

    token: str
    is_bearer: bool


def credentials_of(request: HTTPConnection) -> Credentials | None:
    """Give the bearer token of a request, or else its cookie."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and 0 < len(token.strip()) <= _MAX_TOKEN_LENGTH:
        return Credentials(token.strip(), is_bearer=True)
    cookie = request.cookies.get(SECURE_COOKIE if is_secure(request) else PLAIN_COOKIE)
    if cookie and len(cookie) <= _MAX_TOKEN_LENGTH:
        return Credentials(cookie, is_bearer=False)
    return None
