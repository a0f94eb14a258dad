"""What a table is to the parts around it: whom it talks to and how it is asked.

Everything here is called without waiting. A request goes into the table's mailbox, and its one reply comes through a
callback, always before the frames that show what it did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from protocol.codec import Encoding, Frame
from protocol.messages import CreateTable, TableRequest, Watch
from server.model import User

Reply = Callable[[dict[str, Any]], None]
"""Takes the one `done` or `refused` message that answers a request."""

Summary = dict[str, Any]
"""A table in a list: `protocol.messages.TableSummary` as a plain mapping."""


class Subscriber(Protocol):
    """A connection as a table sees it."""

    @property
    def user(self) -> User: ...

    @property
    def encoding(self) -> Encoding: ...

    def send(self, frame: Frame) -> bool:
        """Write a frame without waiting. False: the connection is too slow now and the frame was dropped.

        Whoever dropped one asks for `Tables.refresh` when it can take frames again.
        """
        ...


class Tables(Protocol):
    """All tables of this process, loaded when they are asked for."""

    def create(self, user: User, request: CreateTable, table: str, reply: Reply) -> None:
        """Open a table with this id and seat its host. The same id again gives the same answer."""
        ...

    def ask(self, user: User, request: TableRequest, reply: Reply) -> None:
        """Put a request to a table; `watch` and `unwatch` have methods of their own."""
        ...

    def watch(self, user: User, request: Watch, subscriber: Subscriber, reply: Reply) -> None:
        """Let a connection follow a table; the reply is followed by a view, then by updates."""
        ...

    def unwatch(self, table: str, subscriber: Subscriber) -> None:
        """Let a connection no longer follow a table; also when it has closed."""
        ...

    def refresh(self, table: str, subscriber: Subscriber) -> None:
        """Send a full view to a connection that had dropped frames."""
        ...

    def rename(self, user: User, tables: list[str]) -> None:
        """Show a user's new name at these tables."""
        ...


class Directory(Protocol):
    """Where tables tell what the lists should show of them."""

    def changed(self, summary: Summary, private: bool) -> None: ...

    def gone(self, table: str) -> None: ...
