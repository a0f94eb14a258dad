"""The interface between tables and the parts around them.

No call here waits. A request goes into the table's mailbox, and its one reply comes through a callback, always before
the frames that show the effect of the request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from protocol.codec import Encoding, Frame
from protocol.messages import CreateTable, TableRequest, TableSettings, Watch
from server.model import Reply, User
from server.tables.events import ContinuedFrom

OnReply = Callable[[Reply], None]
"""A callback that takes the one reply to a request."""

Summary = dict[str, Any]
"""A table in a list: `protocol.messages.TableSummary` as a plain mapping."""


class TableStatus(NamedTuple):
    """Whom a running table waits for, and how far its game is.

    Who is awaited may be a secret of each user (`answer_secrecy.py`): a user may learn it of nobody else.
    """

    awaited: frozenset[str]
    """The ids of the users who owe a decision. Bots, and people for whom a bot decides, are not among them."""

    about: str | None
    """The kind of the open decision."""

    since: int | None
    """The time at which the decision was opened, in milliseconds since 1970."""

    progress: dict[str, int]
    deadlines: dict[str, int] = {}  # noqa: RUF012 - a named tuple, and nobody changes it
    """By user: when the time for the open decision runs out, in milliseconds since 1970; at tables by the day only.

    It is what everybody at the table may know: whoever has sealed an answer may still be among them.
    """

    holidays: dict[str, int] = {}  # noqa: RUF012
    """By user: when a holiday that they have begun ends at the latest; it may have passed."""

    wake: int | None = None
    """When a table by the day must be in memory, since it goes on by itself. Nobody is told."""

    @property
    def told(self) -> tuple[str | None, int | None, dict[str, int], dict[str, int], dict[str, int]]:
        """Return what all people at the table may know."""
        return self.about, self.since, self.progress, self.deadlines, self.holidays

    def of(self, user: str) -> TableStatus:
        """Return the status as one user may know it; of others it says nothing."""
        deadlines, holidays = (
            {user: times[user]} if user in times else {} for times in (self.deadlines, self.holidays)
        )
        return self._replace(awaited=self.awaited & {user}, deadlines=deadlines, holidays=holidays, wake=None)

    def without(self, user: str) -> TableStatus:
        """Return the status as far as it is about other users."""
        deadlines, holidays = (
            {other: time for other, time in times.items() if other != user} for times in (self.deadlines, self.holidays)
        )
        return self._replace(awaited=self.awaited - {user}, deadlines=deadlines, holidays=holidays)


NO_STATUS: Final = TableStatus(frozenset(), None, None, {})
"""The status of a table whose game does not run."""


class ContinuedTable(NamedTuple):
    """A table to be opened that goes on from a step of another game."""

    table: str
    settings: TableSettings
    continued: ContinuedFrom
    strength: str | None
    """The strength of bots on all other seats; None if these stay free."""


class Subscriber(Protocol):
    """A connection as a table sees it."""

    @property
    def user(self) -> User: ...

    @property
    def encoding(self) -> Encoding: ...

    def send(self, frame: Frame) -> bool:
        """Write a frame without waiting; return False if the connection is too slow and the frame was dropped.

        A connection that dropped a frame calls `Tables.refresh` as soon as it can take frames again.
        """
        ...


class Tables(Protocol):
    """All tables that a connection can reach. Each is loaded on the first request for it."""

    def create(self, user: User, request: CreateTable, table: str, on_reply: OnReply) -> None:
        """Open a table with this id and seat its host. A repetition with the same id gets the same reply."""
        ...

    def ask(self, user: User, request: TableRequest, on_reply: OnReply) -> None:
        """Send a request to a table; `watch` and `unwatch` have methods of their own."""
        ...

    def subscribe(self, user: User, request: Watch, subscriber: Subscriber, on_reply: OnReply) -> None:
        """Subscribe a connection to a table: it gets the reply, then a view, then updates."""
        ...

    def unsubscribe(self, table: str, subscriber: Subscriber) -> None:
        """End the subscription of a connection, which may have closed.

        A `subscribe` that has no reply yet is cancelled: its reply is `Done`, and no view follows.
        """
        ...

    def refresh(self, table: str, subscriber: Subscriber) -> None:
        """Send a full view to a connection that dropped frames."""
        ...

    def rename(self, user: User, tables: list[str]) -> None:
        """Show a user's new name at these tables."""
        ...


class Directory(Protocol):
    """The lists of tables, which tables keep up to date."""

    def update(self, summary: Summary, private: bool) -> None: ...

    def update_status(self, table: str, status: TableStatus) -> None: ...

    def remove(self, table: str) -> None: ...
