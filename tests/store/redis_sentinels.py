"""A real Redis with two replicas and three Sentinels on this machine, for tests."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import redis

from tests.store.redis_cluster import free_ports
from tests.store.redis_server import RedisServer, redis_server, wait_until

NAME = "tables"
REPLICAS = 2
SENTINELS = 3

_SENTINEL_CONF = """
port {port}
bind 127.0.0.1
dir {folder}
sentinel monitor {name} 127.0.0.1 {master} 2
sentinel down-after-milliseconds {name} 500
sentinel failover-timeout {name} 1000
sentinel parallel-syncs {name} 2
"""


class RedisSentinels:
    """A master, its replicas, and the Sentinels that promote one of them when the master is killed."""

    def __init__(self) -> None:
        self.ports = free_ports(1 + REPLICAS + SENTINELS)
        first = self.ports[0]
        replica_of = ("--replicaof", "127.0.0.1", str(first))
        self.nodes = [
            RedisServer("--port", str(port), "--bind", "127.0.0.1", *(() if port == first else replica_of))
            for port in self.ports[: 1 + REPLICAS]
        ]
        self._sentinel_ports = self.ports[1 + REPLICAS :]
        self._folder = Path(tempfile.mkdtemp(prefix="sentinels-"))
        self._sentinels: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        return f"redis+sentinel://{','.join(f'127.0.0.1:{port}' for port in self._sentinel_ports)}/{NAME}"

    def start(self) -> None:
        """Start everything, and return when the replicas follow and the Sentinels know them and each other."""
        for node in self.nodes:
            node.start()
        self.wait_for_replicas()
        for port in self._sentinel_ports:
            conf = self._folder / f"{port}.conf"
            conf.write_text(_SENTINEL_CONF.format(port=port, folder=self._folder, name=NAME, master=self.ports[0]))
            self._sentinels.append(
                subprocess.Popen(
                    [redis_server(), str(conf), "--sentinel"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            )
        wait_until(lambda: all(map(self._is_informed, self._sentinel_ports)), "the Sentinels do not find each other")

    @property
    def master(self) -> RedisServer:
        """Return the node that the Sentinels name, as soon as it is a master."""
        wait_until(lambda: self._named() is not None, "the Sentinels name no master")
        named = self._named()
        assert named is not None
        return named

    def kill_master(self) -> None:
        """Kill the master, wait until another node is promoted, and start it again."""
        killed = self.master
        killed.kill()
        wait_until(lambda: self._named() not in (None, killed), "no replica is promoted")
        killed.start()

    def wait_for_replicas(self) -> None:
        """Wait until all other nodes follow one master."""
        wait_until(
            lambda: any(node.role == "master" and node.synced_replicas == REPLICAS for node in self.nodes),
            "the replicas do not follow the master",
        )

    def remove(self) -> None:
        for process in self._sentinels:
            process.kill()
            process.wait()
        for node in self.nodes:
            node.remove()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _named(self) -> RedisServer | None:
        """Return the node that a Sentinel names, if that is a master; None otherwise."""
        with redis.Redis(port=self._sentinel_ports[0]) as sentinel:
            _, port = sentinel.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)  # type: ignore[no-untyped-call]
        node = self.nodes[self.ports.index(int(port))]
        return node if node.role == "master" else None

    def _is_informed(self, port: int) -> bool:
        try:
            with redis.Redis(port=port) as sentinel:
                master = sentinel.sentinel_master(NAME)
        except redis.RedisError:
            return False
        return bool(master["num-slaves"] == REPLICAS and master["num-other-sentinels"] == SENTINELS - 1)
