"""The lists of open and running tables, and the connections that get them.

Tables hand in their summaries. A subscriber of the lists gets them whole, once, and then the changes; every connection
gets the tables at which its user sits. Changes are batched, so that a busy lobby costs each connection a few messages a
second, and a list is encoded once for all subscribers.

The lists are kept as they were last published. A new subscriber gets exactly those, so the next change fits all alike.
"""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

from protocol.codec import Encoding, Frame, decode
from protocol.messages import TableSummary
from server.store.api import TableRow
from server.tables.api import Subscriber, Summary
from server.tables.settings import completed

log = logging.getLogger(__name__)

LISTED_PHASES: Final = ("open", "running")
MAX_LISTED: Final = 500
"""Tables of each phase that the lists show: the newest ones."""

MIN_INTERVAL_SECONDS: Final = 0.2
"""The minimum time between two messages about changes."""

SPECTATORS_DELAY_SECONDS: Final = 1.0
"""The delay of a change of nothing but the number of spectators."""


class Timer(Protocol):
    def cancel(self) -> None: ...


class Scheduler(Protocol):
    """The part of an event loop that the directory uses."""

    def time(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], object], /) -> Timer: ...


@dataclass(frozen=True, slots=True)
class _Entry:
    summary: Summary
    is_private: bool

    @property
    def phase(self) -> str:
        phase: str = self.summary["phase"]
        return phase

    @property
    def age(self) -> tuple[int, str]:
        """Return the sort key of the lists."""
        return self.summary["created"], self.summary["table"]

    @property
    def users(self) -> set[str]:
        return {seat["user"] for seat in self.summary["seats"] if seat["user"] is not None}


