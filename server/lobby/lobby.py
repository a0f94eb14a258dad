"""The lobby as connections reach it: opening tables, quick match, the lists, and new names."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final, Self, assert_never

from protocol.messages import ChangeSettings, CreateTable, ListTables, QuickMatch
from server.lobby.directory import TableDirectory
from server.lobby.matching import QuickMatches
from server.lobby.queries import read_query
from server.model import Refused, Reply, User
from server.store.api import KeyValueStore
from server.tables.api import OnReply, Subscriber, Summary, Tables
from server.tables.settings import not_rated, read_settings

LobbyRequest = CreateTable | QuickMatch | ChangeSettings

MAX_HOSTED: Final = 3
"""Open public tables that one user may host at the same time, unless the operator allows more."""


class Lobby:
    """Created by `open`. `secret` makes the ids of tables unguessable, and must be the same after a restart."""

    def __init__(self, directory: TableDirectory, tables: Tables, secret: bytes, max_hosted: int = MAX_HOSTED) -> None:
        self._directory = directory
        self._tables = tables
        self._secret = secret
        self._max_hosted = max_hosted
        self._opening: Counter[str] = Counter()
        """By user: public tables that are being opened, which the lists do not show yet."""

        self._quick_matches = QuickMatches(directory, self._open_table, tables, self.table_id)

    @classmethod
    async def open(
        cls, key_values: KeyValueStore, directory: TableDirectory, tables: Tables, max_hosted: int = MAX_HOSTED
    ) -> Self:
        """Return a lobby with the secret in the store, which is created on the first start."""
        await key_values.put_if_absent("secret", "table_ids", secrets.token_bytes(32))
        secret = await key_values.get("secret", "table_ids")
        assert secret is not None
        return cls(directory, tables, secret, max_hosted)

    def ask(self, user: User, request: LobbyRequest, on_reply: OnReply, avoided: Collection[str] = ()) -> None:
        """Handle a request that names no table, or that may make one public. It gets one reply, now or later.

        A quick match chooses no table at which one of the users to avoid sits.
        """
        match request:
            case ChangeSettings():
                self._change_settings(user, request, on_reply)
            case CreateTable():
                self._create(user, request, on_reply)
            case QuickMatch():
                self._quick_matches.ask(user, request, on_reply, avoided)
            case _:
                assert_never(request)

    def renamed(self, user: User) -> None:
        """Show a user's new name at the tables where they sit, and so in the lists."""
        self._tables.rename(user, [summary["table"] for summary in self._directory.tables_of(user.id)])

    def connected(self, subscriber: Subscriber) -> None:
        self._directory.connected(subscriber)

    def disconnected(self, subscriber: Subscriber) -> None:
        self._directory.disconnected(subscriber)

    def set_visible(self, subscriber: Subscriber, is_visible: bool) -> None:
        self._directory.set_visible(subscriber, is_visible)

    def subscribe(self, subscriber: Subscriber, request: ListTables) -> None:
        self._directory.subscribe(subscriber, read_query(request))

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self._directory.unsubscribe(subscriber)

    def _create(self, user: User, request: CreateTable, on_reply: OnReply) -> None:
        settings = read_settings(request.settings)
        if isinstance(settings, Refused):
            on_reply(settings)
            return
        refusal = not_rated(user, settings)
        if refusal is not None:
            on_reply(refusal)
            return
        create = request.model_copy(update={"settings": settings})
        self._open_table(user, create, self.table_id(user, request.id), on_reply)

    def _open_table(self, user: User, request: CreateTable, table: str, on_reply: OnReply) -> None:
        """Open a table unless the user hosts too many open ones. A repeated request is not counted again."""

        def open_table(on_reply: OnReply) -> None:
            self._tables.create(user, request, table, on_reply)

        if request.settings.private or self._own(user, table) is not None:
            open_table(on_reply)
        else:
            self._publish(user, open_table, on_reply)

    def _change_settings(self, user: User, request: ChangeSettings, on_reply: OnReply) -> None:
        """Pass a change on, unless it turns a private table into one public table too many."""

        def change(on_reply: OnReply) -> None:
            self._tables.ask(user, request, on_reply)

        table = self._own(user, request.table)
        if table is None or not table["settings"]["private"] or request.settings.private:
            change(on_reply)
        else:
            self._publish(user, change, on_reply)

    def _own(self, user: User, table: str) -> Summary | None:
        """Return a table if the user sits there."""
        return next((own for own in self._directory.tables_of(user.id) if own["table"] == table), None)

    def _publish(self, user: User, carry_out: Callable[[OnReply], None], on_reply: OnReply) -> None:
        """Carry out a request that adds an open public table, unless the user hosts too many."""
        if self._directory.count_hosted(user.id) + self._opening[user.id] >= self._max_hosted:
            on_reply(self._too_many_tables())
            return
        self._opening[user.id] += 1

        def on_published(reply: Reply) -> None:
            self._opening[user.id] -= 1
            if not self._opening[user.id]:
                del self._opening[user.id]
            on_reply(reply)

        carry_out(on_published)

    def _too_many_tables(self) -> Refused:
        tables = "one open table" if self._max_hosted == 1 else f"{self._max_hosted} open tables"
        rest = "Begin or leave one of them before you open another, or open a private one."
        return Refused("too_many_tables", f"You already host {tables}. {rest}", "hosted", {"count": self._max_hosted})

    def table_id(self, user: User, request_id: str) -> str:
        """Return the id of the table that a request opens: an HMAC, so that a repetition opens the same table."""
        digest = hmac.digest(self._secret, f"{user.id} {request_id}".encode(), "sha256")
        return b32encode(digest[:10]).decode().lower()
