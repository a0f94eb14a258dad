"""A server process on one core, with its CPU time and memory; the load runs on another core where there is one."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tests.bench.processes import ROOT
from tests.gateway.measure import resident_kib
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED

BENCH_ARGUMENTS = (
    *UNLIMITED,
    *("--connections", "100000", "--connections-per-user", "20000", "--connections-per-address", "100000"),
    *("--log-level", "warning"),
)
_NANOSECONDS = 1e9
_NO_VARIABLES: Mapping[str, str] = {}
Process = TypeVar("Process")


class ServerMissing(RuntimeError):
    """A server did not start; the message is a sentence."""


class BenchServer:
    """A server process with its CPU time and memory; its child processes count as part of it."""

    def __init__(self, process: subprocess.Popen[str], port: int, find_operator_port: Callable[[], int]) -> None:
        self._process = process
        self.port = port
        self.find_operator_port = find_operator_port
        """Returns the port of the operator's pages of our server, if it logs at level info."""

    @property
    def pid(self) -> int:
        return self._process.pid

    def cpu_seconds(self) -> float:
        """Return the processor time of all threads of the server and of its child processes."""
        return _cpu_seconds(self.pid) + self.worker_cpu_seconds()

    def worker_cpu_seconds(self) -> float:
        """Return the processor time of the child processes of the server that still run."""
        return sum(map(_cpu_seconds, self._workers()))

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Suspend the server and its child processes for a while."""
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

    def memory_kib(self) -> int:
        return resident_kib(self.pid)

    def end(self) -> None:
        """Kill the process and wait until it has ended."""
        self._process.kill()
        self._process.communicate()


def _cpu_seconds(pid: int) -> float:
    """Return the processor time of a process's threads; `schedstat` counts nanoseconds, `stat` only hundredths."""
    spent = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            spent += int(thread.read_text().split()[0])
        except FileNotFoundError:
            continue  # it ended just now
    return spent / _NANOSECONDS


@contextmanager
def separate_cores() -> Iterator[tuple[set[int], str]]:
    """Pin this process to one core; yield the cores for the server, and a sentence about it."""
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
def our_server(
    cores: set[int],
    folder: Path | None = None,
    arguments: tuple[str, ...] = (),
    module: tuple[str, ...] = ("server",),
    tree: Path = ROOT,
    environment: Mapping[str, str] = _NO_VARIABLES,
) -> Iterator[BenchServer]:
    """Start our server, perhaps of another source tree; its files go into the folder, or into a temporary one."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        every = (*BENCH_ARGUMENTS, *arguments)
        variables = os.environ | environment
        process = on_cores(
            cores,
            lambda: ServerProcess(folder or Path(made), *every, module=module, environment=variables, tree=tree),
        )
        try:
            yield BenchServer(process.process, process.port, lambda: process.operator_port)
        finally:
            process.end()


@contextmanager
def other_server(
    cores: set[int], command: list[str], environment: Mapping[str, str] = _NO_VARIABLES
) -> Iterator[BenchServer]:
    """Start another server on these cores; it prints its address on a line of its own."""
    environment = os.environ | environment
    process = on_cores(
        cores, lambda: subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    )
    assert process.stdout is not None
    address = next((line for line in process.stdout if line.startswith("http://")), "")
    server = BenchServer(process, int(address.rpartition(":")[2] or 0), lambda: 0)
    try:
        if not address:
            raise ServerMissing("The server did not start.")
        yield server
    finally:
        server.end()


def on_cores(cores: set[int], start: Callable[[], Process]) -> Process:
    """Start a process that is pinned to these cores from its first thread on."""
    if not cores:
        return start()
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        return start()
    finally:
        os.sched_setaffinity(0, own)
