"""What is told to a recipient, and when: pure functions of what is stored, of the tables as they are, and of the time.

Nothing is queued when something happens. What a recipient was told is compared with the tables as they are, so a
restart loses nothing, and a decision that somebody has made meanwhile is not told any more. A decision is known by its
table and the time at which it was opened; it is told once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from server.notifications.recipients import Contact, KnownTable, News, Recipient, without_contact

GRACE_SECONDS: Final = 120
"""A decision is told if it has waited, and its person has not looked at the page, for so long."""

DIGEST_SECONDS: Final = 15 * 60
"""The time between two messages through one contact; what happens meanwhile is in the second one."""

LEASE_SECONDS: Final = 180
"""The time for which a worker that sends keeps others from sending."""

FIRST_RETRY_SECONDS: Final = 30
MAX_RETRY_SECONDS: Final = 3_600
GIVE_UP_SECONDS: Final = 86_400
"""Failing for so long, a contact loses the news that have waited for it."""

MAX_NEWS: Final = 50
"""News that wait for one recipient; one more removes the oldest."""

MAX_KNOWN: Final = 300
"""Tables that are remembered for one recipient; of further ones nothing is told."""


class TableNow(NamedTuple):
    """A table as it is, as far as the recipient may know it."""

    table: str
    game: str
    name: str | None
    phase: str
    is_awaited: bool
    decision: str | None
    since: int | None
    deadline: int | None

    @property
    def decision_at(self) -> int:
        """Return when the decision was opened, in milliseconds; 0 if that is not known."""
        return self.since or 0


class InvitationNow(NamedTuple):
    """An invitation that is of use."""

    table: str
    game: str
    by: str
    at: int
    """In milliseconds since 1970."""


class Situation(NamedTuple):
    """What a recipient would see on the page."""

    tables: Collection[TableNow]
    invitations: Collection[InvitationNow] = ()
    is_over: Callable[[str], bool] = lambda table: True
    """Returns whether a table at which the recipient does not sit any more is over."""


class Delivery(NamedTuple):
    """A message that a worker is to send: these news, through this contact."""

    contact: Contact
    news: tuple[News, ...]

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(each.id for each in self.news)


# -- what is news ---------------------------------------------------------------------------------------------


def after_looking(recipient: Recipient, situation: Situation) -> Recipient:
    """Return a recipient who has seen all of a situation on the page."""
    return replace(recipient, known=_known(situation), told=_told(recipient, situation, is_seen=True), news=())


def with_news(
    recipient: Recipient, situation: Situation, away_since: float, now: float, grace_seconds: float = GRACE_SECONDS
) -> Recipient:
    """Return a recipient with what is news by now to somebody who has been away since a time.

    What is not true any more is removed. Somebody who has been away for a moment only gets no news.
    """
    if recipient.known is None:
        return after_looking(recipient, situation)
    news = [each for each in recipient.news if _is_true(each, recipient, situation)]
    if now - away_since < grace_seconds:
        return replace(recipient, news=tuple(news))
    told = _told(recipient, situation, is_seen=False)
    contacts = tuple(contact.id for contact in recipient.contacts if contact.is_usable)
    found: list[News] = []
    for table in situation.tables:
        if _is_due(table, told, now - grace_seconds):
            told[table.table] = table.decision_at
            found.append(_move(table, int(now), contacts))
        if _has_begun(recipient.known, table) and not (table.is_awaited and "move" in recipient.about):
            # Else the decision says as much.
            found.append(News("begun", table.table, table.game, table.name, int(now), contacts))
    present = {table.table for table in situation.tables}
    for name, known in recipient.known.items():
        if known.phase == "running" and name not in present and situation.is_over(name):
            found.append(News("ended", name, known.game, known.name, int(now), contacts))
    for invitation in situation.invitations:
        if told.get(f"i.{invitation.table}") != invitation.at:
            told[f"i.{invitation.table}"] = invitation.at
            found.append(News("invited", invitation.table, invitation.game, None, int(now), contacts, by=invitation.by))
    wanted = [each for each in found if contacts and each.about in recipient.about]
    replaced = {each.table for each in wanted}
    kept = [each for each in news if each.table not in replaced]
    return replace(recipient, known=_known(situation), told=told, news=tuple([*kept, *wanted][-MAX_NEWS:]))


def _is_due(table: TableNow, told: dict[str, int], opened_until: float) -> bool:
    is_new = table.is_awaited and told.get(table.table) != table.decision_at
    return is_new and table.decision_at <= opened_until * 1000


def _has_begun(known: Mapping[str, KnownTable], table: TableNow) -> bool:
    before = known.get(table.table)
    is_new = before.phase == "open" if before is not None else len(known) < MAX_KNOWN
    return table.phase == "running" and is_new


def _move(table: TableNow, now: int, contacts: tuple[str, ...]) -> News:
    return News(
        "move",
        table.table,
        table.game,
        table.name,
        now,
        contacts,
        decision=table.decision,
        since=table.decision_at,
        deadline=table.deadline,
    )


def _is_true(news: News, recipient: Recipient, situation: Situation) -> bool:
    """Return whether news are still worth telling."""
    if news.about not in recipient.about:
        return False
    table = next((each for each in situation.tables if each.table == news.table), None)
    match news.about:
        case "move":
            return table is not None and table.is_awaited and table.decision_at == news.since
        case "begun":
            return table is not None and table.phase == "running"
        case "invited":
            return any(each.table == news.table for each in situation.invitations)
    return True


def _known(situation: Situation) -> dict[str, KnownTable]:
    tables = sorted(situation.tables, key=lambda each: each.phase == "open")[:MAX_KNOWN]
    return {each.table: KnownTable(each.phase, each.game, each.name) for each in tables}


def _told(recipient: Recipient, situation: Situation, *, is_seen: bool) -> dict[str, int]:
    """Return what a recipient was told of the tables and invitations there are, or has seen."""
    now = {each.table: each.decision_at for each in situation.tables if each.is_awaited}
    now |= {f"i.{each.table}": each.at for each in situation.invitations}
    there = {each.table for each in situation.tables} | now.keys()
    told = {name: at for name, at in recipient.told.items() if name in there}
    return told | now if is_seen else told


# -- when it is sent ------------------------------------------------------------------------------------------


def is_quiet(recipient: Recipient, now: float) -> bool:
    """Return whether it is quiet time where a recipient lives, by the clock on the wall there."""
    quiet = recipient.quiet
    if quiet is None:
        return False
    local = local_time(recipient.zone, now)
    minute = local.hour * 60 + local.minute
    if quiet.begin <= quiet.end:
        return quiet.begin <= minute < quiet.end
    return minute >= quiet.begin or minute < quiet.end


def local_time(zone: str, seconds: float) -> datetime:
    """Return a time in a zone; in UTC if this machine does not know the zone."""
    try:
        return datetime.fromtimestamp(seconds, ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return datetime.fromtimestamp(seconds, UTC)


def is_zone(zone: str) -> bool:
    """Return whether this machine knows a time zone of this name."""
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def claimed(recipient: Recipient, now: float) -> tuple[Recipient, tuple[Delivery, ...]]:
    """Return the messages that are to be sent now, and the recipient whose contacts are leased for them."""
    deliveries: list[Delivery] = []
    if recipient.news and not is_quiet(recipient, now):
        for contact in recipient.contacts:
            news = tuple(each for each in recipient.news if contact.id in each.contacts)
            waits_until = max(contact.busy_until, contact.retry_at, contact.sent_at + DIGEST_SECONDS)
            if news and contact.is_usable and waits_until <= now:
                deliveries.append(Delivery(contact, news))
                recipient = recipient.with_contact(replace(contact, busy_until=now + LEASE_SECONDS))
    return recipient, tuple(deliveries)


def delivered(recipient: Recipient, delivery: Delivery, now: float) -> Recipient:
    """Return the recipient after a message was delivered."""
    contact = recipient.contact(delivery.contact.id)
    if contact is None:
        return recipient
    works = replace(contact, busy_until=0.0, attempts=0, retry_at=0.0, failing_since=0, error="", gave_up_at=0)
    recipient = recipient.with_contact(replace(works, sent_at=int(now)))
    return replace(recipient, news=without_contact(recipient.news, contact.id, delivery.ids))


def failed(
    recipient: Recipient, delivery: Delivery, error: str, now: float, jitter: float, retry_after: float = 0.0
) -> Recipient:
    """Return the recipient after an attempt has failed: it is repeated later, with exponential back-off.

    `jitter` is a random number from 0 to 1. `retry_after` is the time for which the other side has asked.
    """
    contact = recipient.contact(delivery.contact.id)
    if contact is None:
        return recipient
    failing_since = contact.failing_since or int(now)
    if now - failing_since >= GIVE_UP_SECONDS:
        given_up = replace(
            contact, busy_until=0.0, attempts=0, retry_at=0.0, failing_since=0, error=error, gave_up_at=int(now)
        )
        recipient = recipient.with_contact(given_up)
        return replace(recipient, news=without_contact(recipient.news, contact.id))
    delay = min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** min(contact.attempts, 10)) * (0.5 + jitter / 2)
    return recipient.with_contact(
        replace(
            contact,
            busy_until=0.0,
            attempts=contact.attempts + 1,
            retry_at=now + max(delay, min(retry_after, MAX_RETRY_SECONDS)),
            failing_since=failing_since,
            error=error,
        )
    )


def ended(recipient: Recipient, delivery: Delivery, error: str) -> Recipient:
    """Return the recipient after the other side has said that a contact is gone: it is switched off."""
    contact = recipient.contact(delivery.contact.id)
    if contact is None:
        return recipient
    recipient = recipient.with_contact(replace(contact, is_on=False, busy_until=0.0, error=error))
    return replace(recipient, news=without_contact(recipient.news, contact.id))
