"""Workers on every kind of store. Recovery codes are hashed fast, since the tests make many."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator

import pytest

from server.people import recovery
from tests.people.workers import Worker
from tests.store.backends import BACKENDS, Backend

STORES = ("memory", "sqlite", "redis")


@pytest.fixture(autouse=True)
def fast_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "_scrypt", lambda salt, code: hashlib.sha256(salt + code.encode()).hexdigest())


@pytest.fixture(params=STORES)
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    made = BACKENDS[request.param]()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def memory() -> AsyncIterator[Backend]:
    made = BACKENDS["memory"]()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def worker(memory: Backend) -> Worker:
    return await Worker.open(memory.store.key_values, memory.clock)


async def two_workers(backend: Backend) -> tuple[Worker, Worker]:
    first = await Worker.open(backend.store.key_values, backend.clock)
    second = await Worker.open(backend.store.key_values, backend.clock)
    first.peers, second.peers = [second], [first]
    return first, second


@pytest.fixture
async def workers(backend: Backend) -> tuple[Worker, Worker]:
    return await two_workers(backend)
