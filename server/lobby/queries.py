"""Queries of subscribers of the lists: the wanted tables of each phase, and the page of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from protocol.messages import ANY_TABLE, ListTables, TableQuery
from server.lobby.table_index import IndexedTable, Key, searchable


class TableFilter(NamedTuple):
    """The conditions of a query. Equal filters share one list of the tables that match."""

    phase: str
    game: str | None = None
    seats: int | None = None
    free: bool = False
    clock: str | None = None
    pace: str | None = None
    language: str | None = None
    spectators: bool = False
    search: str = ""

    def matches(self, row: IndexedTable) -> bool:
        """Return whether a table meets all conditions."""
        return (
            row.phase == self.phase
            and self.game in (None, row.game)
            and self.seats in (None, row.seats)
            and (not self.free or row.free > 0)
            and self.clock in (None, row.clock)
            and self.pace in (None, row.pace)
            and (self.language is None or row.language in (None, self.language))
            and (not self.spectators or row.allows_spectators)
            and self.search in row.text
        )


class PageQuery(NamedTuple):
    """A page of the tables that match a filter: the first `limit` ones after a place."""

    filter: TableFilter
    limit: int
    after: Key | None


class ListQuery(NamedTuple):
    """The pages that one subscriber gets; None: none of that phase."""

    open: PageQuery | None
    running: PageQuery | None

    @property
    def pages(self) -> tuple[tuple[str, PageQuery], ...]:
        """Return the pages by phase, in the order in which they are sent."""
        both = (("open", self.open), ("running", self.running))
        return tuple((phase, page) for phase, page in both if page is not None)


def read_query(request: ListTables) -> ListQuery:
    """Return the query of a request."""
    return ListQuery(_page("open", request.open), _page("running", request.running))


def _page(phase: str, query: TableQuery | None) -> PageQuery | None:
    if query is None:
        return None
    matched = TableFilter(
        phase,
        query.game,
        query.seats,
        query.free,
        query.clock,
        query.pace,
        query.language,
        query.spectators,
        searchable(query.search or ""),
    )
    return PageQuery(matched, query.limit, None if query.after is None else read_cursor(query.after))


def cursor(key: Key) -> str:
    """Return the place of a table as the text that a client sends back for the next page."""
    return ".".join(map(str, key))


def read_cursor(text: str) -> Key:
    """Return the place that a cursor names. The protocol has checked its form."""
    *numbers, table = text.split(".")
    first, second, third, fourth = map(int, numbers)
    return first, second, third, fourth, table


DEFAULT_QUERY: Final = ListQuery(_page("open", ANY_TABLE), _page("running", ANY_TABLE))
"""The first page of all open and of all running tables."""
