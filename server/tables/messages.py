"""The messages that a table's mailbox takes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from protocol import messages
from protocol.codec import to_json_bytes
from server.games.engine.game import Seat
from server.games.engine.serialization import Json
from server.model import Refused, Reply, User
from server.tables.api import OnReply, Subscriber

log = logging.getLogger(__name__)


class Responder:
    """Sends the one reply to a message: the first call counts, later ones do nothing.

    With `on_redirect`, a message that reached a worker which does not own the table can be sent on instead.
    """

    __slots__ = ("_on_redirect", "_on_reply")

    def __init__(self, on_reply: OnReply, on_redirect: Callable[[str], None] | None = None) -> None:
        self._on_reply: OnReply | None = on_reply
        self._on_redirect = on_redirect

    def redirect(self, worker: str) -> bool:
        """Hand the message over to its sender for another worker; return False if that is not possible."""
        if self._on_reply is None or self._on_redirect is None:
            return False
        self._on_reply = None
        self._on_redirect(worker)
        return True

    def __call__(self, reply: Reply) -> None:
        on_reply, self._on_reply = self._on_reply, None
        if on_reply is not None:
            try:
                on_reply(reply)
            except Exception:
                # The request has taken effect, so a sender that fails must not fail the table.
                log.exception("reply failed")


class RequestReceived(NamedTuple):
    """A request of a user."""

    user: User
    request: messages.TableRequest
    respond: Responder

    @property
    def idempotency(self) -> tuple[str, bytes]:
        """Return the idempotency key of the request, which belongs to its user alone, and the request's hash.

        The hash is that of the request as the contract writes it in JSON. So a request that is repeated in another
        encoding, with another order of its fields or after an upgrade has the same hash.
        """
        return f"{self.user.id}/{self.request.id}", sha256(_as_json(self.request)).digest()


def _as_json(request: messages.TableRequest) -> bytes:
    """Return the bytes of `model_dump_json`, which takes several times as long, and moves are frequent."""
    if type(request) is messages.Decide:
        fields = vars(request)
        return to_json_bytes({name: field for name, field in fields.items() if field is not None or name not in _LATER})
    without = {name for name in _LATER if getattr(request, name, "") is None}
    return request.model_dump_json(exclude=without).encode()


_LATER: Final = frozenset({"commitment", "salt", "seen", "room"})
"""Fields that requests of earlier versions do not have: a request without them keeps its hash."""


@dataclass(frozen=True, slots=True)
class Subscribe:
    """A request of a user to subscribe a connection."""

    user: User
    request: messages.Watch
    subscriber: Subscriber
    respond: Responder


@dataclass(frozen=True, slots=True)
class TableQueried:
    """A question for the reply to `create_table`, now that the table exists. Only its opener gets that reply."""

    user: User
    request_id: str
    respond: Responder


@dataclass(frozen=True, slots=True)
class UserRenamed:
    """A user has a new name."""

    user: User


@dataclass(frozen=True, slots=True)
class BotDecided:
    """The bot of a seat has answered the decision of this number."""

    seat: Seat
    number: int
    command: Json


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A clock may have run out."""


@dataclass(frozen=True, slots=True)
class TableDeserted:
    """The log of the table has not grown for very long; `seq` is the number of its last entry."""

    seq: int


@dataclass(frozen=True, slots=True)
class PeopleAway:
    """The host of an open table is not connected; of its people, only these are."""

    connected: frozenset[str]
    closes: bool
    """Nobody has been connected for so long that the table is closed."""


Message = (
    RequestReceived | Subscribe | TableQueried | UserRenamed | BotDecided | TimerFired | TableDeserted | PeopleAway
)


def sender_of(message: Message) -> str | None:
    """Return the id of the user who sent a message; None for bots and clocks."""
    return message.user.id if isinstance(message, (RequestReceived, Subscribe, TableQueried, UserRenamed)) else None


def refuse(message: Message, refusal: Refused) -> None:
    """Refuse a message if it is a request without a reply."""
    if isinstance(message, (RequestReceived, Subscribe, TableQueried)):
        message.respond(refusal)


def redirect(message: Message, worker: str) -> bool:
    """Hand a request over to its sender for another worker; return False if that is not possible."""
    return isinstance(message, (RequestReceived, Subscribe, TableQueried)) and message.respond.redirect(worker)
