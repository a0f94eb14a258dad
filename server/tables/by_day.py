"""What people can ask of a table that is played by the day: their weekly rhythm and their holidays.

A rhythm is kept with the user (`server/people/rhythms.py`). The table copies it into its log when the person sits down
or has changed it, and whenever it is loaded, so that all timing follows from the log and the time alone.

A holiday uses days of a bank that each seat has for the game. A day that has begun is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from protocol import messages
from server.tables import events
from server.tables.answer_secrecy import public_awaited
from server.tables.day_clocks import DAY_MILLISECONDS
from server.tables.orders import proposal
from server.tables.pace import is_by_the_day
from server.tables.results import Accepted, RequestContext, Result, refused
from server.tables.rhythm import Rhythm

if TYPE_CHECKING:
    from server.tables.core import TableCore
    from server.tables.state import TableState


def takes_rhythms(table: TableState) -> bool:
    """Return whether the rhythms of the people at a table matter."""
    return table.phase != "over" and is_by_the_day(table.settings)


def rhythms_adopted(core: TableCore, kept: Mapping[str, Rhythm | None]) -> Result:
    """Return the result for the rhythms that are kept with users: the table takes over those that it does not know."""
    state = core.state
    new_events = [
        _rhythm_set(seat, kept[chair.user])
        for seat, chair in enumerate(state.chairs)
        if chair.user is not None and chair.user in kept and not _is_known(state, chair.user, kept[chair.user])
    ]
    return Accepted(new_events) if new_events and takes_rhythms(state) else refused("wrong_phase")


def _is_known(state: TableState, user: str, rhythm: Rhythm | None) -> bool:
    return user in state.rhythms and state.rhythms[user] == rhythm


def _rhythm_set(seat: int, rhythm: Rhythm | None) -> events.RhythmSet:
    if rhythm is None:
        return events.RhythmSet(seat, None)
    return events.RhythmSet(seat, rhythm.zone, rhythm.start, rhythm.end, rhythm.days)


def adopt_rhythm(core: TableCore, context: RequestContext, request: messages.AdoptRhythm) -> Result:
    """Return the result of a request to play by the rhythm that is kept with the user; the actor has adopted it."""
    return refused("not_seated") if context.seat is None else Accepted([])


def take_holiday(core: TableCore, context: RequestContext, request: messages.TakeHoliday) -> Result:
    """Return the result of beginning or ending a holiday."""
    state, clocks = core.state, core.state.day_clocks
    if context.seat is None:
        return refused("not_seated")
    if state.phase != "running" or state.chairs[context.seat].resigned:
        return refused("wrong_phase")
    if clocks is None:
        return refused("no_holiday")
    at, clock = core.time, clocks.seats[context.seat]
    if request.on == clock.is_on_holiday(at):
        return Accepted([])
    if not request.on:
        return Accepted([events.HolidayEnded(context.seat)])
    left = clock.holidays_left(state.settings.holiday_days)
    if not left:
        return refused("no_holiday")
    return Accepted([events.HolidayBegan(context.seat, at + left * DAY_MILLISECONDS)])


def deadlines(state: TableState) -> dict[str, int]:
    """Return the times at which people run out of time, by user, as everybody at the table may know them."""
    clocks = state.day_clocks
    if clocks is None:
        return {}
    found = ((state.chairs[seat].user, clocks.deadline(seat, state.thinking)) for seat in state.timed())
    return {user: deadline for user, deadline in found if user is not None and deadline is not None}


def holidays(state: TableState) -> dict[str, int]:
    """Return the times at which holidays end at the latest, by user."""
    if state.day_clocks is None:
        return {}
    found = (
        (chair.user, clock.holiday_until) for chair, clock in zip(state.chairs, state.day_clocks.seats, strict=True)
    )
    return {user: until for user, until in found if user is not None and until is not None}


def wakes_at(state: TableState) -> int | None:
    """Return the time at which a game by the day goes on by itself, so that it has to be in memory.

    That is when somebody's time runs out; at once if a bot or a standing order has to decide. Nobody is shown this: it
    depends on who has answered.
    """
    clocks = state.day_clocks
    if clocks is None or state.phase != "running" or state.paused:
        return None
    if state.is_opening or any(
        state.chairs[seat].player is not None or proposal(state, seat) is not None for seat in state.awaited()
    ):
        return state.entry_at
    due = clocks.due(state.thinking)
    return None if due is None else due[0]


def clocks_shown(state: TableState) -> list[dict[str, Any] | None] | None:
    """Return what everybody at the table sees of the clocks of a game by the day; None for a seat without a person."""
    clocks = state.day_clocks
    if clocks is None or state.play is None:
        return None
    running = frozenset(state.timed()).intersection(public_awaited(state, state.play))
    return [
        None if chair.user is None else _clock_shown(state, seat, is_running=seat in running)
        for seat, chair in enumerate(state.chairs)
    ]


def _clock_shown(state: TableState, seat: int, *, is_running: bool) -> dict[str, Any]:
    assert state.day_clocks is not None
    clock = state.day_clocks.seats[seat]
    deadline = state.day_clocks.deadline(seat, state.thinking) if is_running else None
    return {
        "deadline": deadline,
        "pauses": [] if deadline is None else clock.pauses(deadline),
        "holiday": clock.holiday_until,
        "holidays": clock.holidays_left(state.settings.holiday_days),
    }
