"""Quick match: a seat at a fitting open table, or at a new one.

Whether somebody gets a seat is decided by the table alone; here is only chosen which tables are asked, one after the
other. The quick matches of one user are carried out one at a time, since the second may have to find the seat that the
first one took. The lists learn of a seat a moment later, so the latest match of a user is also kept here for a while.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from protocol.codes import REFUSALS
from protocol.messages import CreateTable, DecisionClock, QuickMatch, TableSettings, TakeSeat
from server.games.registry import GAMES
from server.lobby.directory import TableDirectory
from server.lobby.settings import has_default_options, read_settings
from server.model import Refused, User
from server.tables.api import Reply, Summary, Tables

MAX_REQUESTS: Final = 5
"""Tables that are asked for a seat before a new one is opened."""

MAX_WAITING: Final = 4
"""Quick matches of one user in hand; one more is refused as `busy`."""

MAX_REMEMBERED: Final = 10_000
"""Answers that are given again for the same request; the oldest are forgotten first."""

LATEST_SECONDS: Final = 5.0
"""How long the latest match of a user is asked first, whatever the lists say."""

USUAL_SEATS: Final = 4
SECONDS_PER_DECISION: Final = 60

# Clocks that fit into one sitting; somebody who wants a quick match has not come to play by letter.
_MAX_DECISION: Final = 300
_MAX_BANK: Final = 3_600


@dataclass(frozen=True, slots=True)
class _Wish:
    user: User
    request: QuickMatch
    reply: Reply

    @property
    def key(self) -> tuple[str, str]:
        return self.user.id, self.request.id

    @property
    def what(self) -> tuple[str, int | None]:
        """What is wished for, whoever wishes it and however often."""
        return self.request.game, self.request.seats


@dataclass(frozen=True, slots=True)
class _Match:
    what: tuple[str, int | None]
    table: str
    created: bool
    at: float


class QuickMatches:
    """All quick matches. `table_id` gives the id of the table that a request of a user opens."""

    def __init__(
        self,
        directory: TableDirectory,
        tables: Tables,
        table_id: Callable[[User, str], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._directory = directory
        self._tables = tables
        self._table_id = table_id
        self._clock = clock
        self._waiting: dict[str, deque[_Wish]] = {}  # the first of each user is in hand
        self._matches: OrderedDict[tuple[str, str], _Match] = OrderedDict()
        self._latest: OrderedDict[str, _Match] = OrderedDict()

    def ask(self, user: User, request: QuickMatch, reply: Reply) -> None:
        """Seat a user somewhere. The same request id again gives the same answer."""
        waiting = self._waiting.setdefault(user.id, deque())
        if len(waiting) >= MAX_WAITING:
            reply(refused_message(request.id, Refused("busy", REFUSALS["busy"])))
            return
        waiting.append(_Wish(user, request, reply))
        if len(waiting) == 1:
            self._carry_out(waiting[0])

    def _carry_out(self, wish: _Wish) -> None:
        known = self._matches.get(wish.key)
        if known is not None:
            self._answer(wish, known if known.what == wish.what else Refused("id_reused", REFUSALS["id_reused"]))
            return
        settings = read_settings(quick_settings(*wish.what))
        if isinstance(settings, Refused):
            self._answer(wish, settings)
        elif (seated := self._seated_already(wish)) is not None:
            self._answer(wish, seated)
        else:
            self._try_next(wish, settings, deque(self._candidates(wish)))

    def _seated_already(self, wish: _Wish) -> _Match | None:
        """Give the fitting table at which the user sits, if there is one: the one this very request opened first."""
        opened = self._table_id(wish.user, wish.request.id)
        own = self._directory.tables_of(wish.user.id)
        if any(summary["table"] == opened for summary in own):
            return self._match(wish, opened, created=True)
        for summary in own:
            if fits(summary, *wish.what):
                return self._match(wish, summary["table"], created=False)
        return None

    def _candidates(self, wish: _Wish) -> list[str]:
        """Give the tables to ask, the latest match first, then those that soonest can begin, the oldest first."""
        fitting = [
            (free, summary["created"], summary["table"])
            for summary in self._directory.open_tables()
            if (free := free_seats(summary)) and fits(summary, *wish.what) and self._is_somebody_here(summary)
        ]
        tables = [table for _, _, table in sorted(fitting)]
        latest = self._latest.get(wish.user.id)
        if latest is not None and latest.what == wish.what and self._clock() < latest.at + LATEST_SECONDS:
            tables = [latest.table, *(table for table in tables if table != latest.table)]
        return tables[:MAX_REQUESTS]

    def _is_somebody_here(self, summary: Summary) -> bool:
        """Tell whether there is anybody to play with: a table can stay open long after all have left."""
        return any(self._directory.is_here(seat["user"]) for seat in summary["seats"])

    def _try_next(self, wish: _Wish, settings: TableSettings, candidates: deque[str]) -> None:
        if not candidates:
            self._open(wish, settings)
            return
        table = candidates.popleft()

        def asked(answer: dict[str, Any]) -> None:
            if answer["type"] == "done" or answer["code"] == "already_seated":
                self._answer(wish, self._match(wish, table, created=False))
            else:
                self._try_next(wish, settings, candidates)

        take = TakeSeat(type="take_seat", id=wish.request.id, table=table)
        self._tables.ask(wish.user, take, asked)

    def _open(self, wish: _Wish, settings: TableSettings) -> None:
        table = self._table_id(wish.user, wish.request.id)

        def opened(answer: dict[str, Any]) -> None:
            if answer["type"] == "done":
                self._answer(wish, self._match(wish, table, created=True))
            else:
                self._answer(wish, Refused(answer["code"], answer["sentence"]))

        create = CreateTable(type="create_table", id=wish.request.id, settings=settings)
        self._tables.create(wish.user, create, table, opened)

    def _match(self, wish: _Wish, table: str, *, created: bool) -> _Match:
        match = _Match(wish.what, table, created, self._clock())
        self._matches[wish.key] = self._latest[wish.user.id] = match
        self._latest.move_to_end(wish.user.id)
        for remembered in (self._matches, self._latest):
            if len(remembered) > MAX_REMEMBERED:
                remembered.popitem(last=False)
        return match

    def _answer(self, wish: _Wish, found: _Match | Refused) -> None:
        """Answer the wish in hand, and take up the user's next one."""
        waiting = self._waiting[wish.user.id]
        assert waiting[0] is wish
        waiting.popleft()
        if not waiting:
            del self._waiting[wish.user.id]
        if isinstance(found, Refused):
            wish.reply(refused_message(wish.request.id, found))
        else:
            result = {"table": found.table, "created": found.created}
            wish.reply({"type": "done", "id": wish.request.id, "result": result})
        if waiting:
            self._carry_out(waiting[0])


