"""An exported log from anybody, made into the log of a finished table that belongs to nobody.

A hash chain proves that a file is whole, not that it is true: anybody can write one. So everything in it is checked
before it is stored: sizes, names, settings, and that the rules can replay it and every viewer can see each step. No
person in the file is a user here, and what people wrote is left out. This runs in a process of its own
(`server/history/import_worker.py`), since the rules trust the events that they replay.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, get_args

from protocol.base import Strength
from protocol.messages import TableSettings
from server.games.engine.events import Event
from server.games.engine.game_log import DamagedLog
from server.games.engine.play import public_play
from server.games.engine.serialization import to_json
from server.model import Refused
from server.tables import events
from server.tables.answer_secrecy import is_step
from server.tables.bot_styles import STYLES
from server.tables.continuing import unpack_steps
from server.tables.entries import read_dated, write_entry
from server.tables.replay_steps import StepFolder, checkpoints_between, events_seen, opened_hands
from server.tables.settings import read_settings
from server.tables.state import TableState, opened
from server.tables.summary import pack_summary
from server.tables.table_export import TableExport, read_table_export
from server.tables.views import table_view
from server.text import BadText, clean_name

MAX_LINE_CHARACTERS: Final = 256 * 1024
MAX_ENTRIES: Final = 20_000
MAX_ENTRY_SECONDS: Final = 0.5
"""Processor time for one entry and its views; a game needs a hundredth of it."""

_MAX_NUMBER: Final = 10_000
"""The largest number in an event of a game: reducers make lists of some of them."""

_MAX_SEATS: Final = 16
_MAX_LIST: Final = 200
_MAX_TEXT: Final = 100
_MAX_COMMAND: Final = 2_000
"""Characters of a command as JSON; games need a quarter of it."""

_MAX_TIME: Final = 2**45
"""Far in the future, in milliseconds since 1970."""

_MAX_AHEAD: Final = 86_400_000
"""Milliseconds by which the clock of another server may be ahead. Games of the future would stay the latest ones."""

_STRENGTHS: Final = get_args(Strength)


class ImportedLog(NamedTuple):
    """The log of a new table: the payloads of its entries, and its summary."""

    entries: list[bytes]
    summary: bytes


class Opening(NamedTuple):
    """What is new at the table: its id, the user who imports, its key, and the secret of its proofs."""

    table: str
    user: str
    key: str
    secret: str


def read_imported(text: str, opening: Opening, now: Callable[[], float] = time.process_time) -> ImportedLog:
    """Return the log of a new table from the text of an export; raise `DamagedLog` with a sentence if that is bad."""
    if max(map(len, text.split("\n"))) > MAX_LINE_CHARACTERS:
        raise DamagedLog("The log has a line that is longer than any game needs.")
    export = read_table_export(text)
    if len(export.entries) > MAX_ENTRIES:
        raise DamagedLog("The log has more entries than any game needs.")
    return _Importer(opening, export, now).read()


class _Importer:
    def __init__(self, opening: Opening, export: TableExport, now: Callable[[], float]) -> None:
        self._opening = opening
        self._export = export
        self._now = now
        self._users: dict[str, str] = {}
        self._time = 0
        self._latest = round(time.time() * 1000) + _MAX_AHEAD

    def read(self) -> ImportedLog:
        entries: list[bytes] = []
        table: TableState | None = None
        folder = StepFolder()
        for number, payload in enumerate(self._export.entries, 1):
            begun = self._now()
            try:
                at, found = read_dated(payload, None if table is None else table.settings.game)
                new_events = self._checked(at, found)
                if new_events:
                    table = _applied(table, new_events, at)
                    self._look(folder, number, table, new_events)
                    entries.append(write_entry(new_events, at))
            except DamagedLog as reason:
                raise DamagedLog(f"Line {number + 1} is damaged: {reason}") from None
            except Exception as error:
                sentence = f"Line {number + 1} is damaged: it contradicts the rules or the lines before it."
                raise DamagedLog(sentence) from error
            if self._now() - begun > MAX_ENTRY_SECONDS:
                raise DamagedLog(f"Line {number + 1} is damaged: it takes too long to replay.")
        if table is None or table.phase != "over" or table.play is None:
            raise DamagedLog("The log is not that of a finished game.")
        return ImportedLog(entries, pack_summary(table))

    def _look(self, folder: StepFolder, number: int, table: TableState, new_events: Sequence[Event]) -> None:
        """Make all views of a step, so that nobody who looks back meets one that cannot be made."""
        added = folder.add(number, table, new_events)
        if added is None:
            return
        if table.play is not None and len(table.chairs) != table.settings.seats:
            raise DamagedLog("its seats are not those of its table.")
        for viewer in (None, *range(len(table.chairs))):
            table_view(table, viewer)
        checkpoint, _ = added
        events_seen(checkpoint, "all")
        for between in checkpoints_between(checkpoint, "all"):
            if between.table.play is not None:
                public_play(between.table.play, [])
            opened_hands(between, "all")

    def _checked(self, at: int, found: Sequence[Event]) -> list[Event]:
        """Return the events of an entry that are imported, with nobody of the file as a user of this server."""
        if type(at) is not int or not self._time <= at <= self._latest:
            raise DamagedLog("its time is not possible.")
        self._time = at
        kept: list[Event] = []
        for event in found:
            if isinstance(event, events.TABLE_EVENTS):
                kept += self._imported(event, found)
            else:
                _check_sizes(to_json(event))
                kept.append(event)
        return kept

    def _imported(self, event: Event, found: Sequence[Event]) -> list[Event]:
        """Return an event of a table as it is imported; none for what people wrote, and for who was the host.

        `found` are all events of its entry.
        """
        if not 0 <= getattr(event, "seat", 0) < _MAX_SEATS:
            # A list takes -1 for its last place, so reducers would not complain.
            raise DamagedLog("it names a seat that no table has.")
        match event:
            case events.TableOpened():
                return self._opened(event, found)
            case events.SettingsChanged():
                return [replace(event, settings=_settings(event.settings))]
            case events.SeatTaken():
                user = self._users.setdefault(event.user, f"file.{len(self._users)}")
                return [replace(event, user=user, display_name=_name(event.display_name))]
            case events.SeatRenamed():
                return [replace(event, display_name=_name(event.display_name))]
            case events.BotSeated():
                name = None if event.display_name is None else _name(event.display_name)
                return [
                    replace(event, display_name=name, strength=_strength(event.strength), style=_style(event.style))
                ]
            case events.BotChanged():
                return [replace(event, strength=_strength(event.strength), style=_style(event.style))]
            case events.ContinuedFrom():
                # The steps are checked when the game begins.
                _check_sizes(to_json(replace(event, steps="")))
                return [event]
            case events.CommandGiven():
                _check_sizes(to_json(event), max_text=_MAX_COMMAND)
                return [event]
            case events.AnswersOpened():
                _check_sizes(to_json(event), _MAX_TIME, _MAX_COMMAND)
                return [event]
            case events.TimeRanOut() | events.Resigned():
                if event.stand_in is not None:
                    _strength(event.stand_in)
            case events.Said() | events.Muted() | events.NextOpened() | events.HostChanged() | events.Imported():
                return []
            case events.RhythmSet() | events.HolidayBegan() | events.HolidayEnded() | events.CommentaryKeyMade():
                return []
        _check_sizes(to_json(event), max_number=_MAX_TIME)
        return [event]

    def _opened(self, event: events.TableOpened, found: Sequence[Event]) -> list[Event]:
        opening = self._opening
        if event.table != self._export.table or not 0 <= event.created <= self._latest or self._users:
            raise DamagedLog("it opens another table than line 1 says.")
        # Commitments hold the id of the table where the game was played, however often its log was imported since.
        origin = next((other.table for other in found if isinstance(other, events.Imported)), event.table)
        first = replace(
            event,
            table=opening.table,
            settings=_settings(event.settings),
            host=opening.user,
            key=opening.key,
            secret=opening.secret,
        )
        return [first, events.Imported(origin[:32])]


def _applied(table: TableState | None, new_events: Sequence[Event], at: int) -> TableState:
    """Return the table after an entry; it is checked first that the entry makes no more seats than the table has."""
    if table is None:
        first, *rest = new_events
        if not isinstance(first, events.TableOpened):
            raise DamagedLog("it does not open a table.")
        table = opened(first)
        if first.rules_version > table.game.rules_version:
            raise DamagedLog("the game was played by later rules than this server knows.")
        new_events = rest
    if is_step(new_events) and table.play is None:
        begun = [event for event in new_events if not isinstance(event, events.TABLE_EVENTS)]
        if table.continued is not None:
            steps = unpack_steps(table.settings.game, table.continued.steps)
            for step in steps:
                for event in step:
                    _check_sizes(to_json(event))
            begun = list(steps[0])
        if not begun or getattr(begun[0], "seats", None) != len(table.chairs):
            raise DamagedLog("its seats are not those of its table.")
    table.apply(new_events, at=at)
    return table


def _settings(settings: str) -> str:
    """Return settings as JSON: checked, private, and not rated."""
    try:
        read = read_settings(TableSettings.model_validate_json(settings))
    except ValueError:
        # The error of pydantic.
        raise DamagedLog("its settings cannot be read.") from None
    if isinstance(read, Refused):
        raise DamagedLog(f"its settings are refused: {read.sentence}")
    return read.model_copy(update={"private": True, "rated": False, "spectators": True}).model_dump_json()


def _name(name: str) -> str:
    try:
        return clean_name(name)
    except BadText as reason:
        raise DamagedLog(f"a name in it is refused: {reason}") from None


def _strength(strength: str) -> str:
    if strength not in _STRENGTHS:
        raise DamagedLog("it names a bot that does not exist.")
    return strength


def _style(style: str | None) -> str | None:
    if style is not None and style not in STYLES:
        raise DamagedLog("it names a style of bots that does not exist.")
    return style


def _check_sizes(value: Any, max_number: int = _MAX_NUMBER, max_text: int = _MAX_TEXT) -> None:
    """Raise `DamagedLog` if a value of an event is larger than any game needs."""
    match value:
        case bool() | None:
            return
        case int():
            is_possible = -1 <= value <= max_number
        case str():
            is_possible = len(value) <= max_text
        case list() | dict():
            is_possible = len(value) <= _MAX_LIST
            for part in value if isinstance(value, list) else value.values():
                _check_sizes(part, max_number, max_text)
        case _:
            is_possible = False
    if not is_possible:
        raise DamagedLog("it holds a value that no game needs.")
