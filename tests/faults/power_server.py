"""The real server with marks in its recording: `python -m tests.faults.power_server serve --database FILE …`.

Beside the writes to its store, every reply that tells a client that a request is done is marked.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from server import app
from server.cli import main
from server.gateway.websocket.connection import Connection
from server.model import Done, Reply
from server.store.api import LogEntry
from server.tables.entries import open_entry, read_dated
from tests.faults.power_history import Lost
from tests.faults.power_marks import Mark, MarkingSqliteStore, marks_in
from tests.faults.power_recording import recorded
from tests.gateway.process import ServerProcess
from tests.scenarios.people import UNLIMITED, all_play, choose_by_number, open_table, person

GAMES = (("investors", 3), ("planners", 2), ("builders", 2))


def mark_replies(mark: Mark) -> None:
    """Mark each reply before it goes to the socket."""
    reply_to = Connection._reply

    def reply_marked(self: Connection, request_id: str | None, reply: Reply) -> None:
        if isinstance(reply, Done):
            mark(["replied", f"{self.user.id}/{request_id}"])
        reply_to(self, request_id, reply)

    Connection._reply = reply_marked  # type: ignore[method-assign]


async def record_games(folder: Path, log: Path, seed: int, rounds: int) -> None:
    """Play all games at the same time, so many rounds, on a recorded server that is killed after the last."""
    server = ServerProcess(
        folder, *UNLIMITED, module=("tests.faults.power_server", str(folder)), environment=recorded(folder, log)
    )
    try:
        for number in range(seed, seed + rounds):
            await asyncio.gather(*(_play(server.http, game, seats, number) for game, seats in GAMES))
    finally:
        server.end()


async def _play(http: str, game: str, seats: int, number: int) -> None:
    people = [person(http) for _ in range(seats)]
    for client in people:
        await client.__aenter__()
    try:
        table = await open_table(people, game, seats=seats)
        await all_play(people, table, choose_by_number(number))
    finally:
        for client in people:
            await client.__aexit__(None, None, None)


class ReplayedLogs:
    """Replays the logs of games; a log that is a prefix of one that was replayed is not replayed again."""

    def __init__(self) -> None:
        self._replayed: set[bytes] = set()

    def __call__(self, logs: dict[str, list[LogEntry]]) -> None:
        """Raise Lost if a log does not replay."""
        for table, log in logs.items():
            if log[-1].head in self._replayed:
                continue
            try:
                state: Any = open_entry(log[0].payload)
                for entry in log[1:]:
                    at, events = read_dated(entry.payload, state.settings.game)
                    state.apply(events, at=at)
            except Exception as error:
                raise Lost(f"the log of {table} does not replay") from error
            self._replayed.update(entry.head for entry in log)


if __name__ == "__main__":
    mark_replies(marks_in(Path(sys.argv.pop(1))))
    app.SqliteStore = MarkingSqliteStore  # type: ignore[attr-defined]
    sys.exit(main())
