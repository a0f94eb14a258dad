"""What a server process uses at one moment, from /proc and its metrics."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.gateway.process import ServerProcess


@dataclass(frozen=True, slots=True)
class Sample:
    """The use of one moment. `memory` is the resident memory of the server in MiB, without its bot processes."""

    memory: float
    descriptors: int
    threads: int
    tasks: int
    connections: int
    tables: int

    def __str__(self) -> str:
        return (
            f"{self.memory:.1f} MiB, {self.descriptors} descriptors, {self.tasks} tasks, "
            f"{self.connections} connections, {self.tables} tables"
        )


def sample_of(server: ServerProcess, metrics_url: str) -> Sample:
    """Return what the server uses now; the metrics may be some seconds old."""
    folder = Path(f"/proc/{server.process.pid}")
    status = dict(re.findall(r"^(\w+):\s+(\d+)", (folder / "status").read_text(), re.MULTILINE))
    metrics = _metrics(metrics_url)
    return Sample(
        memory=int(status["VmRSS"]) / 1024,
        descriptors=len(os.listdir(folder / "fd")),
        threads=int(status["Threads"]),
        tasks=int(metrics["tasks"]),
        connections=int(metrics["connections"]),
        tables=int(metrics["tables_awake"]),
    )


def _metrics(url: str) -> dict[str, float]:
    """Return the metrics without labels, by name."""
    text = httpx.get(url, timeout=30).raise_for_status().text
    return {name: float(value) for name, value in re.findall(r"^sanfrancisco_(\w+) (\S+)$", text, re.MULTILINE)}
