"""A real Redis Cluster of three masters on this machine, for tests; each master may have a replica."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack

import redis

from tests.store.redis_server import RedisServer, wait_until

SLOTS = 16384
MASTERS = 3


NODE_TIMEOUT_MILLISECONDS = 1_000
"""The time after which a silent node counts as failed, and its replica asks to be promoted."""


class RedisCluster:
    """A Redis Cluster of three masters, each with a third of the slots, and with a replica if there are `replicas`."""

    def __init__(self, *, replicas: bool = False) -> None:
        self.ports = free_ports(2 * MASTERS if replicas else MASTERS)
        settings = ("--bind", "127.0.0.1", "--cluster-enabled", "yes")
        timeout = ("--cluster-node-timeout", str(NODE_TIMEOUT_MILLISECONDS)) if replicas else ()
        self.nodes = [RedisServer("--port", str(port), *settings, *timeout) for port in self.ports]

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
            for number, client in enumerate(clients[:MASTERS]):
                last = min(SLOTS, (number + 1) * share) - 1
                client.execute_command("CLUSTER", "ADDSLOTS", *range(number * share, last + 1))
            for client in clients:
                client.execute_command("CLUSTER", "MEET", "127.0.0.1", self.ports[0])
            wait_until(lambda: all(self._is_whole(client) for client in clients), "the nodes do not form a cluster")
            for master, replica in zip(clients, clients[MASTERS:], strict=False):
                name = master.execute_command("CLUSTER", "MYID").decode()
                replica.execute_command("CLUSTER", "REPLICATE", name)
            self.wait_for_replicas()

    @property
    def masters(self) -> list[RedisServer]:
        """Return the nodes that are masters now."""
        return [node for node in self.nodes if node.role == "master"]

    def kill_master(self, master: RedisServer) -> None:
        """Kill a master, wait until its replica is promoted, and start it again as a replica."""
        master.kill()
        wait_until(lambda: len(self.masters) == MASTERS, "no replica is promoted")
        master.start()

    def wait_for_replicas(self) -> None:
        """Wait until every master that has a replica is in sync with it, and all nodes agree on the cluster."""
        expected = (len(self.nodes) - MASTERS) // MASTERS
        wait_until(
            lambda: (
                len(self.masters) == MASTERS
                and all(master.synced_replicas >= expected for master in self.masters)
                and all(self._agrees(node) for node in self.nodes)
            ),
            "the replicas do not follow their masters",
        )

    def _agrees(self, node: RedisServer) -> bool:
        with redis.Redis.from_url(node.url) as client:
            return self._is_whole(client)

    def remove(self) -> None:
        for node in self.nodes:
            node.remove()

    def _is_whole(self, client: redis.Redis) -> bool:
        info = client.execute_command("CLUSTER", "INFO")  # type: ignore[no-untyped-call]
        fields = info if isinstance(info, dict) else dict(line.split(":") for line in info.decode().split())
        return fields["cluster_state"] == "ok" and int(fields["cluster_size"]) == MASTERS


def free_ports(count: int) -> list[int]:
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
