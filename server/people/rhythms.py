"""The weekly rhythms of people, and which ones they may have."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from typing import Any, Final, Protocol

from protocol.messages import AdoptRhythm, WeeklyRhythm
from server.model import Done, Refused, Reply, User
from server.store.api import KeyValueStore
from server.tables.api import Tables
from server.tables.pace import pace_of
from server.tables.results import refused
from server.tables.rhythm import MIN_WEEKLY_HOURS, Rhythm, zone_names

RHYTHM: Final = "rhythm"
"""Kind of the stored values; a key is the id of the user."""


class TablesOfUsers(Protocol):
    """Where people sit; see `server.lobby.directory`."""

    def tables_of(self, user_id: str) -> list[dict[str, Any]]: ...


class Rhythms:
    """The rhythms of all people; their clock always runs unless they have one."""

    def __init__(self, key_values: KeyValueStore) -> None:
        self._key_values = key_values

    async def of_people(self, user_ids: Iterable[str]) -> dict[str, Rhythm | None]:
        """Return the rhythms of these users, or None."""
        return {user_id: await self._read(user_id) for user_id in user_ids}

    async def shown(self, user_id: str) -> dict[str, Any] | None:
        """Return the rhythm of a user as a client sends it, which is all that is stored; None if there is none."""
        value = await self._key_values.get(RHYTHM, user_id)
        stored: dict[str, Any] | None = None if value is None else json.loads(value)
        return stored

    async def keep(self, user_id: str, rhythm: Rhythm | None) -> None:
        """Store the rhythm of a user, or delete it."""
        if rhythm is None:
            await self._key_values.delete(RHYTHM, user_id)
            return
        stored = {"zone": rhythm.zone, "start": rhythm.start, "end": rhythm.end, "days": list(rhythm.days)}
        await self._key_values.put(RHYTHM, user_id, json.dumps(stored, separators=(",", ":")).encode())

    async def _read(self, user_id: str) -> Rhythm | None:
        stored = await self.shown(user_id)
        if stored is None:
            return None
        return Rhythm(stored["zone"], stored["start"], stored["end"], tuple(stored["days"]))


class RhythmChanges:
    """Changes rhythms, and lets tables by the day take them over."""

    def __init__(self, rhythms: Rhythms, seats: TablesOfUsers, tables: Tables) -> None:
        self._rhythms = rhythms
        self._seats = seats
        self._tables = tables

    async def change(self, user: User, asked: WeeklyRhythm | None) -> Reply:
        """Return the reply to a user who wants another rhythm."""
        rhythm = None if asked is None else read_rhythm(asked)
        if isinstance(rhythm, Refused):
            return rhythm
        await self._rhythms.keep(user.id, rhythm)
        for summary in self._seats.tables_of(user.id):
            if pace_of(summary.get("settings", {})) == "days":
                request_id = f"rhythm.{secrets.token_hex(8)}"
                adopt = AdoptRhythm(type="adopt_rhythm", id=request_id, table=summary["table"])
                # A table that does not answer reads the rhythm when it is loaded.
                self._tables.ask(user, adopt, lambda reply: None)
        return Done()


def read_rhythm(asked: WeeklyRhythm) -> Rhythm | Refused:
    """Return the rhythm that a user wants, or the refusal: games must go on."""
    if asked.zone not in zone_names():
        return Refused("bad_rhythm", "The server does not know that time zone.", "zone")
    rhythm = Rhythm(asked.zone, asked.start, asked.end, tuple(sorted(set(asked.days))))
    return rhythm if rhythm.weekly_minutes >= MIN_WEEKLY_HOURS * 60 else refused("bad_rhythm")
