"""One websocket of one user: what comes in is limited, decoded, checked and passed on; what goes out never waits.

Every request gets exactly one `done` or `refused`. When the peer reads too slowly, frames are dropped and answers kept;
once there is room again, the answers go first, and then one fresh view stands for all that was dropped. Until that
view is sent, updates of its table are held back, so nobody ever sees a number twice or out of order.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final, assert_never

from protocol import messages
from protocol.codec import Encoding, Frame, Undecodable, decode, encode, framed, read_request
from protocol.codes import REFUSALS, Close
from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import FREE, Throttle, waiting_sentence
from server.gateway.websocket.wire import Wire
from server.model import User

log = logging.getLogger(__name__)

MAX_TASKS: Final = 4
"""Requests of one connection that may wait for storage at the same time."""

MAX_UNSENT: Final = 64
"""Answers kept for a slow reader; more than it could ask for before it must read."""

# What was dropped and must be made good, where it is not the view of a table; no id of a table looks like these.
_LISTS: Final = "*lists"
_OWN_TABLES: Final = "*own tables"
_WHOLE: Final = frozenset({"view", "tables", "your_tables"})


class Connection:
    """A listener of tables and lobby, and the receiver at our end of a wire."""

    __slots__ = (
        "_follows_lists",
        "_is_connected",
        "_malformed",
        "_missed",
        "_tasks",
        "_unsent",
        "_watched",
        "_wire",
        "address",
        "connections",
        "encoding",
        "token",
        "user",
    )

    def __init__(
        self, connections: ConnectionRegistry, wire: Wire, user: User, token: str, address: str, encoding: Encoding
    ) -> None:
        self.connections = connections
        self.user = user
        self.token = token
        self.address = address
        self.encoding = encoding
        self._wire = wire
        self._watched: tuple[str, ...] = ()
        self._follows_lists = False
        self._is_connected = False
        self._missed: set[str] | None = None
        self._unsent: list[bytes] | None = None
        self._tasks = 0
        self._malformed = 0

    def greet(self) -> None:
        """Begin: say hello, and which tables are one's own."""
        self._is_connected = True
        self.connections.counts.opened += 1
        log.info("connection opened", extra={"user": self.user.id, "encoding": self.encoding.value})
        self._tell(
            {
                "type": "welcome",
                "protocol": messages.PROTOCOL_VERSION,
                "user": {"id": self.user.id, "name": self.user.name},
                "games": self.connections.services.games,
            }
        )
        self.connections.services.lobby.connected(self)

    def close(self, code: Close) -> None:
        self._wire.close(code)

    # -- out ----------------------------------------------------------------------------------------------

    def send(self, frame: Frame) -> bool:
        if self._missed is None and self._wire.write(frame.framed(self.encoding), frame.can_wait):
            return True
        return self._send_late(frame)

    def _send_late(self, frame: Frame) -> bool:
        """Send a frame to a reader that has fallen behind, if it makes up for what was dropped, or note that it is."""
        message = frame.message
        kind = message["type"]
        if kind in ("done", "refused", "welcome"):
            self._tell(message)
            return True
        subject = message.get("table") or (_OWN_TABLES if kind == "your_tables" else _LISTS)
        if self._missed is None:
            self._missed = set()
        if (kind in _WHOLE or subject not in self._missed) and self._wire.write(frame.framed(self.encoding)):
            self._missed.discard(subject)
            if not self._missed:
                self._missed = None
            return True
        self._missed.add(subject)
        self.connections.counts.dropped += 1
        return False

    def _tell(self, message: dict[str, Any]) -> None:
        """Send something that must not be dropped."""
        whole = framed(encode(message, self.encoding), self.encoding)
        if self._unsent is None and self._wire.write(whole):
            return
        if self._unsent is None:
            self._unsent = []
        if len(self._unsent) >= MAX_UNSENT:
            self._wire.abort()
            return
        self._unsent.append(whole)

    def resumed(self) -> None:
        unsent, self._unsent = self._unsent, None
        for number, whole in enumerate(unsent or ()):
            if not self._wire.write(whole):
                # Full again: the rest waits for the next time.
                self._unsent = (unsent or [])[number:]
                return
        for subject in sorted(self._missed or ()):
            self._make_good(subject)

    def _make_good(self, subject: str) -> None:
        """Ask for a whole picture in place of what was dropped."""
        services = self.connections.services
        if subject == _OWN_TABLES:
            services.lobby.connected(self)
        elif subject == _LISTS:
            if self._follows_lists:
                services.lobby.unsubscribe(self)
                services.lobby.subscribe(self)
        elif subject in self._watched:
            services.tables.refresh(subject, self)

    def lost(self, code: int) -> None:
        connections = self.connections
        connections.remove(self)
        if not self._is_connected:
            return
        self._is_connected = False
        watched, self._watched = self._watched, ()
        for table in watched:
            connections.services.tables.unwatch(table, self)
        if self._follows_lists:
            connections.services.lobby.unsubscribe(self)
        connections.services.lobby.disconnected(self)
        connections.counts.count_closed(code)
        log.info("connection closed", extra={"user": self.user.id, "code": int(code)})

    # -- in -----------------------------------------------------------------------------------------------

    def message(self, data: bytes) -> None:
        connections = self.connections
        if connections.is_draining:
            # The client gets no answer here, so it asks again where it is told to come back to.
            return
        wait = connections.throttles.requests.take(self.user.id)
        if wait != FREE and not self._may_be_told():
            return
        try:
            plain = decode(data, self.encoding)
        except Undecodable:
            connections.counts.limited["undecodable"] += 1
            self.close(Close.BAD_DATA)
            return
        request = read_request(plain)
        if wait != FREE:
            connections.counts.limited["requests"] += 1
            self._refuse(request.id, "too_fast", waiting_sentence(wait))
        elif isinstance(request, messages.RefusedMessage):
            self._refuse(request.id, request.code, request.sentence)
            self._note_malformed(request)
        else:
            connections.counts.requests[request.type] += 1
            self._pass_on(request)

    def _note_malformed(self, refusal: messages.RefusedMessage) -> None:
        # What is only unknown may come from a newer client that means well.
        self._malformed += refusal.code == "malformed"
        if self._malformed >= self.connections.limits.malformed_messages:
            self.close(Close.POLICY)

    def _may_be_told(self) -> bool:
        """Tell whether one more refusal for being too fast is in order; else the connection is closed."""
        if self.connections.throttles.patience.take(self.user.id) == FREE:
            return True
        self.connections.counts.limited["patience"] += 1
        log.info("flooded", extra={"user": self.user.id})
        self.close(Close.POLICY)
        return False

    def _pass_on(self, request: messages.AnyRequest) -> None:
        services, throttles = self.connections.services, self.connections.throttles
        match request:
            case messages.Decide():
                # By far the most frequent, so it is asked for first.
                services.tables.ask(self.user, request, self._answer)
            case messages.Watch():
                self._watch(request)
            case messages.Unwatch():
                self._unwatch(request)
            case messages.Say():
                if self._is_within(throttles.chat, "chat", request):
                    services.tables.ask(self.user, request, self._answer)
            case messages.Hint():
                if self._is_within(throttles.hints, "hints", request):
                    services.tables.ask(self.user, request, self._answer)
            case messages.TableRequest():
                services.tables.ask(self.user, request, self._answer)
            case messages.CreateTable():
                if self._is_within(throttles.creations, "creations", request, "too_many_tables"):
                    services.lobby.ask(self.user, request, self._answer)
            case messages.QuickMatch():
                if self._is_within(throttles.matches, "matches", request):
                    services.lobby.ask(self.user, request, self._answer)
            case messages.Ping():
                self._done(request.id)
            case messages.ListTables():
                self._done(request.id)
                self._follows_lists = True
                services.lobby.subscribe(self)
            case messages.UnlistTables():
                self._follows_lists = False
                services.lobby.unsubscribe(self)
                self._done(request.id)
            case messages.SetName():
                self._run(request, self._set_name(request))
            case messages.MakeCode():
                self._run(request, self._make_code(request))
            case messages.MakeToken():
                self._run(request, self._make_token(request))
            case messages.ForgetDevices():
                self._run(request, self._forget_devices(request))
            case _:
                assert_never(request)

    def _is_within(self, throttle: Throttle, limit: str, request: messages.Request, code: str = "too_fast") -> bool:
        """Tell whether a user is within a limit; refuse the request if not."""
        wait = throttle.take(self.user.id)
        if wait == FREE:
            return True
        self.connections.counts.limited[limit] += 1
        self._refuse(request.id, code, waiting_sentence(wait))
        return False

    # -- answers ------------------------------------------------------------------------------------------

    def _done(self, request_id: str, **result: Any) -> None:
        self._tell({"type": "done", "id": request_id, "result": result})

    def _refuse(self, request_id: str | None, code: str, sentence: str | None = None) -> None:
        self._answer({"type": "refused", "id": request_id, "code": code, "sentence": sentence or REFUSALS[code]})

    def _answer(self, message: dict[str, Any]) -> None:
        """Send the one answer to a request."""
        if message["type"] == "refused":
            self.connections.counts.refused[message["code"]] += 1
        self._tell(message)

    # -- following tables ---------------------------------------------------------------------------------

    def _watch(self, request: messages.Watch) -> None:
        is_new = request.table not in self._watched
        most = self.connections.limits.tables_per_connection
        if is_new and len(self._watched) >= most:
            self._refuse(request.id, "busy", f"One connection can follow {most} tables at most.")
            return
        if is_new:
            self._watched = (*self._watched, request.table)
        self.connections.services.tables.watch(self.user, request, self, self._on_watched(request.table, is_new))

    def _on_watched(self, table: str, is_new: bool) -> Callable[[dict[str, Any]], None]:
        def answer(message: dict[str, Any]) -> None:
            if message["type"] == "refused":
                if is_new:
                    self._drop(table)
            elif table not in self._watched:
                # Gone, or no longer interested, while the table was being loaded. It adds us right after this answer.
                self.connections.start(self._unwatch_again(table))
            self._answer(message)

        return answer

    async def _unwatch_again(self, table: str) -> None:
        self.connections.services.tables.unwatch(table, self)

    def _unwatch(self, request: messages.Unwatch) -> None:
        if request.table not in self._watched:
            self._refuse(request.id, "not_following")
            return
        self._drop(request.table)
        self.connections.services.tables.unwatch(request.table, self)
        self._done(request.id)

    def _drop(self, table: str) -> None:
        self._watched = tuple(other for other in self._watched if other != table)
        if self._missed is not None:
            self._missed.discard(table)

    # -- tasks: what must wait for storage ----------------------------------------------------------------

    def _run(self, request: messages.Request, coroutine: Coroutine[Any, Any, None]) -> None:
        if self._tasks >= MAX_TASKS:
            coroutine.close()
            self._refuse(request.id, "busy")
            return
        self._tasks += 1
        self.connections.start(self._finish(request, coroutine))

    async def _finish(self, request: messages.Request, coroutine: Coroutine[Any, Any, None]) -> None:
        try:
            await coroutine
        except Exception:
            log.exception("request failed", extra={"request": type(request).__name__})
            self._refuse(request.id, "storage_failed")
        finally:
            self._tasks -= 1

    async def _set_name(self, request: messages.SetName) -> None:
        renamed = await self.connections.services.identity.rename(self.user, request.name)
        if isinstance(renamed, User):
            self.connections.renamed(renamed)
            self._done(request.id, name=renamed.name)
        else:
            self._refuse(request.id, renamed.code, renamed.sentence)

    async def _make_code(self, request: messages.MakeCode) -> None:
        self._done(request.id, code=await self.connections.services.identity.make_code(self.user))

    async def _make_token(self, request: messages.MakeToken) -> None:
        self._done(request.id, token=await self.connections.services.identity.make_token(self.user))

    async def _forget_devices(self, request: messages.ForgetDevices) -> None:
        await self.connections.services.identity.forget_others(self.user, self.token)
        self.connections.sign_out_others(self.user, self.token)
        self._done(request.id)
