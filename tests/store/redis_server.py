"""A real redis-server on a socket in a temporary folder, for tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import redis

PATIENCE_SECONDS = 20.0


def redis_server() -> str:
    """Return the path of the redis-server of this environment, unless REDIS_SERVER names another one."""
    if named := os.environ.get("REDIS_SERVER"):
        return named
    beside = Path(sys.executable).with_name("redis-server")
    return str(beside) if beside.exists() else shutil.which("redis-server") or "redis-server"


def wait_until(is_so: Callable[[], bool], otherwise: str) -> None:
    """Wait until something is so; fail with a sentence if that takes too long."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < end, otherwise
        time.sleep(0.01)


class RedisServer:
    """A redis-server process that can be killed and started again in the same folder."""

    def __init__(self, *settings: str, environment: Mapping[str, str] = os.environ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="redis-"))
        self._settings = settings
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.folder}/redis.sock"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def role(self) -> str | None:
        """Return `master` or `slave`; None if the process does not answer."""
        return self._info("replication").get("role")

    @property
    def synced_replicas(self) -> int:
        """Return the number of replicas that have received everything and follow."""
        info = self._info("replication")
        return sum(1 for name, value in info.items() if name.startswith("slave") and value["state"] == "online")

    def _info(self, section: str) -> dict[str, Any]:
        try:
            with redis.Redis.from_url(self.url) as client:
                return dict(client.info(section))
        except redis.RedisError:
            return {}

    def start(self) -> None:
        """Start the process, and return when it answers."""
        self._process = subprocess.Popen(
            [redis_server(), *_arguments(self.folder), *self._settings],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        process = self._process
        wait_until(lambda: self._answers() or process.poll() is not None, "redis-server does not start")
        assert process.poll() is None, "redis-server has exited"

    def tell(self, sign: signal.Signals) -> None:
        """Send a signal to the process."""
        assert self._process is not None
        self._process.send_signal(sign)

    def kill(self) -> None:
        """Kill the process. What it has written to its files stays."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        """Kill the process and delete its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


def _arguments(folder: Path) -> Sequence[str]:
    settings = {
        "port": "0",
        "unixsocket": f"{folder}/redis.sock",
        "dir": str(folder),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
    }
    return [word for name, value in settings.items() for word in (f"--{name}", value)]
