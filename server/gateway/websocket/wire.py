"""What a connection and the websocket under it are to each other.

There are two kinds of wire: the fast path, which writes to the transport, and the plain one, which uses nothing but
ASGI and is there for the day on which the fast path no longer fits uvicorn. A connection cannot tell them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from protocol.codec import Encoding
from protocol.codes import Close
from server.gateway.limits import Bounds

FAST_WIRE: Final = "fast_wire"
"""Where the state of an ASGI scope holds the fast path of a connection, if it has one."""


class MessageReceiver(Protocol):
    """Who sits at our end of a wire. Everything is called from the event loop and must not wait."""

    @property
    def encoding(self) -> Encoding: ...

    def on_message(self, data: bytes) -> None:
        """Take a whole message of the agreed encoding's kind of frame."""
        ...

    def on_writable(self) -> None:
        """Go on: what was refused by `Wire.write` for want of room can be sent again."""
        ...

    def on_disconnect(self, code: int) -> None:
        """Let go: the connection is gone, for the reason that this close code names. Called once, as the last call."""
        ...


class Wire(Protocol):
    """A websocket after its handshake."""

    def write(self, frame: bytes, can_wait: bool = False) -> bool:
        """Send a ready-made frame without waiting. False: it was dropped, for the peer reads too slowly or is gone.

        `can_wait`: frames to other peers may overtake it while there are many.
        """
        ...

    def close(self, code: Close) -> None:
        """Say goodbye with a code; nothing can be sent from here on. Closing again does nothing."""
        ...

    def abort(self) -> None:
        """Cut the connection off without a word."""
        ...


class FastWire(Wire, Protocol):
    """A wire that calls its receiver by itself."""

    def take_over(self, receiver: MessageReceiver, bounds: Bounds) -> None:
        """Let the receiver have all messages from now on; the application may then return.

        Call it right after the handshake was accepted, without waiting in between.
        """
        ...


def fast_wire_of(scope: Mapping[str, Any]) -> FastWire | None:
    """Give the connection behind an ASGI scope, if it came over the fast path."""
    found: FastWire | None = scope.get("state", {}).get(FAST_WIRE)
    return found
