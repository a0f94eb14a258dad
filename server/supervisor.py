"""Several alike worker processes on one listening socket: begun, begun again when one dies, and ended together."""

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
"""A worker that dies sooner than this is not begun again before so much time has passed."""


class Supervisor:
    """Keeps so many workers running. `work` is run in each, with its place from 0 on, until it is told to stop."""

    def __init__(self, workers: int, work: Callable[[int], None]) -> None:
        self._work = work
        self._workers = workers
        self._places: dict[int, int] = {}
        self._begun_at: dict[int, float] = {}
        self._is_stopping = False
        # Nobody writes to it: it ends when this process does, however that happens.
        self._life, self._held = os.pipe()

    def run(self) -> None:
        """Begin all workers and look after them until they have ended because this process was told to stop."""
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, self._stop)
        for place in range(self._workers):
            self._begin(place)
        while self._places:
            try:
                worker, status = os.wait()
            except InterruptedError:
                continue
            place = self._places.pop(worker)
            if self._is_stopping:
                continue
            log.error("worker died", extra={"worker": worker, "status": os.waitstatus_to_exitcode(status)})
            time.sleep(max(0.0, self._begun_at[place] + MIN_LIFE_SECONDS - time.monotonic()))
            if not self._is_stopping:
                self._begin(place)

    def _begin(self, place: int) -> None:
        self._begun_at[place] = time.monotonic()
        worker = os.fork()
        if worker:
            self._places[worker] = place
            log.info("worker begun", extra={"worker": worker})
            return
        # From here on we are the worker, and never leave this function.
        code = 1
        try:
            for sign in (signal.SIGTERM, signal.SIGINT):
                signal.signal(sign, signal.SIG_DFL)
            os.close(self._held)
            threading.Thread(target=self._end_with_supervisor, daemon=True).start()
            self._work(place)
            code = 0
        except Exception:
            log.exception("worker failed")
        finally:
            sys.stdout.flush()
            os._exit(code)

    def _end_with_supervisor(self) -> None:
        os.read(self._life, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def _stop(self, sign: int, frame: FrameType | None) -> None:
        if self._is_stopping:
            sign = signal.SIGKILL
        self._is_stopping = True
        for worker in self._places:
            os.kill(worker, sign)
