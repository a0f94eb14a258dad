"""Votes on a pause, on resuming, on abandoning the game and on commentators, and resigning: whose agreement each takes.

Everybody who plays has a vote, also a person for whom a bot stands in; the bot never votes. Abandoning, and resuming
after the log was rolled back, take the votes of all of them but those who have been away for as long as the table
declares (`vote_absence_seconds`). Showing all hands to commentators takes the votes of all who play, however long they
are away; any one of them ends it. Who has resigned no longer plays: neither their consent nor their vote counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol import messages
from protocol.messages import BankClock, DecisionClock, TableSettings
from server.games.engine.events import Event, Seat
from server.tables import events
from server.tables.results import Accepted, RequestContext, Result, refused

if TYPE_CHECKING:
    from server.tables.core import TableCore

_AGREED: Final[dict[str, Event]] = {
    "pause": events.Paused(),
    "abandon": events.Abandoned(),
    "commentary": events.CommentaryAgreed(),
}
"""What happens when everybody whose vote it takes has agreed."""

MIN_VOTE_ABSENCE_SECONDS: Final = 600
UNLIMITED_VOTE_ABSENCE_SECONDS: Final = 86_400
"""The absence at a table that limits neither the time of a decision nor absence."""


def vote_absence_seconds(settings: TableSettings) -> int:
    """Return the seconds of absence after which the game can be abandoned without a person's vote.

    A table on which a decision may take a day must not be abandoned while somebody takes that day.
    """
    clock = settings.clock
    limits = [clock.seconds] if isinstance(clock, (DecisionClock, BankClock)) else []
    if settings.absence_seconds is not None:
        limits.append(settings.absence_seconds)
    return max(MIN_VOTE_ABSENCE_SECONDS, *limits) if limits else UNLIMITED_VOTE_ABSENCE_SECONDS


def agreement_due(core: TableCore) -> int | None:
    """Return the milliseconds until an open vote succeeds because the people who are missing have been away too long.

    Return None if no vote can succeed in that way: nobody has voted, or somebody who is connected has not.
    """
    return min((due for _, due in _pending(core)), default=None)


def agreed(core: TableCore) -> list[Event]:
    """Return the event of an open vote that has succeeded because the people who are missing were away too long."""
    return next(([event] for event, due in _pending(core) if due <= 0), [])


def _pending(core: TableCore) -> list[tuple[Event, int]]:
    """Return the events for which everybody who is connected has voted, with the milliseconds until each happens."""
    state = core.state
    if state.phase != "running" or not state.votes:
        return []
    pending: list[tuple[Event, int]] = []
    players = frozenset(state.players())
    for on, event in (("abandon", events.Abandoned()), ("resume", events.Resumed())):
        voters = state.votes.get(on, frozenset()) & players
        if not voters or (on == "resume" and not state.rolled_back):
            continue
        absences = [_absence(core, seat) for seat in players - voters]
        longest = vote_absence_seconds(state.settings) * 1000
        waits = [longest - absence for absence in absences if absence is not None]
        if len(waits) == len(absences):
            pending.append((event, max(0, *waits) if waits else 0))
    return pending


def _needed(core: TableCore, on: str) -> frozenset[Seat]:
    """Return the seats whose votes it takes now."""
    state, absences = core.state, core.absences
    if on == "commentary":
        return frozenset(state.players())
    if on == "pause":
        # A pause can be ended by one vote, so it does not have to wait for people who are away while a bot plays.
        return frozenset(
            seat for seat in state.players() if state.chairs[seat].stand_in is None or absences.of(seat) is None
        )
    longest = vote_absence_seconds(state.settings) * 1000
    return frozenset(seat for seat in state.players() if (_absence(core, seat) or 0) < longest)


def _absence(core: TableCore, seat: Seat) -> int | None:
    """Return for how many milliseconds the person of a seat counts as away, or None if connected.

    At a table by the day, which is not always in memory, whose time has run out has been away for long enough.
    """
    state, absence = core.state, core.absences.of(seat)
    if absence is None or state.day_clocks is None or state.chairs[seat].stand_in is None:
        return absence
    return max(absence, vote_absence_seconds(state.settings) * 1000)


def vote(core: TableCore, context: RequestContext, request: messages.Vote) -> Result:
    """Return the result of a vote, and of the agreement that it may complete."""
    state = core.state
    if context.seat is None:
        return refused("not_seated")
    if request.on == "commentary" and state.commentary is not None:
        return _end_commentary(core, context.seat, request)
    if state.phase != "running" or state.chairs[context.seat].resigned:
        return refused("wrong_phase")
    if (request.on == "resume") != state.paused and request.on not in ("abandon", "commentary"):
        return refused("wrong_phase")
    voters = state.votes.get(request.on, frozenset())
    if not request.agree:
        return _vote_against(context.seat, request.on, voters)
    new_events: list[Event] = [events.Voted(context.seat, request.on, agree=True)]
    is_agreed = voters | {context.seat} >= _needed(core, request.on)
    # One vote resumes a paused game; everything else needs the votes of all people who still play.
    if request.on == "resume":
        if is_agreed or not state.rolled_back:
            new_events.append(events.Resumed())
    elif is_agreed:
        new_events.append(_AGREED[request.on])
    return Accepted(new_events)


def _end_commentary(core: TableCore, seat: Seat, request: messages.Vote) -> Result:
    """Return the result of a vote on what is agreed already: from then on any player can end it alone."""
    if request.agree or core.state.phase == "open":
        return refused("wrong_phase")
    return Accepted([events.CommentaryEnded(seat)])


def _vote_against(seat: Seat, on: str, voters: frozenset[Seat]) -> Result:
    """Withdraw a seat's own vote, or decline what others have voted for."""
    if seat in voters:
        return Accepted([events.Voted(seat, on, agree=False)])
    return Accepted([events.VoteDeclined(seat, on)] if voters else [])


def resign(core: TableCore, context: RequestContext, request: messages.Resign) -> Result:
    """Return the result of resigning: a bot plays on, and the agreement of the others may be complete."""
    state = core.state
    if context.seat is None:
        return refused("not_seated")
    if state.phase != "running" or state.chairs[context.seat].resigned:
        return refused("wrong_phase")
    follows = _agreed_without(core, context.seat)
    return Accepted([events.Resigned(context.seat, core.default_strength), *follows])


def _agreed_without(core: TableCore, leaver: Seat) -> list[Event]:
    """Return the event to which all people but one have agreed, now that this one resigns."""
    state = core.state
    others = frozenset(state.players()) - {leaver}
    if not others:
        return [events.Abandoned()]
    if _is_agreed_among(core, "abandon", others):
        return [events.Abandoned()]
    if not state.paused and _is_agreed_among(core, "pause", others):
        return [events.Paused()]
    if state.rolled_back and _is_agreed_among(core, "resume", others):
        return [events.Resumed()]
    if state.commentary is None and _is_agreed_among(core, "commentary", others):
        return [events.CommentaryAgreed()]
    return []


def _is_agreed_among(core: TableCore, on: str, people: frozenset[Seat]) -> bool:
    voters = core.state.votes.get(on, frozenset()) & people
    return bool(voters) and voters >= _needed(core, on) & people