def quick_settings(game: str, seats: int | None) -> TableSettings:
    """Give the settings of a table that a quick match opens."""
    if seats is None:
        possible = GAMES[game].seats if game in GAMES else [USUAL_SEATS]
        seats = min(possible, key=lambda number: abs(number - USUAL_SEATS))
    return TableSettings(game=game, seats=seats, clock=DecisionClock(kind="decision", seconds=SECONDS_PER_DECISION))


def fits(summary: Summary, game: str, seats: int | None) -> bool:
    """Tell whether a table is open to all, and what somebody expects who only named a game and perhaps the seats."""
    settings = summary["settings"]
    return (
        summary["phase"] == "open"
        and summary["game"] == game
        and seats in (None, len(summary["seats"]))
        and not settings["private"]
        and _is_for_one_sitting(settings["clock"])
        and has_default_options(GAMES[game], settings["options"])
    )


def free_seats(summary: Summary) -> int:
    return sum(seat["user"] is None and seat["bot"] is None for seat in summary["seats"])


def _is_for_one_sitting(clock: dict[str, Any]) -> bool:
    match clock["kind"]:
        case "decision":
            return bool(clock["seconds"] <= _MAX_DECISION)
        case "bank":
            return bool(clock["seconds"] <= _MAX_BANK)
    return True


def refused_message(request_id: str, refused: Refused) -> dict[str, Any]:
    return {"type": "refused", "id": request_id, "code": refused.code, "sentence": refused.sentence}
