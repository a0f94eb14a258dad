"""The handlers of requests before the game begins: settings, seats, bots, readiness and the start."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

from protocol import messages
from server.games.engine.dice import Dice
from server.games.engine.events import Event, Seat
from server.games.engine.options import read_options
from server.games.engine.play import Play, begin, go_on
from server.model import Refused
from server.tables import events
from server.tables.bot_names import bot_names
from server.tables.bot_styles import PLAIN, bot_styles, has_style
from server.tables.chairs import Chair
from server.tables.continuing import unpack_steps
from server.tables.results import Accepted, RequestContext, Result, refused
from server.tables.sealing import forced_seals
from server.tables.seed_exchange import asked, seed_of_game, voided
from server.tables.settings import not_rated, read_settings
from server.tables.state import TableState

if TYPE_CHECKING:
    from server.tables.core import TableCore

# -- settings -------------------------------------------------------------------------------------------------


def _change_settings(core: TableCore, context: RequestContext, request: messages.ChangeSettings) -> Result:
    state = core.state
    refusal = _not_the_host(state, context)
    if refusal is not None:
        return refusal
    if state.continued is not None:
        sentence = "The settings of a table that continues another game cannot be changed."
        return Refused("bad_settings", sentence, "continued")
    if request.settings.game != state.settings.game:
        return Refused("bad_settings", "The game of a table cannot be changed.", "game")
    settings = read_settings(request.settings)
    if isinstance(settings, Refused):
        return settings
    refusal = not_rated(context.user, settings)
    if refusal is not None:
        return refusal
    if any(chair.user is not None for chair in state.chairs[settings.seats :]):
        return Refused("bad_settings", "Somebody sits on a seat that would be removed.", "seated")
    new_events: list[Event] = [
        events.BotRemoved(seat)
        for seat, chair in enumerate(state.chairs)
        if chair.bot is not None and (seat >= settings.seats or not settings.bots)
    ]
    new_events.append(events.SettingsChanged(settings.model_dump_json()))
    if settings.begin == "full" and state.settings.begin != "full" and context.seat is not None:
        # The host, who waits for the table to be full, need not say so a second time.
        new_events.append(events.SeatReady(context.seat, ready=True))
    return _begun_if_full(state, Accepted(new_events), context.entropy)


# -- seats ----------------------------------------------------------------------------------------------------


def _take_seat(core: TableCore, context: RequestContext, request: messages.TakeSeat) -> Result:
    state, user = core.state, context.user
    if state.phase != "open":
        return refused("wrong_phase")
    if context.seat is not None:
        return _move(state, context.seat, request.seat)
    if user.id in state.kicked:
        return Refused("no_free_seat", "The host has removed you from this table.", "removed")
    refusal = not_rated(user, state.settings)
    if refusal is not None:
        return refusal
    if request.seat is not None and _no_bot_on(state, request.seat) is None:
        seat, new_events = request.seat, [events.BotRemoved(request.seat)]
    else:
        free = _free_seat(state.chairs, request.seat)
        if isinstance(free, Refused):
            return free
        seat, new_events = free, []
    name = core.shown_name(user)
    accepted = Accepted([*new_events, *sat_down(seat, user.id, name, state.settings)], {"seat": seat})
    return _begun_if_full(state, accepted, context.entropy)


def sat_down(seat: Seat, user: str, name: str, settings: messages.TableSettings) -> list[Event]:
    """Return the events of a user who takes a seat: ready, where the game begins as soon as the table is full.

    `name` is the one that the table shows.
    """
    taken = events.SeatTaken(seat, user, name)
    return [taken, events.SeatReady(seat, ready=True)] if settings.begin == "full" else [taken]


def _move(state: TableState, seat: Seat, requested: Seat | None) -> Result:
    if requested in (None, seat):
        return refused("already_seated")
    free = _free_seat(state.chairs, requested)
    return free if isinstance(free, Refused) else Accepted([events.SeatMoved(seat, free)], {"seat": free})


def _leave_seat(core: TableCore, context: RequestContext, request: messages.LeaveSeat) -> Result:
    if core.state.phase != "open":
        return refused("wrong_phase")
    if context.seat is None:
        return refused("not_seated")
    new_events = _stood_up(core.state, context.seat, kicked=False)
    exchange = core.state.exchange
    if exchange is not None and exchange.is_running:
        new_events = [*voided(core.state, exchange, (), context.entropy()), *new_events]
    return Accepted(new_events)


def _stood_up(state: TableState, seat: Seat, *, kicked: bool) -> list[Event]:
    new_events: list[Event] = [events.SeatLeft(seat, kicked)]
    if state.chairs[seat].user == state.host:
        others = [chair.user for other, chair in enumerate(state.chairs) if other != seat and chair.user is not None]
        # A table without people is closed.
        new_events.append(events.HostChanged(others[0]) if others else events.Abandoned())
    return new_events


def _add_bot(core: TableCore, context: RequestContext, request: messages.AddBot) -> Result:
    strength = _bot_strength(core, context, request.strength)
    if isinstance(strength, Refused):
        return strength
    seat = _free_seat(core.state.chairs, request.seat)
    if isinstance(seat, Refused):
        return seat
    accepted = Accepted(_bots_added(core.state, [seat], strength, request.style), {"seat": seat})
    return _begun_if_full(core.state, accepted, context.entropy)


def _fill_with_bots(core: TableCore, context: RequestContext, request: messages.FillWithBots) -> Result:
    strength = _bot_strength(core, context, request.strength)
    if isinstance(strength, Refused):
        return strength
    seats = [seat for seat, chair in enumerate(core.state.chairs) if chair.is_free]
    if not seats:
        return refused("no_free_seat")
    accepted = Accepted(_bots_added(core.state, seats, strength, request.style), {"seats": seats})
    return _begun_if_full(core.state, accepted, context.entropy)


def _bot_strength(core: TableCore, context: RequestContext, strength: str | None) -> str | Refused:
    """Return the strength of the bots that the host adds, or the refusal."""
    refusal = _not_the_host(core.state, context)
    if refusal is not None:
        return refusal
    if not core.state.settings.bots:
        return refused("no_bots")
    if strength is not None and strength not in core.strengths:
        return refused("no_such_strength")
    return strength or core.default_strength


def _bots_added(state: TableState, seats: Sequence[Seat], strength: str, style: str | None) -> list[Event]:
    taken = {chair.name for chair in state.chairs if chair.name is not None}
    bots = bots_seated(state.id, seats, strength, taken, [chair.style for chair in state.chairs])
    return [bot if style is None else replace(bot, style=_chosen_style(style, strength)) for bot in bots]


def bots_seated(
    table: str, seats: Sequence[Seat], strength: str, taken: Collection[str], styles: Iterable[str | None] = ()
) -> list[events.BotSeated]:
    """Return the events of bots that sit down, with other names than those that are taken.

    `styles` are those of the bots at the table; as far as possible the new ones have others.
    """
    chosen = bot_styles(table, styles) if has_style(strength) else repeat(None)
    return [
        events.BotSeated(seat, strength, name, style)
        for seat, name, style in zip(seats, bot_names(table, taken), chosen, strict=False)
    ]


def _change_bot(core: TableCore, context: RequestContext, request: messages.ChangeBot) -> Result:
    refusal = _not_the_host(core.state, context) or _no_bot_on(core.state, request.seat)
    if refusal is not None:
        return refusal
    if request.strength is not None and request.strength not in core.strengths:
        return refused("no_such_strength")
    chair = core.state.chairs[request.seat]
    assert chair.bot is not None
    strength = request.strength or chair.bot
    style = _chosen_style(request.style or chair.style, strength)
    if (strength, style) == (chair.bot, chair.style):
        return Accepted([])
    return Accepted([events.BotChanged(request.seat, strength, style)])


def _chosen_style(style: str | None, strength: str) -> str | None:
    return None if style == PLAIN or not has_style(strength) else style


def _remove_bot(core: TableCore, context: RequestContext, request: messages.RemoveBot) -> Result:
    refusal = _not_the_host(core.state, context) or _no_bot_on(core.state, request.seat)
    return refusal or Accepted([events.BotRemoved(request.seat)])


def _no_bot_on(state: TableState, seat: Seat) -> Refused | None:
    if seat >= len(state.chairs):
        return refused("no_such_seat")
    return refused("not_a_bot") if state.chairs[seat].bot is None else None


def _kick(core: TableCore, context: RequestContext, request: messages.Kick) -> Result:
    refusal = _not_the_host(core.state, context)
    if refusal is not None:
        return refusal
    if request.seat >= len(core.state.chairs):
        return refused("no_such_seat")
    if core.state.chairs[request.seat].user in (None, context.user.id):
        return refused("not_a_person")
    return Accepted(_stood_up(core.state, request.seat, kicked=True))


def _ready(core: TableCore, context: RequestContext, request: messages.Ready) -> Result:
    if core.state.phase != "open":
        return refused("wrong_phase")
    if context.seat is None:
        return refused("not_seated")
    # A guest may have sat down before the host made the table a rated one, and then keeps the others from starting.
    refusal = not_rated(context.user, core.state.settings) if request.ready else None
    if refusal is not None:
        return refusal
    accepted = Accepted([events.SeatReady(context.seat, request.ready)])
    return _begun_if_full(core.state, accepted, context.entropy)


# -- the start ------------------------------------------------------------------------------------------------


def _start(core: TableCore, context: RequestContext, request: messages.Start) -> Result:
    state = core.state
    refusal = _not_the_host(state, context) or not_rated(context.user, state.settings)
    if refusal is not None:
        return refusal
    if any(chair.is_free or not (chair.ready or chair.user == state.host) for chair in state.chairs):
        return refused("not_everybody_ready")
    seeds = asked(state)
    if seeds is not None:
        return Accepted(seeds)
    new_events, play = begun(state, context.entropy)
    return Accepted(new_events, play=play)


def begun(state: TableState, entropy: Callable[[], bytes]) -> tuple[list[Event], Play]:
    """Return the events of the start, and the play: the game begins now, with the seeds that were exchanged."""
    seed = entropy() if state.exchange is None else seed_of_game(state, state.exchange)
    dice, continued = Dice(seed), state.continued
    start = events.GameStarted(seed.hex(), sha256(seed).hexdigest())
    if continued is not None:
        steps = unpack_steps(state.settings.game, continued.steps)
        play, step = go_on(state.game, steps, continued.seat, dice, is_redealt=continued.hidden == "redealt")
        return [start, *step], play
    # A table that waited for a new version keeps its rules: its game is verified by them.
    game = state.game.as_of(state.rules_version) or state.game
    options = read_options(game.options, state.settings.options)
    play, step = begin(game, len(state.chairs), options, dice, asks_forced=state.asks_forced)
    return [start, *step, *forced_seals(state, play, seed.hex())], play


def begun_if_full(state: TableState, entropy: Callable[[], bytes]) -> tuple[list[Event], Play | None] | None:
    """Return the events of the start and the play, if the game begins by itself now; no play if it asks for seeds."""
    if state.settings.begin != "full" or any(chair.is_free or not chair.ready for chair in state.chairs):
        return None
    seeds = asked(state)
    return begun(state, entropy) if seeds is None else (seeds, None)


def _begun_if_full(state: TableState, accepted: Accepted, entropy: Callable[[], bytes]) -> Accepted:
    """Return the result with the start of the game, if the game begins by itself after it."""
    begun = begun_if_full(state.after(accepted.events, None), entropy)
    if begun is None:
        return accepted
    start, play = begun
    return Accepted([*accepted.events, *start], accepted.result, play)


# -- conditions -----------------------------------------------------------------------------------------------


def _free_seat(chairs: Sequence[Chair], requested: Seat | None) -> Seat | Refused:
    if requested is None:
        free = next((seat for seat, chair in enumerate(chairs) if chair.is_free), None)
        return refused("no_free_seat") if free is None else free
    if requested >= len(chairs):
        return refused("no_such_seat")
    return requested if chairs[requested].is_free else refused("seat_taken")


def _not_the_host(state: TableState, context: RequestContext) -> Refused | None:
    """Return a refusal unless the user is the host and the game has not started."""
    if state.phase != "open":
        return refused("wrong_phase")
    return None if context.user.id == state.host else refused("not_host")


SEATING_HANDLERS: Final[dict[type[messages.TableRequest], Callable[[TableCore, RequestContext, Any], Result]]] = {
    messages.ChangeSettings: _change_settings,
    messages.TakeSeat: _take_seat,
    messages.LeaveSeat: _leave_seat,
    messages.AddBot: _add_bot,
    messages.FillWithBots: _fill_with_bots,
    messages.ChangeBot: _change_bot,
    messages.RemoveBot: _remove_bot,
    messages.Kick: _kick,
    messages.Ready: _ready,
    messages.Start: _start,
}
