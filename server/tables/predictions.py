"""Predictions: whom the spectators of a game expect to win, kept beside its log.

A spectator predicts while the game is early (`Game.is_early`), and may replace the prediction until then. Each
prediction is two small values in the store: by table, for the owner that loads the table next, and by user, for their
download and deletion. It is acknowledged when both are durable. No player waits for that: predictions are written by a
task of their own, a batch at a time, and an owner that has lost its table overwrites nothing, since the value by table
is replaced by compare-and-swap.

Spectators are sent the numbers for each seat, at most once in `TELL_SECONDS`; players are sent nothing before the end.
Then it is noted for everybody with an account whether the prediction was right (`prediction_scores.py`). That can be
repeated, so a table that is loaded after a kill at that moment does it again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgpack

from protocol.codec import pack
from protocol.messages import Predict
from server.games.engine.events import Seat, Viewer
from server.model import Done, Refused, Reply, User
from server.rate_limit import FREE, Rate, RateLimiter, Throttle
from server.store.api import KeyValueStore, StorageFailed
from server.tables.failures import INTERNAL_ERROR, log_failure
from server.tables.prediction_scores import PREDICTION_SCORE, PredictionScores
from server.tables.results import refused, too_fast
from server.tables.state import TableState

if TYPE_CHECKING:
    from server.tables.context import TableContext
    from server.tables.core import TableCore
    from server.tables.messages import RequestReceived
    from server.tables.subscribers import Subscribers

log = logging.getLogger(__name__)

PREDICTION: Final = "prediction"
"""Kind of the predictions by table and user; under the table alone, the winners for whom all of them were counted."""

PREDICTED: Final = "predicted"
"""Kind of the same predictions by user and table."""

MAX_PREDICTIONS: Final = 2_000
"""People who predict at one table; one more is refused as `busy`."""

MAX_WAITING: Final = 200
"""Predictions at one table that may wait to be written; one more is refused as `busy`."""

OWN_RATE: Final = Rate(1, 2, burst=5)
"""Predictions of one person."""

RATE_OF_ALL: Final = Rate(20, 1, burst=100)
"""Predictions of all people at one table together."""

MAX_PEOPLE: Final = 1_000
"""People whose rates are remembered; beyond that the oldest ones regain their full burst."""

TELL_SECONDS: Final = 1.0
KEEP_SECONDS: Final = 30 * 86_400
"""The lifetime of a prediction; the scores of people with an account stay."""

COUNTED_AT_ONCE: Final = 20
"""Scores that are written at the same time after the end of a game."""

_FULL: Final = Refused("busy", "Very many people predict here already.", "predictions")
_COUNTED: Final = "!"


class _Made(NamedTuple):
    """A prediction that is in the store."""

    seat: Seat
    has_account: bool

    def pack(self) -> bytes:
        packed: bytes = pack([self.seat, self.has_account])
        return packed


class _Waiting(NamedTuple):
    """A prediction that is to be written."""

    user: User
    seat: Seat
    respond: Callable[[Reply], None]


def is_open(table: TableState) -> bool:
    """Return whether spectators may predict: a pure function of what everybody may know.

    Where spectators see the game late they cannot: how early it is would tell them how far it has got by now.
    """
    play = table.play
    if table.phase != "running" or table.delays_spectators or play is None or play.decision is None:
        return False
    return play.game.is_early(play.state)


def winners_of(table: TableState) -> tuple[Seat, ...]:
    """Return the winners of a finished game; nobody has won an abandoned one."""
    if table.phase != "over" or table.play is None:
        return ()
    outcome = table.play.game.outcome(table.play.state)
    return () if outcome is None else outcome.winners


def _nothing() -> None:
    pass


class Predictions:
    """The predictions at one table. `on_change` is called when their subscribers are to be told."""

    def __init__(self, table: str, context: TableContext, on_change: Callable[[], None]) -> None:
        self._table = table
        self._context = context
        self._on_change = on_change
        self.scores = PredictionScores(context.store.key_values, lambda: context.milliseconds() / 1000)
        self._made: dict[str, _Made] = {}
        self._counts: Counter[Seat] = Counter()
        self._counted: tuple[Seat, ...] = ()
        """The winners for whom all predictions were counted."""

        self._told: tuple[bool, str] | None = None
        """Whether predictions could be made, and the phase of the table, at the last step."""

        self._waiting: deque[_Waiting] = deque()
        self._lock = asyncio.Lock()
        """Held while predictions are written or read."""

        self._rate = RateLimiter(RATE_OF_ALL, lambda: context.milliseconds() / 1000)
        self._own_rates = Throttle(OWN_RATE, lambda: context.milliseconds() / 1000, MAX_PEOPLE)
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._counting: asyncio.Task[None] | None = None

    # -- what is shown ----------------------------------------------------------------------------------------

    def of(self, user: str) -> Seat | None:
        """Return the seat that a user has predicted."""
        made = self._made.get(user)
        return None if made is None else made.seat

    def shown_to(self, table: TableState, viewer: Viewer, user: str) -> dict[str, Any] | None:
        """Return the predictions in the view of a user; None before the game, and for who is not told of them."""
        if table.phase == "open" or not self.are_for(table, viewer):
            return None
        return {**self._numbers(table), "own": self.of(user)}

    def are_for(self, table: TableState, viewer: Viewer) -> bool:
        """Return whether a viewer is told of the predictions: spectators; players after the end, if there are any."""
        return viewer is None or (table.phase == "over" and bool(self._made))

    def message(self, table: TableState) -> dict[str, Any]:
        """Return the message after a change."""
        return {"type": "predictions", "table": self._table, **self._numbers(table)}

    def _numbers(self, table: TableState) -> dict[str, Any]:
        return {"counts": [self._counts[seat] for seat in range(len(table.chairs))], "open": is_open(table)}

    def note_step(self, table: TableState) -> None:
        """Tell the subscribers if predictions are closed or the game is over, and count them after the end.

        That predictions are open from the beginning of a game, everybody knows.
        """
        before, self._told = self._told, (is_open(table), table.phase)
        if before is not None and before != self._told and (self._made or before[0]):
            self._tell_soon()
        winners = winners_of(table)
        if winners and self._made and winners != self._counted and self._counting is None:
            self._counting = self._start(self._count(winners))

    def _tell_soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        self._on_change()

    # -- predicting -------------------------------------------------------------------------------------------

    def take(self, message: RequestReceived, request: Predict, core: TableCore, subscribers: Subscribers) -> None:
        """Refuse a prediction, or reply as soon as it is durable. Nobody waits for that here."""
        refusal = self._refusal(message.user, request.winner, core, subscribers)
        if refusal is not None:
            message.respond(refusal)
            return
        self._waiting.append(_Waiting(message.user, request.winner, message.respond))
        if self._writing is None:
            self._writing = self._start(self._write_waiting())

    def _refusal(self, user: User, winner: Seat, core: TableCore, subscribers: Subscribers) -> Refused | None:
        table, is_subscribed = core.state, subscribers.has(user.id)
        refusal = core.may_enter(user, None, is_subscribed=is_subscribed)
        if refusal is None and table.seat_of(user.id) is not None:
            # Who has resigned has a seat too, and knew what others do not.
            refusal = refused("already_seated")
        refusal = refusal or core.may_watch(user)
        if refusal is not None:
            return refusal
        if not is_subscribed:
            return refused("not_following")
        if table.delays_spectators:
            # Whether they are open would tell how far the game is.
            return refused("predictions_closed")
        if table.phase != "running":
            return refused("wrong_phase")
        if not is_open(table):
            return refused("predictions_closed")
        if winner >= len(table.chairs):
            return refused("no_such_seat")
        if len(self._waiting) >= MAX_WAITING or (user.id not in self._made and len(self._made) >= MAX_PREDICTIONS):
            return _FULL
        wait = self._own_rates.take(user.id)
        wait = self._rate.take() if wait == FREE else wait
        return None if wait == FREE else too_fast("seconds", "That was too much at once.", wait)

    async def _write_waiting(self) -> None:
        """Write what waits, a batch at a time; of several predictions of one person in a batch the last one counts."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, deque()
                latest = {each.user.id: each for each in batch}
                async with self._lock:
                    replies = await asyncio.gather(*map(self._written, latest.values()))
                by_user = dict(zip(latest, replies, strict=True))
                for each in batch:
                    each.respond(by_user[each.user.id])
                self._tell_soon()
        finally:
            self._writing = None

    async def _written(self, waiting: _Waiting) -> Reply:
        """Write a prediction, and return the reply."""
        user, seat, _ = waiting
        before, made = self._made.get(user.id), _Made(seat, user.handle is not None)
        if made == before:
            return Done()
        try:
            is_written = await self._stored(user.id, before, made)
        except StorageFailed:
            return refused("storage_failed")
        except Exception as error:  # noqa: BLE001 - every request gets a reply
            log_failure("prediction not written", self._table, error)
            return INTERNAL_ERROR
        if not is_written:
            return refused("busy")
        self._keep(user.id, made)
        return Done()

    async def _stored(self, user: str, before: _Made | None, made: _Made) -> bool:
        """Store a prediction; return False if another worker has stored a later one, which is then known here."""
        key_values, key = self._context.store.key_values, f"{self._table}.{user}"
        expires_at = self._context.wall_milliseconds() / 1000 + KEEP_SECONDS
        # First, so that a deletion finds the other one.
        await key_values.put(PREDICTED, f"{user}.{self._table}", made.pack(), expires_at)
        if before is None:
            is_stored = await key_values.put_if_absent(PREDICTION, key, made.pack(), expires_at)
        else:
            is_stored = await key_values.replace(PREDICTION, key, before.pack(), made.pack(), expires_at)
        if self._context.people.is_former(user):
            # The user was deleted meanwhile.
            for kind, each in ((PREDICTION, key), (PREDICTED, f"{user}.{self._table}")):
                await key_values.delete(kind, each)
            return False
        if not is_stored:
            found = await key_values.get(PREDICTION, key)
            self._keep(user, None if found is None else _Made(*msgpack.unpackb(found)))
        return is_stored

    def _keep(self, user: str, made: _Made | None) -> None:
        before = self._made.pop(user, None)
        if before is not None:
            self._counts[before.seat] -= 1
        if made is not None:
            self._made[user] = made
            self._counts[made.seat] += 1

    # -- after the end ----------------------------------------------------------------------------------------

    async def _count(self, winners: tuple[Seat, ...]) -> None:
        """Note for everybody with an account whether the prediction was right."""
        try:
            async with self._lock:
                made = [(user, each.seat in winners) for user, each in self._made.items() if each.has_account]
            for begin in range(0, len(made), COUNTED_AT_ONCE):
                await asyncio.gather(*(self._count_for(*each) for each in made[begin : begin + COUNTED_AT_ONCE]))
            expires_at = self._context.wall_milliseconds() / 1000 + KEEP_SECONDS
            key = f"{self._table}.{_COUNTED}"
            await self._context.store.key_values.put(PREDICTION, key, pack(list(winners)), expires_at)
            self._counted = winners
        except StorageFailed:
            # They are counted when the table is loaded again.
            log.warning("predictions not counted", extra={"table": self._table})
        finally:
            self._counting = None

    async def _count_for(self, user: str, is_right: bool) -> None:
        is_former = self._context.people.is_former
        if not is_former(user):
            await self.scores.note(user, self._table, is_right=is_right)
        if is_former(user):
            # The user was deleted meanwhile.
            await self._context.store.key_values.delete(PREDICTION_SCORE, user)

    # -- the life of the table --------------------------------------------------------------------------------

    async def load(self) -> None:
        """Read the predictions of the table."""
        async with self._lock:
            found = await self._context.store.key_values.find(PREDICTION, f"{self._table}.")
            self.forget()
            try:
                for key, value in found:
                    user = key.partition(".")[2]
                    if user == _COUNTED:
                        self._counted = tuple(msgpack.unpackb(value))
                    elif not self._context.people.is_former(user):
                        self._keep(user, _Made(*msgpack.unpackb(value)))
            except (ValueError, TypeError) as error:
                # A table must not become unplayable because of damaged predictions.
                log_failure("predictions not readable", self._table, error)

    def forget(self) -> None:
        """Forget all predictions: another worker owns the table, or they are read again."""
        self._made.clear()
        self._counts.clear()
        self._counted, self._told = (), None
        self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def on_user_deleted(self, user: str) -> None:
        """Forget the prediction of a user who was deleted."""
        if user in self._made:
            self._keep(user, None)
            self._tell_soon()

    async def close(self) -> None:
        """Finish what is being written, and tell nobody."""
        tasks = [task for task in (self._writing, self._counting) if task is not None]
        if tasks:
            await asyncio.wait(tasks)
        self._stop_timer()
        # The table is its owner: without this, only the garbage collector would free the two.
        self._on_change = _nothing

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return asyncio.get_running_loop().create_task(coroutine)


async def stored_predictions(key_values: KeyValueStore, user: str) -> list[dict[str, Any]]:
    """Return the predictions of a user that are stored, for the download."""
    found = await key_values.find(PREDICTED, f"{user}.")
    return [{"table": key.partition(".")[2], "winner": _Made(*msgpack.unpackb(value)).seat} for key, value in found]


async def delete_predictions(key_values: KeyValueStore, user: str) -> None:
    """Delete all predictions of a user."""
    for key, _ in await key_values.find(PREDICTED, f"{user}."):
        await key_values.delete(PREDICTION, f"{key.partition('.')[2]}.{user}")
        await key_values.delete(PREDICTED, key)
