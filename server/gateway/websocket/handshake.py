"""Checks of one HTTP request: its host, its origin and its credentials. Pure functions that never wait.

A browser sends a cookie with the requests of any page, so a cookie counts only together with an Origin of our own. A
bearer token is sent by a program that holds it, which needs no Origin.
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
    """Return whether the request came over TLS, to this server or to a trusted proxy."""
    return request.scope["scheme"] in _SECURE_SCHEMES


def address_of(request: HTTPConnection) -> str:
    """Return the key under which the sender's address is counted."""
    return address_key(request.client.host) if request.client is not None else "unknown"


def is_allowed_host(request: HTTPConnection, origins: Sequence[str]) -> bool:
    """Return whether the Host header names one of the configured origins; without any, every host is allowed."""
    return not origins or request.headers.get("host") in {urlsplit(origin).netloc for origin in origins}


def is_allowed_origin(request: HTTPConnection, origins: Sequence[str], is_required: bool) -> bool:
    """Return whether the Origin header names a page of ours; without the header, whether it is not required.

    Ours are the configured origins, or else the one that the request was sent to.
    """
    given = request.headers.getlist("origin")
    if not given:
        return not is_required
    return len(given) == 1 and given[0] in (origins or (_own_origin(request),))


def origin_of(request: HTTPConnection) -> str:
    """Return the origin of a request that was checked: of the page that sent it, or the one it was sent to."""
    return request.headers.get("origin") or _own_origin(request)


def _own_origin(request: HTTPConnection) -> str:
    return f"{'https' if is_secure(request) else 'http'}://{request.headers.get('host', '')}"


@dataclass(frozen=True, slots=True)
class Credentials:
    """The session token of a request."""

    token: str
    is_bearer: bool


def credentials_of(request: HTTPConnection) -> Credentials | None:
    """Return the bearer token of a request, else its cookie, else None."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and 0 < len(token.strip()) <= _MAX_TOKEN_LENGTH:
        return Credentials(token.strip(), is_bearer=True)
    cookie = request.cookies.get(SECURE_COOKIE if is_secure(request) else PLAIN_COOKIE)
    if cookie and len(cookie) <= _MAX_TOKEN_LENGTH:
        return Credentials(cookie, is_bearer=False)
    return None
