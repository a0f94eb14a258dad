"""The subscribers of the lists of tables, and what is sent to them.

Equal queries form a group: its pages are computed and encoded once, however many subscribers it has, and most have the
default query. The tables that match a filter are kept in order, so a change costs each group a binary search, whatever
the number of tables.

A group keeps its pages as they were last published. A new subscriber gets exactly those, so the next change fits all
alike. Changes are gathered, so that a busy lobby costs each connection a few messages a second.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from protocol.codec import Frame
from server.lobby.queries import DEFAULT_QUERY, ListQuery, PageQuery, TableFilter, cursor
from server.lobby.table_index import IndexedTable, Key, TableIndex, Waiting
from server.tables.api import Subscriber, Summary

MAX_QUERIES: Final = 200
"""Different queries that get changes at the same time; one more is answered once, and marked as not live."""

MIN_INTERVAL_SECONDS: Final = 0.2
"""The minimum time between two messages about changes."""

SPECTATORS_DELAY_SECONDS: Final = 1.0
"""The delay of a change of nothing but the number of spectators."""

ONLINE_INTERVAL_SECONDS: Final = 3.0
"""The minimum time between two messages about nothing but the number of connected users."""


class Timer(Protocol):
    def cancel(self) -> None: ...


class Scheduler(Protocol):
    """The part of an event loop that the lobby uses."""

    def time(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], object], /) -> Timer: ...


class _Matches:
    """The tables that match a filter, in order, as they were when `apply` was called last."""

    def __init__(self, matched: TableFilter) -> None:
        self._filter = matched
        self.rows: dict[str, IndexedTable] = {}
        self.keys: list[Key] = []
        self.groups = 0
        self.version = 0

    @classmethod
    def among(cls, everything: _Matches, matched: TableFilter) -> _Matches:
        """Return the matches among all tables of the phase, which are in order already."""
        found = cls(matched)
        rows = everything.rows
        found.rows = {key[-1]: row for key in everything.keys if matched.matches(row := rows[key[-1]])}
        found.keys = [row.key for row in found.rows.values()]
        return found

    def apply(self, table: str, row: IndexedTable | None) -> None:
        """Take over a table as it is now; None: it is not listed any more."""
        before = self.rows.get(table)
        after = row if row is not None and self._filter.matches(row) else None
        if before is after:
            return
        self.version += 1
        if before is not None:
            del self.rows[table]
            if after is None or after.key != before.key:
                del self.keys[bisect_left(self.keys, before.key)]
        if after is not None:
            self.rows[table] = after
            if before is None or after.key != before.key:
                insort(self.keys, after.key)

    def page(self, query: PageQuery) -> tuple[dict[str, Summary], dict[str, Any]]:
        """Return the rows of a page by table, and where the page is."""
        start = 0 if query.after is None else bisect_right(self.keys, query.after)
        keys = self.keys[start : start + query.limit]
        has_more = start + len(keys) < len(self.keys)
        following = cursor(keys[-1]) if keys and has_more else None
        place = {"total": len(self.keys), "start": start, "next": following}
        return {key[-1]: self.rows[key[-1]].summary for key in keys}, place


class _Pages(NamedTuple):
    """The pages of a group as they are published."""

    rows: dict[str, dict[str, Summary]]
    """By phase and table."""

    places: dict[str, dict[str, Any]]
    """By phase."""

    def frame(self, online: int, waiting: Waiting, *, is_live: bool = True) -> Frame:
        rows = [summary for rows in self.rows.values() for summary in rows.values()]
        places = {phase: {**place, "order": None} for phase, place in self.places.items()}
        message = {"type": "tables", "tables": rows, "online": online, **_BOTH_UNCHANGED, **places}
        return Frame({**message, "waiting": waiting.by_game, "people": waiting.people, "live": is_live})

    def changes_to(self, after: _Pages) -> dict[str, Any] | None:
        """Return the fields of the message that leads to other pages of the same query; None if they are equal."""
        changed: list[Summary] = []
        gone: list[str] = []
        places: dict[str, Any] = {}
        for phase, now in after.rows.items():
            before = self.rows[phase]
            new = [table for table in now if table not in before]
            changed += [summary for table, summary in now.items() if before.get(table) is not summary]
            gone += [table for table in before if table not in now]
            has_order = [table for table in before if table in now] + new == list(now)
            if not has_order or self.places[phase] != after.places[phase]:
                places[phase] = {**after.places[phase], "order": None if has_order else list(now)}
        # A table whose game has begun may have moved from one page to the other.
        listed = {table for rows in after.rows.values() for table in rows}
        gone = [table for table in gone if table not in listed]
        if not changed and not gone and not places:
            return None
        return {"changed": changed, "gone": gone, **_BOTH_UNCHANGED, **places}


class _Group:
    """The subscribers with one query."""

    def __init__(self, query: ListQuery, matches: dict[str, _Matches]) -> None:
        self.query = query
        self.matches = matches
        self.subscribers: dict[Subscriber, bool] = {}
        """False: it dropped a change and needs the whole pages."""

        self.frame: Frame | None = None
        self._versions = self._current_versions()
        self.pages = self._compute()

    def update(self) -> dict[str, Any] | None:
        """Compute the pages anew; return the fields of the message about the changes, or None if there are none."""
        versions = self._current_versions()
        if versions == self._versions:
            return None
        self._versions = versions
        before, self.pages = self.pages, self._compute()
        return before.changes_to(self.pages)

    def _current_versions(self) -> list[int]:
        return [matches.version for matches in self.matches.values()]

    def _compute(self) -> _Pages:
        return pages_of(self.query, self.matches)


def pages_of(query: ListQuery, matches: dict[str, _Matches]) -> _Pages:
    """Return the pages of a query from the matches of each phase."""
    pages = {phase: matches[phase].page(page) for phase, page in query.pages}
    return _Pages({phase: rows for phase, (rows, _) in pages.items()}, {phase: at for phase, (_, at) in pages.items()})


class TableLists:
    """All subscribers of the lists. `count_online` returns the number of connected users."""

    def __init__(self, scheduler: Scheduler, index: TableIndex, count_online: Callable[[], int]) -> None:
        self._scheduler = scheduler
        self._index = index
        self._count_online = count_online
        self._matches: dict[TableFilter, _Matches] = {}
        self._groups: dict[ListQuery, _Group] = {}
        self._query_of: dict[Subscriber, ListQuery] = {}
        self._default = self._group(DEFAULT_QUERY)
        self._published_at = float("-inf")
        self._online = 0
        self._waiting = Waiting({}, 0)
        self._timer: Timer | None = None
        self._timer_at = float("inf")

    def __len__(self) -> int:
        return len(self._query_of)

    # -- subscribers ------------------------------------------------------------------------------------------

    def subscribe(self, subscriber: Subscriber, query: ListQuery = DEFAULT_QUERY) -> None:
        """Send the pages of a query, and then their changes; call it again after a dropped message."""
        if not self._query_of and self._online != self._count_online():
            self._set_online(self._count_online())
        if self._query_of.get(subscriber) != query:
            self.unsubscribe(subscriber)
        if query not in self._groups and len(self._groups) >= MAX_QUERIES:
            matches = {phase: self._found(page.filter) for phase, page in query.pages}
            subscriber.send(pages_of(query, matches).frame(self._online, self._waiting, is_live=False))
            return
        group = self._group(query)
        self._query_of[subscriber] = query
        group.subscribers[subscriber] = True
        if group.frame is None:
            group.frame = group.pages.frame(self._online, self._waiting)
        self._send(group, subscriber, group.frame)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send no more lists."""
        query = self._query_of.pop(subscriber, None)
        if query is None:
            return
        group = self._groups[query]
        del group.subscribers[subscriber]
        if not group.subscribers and group is not self._default:
            self._drop(group)

    def close(self) -> None:
        """Send nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._query_of.clear()
        for group in self._groups.values():
            group.subscribers.clear()

    # -- changes ----------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Take over all changes of the index without a message, before the first subscriber."""
        self._apply()
        self._waiting = self._index.waiting()
        for group in self._groups.values():
            group.update()
            group.frame = None

    def publish_soon(self, *, only_spectators: bool = False) -> None:
        """Publish the changes of the index, soon."""
        if only_spectators:
            self._publish_at(self._scheduler.time() + SPECTATORS_DELAY_SECONDS)
        else:
            self._publish_at(max(self._scheduler.time(), self._published_at + MIN_INTERVAL_SECONDS))

    def publish_any(self) -> None:
        """Publish the changes of the index, soon, if there are any."""
        if self._index.changed:
            self.publish_soon()

    def online_changed(self) -> None:
        """Publish the number of connected users after a while."""
        if self._query_of:
            self._publish_at(max(self._scheduler.time(), self._published_at + ONLINE_INTERVAL_SECONDS))

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
        self._apply()
        online, waiting = self._count_online(), self._index.waiting()
        has_news = online != self._online or waiting != self._waiting
        is_same = waiting == self._waiting
        told = {"waiting": None if is_same else waiting.by_game, "people": None if is_same else waiting.people}
        self._waiting = waiting
        self._set_online(online)
        for group in list(self._groups.values()):
            changes = group.update()
            if changes is None and not has_news:
                continue
            group.frame = None
            frame = Frame({"type": "tables_changed", **(changes or _NO_CHANGES), "online": online, **told})
            for subscriber, is_up_to_date in list(group.subscribers.items()):
                if is_up_to_date:
                    self._send(group, subscriber, frame)

    def _apply(self) -> None:
        changed, self._index.changed = self._index.changed, set()
        rows = [(table, self._index.get(table)) for table in changed]
        for matches in self._matches.values():
            for table, row in rows:
                matches.apply(table, row)

    def _set_online(self, online: int) -> None:
        if online != self._online:
            self._online = online
            for group in self._groups.values():
                group.frame = None

    def _send(self, group: _Group, subscriber: Subscriber, frame: Frame) -> None:
        # `send` may find the connection closed, which unsubscribes it.
        if not subscriber.send(frame) and subscriber in group.subscribers:
            group.subscribers[subscriber] = False

    # -- groups -----------------------------------------------------------------------------------------------

    def _group(self, query: ListQuery) -> _Group:
        group = self._groups.get(query)
        if group is None:
            matches = {
                phase: self._matches.setdefault(page.filter, self._found(page.filter)) for phase, page in query.pages
            }
            for one in matches.values():
                one.groups += 1
            group = self._groups[query] = _Group(query, matches)
        return group

    def _found(self, matched: TableFilter) -> _Matches:
        """Return the tables that match a filter, as they were last published."""
        known = self._matches.get(matched)
        if known is not None:
            return known
        everything = self._matches.get(TableFilter(matched.phase))
        return _Matches(matched) if everything is None else _Matches.among(everything, matched)

    def _drop(self, group: _Group) -> None:
        del self._groups[group.query]
        for phase, page in group.query.pages:
            matches = group.matches[phase]
            matches.groups -= 1
            if not matches.groups:
                del self._matches[page.filter]


_BOTH_UNCHANGED: Final[dict[str, Any]] = {"open": None, "running": None}
_NO_CHANGES: Final[dict[str, Any]] = {"changed": [], "gone": [], **_BOTH_UNCHANGED}
