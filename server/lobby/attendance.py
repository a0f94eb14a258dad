"""Open tables whose people are away: they leave the list, get another host, or are closed.

A host who is not connected to any worker for a while counts as away. If somebody else sits there and is connected, that
person becomes the host. Otherwise the table leaves the public list until its host is back, and is closed if nobody
comes. Private tables burden no list: the host, who may be sending out the invite link, has longer, and the table is not
closed here. Running games are left alone, and so are tables that are played by the day.

The clock of a user starts when this process first misses the user. So after a restart everybody has the whole time to
come back, whatever the storage says.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from server.lobby.directory import TableDirectory
from server.lobby.lists import Scheduler, Timer
from server.tables.messages import PeopleAway

INTERVAL_SECONDS: Final = 5.0
"""The time between two looks at all tables."""

AWAY_SECONDS: Final = 45.0
"""A user who has not been connected for so long is away; with the interval it is less than a minute."""

PRIVATE_AWAY_SECONDS: Final = 540.0
"""The same for the host of a private table."""

CLOSED_SECONDS: Final = 540.0
"""An open public table is closed when nobody there has been connected for so long; in all, within ten minutes."""

LONG_OPEN_SECONDS: Final = 3_600.0
"""A table that has been open for so long comes after the others in the list."""

MAX_CLOSED: Final = 100
"""Tables that are closed in one look; the others follow in the next ones."""


class Attendance:
    """Looks at all open tables every few seconds.

    `notify` sends a message to a table. In a cluster every worker looks; `is_responsible` says for which tables this
    one acts.
    """

    def __init__(
        self,
        directory: TableDirectory,
        notify: Callable[[str, PeopleAway], None],
        scheduler: Scheduler,
        is_responsible: Callable[[str], bool] = lambda table: True,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._directory = directory
        self._notify = notify
        self._scheduler = scheduler
        self._is_responsible = is_responsible
        self._wall_clock = wall_clock
        self._missed_since: dict[str, float] = {}
        """By user who sits at a table: since when the user has not been connected."""

        self._away: frozenset[str] = frozenset()
        self._timer: Timer | None = None
        directory.on_connected = self._on_connected

    def start(self) -> None:
        """Look now, and then every few seconds."""
        self._look()

    def close(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_connected(self, user_id: str) -> None:
        """List the tables of a host who is back at once."""
        self._missed_since.pop(user_id, None)
        if user_id in self._away:
            self._set_away(self._away - {user_id})

    def _set_away(self, away: frozenset[str]) -> None:
        self._away = away
        self._directory.set_away(away)

    def _look(self) -> None:
        now = self._scheduler.time()
        self._timer = self._scheduler.call_at(now + INTERVAL_SECONDS, self._look)
        missing = [user for user in self._directory.people() if not self._directory.is_connected(user)]
        self._missed_since = {user: self._missed_since.get(user, now) for user in missing}
        self._set_away(frozenset(user for user, since in self._missed_since.items() if now - since >= AWAY_SECONDS))
        self._look_at_tables(now)

    def _look_at_tables(self, now: float) -> None:
        long_ago = (self._wall_clock() - LONG_OPEN_SECONDS) * 1000
        long_open: list[str] = []
        closed = 0
        for table, entry in self._directory.open_entries():
            if entry.is_by_the_day:
                continue
            if not entry.is_private and entry.summary["created"] < long_ago:
                long_open.append(table)
            missed_since = self._missed_since.get(entry.summary["host"], now)
            if now - missed_since < (PRIVATE_AWAY_SECONDS if entry.is_private else AWAY_SECONDS):
                continue
            users = entry.users
            connected = frozenset(user for user in users if user not in self._missed_since)
            closes = not connected and not entry.is_private and self._are_long_gone(users, now)
            if (connected or (closes and closed < MAX_CLOSED)) and self._is_responsible(table):
                closed += closes
                self._notify(table, PeopleAway(connected, closes))
        self._directory.set_long_open(frozenset(long_open))

    def _are_long_gone(self, users: set[str], now: float) -> bool:
        return all(now - self._missed_since.get(user, now) >= CLOSED_SECONDS for user in users)
