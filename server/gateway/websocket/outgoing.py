"""What is written to one websocket, and what happens to it while the client does not read. Nothing here waits.

Under back-pressure, frames are dropped and replies are kept; when the client reads again, the replies go first, then
one whole message replaces all dropped frames of a subject: a table, or one kind of lists. Until then further frames of
that subject are dropped as well, so a client never sees a number twice or out of order.
"""

from __future__ import annotations

from typing import Any, Final

from protocol.codec import Encoding, Frame, encode, framed
from server.gateway.metrics import Counters
from server.gateway.websocket.api import Transport

MAX_UNSENT: Final = 64
"""Replies kept for a slow client; more requests than it can send before it must read."""

# The subjects of frames that belong to no table; no table has such an id.
LISTS: Final = "*lists"
OWN_TABLES: Final = "*own tables"
PEOPLE: Final = "*people"
INVITATIONS: Final = "*invitations"

_SUBJECTS: Final = {"your_tables": OWN_TABLES, "people_changed": PEOPLE, "invitations": INVITATIONS}
"""By type of frame; the others without a table belong to the lists."""

_REPLIES: Final = frozenset({"done", "refused", "welcome"})
_WHOLE: Final = frozenset({"view", "tables", *_SUBJECTS})
"""Frames that replace all earlier ones of their subject."""


class Outgoing:
    """The outgoing half of a connection. A subclass requests the whole message in place of dropped frames."""

    __slots__ = ("_counters", "_missed", "_transport", "_unsent", "encoding")

    def __init__(self, transport: Transport, encoding: Encoding, counters: Counters) -> None:
        self.encoding = encoding
        self._transport = transport
        self._counters = counters
        self._missed: set[str] | None = None
        """Subjects of which frames were dropped; None if there are none."""

        self._unsent: list[bytes] | None = None

    def send(self, frame: Frame) -> bool:
        """Send a frame, or drop it if the client does not read; return whether it was sent or kept."""
        if self._missed is None and self._transport.write(frame.framed(self.encoding), frame.can_wait):
            return True
        return self._send_late(frame)

    def on_writable(self) -> None:
        """Send the replies that were kept, and request what replaces dropped frames."""
        unsent, self._unsent = self._unsent, None
        for number, whole in enumerate(unsent or ()):
            if not self._transport.write(whole):
                # Full again: keep the rest.
                self._unsent = (unsent or [])[number:]
                return
        for subject in sorted(self._missed or ()):
            self._refresh(subject)

    def _refresh(self, subject: str) -> None:
        """Request the whole view or list in place of dropped frames, or forget a subject that nobody wants any more."""
        raise NotImplementedError

    def _send_late(self, frame: Frame) -> bool:
        """Send a frame to a slow client if its subject has dropped none or the frame is whole; else drop it."""
        message = frame.message
        kind = message["type"]
        if kind in _REPLIES:
            self._send_reliably(message)
            return True
        subject = message.get("table") or _SUBJECTS.get(kind, LISTS)
        is_sendable = kind in _WHOLE or self._missed is None or subject not in self._missed
        if is_sendable and self._transport.write(frame.framed(self.encoding)):
            self._forget_missed(subject)
            return True
        if self._missed is None:
            self._missed = set()
        self._missed.add(subject)
        self._counters.count_dropped()
        return False

    def _forget_missed(self, subject: str) -> None:
        """Note that no dropped frame of a subject has to be replaced."""
        if self._missed is not None:
            self._missed.discard(subject)
            if not self._missed:
                self._missed = None

    def _send_reliably(self, message: dict[str, Any]) -> None:
        """Send a message that must not be dropped, or keep it until the client reads again."""
        whole = framed(encode(message, self.encoding), self.encoding)
        if self._unsent is None and self._transport.write(whole):
            return
        if self._unsent is None:
            self._unsent = []
        if len(self._unsent) >= MAX_UNSENT:
            self._transport.abort()
            return
        self._unsent.append(whole)
