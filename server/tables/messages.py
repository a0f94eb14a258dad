"""What can be put into a table's mailbox."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import msgpack

from protocol import messages
from server.games.engine.game import Seat
from server.games.engine.serialization import Json
from server.model import Refused, User
from server.store.api import Known, Reused
from server.tables.api import Reply, Subscriber
from server.tables.results import refused

log = logging.getLogger(__name__)


class OneReply:
    """The one answer to a message: the first that is given counts, and there is no second.

    `moved`, where there are many workers, is told instead which one owns the table, and sees to it that the message
    gets there.
    """

    __slots__ = ("_moved", "_reply")

    def __init__(self, reply: Reply, moved: Callable[[str], None] | None = None) -> None:
        self._reply: Reply | None = reply
        self._moved = moved

    def forward(self, worker: str) -> bool:
        """Let the message go to another worker; False if nobody sees to that."""
        if self._reply is None or self._moved is None:
            return False
        self._reply = None
        self._moved(worker)
        return True

    def __call__(self, answer: dict[str, Any]) -> None:
        reply, self._reply = self._reply, None
        if reply is not None:
            try:
                reply(answer)
            except Exception:
                # Whoever asked is gone or broken; what they asked for has been settled all the same.
                log.exception("reply failed")


class RequestReceived(NamedTuple):
    """A user asks for something."""

    user: User
    request: messages.TableRequest
    reply: OneReply

    @property
    def command(self) -> tuple[str, bytes]:
        """What the store knows the request by: the same again is the same command, from this user alone."""
        return f"{self.user.id}/{self.request.id}", sha256(self.request.model_dump_json().encode()).digest()


@dataclass(frozen=True, slots=True)
class Subscribe:
    """A user wants to follow the table."""

    user: User
    request: messages.Watch
    subscriber: Subscriber
    reply: OneReply


@dataclass(frozen=True, slots=True)
class TableQueried:
    """Somebody asked for the table to be opened, and it is: by them, or by them before."""

    user: User
    request_id: str
    reply: OneReply


@dataclass(frozen=True, slots=True)
class UserRenamed:
    """A user has a new name."""

    user: User


@dataclass(frozen=True, slots=True)
class BotDecided:
    """The bot of a seat has an answer to the decision of this number."""

    seat: Seat
    number: int
    command: Json


@dataclass(frozen=True, slots=True)
class TimerFired:
    """It is time to look whether something is due."""


@dataclass(frozen=True, slots=True)
class TableDeserted:
    """Nothing has happened at the table for very long; `seq` is the number of its last record."""

    seq: int


Message = RequestReceived | Subscribe | TableQueried | UserRenamed | BotDecided | TimerFired | TableDeserted


def refuse(message: Message, refusal: Refused) -> None:
    """Answer a message with no, if it wants an answer and has none yet."""
    match message:
        case RequestReceived(_, request, reply) | Subscribe(_, request, _, reply):
            reply(refusal_message(request.id, refusal))
        case TableQueried(_, request_id, reply):
            reply(refusal_message(request_id, refusal))


def forward(message: Message, worker: str) -> bool:
    """Let a message that wants an answer go to another worker; False if nobody sees to that."""
    match message:
        case RequestReceived(reply=reply) | Subscribe(reply=reply) | TableQueried(reply=reply):
            return reply.forward(worker)
    return False


def refusal_message(request_id: str | None, refusal: Refused) -> dict[str, Any]:
    """Give a refusal as it travels; without an id where nobody asked."""
    return {"type": "refused", "id": request_id, "code": refusal.code, "sentence": refusal.sentence}


def done_message(request_id: str, result: dict[str, Any]) -> dict[str, Any]:
    """Give a yes as it travels."""
    return {"type": "done", "id": request_id, "result": result}


def known_message(request_id: str, known: Known | Reused) -> dict[str, Any]:
    """Give the answer to a request whose id has been used before: the same again, or a no to another request."""
    if isinstance(known, Reused):
        return refusal_message(request_id, refused("id_reused"))
    answer: dict[str, Any] = msgpack.unpackb(known.answer)
    return answer
