"""Subscribers of a directory, and tables to publish in it."""

from typing import Any

from server.lobby.directory import TableDirectory
from server.lobby.queries import DEFAULT_QUERY, ListQuery
from server.tables.api import Summary, TableStatus
from tests.lobby.fakes import FakeSubscriber, summary, user

SETTLED = 2.0
"""Longer than any change is delayed."""


def subscribed(directory: TableDirectory, name: str = "Ada", query: ListQuery = DEFAULT_QUERY) -> FakeSubscriber:
    subscriber = FakeSubscriber(user(name))
    directory.connected(subscriber)
    directory.subscribe(subscriber, query)
    return subscriber


def public(table: str, *people: str, **others: Any) -> tuple[Summary, bool]:
    return summary(table, *people, **others), False


def private(table: str, *people: str, **others: Any) -> tuple[Summary, bool]:
    return summary(table, *people, settings={"private": True}, **others), True


def waiting_for(*people: str, **others: Any) -> TableStatus:
    fields = {"about": "bid", "since": 7, "progress": {"round": 2}} | others
    return TableStatus(frozenset(name.lower() for name in people), **fields)
