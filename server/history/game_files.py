"""The logs of finished games as files: download, transcript and import.

A downloaded log has nothing that would let its reader act as somebody, or into another table: no sessions, no keys, and
no chat that the reader could not see. An imported log becomes a finished private table that belongs to nobody.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from server.fairness.transcript import TranscriptBuilder, transcript_text
from server.games.engine.events import Event, Viewer
from server.games.engine.serialization import to_json
from server.history.finished import FinishedGames, unreadable
from server.history.slots import Crowded, Slots
from server.model import Done, Refused, Reply, User
from server.store.api import LogDamaged
from server.tables import events
from server.tables.entries import UnreadableEntry
from server.tables.imported_log import Opening
from server.tables.people import FORMER_NAME
from server.tables.results import refused
from server.tables.sharing import shared_key
from server.tables.state import TableState
from server.tables.table_export import Person, TableExportWriter
from server.tables.views import named_by

log = logging.getLogger(__name__)

CHECK_SECONDS: Final = 60.0
CHECKS_AT_ONCE: Final = 2
"""Imported logs that this process checks at the same time. Nobody who reads a log waits for these."""

MAX_WAITING: Final = 32
"""Imports that may wait for that; one more is refused as `busy`."""

_COMMAND: Final = (sys.executable, "-m", "server.history.import_worker")
_FOLDER: Final = Path(__file__).parents[2]
"""The working directory of the process, so that it imports this very package."""


class GameFiles:
    """Downloads, transcripts and imports.

    `entropy` returns 32 fresh random bytes; `is_former`, whether a user was deleted.
    """

    def __init__(
        self,
        games: FinishedGames,
        table_id: Callable[[User, str], str],
        entropy: Callable[[], bytes],
        is_former: Callable[[str], bool] = lambda user: False,
        command: Sequence[str] = _COMMAND,
        on_imported: Callable[[str], None] = lambda table: None,
    ) -> None:
        self._games = games
        self._table_id = table_id
        self._entropy = entropy
        self._is_former = is_former
        self._command = command
        self._on_imported = on_imported
        self._checks = Slots(CHECKS_AT_ONCE, MAX_WAITING)

    async def download(self, user: User, table: str, key: str | None) -> str | Refused:
        """Return the log of a finished game as text, or the refusal."""
        refusal = await self._games.not_for(user, table, key)
        if refusal is not None:
            return refusal
        last: TableState | None = None
        try:
            async with self._games.slot() as job:
                entries: list[tuple[int, Sequence[Event]]] = []
                async for _, last, new_events in self._games.entries(table, job):
                    entries.append((last.entry_at or last.created, self._without_former(last, new_events)))
                if last is None:
                    return refused("no_such_table")
                viewer = last.seat_of(user.id)
                writer = TableExportWriter(table, self._people(last))
                text = [writer.header]
                for at, new_events in entries:
                    await job.give_way()
                    told = [to_json(event) for event in _downloaded(new_events, viewer)]
                    if told:
                        text.append(writer.add(at, told))
        except Crowded:
            return refused("busy")
        except (LogDamaged, UnreadableEntry) as error:
            return unreadable(table, error)
        return "".join(text)

    async def transcript(self, user: User, table: str, key: str | None) -> str | Refused:
        """Return the transcript of a finished game as text, for those who may download its log, or the refusal."""
        refusal = await self._games.not_for(user, table, key)
        if refusal is not None:
            return refusal
        builder: TranscriptBuilder | None = None
        try:
            async with self._games.slot() as job:
                async for _, state, new_events in self._games.entries(table, job):
                    builder = builder or TranscriptBuilder()
                    builder.add(state, new_events)
                if builder is None:
                    return refused("no_such_table")
                await job.give_way()
                return transcript_text(builder.transcript())
        except Crowded:
            return refused("busy")
        except (LogDamaged, UnreadableEntry) as error:
            return unreadable(table, error)

    def _people(self, table: TableState) -> list[Person]:
        """Return the people who sat at a table, without their sessions."""
        people = [(chair.user, chair.name or "") for chair in table.chairs if chair.user is not None]
        return [Person(user, FORMER_NAME if self._is_former(user) else name, {}) for user, name in people]

    def _without_former(self, table: TableState, new_events: Sequence[Event]) -> list[Event]:
        """Return the events of an entry without the names of people who were deleted."""
        told: list[Event] = []
        for event in new_events:
            user = named_by(table, event)
            if user is not None and self._is_former(user):
                assert isinstance(event, (events.SeatTaken, events.SeatRenamed, events.Said))
                told.append(replace(event, display_name=FORMER_NAME))
            else:
                told.append(event)
        return told

    async def import_log(self, user: User, text: bytes) -> Reply:
        """Store the log in a file as a finished table; return its id and the key of the shared game."""
        digest = sha256(text).hexdigest()
        # The same file of the same user is the same table.
        table = self._table_id(user, f"import {digest}")
        store = self._games.store
        if await store.head(table) is not None:
            return Done({"table": table, "key": await shared_key(store.key_values, table, self._entropy)})
        opening = Opening(table, user.id, self._entropy().hex()[:32], self._entropy().hex()[:32])
        try:
            async with self._checks.slot():
                checked = await self._checked(text, opening)
        except Crowded:
            return refused("busy")
        if isinstance(checked, Refused):
            return checked
        entries = [base64.b64decode(entry) for entry in checked["entries"]]
        await store.create(table, "over", base64.b64decode(checked["summary"]), entries)
        self._on_imported(table)
        return Done({"table": table, "key": await shared_key(store.key_values, table, self._entropy)})

    async def _checked(self, text: bytes, opening: Opening) -> dict[str, Any] | Refused:
        """Return what the checking process says: entries and summary, or the refusal."""
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=_FOLDER
        )
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                head = json.dumps(list(opening)).encode() + b"\n"
                output, _ = await process.communicate(head + text)
            result = json.loads(output) if process.returncode == 0 else None
        except (TimeoutError, ValueError):
            result = None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if not isinstance(result, dict):
            # A negative status is a signal: the process was killed at a limit. Any other one tells of a defect.
            log.warning("imported log not checked", extra={"status": process.returncode, "bytes": len(text)})
            sentence = "The log takes more time or memory to check than any game needs."
            return Refused("bad_log", sentence, "large")
        return Refused("bad_log", result["sentence"]) if "sentence" in result else result


def _downloaded(new_events: Sequence[Event], viewer: Viewer) -> list[Event]:
    """Return the events of an entry that a downloaded log has."""
    told: list[Event] = []
    for event in new_events:
        match event:
            case events.TableOpened():
                # Another key, from which the key of the table does not follow.
                key = sha256(f"downloaded {event.key}".encode()).hexdigest()[:32]
                told.append(replace(event, key=key, secret=None))
            case events.NextOpened() | events.RhythmSet() | events.CommentaryKeyMade():
                continue
            case events.Said() if event.is_hidden_from(viewer):
                continue
            case _:
                told.append(event)
    return told
