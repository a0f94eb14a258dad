"""One websocket of one user: limits, decodes, validates and passes on requests; writes frames and never waits.

Every request gets exactly one `done` or `refused`. Under back-pressure, frames are dropped and replies are kept; when
the client reads again, the replies go first, then one fresh view replaces all dropped frames of a table. Until then
updates of that table are dropped as well, so a client never sees a number twice or out of order.
"""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final, assert_never

from protocol import messages
from protocol.codec import Encoding, Frame, Undecodable, decode, encode, framed, read_request
from protocol.codes import Close
from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import is_established, waiting_sentence
from server.gateway.websocket.api import Transport
from server.model import Done, Refused, Reply, User
from server.rate_limit import FREE, Throttle
from server.tables.api import OnReply
from server.tables.replies import reply_message
from server.tables.results import refused

log = logging.getLogger(__name__)

MAX_TASKS: Final = 4
"""Requests of one connection that may wait for storage at the same time."""

MAX_UNSENT: Final = 64
"""Replies kept for a slow client; more requests than it can send before it must read."""

# The subjects of dropped frames that belong to no table; no table has such an id.
_LISTS: Final = "*lists"
_OWN_TABLES: Final = "*own tables"
_WHOLE: Final = frozenset({"view", "tables", "your_tables"})
"""Frames that replace all earlier ones of their subject."""