class TableDirectory:
    """All tables that are open or running. A summary must not be changed after it was handed in.

    In a cluster, `is_elsewhere` returns whether a user is connected to another worker, and `on_presence` is called with
    a user's id and True for the user's first connection here, False after the last one.
    """

    def __init__(
        self,
        scheduler: Scheduler | None = None,
        is_elsewhere: Callable[[str], bool] = lambda user_id: False,
        on_presence: Callable[[str, bool], None] = lambda user_id, is_connected: None,
    ) -> None:
        self._scheduler: Scheduler = scheduler or asyncio.get_running_loop()
        self._entries: dict[str, _Entry] = {}
        self._public: dict[str, list[tuple[int, str]]] = {phase: [] for phase in LISTED_PHASES}  # oldest first
        self._tables_of: dict[str, set[str]] = {}
        self._connections: dict[str, dict[Subscriber, None]] = {}
        self._is_elsewhere = is_elsewhere
        self._on_presence = on_presence
        self._subscribers: dict[Subscriber, bool] = {}  # False: it dropped a change and needs the whole lists
        self._published: dict[str, Summary] = {}
        self._published_frame: Frame | None = None
        self._published_at = float("-inf")
        self._users_changed: set[str] = set()
        """Users whose own tables have changed since the last publication."""

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
        self._replace(table, _Entry(summary, private))
        if before is not None and _differ_in_spectators_only(before.summary, summary):
            self._publish_at(self._scheduler.time() + SPECTATORS_DELAY_SECONDS)
        else:
            self._publish_soon()

    def remove(self, table: str) -> None:
        """Remove a table from the lists."""
        if table in self._entries:
            self._replace(table, None)
            self._publish_soon()

    def load(self, rows: Iterable[TableRow]) -> None:
        """Load the summaries in the store, before the first connection."""
        for table, entry in _entries(rows):
            self._replace(table, entry)
        self._users_changed.clear()
        self._published = self._listed()

    def reload(self, rows: Iterable[TableRow]) -> None:
        """Replace all summaries by those in the store, except the numbers of spectators, which it does not hold."""
        kept = dict(_entries(rows))
        for table in self._entries.keys() - kept.keys():
            self.remove(table)
        for table, entry in kept.items():
            before = self._entries.get(table)
            spectators = 0 if before is None else before.summary["spectators"]
            self.update({**entry.summary, "spectators": spectators}, entry.is_private)

    # -- queries ----------------------------------------------------------------------------------------------

    def tables_of(self, user_id: str) -> list[Summary]:
        """Return the tables at which a user sits, public and private, newest first."""
        entries = [self._entries[table] for table in self._tables_of.get(user_id, ())]
        return [entry.summary for entry in sorted(entries, key=lambda entry: entry.age, reverse=True)]

    def open_tables(self) -> Iterator[Summary]:
        """Return the open tables of the public list, newest first."""
        return (self._entries[table].summary for _, table in islice(reversed(self._public["open"]), MAX_LISTED))

    def is_connected(self, user_id: str) -> bool:
        """Return whether a user is connected, to this worker or to another."""
        return user_id in self._connections or self._is_elsewhere(user_id)

    def counts(self) -> dict[str, int]:
        """Return the number of public tables in each phase, listed or not."""
        return {phase: len(tables) for phase, tables in self._public.items()}

    # -- connections ------------------------------------------------------------------------------------------

    def connected(self, subscriber: Subscriber) -> None:
        """Send the user's own tables, now and after every change; call it again after a dropped message."""
        if subscriber.user.id not in self._connections:
            self._on_presence(subscriber.user.id, True)
        self._connections.setdefault(subscriber.user.id, {})[subscriber] = None
        subscriber.send(self._own_tables(subscriber.user.id))

    def disconnected(self, subscriber: Subscriber) -> None:
        """Send nothing more to a connection."""
        self.unsubscribe(subscriber)
        connections = self._connections.get(subscriber.user.id, {})
        connections.pop(subscriber, None)
        if not connections and self._connections.pop(subscriber.user.id, None) is not None:
            self._on_presence(subscriber.user.id, False)

    def subscribe(self, subscriber: Subscriber) -> None:
        """Send the lists, and then their changes; call it again after a dropped message."""
        if self._published_frame is None:
            self._published_frame = Frame({"type": "tables", "tables": list(self._published.values())})
        self._subscribers[subscriber] = True
        self._send_lists(subscriber, self._published_frame)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send no more lists."""
        self._subscribers.pop(subscriber, None)

    def close(self) -> None:
        """Send nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._subscribers.clear()
        self._connections.clear()

    # -- indexes and publication ------------------------------------------------------------------------------

    def _replace(self, table: str, after: _Entry | None) -> None:
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
        for entry in (before, after):
            if entry is not None:
                self._users_changed |= entry.users

    def _listed(self) -> dict[str, Summary]:
        """Return the tables of the public lists, newest first."""
        ages = [age for listed in self._public.values() for age in listed[-MAX_LISTED:]]
        return {table: self._entries[table].summary for _, table in sorted(ages, reverse=True)}

    def _own_tables(self, user_id: str) -> Frame:
        if user_id not in self._tables_of:
            return _NO_TABLES
        return Frame({"type": "your_tables", "tables": self.tables_of(user_id)})

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
        if changed or removed:
            self._published, self._published_frame = listed, None
            frame = Frame({"type": "tables_changed", "changed": changed, "gone": removed})
            for subscriber, is_up_to_date in list(self._subscribers.items()):
                if is_up_to_date:
                    self._send_lists(subscriber, frame)
        users, self._users_changed = self._users_changed, set()
        for user in users & self._connections.keys():
            own = self._own_tables(user)
            for subscriber in list(self._connections[user]):
                subscriber.send(own)

    def _send_lists(self, subscriber: Subscriber, frame: Frame) -> None:
        # `send` may find the connection closed, which unsubscribes it.
        if not subscriber.send(frame) and subscriber in self._subscribers:
            self._subscribers[subscriber] = False


_NO_TABLES: Final = Frame({"type": "your_tables", "tables": []})


def _entries(rows: Iterable[TableRow]) -> Iterator[tuple[str, _Entry]]:
    """Yield the entries of the rows whose tables belong in the lists."""
    for row in rows:
        if row.phase not in LISTED_PHASES:
            continue
        try:
            stored = decode(row.summary, Encoding.MSGPACK)
            summary = TableSummary.model_validate(stored["summary"]).model_dump()
            is_private = bool(stored["private"])
        except (ValueError, KeyError):
            log.warning("table not listed", extra={"table": row.table})
            continue
        if summary["phase"] in LISTED_PHASES:
            summary |= {"settings": completed(summary["settings"]), "spectators": 0}
            yield row.table, _Entry(summary, is_private)


def _differ_in_spectators_only(before: Summary, after: Summary) -> bool:
    return {**before, "spectators": 0} == {**after, "spectators": 0}
