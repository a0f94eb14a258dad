"""All tables that are open or running, and the connections of the people who sit there.

Tables hand in their summaries. The public ones go into the index of the lists; every connection gets the tables at
which its user sits, with their statuses.

Who is awaited at a table may be a secret. So the messages about a user's own tables, and their times, depend only on
what that user may know: each user has a timer of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Set
from dataclasses import replace
from functools import partial
from typing import Any, Final, Protocol

from protocol.codec import Frame
from server.lobby.listed_table import LISTED_PHASES, ListedTable, listed_tables, without_former
from server.lobby.lists import MIN_INTERVAL_SECONDS, Scheduler, TableLists, Timer
from server.lobby.queries import DEFAULT_QUERY, ListQuery
from server.lobby.table_index import IndexedTable, TableIndex
from server.store.api import TableRow
from server.tables.api import NO_STATUS, Subscriber, Summary, TableStatus

log = logging.getLogger(__name__)


class UsersElsewhere(Protocol):
    """The users who are connected to other workers of a cluster."""

    def has(self, user_id: str) -> bool: ...

    def all(self) -> Set[str]: ...

    def is_looking(self, user_id: str) -> bool: ...


class TableDirectory:
    """All tables that are open or running. A summary must not be changed after it was handed in.

    In a cluster, `users_elsewhere` are the users who are connected to other workers, and `on_presence` is called with a
    user's id and True for the user's first connection here, False after the last one. `on_looking` is called when the
    last page of a connected user here is hidden, and when one can be seen again. `is_former` returns whether a user was
    deleted.
    """

    def __init__(
        self,
        scheduler: Scheduler | None = None,
        users_elsewhere: UsersElsewhere | None = None,
        on_presence: Callable[[str, bool], None] = lambda user_id, is_connected: None,
        on_looking: Callable[[str, bool], None] = lambda user_id, is_looking: None,
        is_former: Callable[[str], bool] = lambda user_id: False,
    ) -> None:
        self._scheduler: Scheduler = scheduler or asyncio.get_running_loop()
        self._entries: dict[str, ListedTable] = {}
        self._tables_of: dict[str, set[str]] = {}
        self._connections: dict[str, dict[Subscriber, None]] = {}
        self._users_elsewhere = users_elsewhere
        self._on_presence = on_presence
        self._on_looking = on_looking
        self._hidden: set[Subscriber] = set()
        """Connections whose pages cannot be seen."""

        self._is_former = is_former
        self._index = TableIndex()
        self._lists = TableLists(self._scheduler, self._index, self.count_online)
        self.on_connected: Callable[[str], None] = lambda user_id: None
        """Called with the id of a user whose first connection was opened here."""

        self.on_people_changed: Callable[[Collection[str] | None], None] = lambda users: None
        """Called with users who came or went, at any worker, or whose tables changed; None: it may be anybody."""

        self.read_statuses: Callable[[str, list[str]], None] | None = None
        """In a cluster: called before the first connection of a user gets their tables, with the user's id and those of
        the tables that run. Other workers may have changed them, so `refreshed` must be called when they were read."""

        self.load_table: Callable[[str], None] = lambda table: None
        """Called for a table whose status is not known, so that the table reports it."""

        self._refreshing: set[str] = set()
        """Users whose connections get their tables when the statuses have been read."""

        self._own_timers: dict[str, Timer] = {}
        """By user: the timer of the next message about the user's own tables."""

        self._own_sent_at: dict[str, float] = {}

    # -- from tables ------------------------------------------------------------------------------------------

    def update(self, summary: Summary, private: bool) -> None:
        """Set the summary of a table; a table that is over is removed."""
        table = summary["table"]
        if summary["phase"] not in LISTED_PHASES:
            self.remove(table)
            return
        summary = without_former(summary, self._is_former)
        before = self._entries.get(table)
        if before is not None and before.summary == summary:
            return
        self._replace(table, ListedTable(summary, private, NO_STATUS if before is None else before.status))
        only_spectators = before is not None and _differ_in_spectators_only(before.summary, summary)
        self._lists.publish_soon(only_spectators=only_spectators)

    def update_status(self, table: str, status: TableStatus) -> None:
        """Set the status of a table. The public lists do not show it."""
        self.set_status(table, status)

    def set_status(self, table: str, status: TableStatus) -> set[str]:
        """Set the status of a table, and return the users for whom it has changed."""
        entry = self._entries.get(table)
        if entry is None or entry.status == status:
            return set()
        self._entries[table] = ListedTable(entry.summary, entry.is_private, status)
        before = entry.status or NO_STATUS
        changed = before.awaited ^ status.awaited if before.told == status.told else entry.users
        for user in changed:
            self._send_own_now(user)
        return set(changed)

    def update_status_for(self, table: str, user_id: str, status: TableStatus) -> None:
        """Set the status of a table as one user may know it; who else is awaited stays as it is."""
        entry = self._entries.get(table)
        if entry is not None:
            others, own = (entry.status or NO_STATUS).without(user_id), status.of(user_id)
            after = own._replace(
                awaited=others.awaited | own.awaited,
                deadlines=others.deadlines | own.deadlines,
                holidays=others.holidays | own.holidays,
                wake=others.wake,
            )
            self.update_status(table, after)

    def status_for(self, table: str, user_id: str) -> TableStatus | None:
        """Return the status of a table as one user may know it; None if the user does not sit there."""
        entry = self._entries.get(table)
        if entry is None or entry.status is None or user_id not in entry.users:
            return None
        return entry.status.of(user_id)

    def remove(self, table: str) -> None:
        """Remove a table from the lists."""
        if table in self._entries:
            self._replace(table, None)
            self._lists.publish_soon()

    def load(self, rows: Iterable[TableRow]) -> None:
        """Load the summaries in the store, before the first connection."""
        for table, entry in listed_tables(rows):
            self._replace(table, replace(entry, summary=without_former(entry.summary, self._is_former)))
        self._lists.load()

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
        self.read_again(rows, is_newer)
        self._refreshing.discard(user_id)
        if user_id in self._connections:
            self._send_own(user_id)

    def read_again(self, rows: Iterable[TableRow], is_newer: Callable[[str], bool] = lambda table: False) -> None:
        """Set the statuses of tables as the store has them, unless this process knows a newer one."""
        for table, entry in listed_tables(rows):
            if entry.status is not None and not is_newer(table):
                self.update_status(table, entry.status)

    def due(self, now: int) -> dict[str, int]:
        """Return the running tables by the day that have to be in memory now, and since when."""
        entries = self._entries.items()
        return {table: entry.wake for table, entry in entries if entry.wake is not None and entry.wake <= now}

    def on_user_deleted(self, user_id: str) -> None:
        """Show "former player" in place of a user who was deleted."""
        for entry in self._entries_of(user_id):
            self.update(entry.summary, entry.is_private)

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

    def listed(self, table: str) -> ListedTable | None:
        """Return a table that is open or running, public or private; None for any other."""
        return self._entries.get(table)

    def is_open(self, table: str) -> bool:
        """Return whether a table is open, public or private."""
        entry = self._entries.get(table)
        return entry is not None and entry.phase == "open"

    def open_tables(self) -> Iterable[IndexedTable]:
        """Return the open tables of the public list, in no particular order."""
        return self._index.listed("open")

    def running_tables(self) -> Iterable[IndexedTable]:
        """Return the running tables of the public list, in no particular order."""
        return self._index.listed("running")

    def listed_table(self, table: str) -> IndexedTable | None:
        """Return a table of the public lists."""
        return self._index.get(table)

    def count_hosted(self, user_id: str) -> int:
        """Return the number of open public tables that a user hosts."""
        return self._index.count_hosted(user_id)

    def people(self) -> Iterable[str]:
        """Return all users who sit at a table."""
        return self._tables_of.keys()

    def open_entries(self) -> list[tuple[str, ListedTable]]:
        """Return all open tables, public and private, by id."""
        return [(table, entry) for table, entry in self._entries.items() if entry.phase == "open"]

    def is_connected(self, user_id: str) -> bool:
        """Return whether a user is connected, to this worker or to another."""
        elsewhere = self._users_elsewhere
        return user_id in self._connections or (elsewhere is not None and elsewhere.has(user_id))

    def is_looking(self, user_id: str) -> bool:
        """Return whether a user has a page open that can be seen, at this worker or another.

        A program that does not say whether anybody looks counts as a page that can be seen.
        """
        elsewhere = self._users_elsewhere
        return self._is_looking_here(user_id) or (elsewhere is not None and elsewhere.is_looking(user_id))

    def users_not_looking(self) -> list[str]:
        """Return the users who are connected here, but whose pages cannot be seen."""
        return list({each.user.id for each in self._hidden if not self._is_looking_here(each.user.id)})

    def _is_looking_here(self, user_id: str) -> bool:
        return any(subscriber not in self._hidden for subscriber in self._connections.get(user_id, ()))

    def count_online(self) -> int:
        """Return the number of users who are connected, to any worker."""
        if self._users_elsewhere is None:
            return len(self._connections)
        return len(self._connections.keys() | self._users_elsewhere.all())

    def counts(self) -> dict[str, int]:
        """Return the number of public tables in each phase, listed or not."""
        return self._index.counts()

    # -- connections ------------------------------------------------------------------------------------------

    def connected(self, subscriber: Subscriber) -> None:
        """Send the user's own tables, now and after every change; call it again after a dropped message."""
        user_id = subscriber.user.id
        is_first = user_id not in self._connections
        was_looking = self._is_looking_here(user_id)
        self._connections.setdefault(user_id, {})[subscriber] = None
        if not is_first and not was_looking and self._is_looking_here(user_id):
            self._on_looking(user_id, True)
        if is_first:
            self._on_presence(user_id, True)
            self.on_connected(user_id)
            self.online_changed((user_id,))
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

    def set_visible(self, subscriber: Subscriber, is_visible: bool) -> None:
        """Set whether the page of a connection can be seen."""
        user_id = subscriber.user.id
        if subscriber not in self._connections.get(user_id, ()):
            return
        was_looking = self._is_looking_here(user_id)
        (self._hidden.discard if is_visible else self._hidden.add)(subscriber)
        if self._is_looking_here(user_id) != was_looking:
            self._on_looking(user_id, not was_looking)

    def disconnected(self, subscriber: Subscriber) -> None:
        """Send nothing more to a connection."""
        self.unsubscribe(subscriber)
        user_id = subscriber.user.id
        was_looking = self._is_looking_here(user_id)
        connections = self._connections.get(user_id, {})
        connections.pop(subscriber, None)
        self._hidden.discard(subscriber)
        if connections and was_looking and not self._is_looking_here(user_id):
            self._on_looking(user_id, False)
        if not connections and self._connections.pop(user_id, None) is not None:
            self._own_sent_at.pop(user_id, None)
            if user_id in self._own_timers:
                self._own_timers.pop(user_id).cancel()
            self._on_presence(user_id, False)
            self.online_changed((user_id,))

    def online_changed(self, users: Collection[str] | None = None) -> None:
        """Publish the number of connected users after a while; call it when these came or went elsewhere."""
        self._lists.online_changed()
        self.on_people_changed(users)

    def set_away(self, users: frozenset[str]) -> None:
        """Set the users who have not been connected for a while; open tables of absent hosts are not listed."""
        self._index.set_away(users)
        self._lists.publish_any()

    def is_away(self, user_id: str) -> bool:
        """Return whether a user has not been connected for a while."""
        return self._index.is_away(user_id)

    def set_long_open(self, tables: frozenset[str]) -> None:
        """Set the open tables that have waited for long, which come after the others."""
        self._index.set_long_open(tables)
        self._lists.publish_any()

    def subscribe(self, subscriber: Subscriber, query: ListQuery = DEFAULT_QUERY) -> None:
        """Send the lists, and then their changes; call it again after a dropped message."""
        self._lists.subscribe(subscriber, query)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send no more lists."""
        self._lists.unsubscribe(subscriber)

    def close(self) -> None:
        """Send nothing any more."""
        self._lists.close()
        for timer in self._own_timers.values():
            timer.cancel()
        self._own_timers.clear()
        self._connections.clear()
        self._hidden.clear()

    # -- indexes ----------------------------------------------------------------------------------------------

    def _replace(self, table: str, after: ListedTable | None) -> None:
        """Replace the entry of a table in every index."""
        before = self._entries.pop(table, None)
        if before is not None:
            for user in before.users:
                tables = self._tables_of[user]
                tables.discard(table)
                if not tables:
                    del self._tables_of[user]
        if after is not None:
            self._entries[table] = after
            for user in after.users:
                self._tables_of.setdefault(user, set()).add(table)
        self._index.put(table, after)
        users = (set() if before is None else before.users) | (set() if after is None else after.users)
        for user in users:
            self._send_own_soon(user)
        self.on_people_changed(users)

    def _own_tables(self, user_id: str) -> Frame:
        if user_id not in self._tables_of:
            return _NO_TABLES
        return Frame({"type": "your_tables", "tables": self.own_tables(user_id)})

    def _send_own_now(self, user_id: str) -> None:
        """Send a user's own tables at once if the interval allows it, so that they leave with the update of a move."""
        if self._own_sent_at.get(user_id, float("-inf")) + MIN_INTERVAL_SECONDS > self._scheduler.time():
            self._send_own_soon(user_id)
        elif user_id in self._connections:
            self._send_own(user_id)

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
            try:
                subscriber.send(own)
            except Exception:
                # The caller may be a table, which has other people to tell.
                log.exception("connection failed")


_NO_TABLES: Final = Frame({"type": "your_tables", "tables": []})


def _differ_in_spectators_only(before: Summary, after: Summary) -> bool:
    return {**before, "spectators": 0} == {**after, "spectators": 0}
