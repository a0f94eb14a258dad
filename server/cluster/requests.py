"""Requests to tables until they get a reply, whichever worker owns the table and whatever happens to that worker.

A request is tried in this process first. If another worker holds the lease, that worker is remembered and gets the
request. If a worker is dead or does not reply, or storage fails for a moment, the request is retried with the same id,
so that it takes effect once, for 9 s and at least five attempts. A worker that is slow to reply is probed, so that its
death is noticed soon. No worker keeps a map of all tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

from server.cluster.channels import PeerChannels
from server.model import Refused, Reply
from server.tables.api import OnReply
from server.tables.messages import Message, Responder
from server.tables.registry import TableRegistry
from server.tables.replies import read_reply

RETRY_SECONDS = 9.0
"""The time for which a request is retried before it is refused."""

MIN_ATTEMPTS = 5
"""Minimum attempts: a suspended process wakes up past its deadline."""

REPLY_TIMEOUT_SECONDS = 1.5
"""The time that another worker may take to reply before the request is retried."""

SUSPECT_SECONDS = 0.2
"""The time that another worker may take to reply before it is probed."""

RETRY_DELAY_SECONDS = 0.15

TRANSIENT_REFUSALS = frozenset({"busy", "storage_failed"})
"""Refusals that a retry may turn into an acceptance."""

OUTCOME_UNKNOWN = "The server cannot say whether this was carried out. Please look, and try again."
"""The request may have arrived, and only the reply got lost."""


@dataclass(slots=True)
class PendingRequest:
    """A request without a reply.

    `message` makes it a message for a table in this process; `kind` and `content` make it an envelope for a worker.
    """

    table: str
    message: Callable[[Responder], Message]
    kind: str
    content: Callable[[str], list[Any]]
    on_reply: OnReply
    is_cancelled: Callable[[], bool] = lambda: False
    on_cancelled: Callable[[], None] = lambda: None
    """Called in place of `on_reply` when the request has been cancelled."""

    deadline: float = 0.0
    attempts: int = 0


@dataclass(slots=True)
class _Sent:
    pending: PendingRequest
    peer: str
    timer: asyncio.TimerHandle


class RequestSender:
    """All pending requests of a worker, and the owners of tables as far as those requests found them out."""

    def __init__(self, channels: PeerChannels, registry: TableRegistry) -> None:
        self._channels = channels
        self._registry = registry
        self._loop = asyncio.get_running_loop()
        self._numbers = count(1)
        self._owners: dict[str, str] = {}
        self._sent: dict[int, _Sent] = {}
        self.handlers: dict[str, Callable[..., None]] = {"answer": self._on_answer, "moved": self._on_moved}

    def run(self, pending: PendingRequest) -> None:
        """Send a request to its table; it gets one reply unless it is cancelled."""
        pending.deadline = self._loop.time() + RETRY_SECONDS
        self._attempt(pending)

    def has_remote_owner(self, table: str) -> bool:
        """Return whether another worker owns a table, as far as we know."""
        return table in self._owners

    def forget_owner(self, table: str) -> None:
        """Look for the owner of a table anew at the next request."""
        self._owners.pop(table, None)

    def on_peer_left(self, peer: str) -> None:
        """Retry the requests that were sent to a dead worker, at once: its tables may be free already."""
        self._owners = {table: owner for table, owner in self._owners.items() if owner != peer}
        for number, sent in list(self._sent.items()):
            if sent.peer == peer:
                sent.timer.cancel()
                del self._sent[number]
                self._loop.call_soon(self._attempt, sent.pending)

    def close(self) -> None:
        """Forget all requests that were sent to other workers."""
        for sent in self._sent.values():
            sent.timer.cancel()
        self._sent.clear()

    def _attempt(self, pending: PendingRequest) -> None:
        if pending.is_cancelled():
            pending.on_cancelled()
            return
        pending.attempts += 1
        owner = self._owners.get(pending.table)
        if owner is not None:
            self._send(pending, owner)
        else:
            responder = Responder(partial(self._on_reply, pending), partial(self._redirect, pending))
            self._registry.post(pending.table, pending.message(responder))

    def _send(self, pending: PendingRequest, peer: str) -> None:
        number = next(self._numbers)
        timer = self._loop.call_later(SUSPECT_SECONDS, self._on_slow, number)
        self._sent[number] = _Sent(pending, peer, timer)
        self._channels.send(peer, pending.kind, [number, *pending.content(peer)])

    def _on_reply(self, pending: PendingRequest, reply: Reply) -> None:
        if pending.is_cancelled():
            pending.on_cancelled()
        elif isinstance(reply, Refused) and reply.code in TRANSIENT_REFUSALS:
            self._retry(pending, reply.code)
        else:
            pending.on_reply(reply)

    def _redirect(self, pending: PendingRequest, worker: str) -> None:
        """Send a request to the owner of its table; if that is not known, try again until it is dead or known."""
        if pending.is_cancelled():
            pending.on_cancelled()
        elif worker in self._channels.peers:
            self._owners[pending.table] = worker
            self._send(pending, worker)
        else:
            self._channels.suspect(worker)
            self._retry(pending)

    def _retry(self, pending: PendingRequest, code: str = "busy") -> None:
        if pending.attempts < MIN_ATTEMPTS or self._loop.time() < pending.deadline:
            self._loop.call_later(RETRY_DELAY_SECONDS, self._attempt, pending)
        else:
            pending.on_reply(Refused(code, OUTCOME_UNKNOWN, "unknown"))

    def _on_slow(self, number: int) -> None:
        sent = self._sent[number]
        self._channels.suspect(sent.peer)
        sent.timer = self._loop.call_later(REPLY_TIMEOUT_SECONDS - SUSPECT_SECONDS, self._on_timeout, number)

    def _on_timeout(self, number: int) -> None:
        pending = self._take(number)
        if pending is not None:
            self.forget_owner(pending.table)
            self._retry(pending)

    def _on_answer(self, peer: str, number: int, message: dict[str, Any]) -> None:
        pending = self._take(number)
        if pending is not None:
            self._on_reply(pending, read_reply(message))

    def _on_moved(self, peer: str, number: int, worker: str) -> None:
        pending = self._take(number)
        if pending is None:
            return
        self.forget_owner(pending.table)
        if worker == self._channels.worker:
            self._attempt(pending)
        else:
            self._redirect(pending, worker)

    def _take(self, number: int) -> PendingRequest | None:
        """Return the request that was sent under a number, unless it is no longer expected to be answered."""
        sent = self._sent.pop(number, None)
        if sent is None:
            return None
        sent.timer.cancel()
        return sent.pending
