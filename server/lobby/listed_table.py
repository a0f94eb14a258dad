"""A table as the lists keep it: its summary for everybody, and its status for the people who sit there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from protocol.codec import Encoding, decode
from protocol.messages import TableSummary
from server.store.api import TableRow
from server.tables.api import NO_STATUS, Summary, TableStatus
from server.tables.pace import pace_of
from server.tables.people import FORMER_NAME
from server.tables.settings import completed
from server.tables.summary import unpack_status

log = logging.getLogger(__name__)

LISTED_PHASES: Final = ("open", "running")


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in the lists. `status` is None where it is not known: an earlier version has stored the table."""

    summary: Summary
    is_private: bool
    status: TableStatus | None

    @property
    def phase(self) -> str:
        phase: str = self.summary["phase"]
        return phase

    @property
    def age(self) -> tuple[int, str]:
        """Return the sort key of the lists."""
        return self.summary["created"], self.summary["table"]

    @property
    def is_by_the_day(self) -> bool:
        return pace_of(self.summary["settings"]) == "days"

    @property
    def wake(self) -> int | None:
        """Return the time at which the table has to be in memory, since it goes on by itself."""
        return None if self.status is None else self.status.wake

    @property
    def users(self) -> set[str]:
        return {seat["user"] for seat in self.summary["seats"] if seat["user"] is not None}

    def shown_to(self, user_id: str) -> dict[str, Any]:
        """Return the table in the list of a user who sits there; of who is awaited, only whether the user is."""
        status = self.status or NO_STATUS
        is_awaited = user_id in status.awaited
        seat = next(seat for seat, chair in enumerate(self.summary["seats"]) if chair["user"] == user_id)
        return {
            **self.summary,
            "seat": seat,
            "awaited": is_awaited,
            "about": status.about,
            "since": status.since,
            "deadline": status.deadlines.get(user_id) if is_awaited else None,
            "holiday": status.holidays.get(user_id),
            "progress": status.progress,
        }


def listed_tables(rows: Iterable[TableRow]) -> Iterator[tuple[str, ListedTable]]:
    """Yield the tables of these rows that belong in the lists, by id."""
    for row in rows:
        if row.phase not in LISTED_PHASES:
            continue
        try:
            stored = decode(row.summary, Encoding.MSGPACK)
            summary = TableSummary.model_validate(stored["summary"]).model_dump()
            is_private = bool(stored["private"])
            status = unpack_status(stored) if row.phase == "running" else NO_STATUS
        except (ValueError, KeyError, TypeError):
            log.warning("table not listed", extra={"table": row.table})
            continue
        if summary["phase"] in LISTED_PHASES:
            summary |= {"settings": completed(summary["settings"]), "spectators": 0}
            yield row.table, ListedTable(summary, is_private, status)


def without_former(summary: Summary, is_former: Callable[[str], bool]) -> Summary:
    """Return a summary with "former player" in place of people who were deleted."""
    seats = summary["seats"]
    if not any(seat["user"] is not None and is_former(seat["user"]) for seat in seats):
        return summary
    shown = [
        {**seat, "name": FORMER_NAME, "handle": None, "former": True}
        if seat["user"] is not None and is_former(seat["user"])
        else seat
        for seat in seats
    ]
    return {**summary, "seats": shown}
