"""Observers: clients that record all frames during faults, and the comparison with the logs afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocol.client import Client
from protocol.messages import REQUESTS, TableRequest
from server.games.engine.game import Seat, Viewer
from server.model import User
from server.store.api import Known, LogEntry, TableStore
from server.tables.entries import open_entry, read_dated
from server.tables.events import SealsNotOpened
from server.tables.history import History
from server.tables.messages import RequestReceived, Responder
from server.tables.state import TableState
from server.tables.views import entry_shown, table_view

ExpectedFrame = tuple[str | None, list[dict[str, Any]]]
"""The proof and the events of a frame."""


class Observer(Client):
    """A client that reconnects to any worker, and records everything."""

    def __init__(self, some_url: Callable[[], str], token: str, max_backoff_seconds: float = 0.3) -> None:
        self._some_url = some_url
        super().__init__("", token, max_backoff_seconds=max_backoff_seconds, on_message=self._remember)
        self._sent_requests: dict[str, dict[str, Any]] = {}
        """By id: the requests as they were sent, with what makes them verifiable."""

        self.acknowledged: list[dict[str, Any]] = []
        self.refusals: list[dict[str, Any]] = []
        self.frames: list[dict[str, Any]] = []

    @property
    def _url(self) -> str:
        return self._some_url()

    @_url.setter
    def _url(self, url: str) -> None:
        pass

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        request_id = f"{self._prefix}-{self._count + 1}"
        result = await super().request(kind, **fields)
        if kind in ("decide", "undo"):
            self.acknowledged.append(self._sent_requests[request_id])
        return result

    async def _send(self, message: dict[str, Any]) -> None:
        self._sent_requests[message["id"]] = message
        await super()._send(message)

    async def all_answered(self) -> None:
        """Wait until all requests are answered."""
        async with asyncio.timeout(30):
            while True:
                if not self._unanswered:
                    return
                await asyncio.sleep(0.05)

    def _remember(self, message: dict[str, Any]) -> None:
        if message["type"] == "refused":
            # A seed may come too late, and then its seat takes no part in the shuffle; and an opening may come twice,
            # once before and once after the decision was over.
            if self._sent_requests[message["id"]]["type"] not in ("commit_seed", "open_seed", "unseal"):
                self.refusals.append(message)
        elif message["type"] in ("view", "update"):
            # Keep memory small: the content of views and patches is compared only at the end.
            self.frames.append({name: value for name, value in message.items() if name not in ("view", "patch")})


@dataclass
class ExpectedHistory:
    """The state and the frames that follow from the log of a table."""

    state: TableState
    steps: int = 0
    frames: dict[Viewer, list[ExpectedFrame]] = field(default_factory=dict)
    """By viewer: all frames in order."""

    late: set[tuple[int, Seat]] = field(default_factory=set)
    """The decisions and seats whose sealed answers were not opened in time, so that the fallback was played."""


async def read_history(store: TableStore, table: str) -> ExpectedHistory:
    """Read a table back and check its hash chain and fences: owners wrote one after the other."""
    entries = await store.read(table, 0, 1_000_000)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    fences = [entry.fence for entry in entries[1:]]
    epochs = [int(fence.partition(".")[0]) for fence in fences]
    assert epochs == sorted(epochs)
    assert len(set(fences)) == len(set(epochs)), "two owners had the same epoch"
    return _expected_history(entries)


def _expected_history(entries: Sequence[LogEntry]) -> ExpectedHistory:
    first, *rest = entries
    expected = ExpectedHistory(open_entry(first.payload))
    state, history = expected.state, History(expected.state)
    at, new_events = read_dated(first.payload, None)
    expected.frames = {viewer: [] for viewer in (None, *range(len(state.chairs)))}
    for entry in (None, *rest):
        if entry is not None:
            at, new_events = read_dated(entry.payload, state.settings.game)
            before = state.play
            state.apply(new_events, at=at)
            expected.steps += before is not None and state.play is not before
            for event in new_events:
                if isinstance(event, SealsNotOpened):
                    expected.late |= {(event.decision, seat) for seat in event.seats}
                    expected.steps += len(event.seats) - 1
        for viewer in history.add(new_events, at):
            expected.frames[viewer].append((history.resume_point(viewer).proof, entry_shown(state, new_events, viewer)))
    return expected


async def check_observer(observer: Observer, histories: dict[str, ExpectedHistory], store: TableStore) -> None:
    """Assert that the replies and frames of an observer agree with the logs, and that it got no refusal."""
    assert observer.refusals == [], "a client got a refusal"
    for request in observer.acknowledged:
        user = User(observer.user["id"], "")
        read = REQUESTS.validate_python(request)
        assert isinstance(read, TableRequest)
        key, digest = RequestReceived(user, read, Responder(lambda reply: None)).idempotency
        known = await store.answer_to(request["table"], key, digest)
        assert isinstance(known, Known), f"{request['id']} was acknowledged, but is not stored"
    for table, watched in observer.tables.items():
        state = histories[table].state
        viewer = state.seat_of(observer.user["id"])
        frames = histories[table].frames[viewer]
        for frame in observer.frames:
            if frame["table"] == table:
                _check_frame(frame, frames)
        assert watched.number == len(frames)
        assert watched.view == table_view(state, viewer), "the last view differs from the log"


def _check_frame(frame: dict[str, Any], frames: list[ExpectedFrame]) -> None:
    """Assert that a frame is part of the stream of its viewer."""
    stamp, events = frames[frame["number"] - 1]
    assert frame["stamp"] == stamp
    if frame["type"] == "update":
        assert frame["events"] == events
    elif frame["missed"]:
        latest = [event for _, each in frames[: frame["number"]] for event in each]
        assert latest[-len(frame["missed"]) :] == frame["missed"]
