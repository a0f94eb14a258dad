"""Simulated power cuts of Redis: images of its append-only file are loaded by a real redis-server and compared."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from struct import unpack_from
from typing import Any

import msgpack
import redis

from server.store.redis import RedisStore
from tests.faults.power_cuts import write_files
from tests.faults.power_history import History, Lost, StoredState
from tests.faults.power_load import Load
from tests.faults.power_marks import MarkingStore
from tests.faults.power_recording import Marker, recorded
from tests.faults.preload import memory_folder
from tests.store.redis_server import PATIENCE_SECONDS, redis_server
from tests.store.table_owner import TableOwner

CONFIGURATION = Path(__file__).parent.parent.parent / "deploy" / "redis.conf"


class RedisOnFolder:
    """A redis-server with the configuration of deploy/redis.conf on the files of a folder. Its log is beside them."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._place = memory_folder("socket-")
        self._log = self._place / "redis.log"
        self.process = subprocess.Popen(
            [
                *(redis_server(), CONFIGURATION, "--port", "0", "--unixsocket", self._place / "redis.sock"),
                *("--dir", folder, "--logfile", self._log),
            ],
            env=environment,
        )

    @property
    def url(self) -> str:
        return f"unix://{self._place}/redis.sock"

    def is_up(self) -> bool:
        """Wait until the server answers, and return True; or until it has exited, and return False."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < end, self.log()
            try:
                with redis.Redis.from_url(self.url) as client:
                    client.ping()
                    return True
            except redis.RedisError:
                time.sleep(0.002)
        return False

    def log(self) -> str:
        return self._log.read_text("utf-8", "replace")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self._place, ignore_errors=True)


def repair(folder: Path) -> str:
    """Repair the append-only file by the command in RUNBOOK.md, and return its output."""
    runbook = CONFIGURATION.with_name("RUNBOOK.md").read_text()
    commands = [command.split() for command in re.findall(r"`(redis-check-aof .*?)`", runbook, re.DOTALL)]
    # The runbook has one for Redis 7 and one for Redis 6.2, which keeps its file elsewhere.
    (command,) = (
        [*program, file]
        for *program, name in commands
        if (file := folder / Path(name).relative_to("/var/lib/redis")).exists()
    )
    beside = Path(redis_server()).with_name("redis-check-aof")
    # One program has both names; the name that it is started by says what it does.
    executable = beside if beside.exists() else redis_server()
    return subprocess.run(
        command,
        executable=executable,
        input=b"y\n",
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ).stdout.decode("utf-8", "replace")


async def record_redis(folder: Path, log: Path, entries: int, seed: int, rewrites: int) -> None:
    """Record a Redis under load, whose append-only file is rewritten so often meanwhile."""
    server = RedisOnFolder(folder, recorded(folder, log))
    marker = Marker(log)
    try:
        assert server.is_up(), server.log()
        store = RedisStore.at(server.url)

        def mark(content: list[Any]) -> None:
            marker.mark(msgpack.packb(content))

        rewriting = asyncio.create_task(asyncio.to_thread(_rewrite, server.url, rewrites))
        marking = MarkingStore(store, mark)
        for number in count():
            await Load(marking, entries, 100 * seed + number).run()
            if rewriting.done():
                break
        await rewriting
        await store.close()
    finally:
        server.end()
        marker.close()


def _rewrite(url: str, times: int) -> None:
    """Rewrite the append-only file so often, one rewrite after the other."""
    with redis.Redis.from_url(url) as client:
        for _ in range(times):
            client.bgrewriteaof()
            while client.info("persistence")["aof_rewrite_in_progress"]:
                time.sleep(0.005)


async def check_redis_image(files: dict[str, bytes], history: History, folder: Path) -> tuple[str | None, bool]:
    """Start a Redis on an image and compare; return what is wrong, or None, and whether the file had to be repaired."""
    write_files(files, folder)
    server, was_repaired = RedisOnFolder(folder), False
    try:
        if not server.is_up():
            refusal = server.log()
            server.end()
            output = repair(folder)
            server, was_repaired = RedisOnFolder(folder), True
            if not server.is_up():
                return f"does not start: {refusal.splitlines()[-3:]} {output.splitlines()[-3:]}", True
        store = RedisStore.at(server.url)
        try:
            history.compare(await stored_state(store, history), is_ordered=False)
        except Exception as error:  # noqa: BLE001 - also LogDamaged
            return f"{type(error).__name__}: {error}", was_repaired
        finally:
            await store.close()
        return None, was_repaired
    finally:
        server.end()


async def stored_state(store: RedisStore, history: History) -> StoredState:
    """Return the content of a store."""
    logs = {row.table: await store.read(row.table, 0, 1_000_000) for row in await store.tables()}
    state = StoredState({table: [entry.head for entry in log] for table, log in logs.items()}, {}, {})
    for table in history.logs:
        for key, known in (await _answers(store, table)).items():
            (size,) = unpack_from(">H", known)
            state.answers[table, key.removeprefix(b"+").decode()] = known[2 : 2 + size], known[2 + size :]
    state.values = {("session", key): value for key, value in await store.key_values.find("session")}
    return state


async def _answers(store: RedisStore, table: str) -> dict[bytes, bytes]:
    """Return all stored answers of a table by idempotency key, archived or not."""
    flat = await store._pipeline.command("HGETALL", store._key(table, "commands"))
    stored = dict(zip(flat[::2], flat[1::2], strict=True)) if isinstance(flat, list) else flat
    archived = (await store._archive(table)).answers
    if both := stored.keys() & archived.keys():
        raise Lost(f"{table} has requests twice: {both}")
    return archived | stored


class SequentialRun:
    """Writes to a store one after the other, with the size of the append-only file at each mark."""

    def __init__(self, server: RedisOnFolder) -> None:
        self._server = server
        self.marks: list[tuple[int, list[Any]]] = []

    @property
    def file(self) -> Path:
        """Return the append-only file that grows."""
        folder = self._server.folder
        return max(folder.glob("appendonlydir/*.incr.aof"), default=folder / "appendonly.aof")

    async def write(self) -> None:
        """Write in every way that the server does."""
        redis_store = RedisStore.at(self._server.url)
        store: Any = MarkingStore(redis_store, lambda mark: self.marks.append((self.file.stat().st_size, mark)))
        for table in ("first", "second"):
            owner = await TableOwner.create(store, table, b"opened", b"started")
            for number in range(6):
                await store.key_values.put("session", f"{table}/{number}", b"value" * number)
                await owner.append_all(f"{table}/{number}")
                await store.renew({table: owner.fence}, 3)
            await store.key_values.take("session", f"{table}/3")
            assert await store.archive(table, owner.fence)
            await owner.append_all(f"{table}, after the archive")
            await store.release(table, owner.fence)
        await redis_store.close()

    def history(self, size: int) -> History:
        """Return what was submitted and acknowledged when the file had this size."""
        history = History()
        for size_then, mark in self.marks:
            if mark[0] == "acknowledged" and size_then > size:
                break
            history.add(msgpack.packb(mark))
        return history
