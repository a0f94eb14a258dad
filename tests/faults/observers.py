"""Observers: clients that record all frames during faults, and the comparison with the logs afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from protocol.client import Client
from protocol.messages import REQUESTS
from server.games.engine.game import Viewer
from server.store.api import Known, LogEntry, TableStore
from server.tables.entries import open_entry, read_dated
from server.tables.history import History
from server.tables.state import TableState
from server.tables.views import entry_shown, table_view

ExpectedFrame = tuple[str | None, list[dict[str, Any]]]
"""The proof and the events of a frame."""


class Observer(Client):
    """A client that reconnects to any worker, and records everything."""

    def __init__(self, some_url: Callable[[], str], token: str, max_backoff_seconds: float = 0.3) -> None:
        self._some_url = some_url
        super().__init__("", token, max_backoff_seconds=max_backoff_seconds, on_message=self._remember)
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
        request = {"type": kind, "id": f"{self._prefix}-{self._count + 1}", **fields}
        result = await super().request(kind, **fields)
        if kind in ("decide", "undo"):
            self.acknowledged.append(request)
        return result

    async def all_answered(self) -> None:
        """Wait until all requests are answered."""
        async with asyncio.timeout(30):
            while True:
                if not self._unanswered:
                    return
                await asyncio.sleep(0.05)

    def _remember(self, message: dict[str, Any]) -> None:
        if message["type"] == "refused":
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
        for viewer in history.add(new_events, at):
            expected.frames[viewer].append((history.resume_point(viewer).proof, entry_shown(state, new_events, viewer)))
    return expected


async def check_observer(observer: Observer, histories: dict[str, ExpectedHistory], store: TableStore) -> None:
    """Assert that the replies and frames of an observer agree with the logs, and that it got no refusal."""
    assert observer.refusals == [], "a client got a refusal"
    for request in observer.acknowledged:
        digest = sha256(REQUESTS.validate_python(request).model_dump_json().encode()).digest()
        known = await store.answer_to(request["table"], f"{observer.user['id']}/{request['id']}", digest)
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
