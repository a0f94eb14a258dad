"""Checks of host, origin and credentials, without a server."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from server.gateway.websocket.handshake import credentials_of, is_allowed_host, is_allowed_origin


def request_with(scheme: str = "http", **headers: str) -> HTTPConnection:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "scheme": scheme, "headers": raw, "path": "/", "query_string": b""})


def test_a_request_with_two_origins_is_refused() -> None:
    twice = HTTPConnection(
        {"type": "http", "scheme": "http", "headers": [(b"host", b"a"), (b"origin", b"http://a"), (b"origin", b"x")]}
    )
    assert not is_allowed_origin(twice, (), is_required=True)


def test_the_host_is_checked_only_if_origins_are_configured() -> None:
    assert is_allowed_host(request_with(host="anything"), ())
    assert is_allowed_host(request_with(host="play.example:8443"), ("https://play.example:8443",))
    assert not is_allowed_host(request_with(host="play.example"), ("https://play.example:8443",))
    assert not is_allowed_host(request_with(), ("https://play.example",))


def test_a_bearer_token_takes_precedence_over_a_cookie() -> None:
    found = credentials_of(request_with(authorization="bearer abc", cookie="sid=def"))
    assert found is not None
    assert (found.token, found.is_bearer) == ("abc", True)


def test_http_and_https_have_different_cookies() -> None:
    cookies = "sid=plain; __Host-sid=secure"
    over_tls, over_http = (
        credentials_of(request_with("wss", cookie=cookies)),
        credentials_of(request_with("ws", cookie=cookies)),
    )
    assert over_tls is not None
    assert over_http is not None
    assert (over_tls.token, over_http.token) == ("secure", "plain")
