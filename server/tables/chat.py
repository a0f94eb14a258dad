"""Chat lines: what may be said, and the lines that are kept beside the log.

Lines of people with a seat are entries of the log, which is why they are limited. Lines of people without a seat never
touch the log: the owner keeps the last of them in memory, sends them in frames without a number, and saves them
together as one small value, at most once in `SAVE_SECONDS`. After a kill the last seconds of them may be missing.
Players hardly wait for any of this. The store is read only for a user who has also written into the log, and for those
who block the user, which is cached and asked after all limits.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgpack

from protocol import messages
from protocol.codec import pack
from server.games.engine.events import Viewer
from server.model import Done, Refused, User
from server.rate_limit import FREE, Rate, RateLimiter, Throttle
from server.store.api import StorageFailed
from server.tables.chat_lines import COMMENTARY, Line, room_of
from server.tables.failures import log_failure
from server.tables.people import NOBODY_KNOWN, SeatedPeople
from server.tables.replies import stored_reply
from server.tables.results import refused, too_fast
from server.tables.state import TableState
from server.text import BadText, clean_line

if TYPE_CHECKING:
    from server.tables.context import TableContext
    from server.tables.core import TableCore
    from server.tables.log import TableLog
    from server.tables.messages import RequestReceived
    from server.tables.subscribers import Subscribers

log = logging.getLogger(__name__)

MAX_LINE_LENGTH: Final = 300

MAX_LINES_PER_PERSON: Final = 400
"""Lines of one person in the log of a table."""

MAX_LINES_AROUND: Final = 1_000
"""Lines in the log of a table from before the game begins and after its end, when people can come and go."""

KEPT_LINES: Final = 100
KEPT_BYTES: Final = 32 * 1024
"""Lines beside the log that are kept, and the bytes of their texts and names; the oldest lines are dropped."""

OTHERS_RATE: Final = Rate(2, 1, burst=20)
"""Lines of all people without a seat at one table together."""

OWN_RATE: Final = Rate(1, 2, burst=5)
"""Lines of one of them, so that one cannot use up the rate of all."""

MAX_WRITERS: Final = 1_000
"""People whose rates are remembered; beyond that the oldest ones regain their full burst."""

SAVE_SECONDS: Final = 5.0
KEEP_SECONDS: Final = 30 * 86_400
"""The lifetime of the saved lines after the last one."""

_KIND: Final = "chat"


def read_line(state: TableState, user: str, text: str) -> str | Refused:
    """Return the sanitized text of a line, or the refusal."""
    if user in state.muted:
        return refused("muted")
    try:
        return clean_line(text, MAX_LINE_LENGTH)
    except BadText as reason:
        return Refused("bad_text", str(reason), reason.variant, reason.values)


def not_logged(state: TableState, user: str) -> Refused | None:
    """Return the refusal of a line for the log, which has room for so many; None if there is room."""
    if state.lines_of.get(user, 0) >= MAX_LINES_PER_PERSON:
        sentence = f"You have written {MAX_LINES_PER_PERSON} lines at this table, which is the limit."
        return Refused("chat_full", sentence, "own", {"count": MAX_LINES_PER_PERSON})
    return refused("chat_full") if state.phase != "running" and state.lines_around >= MAX_LINES_AROUND else None


def room_for(state: TableState, viewer: Viewer) -> str:
    """Return the room that a viewer talks to now."""
    return room_of(viewer) if state.phase == "running" else "all"


class _KeptLine(NamedTuple):
    line: Line
    request_hash: bytes

    @property
    def size(self) -> int:
        return len(self.line.text.encode()) + len(self.line.name.encode())


class Chat:
    """The lines of people without a seat at one table, by the idempotency keys of their requests."""

    def __init__(
        self, table: str, context: TableContext, table_log: TableLog, people: SeatedPeople = NOBODY_KNOWN
    ) -> None:
        self._table = table
        self._people = people
        self._context = context
        self._log = table_log
        self._lines: OrderedDict[str, _KeptLine] = OrderedDict()
        self._size = 0
        self._rate = RateLimiter(OTHERS_RATE, lambda: context.milliseconds() / 1000)
        self._own_rates = Throttle(OWN_RATE, lambda: context.milliseconds() / 1000, MAX_WRITERS)
        self._is_saved = True
        self._save_timer: asyncio.TimerHandle | None = None
        self._saving: asyncio.Task[None] | None = None

    def shown_to(self, viewer: Viewer) -> list[dict[str, Any]]:
        """Return the kept lines that a viewer may see, oldest first."""
        return [line.shown(self._people) for line, _ in self._lines.values() if line.is_shown_to(viewer)]

    def shown_in(self, room: str) -> list[dict[str, Any]]:
        """Return the kept lines of a room, oldest first."""
        return [line.shown(self._people) for line, _ in self._lines.values() if line.room == room]

    def kept_lines(self) -> list[Line]:
        """Return all kept lines, oldest first."""
        return [line for line, _ in self._lines.values()]

    # -- saying ------------------------------------------------------------------------------------------------

    async def take(
        self, message: RequestReceived, request: messages.Say, core: TableCore, subscribers: Subscribers
    ) -> bool:
        """Reply to a request to say something, and send the line; return False if the line belongs into the log."""
        key, request_hash = message.idempotency
        known = self._lines.get(key)
        if known is not None:
            message.respond(Done() if known.request_hash == request_hash else refused("id_reused"))
            return True
        is_commentary = request.room == COMMENTARY
        if core.state.seat_of(message.user.id) is not None and not is_commentary:
            return False
        if message.user.id in core.state.lines_of and not is_commentary:
            # The request may repeat one of a time when its user had a seat, though it would be refused now.
            found = await self._log.answer_to(key, request_hash)
            if found is not None:
                message.respond(stored_reply(found))
                return True
        text = self._checked(message.user, request, core, subscribers)
        if not isinstance(text, Refused) and not is_commentary and not await self._may_write(message.user, core):
            text = refused("muted")
        if isinstance(text, Refused):
            message.respond(text)
            return True
        name = core.shown_name(message.user, is_seated=False)
        room = COMMENTARY if is_commentary else room_for(core.state, None)
        line = Line(message.user.id, name, room, text, self._now())
        self._add(key, _KeptLine(line, request_hash))
        self._is_saved = False
        self._save_soon()
        message.respond(Done())
        subscribers.send_line(line)
        return True

    def _checked(self, user: User, request: messages.Say, core: TableCore, subscribers: Subscribers) -> str | Refused:
        """Return the sanitized text of a line, or the refusal."""
        if request.room == COMMENTARY:
            refusal = None if subscribers.delayed.has_commentator(user.id) else refused("not_following")
        else:
            is_subscribed = subscribers.has(user.id)
            refusal = core.may_enter(user, None, is_subscribed=is_subscribed) or core.may_watch(user)
            if refusal is None and not is_subscribed:
                refusal = refused("not_following")
        text = refusal or read_line(core.state, user.id, request.text)
        if isinstance(text, Refused):
            return text
        wait = self._own_rates.take(user.id)
        if wait != FREE:
            return too_fast("chat", "You write a lot.", wait)
        wait = self._rate.take()
        if wait != FREE:
            return too_fast("chat_of_all", "Many people write here at the moment.", wait)
        return text

    async def _may_write(self, user: User, core: TableCore) -> bool:
        """Return whether nobody who sits at the table blocks a user without a seat."""
        seated = [chair.user for chair in core.state.chairs if chair.user is not None]
        return await self._context.people.may_join(user.id, seated)

    def _now(self) -> int:
        """Return the time of a new line: never before the last one, also if the wall clock was set back."""
        last = next(reversed(self._lines.values())).line.at if self._lines else None
        return max(self._context.wall_milliseconds(), last or 0)

    def _add(self, key: str, kept: _KeptLine) -> None:
        self._lines[key] = kept
        self._size += kept.size
        while len(self._lines) > KEPT_LINES or self._size > KEPT_BYTES:
            _, dropped = self._lines.popitem(last=False)
            self._size -= dropped.size

    # -- saving ------------------------------------------------------------------------------------------------

    async def load(self) -> None:
        """Read the saved lines, and put those in memory that are newer behind them."""
        saved = await self._context.store.key_values.get(_KIND, self._table)
        in_memory, self._lines, self._size = self._lines, OrderedDict(), 0
        for key, kept in (_unpacked(self._table, saved) | in_memory).items():
            self._add(key, kept)

    def forget(self) -> None:
        """Forget all lines: another worker owns the table."""
        self._lines.clear()
        self._size = 0
        self._is_saved = True
        self._stop_timer()

    async def close(self) -> None:
        """Save what is not saved yet. The table must still be ours."""
        self._stop_timer()
        if self._saving is not None:
            await asyncio.wait([self._saving])
        await self._save()

    def _stop_timer(self) -> None:
        if self._save_timer is not None:
            self._save_timer.cancel()
            self._save_timer = None

    def _save_soon(self) -> None:
        if self._save_timer is None:
            self._save_timer = asyncio.get_running_loop().call_later(SAVE_SECONDS, self._start_saving)

    def _start_saving(self) -> None:
        self._save_timer = None
        if self._saving is not None and not self._saving.done():
            # Two writes at once could end in the wrong order.
            self._save_soon()
        else:
            self._saving = asyncio.get_running_loop().create_task(self._save())

    async def _save(self) -> None:
        if self._is_saved or not self._log.fence:
            # Whoever owns the table now saves its lines.
            return
        self._is_saved = True
        expires_at = self._context.wall_milliseconds() / 1000 + KEEP_SECONDS
        try:
            await self._context.store.key_values.put(_KIND, self._table, self._packed(), expires_at)
        except StorageFailed:
            # The lines are still in memory, and are saved with the next one, or when the table is unloaded.
            self._is_saved = False
            log.warning("chat lines not saved", extra={"table": self._table})

    def _packed(self) -> bytes:
        packed: bytes = pack(
            [
                [key, request_hash, line.user, line.name, line.room, line.text, line.at]
                for key, (line, request_hash) in self._lines.items()
            ]
        )
        return packed


def _unpacked(table: str, saved: bytes | None) -> OrderedDict[str, _KeptLine]:
    try:
        rows = [] if saved is None else msgpack.unpackb(saved)
        return OrderedDict((key, _KeptLine(Line(*line), request_hash)) for key, request_hash, *line in rows)
    except (ValueError, TypeError) as error:
        # A table must not become unplayable because of damaged chat lines.
        log_failure("chat lines not readable", table, error)
        return OrderedDict()
