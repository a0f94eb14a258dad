"""One websocket of one user: limits, decodes, validates and passes on requests; writes frames and never waits.

Every request gets exactly one `done` or `refused`. What is written is in `outgoing.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final, assert_never

from protocol import messages
from protocol.codec import Encoding, Undecodable, decode, read_request
from protocol.codes import Close
from server.gateway.connections import ConnectionRegistry
from server.gateway.limits import is_established, refused_for
from server.gateway.websocket.api import Transport
from server.gateway.websocket.outgoing import INVITATIONS, LISTS, OWN_TABLES, PEOPLE, Outgoing
from server.model import Done, Refused, Reply, User
from server.rate_limit import FREE, Throttle
from server.tables.api import OnReply
from server.tables.replies import reply_message
from server.tables.results import refused

log = logging.getLogger(__name__)

MAX_TASKS: Final = 4
"""Requests of one connection that may wait for storage at the same time."""


class Connection(Outgoing):
    """A subscriber of tables and lobby, and the receiver of the messages of a websocket."""

    __slots__ = (
        "_has_played",
        "_is_connected",
        "_list_request",
        "_malformed",
        "_tasks",
        "_watched",
        "address",
        "connections",
        "is_new",
        "origin",
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
        origin: str = "",
    ) -> None:
        super().__init__(transport, encoding, connections.counters)
        self.connections = connections
        self.user = user
        self.token = token
        self.address = address
        self.origin = origin
        # As of the handshake: a new name that another worker announces comes without the age of its user.
        self.is_new = not is_established(user, connections.wall())
        self._has_played = user.has_played
        self._watched: tuple[str, ...] = ()
        self._list_request: messages.ListTables | None = None
        self._is_connected = False
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
                "user": {
                    "id": self.user.id,
                    "name": self.user.name,
                    "handle": self.user.handle,
                    "language": self.user.language,
                },
                "games": self.connections.services.games,
            }
        )
        self.connections.services.lobby.connected(self)
        self.connections.services.people.connected(self)

    def close(self, code: Close) -> None:
        self._transport.close(code)

    def _refresh(self, subject: str) -> None:
        services = self.connections.services
        if subject == OWN_TABLES:
            services.lobby.connected(self)
        elif subject in (PEOPLE, INVITATIONS):
            services.people.refresh(self)
        elif subject == LISTS and self._list_request is not None:
            services.lobby.unsubscribe(self)
            services.lobby.subscribe(self, self._list_request)
        elif subject in self._watched:
            services.tables.refresh(subject, self)
        else:
            self._forget_missed(subject)

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
        connections.services.people.disconnected(self)
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
            self._reply(request.id, refused_for(wait))
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
            case messages.Seal():
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
            case messages.AccountRequest():
                # Narrow, since each shows whether a handle is taken, or costs much.
                if self._is_within(throttles.accounts, "accounts", request, throttles.new_accounts):
                    self._run(request, services.people.answer(self, self.token, self.origin, request))
            case messages.Invite():
                if self._is_within(throttles.invitations, "invitations", request):
                    self._run(request, services.people.answer(self, self.token, self.origin, request))
            case messages.PeopleRequest():
                if self._is_within(throttles.lists, "lists", request):
                    self._run(request, services.people.answer(self, self.token, self.origin, request))
            case messages.GetNotifications():
                if self._is_within(throttles.lists, "lists", request):
                    self._run(request, services.notifications.answer(self.user, self.token, self.origin, request))
            case messages.NotificationRequest():
                if self._is_within(throttles.accounts, "accounts", request, throttles.new_accounts):
                    self._run(request, services.notifications.answer(self.user, self.token, self.origin, request))
            case messages.PlayOn():
                self._run(request, self._play_on(request))
            case messages.AnalyseGame():
                if self._is_within(throttles.lists, "lists", request):
                    self._run(request, services.coach.answer(self.user, request, self._may_analyse))
            case messages.HistoryRequest():
                if self._is_within(throttles.lists, "lists", request):
                    self._run(request, services.history.answer(self.user, request))
            case messages.GetLesson():
                # As often as requests to a table: it reads nothing from the store.
                self._run(request, services.lessons.answer(self.user, request))
            case messages.LessonRequest():
                if self._is_within(throttles.lists, "lists", request):
                    self._run(request, services.lessons.answer(self.user, request))
            case messages.TableRequest():
                services.tables.ask(self.user, request, self._on_reply(request))
            case messages.CreateTable() | messages.QuickMatch():
                self.connections.start(self._open_table(request))
            case messages.Ping():
                self._reply(request.id, Done())
            case messages.SetVisible():
                services.lobby.set_visible(self, request.visible)
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
            case messages.GetBigTable():
                if self._is_within(throttles.lists, "lists", request):
                    self._run(request, services.big_table.answer(self.user))
            case messages.SetName():
                self._run(request, self._set_name(request))
            case messages.SetLanguage():
                self._run(request, self._set_language(request))
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

    def _may_analyse(self) -> Refused | None:
        """Count an analysis that the user starts; return the refusal if that is one too many."""
        throttles = self.connections.throttles
        limit, wait = "analyses", throttles.analyses.take(self.user.id)
        if wait == FREE and self.is_new:
            limit, wait = "new_analyses", throttles.new_analyses.take(self.address)
        if wait == FREE:
            return None
        self.connections.counters.limited[limit] += 1
        return refused_for(wait, "too_many_analyses")

    def _refuse(self, request: messages.Request, limit: str, wait: float, code: str = "too_fast") -> None:
        self.connections.counters.limited[limit] += 1
        self._reply(request.id, refused_for(wait, code))

    async def _open_table(self, request: messages.CreateTable | messages.QuickMatch) -> None:
        """Pass a request on that may open a table, if the limits allow it; they may be in Redis."""
        try:
            throttles, new_at = self.connections.throttles, self.address if self.is_new else None
            take = throttles.take_creation if isinstance(request, messages.CreateTable) else throttles.take_match
            limit, wait = await take(self.user.id, new_at)
            if wait == FREE:
                services = self.connections.services
                avoided = (
                    await services.people.blocked_by(self.user) if isinstance(request, messages.QuickMatch) else ()
                )
                services.lobby.ask(self.user, request, partial(self._on_table_opened, request), avoided)
            else:
                self._refuse(request, limit, wait, "too_many_tables" if limit.endswith("creations") else "too_fast")
        except Exception:
            log.exception("request failed", extra={"request": type(request).__name__})
            self._reply(request.id, refused("storage_failed"))

    async def _play_on(self, request: messages.PlayOn) -> Reply:
        """Open a table that goes on from another game, within the limits for opening tables."""
        throttles = self.connections.throttles
        limit, wait = await throttles.take_creation(self.user.id, self.address if self.is_new else None)
        if wait != FREE:
            self.connections.counters.limited[limit] += 1
            return refused_for(wait, "too_many_tables")
        return await self.connections.services.history.answer(self.user, request)

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
            self.connections.note_played(self.user)
        self._reply(request_id, reply)

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
            sentence = f"A connection can watch at most {maximum} tables."
            self._reply(request.id, Refused("busy", sentence, "watching", {"count": maximum}))
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
        self._forget_missed(table)

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
        return renamed

    async def _set_language(self, request: messages.SetLanguage) -> Reply:
        changed = await self.connections.services.identity.set_language(self.user, request.language)
        return Done() if isinstance(changed, User) else changed

    async def _make_code(self) -> Reply:
        return Done({"code": await self.connections.services.identity.make_code(self.user)})

    async def _make_token(self) -> Reply:
        return Done({"token": await self.connections.services.identity.make_token(self.user)})

    async def _forget_devices(self) -> Reply:
        await self.connections.services.identity.forget_others(self.user, self.token)
        self.connections.sign_out_others(self.user, self.token)
        return Done()
