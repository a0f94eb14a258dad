"""Quick match: a seat at a matching open table, or at a new one.

Only a table decides whether a user gets a seat; this module chooses which tables to ask, one after the other. The
requests of one user are handled one at a time, since the second may have to find the seat that the first one took. The
lists learn of a seat a moment later, so the latest match of a user is remembered here for a while.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from protocol.messages import CreateTable, DecisionClock, QuickMatch, TableSettings, TakeSeat
from server.games.registry import GAMES
from server.lobby.directory import TableDirectory
from server.lobby.table_index import IndexedTable
from server.model import Done, Refused, Reply, User
from server.tables.api import OnReply, Summary, Tables
from server.tables.results import refused
from server.tables.settings import has_default_options, not_rated, read_settings

MAX_CANDIDATES: Final = 5
"""Tables that are asked for a seat before a new one is opened."""

MAX_PENDING: Final = 4
"""Quick matches of one user without a reply; one more is refused as `busy`."""

MAX_REMEMBERED: Final = 10_000
"""Matches that a repeated request gets again; the oldest ones are evicted."""

LATEST_SECONDS: Final = 5.0
"""The time for which the latest match of a user is the first candidate, whatever the lists show."""

DEFAULT_SEATS: Final = 4
SECONDS_PER_DECISION: Final = 60

# Clocks for a game in one sitting; a quick match is no correspondence game.
_MAX_DECISION_SECONDS: Final = 300
_MAX_BANK_SECONDS: Final = 3_600


class Criteria(NamedTuple):
    """The game, the number of seats if the user has named one, and whether the game is rated.

    Nobody plays for ratings who has not asked for it, so a table of the other kind never matches.
    """

    game: str
    seats: int | None
    rated: bool


OpenTable = Callable[[User, CreateTable, str, OnReply], None]
"""Opens a table of this id, unless its host has too many, and replies."""


@dataclass(frozen=True, slots=True)
class _PendingMatch:
    user: User
    request: QuickMatch
    on_reply: OnReply
    avoided: Collection[str] = ()
    """Users with whom this one does not want to sit at a table."""

    @property
    def key(self) -> tuple[str, str]:
        """Return the idempotency key."""
        return self.user.id, self.request.id

    @property
    def criteria(self) -> Criteria:
        return Criteria(self.request.game, self.request.seats, self.request.rated)


@dataclass(frozen=True, slots=True)
class _Match:
    criteria: Criteria
    table: str
    created: bool
    at: float


class QuickMatches:
    """All quick matches. `table_id` returns the id of the table that a request of a user opens."""

    def __init__(
        self,
        directory: TableDirectory,
        open_table: OpenTable,
        tables: Tables,
        table_id: Callable[[User, str], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._directory = directory
        self._open_table = open_table
        self._tables = tables
        self._table_id = table_id
        self._clock = clock
        self._pending: dict[str, deque[_PendingMatch]] = {}
        """By user; the first one is being handled."""

        self._matches: OrderedDict[tuple[str, str], _Match] = OrderedDict()
        self._latest: OrderedDict[str, _Match] = OrderedDict()

    def ask(self, user: User, request: QuickMatch, on_reply: OnReply, avoided: Collection[str] = ()) -> None:
        """Seat a user at a table without any of those to avoid. A repetition with the same id gets the same reply."""
        queue = self._pending.setdefault(user.id, deque())
        if len(queue) >= MAX_PENDING:
            on_reply(refused("busy"))
            return
        queue.append(_PendingMatch(user, request, on_reply, avoided))
        if len(queue) == 1:
            self._handle(queue[0])

    def _handle(self, pending: _PendingMatch) -> None:
        earlier = self._matches.get(pending.key)
        if earlier is not None:
            self._reply(pending, earlier if earlier.criteria == pending.criteria else refused("id_reused"))
            return
        settings = read_settings(quick_settings(pending.criteria))
        if isinstance(settings, Refused):
            self._reply(pending, settings)
        elif (refusal := not_rated(pending.user, settings)) is not None:
            self._reply(pending, refusal)
        elif (current := self._current_seat(pending)) is not None:
            self._reply(pending, current)
        else:
            self._try_next(pending, settings, deque(self._candidates(pending)))

    def _current_seat(self, pending: _PendingMatch) -> _Match | None:
        """Return a matching table at which the user sits, preferably the one that this very request has opened."""
        opened = self._table_id(pending.user, pending.request.id)
        own = self._directory.tables_of(pending.user.id)
        if any(summary["table"] == opened for summary in own):
            return self._match(pending, opened, created=True)
        for summary in own:
            if matches(summary, pending.criteria):
                return self._match(pending, summary["table"], created=False)
        return None

    def _candidates(self, pending: _PendingMatch) -> list[str]:
        """Return the tables to ask: the latest match, then by `_preference`."""
        game, seats, _ = pending.criteria
        possible = [
            row
            for row in self._directory.open_tables()
            if row.game == game
            and row.free
            and seats in (None, row.seats)
            and self._has_people(row)
            and not any(seat["user"] in pending.avoided for seat in row.summary["seats"])
        ]
        ordered = sorted(possible, key=self._preference)
        tables = [
            row.table
            for row in islice((row for row in ordered if matches(row.summary, pending.criteria)), MAX_CANDIDATES)
        ]
        # A game that has begun accepts this very request again if it had accepted it before.
        begun = [summary["table"] for summary in self._directory.tables_of(pending.user.id) if _has_begun(summary)]
        latest = [table] if (table := self._latest_table(pending)) is not None else []
        return list(dict.fromkeys([*latest, *begun, *tables]))[:MAX_CANDIDATES]

    def _latest_table(self, pending: _PendingMatch) -> str | None:
        """Return the table of the user's latest match, if that was a moment ago and by the same criteria."""
        latest = self._latest.get(pending.user.id)
        if latest is not None and latest.criteria == pending.criteria and self._clock() < latest.at + LATEST_SECONDS:
            return latest.table
        return None

    def _has_people(self, row: IndexedTable) -> bool:
        """Return whether somebody at the table is connected: it stays open for a while after all have left."""
        return any(map(self._directory.is_connected, row.present))

    def _preference(self, row: IndexedTable) -> tuple[bool, bool, bool, int, int, int, str]:
        """Return the sort key of a table; smaller ones are asked first.

        The host should be connected, and wait at no other table: the many tables of one host come after those of all
        others. A game that begins by itself cannot be held up by a passive host. More people who count there, fewer
        free seats and a longer wait come last, since the first of these can be imitated with a few more guests.
        """
        return (
            not self._directory.is_connected(row.host),
            self._directory.count_hosted(row.host) > 1,
            not row.begins_when_full,
            -row.people,
            row.free,
            row.summary["created"],
            row.table,
        )

    def _try_next(self, pending: _PendingMatch, settings: TableSettings, candidates: deque[str]) -> None:
        if not candidates:
            self._open(pending, settings)
            return
        table = candidates.popleft()

        def on_reply(reply: Reply) -> None:
            has_begun = isinstance(reply, Refused) and reply.code == "wrong_phase"
            is_seated = isinstance(reply, Done) or reply.code == "already_seated"
            if is_seated or (has_begun and table == self._latest_table(pending)):
                self._reply(pending, self._match(pending, table, created=False))
            else:
                self._try_next(pending, settings, candidates)

        take_seat = TakeSeat(type="take_seat", id=pending.request.id, table=table)
        self._tables.ask(pending.user, take_seat, on_reply)

    def _open(self, pending: _PendingMatch, settings: TableSettings) -> None:
        table = self._table_id(pending.user, pending.request.id)

        def on_reply(reply: Reply) -> None:
            self._reply(pending, reply if isinstance(reply, Refused) else self._match(pending, table, created=True))

        create = CreateTable(type="create_table", id=pending.request.id, settings=settings)
        self._open_table(pending.user, create, table, on_reply)

    def _match(self, pending: _PendingMatch, table: str, *, created: bool) -> _Match:
        match = _Match(pending.criteria, table, created, self._clock())
        self._matches[pending.key] = self._latest[pending.user.id] = match
        self._latest.move_to_end(pending.user.id)
        for remembered in (self._matches, self._latest):
            if len(remembered) > MAX_REMEMBERED:
                remembered.popitem(last=False)
        return match

    def _reply(self, pending: _PendingMatch, found: _Match | Refused) -> None:
        """Reply to the request at the front of the queue, and handle the user's next one."""
        queue = self._pending[pending.user.id]
        assert queue[0] is pending
        queue.popleft()
        if not queue:
            del self._pending[pending.user.id]
        if isinstance(found, Refused):
            pending.on_reply(found)
        else:
            pending.on_reply(Done({"table": found.table, "created": found.created}))
        if queue:
            self._handle(queue[0])


