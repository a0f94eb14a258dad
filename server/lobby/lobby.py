"""The lobby as connections see it: opening tables, quick match, the lists, and new names."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from typing import Self, assert_never

from protocol.messages import CreateTable, QuickMatch
from server.lobby.directory import TableDirectory
from server.lobby.matching import QuickMatches, refused_message
from server.lobby.settings import read_settings
from server.model import Refused, User
from server.store.api import KeyValueStore
from server.tables.api import Reply, Subscriber, Tables


class Lobby:
    """Made by `open`. `secret` keeps the ids of tables from being guessed, and must be the same after a restart."""

    def __init__(self, directory: TableDirectory, tables: Tables, secret: bytes) -> None:
        self._directory = directory
        self._tables = tables
        self._secret = secret
        self._quick_matches = QuickMatches(directory, tables, self._table_id)

    @classmethod
    async def open(cls, key_values: KeyValueStore, directory: TableDirectory, tables: Tables) -> Self:
        """Give a lobby with the secret of this server, made when there is none yet."""
        await key_values.put_if_absent("secret", "table_ids", secrets.token_bytes(32))
        secret = await key_values.get("secret", "table_ids")
        assert secret is not None
        return cls(directory, tables, secret)

    def ask(self, user: User, request: CreateTable | QuickMatch, reply: Reply) -> None:
        """Carry out a request that is put to no table in particular. It gets one reply, now or later."""
        match request:
            case CreateTable():
                self._create(user, request, reply)
            case QuickMatch():
                self._quick_matches.ask(user, request, reply)
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

    def _create(self, user: User, request: CreateTable, reply: Reply) -> None:
        settings = read_settings(request.settings)
        if isinstance(settings, Refused):
            reply(refused_message(request.id, settings))
            return
        create = request.model_copy(update={"settings": settings})
        self._tables.create(user, create, self._table_id(user, request.id), reply)

    def _table_id(self, user: User, request_id: str) -> str:
        """Give the id of the table that a request opens: the same for the same request, and known to nobody before."""
        digest = hmac.digest(self._secret, f"{user.id} {request_id}".encode(), "sha256")
        return b32encode(digest[:10]).decode().lower()
