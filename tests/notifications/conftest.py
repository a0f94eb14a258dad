"""Workers that share a store and a world of tables, with messages that are recorded or really sent."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator

import pytest

from server.people import recovery
from tests.notifications.workers import World
from tests.store.backends import BACKENDS

STORES = ("memory", "sqlite", "redis")


@pytest.fixture(autouse=True)
def fast_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash recovery codes fast: members have them, and these tests are not about them."""
    monkeypatch.setattr(recovery, "_scrypt", lambda salt, code: hashlib.sha256(salt + code.encode()).hexdigest())


@pytest.fixture(params=STORES)
async def stored_world(request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """Yield a world on each kind of store."""
    backend = BACKENDS[request.param]()
    await backend.start()
    yield World(backend)
    await backend.stop()


@pytest.fixture
async def world() -> AsyncIterator[World]:
    """Yield a world on a store in memory."""
    backend = BACKENDS["memory"]()
    await backend.start()
    yield World(backend)
    await backend.stop()
