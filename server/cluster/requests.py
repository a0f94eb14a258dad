"""Requests to tables until they are answered, wherever the table is and whatever happens to its owner meanwhile.

A message is tried here first. If another worker holds the table it goes there, and that is remembered. If that worker is
dead, or does not answer, or storage fails for a moment, it is tried again, with the same id and so with one effect in
all, until there is an answer or nobody would wait any longer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

from server.cluster.channels import PeerChannels
from server.tables.api import Reply
from server.tables.messages import Message, OneReply, refusal_message
from server.tables.registry import TableRegistry
from server.tables.results import refused

TRY_SECONDS = 9.0
"""How long a message is tried before whoever asked is told that it did not work."""

MIN_ATTEMPTS = 5
"""How often it is tried at least: the time of a worker that stood still has passed without a try."""

ANSWER_SECONDS = 1.5
"""How long another worker may take to answer before it is asked again."""

AGAIN_SECONDS = 0.15

PASSING = frozenset({"busy", "storage_failed"})
"""Refusals that may be different in a moment."""

UNCERTAIN = "The server cannot say whether this was carried out. Please look, and try again."
"""A message that was tried may have arrived, and only the answer got lost."""


@dataclass(slots=True)
class PendingRequest:
    """A message until it is answered. `kind` and `content` are its form for other workers."""

    table: str
    message: Callable[[OneReply], Message]
    kind: str
    content: Callable[[str], list[Any]]
    reply: Reply
    request_id: str
    is_wanted: Callable[[], bool] = lambda: True
    dropped: Callable[[], None] = lambda: None
    """Called instead of a reply when it is no longer wanted."""

    until: float = 0.0
    """When to give up; set when it is run."""

    tries: int = 0


@dataclass(slots=True)
class _Sent:
    pending: PendingRequest
    peer: str
    alarm: asyncio.TimerHandle


class RequestSender:
    """All requests of a worker that are on their way, and which worker has which table, as far as they found out."""

    def __init__(self, channels: PeerChannels, registry: TableRegistry) -> None:
        self._channels = channels
        self._registry = registry
        self._loop = asyncio.get_running_loop()
        self._numbers = count(1)
        self._owners: dict[str, str] = {}
        self._sent: dict[int, _Sent] = {}
        self.handlers: dict[str, Callable[..., None]] = {"answer": self._hear_answer, "moved": self._hear_moved}

    def run(self, pending: PendingRequest) -> None:
        """Take a message to its table; there is a reply in any case, unless it is no longer wanted."""
        pending.until = self._loop.time() + TRY_SECONDS
        self._try(pending)

    def is_elsewhere(self, table: str) -> bool:
        """Tell whether another worker has a table, as far as we know."""
        return table in self._owners

    def forget(self, table: str) -> None:
        """Take it no longer for granted who has a table."""
        self._owners.pop(table, None)

    def gone(self, peer: str) -> None:
        """Take elsewhere what was sent to a worker that is no more."""
        self._owners = {table: owner for table, owner in self._owners.items() if owner != peer}
        for number, sent in list(self._sent.items()):
            if sent.peer == peer:
                self._unanswered(number)

    def close(self) -> None:
        """Try nothing any more."""
        for sent in self._sent.values():
            sent.alarm.cancel()
        self._sent.clear()

    def _try(self, pending: PendingRequest) -> None:
        if not pending.is_wanted():
            pending.dropped()
            return
        pending.tries += 1
        owner = self._owners.get(pending.table)
        if owner is not None:
            self._send(pending, owner)
        else:
            one = OneReply(partial(self._answered, pending), partial(self._moved, pending))
            self._registry.post(pending.table, pending.message(one))

    def _send(self, pending: PendingRequest, peer: str) -> None:
        number = next(self._numbers)
        alarm = self._loop.call_later(ANSWER_SECONDS, self._unanswered, number)
        self._sent[number] = _Sent(pending, peer, alarm)
        self._channels.send(peer, pending.kind, [number, *pending.content(peer)])

    def _answered(self, pending: PendingRequest, answer: dict[str, Any]) -> None:
        if not pending.is_wanted():
            pending.dropped()
            return
        if answer["type"] == "refused" and answer["code"] in PASSING:
            self._try_later(pending, answer["code"])
        else:
            pending.reply(answer)

    def _moved(self, pending: PendingRequest, worker: str) -> None:
        """Take a message to the worker that has the table; while that one is dead, wait for its lease to run out."""
        if not pending.is_wanted():
            pending.dropped()
            return
        if worker in self._channels.peers:
            self._owners[pending.table] = worker
            self._send(pending, worker)
        else:
            self._try_later(pending)

    def _unanswered(self, number: int) -> None:
        sent = self._sent.pop(number, None)
        if sent is not None:
            sent.alarm.cancel()
            self._owners.pop(sent.pending.table, None)
            self._try_later(sent.pending)

    def _try_later(self, pending: PendingRequest, code: str = "busy") -> None:
        if pending.tries < MIN_ATTEMPTS or self._loop.time() < pending.until:
            self._loop.call_later(AGAIN_SECONDS, self._try, pending)
        else:
            pending.reply(refusal_message(pending.request_id, refused(code)) | {"sentence": UNCERTAIN})

    def _hear_answer(self, peer: str, number: int, answer: dict[str, Any]) -> None:
        sent = self._sent.pop(number, None)
        if sent is not None:
            sent.alarm.cancel()
            self._answered(sent.pending, answer)

    def _hear_moved(self, peer: str, number: int, worker: str) -> None:
        sent = self._sent.pop(number, None)
        if sent is not None:
            sent.alarm.cancel()
            self._owners.pop(sent.pending.table, None)
            if worker == self._channels.worker:
                self._try(sent.pending)
            else:
                self._moved(sent.pending, worker)
