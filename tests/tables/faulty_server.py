"""A server of tables whose store fails when a test says so."""

from __future__ import annotations

import asyncio

from protocol.messages import Ready
from tests.tables.faulty_store import FaultyStore
from tests.tables.table_server import PatientBots, Screen, TableServer, wall


def faulty_server(bots: PatientBots | None = None, worker: str | None = None) -> tuple[TableServer, FaultyStore]:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    return TableServer(store, bots, worker), store


def users(screen: Screen) -> list[str | None]:
    """Return the users of the seats, as a screen shows them."""
    assert screen.view is not None
    return [seat["user"] for seat in screen.view["seats"]]


def ready(request_id: str) -> Ready:
    return Ready(type="ready", id=request_id, table="table1", ready=True)
