"""The lobby as connections reach it: opening tables, quick match, the lists, and new names."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from typing import Self, assert_never

from protocol.messages import CreateTable, QuickMatch
from server.lobby.directory import TableDirectory
from server.lobby.matching import QuickMatches
from server.model import Refused, User
from server.store.api import KeyValueStore
from server.tables.api import OnReply, Subscriber, Tables
from server.tables.settings import read_settings


class Lobby:
    """Created by `open`. `secret` makes the ids of tables unguessable, and must be the same after a restart."""

    def __init__(self, directory: TableDirectory, tables: Tables, secret: bytes) -> None:
        self._directory = directory
        self._tables = tables
        self._secret = secret
        self._quick_matches = QuickMatches(directory, tables, self._table_id)

    @classmethod
    async def open(cls, key_values: KeyValueStore, directory: TableDirectory, tables: Tables) -> Self:
        """Return a lobby with the secret in the store, which is created on the first start."""
        await key_values.put_if_absent("secret", "table_ids", secrets.token_bytes(32))
        secret = await key_values.get("secret", "table_ids")
        assert secret is not None
        return cls(directory, tables, secret)

    def ask(self, user: User, request: CreateTable | QuickMatch, on_reply: OnReply) -> None:
        """Handle a request that names no table. It gets one reply, now or later."""
        match request:
            case CreateTable():
                self._create(user, request, on_reply)
            case QuickMatch():
                self._quick_matches.ask(user, request, on_reply)
            case _:
                assert_never(request)

    def renamed(self, user: User) -> None:
        """Show a user's new name at the tables where they sit, and so in the lists."""
        self._tables.rename(user, [summary["table"] for summary in self._directory.tables_of(user.id)])

    def connected(self, subscriber: Subscriber) -> None:
        self._directory.connected(subscriber)

    def disconnected(self, subscriber: Subscriber) -> None:
        self._directory.disconnected(subscriber)

    def subscribe(self, subscriber: Subscriber) -> None:
        self._directory.subscribe(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self._directory.unsubscribe(subscriber)

    def _create(self, user: User, request: CreateTable, on_reply: OnReply) -> None:
        settings = read_settings(request.settings)
        if isinstance(settings, Refused):
            on_reply(settings)
            return
        create = request.model_copy(update={"settings": settings})
        self._tables.create(user, create, self._table_id(user, request.id), on_reply)

    def _table_id(self, user: User, request_id: str) -> str:
        """Return the id of the table that a request opens: an HMAC, so that a repetition opens the same table."""
        digest = hmac.digest(self._secret, f"{user.id} {request_id}".encode(), "sha256")
        return b32encode(digest[:10]).decode().lower()
