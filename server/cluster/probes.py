"""Finds out whether a worker is dead by its subscription to the bus, which ends with its process.

When a process is killed, the kernel closes its sockets, and Redis drops its subscription at once. So a worker to which
several envelopes in a row have no receiver, and of which nothing is heard meanwhile, is taken for dead, and its leases
need not run out. A worker that is frozen or busy keeps its subscription, and one that only lost its subscription still
sends heartbeats. A false alarm does no harm: the fencing token decides who may write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.cluster.bus.api import Bus

PROBE_INTERVAL_SECONDS = 0.2

MIN_PROBES = 4
"""Probes in a row without a receiver until a worker is taken for dead: together longer than a heartbeat interval."""

MAX_PROBES = 10
"""Probes until the suspicion is dropped, because this worker has not even received its own heartbeats meanwhile."""

DEAD_SECONDS = 10.0
"""A dead worker is remembered for so long; by then all its leases have run out."""


class PeerProbes:
    """The workers that are suspected, and those that are dead.

    `heard_at` returns when an envelope of a worker last arrived; `heartbeat` makes the envelope of a probe.
    """

    def __init__(
        self,
        worker: str,
        bus: Bus,
        clock: Callable[[], float],
        heard_at: Callable[[str], float],
        heartbeat: Callable[[], bytes],
        on_dead: Callable[[str], None],
    ) -> None:
        self._worker = worker
        self._bus = bus
        self._clock = clock
        self._heard_at = heard_at
        self._heartbeat = heartbeat
        self._on_dead = on_dead
        self._probing: dict[str, asyncio.Task[None]] = {}
        self._dead: dict[str, float] = {}
        """Workers that are dead, by the time of their death."""

    def suspect(self, worker: str) -> None:
        """Find out whether a worker is dead, unless that is known or being found out."""
        if worker not in self._probing and worker not in self._dead and worker != self._worker:
            task = self._probing[worker] = asyncio.get_running_loop().create_task(self._probe(worker))
            task.add_done_callback(lambda _: self._probing.pop(worker, None))

    def is_dead(self, worker: str) -> bool:
        """Return whether a worker is taken for dead."""
        return worker in self._dead

    def on_alive(self, worker: str) -> bool:
        """Take note that a worker is alive; return whether it was taken for dead."""
        return self._dead.pop(worker, None) is not None

    def close(self) -> None:
        for task in self._probing.values():
            task.cancel()

    async def _probe(self, worker: str) -> None:
        began = self._clock()
        for number in range(1, MAX_PROBES + 1):
            if await self._bus.reaches(worker, self._heartbeat()) or self._heard_at(worker) > began:
                # Wait before the next suspicion, so that many slow requests cost few probes.
                await asyncio.sleep(PROBE_INTERVAL_SECONDS)
                return
            if number >= MIN_PROBES and self._heard_at(self._worker) > began:
                self._declare_dead(worker)
                return
            await asyncio.sleep(PROBE_INTERVAL_SECONDS)

    def _declare_dead(self, worker: str) -> None:
        now = self._clock()
        # Forget those whose leases have run out, so that the number of workers bounds what is kept.
        self._dead = {name: since for name, since in self._dead.items() if now - since < DEAD_SECONDS}
        self._dead[worker] = now
        self._on_dead(worker)
