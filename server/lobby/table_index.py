"""The public tables in the order of the lists.

The order must not let one person bury the tables of others. So a table is ranked by the people who are there, and a
person who sits at several tables counts at one of them only: of a hundred tables of one host, one is in front, and the
others come after those of everybody else. Among equals, the order does not change by itself, so that pages stay put.

Open tables with an absent host are not listed, unless they are played by the day. Nothing here reads a clock; the
directory says who is away.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from server.lobby.listed_table import LISTED_PHASES, ListedTable
from server.tables.api import Summary
from server.tables.pace import pace_of

Key = tuple[int, int, int, int, str]
"""The place of a table in the list of its phase; smaller ones come first."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexedTable:
    """A public table with its place in the list, and what queries ask for."""

    key: Key
    summary: Summary
    table: str
    phase: str
    game: str
    host: str
    present: frozenset[str]
    """The people at the table who are not away."""

    seats: int
    free: int
    clock: str
    pace: str
    language: str | None
    allows_spectators: bool
    people: int
    """The number of present people who count at this table and at no other."""

    text: str
    """The casefolded text that a search is compared with."""

    def is_same(self, other: IndexedTable) -> bool:
        """Return whether a table has the same row, place and people as another version of it."""
        return self.summary is other.summary and self.key == other.key and self.present == other.present

    @property
    def begins_when_full(self) -> bool:
        return bool(self.summary["settings"].get("begin") == "full")


class Waiting(NamedTuple):
    """The people who wait at open tables with a free seat."""

    by_game: dict[str, int]
    people: int
    """All of them, each counted once."""


