"""The log of a whole table as text: people, talk and clocks beside the game, so that it can go on somewhere else.

    {"log":"sanfrancisco-table/1","table":"k3xq7m2p","people":[{"user":…,"name":…,"sessions":{…}}],"chain":"5e0c…"}
    {"record":1,"at":1767225600000,"events":[{"event":"table_opened",…}],"chain":"91d4…"}

The lines are chained like those of a game's log. Everything is in it that the server knows of the table, secrets
included. Of a session there is only the hash that the server keeps too, so that whoever has the session can go on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgpack

from server.games.engine.game_log import NO_CHAIN, DamagedLog, GameLog, chained_line, checked_chain, json_object
from server.games.engine.play import Step
from server.tables.entries import open_entry, read_entry
from server.tables.events import TABLE_EVENTS, TableOpened
from server.tables.state import TableState

FORM: Final = "sanfrancisco-table/1"


@dataclass(frozen=True, slots=True)
class Person:
    """A user who had something to do with a table."""

    user: str
    name: str
    sessions: dict[str, int]
    """When each session was last used, in seconds since 1970, by the key under which it is kept."""


@dataclass(frozen=True, slots=True)
class TableExport:
    """A table as it was written down."""

    table: str
    people: tuple[Person, ...]
    entries: tuple[bytes, ...]
    """What was appended, each as the store keeps it; at least the opening."""


def write_table_export(log: TableExport) -> str:
    """Give the whole log of a table as text."""
    people = [{"user": one.user, "name": one.name, "sessions": one.sessions} for one in log.people]
    line, chain = chained_line({"log": FORM, "table": log.table, "people": people}, NO_CHAIN)
    lines = [line]
    for number, entry in enumerate(log.entries, 1):
        at, new_events = msgpack.unpackb(entry)
        line, chain = chained_line({"record": number, "at": at, "events": new_events}, chain)
        lines.append(line)
    return "".join(lines)


def read_table_export(text: str) -> TableExport:
    """Give the table that a text tells of, checked line by line; raise `DamagedLog` for any other text.

    What the events mean is not asked here; `replayed` asks that.
    """
    *lines, rest = text.split("\n")
    if rest or not lines:
        raise DamagedLog(f"Line {len(lines) + 1} is damaged: it is cut short, for no line break ends it.")
    table, people = _read_header(lines[0])
    chain = checked_chain(lines[0], 1, NO_CHAIN)
    entries = []
    for number, line in enumerate(lines[1:], 1):
        chain = checked_chain(line, number + 1, chain)
        entries.append(_read_line(line, number))
    if not entries:
        raise DamagedLog("The log ends before the table is opened: it has a header and no record.")
    return TableExport(table, people, tuple(entries))


def replayed(log: TableExport) -> TableState:
    """Give the table that a log leads to; raise `DamagedLog` if nothing can be made of it."""
    return _fold(log)[0]


def game_of(log: TableExport) -> GameLog:
    """Give the game within the log of a table; raise `DamagedLog` if it has not begun or makes no sense."""
    state, steps = _fold(log)
    if not steps:
        raise DamagedLog("The game at this table has not begun yet, so there is nothing to show.")
    first = read_entry(log.entries[0], None)[0]
    assert isinstance(first, TableOpened), "a log that was folded begins so"
    return GameLog(state.game, first.rules_version, tuple(steps))


def _fold(log: TableExport) -> tuple[TableState, list[Step]]:
    state: TableState | None = None
    steps: list[Step] = []
    for number, entry in enumerate(log.entries, 1):
        try:
            if state is None:
                state = open_entry(entry)
            else:
                new_events = read_entry(entry, state.settings.game)
                state.apply(new_events)
                step = [event for event in new_events if not isinstance(event, TABLE_EVENTS)]
                steps += [step] if step else []
        except Exception as stumble:
            # Rules take an event at its word, so a senseless one can make them fail in any way at all.
            sentence = f"Line {number + 1} is damaged: it contradicts the rules or the lines before it."
            raise DamagedLog(sentence) from stumble
    assert state is not None, "a log has at least one record"
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
                raise DamagedLog(f"Line {number + 1} is damaged or out of place: record {number} should stand there.")
            try:
                packed: bytes = msgpack.packb([at, new_events])
            except (ValueError, OverflowError):
                raise DamagedLog(f"Line {number + 1} is damaged: it holds what no record can hold.") from None
            return packed
    raise DamagedLog(f"Line {number + 1} is damaged: it is not a record of a table.")
