"""The stores that the contract is tested on, each with the failures that it must survive.

A new store gets a class here, with the methods of `Backend`, and a line in BACKENDS.
"""

import atexit
import copy
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import redis

from server.store.api import TableStore
from server.store.memory import MemoryStore
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from tests.store.redis_cluster import RedisCluster
from tests.store.redis_server import RedisServer


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Backend(Protocol):
    """A store, and the failures of what it runs on."""

    clock: Clock
    leases_end_with_a_restart: bool

    @property
    def store(self) -> TableStore:
        """Return the open store."""

    async def start(self) -> None:
        """Open an empty store."""

    async def restart(self) -> None:
        """Kill the process behind the store, and open the store again."""

    async def keep_copy(self) -> None:
        """Copy the store, as a backup or a lagging replica would."""

    async def restore_copy(self) -> None:
        """Replace the store by the copy: everything since is lost."""

    async def stop(self) -> None:
        """Close the store and delete its files."""


class MemoryBackend:
    """A store in memory. `restart` does nothing, since a restart would leave nothing to test."""

    leases_end_with_a_restart = False

    def __init__(self, make: type[MemoryStore] = MemoryStore) -> None:
        self.clock = Clock()
        self.store = make(self.clock, self.clock)
        self._make = make
        self._copy: MemoryStore | None = None

    async def start(self) -> None:
        pass

    async def restart(self) -> None:
        pass

    async def keep_copy(self) -> None:
        self._copy = self._twin(self.store)

    async def restore_copy(self) -> None:
        assert self._copy is not None
        self.store = self._twin(self._copy)

    async def stop(self) -> None:
        await self.store.close()

    def _twin(self, store: MemoryStore) -> MemoryStore:
        twin = self._make(self.clock, self.clock)
        twin._tables = copy.deepcopy(store._tables)
        twin._key_values._values = dict(store._key_values._values)
        return twin


class SqliteBackend:
    """A store in a file. It uses `fast` durability: only a power cut would make a difference."""

    leases_end_with_a_restart = True

    def __init__(self, make: type[SqliteStore] = SqliteStore) -> None:
        self.clock = Clock()
        self.store: SqliteStore
        self._make = make
        self._folder = Path(tempfile.mkdtemp(prefix="store-"))
        self._path = self._folder / "0.db"
        self._copies = 0

    async def start(self) -> None:
        self.store = await self._make.open(self._path, "fast", self.clock, self.clock)

    async def restart(self) -> None:
        """Copy the files before the store is closed, as a killed process would leave them, and open the copies."""
        left = self._next_path()
        shutil.copyfile(self._path, left)
        shutil.copyfile(f"{self._path}-wal", f"{left}-wal")
        await self._reopen(left)

    async def keep_copy(self) -> None:
        await self.store.backup(self._folder / "copy.db", replace=True)

    async def restore_copy(self) -> None:
        path = self._next_path()
        shutil.copyfile(self._folder / "copy.db", path)
        await self._reopen(path)

    async def stop(self) -> None:
        await self.store.close()
        shutil.rmtree(self._folder)

    def _next_path(self) -> Path:
        self._copies += 1
        return self._folder / f"{self._copies}.db"

    async def _reopen(self, path: Path) -> None:
        await self.store.close()
        self._path = path
        await self.start()


_shared: list[RedisServer] = []


def shared_server() -> RedisServer:
    """Return the Redis of this test run; each example empties it first."""
    if not _shared:
        _shared.append(RedisServer())
        _shared[0].start()
        atexit.register(_shared[0].remove)
    return _shared[0]


class RedisBackend:
    """A store in a real Redis. The copy holds all its keys."""

    leases_end_with_a_restart = False

    def __init__(self, make: type[RedisStore] = RedisStore) -> None:
        self.clock = Clock()
        self.store: RedisStore
        self._make = make
        self._server = shared_server()
        self._copy: dict[bytes, bytes] = {}

    async def start(self) -> None:
        with self._client() as client:
            client.flushall()
        self.store = self._make.at(self._server.url, clock=self.clock)

    async def restart(self) -> None:
        await self.store.close()
        self._server.kill()
        self._server.start()
        self.store = self._make.at(self._server.url, clock=self.clock)

    async def keep_copy(self) -> None:
        with self._client() as client:
            self._copy = {key: client.dump(key) for key in client.scan_iter()}

    async def restore_copy(self) -> None:
        with self._client() as client:
            client.flushall()
            for key, value in self._copy.items():
                client.restore(key, 0, value)

    async def stop(self) -> None:
        await self.store.close()

    def _client(self) -> redis.Redis:
        return redis.Redis.from_url(self._server.url)


_shared_cluster: list[RedisCluster] = []


def shared_cluster() -> RedisCluster:
    """Return the Redis Cluster of this test run."""
    if not _shared_cluster:
        cluster = RedisCluster()
        atexit.register(cluster.remove)
        cluster.start()
        _shared_cluster.append(cluster)
    return _shared_cluster[0]


class ClusterBackend:
    """A store in a real Redis Cluster. `restart` kills no node, since a cluster takes seconds to recover."""

    leases_end_with_a_restart = False

    def __init__(self) -> None:
        self.clock = Clock()
        self.store: RedisStore
        self._cluster = shared_cluster()
        self._copies: list[dict[bytes, bytes]] = []

    async def start(self) -> None:
        for client in self._clients():
            client.flushall()
        self.store = RedisStore.at(self._cluster.url, clock=self.clock)

    async def restart(self) -> None:
        await self.store.close()
        self.store = RedisStore.at(self._cluster.url, clock=self.clock)

    async def keep_copy(self) -> None:
        self._copies = [{key: client.dump(key) or b"" for key in client.scan_iter()} for client in self._clients()]

    async def restore_copy(self) -> None:
        for client, copied in zip(self._clients(), self._copies, strict=True):
            client.flushall()
            for key, value in copied.items():
                client.restore(key, 0, value)

    async def stop(self) -> None:
        await self.store.close()

    def _clients(self) -> list[redis.Redis]:
        return [redis.Redis.from_url(node.url) for node in self._cluster.nodes]


BACKENDS: dict[str, Callable[[], Backend]] = {
    "memory": MemoryBackend,
    "sqlite": SqliteBackend,
    "redis": RedisBackend,
    "cluster": ClusterBackend,
}
