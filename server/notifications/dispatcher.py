"""The background task that looks at all recipients every half minute, and sends what is due.

Each recipient belongs to one worker. Should two of them look at the same one, the compare-and-swap that leases a
contact lets one of them send. A worker that is killed before it sends leaves a lease that expires, and another one
sends; one that is killed between sending and storing that it has sent leads to a second message of the same id.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

from server.lobby.identity import Identity
from server.notifications.keys import Keys
from server.notifications.mail import MailSender
from server.notifications.outcomes import Undeliverable
from server.notifications.planning import (
    GRACE_SECONDS,
    Delivery,
    Situation,
    after_looking,
    claimed,
    delivered,
    ended,
    failed,
    with_news,
)
from server.notifications.recipients import Contact, Recipient, Recipients
from server.notifications.situations import Situations
from server.notifications.texts import Message, message_of
from server.notifications.web_push import PushSender
from server.notifications.webhooks import WebhookSender
from server.people.directory import PeopleDirectory
from server.store.api import StorageFailed

log = logging.getLogger(__name__)

INTERVAL_SECONDS: Final = 30.0
"""The time between two looks at all recipients."""

PAGE: Final = 100
"""Recipients that are read from the store at a time."""

MAX_PENDING: Final = 64
"""Messages that wait or are being sent. With so many, the rest stays where it is until the next look."""

MAX_SENDING: Final = 16
"""Messages that are being sent at the same time."""

CLOSE_SECONDS: Final = 5.0
"""The time for messages that are being sent when the server stops."""

UNSUBSCRIBE_PATH: Final = "/notifications/off/"


class Senders:
    """The ways to send a message; one that the operator has not set up is None."""

    def __init__(
        self,
        keys: Keys,
        identity: Identity,
        people: PeopleDirectory,
        push: PushSender | None,
        webhook: WebhookSender | None,
        mail: MailSender | None,
        *,
        allows_http: bool = False,
    ) -> None:
        self.keys = keys
        self._identity = identity
        self._people = people
        self.push = push
        self.webhook = webhook
        self.mail = mail
        self.allows_http = allows_http
        """Addresses that begin with `http:` can be added, for networks of the operator."""

        self.on_outcome: Callable[[str, str], None] = lambda kind, outcome: None
        """Called with the kind of a contact, and `sent` or the code of a failure."""

    def offers(self) -> list[str]:
        """Return the kinds of contacts that can be added."""
        senders = {"push": self.push, "webhook": self.webhook, "mail": self.mail}
        return [kind for kind, sender in senders.items() if sender is not None]

    async def send_news(self, key: str, zone: str, delivery: Delivery, now: float) -> None:
        """Send news to a recipient; raise `Undeliverable` if that fails."""
        language = await self.language_of(key, delivery.contact)
        by = [each.by for each in delivery.news if each.by]
        names = {person.id: person.name for person in (await self._people.of(by)).values()} if by else {}
        message_id = _message_id(key, delivery)
        message = message_of(message_id, language, zone, delivery.news, names, is_person=key.startswith("u."))
        await self.send(key, delivery.contact, message, now)

    async def send(self, key: str, contact: Contact, message: Message, now: float) -> None:
        """Send a message through a contact, and count it; raise `Undeliverable` if that fails."""
        try:
            await self._send(key, contact, message, now)
        except Undeliverable as error:
            self.on_outcome(contact.kind, error.code)
            raise
        self.on_outcome(contact.kind, "sent")

    async def _send(self, key: str, contact: Contact, message: Message, now: float) -> None:
        if contact.kind == "push" and self.push is not None:
            if not await self._is_signed_in(key, contact.device):
                raise Undeliverable("signed_out", is_final=True)
            await self.push.send(contact, message, now)
        elif contact.kind == "webhook" and self.webhook is not None:
            await self.webhook.send(contact, message, now)
        elif contact.kind == "mail" and self.mail is not None:
            token = self.keys.unsubscribe_token(key, contact.id)
            await self.mail.send(contact, message, f"{contact.origin}{UNSUBSCRIBE_PATH}{token}")
        else:
            raise Undeliverable("forbidden_address")

    async def language_of(self, key: str, contact: Contact) -> str:
        """Return the language in which a recipient reads messages: for a table, that of who has added the contact."""
        user = await self._identity.read_user(contact.by or key[2:])
        return (None if user is None else user.language) or "en"

    async def _is_signed_in(self, key: str, device: str) -> bool:
        return any(each.id == device for each in await self._identity.devices(key[2:]))


class Dispatcher:
    """Looks at recipients and sends what is due. `is_responsible` says whether this worker looks at one of them."""

    def __init__(
        self,
        recipients: Recipients,
        situations: Situations,
        senders: Senders,
        is_responsible: Callable[[str], bool] = lambda key: True,
        clock: Callable[[], float] = time.time,
        rng: Callable[[], float] = random.random,
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        self._recipients = recipients
        self._situations = situations
        self._senders = senders
        self._is_responsible = is_responsible
        self._clock = clock
        self._rng = rng
        self._grace = grace_seconds
        self._seen: dict[str, Situation] = {}
        """What people saw who were looking at the page at the last look."""

        self._away_since: dict[str, float] = {}
        """Since when the others have been away, as far as this process knows: after a restart all have just left."""

        self._sending = asyncio.Semaphore(MAX_SENDING)
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look now, and then every half minute."""
        self._loop = asyncio.get_running_loop().create_task(self._look_periodically())

    async def close(self) -> None:
        """Look no more, and let messages that are being sent arrive. The rest is sent after the next start."""
        if self._loop is not None:
            self._loop.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSE_SECONDS)
        for task in self._tasks:
            task.cancel()

    async def idle(self) -> None:
        """Wait until nothing is being sent."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _look_periodically(self) -> None:
        interval = min(INTERVAL_SECONDS, max(0.2, self._grace / 4))
        while True:
            try:
                await self.look()
            except StorageFailed:
                log.warning("recipients not read")
            except Exception:
                log.exception("notifications failed")
            await asyncio.sleep(interval)

    async def look(self) -> None:
        """Look at all recipients of this worker once."""
        keys: set[str] = set()
        page = await self._recipients.page("", PAGE)
        invitations = await self._situations.invitations() if page else {}
        while True:
            own = [(key, stored) for key, stored in page if self._is_responsible(key)]
            await self._situations.refresh([key for key, _ in own])
            for key, stored in own:
                keys.add(key)
                situation = self._situations.of(key, invitations.get(key[2:], ()))
                if key.startswith("u.") and self._situations.is_looking(key[2:]):
                    self._seen[key] = situation
                    self._away_since.pop(key, None)
                else:
                    await self._look_at(key, stored, situation)
            if len(page) < PAGE:
                break
            page = await self._recipients.page(page[-1][0], PAGE)
        self._seen = {key: seen for key, seen in self._seen.items() if key in keys}
        self._away_since = {key: since for key, since in self._away_since.items() if key in keys}

    async def _look_at(self, key: str, stored: bytes, situation: Situation) -> None:
        """Store what is news to a recipient who is away, and begin to send what is due."""
        now = self._clock()
        # Nobody looks at a page for a table.
        away_since = self._away_since.setdefault(key, 0.0 if key.startswith("t.") else now)
        before = recipient = Recipient.of_bytes(stored)
        seen = self._seen.pop(key, None)
        if seen is not None:
            recipient = after_looking(recipient, seen)
        recipient = with_news(recipient, situation, away_since, now, self._grace)
        deliveries: tuple[Delivery, ...] = ()
        if len(self._tasks) < MAX_PENDING:
            recipient, deliveries = claimed(recipient, now)
        if key.startswith("t.") and not situation.tables and not recipient.news:
            await self._recipients.delete(key)
        elif recipient != before:
            if await self._recipients.replace(key, stored, recipient):
                for delivery in deliveries:
                    self._start(self._deliver(key, recipient.zone, delivery))
            elif seen is not None:
                # Somebody else has changed the recipient meanwhile: again at the next look.
                self._seen[key] = seen

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, key: str, zone: str, delivery: Delivery) -> None:
        """Send a message, and store what came of it."""
        contact = delivery.contact
        async with self._sending:
            try:
                await self._senders.send_news(key, zone, delivery, self._clock())
                failure = None
            except Undeliverable as error:
                failure = error
            except StorageFailed:
                # The lease expires, and then it is tried again.
                return
            except Exception:
                log.exception("notification failed", extra={"kind": contact.kind})
                failure = Undeliverable("server_error")
        outcome = "sent" if failure is None else failure.code
        log.info("notification", extra={"kind": contact.kind, "outcome": outcome, "news": len(delivery.news)})
        now, jitter = self._clock(), self._rng()

        def change(recipient: Recipient) -> Recipient:
            if failure is None:
                return delivered(recipient, delivery, now)
            if failure.is_final:
                return ended(recipient, delivery, failure.code)
            return failed(recipient, delivery, failure.code, now, jitter, failure.retry_after)

        try:
            await self._recipients.change(key, change)
        except StorageFailed:
            log.warning("outcome of a notification not stored", extra={"kind": contact.kind})


def _message_id(key: str, delivery: Delivery) -> str:
    """Return an id that is the same for every attempt to send the same news through the same contact."""
    parts = [key, delivery.contact.id, *sorted(delivery.ids)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