class Connection:
    """A subscriber of tables and lobby, and the receiver of the messages of a websocket."""

    __slots__ = (
        "_has_played",
        "_is_connected",
        "_list_request",
        "_malformed",
        "_missed",
        "_tasks",
        "_transport",
        "_unsent",
        "_watched",
        "address",
        "connections",
        "encoding",
        "is_new",
        "token",
        "user",
    )

    def __init__(
        self,
        connections: ConnectionRegistry,
        transport: Transport,
        user: User,
        token: str,
        address: str,
        encoding: Encoding,
    ) -> None:
        self.connections = connections
        self.user = user
        self.token = token
        self.address = address
        self.encoding = encoding
        # As of the handshake: a new name that another worker announces comes without the age of its user.
        self.is_new = not is_established(user, connections.wall())
        self._has_played = user.has_played
        self._transport = transport
        self._watched: tuple[str, ...] = ()
        self._list_request: messages.ListTables | None = None
        self._is_connected = False
        self._missed: set[str] | None = None
        self._unsent: list[bytes] | None = None
        self._tasks = 0
        self._malformed = 0

    def greet(self) -> None:
        """Send the welcome and the user's own tables."""
        self._is_connected = True
        self.connections.counters.opened += 1
        log.info("connection opened", extra={"user": self.user.id, "encoding": self.encoding.value})
        self._send_reliably(
            {
                "type": "welcome",
                "protocol": messages.PROTOCOL_VERSION,
                "user": {"id": self.user.id, "name": self.user.name},
                "games": self.connections.services.games,
            }
        )
        self.connections.services.lobby.connected(self)

    def close(self, code: Close) -> None:
        self._transport.close(code)

    # -- out ----------------------------------------------------------------------------------------------

    def send(self, frame: Frame) -> bool:
        if self._missed is None and self._transport.write(frame.framed(self.encoding), frame.can_wait):
            return True
        return self._send_late(frame)

    def _send_late(self, frame: Frame) -> bool:
        """Send a frame to a slow client if its subject has dropped none or the frame is whole; else drop it."""
        message = frame.message
        kind = message["type"]
        if kind in ("done", "refused", "welcome"):
            self._send_reliably(message)
            return True
        subject = message.get("table") or (_OWN_TABLES if kind == "your_tables" else _LISTS)
        if self._missed is None:
            self._missed = set()
        if (kind in _WHOLE or subject not in self._missed) and self._transport.write(frame.framed(self.encoding)):
            self._missed.discard(subject)
            if not self._missed:
                self._missed = None
            return True
        self._missed.add(subject)
        self.connections.counters.count_dropped()
        return False

    def _send_reliably(self, message: dict[str, Any]) -> None:
        """Send a message that must not be dropped, or keep it until the client reads again."""
        whole = framed(encode(message, self.encoding), self.encoding)
        if self._unsent is None and self._transport.write(whole):
            return
        if self._unsent is None:
            self._unsent = []
        if len(self._unsent) >= MAX_UNSENT:
            self._transport.abort()
            return
        self._unsent.append(whole)

    def on_writable(self) -> None:
        unsent, self._unsent = self._unsent, None
        for number, whole in enumerate(unsent or ()):
            if not self._transport.write(whole):
                # Full again: keep the rest.
                self._unsent = (unsent or [])[number:]
                return
        for subject in sorted(self._missed or ()):
            self._refresh(subject)

    def _refresh(self, subject: str) -> None:
        """Request the whole view or list in place of dropped frames."""
        services = self.connections.services
        if subject == _OWN_TABLES:
            services.lobby.connected(self)
        elif subject == _LISTS:
            if self._list_request is not None:
                services.lobby.unsubscribe(self)
                services.lobby.subscribe(self, self._list_request)
        elif subject in self._watched:
            services.tables.refresh(subject, self)

    def on_disconnect(self, code: int) -> None:
        connections = self.connections
        connections.remove(self)
        if not self._is_connected:
            return
        self._is_connected = False
        watched, self._watched = self._watched, ()
        for table in watched:
            connections.services.tables.unsubscribe(table, self)
        if self._list_request is not None:
            connections.services.lobby.unsubscribe(self)
        connections.services.lobby.disconnected(self)
        connections.counters.count_closed(code)
        log.info("connection closed", extra={"user": self.user.id, "code": int(code)})

    # -- in -----------------------------------------------------------------------------------------------

    def on_message(self, data: bytes) -> None:
        connections = self.connections
        if connections.is_draining:
            # No reply: the client repeats the request after the restart.
            return
        wait = connections.throttles.requests.take(self.user.id)
        if wait != FREE and not self._may_refuse_again():
            return
        try:
            message = decode(data, self.encoding)
        except Undecodable:
            connections.counters.limited["undecodable"] += 1
            self.close(Close.BAD_DATA)
            return
        request = read_request(message)
        if wait != FREE:
            connections.counters.limited["requests"] += 1
            self._reply(request.id, Refused("too_fast", waiting_sentence(wait)))
        elif isinstance(request, messages.RefusedMessage):
            self._reply(request.id, Refused(request.code, request.sentence))
            self._note_malformed(request)
        else:
            connections.counters.count_request(request.type)
            self._pass_on(request)

    def _note_malformed(self, refusal: messages.RefusedMessage) -> None:
        # A request that is merely unknown may come from a newer client.
        self._malformed += refusal.code == "malformed"
        if self._malformed >= self.connections.limits.malformed_messages:
            self.close(Close.POLICY)

    def _may_refuse_again(self) -> bool:
        """Return whether the client may be refused once more for being too fast; else close the connection."""
        if self.connections.throttles.refusals.take(self.user.id) == FREE:
            return True
        self.connections.counters.limited["refusals"] += 1
        log.info("flooded", extra={"user": self.user.id})
        self.close(Close.POLICY)
        return False

    def _pass_on(self, request: messages.AnyRequest) -> None:
        services, throttles = self.connections.services, self.connections.throttles
        match request:
            case messages.Decide():
                # By far the most frequent request, so it is matched first.
                on_reply = self._on_reply if self._has_played else self._on_first_decision
                services.tables.ask(self.user, request, on_reply(request))
            case messages.Watch():
                self._watch(request)
            case messages.Unwatch():
                self._unwatch(request)
            case messages.Say():
                if self._is_within(throttles.chat, "chat", request, throttles.new_chat):
                    services.tables.ask(self.user, request, self._on_reply(request))
            case messages.Hint():
                if self._is_within(throttles.hints, "hints", request, throttles.new_hints):
                    services.tables.ask(self.user, request, self._on_reply(request))
            case messages.ChangeSettings():
                # The lobby bounds the number of public tables of one host.
                services.lobby.ask(self.user, request, self._on_reply(request))
            case messages.TableRequest():
                services.tables.ask(self.user, request, self._on_reply(request))
            case messages.CreateTable() | messages.QuickMatch():
                self.connections.start(self._open_table(request))
            case messages.Ping():
                self._reply(request.id, Done())
            case messages.ListTables():
                if self._is_within(throttles.lists, "lists", request):
                    self._reply(request.id, Done())
                    self._list_request = request
                    services.lobby.subscribe(self, request)
            case messages.UnlistTables():
                self._list_request = None
                services.lobby.unsubscribe(self)
                self._reply(request.id, Done())
            case messages.SetName():
                self._run(request, self._set_name(request))
            case messages.MakeCode():
                self._run(request, self._make_code())
            case messages.MakeToken():
                self._run(request, self._make_token())
            case messages.ForgetDevices():
                self._run(request, self._forget_devices())
            case _:
                assert_never(request)

    def _is_within(
        self, throttle: Throttle, limit: str, request: messages.Request, of_new_users: Throttle | None = None
    ) -> bool:
        """Return whether the user, and the new users at the address, are within a limit; refuse the request if not."""
        wait = throttle.take(self.user.id)
        if wait == FREE and self.is_new and of_new_users is not None:
            limit, wait = f"new_{limit}", of_new_users.take(self.address)
        if wait != FREE:
            self._refuse(request, limit, wait)
        return wait == FREE

    def _refuse(self, request: messages.Request, limit: str, wait: float, code: str = "too_fast") -> None:
        self.connections.counters.limited[limit] += 1
        self._reply(request.id, Refused(code, waiting_sentence(wait)))

    async def _open_table(self, request: messages.CreateTable | messages.QuickMatch) -> None:
        """Pass a request on that may open a table, if the limits allow it; they may be in Redis."""
        try:
            throttles, new_at = self.connections.throttles, self.address if self.is_new else None
            take = throttles.take_creation if isinstance(request, messages.CreateTable) else throttles.take_match
            limit, wait = await take(self.user.id, new_at)
            if wait == FREE:
                self.connections.services.lobby.ask(self.user, request, partial(self._on_table_opened, request))
            else:
                self._refuse(request, limit, wait, "too_many_tables" if limit.endswith("creations") else "too_fast")
        except Exception:
            log.exception("request failed", extra={"request": type(request).__name__})
            self._reply(request.id, refused("storage_failed"))

    def _on_table_opened(self, request: messages.CreateTable | messages.QuickMatch, reply: Reply) -> None:
        is_match = isinstance(request, messages.QuickMatch)
        if is_match and self.is_new and isinstance(reply, Done) and reply.result.get("created"):
            self.connections.start(self.connections.throttles.count_creation(self.address))
        self._reply(request.id, reply)

    # -- replies ------------------------------------------------------------------------------------------

    def _on_reply(self, request: messages.Request) -> OnReply:
        return partial(self._reply, request.id)

    def _on_first_decision(self, request: messages.Request) -> OnReply:
        return partial(self._reply_and_note_played, request.id)

    def _reply_and_note_played(self, request_id: str, reply: Reply) -> None:
        if isinstance(reply, Done) and not self._has_played:
            self._has_played = True
            self.connections.start(self._note_played())
        self._reply(request_id, reply)

    async def _note_played(self) -> None:
        try:
            await self.connections.services.identity.note_played(self.user)
        except Exception:
            # The next decision after the next handshake is as good.
            log.exception("request failed", extra={"request": "note_played"})

    def _reply(self, request_id: str | None, reply: Reply) -> None:
        """Send the one reply to a request."""
        if isinstance(reply, Refused):
            self.connections.counters.count_refused(reply.code)
        self._send_reliably(reply_message(request_id, reply))

    # -- subscriptions ------------------------------------------------------------------------------------

    def _watch(self, request: messages.Watch) -> None:
        is_new = request.table not in self._watched
        maximum = self.connections.limits.tables_per_connection
        if is_new and len(self._watched) >= maximum:
            self._reply(request.id, Refused("busy", f"A connection can watch at most {maximum} tables."))
            return
        if is_new:
            self._watched = (*self._watched, request.table)
        on_reply = partial(self._on_watch_reply, request, is_new)
        self.connections.services.tables.subscribe(self.user, request, self, on_reply)

    def _on_watch_reply(self, request: messages.Watch, is_new: bool, reply: Reply) -> None:
        if is_new and isinstance(reply, Refused):
            self._drop(request.table)
        self._reply(request.id, reply)

    def _unwatch(self, request: messages.Unwatch) -> None:
        if request.table not in self._watched:
            self._reply(request.id, refused("not_following"))
            return
        self._drop(request.table)
        self.connections.services.tables.unsubscribe(request.table, self)
        self._reply(request.id, Done())

    def _drop(self, table: str) -> None:
        self._watched = tuple(other for other in self._watched if other != table)
        if self._missed is not None:
            self._missed.discard(table)

    # -- requests that wait for storage -------------------------------------------------------------------

    def _run(self, request: messages.Request, coroutine: Coroutine[Any, Any, Reply]) -> None:
        if self._tasks >= MAX_TASKS:
            coroutine.close()
            self._reply(request.id, refused("busy"))
            return
        self._tasks += 1
        self.connections.start(self._finish(request, coroutine))

    async def _finish(self, request: messages.Request, coroutine: Coroutine[Any, Any, Reply]) -> None:
        try:
            reply = await coroutine
        except Exception:
            log.exception("request failed", extra={"request": type(request).__name__})
            reply = refused("storage_failed")
        finally:
            self._tasks -= 1
        self._reply(request.id, reply)

    async def _set_name(self, request: messages.SetName) -> Reply:
        renamed = await self.connections.services.identity.rename(self.user, request.name)
        if isinstance(renamed, User):
            self.connections.renamed(renamed)
            return Done({"name": renamed.name})
        return Refused(renamed.code, renamed.sentence)

    async def _make_code(self) -> Reply:
        return Done({"code": await self.connections.services.identity.make_code(self.user)})

    async def _make_token(self) -> Reply:
        return Done({"token": await self.connections.services.identity.make_token(self.user)})

    async def _forget_devices(self) -> Reply:
        await self.connections.services.identity.forget_others(self.user, self.token)
        self.connections.sign_out_others(self.user, self.token)
        return Done()
