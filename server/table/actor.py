"""One task that owns a table: takes one message at a time, makes it durable, answers, and tells the audiences.

Between looking at the table and changing it there is only the append; nothing is answered or shown before that has
succeeded. A request that storage could not take is refused, and before the next one the log is read again, since a
failed append may have happened all the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

import msgpack

from protocol import messages
from protocol.codec import Frame
from server.games.game import Event, Seat, Viewer
from server.games.play import play_view
from server.games.prompt import Command, Refused
from server.store import base as store_base
from server.table import events
from server.table.audience import Audiences
from server.table.bots import Bots
from server.table.core import Decided, TableCore, Verdict, refused
from server.table.interface import Directory, Listener, Reply, Summary, User
from server.table.record import UnreadableRecord, open_record, read_record, write_record
from server.table.state import Chair, TableState

log = logging.getLogger(__name__)

MAILBOX_MOST = 256
"""Requests that wait for one table; more are refused as busy."""

RECENT_KEPT = 64
"""Records kept at hand for connections that were away for a moment; for older ones the log is read."""

PRESENCE_DELAY_SECONDS = 0.25
LEASE_SECONDS = 10.0
RETRY_SECONDS = 1.0
LOAD_BATCH = 500
TRIES = 3


@dataclass(frozen=True, slots=True)
class Asked:
    user: User
    request: messages.TableRequest
    reply: Reply


@dataclass(frozen=True, slots=True)
class Watching:
    user: User
    request: messages.Watch
    listener: Listener
    reply: Reply


@dataclass(frozen=True, slots=True)
class Opened:
    """Somebody asked for the table to be opened, and it is: by them, or by them before."""

    user: User
    request_id: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class Renamed:
    user: User


@dataclass(frozen=True, slots=True)
class BotDecided:
    seat: Seat
    number: int
    command: Command


@dataclass(frozen=True, slots=True)
class TimeIsUp:
    pass


Letter = Asked | Watching | Opened | Renamed | BotDecided | TimeIsUp


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every table of a process shares."""

    store: store_base.TableStore
    directory: Directory
    bots: Bots
    worker: str
    milliseconds: Callable[[], int]
    """A clock that only goes forward."""

    wall_milliseconds: Callable[[], int]
    entropy: Callable[[], bytes]
    again: Callable[[TableState, User, str, str, str, Reply], None]
    """Seats a user at the table where the same people play again: (this table, user, request id, table, key, reply)."""


