"""Finished games over HTTP: reading without a session, the log and the transcript as files, and the import of a log.

A replay that another site shows in a frame has no cookie, and must not get a session: each visitor would be one more
guest in the store. So the replay is read here, as somebody without a seat or a name, and nothing here acts for anybody.
Only the files are also given to the user of a session, and only the import needs one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from protocol.messages import GetGame, GetTimeline, LookBack, TableRequest
from server.gateway.connections import ConnectionRegistry
from server.gateway.http.api_requests import ApiRequests, refusal, refusal_response
from server.gateway.limits import ConcurrencyLimit, is_established
from server.gateway.session_lookup import NoUser, SessionLookup
from server.gateway.websocket.handshake import address_of, credentials_of, is_allowed_origin
from server.model import Done, Refused, Reply, User
from server.rate_limit import FREE, Throttle
from server.tables.results import refused

log = logging.getLogger(__name__)

ANONYMOUS: Final = User("nobody.", "Nobody")
"""The user of a request without a session. No user can have this id, so nobody of this id ever has a seat."""

MAX_FILE_BYTES: Final = 2 * 1024 * 1024
"""Bytes of an imported log; games have up to a quarter of it."""

MAX_IMPORTS: Final = 1
"""Imports of one user at the same time."""

_BODY_TIMEOUT: Final = 30.0
_REPLY_TIMEOUT: Final = 20.0
_ID: Final = "http"
"""The id of the requests to tables, whose replies are not matched by it."""

_STATUSES: Final = {
    "bad_log": 400,
    "no_spectators": 403,
    "no_such_table": 404,
    "no_such_game": 404,
    "no_such_step": 404,
    "no_such_seat": 404,
    "wrong_phase": 409,
    "table_unavailable": 500,
    "busy": 503,
    "storage_failed": 503,
}
_MALFORMED: Final = (
    "This is not the address of a game: its id has small letters and digits, a step is a number, and `eyes` is the "
    "number of a seat, `spectators` or `all`."
)
_TOO_LARGE: Final = "The file is larger than the log of any game."


class GameRequests(ApiRequests):
    """The requests below `/api/games`, and for transcripts."""

    def __init__(self, connections: ConnectionRegistry, origins: Sequence[str]) -> None:
        super().__init__(connections, origins)
        self._lookup = SessionLookup(connections)
        self._importing = ConcurrencyLimit(MAX_IMPORTS)

    async def game(self, request: Request) -> Response:
        """Respond with the record of a finished game."""
        if (early := self._refused_early(request, self.connections.throttles.reads, "reads")) is not None:
            return early
        asked = _read(GetGame, request, type="get_game")
        if asked is None:
            return refusal(400, "malformed", _MALFORMED)
        return await _answered(self.connections.services.history.answer(ANONYMOUS, asked), "get_game")

    async def timeline(self, request: Request) -> Response:
        """Respond with the timeline of a game, or with a page of its log."""
        return await self._of_table(request, GetTimeline, type="get_timeline", **_numbers(request, "log_from", "eyes"))

    async def step(self, request: Request) -> Response:
        """Respond with a step of a game."""
        fields = {"step": _number(request.path_params["step"]), "between": request.query_params.get("between") == "1"}
        return await self._of_table(request, LookBack, type="look_back", **fields, **_numbers(request, "eyes"))

    async def download(self, request: Request) -> Response:
        """Respond with the log of a finished game as a file; a session gives the rights of its user."""
        text = await self._file(request, self.connections.services.files.download, "download")
        if isinstance(text, Response):
            return text
        name = f"{request.path_params['table']}.log"
        return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    async def transcript(self, request: Request) -> Response:
        """Respond with the transcript of a finished game, to those who may download its log."""
        text = await self._file(request, self.connections.services.files.transcript, "transcript")
        return text if isinstance(text, Response) else Response(text, media_type="application/json")

    async def _file(
        self, request: Request, read: Callable[[User, str, str | None], Awaitable[str | Refused]], name: str
    ) -> str | Response:
        """Return a file of a finished game, or the refusal; a session gives the rights of its user."""
        if (early := self._refused_early(request, self.connections.throttles.downloads, "downloads")) is not None:
            return early
        user: User | NoUser = ANONYMOUS
        credentials = credentials_of(request)
        if credentials is not None:
            user = await self._lookup.user_of(credentials, address_of(request))
        if isinstance(user, NoUser) and user.reason != "session":
            return self.not_found(user)
        table, key = request.path_params["table"], request.query_params.get("key")
        try:
            text = await read(ANONYMOUS if isinstance(user, NoUser) else user, table, _key(key))
        except Exception:
            log.exception("request failed", extra={"request": name})
            return _response(refused("storage_failed"))
        return _response(text) if isinstance(text, Refused) else text

    async def import_log(self, request: Request) -> Response:
        """Store the log in the body as a finished table, and respond with its id and its key."""
        credentials, address = credentials_of(request), address_of(request)
        # A foreign page can send a body with the cookie of its visitor, unless the Origin is checked.
        has_cookie = credentials is not None and not credentials.is_bearer
        if not self.is_allowed(request) or not is_allowed_origin(request, self.origins, is_required=has_cookie):
            return refusal(403, "not_allowed")
        user = await self._lookup.user_of(credentials, address)
        if isinstance(user, NoUser):
            return refusal(401, "no_session") if user.reason == "session" else self.not_found(user)
        if not self._importing.acquire(user.id):
            return self.too_fast("imports", 1.0)
        try:
            body = await _body(request)
            if isinstance(body, Response):
                return body
            new_at = None if is_established(user, self.connections.wall()) else address
            limit, wait = await self.connections.throttles.take_creation(user.id, new_at)
            if wait != FREE:
                return self.too_fast(limit, wait)
            return _response(await self.connections.services.files.import_log(user, body))
        except Exception:
            log.exception("request failed", extra={"request": "import"})
            return _response(refused("storage_failed"))
        finally:
            self._importing.release(user.id)

    async def _of_table(self, request: Request, kind: type[TableRequest], **fields: Any) -> Response:
        if (early := self._refused_early(request, self.connections.throttles.reads, "reads")) is not None:
            return early
        asked = _read(kind, request, **fields)
        if asked is None:
            return refusal(400, "malformed", _MALFORMED)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        def on_reply(given: Reply) -> None:
            if not reply.done():
                reply.set_result(given)

        self.connections.services.tables.ask(ANONYMOUS, asked, on_reply)
        return await _answered(reply, asked.type)

    def _refused_early(self, request: Request, throttle: Throttle, limit: str) -> Response | None:
        """Return the refusal of a foreign page, or of an address that reads too much."""
        if not self.is_allowed(request):
            return refusal(403, "not_allowed")
        wait = throttle.take(address_of(request))
        return None if wait == FREE else self.too_fast(limit, wait)


async def _answered(reply: Awaitable[Reply], name: str) -> Response:
    """Respond with a reply as soon as it is there."""
    try:
        async with asyncio.timeout(_REPLY_TIMEOUT):
            return _response(await reply)
    except TimeoutError:
        return _response(refused("busy"))
    except Exception:
        log.exception("request failed", extra={"request": name})
        return _response(refused("storage_failed"))


def refuse_method(allowed: str) -> Response:
    """Return the response to a request with another method than the allowed one."""
    return refusal(405, "wrong_method", headers={"Allow": allowed})


def _read(kind: type[Any], request: Request, **fields: Any) -> Any:
    """Return the request that an address describes; None if it describes none."""
    key = _key(request.query_params.get("key"))
    given = {"id": _ID, "table": request.path_params["table"], "key": key, **fields}
    try:
        return kind.model_validate(given)
    except ValueError:
        # The error of pydantic.
        return None


def _key(key: str | None) -> str | None:
    return None if key is None else key[:64]


def _numbers(request: Request, *names: str) -> dict[str, Any]:
    """Return the values of a query by name, numbers as such."""
    given = request.query_params
    return {name: _number(given[name]) for name in names if name in given}


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else text


async def _body(request: Request) -> bytes | Response:
    """Return the body of a request, or the refusal of one that is too large, late or broken off."""
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > MAX_FILE_BYTES:
        return refusal(413, "too_large", _TOO_LARGE)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_BODY_TIMEOUT):
            async for part in request.stream():
                size += len(part)
                if size > MAX_FILE_BYTES:
                    return refusal(413, "too_large", _TOO_LARGE)
                parts.append(part)
    except (TimeoutError, ClientDisconnect):
        return refusal(400, "bad_log", "The file did not arrive whole.")
    return b"".join(parts)


def _response(reply: Reply) -> Response:
    if isinstance(reply, Done):
        return JSONResponse(dict(reply.result))
    status = _STATUSES.get(reply.code, 400)
    return refusal_response(status, reply, {"Retry-After": "1"} if status == 503 else None)
