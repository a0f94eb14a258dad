"""What a recipient would see on the page, from the directory of tables: also of tables that no worker has in memory.

The directory knows all tables, and each user's status at them. In a cluster the statuses of tables at other workers
come from the store, where every move leaves them; see `server.cluster.statuses`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import Any, Final

from server.lobby.directory import TableDirectory
from server.notifications.planning import InvitationNow, Situation, TableNow
from server.people.invitations import INVITATION
from server.store.api import KeyValueStore
from server.tables.api import NO_STATUS

_PAGE: Final = 1_000

Refresh = Callable[[Collection[str]], Awaitable[None]]
"""Brings the statuses of tables up to date in the directory, before they are looked at."""


async def nothing_to_refresh(tables: Collection[str]) -> None:
    """Do nothing: a process that is alone has all statuses in its directory."""


class Situations:
    """Returns the situations of recipients."""

    def __init__(self, directory: TableDirectory, key_values: KeyValueStore, refresh: Refresh) -> None:
        self._directory = directory
        self._key_values = key_values
        self._refresh = refresh

    def is_looking(self, user_id: str) -> bool:
        """Return whether a person has a page open that can be seen."""
        return self._directory.is_looking(user_id)

    def is_listed(self, table: str) -> bool:
        """Return whether a table is open or running."""
        return self._directory.listed(table) is not None

    async def refresh(self, keys: Iterable[str]) -> None:
        """Bring the statuses of the running tables of recipients up to date."""
        tables = {table for key in keys for table in self._tables(key)}
        await self._refresh([table for table in tables if self._is_running(table)])

    async def invitations(self) -> dict[str, list[InvitationNow]]:
        """Return all invitations that are of use, by the id of the person who is invited."""
        found: dict[str, list[InvitationNow]] = {}
        after = ""
        while True:
            page = await self._key_values.page(INVITATION, after, _PAGE)
            for key, value, _ in page:
                user_id, _, table = key.partition(".")
                if self._directory.is_open(table):
                    stored = json.loads(value)
                    invitation = InvitationNow(table, stored["game"], stored["by"], stored["at"])
                    found.setdefault(user_id, []).append(invitation)
            if len(page) < _PAGE:
                return found
            after = page[-1].key

    def of(self, key: str, invitations: Collection[InvitationNow] = ()) -> Situation:
        """Return the situation of a recipient."""
        name = key[2:]
        if key.startswith("t."):
            return Situation(self._of_table(name), (), lambda table: not self.is_listed(table))
        tables = tuple(map(_own_table, self._directory.own_tables(name)))
        own_tables = {table.table for table in tables}
        wanted = tuple(each for each in invitations if each.table not in own_tables)
        return Situation(tables, wanted, lambda table: not self.is_listed(table))

    def _of_table(self, table: str) -> tuple[TableNow, ...]:
        entry = self._directory.listed(table)
        if entry is None:
            return ()
        status = entry.status or NO_STATUS
        # That somebody is awaited is no secret: else the game would go on. Until when depends on who it is. Where
        # spectators are shown the game later, a channel is told of no decision at all.
        is_told = bool(status.awaited) and not entry.summary["settings"].get("spectators_delayed")
        return (_table_now(entry.summary, is_told, status.about, status.since, None),)

    def _tables(self, key: str) -> list[str]:
        if key.startswith("t."):
            return [key[2:]]
        return [summary["table"] for summary in self._directory.tables_of(key[2:])]

    def _is_running(self, table: str) -> bool:
        entry = self._directory.listed(table)
        return entry is not None and entry.phase == "running"


def _own_table(own: dict[str, Any]) -> TableNow:
    """Return a table as one of its people sees it. Who is on holiday there need not come back for it."""
    is_awaited = own["awaited"] and own["holiday"] is None
    return _table_now(own, is_awaited, own["about"], own["since"], own["deadline"])


def _table_now(
    summary: dict[str, Any], is_awaited: bool, about: str | None, since: int | None, deadline: int | None
) -> TableNow:
    return TableNow(
        table=summary["table"],
        game=summary["game"],
        name=summary["settings"]["name"],
        phase=summary["phase"],
        is_awaited=is_awaited,
        decision=about if is_awaited else None,
        since=since,
        deadline=deadline if is_awaited else None,
    )
