"""The parts of notifications, joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity
from server.notifications.addresses import AddressRules
from server.notifications.dispatcher import Dispatcher, Senders
from server.notifications.keys import Keys
from server.notifications.mail import MailSender
from server.notifications.outbound import Outbound
from server.notifications.planning import GRACE_SECONDS
from server.notifications.recipients import Recipients
from server.notifications.service import NotificationService
from server.notifications.situations import Refresh, Situations, nothing_to_refresh
from server.notifications.web_push import PushSender, private_key_of
from server.notifications.webhooks import WebhookSender
from server.people.directory import PeopleDirectory
from server.rate_limit import LimiterSource, Rate
from server.store.api import KeyValueStore

ADDRESS_RATE = Rate(40, 86_400, burst=10)
"""Mail to one address."""


@dataclass(frozen=True, slots=True)
class NotificationOptions:
    """What the operator has set up; see `server.config`."""

    grace_seconds: float = GRACE_SECONDS
    push: bool = True
    push_hosts: tuple[str, ...] = ()
    webhooks: bool = True
    networks: tuple[str, ...] = ()
    smtp_url: str = ""
    mail_from: str = ""
    operator_contact: str = ""
    mail_rate: Rate = Rate(500, 86_400, burst=100)
    origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotificationParts:
    """The requests, and the task that sends."""

    service: NotificationService
    dispatcher: Dispatcher
    senders: Senders

    @classmethod
    async def open(
        cls,
        options: NotificationOptions,
        key_values: KeyValueStore,
        identity: Identity,
        people: PeopleDirectory,
        directory: TableDirectory,
        limits: LimiterSource,
        refresh: Refresh = nothing_to_refresh,
        is_responsible: Callable[[str], bool] = lambda key: True,
    ) -> Self:
        """Return the parts, after the keys of the server were read, or made at its first start."""
        keys = await Keys.open(key_values)
        outbound = Outbound(AddressRules(options.networks))
        vapid = private_key_of(keys.vapid)
        senders = Senders(
            keys,
            identity,
            people,
            PushSender(outbound, vapid, options.operator_contact, options.push_hosts) if options.push else None,
            WebhookSender(outbound) if options.webhooks else None,
            _mail_sender(options, limits),
            allows_http=bool(options.networks),
        )
        recipients = Recipients(key_values)
        situations = Situations(directory, key_values, refresh)
        dispatcher = Dispatcher(recipients, situations, senders, is_responsible, grace_seconds=options.grace_seconds)
        service = NotificationService(recipients, senders, directory, identity, limits, options.origins)
        return cls(service, dispatcher, senders)


def _mail_sender(options: NotificationOptions, limits: LimiterSource) -> MailSender | None:
    if not options.smtp_url:
        return None
    return MailSender(
        options.smtp_url,
        options.mail_from,
        limits.limiter("mail", options.mail_rate),
        limits.limiter("mail_address", ADDRESS_RATE),
    )
