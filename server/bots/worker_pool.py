"""A pool of worker processes that run strategies, so that the event loop is never blocked.

Requests wait in one queue for short and one for long ones; the oldest is served first. Long requests never occupy all
processes, so short ones do not wait behind them. A process that misses its deadline or ends is replaced, and its
request fails with `NoAnswer`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

log = logging.getLogger(__name__)

MAX_WAITING = 2_000
"""Requests that may wait; one more fails at once with `NoAnswer`."""

START_TIMEOUT_SECONDS = 30.0
RESTART_DELAY_SECONDS = 1.0
"""The pause after a process that could not be started."""

COMMAND: Final = (sys.executable, "-m", "server.bots.worker")
_FOLDER: Final = Path(__file__).parents[2]
"""The working directory of the processes, so that they import this very package."""


class NoAnswer(Exception):
    """A request got no answer; the text says why."""


@dataclass(frozen=True, slots=True)
class _Job:
    number: int
    line: bytes
    deadline: float
    is_long: bool
    answer: asyncio.Future[dict[str, Any]]


class WorkerPool:
    """A pool of up to `max_processes` processes, each started when it is first needed."""

    def __init__(self, max_processes: int, command: Sequence[str] = COMMAND) -> None:
        self._max_processes = max_processes
        self._command = command
        self._short: deque[_Job] = deque()
        self._long: deque[_Job] = deque()
        self._running_long = 0
        self._idle = 0
        self._numbers = count()
        self._tasks: list[asyncio.Task[None]] = []
        self._work_available = asyncio.Event()

    async def ask(self, request: dict[str, Any], deadline: float, *, is_long: bool) -> dict[str, Any]:
        """Return the answer of a process to a request; raise `NoAnswer` if there is none.

        The deadline in seconds counts from the moment at which a process receives the request.
        """
        if len(self._short) + len(self._long) >= MAX_WAITING:
            raise NoAnswer("too many requests wait")
        line = json.dumps({**request, "deadline": deadline}, separators=(",", ":")).encode() + b"\n"
        job = _Job(next(self._numbers), line, deadline, is_long, asyncio.get_running_loop().create_future())
        (self._long if is_long else self._short).append(job)
        if len(self._short) + len(self._long) > self._idle and len(self._tasks) < self._max_processes:
            self._tasks.append(asyncio.get_running_loop().create_task(self._serve()))
        self._work_available.set()
        answer = await job.answer
        if "mistake" in answer:
            raise NoAnswer(answer["mistake"])
        return answer

    async def close(self) -> None:
        """End all processes; requests that still wait fail with `NoAnswer`."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for job in (*self._short, *self._long):
            _fail(job, "the server is stopping")

    async def _serve(self) -> None:
        """Send one request after another to one process, and replace the process when it fails."""
        worker: _Worker | None = None
        try:
            while True:
                job = await self._next_job()
                try:
                    if worker is None:
                        worker = await _Worker.start(self._command)
                    answer = await worker.ask(job)
                    if not job.answer.done():
                        job.answer.set_result(answer)
                except NoAnswer as reason:
                    log.warning("bot worker replaced", extra={"reason": str(reason)})
                    _fail(job, str(reason))
                    if worker is None:
                        await asyncio.sleep(RESTART_DELAY_SECONDS)
                    else:
                        await worker.end()
                        worker = None
                finally:
                    _fail(job, "the server is stopping")
                    self._finished(job)
        finally:
            if worker is not None:
                await worker.end()

    async def _next_job(self) -> _Job:
        self._idle += 1
        try:
            while (job := self._pop_oldest()) is None:
                self._work_available.clear()
                await self._work_available.wait()
        finally:
            self._idle -= 1
        return job

    def _pop_oldest(self) -> _Job | None:
        ready = []
        for jobs in (self._short, self._long):
            while jobs and jobs[0].answer.done():
                jobs.popleft()
            if jobs and (jobs is self._short or self._running_long < max(1, self._max_processes - 1)):
                ready.append(jobs)
        if not ready:
            return None
        job = min(ready, key=lambda jobs: jobs[0].number).popleft()
        self._running_long += job.is_long
        return job

    def _finished(self, job: _Job) -> None:
        if job.is_long:
            self._running_long -= 1
            self._work_available.set()


def _fail(job: _Job, reason: str) -> None:
    if not job.answer.done():
        job.answer.set_exception(NoAnswer(reason))


class _Worker:
    """One worker process."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._output = process.stdout

    @classmethod
    async def start(cls, command: Sequence[str]) -> _Worker:
        """Start a process and wait until it is ready; raise `NoAnswer` if it fails."""
        try:
            process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=_FOLDER)
        except OSError as error:
            raise NoAnswer(f"no process could be started: {error.strerror}") from None
        worker = cls(process)
        try:
            await worker._read_line(START_TIMEOUT_SECONDS)
        except BaseException:
            await worker.end()
            raise
        return worker

    async def ask(self, job: _Job) -> dict[str, Any]:
        try:
            self._input.write(job.line)
            await self._input.drain()
        except OSError:
            raise NoAnswer("the process has ended") from None
        answer: dict[str, Any] = json.loads(await self._read_line(job.deadline))
        return answer

    async def _read_line(self, seconds: float) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                line = await self._output.readline()
        except TimeoutError:
            raise NoAnswer(f"no answer within {seconds:g} seconds") from None
        if not line.endswith(b"\n"):
            raise NoAnswer("the process has ended")
        return line

    async def end(self) -> None:
        """Kill the process and wait until it has ended."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._input.close()
        # Reading to the end closes our side of the pipe, too.
        await self._output.read()
        await self._process.wait()
