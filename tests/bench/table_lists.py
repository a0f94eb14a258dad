"""Measure what the lists of tables cost: `python -m tests.bench.table_lists`.

A directory with many tables publishes changes to many subscribers, most of whom have the default query. Connections
only encode their frames; writing to sockets is not measured. Processor time is shown, and depends on the machine, so
this is no test.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial

from protocol.codec import Encoding, Frame
from protocol.messages import QuickMatch
from server.lobby.attendance import Attendance
from server.lobby.directory import TableDirectory
from server.lobby.matching import QuickMatches, _PendingMatch
from server.lobby.queries import ListQuery, PageQuery, TableFilter
from server.model import User
from server.tables.api import Summary
from tests.lobby.fakes import FakeLoop, FakeTables, summary

GAMES = ("investors", "planners", "builders")
PUBLICATIONS = 50


class Reader:
    """A connection that encodes each frame, as a real one does, and forgets it."""

    encoding = Encoding.MSGPACK

    def __init__(self, user: User) -> None:
        self.user = user
        self.bytes = 0

    def send(self, frame: Frame) -> bool:
        self.bytes += len(frame.framed(self.encoding))
        return True


def timed(action: Callable[[], object], repetitions: int = 1) -> float:
    """Return the milliseconds of processor time that an action takes."""
    start = time.process_time()
    for _ in range(repetitions):
        action()
    return (time.process_time() - start) * 1000 / repetitions


def any_summary(rng: random.Random, number: int) -> Summary:
    people = [f"user{rng.randrange(3_000)}" for _ in range(rng.randint(1, 3))]
    return summary(
        f"table{number:05}",
        *dict.fromkeys(people),
        game=rng.choice(GAMES),
        phase=rng.choice(("open", "running")),
        created=number,
        spectators=rng.randrange(4),
        settings={"name": rng.choice((None, f"Evening {number}")), "language": rng.choice((None, "de", "en"))},
    )


def different_queries(count: int) -> list[ListQuery]:
    """Return queries of which no two are equal."""
    running = PageQuery(TableFilter("running", spectators=True), 8, None)
    filters = [TableFilter("open", game=GAMES[number % 3], search=f"{number:02}"[-2:]) for number in range(count)]
    return [ListQuery(PageQuery(each, 50, None), running) for each in filters]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=5_000)
    parser.add_argument("--subscribers", type=int, default=1_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--changes", type=int, default=20, help="changes in one publication")
    options = parser.parse_args()
    rng, loop = random.Random(1), FakeLoop()
    directory = TableDirectory(loop)
    tables = [any_summary(rng, number) for number in range(options.tables)]
    filled = timed(lambda: [directory.update(each, False) for each in tables])
    loop.pass_time(1)
    print(f"{options.tables} tables put into the directory: {filled:.0f} ms")
    readers = [Reader(User(f"user{number}", f"User {number}")) for number in range(options.subscribers)]
    for reader in readers:
        directory.connected(reader)
    subscribed = timed(lambda: [directory.subscribe(reader) for reader in readers])
    print(
        f"{len(readers)} subscribers with the default query: {subscribed:.1f} ms in all, {readers[0].bytes} bytes each"
    )
    others = [Reader(User(f"other{number}", "Other")) for number in range(options.queries)]
    queries = iter(different_queries(options.queries))
    subscribed = timed(lambda: [directory.subscribe(reader, next(queries)) for reader in others])
    print(f"{len(others)} subscribers with different queries: {subscribed / max(1, len(others)):.2f} ms each")

    def change(summaries: list[Summary]) -> None:
        for each in summaries:
            directory.update(each, False)

    def publish() -> None:
        loop.pass_time(0.2)

    for label, groups in (("with all queries", others), ("with the default query alone", [])):
        if not groups:
            for reader in others:
                directory.unsubscribe(reader)
        before = readers[0].bytes
        costs = []
        for _ in range(PUBLICATIONS):
            changed = [any_summary(rng, rng.randrange(options.tables)) for _ in range(options.changes)]
            costs.append((timed(partial(change, changed)), timed(publish)))
        changes, publications = (sorted(each)[PUBLICATIONS // 2] for each in zip(*costs, strict=True))
        size = (readers[0].bytes - before) / PUBLICATIONS
        print(
            f"{label}: {changes * 1000 / options.changes:.0f} µs for a change of the index, "
            f"{publications:.2f} ms for a publication of {options.changes} changes, {size:.0f} bytes to each reader"
        )
    attendance = Attendance(directory, lambda table, message: None, loop)
    print(f"one look at the attendance of all tables: {timed(attendance._look, 20):.1f} ms")
    matches = QuickMatches(directory, FakeTables(directory).create, FakeTables(directory), lambda user, request: "new")
    request = QuickMatch(type="quick_match", id="r1", game="planners")
    asked = timed(lambda: matches._candidates(_PendingMatch(User("nora", "Nora"), request, print)), 20)
    print(f"the candidates of one quick match: {asked:.1f} ms")


if __name__ == "__main__":
    main()
