"""What everybody saw while things happened to workers and Redis, compared with what the logs say afterwards."""

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

Told = tuple[str | None, list[dict[str, Any]]]
"""The stamp of a frame, and the events in it."""


class Observer(Client):
    """A person who comes back to any worker, and remembers everything."""

    def __init__(self, some_url: Callable[[], str], token: str) -> None:
        self._some_url = some_url
        super().__init__("", token, max_backoff_seconds=0.3, on_message=self._remember)
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
        asked = {"type": kind, "id": f"{self._prefix}-{self._count + 1}", **fields}
        result = await super().request(kind, **fields)
        if kind == "decide":
            self.acknowledged.append(asked)
        return result

    async def all_answered(self) -> None:
        """Wait until nothing that was asked is without an answer."""
        async with asyncio.timeout(30):
            while True:
                if not self._unanswered:
                    return
                await asyncio.sleep(0.05)

    def _remember(self, message: dict[str, Any]) -> None:
        if message["type"] == "refused":
            self.refusals.append(message)
        elif message["type"] in ("view", "update"):
            # What is kept must be small: of a view only what it says about where it stands.
            self.frames.append({name: value for name, value in message.items() if name not in ("view", "patch")})


@dataclass
class LogStory:
    """What the log of a table tells."""

    state: TableState
    steps: int = 0
    told: dict[Viewer, list[Told]] = field(default_factory=dict)
    """For each audience the frames that it can have got, in order."""


async def read_story(store: TableStore, table: str) -> LogStory:
    """Read a table back. Reading checks the hash chain; owners wrote one after the other, each under its own fence."""
    entries = await store.read(table, 0, 1_000_000)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    fences = [entry.fence for entry in entries[1:]]
    epochs = [int(fence.partition(".")[0]) for fence in fences]
    assert epochs == sorted(epochs)
    assert len(set(fences)) == len(set(epochs)), "no two owners have had the same epoch"
    return _told(entries)


def _told(entries: Sequence[LogEntry]) -> LogStory:
    first, *rest = entries
    story = LogStory(open_entry(first.payload))
    state, history = story.state, History(story.state)
    at, new_events = read_dated(first.payload, None)
    story.told = {viewer: [] for viewer in (None, *range(len(state.chairs)))}
    for entry in (None, *rest):
        if entry is not None:
            at, new_events = read_dated(entry.payload, state.settings.game)
            before = state.play
            state.apply(new_events)
            story.steps += before is not None and state.play is not before
        for viewer in history.add(new_events, at):
            story.told[viewer].append((history.resume_point(viewer).proof, entry_shown(state, new_events, viewer)))
    return story


async def check_witness(observer: Observer, stories: dict[str, LogStory], store: TableStore) -> None:
    """Assert that what somebody was told, shown and granted is what the logs say, and that they had nothing to mend."""
    assert observer.refusals == [], "no client saw an error that it must act on"
    for asked in observer.acknowledged:
        digest = sha256(REQUESTS.validate_python(asked).model_dump_json().encode()).digest()
        known = await store.answer_to(asked["table"], f"{observer.user['id']}/{asked['id']}", digest)
        assert isinstance(known, Known), f"{asked['id']} was acknowledged"
    for table, watched in observer.tables.items():
        state = stories[table].state
        viewer = state.seat_of(observer.user["id"])
        told = stories[table].told[viewer]
        for frame in observer.frames:
            if frame["table"] == table:
                _check_frame(frame, told)
        assert watched.number == len(told)
        assert watched.view == table_view(state, viewer), "the game ended in the state that its log gives"


def _check_frame(frame: dict[str, Any], told: list[Told]) -> None:
    """Assert that a frame is part of the one stream of its audience."""
    stamp, events = told[frame["number"] - 1]
    assert frame["stamp"] == stamp
    if frame["type"] == "update":
        assert frame["events"] == events
    elif frame["missed"]:
        latest = [event for _, each in told[: frame["number"]] for event in each]
        assert latest[-len(frame["missed"]) :] == frame["missed"]