def quick_settings(criteria: Criteria) -> TableSettings:
    """Return the settings of a table that a quick match opens."""
    game, seats, rated = criteria
    if seats is None:
        possible = GAMES[game].seats if game in GAMES else [DEFAULT_SEATS]
        seats = min(possible, key=lambda number: abs(number - DEFAULT_SEATS))
    clock = DecisionClock(kind="decision", seconds=SECONDS_PER_DECISION)
    return TableSettings(game=game, seats=seats, clock=clock, begin="full", rated=rated)


def matches(summary: Summary, criteria: Criteria) -> bool:
    """Return whether a table is open to all, with default options, a clock for one sitting, and nothing to agree to."""
    settings = summary["settings"]
    return (
        summary["phase"] == "open"
        and summary["game"] == criteria.game
        and criteria.seats in (None, len(summary["seats"]))
        and bool(settings.get("rated")) == criteria.rated
        and not settings["private"]
        and not settings.get("sealed_on_devices")
        and not settings.get("delayed_view")
        and _is_for_one_sitting(settings["clock"])
        and has_default_options(GAMES[criteria.game], settings["options"])
    )


def _has_begun(summary: Summary) -> bool:
    """Return whether a game that begins when its table is full has begun."""
    return bool(summary["phase"] == "running" and summary["settings"].get("begin") == "full")


def _is_for_one_sitting(clock: dict[str, Any]) -> bool:
    match clock["kind"]:
        case "decision":
            return bool(clock["seconds"] <= _MAX_DECISION_SECONDS)
        case "bank":
            return bool(clock["seconds"] <= _MAX_BANK_SECONDS)
    return True
