"""The interface between a connection and its websocket: writes that never wait go down, callbacks come up."""

from __future__ import annotations

from typing import Protocol

from protocol.codec import Encoding
from protocol.codes import Close


class MessageReceiver(Protocol):
    """The callbacks of a transport. The event loop calls them, so they must not block."""

    @property
    def encoding(self) -> Encoding: ...

    def on_message(self, data: bytes) -> None:
        """Handle one whole message, which came in the kind of frame that belongs to the encoding."""
        ...

    def on_writable(self) -> None:
        """Send again what `Transport.write` refused because its buffer was full."""
        ...

    def on_disconnect(self, code: int) -> None:
        """Release everything: the connection has ended with this close code. Called once, as the last callback."""
        ...


class Transport(Protocol):
    """A websocket after its handshake."""

    def write(self, frame: bytes, can_wait: bool = False) -> bool:
        """Send an encoded frame without waiting; return False if it was dropped because the buffer is full or closed.

        With `can_wait`, frames to other peers may overtake this one while the server is busy.
        """
        ...

    def close(self, code: Close) -> None:
        """Send a close frame; nothing can be sent afterwards. Closing twice has no effect."""
        ...

    def abort(self) -> None:
        """Drop the connection without a close frame."""
        ...
