"""Requests about notifications, as connections send them, and the links that switch messages off.

An address is shown to nobody but the person who gave it; of a table's webhook another host sees the name of the site.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from protocol import messages
from protocol.messages import NotificationRequest
from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity
from server.model import Done, Refused, Reply, User
from server.notifications.addresses import target_of
from server.notifications.dispatcher import Senders
from server.notifications.mail import is_mail_address
from server.notifications.outcomes import Undeliverable
from server.notifications.planning import is_zone
from server.notifications.recipients import (
    MAX_CONTACTS,
    Code,
    Contact,
    QuietHours,
    Recipient,
    Recipients,
    table_key,
    user_key,
)
from server.notifications.texts import trial_message
from server.notifications.unsubscribe_page import POLICY, unsubscribe_page
from server.notifications.web_push import is_subscription
from server.rate_limit import FREE, LimiterSource, Rate
from server.tables.results import refused
from server.text import BadText, clean_line

log = logging.getLogger(__name__)

CODE_SECONDS: Final = 30 * 60
"""The lifetime of the code that confirms a mail address."""

MAX_CODE_ATTEMPTS: Final = 5

CODES_RATE: Final = Rate(5, 3_600, burst=3)
"""Codes that are sent for one person."""

TRIALS_RATE: Final = Rate(20, 3_600, burst=5)
"""Test messages of one person."""

MAX_NAME: Final = 40
"""Characters of what a person calls a browser."""


class NotificationService:
    """Answers the requests of `protocol/notification_requests.py`.

    `origins` are those of the pages that the operator has set; without any, links begin with the origin of the page on
    which a contact was added.
    """

    def __init__(
        self,
        recipients: Recipients,
        senders: Senders,
        directory: TableDirectory,
        identity: Identity,
        limits: LimiterSource,
        origins: tuple[str, ...] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._recipients = recipients
        self._senders = senders
        self._directory = directory
        self._identity = identity
        self._codes = limits.limiter("notification_codes", CODES_RATE)
        self._trials = limits.limiter("notification_trials", TRIALS_RATE)
        self._origins = origins
        self._clock = clock

    async def answer(self, user: User, token: str, origin: str, request: NotificationRequest) -> Reply:
        """Return the reply to a request of a user, whose session has this token, from a page of this origin."""
        refusal = self._refusal(user, request)
        if refusal is not None:
            return refusal
        key = user_key(user.id) if request.table is None else table_key(request.table)
        # Links lead to the site that the operator has named, whatever address a browser came by.
        origin = self._origins[0] if self._origins else origin
        match request:
            case messages.GetNotifications():
                return Done({"notifications": await self._shown(user, key)})
            case messages.SetNotifications():
                return await self._set(key, request)
            case messages.AddPush():
                return await self._add_push(user, token, origin, key, request)
            case messages.SetMail():
                return await self._set_mail(user, origin, key, request.address.strip())
            case messages.ConfirmMail():
                return await self._confirm_mail(key, request.code)
            case messages.SetWebhook():
                return await self._set_webhook(user, origin, key, request)
            case messages.RenewSecret():
                return await self._renew_secret(key, request.contact)
            case messages.SwitchContact():
                return await self._change_contact(key, request.contact, lambda each: _switched(each, request.on))
            case messages.RemoveContact():
                return await self._remove(key, request.contact)
            case messages.TryContact():
                return await self._try(user, key, request.contact)
            case _:
                return refused("unknown_request")

    async def unsubscribe_page(self, token: str, *, acts: bool) -> tuple[int, str, str]:
        """Return status, HTML and content security policy of the page behind a link in a mail.

        With `acts`, the contact of the link is switched off. That can be repeated.
        """
        meant = self._senders.keys.unsubscribed(token)
        if meant is None:
            return 404, unsubscribe_page("en", "wrong"), POLICY
        key, contact_id = meant
        user = await self._identity.read_user(key[2:])
        language = (None if user is None else user.language) or "en"
        if acts:
            await self._change_contact(
                key, contact_id, lambda contact: replace(contact, is_on=False, error="unsubscribed")
            )
        return 200, unsubscribe_page(language, "done" if acts else "ask"), POLICY

    def _refusal(self, user: User, request: NotificationRequest) -> Refused | None:
        """Return why a user may not ask that: guests have push subscriptions only, tables have webhooks only."""
        if request.table is not None:
            entry = self._directory.listed(request.table)
            if entry is None:
                return refused("no_such_table")
            if entry.summary["host"] != user.id:
                return refused("not_host")
            if isinstance(request, messages.AddPush | messages.SetMail | messages.ConfirmMail):
                return refused("contact_unavailable")
        needs_account = isinstance(request, messages.SetMail | messages.ConfirmMail | messages.SetWebhook)
        return refused("no_account") if needs_account and user.handle is None else None

    # -- what is shown ----------------------------------------------------------------------------------------

    async def _shown(self, user: User, key: str) -> dict[str, Any]:
        recipient = await self._recipients.get(key) or Recipient()
        offers = self._senders.offers()
        if key != user_key(user.id):
            offers = [kind for kind in offers if kind == "webhook"]
        return {
            "about": list(recipient.about),
            "quiet": None if recipient.quiet is None else {"begin": recipient.quiet.begin, "end": recipient.quiet.end},
            "zone": recipient.zone,
            "contacts": [contact_shown(contact, user.id) for contact in recipient.contacts],
            "offers": offers,
            "push_key": None if self._senders.push is None else self._senders.push.public_key,
        }

    # -- changes ----------------------------------------------------------------------------------------------

    async def _set(self, key: str, request: messages.SetNotifications) -> Reply:
        if not is_zone(request.zone):
            return refused("bad_zone")
        quiet = None if request.quiet is None else QuietHours(request.quiet.begin, request.quiet.end)
        about = tuple(dict.fromkeys(request.about))
        changed = await self._recipients.change(
            key, lambda recipient: replace(recipient, about=about, quiet=quiet, zone=request.zone), creates=True
        )
        return changed if isinstance(changed, Refused) else Done()

    async def _add_push(self, user: User, token: str, origin: str, key: str, request: messages.AddPush) -> Reply:
        push = self._senders.push
        if push is None:
            return refused("contact_unavailable")
        try:
            is_valid = target_of(request.endpoint).is_https or self._senders.allows_http
            is_valid = is_valid and push.is_allowed(request.endpoint) and is_subscription(request.key, request.secret)
            name = clean_line(request.name, MAX_NAME) if request.name.strip() else ""
        except (Undeliverable, BadText):
            is_valid, name = False, ""
        device = next((each.id for each in await self._identity.devices(user.id, token) if each.is_current), None)
        if not is_valid or device is None:
            return refused("bad_subscription")
        contact = Contact(
            id=f"push-{hashlib.sha256(request.endpoint.encode()).hexdigest()[:16]}",
            kind="push",
            address=request.endpoint,
            origin=origin,
            created=int(self._clock()),
            name=name,
            key=request.key,
            secret=request.secret,
            device=device,
        )

        def change(recipient: Recipient) -> Recipient | Refused:
            # Subscriptions that have ended make room, and so does an earlier one of the same browser.
            for each in recipient.contacts:
                if each.kind == "push" and (each.error in ("gone", "signed_out") or each.device == device):
                    recipient = recipient.without_contact(each.id)
            if len(recipient.contacts) >= MAX_CONTACTS:
                return refused("too_many_contacts")
            if recipient.quiet is None and request.zone is not None and is_zone(request.zone):
                recipient = replace(recipient, zone=request.zone)
            return recipient.with_contact(contact)

        changed = await self._recipients.change(key, change, creates=True)
        return changed if isinstance(changed, Refused) else Done({"contact": contact.id})

    async def _set_mail(self, user: User, origin: str, key: str, address: str) -> Reply:
        mail = self._senders.mail
        if mail is None:
            return refused("contact_unavailable")
        if not is_mail_address(address):
            return refused("bad_mail_address")
        wait = await self._codes.take(user.id)
        if wait != FREE:
            return _too_fast(wait)
        code = f"{secrets.randbelow(10**6):06}"
        contact_id = f"mail-{secrets.token_hex(8)}"
        contact = Contact(
            id=contact_id,
            kind="mail",
            address=address,
            origin=origin,
            created=int(self._clock()),
            code=Code(self._hash(contact_id, code), int(self._clock()) + CODE_SECONDS),
        )
        changed = await self._recipients.change(key, lambda each: _with_only(each, contact), creates=True)
        if isinstance(changed, Refused):
            return changed
        language = await self._senders.language_of(key, contact)
        try:
            await mail.send_code(address, language, code, "")
        except Undeliverable as error:
            self._senders.on_outcome("mail", error.code)
            return Done({"contact": contact.id, "delivered": False, "error": error.code})
        self._senders.on_outcome("mail", "sent")
        return Done({"contact": contact.id, "delivered": True, "error": None})

    async def _confirm_mail(self, key: str, code: str) -> Reply:
        is_right = False
        now = self._clock()

        def change(recipient: Recipient) -> Recipient | Refused:
            nonlocal is_right
            contact = next((each for each in recipient.contacts if each.kind == "mail"), None)
            if contact is None:
                return refused("no_such_contact")
            if contact.code is None:
                # Confirmed already, by the first of two equal requests.
                is_right = True
                return recipient
            typed = self._hash(contact.id, "".join(filter(str.isdecimal, code)))
            is_fresh = contact.code.until > now and contact.code.attempts < MAX_CODE_ATTEMPTS
            is_right = is_fresh and hmac.compare_digest(typed, contact.code.hash)
            left = None if is_right else replace(contact.code, attempts=contact.code.attempts + 1)
            return recipient.with_contact(replace(contact, code=left))

        changed = await self._recipients.change(key, change)
        if isinstance(changed, Refused):
            return changed
        return Done() if is_right else refused("wrong_mail_code")

    async def _set_webhook(self, user: User, origin: str, key: str, request: messages.SetWebhook) -> Reply:
        if self._senders.webhook is None:
            return refused("contact_unavailable")
        try:
            is_valid = target_of(request.url).is_https or self._senders.allows_http
        except Undeliverable:
            is_valid = False
        if not is_valid:
            return refused("bad_webhook")
        contact = Contact(
            id=f"webhook-{secrets.token_hex(8)}",
            kind="webhook",
            address=request.url,
            origin=origin,
            created=int(self._clock()),
            form=request.form,
            secret=_new_secret(),
            by=user.id if key.startswith("t.") else "",
        )
        changed = await self._recipients.change(key, lambda each: _with_only(each, contact), creates=True)
        if isinstance(changed, Refused):
            return changed
        return Done({"contact": contact.id, "secret": contact.secret})

    async def _renew_secret(self, key: str, contact_id: str) -> Reply:
        secret = _new_secret()

        def change(contact: Contact) -> Contact | Refused:
            return replace(contact, secret=secret) if contact.kind == "webhook" else refused("no_such_contact")

        reply = await self._change_contact(key, contact_id, change)
        return reply if isinstance(reply, Refused) else Done({"contact": contact_id, "secret": secret})

    async def _remove(self, key: str, contact_id: str) -> Reply:
        changed = await self._recipients.change(key, lambda recipient: recipient.without_contact(contact_id))
        return changed if isinstance(changed, Refused) else Done()

    async def _try(self, user: User, key: str, contact_id: str) -> Reply:
        """Send a test message, and store what came of it."""
        recipient = await self._recipients.get(key)
        contact = None if recipient is None else recipient.contact(contact_id)
        if contact is None or contact.code is not None:
            return refused("no_such_contact")
        wait = await self._trials.take(user.id)
        if wait != FREE:
            return _too_fast(wait)
        language = await self._senders.language_of(key, contact)
        error = ""
        try:
            message = trial_message(secrets.token_hex(16), language)
            await self._senders.send(key, contact, message, self._clock())
        except Undeliverable as failure:
            error = failure.code
        gave_up_at = contact.gave_up_at if error else 0
        await self._change_contact(key, contact_id, lambda each: replace(each, error=error, gave_up_at=gave_up_at))
        log.info("notification", extra={"kind": contact.kind, "outcome": error or "sent", "news": 0})
        return Done({"delivered": not error, "error": error or None})

    async def _change_contact(self, key: str, contact_id: str, change: Callable[[Contact], Contact | Refused]) -> Reply:
        def change_recipient(recipient: Recipient) -> Recipient | Refused:
            contact = recipient.contact(contact_id)
            if contact is None:
                return refused("no_such_contact")
            changed = change(contact)
            return changed if isinstance(changed, Refused) else recipient.with_contact(changed)

        changed = await self._recipients.change(key, change_recipient)
        if changed is None:
            return refused("no_such_contact")
        return changed if isinstance(changed, Refused) else Done()

    def _hash(self, contact_id: str, code: str) -> str:
        return hmac.new(self._senders.keys.links, f"code.{contact_id}.{code}".encode(), hashlib.sha256).hexdigest()


def contact_shown(contact: Contact, user_id: str) -> dict[str, Any]:
    """Return a contact as its person sees it. All times are in milliseconds since 1970."""
    shown = contact.address
    if contact.kind == "push" or (contact.by and contact.by != user_id):
        try:
            shown = target_of(contact.address).host
        except Undeliverable:
            shown = ""
    return {
        "id": contact.id,
        "kind": contact.kind,
        "form": contact.form or None,
        "name": contact.name,
        "address": shown,
        "created": contact.created * 1000,
        "on": contact.is_on,
        "confirmed": contact.code is None,
        "sent": contact.sent_at * 1000 or None,
        "error": contact.error or None,
        "gave_up": contact.gave_up_at * 1000 or None,
    }


def _switched(contact: Contact, is_on: bool) -> Contact:
    if contact.is_on == is_on:
        return contact
    return replace(contact, is_on=is_on, error="", attempts=0, retry_at=0.0, failing_since=0, gave_up_at=0)


def _with_only(recipient: Recipient, contact: Contact) -> Recipient:
    """Return a recipient with a contact in place of all others of its kind."""
    for each in recipient.contacts:
        if each.kind == contact.kind:
            recipient = recipient.without_contact(each.id)
    return recipient.with_contact(contact)


def _new_secret() -> str:
    return f"whsec_{secrets.token_urlsafe(32)}"


def _too_fast(wait: float) -> Refused:
    minutes = max(1, -(-int(wait) // 60))
    sentence = f"That was too much at once. Please wait {minutes} minutes."
    return Refused("too_fast", sentence, "minutes", {"count": minutes})
