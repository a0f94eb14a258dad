"""The real server on one core, and what it takes; the load is on another core where there is one."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.people import FREELY
from tests.gateway.measure import processor_seconds, resident_kib
from tests.gateway.process import ServerProcess

ROOMY = (
    *FREELY,
    *("--connections", "20000", "--connections-per-user", "20000", "--connections-per-address", "20000"),
    *("--log-level", "warning"),
)


class MeasuredServer:
    """A server process with its figures."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self.port = process.port

    @property
    def pid(self) -> int:
        return self._process.process.pid

    def cpu_seconds(self) -> float:
        return processor_seconds(self.pid)

    def worker_cpu_seconds(self) -> float:
        """Give the processor time of all processes that the server has started and that still run."""
        return sum(map(processor_seconds, self._workers()))

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Let the server and what it has started do nothing for a while."""
        processes = [self.pid, *self._workers()]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def _workers(self) -> list[int]:
        lists = Path(f"/proc/{self.pid}/task").glob("*/children")
        return [int(process) for children in lists for process in children.read_text().split()]

    def memory_mib(self) -> float:
        return resident_kib(self.pid) / 1024


@contextmanager
def cores_apart() -> Iterator[tuple[set[int], str]]:
    """Keep this process on one core; give the cores for the server, and a sentence about it."""
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        yield set(), "Server and load shared all cores, so that both are slower than they could be."
        return
    before = os.sched_getaffinity(0)
    load, server = min(before), max(before)
    os.sched_setaffinity(0, {load})
    try:
        yield {server}, f"The server ran on core {server} and the load on core {load} of {os.cpu_count()}."
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def measured_server(
    cores: set[int], folder: Path | None = None, arguments: tuple[str, ...] = ()
) -> Iterator[MeasuredServer]:
    """Start a server on these cores; its files go into the folder, or into one that is gone afterwards."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        process = start_on(cores, folder or Path(made), arguments)
        try:
            yield MeasuredServer(process)
        finally:
            process.end()


def start_on(cores: set[int], folder: Path, arguments: tuple[str, ...] = ()) -> ServerProcess:
    """Start a server that has only these cores, from its first thread on."""
    if not cores:
        return ServerProcess(folder, *ROOMY, *arguments)
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        return ServerProcess(folder, *ROOMY, *arguments)
    finally:
        os.sched_setaffinity(0, own)