class TableIndex:
    """All listed tables."""

    def __init__(self) -> None:
        self.changed: set[str] = set()
        """Tables whose row or place has changed; the lists take them from here."""

        self._entries: dict[str, ListedTable] = {}
        """All public tables, listed or not."""

        self._listed: dict[str, dict[str, IndexedTable]] = {phase: {} for phase in LISTED_PHASES}
        self._tables_of: dict[tuple[str, str], set[str]] = {}
        """By phase and user: the public tables at which the user sits."""

        self._counts_at: dict[tuple[str, str], str] = {}
        """By phase and user: the one table at which the user counts."""

        self._hosted: Counter[str] = Counter()
        self._waiting: dict[str, Counter[str]] = {}
        """By game: at how many open tables with a free seat each user sits."""

        self._waiting_anywhere: Counter[str] = Counter()
        self._away: frozenset[str] = frozenset()
        self._long_open: frozenset[str] = frozenset()

    # -- queries ----------------------------------------------------------------------------------------------

    def get(self, table: str) -> IndexedTable | None:
        """Return a listed table."""
        for listed in self._listed.values():
            if table in listed:
                return listed[table]
        return None

    def listed(self, phase: str) -> Iterable[IndexedTable]:
        """Return the listed tables of a phase, in no particular order."""
        return self._listed[phase].values()

    def counts(self) -> dict[str, int]:
        """Return the number of public tables in each phase, listed or not."""
        found = Counter(entry.phase for entry in self._entries.values())
        return {phase: found[phase] for phase in LISTED_PHASES}

    def count_hosted(self, user: str) -> int:
        """Return the number of open public tables that a user hosts, listed or not."""
        return self._hosted[user]

    def waiting(self) -> Waiting:
        """Return how many people wait at listed open tables with a free seat."""
        by_game = {game: len(users) for game, users in sorted(self._waiting.items()) if users}
        return Waiting(by_game, len(self._waiting_anywhere))

    # -- changes ----------------------------------------------------------------------------------------------

    def put(self, table: str, entry: ListedTable | None) -> None:
        """Set, replace or remove a table."""
        before = self._entries.pop(table, None)
        if entry is not None and entry.is_private:
            entry = None
        if entry is not None:
            self._entries[table] = entry
        if before is None and entry is None:
            return
        affected = {table}
        for one, difference in ((before, -1), (entry, 1)):
            if one is not None and one.phase == "open":
                self._add_host(one.summary["host"], difference)
        if before is not None:
            affected |= self._leave(table, before)
        if entry is not None:
            affected |= self._join(table, entry)
        self._refresh(affected)

    def set_away(self, away: frozenset[str]) -> None:
        """Set the users who are not connected, and have not been for a while."""
        changed = away ^ self._away
        self._away = away
        tables = {
            table for user in changed for phase in LISTED_PHASES for table in self._tables_of.get((phase, user), ())
        }
        self._refresh(tables)

    def is_away(self, user: str) -> bool:
        """Return whether a user has been away for a while."""
        return user in self._away

    def set_long_open(self, tables: frozenset[str]) -> None:
        """Set the open tables that have waited for long."""
        changed = tables ^ self._long_open
        self._long_open = tables
        self._refresh(changed)

    def _add_host(self, host: str, difference: int) -> None:
        self._hosted[host] += difference
        if not self._hosted[host]:
            del self._hosted[host]

    def _join(self, table: str, entry: ListedTable) -> set[str]:
        for user in entry.users:
            self._tables_of.setdefault((entry.phase, user), set()).add(table)
        return self._recount(entry)

    def _leave(self, table: str, entry: ListedTable) -> set[str]:
        for user in entry.users:
            tables = self._tables_of[entry.phase, user]
            tables.discard(table)
            if not tables:
                del self._tables_of[entry.phase, user]
        return self._recount(entry)

    def _recount(self, entry: ListedTable) -> set[str]:
        """Find out anew where the users of a table count, and return the tables for which that has changed."""
        affected: set[str] = set()
        for user in entry.users:
            key = entry.phase, user
            before, after = self._counts_at.pop(key, None), self._choose(key)
            if after is not None:
                self._counts_at[key] = after
            if before != after:
                affected |= {table for table in (before, after) if table is not None}
        return affected

    def _choose(self, key: tuple[str, str]) -> str | None:
        """Return the table at which a user counts: the oldest open one, the newest running one."""
        tables = self._tables_of.get(key)
        if not tables:
            return None
        choose = min if key[0] == "open" else max
        return choose(tables, key=lambda table: self._entries[table].age)

    # -- rows -------------------------------------------------------------------------------------------------

    def _refresh(self, tables: Iterable[str]) -> None:
        for table in tables:
            before, entry = self.get(table), self._entries.get(table)
            after = None if entry is None or self._is_hidden(entry) else self._indexed(table, entry)
            if before is None and after is None:
                continue
            if before is not None and after is not None and before.is_same(after):
                continue
            if before is not None:
                del self._listed[before.phase][table]
                self._count_waiting(before, -1)
            if after is not None:
                self._listed[after.phase][table] = after
                self._count_waiting(after, 1)
            self.changed.add(table)

    def _is_hidden(self, entry: ListedTable) -> bool:
        # People who play by the day need not be there at the same time.
        return entry.phase == "open" and entry.summary["host"] in self._away and not entry.is_by_the_day

    def _count_waiting(self, row: IndexedTable, difference: int) -> None:
        if row.phase != "open" or not row.free:
            return
        for users in (self._waiting.setdefault(row.game, Counter()), self._waiting_anywhere):
            for user in row.present:
                users[user] += difference
                if not users[user]:
                    del users[user]

    def _indexed(self, table: str, entry: ListedTable) -> IndexedTable:
        summary, settings, present = entry.summary, entry.summary["settings"], entry.users - self._away
        phase, created = entry.phase, summary["created"]
        free = sum(seat["user"] is None and seat["bot"] is None for seat in summary["seats"])
        people = sum(self._counts_at[phase, user] == table for user in present)
        if phase == "open":
            key = (int(not free), int(table in self._long_open), -people, created, table)
        else:
            key = (0, -people, -summary["spectators"].bit_length(), -created, table)
        return IndexedTable(
            key=key,
            summary=summary,
            table=table,
            phase=phase,
            game=summary["game"],
            host=summary["host"],
            present=frozenset(present),
            seats=len(summary["seats"]),
            free=free,
            clock=settings.get("clock", {}).get("kind", "none"),
            pace=pace_of(settings),
            language=settings.get("language"),
            allows_spectators=settings.get("spectators", True),
            people=people,
            text="\n".join(map(searchable, _texts(summary))),
        )


def _texts(summary: Summary) -> Iterator[str]:
    yield summary["table"]
    yield summary["settings"].get("name") or ""
    for seat in summary["seats"]:
        yield seat["name"] or ""


def searchable(text: str) -> str:
    """Return a text as searches compare it: casefolded, in one spelling, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
