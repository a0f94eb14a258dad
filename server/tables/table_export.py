"""The log of a whole table as text: people, chat and clocks besides the game, so that another server can continue it.

    {"log":"sanfrancisco-table/1","table":"k3xq7m2p","people":[{"user":…,"name":…,"sessions":{…}}],"chain":"5e0c…"}
    {"record":1,"at":1767225600000,"events":[{"event":"table_opened",…}],"chain":"91d4…"}

The lines form a hash chain like those of a game's log. The export holds everything about the table, secrets included.
Of a session it holds only the hash that the server stores, so that its owner can continue the session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgpack

from server.games.engine.game_log import NO_CHAIN, DamagedLog, GameLog, chained_line, checked_chain, json_object
from server.games.engine.play import Step
from server.tables.continuing import unpack_steps
from server.tables.entries import open_entry, read_entry
from server.tables.events import TABLE_EVENTS, TableOpened
from server.tables.state import TableState

FORM: Final = "sanfrancisco-table/1"


@dataclass(frozen=True, slots=True)
class Person:
    """A user at a table."""

    user: str
    name: str
    sessions: dict[str, int]
    """The last use of each session, in seconds since 1970, by its key in the store."""


@dataclass(frozen=True, slots=True)
class TableExport:
    """The exported log of a table."""

    table: str
    people: tuple[Person, ...]
    entries: tuple[bytes, ...]
    """The payloads of all log entries, as the store keeps them; at least the first one."""


class TableExportWriter:
    """A writer of one export. The caller stores the header, then the lines in the order in which they are returned."""

    def __init__(self, table: str, people: Sequence[Person]) -> None:
        listed = [{"user": one.user, "name": one.name, "sessions": one.sessions} for one in people]
        self.header, self._chain = chained_line({"log": FORM, "table": table, "people": listed}, NO_CHAIN)
        self._number = 0

    def add(self, at: int, new_events: list[Any]) -> str:
        """Return the line of the next entry, given its time and its events as JSON."""
        self._number += 1
        line, self._chain = chained_line({"record": self._number, "at": at, "events": new_events}, self._chain)
        return line


def write_table_export(log: TableExport) -> str:
    """Return the export of a table as text."""
    writer = TableExportWriter(log.table, log.people)
    return writer.header + "".join(writer.add(*msgpack.unpackb(entry)) for entry in log.entries)


def read_table_export(text: str) -> TableExport:
    """Return the export in a text, checked line by line; raise `DamagedLog` for any other text.

    The meaning of the events is not checked here, but in `replayed`.
    """
    *lines, rest = text.split("\n")
    if rest or not lines:
        raise DamagedLog(f"Line {len(lines) + 1} is damaged: it is cut short: the line break at its end is missing.")
    table, people = _read_header(lines[0])
    chain = checked_chain(lines[0], 1, NO_CHAIN)
    entries = []
    for number, line in enumerate(lines[1:], 1):
        chain = checked_chain(line, number + 1, chain)
        entries.append(_read_line(line, number))
    if not entries:
        raise DamagedLog("The log ends before the table is opened: it has a header and no entry.")
    return TableExport(table, people, tuple(entries))


def replayed(log: TableExport) -> TableState:
    """Return the state of a table after its log; raise `DamagedLog` if the log cannot be replayed."""
    return _replay(log)[0]


def game_of(log: TableExport) -> GameLog:
    """Return the game within the log of a table; raise `DamagedLog` if it has not begun or cannot be replayed.

    A game that goes on from another one begins with the steps of that one.
    """
    state, steps = _replay(log)
    if not steps:
        raise DamagedLog("The game at this table has not begun yet, so there is nothing to show.")
    first = read_entry(log.entries[0], None)[0]
    assert isinstance(first, TableOpened), "a log that was replayed begins with it"
    return GameLog(state.game, first.rules_version, tuple(steps))


def _replay(log: TableExport) -> tuple[TableState, list[Step]]:
    state: TableState | None = None
    steps: list[Step] = []
    for number, entry in enumerate(log.entries, 1):
        try:
            if state is None:
                state = open_entry(entry)
            else:
                new_events = read_entry(entry, state.settings.game)
                has_begun = state.play is not None
                state.apply(new_events)
                if state.continued is not None and state.play is not None and not has_begun:
                    steps += unpack_steps(state.settings.game, state.continued.steps)
                step = [event for event in new_events if not isinstance(event, TABLE_EVENTS)]
                steps += [step] if step else []
        except Exception as error:
            # Rules trust events, so an invalid one can make them fail with any exception.
            sentence = f"Line {number + 1} is damaged: it contradicts the rules or the lines before it."
            raise DamagedLog(sentence) from error
    assert state is not None, "a log has at least one entry"
    if state.id != log.table:
        raise DamagedLog("Line 1 is damaged: it names another table than the lines after it.")
    return state, steps


def _read_header(line: str) -> tuple[str, tuple[Person, ...]]:
    match json_object(line):
        case {"log": str(form), "table": str(table), "people": list(people), "chain": _, **rest} if not rest:
            if form != FORM:
                raise DamagedLog(f"The log has the form {form[:40]!r}; only {FORM!r} can be imported here.")
            return table, tuple(map(_read_person, people))
    raise DamagedLog("Line 1 is damaged: it is not the header of a table's log.")


def _read_person(json_value: Any) -> Person:
    match json_value:
        case {"user": str(user), "name": str(name), "sessions": dict(sessions), **rest} if not rest:
            if all(key.startswith(f"{user}.") and type(used) is int for key, used in sessions.items()):
                return Person(user, name, sessions)
    raise DamagedLog("Line 1 is damaged: a person has an id, a name and sessions.")


def _read_line(line: str, number: int) -> bytes:
    match json_object(line):
        case {"record": int(place), "at": int(at), "events": list(new_events), "chain": _, **rest} if not rest:
            if place != number:
                raise DamagedLog(f"Line {number + 1} is damaged or out of place: record {number} is expected here.")
            try:
                packed: bytes = msgpack.packb([at, new_events])
            except (ValueError, OverflowError):
                raise DamagedLog(f"Line {number + 1} is damaged: it holds a value that no record can hold.") from None
            return packed
    raise DamagedLog(f"Line {number + 1} is damaged: it is not a record of a table.")
