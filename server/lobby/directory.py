"""The lists of open and running tables, and the connections that get them.

Tables hand in their summaries. A subscriber of the lists gets them whole, once, and then the changes; every connection
gets the tables at which its user sits, with their statuses. Changes are batched, so that a busy lobby costs each
connection a few messages a second, and a list is encoded once for all subscribers.

The lists are kept as they were last published. A new subscriber gets exactly those, so the next change fits all alike.

Who is awaited at a table may be a secret. So the messages about a user's own tables, and their times, depend only on
what that user may know: each user has a timer of their own.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Final, Protocol

from protocol.codec import Frame
from server.lobby.listed_table import LISTED_PHASES, ListedTable, listed_tables
from server.store.api import TableRow
from server.tables.api import NO_STATUS, Subscriber, Summary, TableStatus

MAX_LISTED: Final = 500
"""Tables of each phase that the lists show: the newest ones."""

MIN_INTERVAL_SECONDS: Final = 0.2
"""The minimum time between two messages about changes."""

SPECTATORS_DELAY_SECONDS: Final = 1.0
"""The delay of a change of nothing but the number of spectators."""


ONLINE_INTERVAL_SECONDS: Final = 3.0
"""The minimum time between two messages about nothing but the number of connected users."""


class Timer(Protocol):
    def cancel(self) -> None: ...


class Scheduler(Protocol):
    """The part of an event loop that the directory uses."""

    def time(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], object], /) -> Timer: ...


class UsersElsewhere(Protocol):
    """The users who are connected to other workers of a cluster."""

    def has(self, user_id: str) -> bool: ...

    def all(self) -> Set[str]: ...


class TableDirectory:
    """All tables that are open or running. A summary must not be changed after it was handed in.

    In a cluster, `users_elsewhere` are the users who are connected to other workers, and `on_presence` is called with a
    user's id and True for the user's first connection here, False after the last one.
    """

    def __init__(
        self,
        scheduler: Scheduler | None = None,
        users_elsewhere: UsersElsewhere | None = None,
        on_presence: Callable[[str, bool], None] = lambda user_id, is_connected: None,
    ) -> None:
        self._scheduler: Scheduler = scheduler or asyncio.get_running_loop()
        self._entries: dict[str, ListedTable] = {}
        self._public: dict[str, list[tuple[int, str]]] = {phase: [] for phase in LISTED_PHASES}  # oldest first
        self._tables_of: dict[str, set[str]] = {}
        self._connections: dict[str, dict[Subscriber, None]] = {}
        self._users_elsewhere = users_elsewhere
        self._on_presence = on_presence
        self.read_statuses: Callable[[str, list[str]], None] | None = None
        """In a cluster: called before the first connection of a user gets their tables, with the user's id and those of
        the tables that run. Other workers may have changed them, so `refreshed` must be called when they were read."""

        self.load_table: Callable[[str], None] = lambda table: None
        """Called for a table whose status is not known, so that the table reports it."""

        self._refreshing: set[str] = set()
        """Users whose connections get their tables when the statuses have been read."""

        self._subscribers: dict[Subscriber, bool] = {}  # False: it dropped a change and needs the whole lists
        self._published: dict[str, Summary] = {}
        self._published_frame: Frame | None = None
        self._published_at = float("-inf")
        self._published_online = 0
        self._own_timers: dict[str, Timer] = {}
        """By user: the timer of the next message about the user's own tables."""

        self._own_sent_at: dict[str, float] = {}
        self._timer: Timer | None = None
        self._timer_at = float("inf")

    # -- from tables ------------------------------------------------------------------------------------------

    def update(self, summary: Summary, private: bool) -> None:
        """Set the summary of a table; a table that is over is removed."""
        table = summary["table"]
        if summary["phase"] not in LISTED_PHASES:
            self.remove(table)
            return
        before = self._entries.get(table)
        if before is not None and before.summary == summary:
            return
        self._replace(table, ListedTable(summary, private, NO_STATUS if before is None else before.status))
        if before is not None and _differ_in_spectators_only(before.summary, summary):
            self._publish_at(self._scheduler.time() + SPECTATORS_DELAY_SECONDS)
        else:
            self._publish_soon()

    def update_status(self, table: str, status: TableStatus) -> None:
        """Set the status of a table. The public lists do not show it."""
        self.set_status(table, status)

    def set_status(self, table: str, status: TableStatus) -> set[str]:
        """Set the status of a table, and return the users for whom it has changed."""
        entry = self._entries.get(table)
        if entry is None or entry.status == status:
            return set()
        self._entries[table] = replace(entry, status=status)
        before = entry.status or NO_STATUS
        changed = before.awaited ^ status.awaited if before[1:] == status[1:] else entry.users
        for user in changed:
            self._send_own_soon(user)
        return set(changed)

    def update_status_for(self, table: str, user_id: str, status: TableStatus) -> None:
        """Set the status of a table as one user may know it; who else is awaited stays as it is."""
        entry = self._entries.get(table)
        if entry is not None:
            others = (entry.status or NO_STATUS).awaited - {user_id}
            self.update_status(table, status._replace(awaited=others | (status.awaited & {user_id})))

    def status_for(self, table: str, user_id: str) -> TableStatus | None:
        """Return the status of a table as one user may know it; None if the user does not sit there."""
        entry = self._entries.get(table)
        if entry is None or entry.status is None or user_id not in entry.users:
            return None
        return entry.status._replace(awaited=entry.status.awaited & {user_id})

    def remove(self, table: str) -> None:
        """Remove a table from the lists."""
        if table in self._entries:
            self._replace(table, None)
            self._publish_soon()

    def load(self, rows: Iterable[TableRow]) -> None:
        """Load the summaries in the store, before the first connection."""
        for table, entry in listed_tables(rows):
            self._replace(table, entry)
        self._published = self._listed()

    def reload(self, rows: Iterable[TableRow], is_newer: Callable[[str], bool] = lambda table: False) -> None:
        """Replace all summaries by those in the store, except the numbers of spectators, which it does not hold.

        The statuses are replaced too, unless `is_newer` says that this process knows a newer one.
        """
        kept = dict(listed_tables(rows))
        for table in self._entries.keys() - kept.keys():
            self.remove(table)
        for table, entry in kept.items():
            before = self._entries.get(table)
            spectators = 0 if before is None else before.summary["spectators"]
            self.update({**entry.summary, "spectators": spectators}, entry.is_private)
            if entry.status is not None and not is_newer(table):
                self.update_status(table, entry.status)

    def refreshed(
        self, user_id: str, rows: Iterable[TableRow], is_newer: Callable[[str], bool] = lambda table: False
    ) -> None:
        """Send a user's own tables, after their statuses have been read from the store."""
        for table, entry in listed_tables(rows):
            if entry.status is not None and not is_newer(table):
                self.update_status(table, entry.status)
        self._refreshing.discard(user_id)
        if user_id in self._connections:
            self._send_own(user_id)

    # -- queries ----------------------------------------------------------------------------------------------

    def tables_of(self, user_id: str) -> list[Summary]:
        """Return the tables at which a user sits, public and private, newest first."""
        return [entry.summary for entry in self._entries_of(user_id)]

    def own_tables(self, user_id: str) -> list[dict[str, Any]]:
        """Return the tables at which a user sits, with all that the user may know of their statuses."""
        return [entry.shown_to(user_id) for entry in self._entries_of(user_id)]

    def _entries_of(self, user_id: str) -> list[ListedTable]:
        entries = [self._entries[table] for table in self._tables_of.get(user_id, ())]
        return sorted(entries, key=lambda entry: entry.age, reverse=True)

    def open_tables(self) -> Iterator[Summary]:
        """Return the open tables of the public list, newest first."""
        return (self._entries[table].summary for _, table in islice(reversed(self._public["open"]), MAX_LISTED))

    def is_connected(self, user_id: str) -> bool:
        """Return whether a user is connected, to this worker or to another."""
        elsewhere = self._users_elsewhere
        return user_id in self._connections or (elsewhere is not None and elsewhere.has(user_id))

    def count_online(self) -> int:
        """Return the number of users who are connected, to any worker."""
        if self._users_elsewhere is None:
            return len(self._connections)
        return len(self._connections.keys() | self._users_elsewhere.all())

    def counts(self) -> dict[str, int]:
        """Return the number of public tables in each phase, listed or not."""
        return {phase: len(tables) for phase, tables in self._public.items()}

    # -- connections ------------------------------------------------------------------------------------------

    def connected(self, subscriber: Subscriber) -> None:
        """Send the user's own tables, now and after every change; call it again after a dropped message."""
        user_id = subscriber.user.id
        is_first = user_id not in self._connections
        self._connections.setdefault(user_id, {})[subscriber] = None
        if is_first:
            self._on_presence(user_id, True)
            self.online_changed()
            self._refresh(user_id)
        if user_id not in self._refreshing:
            subscriber.send(self._own_tables(user_id))

    def _refresh(self, user_id: str) -> None:
        """Find out the statuses of a user's tables that this process may not know, or not know any more."""
        running = [table for table in self._tables_of.get(user_id, ()) if self._entries[table].phase == "running"]
        for table in running:
            if self._entries[table].status is None:
                self.load_table(table)
        if running and self.read_statuses is not None:
            self._refreshing.add(user_id)
            self.read_statuses(user_id, running)

    def disconnected(self, subscriber: Subscriber) -> None:
        """Send nothing more to a connection."""
        self.unsubscribe(subscriber)
        user_id = subscriber.user.id
        connections = self._connections.get(user_id, {})
        connections.pop(subscriber, None)
        if not connections and self._connections.pop(user_id, None) is not None:
            self._own_sent_at.pop(user_id, None)
            if user_id in self._own_timers:
                self._own_timers.pop(user_id).cancel()
            self._on_presence(user_id, False)
            self.online_changed()

    def online_changed(self) -> None:
        """Publish the number of connected users after a while; call it when somebody came or went elsewhere."""
        if self._subscribers:
            self._publish_at(max(self._scheduler.time(), self._published_at + ONLINE_INTERVAL_SECONDS))

    def subscribe(self, subscriber: Subscriber) -> None:
        """Send the lists, and then their changes; call it again after a dropped message."""
        if not self._subscribers and self._published_online != self.count_online():
            self._published_online, self._published_frame = self.count_online(), None
        if self._published_frame is None:
            listed = list(self._published.values())
            self._published_frame = Frame({"type": "tables", "tables": listed, "online": self._published_online})
        self._subscribers[subscriber] = True
        self._send_lists(subscriber, self._published_frame)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send no more lists."""
        self._subscribers.pop(subscriber, None)

    def close(self) -> None:
        """Send nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
        for timer in self._own_timers.values():
            timer.cancel()
        self._own_timers.clear()
        self._subscribers.clear()
        self._connections.clear()

    # -- indexes and publication ------------------------------------------------------------------------------

    def _replace(self, table: str, after: ListedTable | None) -> None:
        """Replace the entry of a table in every index."""
        before = self._entries.pop(table, None)
        if before is not None:
            if not before.is_private:
                listed = self._public[before.phase]
                del listed[bisect_left(listed, before.age)]
            for user in before.users:
                tables = self._tables_of[user]
                tables.discard(table)
                if not tables:
                    del self._tables_of[user]
        if after is not None:
            self._entries[table] = after
            if not after.is_private:
                insort(self._public[after.phase], after.age)
            for user in after.users:
                self._tables_of.setdefault(user, set()).add(table)
        for user in (set() if before is None else before.users) | (set() if after is None else after.users):
            self._send_own_soon(user)

    def _listed(self) -> dict[str, Summary]:
        """Return the tables of the public lists, newest first."""
        ages = [age for listed in self._public.values() for age in listed[-MAX_LISTED:]]
        return {table: self._entries[table].summary for _, table in sorted(ages, reverse=True)}

    def _own_tables(self, user_id: str) -> Frame:
        if user_id not in self._tables_of:
            return _NO_TABLES
        return Frame({"type": "your_tables", "tables": self.own_tables(user_id)})

    def _send_own_soon(self, user_id: str) -> None:
        if user_id in self._connections and user_id not in self._own_timers:
            earliest = self._own_sent_at.get(user_id, float("-inf")) + MIN_INTERVAL_SECONDS
            when = max(self._scheduler.time(), earliest)
            self._own_timers[user_id] = self._scheduler.call_at(when, partial(self._send_own, user_id))

    def _send_own(self, user_id: str) -> None:
        """Send a user's own tables to all connections of the user."""
        timer = self._own_timers.pop(user_id, None)
        if timer is not None:
            timer.cancel()
        if user_id in self._refreshing:
            return
        self._own_sent_at[user_id] = self._scheduler.time()
        own = self._own_tables(user_id)
        for subscriber in list(self._connections[user_id]):
            subscriber.send(own)

    def _publish_soon(self) -> None:
        self._publish_at(max(self._scheduler.time(), self._published_at + MIN_INTERVAL_SECONDS))

    def _publish_at(self, when: float) -> None:
        if when < self._timer_at:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._scheduler.call_at(when, self._publish)
            self._timer_at = when

    def _publish(self) -> None:
        """Send the changes since the last publication."""
        self._timer, self._timer_at = None, float("inf")
        self._published_at = self._scheduler.time()
        listed = self._listed()
        changed = [summary for table, summary in listed.items() if self._published.get(table) is not summary]
        removed = [table for table in self._published if table not in listed]
        online = self.count_online()
        if changed or removed or online != self._published_online:
            self._published, self._published_frame, self._published_online = listed, None, online
            frame = Frame({"type": "tables_changed", "changed": changed, "gone": removed, "online": online})
            for subscriber, is_up_to_date in list(self._subscribers.items()):
                if is_up_to_date:
                    self._send_lists(subscriber, frame)

    def _send_lists(self, subscriber: Subscriber, frame: Frame) -> None:
        # `send` may find the connection closed, which unsubscribes it.
        if not subscriber.send(frame) and subscriber in self._subscribers:
            self._subscribers[subscriber] = False


_NO_TABLES: Final = Frame({"type": "your_tables", "tables": []})


def _differ_in_spectators_only(before: Summary, after: Summary) -> bool:
    return {**before, "spectators": 0} == {**after, "spectators": 0}
