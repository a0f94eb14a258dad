"""Recipients of notifications as they are stored: what each wants to know, through which contacts, and what it knows.

A recipient is a person (`u.USER`) or a table (`t.TABLE`), whose host lets a channel of a group know. It is one value in
the store, which every change replaces by compare-and-swap, so that several workers can change it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, NamedTuple, Self

from server.lobby.identity import SESSION_SECONDS
from server.model import Refused
from server.store.api import KeyValueStore, StorageFailed

NOTIFICATION: Final = "notification"
"""Kind of the recipients: by `u.USER` or `t.TABLE`."""

EVERYTHING: Final = ("move", "begun", "ended", "invited")
"""What a person can be told: a decision waits, a game has begun or ended, somebody invites them."""

MAX_CONTACTS: Final = 10
"""Contacts of one recipient."""

_MAX_ATTEMPTS: Final = 20
"""Attempts to change a value that others change at the same time."""


def user_key(user_id: str) -> str:
    """Return the key of a person."""
    return f"u.{user_id}"


def table_key(table: str) -> str:
    """Return the key of a table."""
    return f"t.{table}"


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The time of the day, in minutes after midnight, in which nothing is sent. It may go past midnight."""

    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Code:
    """The code that confirms a mail address."""

    hash: str
    until: int
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Contact:
    """An address through which a recipient is told: a push subscription, a webhook, or a mail address.

    All times are in seconds since 1970; 0 stands for never.
    """

    id: str
    kind: str
    """`push`, `webhook` or `mail`."""

    address: str
    origin: str
    """The origin of the page on which the contact was added. Links in messages begin with it."""

    created: int
    name: str = ""
    """What the person calls the browser of a push subscription."""

    form: str = ""
    """The form of a webhook: `json` or `discord`."""

    key: str = ""
    """The public key of a push subscription, in base64url."""

    secret: str = ""
    """The secret of a push subscription, or the key of a webhook's signatures."""

    device: str = ""
    """The session of a push subscription: it ends with it."""

    by: str = ""
    """The host who has added the webhook of a table."""

    code: Code | None = None
    """For a mail address that is not confirmed yet."""

    is_on: bool = True
    busy_until: float = 0.0
    """The lease of the worker that is sending."""

    attempts: int = 0
    """Attempts that have failed since the last message that was delivered."""

    retry_at: float = 0.0
    failing_since: int = 0
    sent_at: int = 0
    error: str = ""
    """The code of the last failure; empty after a message was delivered."""

    gave_up_at: int = 0
    """When messages were given up, unless one was delivered since."""

    @property
    def is_usable(self) -> bool:
        return self.is_on and self.code is None


class KnownTable(NamedTuple):
    """A table as the recipient knows it."""

    phase: str
    game: str
    name: str | None


@dataclass(frozen=True, slots=True)
class News:
    """Something that a recipient is to be told. `contacts` are the ids of those that have not been used for it yet."""

    about: str
    table: str
    game: str
    name: str | None
    at: int
    """When it became news, in seconds since 1970."""

    contacts: tuple[str, ...]
    decision: str | None = None
    """The kind of the decision that waits."""

    since: int | None = None
    """When the decision was opened, in milliseconds since 1970."""

    deadline: int | None = None
    """When the time for the decision runs out, in milliseconds since 1970."""

    by: str = ""
    """The id of the person who invites."""

    @property
    def id(self) -> str:
        return f"{self.about}.{self.table}.{self.at if self.since is None else self.since}"


