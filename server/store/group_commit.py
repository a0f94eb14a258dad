"""Group commit: one thread owns the connection and commits all queued jobs in one transaction.

A commit waits for the disk once, however much it contains. Jobs that arrive meanwhile queue up and form the next batch,
in order. If a job of a batch fails, the batch is repeated with a savepoint for each write, so that only the failed job
is rolled back. No job gets its result before the commit: a result always means that the write is durable.

A long job works in steps and lets the queued jobs run in between, on the same connection.
"""

import asyncio
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol, Self, TypeVar

from .api import StorageFailed

MAX_BATCH_SIZE = 256
MAX_QUEUED = 10_000
"""Jobs beyond this are refused with StorageFailed (back-pressure)."""

POLL_SECONDS = 0.001
"""How often a long job that waits for something else looks whether it can go on."""

Result = TypeVar("Result")


class GiveWay(Protocol):
    """Lets the queued jobs run between two steps of a long job."""

    def __call__(self, until: Callable[[], bool] = ...) -> None:
        """Run a batch of the queued jobs, and then those that arrive until `until` returns True.

        Raise StorageFailed if the caller of the long job was cancelled, or if the store is being closed.
        """


class _Kind(Enum):
    READ = auto()
    WRITE = auto()
    EXCLUSIVE = auto()  # outside of any transaction
    LONG = auto()  # in steps, each outside of any transaction
    STOP = auto()


@dataclass(slots=True, eq=False)
class _Job:
    kind: _Kind
    work: Callable[..., Any]
    """Takes the connection; that of a long job also takes a `GiveWay`."""

    future: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None
    is_cancelled: bool = False
    """Of a long job, whose caller waits for its end also when it is cancelled."""


