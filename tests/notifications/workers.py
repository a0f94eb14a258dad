"""A world of tables and people, and workers that tell people what happens in it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from protocol.messages import REQUESTS, NotificationRequest
from server.lobby.directory import TableDirectory
from server.lobby.identity import Identity
from server.model import Done, Refused, Reply, User
from server.notifications.addresses import AddressRules
from server.notifications.dispatcher import Dispatcher, Senders
from server.notifications.keys import Keys
from server.notifications.mail import MailSender
from server.notifications.outbound import Outbound
from server.notifications.outcomes import Undeliverable
from server.notifications.recipients import Contact, Recipient, Recipients, user_key
from server.notifications.service import NotificationService
from server.notifications.situations import Situations, nothing_to_refresh
from server.notifications.texts import Message
from server.notifications.web_push import PushSender, private_key_of
from server.notifications.webhooks import WebhookSender
from server.people.directory import PeopleDirectory
from server.people.parts import PeopleParts
from server.rate_limit import LocalLimits, Rate
from server.tables.api import TableStatus
from tests.lobby.directories import public
from tests.lobby.fakes import FakeSubscriber
from tests.notifications.receivers import LOOPBACK
from tests.people.workers import Device
from tests.people.workers import Worker as PeopleWorker
from tests.store.backends import Backend

ORIGIN = "https://play.example"
MAIL_RATE = Rate(1_000, 86_400, burst=8)
ADDRESS_RATE = Rate(40, 86_400, burst=4)


class Killed(BaseException):
    """The process of a worker ends here."""


class RecordedWebhook(WebhookSender):
    """Records messages instead of sending them. `outcomes` come first, each an exception or None."""

    def __init__(self) -> None:
        self.messages: list[tuple[Contact, Message]] = []
        self.outcomes: list[BaseException | None] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def send(self, contact: Contact, message: Message, now: float) -> None:
        await self.gate.wait()
        outcome = self.outcomes.pop(0) if self.outcomes else None
        if isinstance(outcome, Undeliverable):
            raise outcome
        self.messages.append((contact, message))
        if outcome is not None:
            # The message has arrived, but nobody learns of it.
            raise outcome


class World:
    """What all workers see alike: the store, the tables, the time, and who looks at the page."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.clock = backend.clock
        self.key_values = backend.store.key_values
        self.directory = TableDirectory()
        self.recipients = Recipients(self.key_values, self.clock)
        self.connections: dict[str, FakeSubscriber] = {}

    # -- tables and people ----------------------------------------------------------------------------------------

    def open(self, table: str, *people: str, **others: Any) -> None:
        self.directory.update(*public(table, *people, **others))

    def run(self, table: str, *people: str, waits_for: tuple[str, ...] = (), **others: Any) -> None:
        """Let a game begin, or go on with another decision."""
        self.directory.update(*public(table, *people, phase="running", **others))
        since = round(self.clock.now * 1000)
        self.directory.update_status(table, TableStatus(frozenset(waits_for), "invest", since, {}))

    def end(self, table: str) -> None:
        self.directory.remove(table)

    def come(self, user_id: str) -> FakeSubscriber:
        """Let somebody open the page."""
        subscriber = self.connections[user_id] = FakeSubscriber(User(user_id, user_id.title()))
        self.directory.connected(subscriber)
        return subscriber

    def leave(self, user_id: str) -> None:
        self.directory.disconnected(self.connections.pop(user_id))

    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds

    async def wants(self, user_id: str, *contacts: Contact, **fields: Any) -> None:
        """Store what somebody wants to know; they know the tables as they are."""
        recipient = Recipient(contacts=contacts or (webhook(),), **fields)
        await self.recipients.change(user_key(user_id), lambda _: recipient, creates=True)

    async def stored(self, user_id: str) -> Recipient:
        found = await self.recipients.get(user_key(user_id))
        assert found is not None
        return found


def webhook(**fields: Any) -> Contact:
    made = Contact("webhook-1", "webhook", "https://hooks.example/", ORIGIN, 0, form="json", secret="s")
    return replace(made, **fields)


class Worker:
    """One process that tells people, with webhooks that are recorded."""

    def __init__(self, world: World, webhook: RecordedWebhook | None = None, **options: Any) -> None:
        self.world = world
        self.webhook = webhook or RecordedWebhook()
        self.identity = Identity(world.key_values, world.clock)
        people = PeopleDirectory(world.key_values)
        keys = Keys(bytes(31) + b"\x01", b"links")
        self.senders = Senders(keys, self.identity, people, None, self.webhook, None)
        situations = Situations(world.directory, world.key_values, options.pop("refresh", nothing_to_refresh))
        self.dispatcher = Dispatcher(
            world.recipients, situations, self.senders, clock=world.clock, rng=lambda: 1.0, **options
        )

    async def look(self) -> None:
        """Look once, and send what is due."""
        await self.dispatcher.look()
        await self.dispatcher.idle()

    @property
    def told(self) -> list[list[tuple[str, str]]]:
        """Return what the messages so far say: the kind and the table of all news in each."""
        return [[(each.about, each.table) for each in message.news] for _, message in self.webhook.messages]


class Office:
    """The requests about notifications, of people as they sign in, with messages that are really sent."""

    def __init__(self, people: PeopleWorker, world: World, senders: Senders) -> None:
        self.people = people
        self.world = world
        self.senders = senders
        self.recipients = world.recipients
        self.service = NotificationService(
            world.recipients, senders, world.directory, people.identity, LocalLimits(world.clock), (), world.clock
        )

    @classmethod
    async def open(cls, world: World, smtp_url: str = "") -> Office:
        parts = await PeopleParts.open(world.key_values, world.clock)
        people = PeopleWorker(world.key_values, parts, world.clock)
        outbound = Outbound(AddressRules(LOOPBACK))
        keys = await Keys.open(world.key_values)
        limits = LocalLimits(world.clock)
        senders = Senders(
            keys,
            people.identity,
            parts.directory,
            PushSender(outbound, private_key_of(keys.vapid), ""),
            WebhookSender(outbound),
            MailSender(
                smtp_url,
                "tables@play.example",
                limits.limiter("mail", MAIL_RATE),
                limits.limiter("mail_address", ADDRESS_RATE),
            )
            if smtp_url
            else None,
            allows_http=True,
        )
        return cls(people, world, senders)

    async def request(self, device: Device, kind: str, /, **fields: Any) -> Reply:
        device.user = await self.people.identity.user_of(device.token) or device.user
        request = REQUESTS.validate_python({"type": kind, "id": "1", **fields})
        assert isinstance(request, NotificationRequest)
        return await self.service.answer(device.user, device.token, ORIGIN, request)

    async def do(self, device: Device, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Return the result of a request that must be accepted."""
        reply = await self.request(device, kind, **fields)
        assert isinstance(reply, Done), reply
        return dict(reply.result)

    async def refused(self, device: Device, kind: str, /, **fields: Any) -> str:
        """Return the code of a request that must be refused."""
        reply = await self.request(device, kind, **fields)
        assert isinstance(reply, Refused), reply
        return reply.code

    async def shown(self, device: Device, **fields: Any) -> dict[str, Any]:
        """Return what the page shows."""
        shown: dict[str, Any] = (await self.do(device, "get_notifications", **fields))["notifications"]
        return shown
