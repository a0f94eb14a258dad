"""Standing orders: what seats have said beforehand, and when the table acts by it.

An order acts in place of its seat, after a pause that depends on nothing that is in it. What it answers is admitted by
the prompt like any answer, and the log shows others the answer of the seat and nothing else. Orders are known to their
owner alone, also after the game; that is declared by their events (`events.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from protocol import messages
from protocol.commitments import canonical_json
from server.games.engine.events import Seat
from server.games.engine.game import view_of
from server.games.engine.options import BadOption
from server.games.engine.orders import OrderKind, OrderRules, Situation
from server.games.engine.play import Play
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json
from server.model import Refused
from server.tables import events
from server.tables.chairs import NO_ORDERS
from server.tables.events import StandingOrder
from server.tables.results import Accepted, RequestContext, Result, refused
from server.tables.sealing import ClientSeal, seal_of_order

if TYPE_CHECKING:
    from server.tables.core import TableCore
    from server.tables.state import TableState

MAX_REVISIONS: Final = 2_000
"""Changes of the orders of one seat in one game, so that nobody can fill the log of a table with them."""

MIN_PAUSE_SECONDS: Final = 0.5
"""The shortest pause before an order acts, also where bots answer at once."""

MAX_SENTENCE: Final = 300
"""Characters of a refusal that names what was sent."""

Pause = Callable[[str, bool, Random], float]
"""Return the seconds that somebody seems to take for a decision of this kind, sealed or not."""


class Proposal(NamedTuple):
    """An order, and what it would answer to the open decision."""

    order: StandingOrder
    kind: OrderKind
    values: Mapping[str, Any]
    command: Command


# -- what orders there are -----------------------------------------------------------------------------------------


def period_of(state: TableState, rules: OrderRules) -> int | None:
    """Return the number of the present round or year; None in a game without such periods."""
    play = state.play
    return None if rules.period is None or play is None else play.game.progress(play.state)[rules.period]


def standing(state: TableState, seat: Seat) -> tuple[StandingOrder, ...]:
    """Return the orders of a seat that still hold: those for an earlier round or year do not."""
    rules, mine = state.game.orders, state.orders.get(seat, NO_ORDERS)
    if rules is None or not mine.given:
        return ()
    period = period_of(state, rules)
    return tuple(order for order in mine.given if order.period is None or order.period == period)


def own_orders(state: TableState, seat: Seat | None) -> dict[str, Any] | None:
    """Return the orders of a seat as only that seat sees them; None where it can give none.

    `next` is the place of the order that is about to act on the open decision.
    """
    if seat is None or state.phase != "running" or not state.settings.orders:
        return None
    if state.chairs[seat].user is None or state.chairs[seat].resigned or state.game.orders is None:
        return None
    mine = state.orders.get(seat)
    if mine is None:
        return {"revision": 0, "given": [], "next": None}
    given, proposed = standing(state, seat), proposal(state, seat) if seat in state.thinkers() else None
    acting = None if proposed is None else given.index(proposed.order)
    return {"revision": mine.revision, "given": [order.shown() for order in given], "next": acting}


def set_orders(core: TableCore, context: RequestContext, request: messages.SetOrders) -> Result:
    """Replace the orders of a seat."""
    state, seat = core.state, context.seat
    if seat is None:
        return refused("not_seated")
    if state.phase == "over":
        return refused("game_over")
    if state.play is None or state.chairs[seat].resigned:
        return refused("wrong_phase")
    rules = state.game.orders
    if rules is None:
        return Refused("no_orders", "This game has no standing orders.", "game")
    if not state.settings.orders:
        return refused("no_orders")
    mine = state.orders.get(seat, NO_ORDERS)
    if request.revision != mine.revision:
        return refused("stale_orders")
    if mine.revision >= MAX_REVISIONS:
        sentence = f"Orders can be changed {MAX_REVISIONS} times in one game."
        return Refused("no_orders", sentence, "limit", {"count": MAX_REVISIONS})
    given: list[StandingOrder] = []
    for asked in request.orders:
        order = _read(state, rules, asked)
        if isinstance(order, Refused):
            return order
        if order not in given:
            given.append(order)
    if tuple(given) == standing(state, seat):
        return Accepted([], {"revision": mine.revision})
    return Accepted([events.OrdersSet(seat, tuple(given), request.seed)], {"revision": mine.revision + 1})


def _read(state: TableState, rules: OrderRules, asked: messages.Order) -> StandingOrder | Refused:
    kind = rules.kind_named(asked.kind)
    if kind is None or (asked.until == "period" and rules.period is None):
        return refused("bad_order")
    if kind.is_sealed and state.seals_on_devices:
        sentence = "Sealed answers stay on the devices at this table, so the server cannot give them for you."
        return Refused("bad_order", sentence, "sealed")
    try:
        values: Any = kind.read(asked.values)
    except BadOption as reason:
        return Refused("bad_order", str(reason)[:MAX_SENTENCE])
    period = period_of(state, rules) if asked.until == "period" else None
    return StandingOrder(kind.name, canonical_json(values), asked.until, period)


# -- acting --------------------------------------------------------------------------------------------------------


def proposal(state: TableState, seat: Seat) -> Proposal | None:
    """Return the first order of an awaited seat that has an answer to the open decision, with the answer.

    There is none inside of a turn that the person has begun, or has taken back: it is theirs to finish.
    """
    play = state.play
    if play is None or play.decision is None or state.is_opening or state.taken_back:
        return None
    decision, rules = play.decision, state.game.orders
    if rules is None or not state.settings.orders or (decision.sealed and state.seals_on_devices):
        return None
    is_their_turn = state.begun_by == seat
    if decision.undoable and is_their_turn:
        return None
    situation: Situation | None = None
    for order in standing(state, seat):
        kind = rules.kind_named(order.kind)
        if kind is None or (decision.kind in kind.continues and is_their_turn):
            continue
        try:
            values: Any = kind.read(json.loads(order.values))
        except BadOption:
            # An earlier version of the game had other fields.
            continue
        situation = situation or _situation(play, seat)
        command = kind.answer(values, situation)
        if command is not None:
            return Proposal(order, kind, values, command)
    return None


def act(core: TableCore, seat: Seat) -> Result:
    """Return the result of the order of a seat that is due. One that the prompt does not admit is dropped."""
    play, proposed = core.state.play, proposal(core.state, seat)
    if play is None or play.decision is None or proposed is None or seat not in core.state.thinkers():
        return refused("not_awaited")
    order, kind, values, command = proposed
    if play.decision.prompts[seat].admit(command) is not None:
        return Accepted([events.OrderDropped(seat, order)])
    made: ClientSeal | None = None
    seed = core.state.orders[seat].seed
    if play.decision.sealed and core.state.exchange is not None and seed is not None:
        made = seal_of_order(core.state, play.number, seat, command, seed)
    decided = core.decided(play, seat, command, made)
    is_done = order.until == "once" and not _goes_on(decided.play, seat, kind, values)
    return Accepted([events.OrderUsed(seat, order, is_done), *decided.events], play=decided.play)


def _goes_on(after: Play | None, seat: Seat, kind: OrderKind, values: Mapping[str, Any]) -> bool:
    """Return whether an order also answers the next decision, within the same turn of the seat."""
    decision = None if after is None else after.decision
    if after is None or decision is None or seat not in decision.prompts:
        return False
    is_in_turn = decision.undoable or decision.kind in kind.continues
    return is_in_turn and kind.answer(values, _situation(after, seat)) is not None


def _situation(play: Play, seat: Seat) -> Situation:
    """Return what a seat that is awaited is asked, and what it may know: nothing else reaches an order."""
    assert play.decision is not None
    view: Mapping[str, Json] = view_of(play.game, play.state, seat)
    return Situation(seat, play.decision.kind, play.decision.prompts[seat], view)


# -- when ----------------------------------------------------------------------------------------------------------


class _Wait(NamedTuple):
    decision: int
    revision: int
    until: int | None
    """The time at which the order acts, in milliseconds of a monotonic clock; None if none has an answer."""


class OrderPauses:
    """The pauses of orders that have an answer to the open decision. Every method gets the current time.

    A pause begins when the decision is opened or the orders of the seat are changed, and again after a pause of the
    game, when the person takes the seat back, and when the table is loaded. Its length follows from the table, the seat
    and the number of the decision alone, so that neither it nor any other pause depends on what the orders are.
    """

    def __init__(self, pause: Pause) -> None:
        self._pause = pause
        self._waits: dict[Seat, _Wait] = {}

    def due(self, state: TableState, now: int) -> list[tuple[int, Seat]]:
        """Return the milliseconds until each order acts, with its seat, soonest first."""
        if not state.orders and not self._waits:
            return []
        play = state.play
        waits: dict[Seat, _Wait] = {}
        for seat in state.thinkers():
            mine = state.orders.get(seat)
            if play is None or mine is None or not mine.given:
                continue
            wait = self._waits.get(seat)
            if wait is None or (wait.decision, wait.revision) != (play.number, mine.revision):
                is_proposed = proposal(state, seat) is not None
                until = now + self._milliseconds(state, play, seat) if is_proposed else None
                wait = _Wait(play.number, mine.revision, until)
            waits[seat] = wait
        self._waits = waits
        return sorted((wait.until - now, seat) for seat, wait in waits.items() if wait.until is not None)

    def give_up(self, seat: Seat) -> None:
        """Leave the open decision of a seat to the person."""
        self._waits[seat] = self._waits[seat]._replace(until=None)

    def _milliseconds(self, state: TableState, play: Play, seat: Seat) -> int:
        assert play.decision is not None
        # Nobody outside can foresee it: neither is ever shown, the seed not before the end.
        rng = Random(f"order/{state.secret or state.seed}/{seat}/{play.number}")  # noqa: S311
        seconds = self._pause(play.decision.kind, play.decision.sealed, rng)
        return round(max(MIN_PAUSE_SECONDS, seconds) * 1000)
