"""A few processes that think for all tables, so that the event loop never does.

A question waits until a process is free, the oldest first. Long ones never take all processes at once, so short ones
need not wait behind them. A process that gives no answer in time, or ends, is replaced; whoever asked is told that
there is no answer, and goes on without one.
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
"""Questions that wait; one more gets no answer at once."""

START_TIMEOUT_SECONDS = 30.0
REST_SECONDS = 1.0
"""The pause before a process is started again after one that could not be started."""

COMMAND: Final = (sys.executable, "-m", "server.bots.worker")
_FOLDER: Final = Path(__file__).parents[2]
"""Where the processes are started, so that they find this very package and no other."""


class NoAnswer(Exception):
    """A process has not answered; the text says why."""


@dataclass(frozen=True, slots=True)
class _Job:
    number: int
    line: bytes
    deadline: float
    is_long: bool
    answer: asyncio.Future[dict[str, Any]]


class Workers:
    """So many processes at most, each started when it is first needed."""

    def __init__(self, most: int, command: Sequence[str] = COMMAND) -> None:
        self._most = most
        self._command = command
        self._short: deque[_Job] = deque()
        self._long: deque[_Job] = deque()
        self._long_under_way = 0
        self._idle = 0
        self._numbers = count()
        self._tasks: list[asyncio.Task[None]] = []
        self._stirred = asyncio.Event()

    async def ask(self, request: dict[str, Any], deadline: float, *, is_long: bool) -> dict[str, Any]:
        """Give the answer of a process to a request; raise `NoAnswer` if there is none.

        The deadline counts from the moment at which a process has the request.
        """
        if len(self._short) + len(self._long) >= MAX_WAITING:
            raise NoAnswer("too many questions wait")
        line = json.dumps({**request, "deadline": deadline}, separators=(",", ":")).encode() + b"\n"
        job = _Job(next(self._numbers), line, deadline, is_long, asyncio.get_running_loop().create_future())
        (self._long if is_long else self._short).append(job)
        if len(self._short) + len(self._long) > self._idle and len(self._tasks) < self._most:
            self._tasks.append(asyncio.get_running_loop().create_task(self._serve()))
        self._stirred.set()
        answer = await job.answer
        if "mistake" in answer:
            raise NoAnswer(answer["mistake"])
        return answer

    async def close(self) -> None:
        """End all processes; who still waits gets no answer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for job in (*self._short, *self._long):
            _fail(job, "the server stops")

    async def _serve(self) -> None:
        """Put one question after another to one process, and to another one when that fails."""
        worker: _Worker | None = None
        try:
            while True:
                job = await self._next()
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
                        await asyncio.sleep(REST_SECONDS)
                    else:
                        await worker.end()
                        worker = None
                finally:
                    _fail(job, "the server stops")
                    self._finished(job)
        finally:
            if worker is not None:
                await worker.end()

    async def _next(self) -> _Job:
        self._idle += 1
        try:
            while (job := self._oldest()) is None:
                self._stirred.clear()
                await self._stirred.wait()
        finally:
            self._idle -= 1
        return job

    def _oldest(self) -> _Job | None:
        heads = []
        for jobs in (self._short, self._long):
            while jobs and jobs[0].answer.done():
                jobs.popleft()
            if jobs and (jobs is self._short or self._long_under_way < max(1, self._most - 1)):
                heads.append(jobs)
        if not heads:
            return None
        job = min(heads, key=lambda jobs: jobs[0].number).popleft()
        self._long_under_way += job.is_long
        return job

    def _finished(self, job: _Job) -> None:
        if job.is_long:
            self._long_under_way -= 1
            self._stirred.set()


def _fail(job: _Job, reason: str) -> None:
    if not job.answer.done():
        job.answer.set_exception(NoAnswer(reason))


class _Worker:
    """One process."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._output = process.stdout

    @classmethod
    async def start(cls, command: Sequence[str]) -> _Worker:
        """Start a process and wait until it can work; raise `NoAnswer` if it cannot."""
        try:
            process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=_FOLDER)
        except OSError as error:
            raise NoAnswer(f"no process could be started: {error.strerror}") from None
        worker = cls(process)
        try:
            await worker._line(START_TIMEOUT_SECONDS)
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
        answer: dict[str, Any] = json.loads(await self._line(job.deadline))
        return answer

    async def _line(self, seconds: float) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                line = await self._output.readline()
        except TimeoutError:
            raise NoAnswer(f"there was no answer within {seconds:g} seconds") from None
        if not line.endswith(b"\n"):
            raise NoAnswer("the process has ended")
        return line

    async def end(self) -> None:
        """Make sure that the process is gone."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._input.close()
        # Reading to the end closes our side of the pipe as well.
        await self._output.read()
        await self._process.wait()