class TableActor:
    """The owner of one table."""

    def __init__(self, table: str, around: Surroundings, predecessor: TableActor | None = None) -> None:
        self.table = table
        self._predecessor = predecessor
        self._around = around
        self._mailbox: deque[Letter] = deque()
        self._letters = asyncio.Event()
        self._unavailable: Refused | None = None
        self._core: TableCore | None = None
        self._audiences: Audiences | None = None
        self._recent: deque[tuple[dict[Viewer, int], Sequence[Event]]] = deque(maxlen=RECENT_KEPT)
        self._fence = ""
        self._seq = 0
        self._head = store_base.GENESIS
        self._sure = False
        self._timer: asyncio.TimerHandle | None = None
        self._presence_timer: asyncio.TimerHandle | None = None
        self._presence: dict[str, Any] | None = None
        self._thinking: set[tuple[Seat, int]] = set()
        self._is_closing = False
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"table {table}")

    # -- from outside, without waiting ------------------------------------------------------------------------

    def post(self, letter: Letter) -> bool:
        """Put a letter into the mailbox; False if it is full or the table is being put to rest."""
        if len(self._mailbox) >= MAILBOX_MOST or self._is_closing:
            return False
        self._mailbox.append(letter)
        self._letters.set()
        return True

    def unwatch(self, listener: Listener) -> None:
        if self._audiences is not None and listener in self._audiences:
            self._audiences.remove(listener)
            self._people_changed()

    def refresh(self, listener: Listener) -> None:
        """Send a connection that dropped frames the view as it is now."""
        if self._audiences is not None and listener in self._audiences:
            self._show(listener, missed=None)

    @property
    def fence(self) -> str:
        return self._fence

    def lost(self) -> None:
        """Note that another owner has taken the table: it must be claimed and read again before anything else."""
        self._sure, self._fence = False, ""

    @property
    def is_idle(self) -> bool:
        """Tell whether nobody follows the table and nothing will happen at it by itself."""
        if self._mailbox or self._audiences is None or len(self._audiences):
            return self._unavailable is not None and not self._mailbox
        assert self._core is not None
        return self._core.due() is None and not self._thinking

    async def close(self) -> None:
        """Finish what is in the mailbox, give the table up and end."""
        self._is_closing = True
        self._letters.set()
        await asyncio.shield(self._task)

    # -- the task ---------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        if self._predecessor is not None:
            await self._predecessor.close()
            self._predecessor = None
        try:
            while True:
                if not self._mailbox:
                    if self._is_closing:
                        break
                    self._letters.clear()
                    await self._letters.wait()
                    continue
                await self._take(self._mailbox.popleft())
        finally:
            for timer in (self._timer, self._presence_timer):
                if timer is not None:
                    timer.cancel()
            if self._fence:
                await self._release()

    async def _release(self) -> None:
        try:
            await self._around.store.release(self.table, self._fence)
        except store_base.StorageFailed:
            log.warning("lease not released", extra={"table": self.table})

    async def _take(self, letter: Letter) -> None:
        try:
            if not self._sure and self._unavailable is None:
                await self._load()
            if self._unavailable is not None:
                _answer(letter, self._unavailable)
            else:
                await self._handle(letter)
        except store_base.StorageFailed:
            self._sure = False
            log.warning("storage failed", extra={"table": self.table})
            _answer(letter, refused("storage_failed"))
            # Bots and clocks have nobody who would ask again for them.
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.post, TimeIsUp())

    async def _handle(self, letter: Letter) -> None:
        core = self._here()
        now = self._around.milliseconds()
        match letter:
            case Asked(user, request, reply):
                await self._handle_request(user, request, reply)
            case Watching():
                await self._watch(letter)
            case Opened(user, request_id, reply):
                self._answer_opened(user, request_id, reply)
            case Renamed(user):
                await self._carry_out(core.renamed(user))
            case BotDecided(seat, number, command):
                self._thinking.discard((seat, number))
                await self._carry_out(core.bot_decided(seat, number, command, now))
            case TimeIsUp():
                core.stopwatch.advance(now)
                due = core.due()
                if due is not None and due[0] <= 0:
                    await self._carry_out(core.time_is_up(due[1], now))
        self._wake_later()

    async def _handle_request(self, user: User, request: messages.TableRequest, reply: Reply) -> None:
        core = self._here()
        if not self._may_enter(user, getattr(request, "key", None)):
            reply(_no(request.id, refused("no_such_table")))
            return
        if isinstance(request, messages.Say) and not self._is_at_table(user):
            reply(_no(request.id, refused("not_following")))
            return
        if isinstance(request, messages.PlayAgain):
            reply = partial(self._seat_again, user, reply)
        command_id = f"{user.id}/{request.id}"
        request_hash = sha256(request.model_dump_json().encode()).digest()
        for _ in range(TRIES):
            verdict = core.judge(user, request, self._around.entropy(), self._around.milliseconds())
            if isinstance(verdict, Refused):
                # It may be a repetition of something that was accepted and changed what is possible since.
                known = await self._around.store.answer_to(self.table, command_id, request_hash)
                reply(_no(request.id, verdict) if known is None else _known(request.id, known))
                return
            if await self._carry_out(verdict, command_id, request_hash, request, reply):
                return
            await self._load()
            core = self._here()
        reply(_no(request.id, refused("busy")))

    def _seat_again(self, user: User, reply: Reply, answer: dict[str, Any]) -> None:
        """Answer who wants to play again only when they have a seat at the next table."""
        if answer["type"] == "done":
            result = answer["result"]
            self._around.again(self._here().state, user, answer["id"], result["table"], result["key"], reply)
        else:
            reply(answer)

    async def _carry_out(
        self,
        verdict: Verdict,
        command_id: str | None = None,
        request_hash: bytes = b"",
        request: messages.TableRequest | None = None,
        reply: Reply | None = None,
    ) -> bool:
        """Make a verdict durable, answer, and tell. False: the log has gone on without us."""
        if isinstance(verdict, Refused):
            return True
        core = self._here()
        done = {"type": "done", "id": "" if request is None else request.id, "result": verdict.result}
        if verdict.events:
            appended = await self._append(verdict, command_id, request_hash, msgpack.packb(done))
            if isinstance(appended, (store_base.Known, store_base.Reused)):
                assert reply is not None
                reply(_known(str(done["id"]), appended))
                return True
            if isinstance(appended, store_base.Fenced):
                self.lost()
            if not isinstance(appended, store_base.Appended):
                self._sure = False
                return False
            self._seq, self._head = appended.seq, appended.head
            core.commit(verdict, self._around.milliseconds())
        if reply is not None:
            reply(done)
        if verdict.events:
            self._tell(verdict.events)
        return True

    async def _append(
        self, decided: Decided, command_id: str | None, request_hash: bytes, answer: bytes
    ) -> store_base.AppendResult:
        core = self._here()
        about, phase = None, None
        if _is_listed(decided):
            # The lists must not say less than the log, so both are written at once.
            after = core.state.after(decided.events, decided.play)
            about, phase = pack_about(summary_of(after, self._spectators()), after.settings.private), after.phase
        return await self._around.store.append(
            self.table,
            self._fence,
            self._seq,
            self._head,
            command_id,
            request_hash,
            answer,
            [write_record(decided.events, self._around.wall_milliseconds())],
            about=about,
            phase=phase,
        )

    # -- loading ----------------------------------------------------------------------------------------------

    async def _load(self) -> None:
        """Take the table over and read its log, unless what is at hand is already all of it."""
        store = self._around.store
        if self._fence:
            end = await store.head(self.table)
        else:
            claimed = await store.claim(self.table, self._around.worker, LEASE_SECONDS)
            if isinstance(claimed, store_base.Missing):
                self._unavailable = refused("no_such_table")
                return
            if isinstance(claimed, store_base.Held):
                raise store_base.StorageFailed(f"table {self.table} is held by {claimed.by}")
            self._fence = claimed.fence
            end = store_base.Position(claimed.seq, claimed.head)
        if self._core is not None and end == store_base.Position(self._seq, self._head):
            self._sure = True
            return
        try:
            await self._replay()
        except (store_base.LogDamaged, UnreadableRecord, AssertionError, LookupError, TypeError, ValueError):
            # A log that cannot be read concerns this table alone: it is closed, the others play on.
            log.exception("table quarantined", extra={"table": self.table})
            self._unavailable = refused("table_unavailable")
            return
        self._sure = True
        self._publish()

    async def _replay(self) -> None:
        store = self._around.store
        state: TableState | None = None
        followers = [] if self._audiences is None else self._audiences.listeners()
        audiences: Audiences | None = None
        self._recent.clear()
        seq, head = 0, store_base.GENESIS
        while stored := await store.read(self.table, seq, LOAD_BATCH):
            for entry in stored:
                if state is None or audiences is None:
                    state = open_record(entry.payload)
                    audiences = Audiences(state)
                    happened = read_record(entry.payload, None)
                else:
                    happened = read_record(entry.payload, state.settings.game)
                    state.apply(happened)
                audiences.count(happened)
                self._recent.append((audiences.numbers(), happened))
                seq, head = entry.seq, entry.head
        if state is None or audiences is None:
            raise UnreadableRecord("the log is empty")
        self._seq, self._head = seq, head
        self._core = TableCore(state, self._around.milliseconds())
        self._audiences = audiences
        self._thinking.clear()
        for listener in followers:
            audiences.add(listener)
            self._show(listener, missed=None)
        self._people_changed()

    # -- following --------------------------------------------------------------------------------------------

    async def _watch(self, letter: Watching) -> None:
        user, request = letter.user, letter.request
        core, audiences = self._here(), self._audiences
        assert audiences is not None
        if not self._may_enter(user, request.key):
            letter.reply(_no(request.id, refused("no_such_table")))
            return
        if core.state.seat_of(user.id) is None and not core.state.settings.spectators and core.state.phase != "open":
            letter.reply(_no(request.id, refused("no_spectators")))
            return
        missed = await self._missed(core.state.seat_of(user.id), request.have)
        letter.reply({"type": "done", "id": request.id, "result": {}})
        audiences.add(letter.listener)
        self._show(letter.listener, missed)
        self._people_changed()

    async def _missed(self, viewer: Viewer, have: int | None) -> list[dict[str, Any]] | None:
        """Give the events that a connection has not seen; None if it had nothing, or something that never was."""
        audiences = self._audiences
        assert audiences is not None
        if have is None or have > audiences.number(viewer):
            return None
        records = self._recent
        if self._recent and self._recent[0][0][viewer] > have + 1:
            records = deque(await self._all_records())
        return [
            fact
            for numbers, happened in records
            if numbers[viewer] > have
            for fact in audiences.shown(happened, viewer)
        ]

    async def _all_records(self) -> list[tuple[dict[Viewer, int], Sequence[Event]]]:
        state = self._here().state
        numbered = Audiences(state)
        records: list[tuple[dict[Viewer, int], Sequence[Event]]] = []
        seq = 0
        while stored := await self._around.store.read(self.table, seq, LOAD_BATCH):
            for entry in stored:
                happened = read_record(entry.payload, None if entry.seq == 1 else state.settings.game)
                numbered.count(happened)
                records.append((numbered.numbers(), happened))
            seq = stored[-1].seq
        return records

    def _may_enter(self, user: User, key: str | None) -> bool:
        """Tell whether a user may know of this table at all: private ones are for those who have the key."""
        state = self._here().state
        return not state.settings.private or key == state.key or self._is_at_table(user)

    def _is_at_table(self, user: User) -> bool:
        assert self._audiences is not None
        return self._here().state.seat_of(user.id) is not None or self._audiences.follows(user.id)

    def _show(self, listener: Listener, missed: list[dict[str, Any]] | None) -> None:
        assert self._audiences is not None
        core = self._here()
        core.stopwatch.advance(self._around.milliseconds())
        self._audiences.show(listener, core.stopwatch.elapsed(), missed)
        if self._presence is not None:
            listener.send(Frame(self._presence))

    # -- after something has happened -------------------------------------------------------------------------

    def _tell(self, happened: Sequence[Event]) -> None:
        audiences, state = self._audiences, self._here().state
        assert audiences is not None
        audiences.tell(happened)
        self._recent.append((audiences.numbers(), happened))
        for listener in audiences.regroup():
            self._show(listener, missed=None)
        if state.phase != "open" and not state.settings.spectators:
            for listener in audiences.spectators():
                listener.send(Frame(_no(None, refused("no_spectators"))))
                audiences.remove(listener)
        if any(isinstance(event, _LISTED) for event in happened) or state.phase == "over":
            self._people_changed()
            self._publish()

    def _people_changed(self) -> None:
        """Take note of who is connected, and tell it soon: many come and go at once after a restart."""
        assert self._audiences is not None
        core = self._here()
        core.stopwatch.set_here(self._audiences.here(), self._around.milliseconds())
        self._wake_later()
        if self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_DELAY_SECONDS, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_timer = None
        audiences, state = self._audiences, self._here().state
        assert audiences is not None
        here = set(audiences.here())
        seats = [_presence_of(chair, seat in here) for seat, chair in enumerate(state.chairs)]
        presence = {"type": "presence", "table": self.table, "seats": seats, "spectators": self._spectators()}
        if presence != self._presence:
            self._presence = presence
            audiences.send_all(presence)
            self._publish()

    def _publish(self) -> None:
        state = self._here().state
        self._around.directory.changed(summary_of(state, self._spectators()), state.settings.private)

    def _spectators(self) -> int:
        return 0 if self._audiences is None else len(self._audiences.spectators())

    def _wake_later(self) -> None:
        """Set the alarm for whoever runs out of time next, and let bots think whose turn it is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._unavailable is not None or self._core is None or self._is_closing:
            return
        due = self._core.due()
        if due is not None:
            seconds = max(0, due[0]) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self.post, TimeIsUp())
        self._ask_bots(self._core)

    def _ask_bots(self, core: TableCore) -> None:
        play = core.state.play
        for seat in core.state.awaited():
            strength = core.state.chairs[seat].player
            if strength is None or play is None or play.decision is None or (seat, play.number) in self._thinking:
                continue
            self._thinking.add((seat, play.number))
            decided = partial(self._bot_decided, seat, play.number)
            self._around.bots.think(strength, play_view(play, seat), play.decision.prompts[seat], decided)

    def _bot_decided(self, seat: Seat, number: int, command: Command) -> None:
        if not self.post(BotDecided(seat, number, command)):
            # The mailbox is full of people's requests; a bot can wait.
            asyncio.get_running_loop().call_later(1.0, self._bot_decided, seat, number, command)

    def _answer_opened(self, user: User, request_id: str, reply: Reply) -> None:
        state = self._here().state
        seat = state.seat_of(user.id)
        if user.id != state.host and seat is None:
            reply(_no(request_id, refused("id_reused")))
            return
        reply({"type": "done", "id": request_id, "result": {"table": self.table, "seat": seat, "key": state.key}})

    def _here(self) -> TableCore:
        assert self._core is not None
        return self._core


_LISTED = (
    events.TableOpened,
    events.SeatTaken,
    events.SeatLeft,
    events.SeatRenamed,
    events.HostChanged,
    events.BotSeated,
    events.BotRemoved,
    events.GameStarted,
    events.TimeRanOut,
    events.SeatReturned,
    events.Resigned,
    events.Abandoned,
    events.NextOpened,
)
"""Events that change what the lists or the presence show of a table."""


def _is_listed(decided: Decided) -> bool:
    has_ended = decided.play is not None and decided.play.decision is None
    return has_ended or any(isinstance(event, _LISTED) for event in decided.events)


def summary_of(state: TableState, spectators: int) -> Summary:
    """Give what lists show of a table; nothing here is secret."""
    return {
        "table": state.id,
        "game": state.settings.game,
        "phase": state.phase,
        "host": state.host,
        "seats": [{"user": chair.user, "name": chair.name, "bot": chair.bot} for chair in state.chairs],
        "settings": state.settings.model_dump(mode="json"),
        "spectators": spectators,
        "created": state.created,
        "next": None,
    }


def pack_about(summary: Summary, private: bool) -> bytes:
    """Give what the store keeps beside the log for the lists."""
    packed: bytes = msgpack.packb({"summary": summary, "private": private})
    return packed


def _presence_of(chair: Chair, is_here: bool) -> str:
    if chair.is_free:
        return "free"
    if chair.bot is not None:
        return "bot"
    return "here" if is_here else "away"


def _no(request_id: str | None, refusal: Refused) -> dict[str, Any]:
    return {"type": "refused", "id": request_id, "code": refusal.code, "sentence": refusal.sentence}


def _known(request_id: str, known: store_base.Known | store_base.Reused) -> dict[str, Any]:
    if isinstance(known, store_base.Reused):
        return _no(request_id, refused("id_reused"))
    answer: dict[str, Any] = msgpack.unpackb(known.answer)
    return answer


def _answer(letter: Letter, refusal: Refused) -> None:
    """Refuse a letter that wants an answer."""
    match letter:
        case Asked(_, request, reply) | Watching(_, request, _, reply):
            reply(_no(request.id, refusal))
        case Opened(_, request_id, reply):
            reply(_no(request_id, refusal))
