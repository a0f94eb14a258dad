"""Starts identical worker processes on one listening socket, restarts those that die, and stops all together."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

log = logging.getLogger(__name__)

MIN_LIFE_SECONDS = 5.0
"""Minimum seconds between two starts of the same worker, so that a crash at the start does not loop."""


class Supervisor:
    """Keeps a number of worker processes running. Each runs `work` with its index, counted from 0."""

    def __init__(self, workers: int, work: Callable[[int], None]) -> None:
        self._work = work
        self._workers = workers
        self._indexes: dict[int, int] = {}
        """Indexes of the running workers by process id."""
        self._started_at: dict[int, float] = {}
        self._is_stopping = False
        # Nothing is written to this pipe: workers see its end when this process ends, however that happens.
        self._alive_read, self._alive_write = os.pipe()

    def run(self) -> None:
        """Start all workers and return when they have ended after SIGTERM or SIGINT; the second signal kills them."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        for index in range(self._workers):
            self._start(index)
        while self._indexes:
            try:
                worker, status = os.wait()
            except InterruptedError:
                continue
            index = self._indexes.pop(worker)
            if self._is_stopping:
                continue
            log.error("worker died", extra={"worker": worker, "status": os.waitstatus_to_exitcode(status)})
            time.sleep(max(0.0, self._started_at[index] + MIN_LIFE_SECONDS - time.monotonic()))
            if not self._is_stopping:
                self._start(index)

    def _start(self, index: int) -> None:
        self._started_at[index] = time.monotonic()
        worker = os.fork()
        if worker:
            self._indexes[worker] = index
            log.info("worker started", extra={"worker": worker})
            return
        # From here on this is the worker process, which never returns from this function.
        code = 1
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            os.close(self._alive_write)
            threading.Thread(target=self._stop_with_supervisor, daemon=True).start()
            self._work(index)
            code = 0
        except Exception:
            log.exception("worker failed")
        finally:
            sys.stdout.flush()
            os._exit(code)

    def _stop_with_supervisor(self) -> None:
        os.read(self._alive_read, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self._is_stopping:
            number = signal.SIGKILL
        self._is_stopping = True
        for worker in self._indexes:
            os.kill(worker, number)
