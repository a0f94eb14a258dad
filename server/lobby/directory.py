"""The lists of tables, and who is told of them.

Tables say here what the lists should show of them. Followers of the lists get them whole, once, and then what has
changed; everybody who is connected gets the tables at which they sit. Changes are gathered for a moment, so that a busy
lobby costs each connection a few messages a second, and a list is encoded once however many follow it.

What followers were last told is kept as it was told. Newcomers get exactly that, so the next change fits all alike.
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

log = logging.getLogger(__name__)

LISTED_PHASES: Final = ("open", "running")
MAX_LISTED: Final = 500
"""Tables of each phase that the lists show, the newest ones; a table that ends makes room for an older one."""

PAUSE_SECONDS: Final = 0.2
"""The least time between two messages about changes."""

SPECTATORS_SECONDS: Final = 1.0
"""How long a change waits that only touches the number of spectators."""


class Alarm(Protocol):
    def cancel(self) -> None: ...


class Scheduler(Protocol):
    """The part of an event loop that is needed here."""

    def time(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], object], /) -> Alarm: ...


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
        """What the lists are sorted by."""
        return self.summary["created"], self.summary["table"]

    @property
    def users(self) -> set[str]:
        return {seat["user"] for seat in self.summary["seats"] if seat["user"] is not None}


class TableDirectory:
    """All tables that are open or running. A summary that was handed in is not changed any more."""

    def __init__(self, scheduler: Scheduler | None = None) -> None:
        self._scheduler: Scheduler = scheduler or asyncio.get_running_loop()
        self._entries: dict[str, _Entry] = {}
        self._public: dict[str, list[tuple[int, str]]] = {phase: [] for phase in LISTED_PHASES}  # oldest first
        self._tables_of: dict[str, set[str]] = {}
        self._connections: dict[str, dict[Subscriber, None]] = {}
        self.is_elsewhere: Callable[[str], bool] = lambda user_id: False
        """Tells whether a user is connected to another worker."""
        self.came_or_went: Callable[[str, bool], None] = lambda user_id, is_here: None
        """Told when a user has a connection here, or no longer has."""

        self._subscribers: dict[Subscriber, bool] = {}  # False: has missed a change, and waits for the whole list
        self._told: dict[str, Summary] = {}
        self._told_whole: Frame | None = None
        self._users_to_tell: set[str] = set()
        self._told_at = float("-inf")
        self._alarm: Alarm | None = None
        self._alarm_at = float("inf")

    # -- what tables say --------------------------------------------------------------------------------------

    def changed(self, summary: Summary, private: bool) -> None:
        """Show this of a table from now on; one that is over leaves the lists."""
        table = summary["table"]
        if summary["phase"] not in LISTED_PHASES:
            self.gone(table)
            return
        before = self._entries.get(table)
        if before is not None and before.summary == summary:
            return
        self._replace(table, _Entry(summary, private))
        if before is not None and _differ_in_spectators_only(before.summary, summary):
            self._tell_at(self._scheduler.time() + SPECTATORS_SECONDS)
        else:
            self._tell_soon()

    def gone(self, table: str) -> None:
        """Show nothing of a table any more."""
        if table in self._entries:
            self._replace(table, None)
            self._tell_soon()

    def load(self, rows: Iterable[TableRow]) -> None:
        """Take in what the store has kept of the tables, before anybody is connected or watches one."""
        for table, entry in _entries(rows):
            self._replace(table, entry)
        self._users_to_tell.clear()
        self._told = self._listed()

    def reload(self, rows: Iterable[TableRow]) -> None:
        """Correct what the lists show by what the store has kept of all tables; it does not know who watches."""
        kept = dict(_entries(rows))
        for table in self._entries.keys() - kept.keys():
            self.gone(table)
        for table, entry in kept.items():
            before = self._entries.get(table)
            spectators = 0 if before is None else before.summary["spectators"]
            self.changed({**entry.summary, "spectators": spectators}, entry.is_private)

    # -- what others ask --------------------------------------------------------------------------------------

    def tables_of(self, user_id: str) -> list[Summary]:
        """Give the tables at which a user sits, public and private, the newest first."""
        entries = [self._entries[table] for table in self._tables_of.get(user_id, ())]
        return [entry.summary for entry in sorted(entries, key=lambda entry: entry.age, reverse=True)]

    def open_tables(self) -> Iterator[Summary]:
        """Give the open tables of the public list, the newest first."""
        return (self._entries[table].summary for _, table in islice(reversed(self._public["open"]), MAX_LISTED))

    def is_here(self, user_id: str) -> bool:
        """Tell whether a user is connected."""
        return user_id in self._connections or self.is_elsewhere(user_id)

    def counts(self) -> dict[str, int]:
        """Give the number of public tables in each phase, listed or not."""
        return {phase: len(tables) for phase, tables in self._public.items()}

    # -- who listens ------------------------------------------------------------------------------------------

    def connected(self, subscriber: Subscriber) -> None:
        """Send the user's own tables, now and whenever they change. Again for a connection that has missed some."""
        if subscriber.user.id not in self._connections:
            self.came_or_went(subscriber.user.id, True)
        self._connections.setdefault(subscriber.user.id, {})[subscriber] = None
        subscriber.send(self._own_tables(subscriber.user.id))

    def disconnected(self, subscriber: Subscriber) -> None:
        """Send nothing more."""
        self.unsubscribe(subscriber)
        connections = self._connections.get(subscriber.user.id, {})
        connections.pop(subscriber, None)
        if not connections and self._connections.pop(subscriber.user.id, None) is not None:
            self.came_or_went(subscriber.user.id, False)

    def subscribe(self, subscriber: Subscriber) -> None:
        """Send the lists, and then what changes in them. Again for a connection that has missed some."""
        if self._told_whole is None:
            self._told_whole = Frame({"type": "tables", "tables": list(self._told.values())})
        self._subscribers[subscriber] = True
        self._send_lists(subscriber, self._told_whole)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send no more lists."""
        self._subscribers.pop(subscriber, None)

    def refresh(self, subscriber: Subscriber) -> None:
        """Send everything whole to a connection that has dropped messages and can take some again."""
        if subscriber in self._connections.get(subscriber.user.id, {}):
            self.connected(subscriber)
        if subscriber in self._subscribers:
            self.subscribe(subscriber)

    def close(self) -> None:
        """Tell nobody anything any more."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._subscribers.clear()
        self._connections.clear()

    # -- within -----------------------------------------------------------------------------------------------

    def _replace(self, table: str, after: _Entry | None) -> None:
        """Let an entry take the place of the one before, in every index."""
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
                self._users_to_tell |= entry.users

    def _listed(self) -> dict[str, Summary]:
        """Give what the public lists show now, the newest first."""
        ages = [age for listed in self._public.values() for age in listed[-MAX_LISTED:]]
        return {table: self._entries[table].summary for _, table in sorted(ages, reverse=True)}

    def _own_tables(self, user_id: str) -> Frame:
        if user_id not in self._tables_of:
            return _NO_TABLES
        return Frame({"type": "your_tables", "tables": self.tables_of(user_id)})

    def _tell_soon(self) -> None:
        self._tell_at(max(self._scheduler.time(), self._told_at + PAUSE_SECONDS))

    def _tell_at(self, when: float) -> None:
        if when < self._alarm_at:
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm = self._scheduler.call_at(when, self._tell)
            self._alarm_at = when

    def _tell(self) -> None:
        """Tell everybody what has changed since the last time."""
        self._alarm, self._alarm_at = None, float("inf")
        self._told_at = self._scheduler.time()
        listed = self._listed()
        changed = [summary for table, summary in listed.items() if self._told.get(table) is not summary]
        gone = [table for table in self._told if table not in listed]
        if changed or gone:
            self._told, self._told_whole = listed, None
            frame = Frame({"type": "tables_changed", "changed": changed, "gone": gone})
            for subscriber, is_in_step in list(self._subscribers.items()):
                if is_in_step:
                    self._send_lists(subscriber, frame)
        users, self._users_to_tell = self._users_to_tell, set()
        for user in users & self._connections.keys():
            own = self._own_tables(user)
            for subscriber in list(self._connections[user]):
                subscriber.send(own)

    def _send_lists(self, subscriber: Subscriber, frame: Frame) -> None:
        # A connection may find out that it is lost while it sends, and follow nothing any more.
        if not subscriber.send(frame) and subscriber in self._subscribers:
            self._subscribers[subscriber] = False


_NO_TABLES: Final = Frame({"type": "your_tables", "tables": []})


def _entries(rows: Iterable[TableRow]) -> Iterator[tuple[str, _Entry]]:
    """Give what the store has kept for the lists of each table that belongs there."""
    for row in rows:
        if row.phase not in LISTED_PHASES:
            continue
        try:
            stored = decode(row.summary, Encoding.MSGPACK)
            summary = TableSummary.model_validate(stored["summary"]).model_dump()
            is_private = bool(stored["private"])
        except (ValueError, KeyError):
            log.warning("table cannot be listed", extra={"table": row.table})
            continue
        if summary["phase"] in LISTED_PHASES:
            yield row.table, _Entry({**summary, "spectators": 0}, is_private)


def _differ_in_spectators_only(before: Summary, after: Summary) -> bool:
    return {**before, "spectators": 0} == {**after, "spectators": 0}
