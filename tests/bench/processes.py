"""Contestants in separate processes, so that none profits from what another has loaded or warmed up."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.bench.measurement import Sample

ROOT = Path(__file__).parent.parent.parent
_NO_VARIABLES: Mapping[str, str] = {}


class WorkerFailed(RuntimeError):
    """A worker ended unexpectedly; the message is a sentence."""


class Worker:
    """A module that calls `tests.bench.worker.serve`, run by some Python. Idle between its turns."""

    def __init__(
        self,
        python: Path | str,
        module: str,
        *arguments: str,
        seconds: float,
        environment: Mapping[str, str] = _NO_VARIABLES,
    ) -> None:
        self._name = " ".join([module, *arguments])
        self._seconds = seconds
        self._process = subprocess.Popen(
            [python, "-m", module, *arguments],
            cwd=ROOT,
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def measure(self) -> Sample:
        """Let it play for its seconds and return the sample."""
        return self._turn(self._seconds)

    def warm_up(self) -> None:
        """Let it play one game that does not count."""
        self._turn(0.001)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        # Closing its input is not enough: a worker in the middle of a turn would not notice.
        self._process.kill()
        self._process.communicate()

    def _turn(self, seconds: float) -> Sample:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(seconds, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise WorkerFailed(f"The worker {self._name} has ended.") from None
        line = self._process.stdout.readline()
        if not line:
            raise WorkerFailed(f"The worker {self._name} has ended.")
        return Sample(*json.loads(line))