class GroupCommit:
    """Runs jobs on the thread of the connection. Use `start` to make one, and await `close` at the end."""

    def __init__(self, connection: AbstractContextManager[sqlite3.Connection]) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._put_aside: deque[_Job] = deque(maxlen=2)
        """Jobs taken from the queue that must run alone, after the batch or the long job before them."""
        self._running: list[_Job] = []
        self._has_long_job = False
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._closed_because: str | None = None
        # A daemon thread, so that an exit without `close` does not hang; the file is as safe as after a kill.
        self._thread = threading.Thread(target=self._run_jobs, name="store", daemon=True)

    @classmethod
    async def start(cls, connection: AbstractContextManager[sqlite3.Connection]) -> Self:
        """Open the connection on a new thread; raise what opening raises."""
        commits = cls(connection)
        commits._thread.start()
        try:
            await commits._opened
        except BaseException:
            commits._stop("The store was not opened.")
            raise
        return commits

    async def read(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Return the result of a job that only reads. It may run more than once."""
        return await self._submit(_Kind.READ, work)

    async def write(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Return the result of a job that writes, once it is durable. It may run again after a rollback."""
        return await self._submit(_Kind.WRITE, work)

    async def exclusive(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Return the result of a job that runs outside of any transaction. All other jobs wait for it."""
        return await self._submit(_Kind.EXCLUSIVE, work)

    async def in_steps(self, work: Callable[[sqlite3.Connection, GiveWay], Result]) -> Result:
        """Return the result of a long job, which must call the function that it is given between its steps.

        Only one long job runs at a time; a second one is refused with StorageFailed. A caller that is cancelled waits
        until the job has stopped, so that it can delete the files of the job.
        """
        if self._has_long_job:
            raise StorageFailed("Another long operation on the store is running.")
        job = self._queue(_Kind.LONG, work)
        self._has_long_job = True
        try:
            result: Result = await asyncio.shield(job.future)
        except asyncio.CancelledError:
            job.is_cancelled = True
            await asyncio.wait([job.future])
            # Retrieve the exception so that asyncio does not warn about it.
            job.future.exception()
            raise
        finally:
            self._has_long_job = False
        return result

    async def close(self) -> None:
        """Finish the queued jobs, close the connection and end the thread. May be called twice."""
        self._stop("The store is closed.")
        await asyncio.to_thread(self._thread.join)

    async def _submit(self, kind: _Kind, work: Callable[..., Result]) -> Result:
        result: Result = await self._queue(kind, work).future
        return result

    def _queue(self, kind: _Kind, work: Callable[..., Any]) -> _Job:
        if self._closed_because is not None:
            raise StorageFailed(self._closed_because)
        if self._jobs.qsize() >= MAX_QUEUED:
            raise StorageFailed("The store is overloaded; nothing was written.")
        job = _Job(kind, work, self._loop.create_future())
        self._jobs.put(job)
        return job

    def _stop(self, because: str) -> None:
        if self._closed_because is None:
            self._closed_because = because
            self._jobs.put(_Job(_Kind.STOP, lambda _: None, self._loop.create_future()))

    def _fail_pending(self) -> None:
        """Fail the jobs that are left when the thread has ended. After `close` there are none."""
        self._closed_because = self._closed_because or "The store has stopped after an internal error."
        pending = [*self._running, *self._put_aside]
        while not self._jobs.empty():
            pending.append(self._jobs.get_nowait())
        for job in pending:
            job.error = StorageFailed(self._closed_because)
        _resolve(pending)

    # Everything below runs on the thread of the connection.

    def _run_jobs(self) -> None:
        with ExitStack() as stack:
            try:
                db = stack.enter_context(self._connection)
            except Exception as error:  # noqa: BLE001 - `start` raises it
                self._on_loop(_resolve_opened, self._opened, error)
                return
            self._on_loop(_resolve_opened, self._opened, None)
            try:
                while (batch := self._take_batch(wait=True))[0].kind is not _Kind.STOP:
                    self._run(db, batch)
            finally:
                self._on_loop(self._fail_pending)

    def _on_loop(self, callback: Callable[..., None], *args: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: no caller is waiting
            self._loop.call_soon_threadsafe(callback, *args)

    def _run(self, db: sqlite3.Connection, batch: list[_Job]) -> None:
        outer, self._running = self._running, [*self._running, *batch]
        if batch[0].kind is _Kind.LONG:
            (long_job,) = batch
            work = long_job.work

            def in_steps(db: sqlite3.Connection) -> Any:
                _check_wanted(long_job)
                return work(db, lambda until=lambda: True: self._give_way(db, long_job, until))

            long_job.work = in_steps
        _run_batch(db, batch)
        self._running = outer
        self._on_loop(_resolve, batch)

    def _give_way(self, db: sqlite3.Connection, long_job: _Job, until: Callable[[], bool]) -> None:
        is_waiting = False
        while True:
            _check_wanted(long_job)
            batch = self._take_batch(wait=is_waiting, timeout=POLL_SECONDS)
            if batch and batch[0].kind in (_Kind.LONG, _Kind.STOP):
                self._put_aside.append(batch[0])
                raise StorageFailed(self._closed_because or "The operation was cancelled.")
            if batch:
                self._run(db, batch)
            # Not until the queue is empty: a busy store would never come to the next step.
            if until():
                return
            is_waiting = True

    def _take_batch(self, *, wait: bool, timeout: float | None = None) -> list[_Job]:
        """Return the queued reads and writes, or else one job of another kind; empty if no job is queued in time."""
        batch: list[_Job] = []
        while len(batch) < MAX_BATCH_SIZE:
            try:
                job = self._put_aside.popleft() if self._put_aside else self._jobs.get(wait and not batch, timeout)
            except queue.Empty:
                break
            if job.kind in (_Kind.READ, _Kind.WRITE):
                batch.append(job)
                continue
            if not batch:
                return [job]
            self._put_aside.append(job)
            break
        return batch


def _check_wanted(long_job: _Job) -> None:
    """Raise StorageFailed if the caller of a long job was cancelled."""
    if long_job.is_cancelled:
        raise StorageFailed("The operation was cancelled.")


def _run_batch(db: sqlite3.Connection, batch: list[_Job]) -> None:
    """Run the jobs and set the result or the error of each; what was written is durable afterwards."""
    if not any(job.kind is _Kind.WRITE for job in batch):
        for job in batch:
            _attempt(db, job)
        return
    try:
        db.execute("BEGIN IMMEDIATE")
        for job in batch:
            _attempt_in_transaction(db, job)
        if any(job.error is not None for job in batch):
            # Savepoints cost time and errors are rare, so use them only once a job has failed.
            db.execute("ROLLBACK")
            db.execute("BEGIN IMMEDIATE")
            for job in batch:
                _attempt_in_savepoint(db, job)
        db.execute("COMMIT")
    except (sqlite3.Error, MemoryError, StorageFailed) as error:
        # The disk is full or broken and nothing of this batch is written. Reads may still succeed.
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        for job in batch:
            if job.kind is _Kind.READ:
                _attempt(db, job)
            else:
                job.error = _as_failure(error)


def _attempt_in_savepoint(db: sqlite3.Connection, job: _Job) -> None:
    if job.kind is _Kind.READ:
        _attempt_in_transaction(db, job)
        return
    db.execute("SAVEPOINT job")
    _attempt_in_transaction(db, job)
    if job.error is not None:
        db.execute("ROLLBACK TO job")
    db.execute("RELEASE job")


def _attempt_in_transaction(db: sqlite3.Connection, job: _Job) -> None:
    _attempt(db, job)
    if not db.in_transaction:
        # SQLite rolls back the whole transaction after some errors; the next statement would then commit by itself.
        raise StorageFailed("The storage failed: the transaction was rolled back.") from job.error


def _attempt(db: sqlite3.Connection, job: _Job) -> None:
    job.error = None
    try:
        job.result = job.work(db)
    except Exception as error:  # noqa: BLE001 - the caller of the job gets it
        job.error = _as_failure(error)


def _as_failure(error: Exception) -> Exception:
    """Return StorageFailed for an error of the disk, and any other error unchanged."""
    if type(error) not in (sqlite3.OperationalError, sqlite3.DatabaseError, sqlite3.InternalError):
        return error
    failure = StorageFailed(f"The storage failed: {error}.")
    failure.__cause__ = error
    return failure


def _resolve(batch: list[_Job]) -> None:
    for job in batch:
        if job.future.done():  # its caller was cancelled
            continue
        if job.error is None:
            job.future.set_result(job.result)
        else:
            job.future.set_exception(job.error)


def _resolve_opened(opened: asyncio.Future[None], error: Exception | None) -> None:
    if opened.done():
        return
    if error is None:
        opened.set_result(None)
    else:
        opened.set_exception(error)
