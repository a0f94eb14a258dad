"""A real Redis Cluster of three masters on this machine, for tests."""

from __future__ import annotations

import random
import socket
import time
from contextlib import ExitStack

import redis

from tests.store.redis_server import PATIENCE_SECONDS, RedisServer

SLOTS = 16384
MASTERS = 3


class RedisCluster:
    """A Redis Cluster of three masters, each with a third of the slots."""

    def __init__(self) -> None:
        self.ports = _free_ports(MASTERS)
        self.nodes = [
            RedisServer("--port", str(port), "--bind", "127.0.0.1", "--cluster-enabled", "yes") for port in self.ports
        ]

    @property
    def url(self) -> str:
        return f"redis+cluster://127.0.0.1:{self.ports[0]}"

    def start(self) -> None:
        """Start all nodes, and return when they have formed a cluster."""
        for node in self.nodes:
            node.start()
        with ExitStack() as stack:
            clients = [stack.enter_context(redis.Redis.from_url(node.url)) for node in self.nodes]
            share = -(-SLOTS // MASTERS)
            for number, client in enumerate(clients):
                last = min(SLOTS, (number + 1) * share) - 1
                client.execute_command("CLUSTER", "ADDSLOTS", *range(number * share, last + 1))
                client.execute_command("CLUSTER", "MEET", "127.0.0.1", self.ports[0])
            end = time.monotonic() + PATIENCE_SECONDS
            while not all(self._is_whole(client) for client in clients):
                assert time.monotonic() < end, "the nodes do not form a cluster"
                time.sleep(0.05)

    def remove(self) -> None:
        for node in self.nodes:
            node.remove()

    def _is_whole(self, client: redis.Redis) -> bool:
        info = client.execute_command("CLUSTER", "INFO")  # type: ignore[no-untyped-call]
        fields = info if isinstance(info, dict) else dict(line.split(":") for line in info.decode().split())
        return fields["cluster_state"] == "ok" and int(fields["cluster_size"]) == MASTERS


def _free_ports(count: int) -> list[int]:
    """Return free ports. The port 10,000 above each is free too: it is the cluster bus of the node."""
    found: list[int] = []
    while len(found) < count:
        port = random.SystemRandom().randrange(11_000, 20_000)
        if _is_free(port) and _is_free(port + 10_000):
            found.append(port)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0