@dataclass(frozen=True, slots=True)
class Recipient:
    """Everything that is stored for one recipient."""

    about: tuple[str, ...] = EVERYTHING
    quiet: QuietHours | None = None
    zone: str = "UTC"
    """The time zone of the quiet hours and of times in messages, by its IANA name."""

    contacts: tuple[Contact, ...] = ()
    known: Mapping[str, KnownTable] | None = None
    """The tables that the recipient knows, by id; None until these are found out for the first time."""

    told: Mapping[str, int] = field(default_factory=dict)
    """By table: when the last decision was opened that the recipient was told or has seen. By `i.TABLE`: the same of an
    invitation."""

    news: tuple[News, ...] = ()

    def contact(self, contact_id: str) -> Contact | None:
        """Return a contact, or None."""
        return next((contact for contact in self.contacts if contact.id == contact_id), None)

    def with_contact(self, contact: Contact) -> Recipient:
        """Return the recipient with a contact, in place of one of the same id if there is one."""
        if self.contact(contact.id) is None:
            return replace(self, contacts=(*self.contacts, contact))
        return replace(self, contacts=tuple(contact if each.id == contact.id else each for each in self.contacts))

    def without_contact(self, contact_id: str) -> Recipient:
        """Return the recipient without a contact, and without the news that only this one has not got yet."""
        contacts = tuple(each for each in self.contacts if each.id != contact_id)
        return replace(self, contacts=contacts, news=without_contact(self.news, contact_id))

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def of_bytes(cls, stored: bytes) -> Self:
        value: dict[str, Any] = json.loads(stored)
        quiet, known = value.get("quiet"), value.get("known")
        return cls(
            about=tuple(value.get("about", EVERYTHING)),
            quiet=None if quiet is None else QuietHours(**quiet),
            zone=value.get("zone", "UTC"),
            contacts=tuple(
                Contact(**{**each, "code": None if each.get("code") is None else Code(**each["code"])})
                for each in value.get("contacts", ())
            ),
            known=None if known is None else {table: KnownTable(*each) for table, each in known.items()},
            told=value.get("told", {}),
            news=tuple(News(**{**each, "contacts": tuple(each["contacts"])}) for each in value.get("news", ())),
        )


def without_contact(news: tuple[News, ...], contact_id: str, ids: frozenset[str] | None = None) -> tuple[News, ...]:
    """Return news of which those with these ids, or all, are not to be told through a contact any more."""
    changed = [
        replace(each, contacts=tuple(other for other in each.contacts if other != contact_id))
        if ids is None or each.id in ids
        else each
        for each in news
    ]
    return tuple(each for each in changed if each.contacts)


Change = Callable[[Recipient], Recipient | Refused]
"""Returns the changed recipient, or why it cannot be changed. It may be called several times."""


class Recipients:
    """All recipients. One that has not changed for as long as a session lasts is forgotten, like a guest."""

    def __init__(self, key_values: KeyValueStore, clock: Callable[[], float] = time.time) -> None:
        self._key_values = key_values
        self._clock = clock

    async def get(self, key: str) -> Recipient | None:
        """Return a recipient, or None."""
        stored = await self._key_values.get(NOTIFICATION, key)
        return None if stored is None else Recipient.of_bytes(stored)

    async def page(self, after: str, limit: int) -> list[tuple[str, bytes]]:
        """Return at most `limit` recipients as they are stored, whose keys come after `after`, in order of keys."""
        return [(each.key, each.value) for each in await self._key_values.page(NOTIFICATION, after, limit)]

    async def replace(self, key: str, stored: bytes, recipient: Recipient) -> bool:
        """Replace a recipient that is stored so; return False if somebody else has changed it meanwhile."""
        return await self._key_values.replace(NOTIFICATION, key, stored, recipient.to_bytes(), self._expiry())

    async def change(self, key: str, change: Change, *, creates: bool = False) -> Recipient | Refused | None:
        """Change a recipient and return it, or the refusal, or None if there is none.

        A recipient that loses its last contact keeps what it wants to know. `creates`: a missing one is made.
        """
        for _ in range(_MAX_ATTEMPTS):
            stored = await self._key_values.get(NOTIFICATION, key)
            if stored is None and not creates:
                return None
            before = Recipient() if stored is None else Recipient.of_bytes(stored)
            changed = change(before)
            if isinstance(changed, Refused) or (stored is not None and changed == before):
                return changed
            if stored is None:
                if await self._key_values.put_if_absent(NOTIFICATION, key, changed.to_bytes(), self._expiry()):
                    return changed
            elif await self.replace(key, stored, changed):
                return changed
        raise StorageFailed("The recipient keeps changing.")

    async def delete(self, key: str) -> None:
        """Delete a recipient."""
        await self._key_values.delete(NOTIFICATION, key)

    def _expiry(self) -> float:
        return self._clock() + SESSION_SECONDS

    async def tables_of(self, user_id: str) -> dict[str, Recipient]:
        """Return the tables for which a person has added a webhook, by id."""
        found = await self._key_values.find(NOTIFICATION, "t.")
        tables = {key.removeprefix("t."): Recipient.of_bytes(value) for key, value in found}
        return {
            table: recipient
            for table, recipient in tables.items()
            if any(contact.by == user_id for contact in recipient.contacts)
        }
