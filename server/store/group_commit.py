"""One thread that owns the connection, and folds everything that waits into one commit.

A commit costs a wait for the disk, whatever it holds. While one is under way, jobs queue up; the next takes them all,
in the order they came. Each writing job has a savepoint of its own, so that one that fails leaves its neighbours alone.
No job learns its result before the commit, so that nobody is ever told what is not yet durable.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Self, TypeVar

from .api import StorageFailed

MAX_COMMIT_SIZE = 256
MAX_WAITING = 10_000

Result = TypeVar("Result")


class _Kind(Enum):
    READ = auto()
    WRITE = auto()
    ALONE = auto()  # outside of any transaction
    LAST = auto()


@dataclass(slots=True, eq=False)
class _Job:
    kind: _Kind
    work: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None


class GroupCommit:
    """Runs jobs on the thread of the connection. Made by `start`; `close` must be awaited at the end.

    At most MAX_WAITING jobs queue up; a job beyond that is refused with StorageFailed.
    """

    def __init__(self, connection: AbstractContextManager[sqlite3.Connection]) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._in_hand: list[_Job] = []
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._closed_because: str | None = None
        # A daemon, because an exit without close must not hang; the file is as safe as after a kill.
        self._thread = threading.Thread(target=self._serve, name="store", daemon=True)

    @classmethod
    async def start(cls, connection: AbstractContextManager[sqlite3.Connection]) -> Self:
        """Open the connection on its new thread. What opening raises is raised here."""
        commits = cls(connection)
        commits._thread.start()
        try:
            await commits._opened
        except BaseException:
            commits._end("The store was not opened.")
            raise
        return commits

    async def read(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """The result of a job that changes nothing. It may run more than once."""
        return await self._submit(_Kind.READ, work)

    async def write(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """The result of a job that writes, once it is durable. It may run again after what it wrote was undone."""
        return await self._submit(_Kind.WRITE, work)

    async def alone(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """The result of a job that needs the connection without a transaction. All others wait meanwhile."""
        return await self._submit(_Kind.ALONE, work)

    async def close(self) -> None:
        """Finish what was submitted, close the connection and end the thread. Closing twice does no harm."""
        self._end("The store is closed.")
        await asyncio.to_thread(self._thread.join)

    async def _submit(self, kind: _Kind, work: Callable[[sqlite3.Connection], Result]) -> Result:
        if self._closed_because is not None:
            raise StorageFailed(self._closed_because)
        if self._jobs.qsize() >= MAX_WAITING:
            raise StorageFailed("The store is overloaded; nothing was written.")
        job = _Job(kind, work, self._loop.create_future())
        self._jobs.put(job)
        result: Result = await job.future
        return result

    def _end(self, because: str) -> None:
        if self._closed_because is None:
            self._closed_because = because
            self._jobs.put(_Job(_Kind.LAST, lambda _: None, self._loop.create_future()))

    def _abandon(self) -> None:
        """Leave nobody waiting for a thread that has ended; after an orderly end, nobody is."""
        self._closed_because = self._closed_because or "The store has stopped after an internal error."
        left = self._in_hand
        while not self._jobs.empty():
            left.append(self._jobs.get_nowait())
        for job in left:
            job.error = StorageFailed(self._closed_because)
        _settle(left)

    # All below runs on the thread of the connection.

    def _serve(self) -> None:
        with ExitStack() as stack:
            try:
                db = stack.enter_context(self._connection)
            except Exception as error:  # noqa: BLE001 - it goes to whoever opens the store
                self._on_loop(_settle_opening, self._opened, error)
                return
            self._on_loop(_settle_opening, self._opened, None)
            try:
                for batch in self._batches():
                    self._in_hand = batch
                    _carry_out(db, batch)
                    self._in_hand = []
                    self._on_loop(_settle, batch)
            finally:
                self._on_loop(self._abandon)

    def _on_loop(self, callback: Callable[..., None], *args: object) -> None:
        with suppress(RuntimeError):  # a loop that is closed has nobody left to tell
            self._loop.call_soon_threadsafe(callback, *args)

    def _batches(self) -> Iterator[list[_Job]]:
        """All jobs in order: those that may share a commit together, as many as wait, the others one by one."""
        batch: list[_Job] = []
        while True:
            job = self._next(wait=not batch)
            if job is not None and job.kind in (_Kind.READ, _Kind.WRITE):
                batch.append(job)
                if len(batch) < MAX_COMMIT_SIZE:
                    continue
                job = None
            if batch:
                yield batch
                batch = []
            if job is not None:
                if job.kind is _Kind.LAST:
                    return
                yield [job]

    def _next(self, *, wait: bool) -> _Job | None:
        try:
            return self._jobs.get(block=wait)
        except queue.Empty:
            return None


def _carry_out(db: sqlite3.Connection, batch: list[_Job]) -> None:
    """Run the jobs; afterwards each has its result or its error, and what was written is durable."""
    if not any(job.kind is _Kind.WRITE for job in batch):
        for job in batch:
            _attempt(db, job)
        return
    try:
        db.execute("BEGIN IMMEDIATE")
        for job in batch:
            _attempt_in_transaction(db, job)
        if any(job.error is not None for job in batch):
            # Hardly ever: so jobs have savepoints of their own only once one among them is known to need it.
            db.execute("ROLLBACK")
            db.execute("BEGIN IMMEDIATE")
            for job in batch:
                _attempt_in_savepoint(db, job)
        db.execute("COMMIT")
    except (sqlite3.Error, MemoryError, StorageFailed) as error:
        # The disk is full or broken: nothing of this batch is there. Reading still works, so that people can watch.
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
        # SQLite answers some errors by undoing the whole transaction; the next statement would be one of its own.
        raise StorageFailed("The storage failed: the transaction was undone.") from job.error


def _attempt(db: sqlite3.Connection, job: _Job) -> None:
    job.error = None
    try:
        job.result = job.work(db)
    except Exception as error:  # noqa: BLE001 - it goes to whoever submitted the job
        job.error = _as_failure(error)


def _as_failure(error: Exception) -> Exception:
    """StorageFailed in place of what SQLite says of its disk; a bug stays what it is."""
    if type(error) not in (sqlite3.OperationalError, sqlite3.DatabaseError, sqlite3.InternalError):
        return error
    failure = StorageFailed(f"The storage failed: {error}.")
    failure.__cause__ = error
    return failure


def _settle(batch: list[_Job]) -> None:
    for job in batch:
        if job.future.done():  # its caller was cancelled
            continue
        if job.error is None:
            job.future.set_result(job.result)
        else:
            job.future.set_exception(job.error)


def _settle_opening(opened: asyncio.Future[None], error: Exception | None) -> None:
    if opened.done():
        return
    if error is None:
        opened.set_result(None)
    else:
        opened.set_exception(error)
