"""The analyses that wait and run in this process of the server, each in a process of its own with a low priority.

The queue is bounded by the time that it takes: a game whose turn would come after more than an hour is refused. A game
is analysed once, however many ask for it. A process that fails, or takes too long, fails its analysis, and nothing
else; nothing is tried again by itself. What waits when the server ends is forgotten.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgpack

log = logging.getLogger(__name__)

MAX_QUEUE_SECONDS: Final = 3_600.0
"""The time after which the last analysis that waits may begin."""

EXPECTED_SECONDS: Final = 150.0
"""The time for one analysis, before any was measured."""

MAX_SECONDS: Final = 1_800.0
"""The time after which a process counts as hung, on a machine whose processors are busy."""

MAX_REMEMBERED: Final = 1_000
"""Failures, and games that cannot be analysed, that are remembered."""

COMMAND: Final = (sys.executable, "-m", "server.coach.worker")
_FOLDER: Final = Path(__file__).parents[2]
"""The working directory of the process, so that it imports this very package."""

_MAX_LINE: Final = 1024 * 1024
_RECENT_WEIGHT: Final = 0.2
"""The weight of the last analysis in the average time."""

EntriesOf = Callable[[str], Awaitable[Sequence[bytes]]]
"""Returns the payloads of all entries in the log of a table."""

Keep = Callable[[str, dict[str, Any]], Awaitable[None]]
"""Stores the findings about the game at a table."""


class QueueFull(Exception):
    """More than an hour of analyses is waiting."""


class AnalysisFailed(Exception):
    """An analysis could not be made; the text says why."""


@dataclass(slots=True)
class Job:
    """An analysis that waits or runs, or has failed."""

    table: str
    state: str = "waiting"
    done: int = 0
    of: int = 0
    told: set[str] = field(default_factory=set)
    """The users who know that it failed; the next request of one of them tries again."""


class AnalysisQueue:
    """The queue, and up to `max_processes` processes. `clock` returns seconds."""

    def __init__(
        self,
        entries_of: EntriesOf,
        keep: Keep,
        max_processes: int = 1,
        command: Sequence[str] = COMMAND,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._entries_of = entries_of
        self._keep = keep
        self._max_processes = max_processes
        self._command = command
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._waiting: deque[Job] = deque()
        self._failed: dict[str, Job] = {}
        self._unfit: dict[str, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._working = 0
        self._seconds = EXPECTED_SECONDS
        self.finished = 0
        self.failures = 0

    def job_of(self, table: str) -> Job | None:
        """Return the analysis of a game that waits, runs, or has failed last time."""
        return self._jobs.get(table) or self._failed.get(table)

    def is_unfit(self, table: str) -> bool:
        """Return whether an analysis has found that the game cannot be analysed."""
        return table in self._unfit

    def ahead_of(self, job: Job) -> int:
        """Return how many analyses begin before this one, with those that run; 0 once it runs itself."""
        return len(self._jobs) - len(self._waiting) + self._waiting.index(job) if job in self._waiting else 0

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return len(self._jobs) - len(self._waiting)

    @property
    def expected_seconds(self) -> float:
        """Return the time after which one more analysis would begin."""
        return self._seconds * (len(self._waiting) + 1 - (self.running < self._max_processes)) / self._max_processes

    def check_room(self) -> None:
        """Raise `QueueFull` if one more analysis would wait for too long."""
        if self.expected_seconds > MAX_QUEUE_SECONDS:
            raise QueueFull

    def add(self, table: str) -> Job:
        """Return the analysis of a game, which waits from now on; raise `QueueFull`."""
        self.check_room()
        self._failed.pop(table, None)
        job = self._jobs[table] = Job(table)
        self._waiting.append(job)
        if self._working < self._max_processes:
            self._working += 1
            task = asyncio.get_running_loop().create_task(self._work())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return job

    async def close(self) -> None:
        """End all processes, and forget what waits."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._waiting.clear()
        self._jobs.clear()

    async def _work(self) -> None:
        """Make one analysis after the other, until none waits."""
        while self._waiting:
            job = self._waiting.popleft()
            job.state = "running"
            started = self._clock()
            try:
                findings = await self._findings(job)
                if findings is None:
                    _remember(self._unfit, job.table, None)
                else:
                    await self._keep(job.table, findings)
                self.finished += 1
                self._seconds += _RECENT_WEIGHT * (self._clock() - started - self._seconds)
            except Exception as reason:  # noqa: BLE001
                # Whatever it is, damaged logs and full stores included, it concerns this analysis alone.
                log.warning("analysis failed", extra={"table": job.table, "reason": str(reason) or repr(reason)})
                self.failures += 1
                job.state = "failed"
                _remember(self._failed, job.table, job)
            finally:
                del self._jobs[job.table]
        # Here and not when the task is done: an analysis that is added in between would wait for nobody.
        self._working -= 1

    async def _findings(self, job: Job) -> dict[str, Any] | None:
        """Return the findings about a game, or None if it cannot be analysed."""
        log_bytes = msgpack.packb(list(await self._entries_of(job.table)))
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, cwd=_FOLDER, limit=_MAX_LINE
        )
        try:
            async with asyncio.timeout(MAX_SECONDS):
                return await _result(process, log_bytes, job)
        except TimeoutError:
            raise AnalysisFailed("the process took too long") from None
        finally:
            await _end(process)


async def _result(process: Process, log_bytes: bytes, job: Job) -> dict[str, Any] | None:
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        # A process that ends before it has read everything has its own reason, which is found below.
        process.stdin.write(log_bytes)
        await process.stdin.drain()
    process.stdin.close()
    async for line in process.stdout:
        told: dict[str, Any] = json.loads(line)
        if "findings" in told:
            findings: dict[str, Any] = told["findings"]
            return findings
        if "not_analysable" in told:
            return None
        job.done, job.of = told["done"], told["of"]
    raise AnalysisFailed(f"the process ended with {await process.wait()}")


async def _end(process: Process) -> None:
    """Kill the process if it still runs, and wait until it has ended."""
    with suppress(ProcessLookupError):
        process.kill()
    assert process.stdout is not None
    # Reading to the end closes our side of the pipe, too.
    with suppress(ValueError):
        await process.stdout.read()
    await process.wait()


def _remember(remembered: dict[str, Any], table: str, value: Any) -> None:
    """Add an entry, and forget the oldest one if there are too many."""
    remembered[table] = value
    if len(remembered) > MAX_REMEMBERED:
        del remembered[next(iter(remembered))]
