"""Requests about notifications: who may ask what, codes, secrets, links, and what is stored and deleted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from email.header import decode_header, make_header
from typing import Any

import pytest
from aiosmtpd.handlers import AsyncMessage
from aiosmtpd.smtp import SMTP

from server.notifications.outcomes import Undeliverable
from server.notifications.recipients import user_key
from tests.lobby.fakes import summary
from tests.notifications.receivers import HttpServer, PushBrowser, status
from tests.notifications.workers import ORIGIN, Office, World
from tests.people.workers import Device


class Mailbox(AsyncMessage):
    """An SMTP server that keeps the messages."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Any] = []

    async def handle_message(self, message: Any) -> None:
        self.messages.append(message)

    def text(self, number: int = -1) -> str:
        plain = self.messages[number].get_payload()[0]
        return str(plain.get_payload(decode=True).decode())


@contextlib.asynccontextmanager
async def serving(mailbox: Mailbox) -> AsyncIterator[str]:
    """Yield the URL of an SMTP server with this mailbox."""
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(mailbox), "127.0.0.1", 0)
    yield f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
async def office(world: World) -> Office:
    return await Office.open(world)


@pytest.fixture
async def post_office(world: World, mailbox: Mailbox) -> AsyncIterator[Office]:
    async with serving(mailbox) as url:
        yield await Office.open(world, url)


async def member(office: Office, handle: str = "ada") -> Device:
    device, _ = await office.people.member(handle)
    device.user = await office.people.identity.user_of(device.token) or device.user
    return device


def push_fields(browser: PushBrowser) -> dict[str, str]:
    return {"endpoint": browser.endpoint, "key": browser.key, "secret": browser.secret, "name": "Firefox"}


# -- who may ask what ---------------------------------------------------------------------------------------------

REQUESTS: dict[str, dict[str, Any]] = {
    "get_notifications": {},
    "set_notifications": {"about": ["move"], "quiet": {"begin": 1320, "end": 420}, "zone": "Europe/Warsaw"},
    "add_push": {"endpoint": "https://push.example/1"},
    "set_mail": {"address": "ada@mail.example"},
    "confirm_mail": {"code": "1"},
    "set_webhook": {"url": "https://hooks.example/1", "form": "json"},
    "renew_secret": {"contact": "none"},
    "switch_contact": {"contact": "none", "on": False},
    "remove_contact": {"contact": "none"},
    "try_contact": {"contact": "none"},
}
AUTHORITY = {
    # request: guest, member, host of a table, somebody else there
    "get_notifications": ("yes", "yes", "yes", "not_host"),
    "set_notifications": ("yes", "yes", "yes", "not_host"),
    "add_push": ("yes", "yes", "contact_unavailable", "not_host"),
    "set_mail": ("no_account", "contact_unavailable", "contact_unavailable", "not_host"),
    "confirm_mail": ("no_account", "no_such_contact", "contact_unavailable", "not_host"),
    "set_webhook": ("no_account", "yes", "yes", "not_host"),
    "renew_secret": ("no_such_contact", "no_such_contact", "no_such_contact", "not_host"),
    "switch_contact": ("no_such_contact", "no_such_contact", "no_such_contact", "not_host"),
    "remove_contact": ("yes", "yes", "yes", "not_host"),
    "try_contact": ("no_such_contact", "no_such_contact", "no_such_contact", "not_host"),
}


@pytest.mark.parametrize("kind", REQUESTS)
async def test_a_request_is_allowed_or_refused_as_the_table_says(office: Office, kind: str) -> None:
    guest, host, other = await office.people.guest(), await member(office), await member(office, "grace")
    office.world.directory.update({**_table("table1", host, other), "host": host.user.id}, False)
    fields = REQUESTS[kind] | (push_fields(PushBrowser()) if kind == "add_push" else {})
    found = []
    for device, of_table in ((guest, {}), (host, {}), (host, {"table": "table1"}), (other, {"table": "table1"})):
        reply = await office.request(device, kind, **fields, **of_table)
        found.append(getattr(reply, "code", "yes"))
    # Confirming and the like are about a contact that is not there, which only a recipient with contacts can say.
    wanted = list(AUTHORITY[kind])
    if kind == "confirm_mail" and found[1] == "wrong_mail_code":
        wanted[1] = "wrong_mail_code"
    assert found == wanted


def _table(table: str, *devices: Device) -> dict[str, Any]:
    shown = summary(table)
    for seat, device in enumerate(devices):
        shown["seats"][seat] = {**shown["seats"][seat], "user": device.user.id, "name": device.user.name}
    return shown


async def test_a_table_that_is_not_there_has_no_channel(office: Office) -> None:
    assert await office.refused(await member(office), "get_notifications", table="table9") == "no_such_table"


async def test_an_unknown_zone_is_refused_and_changes_nothing(office: Office) -> None:
    device = await member(office)
    assert await office.refused(device, "set_notifications", about=[], zone="Nowhere/Land") == "bad_zone"
    assert (await office.shown(device))["about"] == ["move", "begun", "ended", "invited"]


async def test_wishes_are_kept(office: Office) -> None:
    device = await office.people.guest()
    await office.do(device, "set_notifications", **REQUESTS["set_notifications"])
    shown = await office.shown(device)
    assert (shown["about"], shown["zone"]) == (["move"], "Europe/Warsaw")
    assert shown["quiet"] == {"begin": 1320, "end": 420}
    assert shown["offers"] == ["push", "webhook"]


# -- push ---------------------------------------------------------------------------------------------------------


async def test_a_guest_adds_a_browser_tests_it_and_removes_it(office: Office) -> None:
    device = await office.people.guest()
    async with HttpServer().running() as service:
        browser = PushBrowser(service.url)
        contact = (await office.do(device, "add_push", **push_fields(browser)))["contact"]
        assert await office.do(device, "try_contact", contact=contact) == {"delivered": True, "error": None}
        assert browser.decrypted(service.requests[0].body)["title"] == "A test from San Francisco Tables"
    (shown,) = (await office.shown(device))["contacts"]
    # The address of a subscription is as good as a key.
    assert (shown["address"], shown["name"], shown["on"]) == ("127.0.0.1", "Firefox", True)
    await office.do(device, "remove_contact", contact=contact)
    assert (await office.shown(device))["contacts"] == []


async def test_a_browser_that_subscribes_again_replaces_its_earlier_subscription(office: Office) -> None:
    device = await office.people.guest()
    for number in range(3):
        browser = PushBrowser(f"https://push.example/{number}")
        await office.do(device, "add_push", **push_fields(browser))
    assert len((await office.shown(device))["contacts"]) == 1


async def test_a_subscription_ends_with_the_session_of_its_device(office: Office) -> None:
    device = await member(office)
    async with HttpServer().running() as service:
        contact = (await office.do(device, "add_push", **push_fields(PushBrowser(service.url))))["contact"]
        await office.people.identity.end(device.token)
        reply = await office.do(device, "try_contact", contact=contact)
        assert reply == {"delivered": False, "error": "signed_out"}
        assert service.connections == 0


async def test_a_malformed_subscription_is_refused(office: Office) -> None:
    device = await office.people.guest()
    fields = push_fields(PushBrowser())
    for change in ({"endpoint": "ftp://push.example/"}, {"key": "AAAA"}, {"secret": "AAAA"}, {"name": "\u202e"}):
        assert await office.refused(device, "add_push", **fields | change) == "bad_subscription"


# -- webhooks -----------------------------------------------------------------------------------------------------


async def test_the_secret_of_a_webhook_is_shown_once_and_can_be_renewed(office: Office) -> None:
    device = await member(office)
    made = await office.do(device, "set_webhook", url="https://hooks.example/secret-path", form="json")
    assert made["secret"].startswith("whsec_")
    renewed = await office.do(device, "renew_secret", contact=made["contact"])
    assert renewed["secret"] != made["secret"]
    shown = json.dumps(await office.shown(device))
    assert "whsec_" not in shown
    assert "https://hooks.example/secret-path" in shown


async def test_a_webhook_that_fails_says_why_and_one_that_works_says_so(office: Office) -> None:
    device = await member(office)
    async with HttpServer(status(500), status(200)).running() as server:
        contact = (await office.do(device, "set_webhook", url=server.url, form="json"))["contact"]
        assert (await office.do(device, "try_contact", contact=contact))["error"] == "server_error"
        assert (await office.shown(device))["contacts"][0]["error"] == "server_error"
        assert (await office.do(device, "try_contact", contact=contact))["delivered"]
    assert (await office.shown(device))["contacts"][0]["error"] is None


async def test_tests_of_a_webhook_are_bounded(office: Office) -> None:
    device = await member(office)
    async with HttpServer().running() as server:
        contact = (await office.do(device, "set_webhook", url=server.url, form="json"))["contact"]
        for _ in range(5):
            await office.do(device, "try_contact", contact=contact)
        assert await office.refused(device, "try_contact", contact=contact) == "too_fast"
        assert len(server.requests) == 5


async def test_without_networks_of_the_operator_a_webhook_needs_https(office: Office) -> None:
    device = await member(office)
    office.senders.allows_http = False
    assert await office.refused(device, "set_webhook", url="http://hooks.example/", form="json") == "bad_webhook"
    assert await office.refused(device, "set_webhook", url="hooks.example", form="json") == "bad_webhook"


async def test_another_host_of_a_table_sees_only_the_site_of_its_webhook(office: Office) -> None:
    ada, grace = await member(office), await member(office, "grace")
    table = _table("table1", ada, grace)
    office.world.directory.update({**table, "host": ada.user.id}, False)
    await office.do(ada, "set_webhook", url="https://hooks.example/secret-path", form="discord", table="table1")
    office.world.directory.update({**table, "host": grace.user.id}, False)
    (contact,) = (await office.shown(grace, table="table1"))["contacts"]
    assert contact["address"] == "hooks.example"
    assert await office.refused(ada, "get_notifications", table="table1") == "not_host"


# -- mail ---------------------------------------------------------------------------------------------------------


async def confirmed(office: Office, mailbox: Mailbox, device: Device) -> str:
    contact: str = (await office.do(device, "set_mail", address="ada@mail.example"))["contact"]
    code = re.search(r"\d{6}", mailbox.text())
    assert code is not None
    await office.do(device, "confirm_mail", code=code[0])
    return contact


async def test_nothing_but_a_code_is_sent_before_an_address_is_confirmed(post_office: Office, mailbox: Mailbox) -> None:
    device = await member(post_office)
    made = await post_office.do(device, "set_mail", address="ada@mail.example")
    assert made["delivered"]
    assert await post_office.refused(device, "try_contact", contact=made["contact"]) == "no_such_contact"
    (mail,) = mailbox.messages
    assert mail["X-RcptTo"] == mail["To"] == "ada@mail.example"
    assert mail["From"] == "tables@play.example"
    assert mail["Auto-Submitted"] == "auto-generated"
    code = re.search(r"\d{6}", mailbox.text())
    assert code is not None
    assert await post_office.refused(device, "confirm_mail", code="000000x") == "wrong_mail_code"
    await post_office.do(device, "confirm_mail", code=f" {code[0][:3]} {code[0][3:]} ")
    await post_office.do(device, "try_contact", contact=made["contact"])
    assert "This is how you will be told." in mailbox.text()


async def test_a_code_is_void_after_half_an_hour_and_after_five_wrong_ones(
    post_office: Office, mailbox: Mailbox
) -> None:
    device = await member(post_office)
    for spoil in ("time", "guesses"):
        await post_office.do(device, "set_mail", address="ada@mail.example")
        code = re.search(r"\d{6}", mailbox.text())
        assert code is not None
        if spoil == "time":
            post_office.world.pass_time(1_801)
        else:
            wrong = f"{(int(code[0]) + 1) % 10**6:06}"
            for _ in range(5):
                assert await post_office.refused(device, "confirm_mail", code=wrong) == "wrong_mail_code"
        assert await post_office.refused(device, "confirm_mail", code=code[0]) == "wrong_mail_code"


async def test_codes_are_bounded_by_person_and_mail_by_address(post_office: Office, mailbox: Mailbox) -> None:
    ada = await member(post_office)
    for _ in range(3):
        assert (await post_office.do(ada, "set_mail", address="victim@mail.example"))["delivered"]
    assert await post_office.refused(ada, "set_mail", address="victim@mail.example") == "too_fast"
    grace = await member(post_office, "grace")
    assert (await post_office.do(grace, "set_mail", address="victim@mail.example"))["delivered"]
    made = await post_office.do(grace, "set_mail", address="Victim@mail.example")
    assert (made["delivered"], made["error"]) == (False, "too_many")
    assert len(mailbox.messages) == 4


@pytest.mark.parametrize(
    "address", ["ada", "ada@", "@mail.example", "ada@mail", "a b@mail.example", "ada@mail.example\r\nBcc: x@y.example"]
)
async def test_what_is_no_address_is_refused(post_office: Office, address: str, mailbox: Mailbox) -> None:
    device = await member(post_office)
    assert await post_office.refused(device, "set_mail", address=address.strip()) == "bad_mail_address"
    assert mailbox.messages == []


async def test_a_mail_says_how_to_end_them_and_its_link_works_again_and_again(
    post_office: Office, mailbox: Mailbox
) -> None:
    device = await member(post_office)
    await post_office.people.identity.set_language(device.user, "pl")
    contact = await confirmed(post_office, mailbox, device)
    await post_office.do(device, "try_contact", contact=contact)
    mail = mailbox.messages[-1]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = re.fullmatch(rf"<{ORIGIN}/notifications/off/([^>]+)>", mail["List-Unsubscribe"])
    assert link is not None
    assert str(make_header(decode_header(mail["Subject"]))) == "Próba z San Francisco Tables"
    plain, html = mail.get_payload()
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert link[0].strip("<>") in plain.get_payload(decode=True).decode()
    service = post_office.service
    asks = await service.unsubscribe_page(link[1], acts=False)
    assert asks[0] == 200
    assert "<button>Wyłącz je</button>" in asks[1]
    assert (await post_office.shown(device))["contacts"][0]["on"]
    for _ in range(2):
        assert (await service.unsubscribe_page(link[1], acts=True))[0] == 200
        (shown,) = (await post_office.shown(device))["contacts"]
        assert (shown["on"], shown["error"]) == (False, "unsubscribed")
    await post_office.do(device, "remove_contact", contact=contact)
    assert (await service.unsubscribe_page(link[1], acts=True))[0] == 200


async def test_a_forged_link_does_nothing(post_office: Office, mailbox: Mailbox) -> None:
    device = await member(post_office)
    contact = await confirmed(post_office, mailbox, device)
    key = user_key(device.user.id)
    good = post_office.senders.keys.unsubscribe_token(key, contact)
    other = post_office.senders.keys.unsubscribe_token("u.somebody", contact)
    mac = good.rpartition("~")[2]
    forged = [
        "",
        "~~",
        good[:-1],
        f"{good}x",
        good.replace(contact, "mail-0"),
        other.replace("u.somebody", key),
        f"{key}~{contact}~",
        f"{key}~{contact}~{'A' * len(mac)}",
        f"{key}~{contact}~ü",
        f"{good}~{mac}",
    ]
    for token in forged:
        assert (await post_office.service.unsubscribe_page(token, acts=True))[0] == 404
    assert (await post_office.shown(device))["contacts"][0]["on"]


async def test_a_server_that_refuses_an_address_is_final_and_a_busy_one_is_not(world: World) -> None:
    class Refusing(Mailbox):
        reply = "550 No such user"

        async def handle_RCPT(self, *_: Any) -> str:  # noqa: N802 - the name that aiosmtpd calls
            return self.reply

    handler = Refusing()
    async with serving(handler) as url:
        mail = (await Office.open(world, url)).senders.mail
        assert mail is not None
        for reply, is_final in (("550 No such user", True), ("451 Try later", False)):
            handler.reply = reply
            with pytest.raises(Undeliverable) as failure:
                await mail.send_code("ada@mail.example", "en", "123456", "")
            assert (failure.value.code, failure.value.is_final) == ("mail_refused", is_final)


async def test_a_mail_server_that_is_gone_is_no_crash(world: World) -> None:
    async with HttpServer().running() as server:
        port = server.port
    office = await Office.open(world, f"smtp://127.0.0.1:{port}")
    made = await office.do(await member(office), "set_mail", address="ada@mail.example")
    assert (made["delivered"], made["error"]) == (False, "unreachable")


# -- what is stored -----------------------------------------------------------------------------------------------


async def test_what_is_stored_is_in_the_download_without_secrets_and_deleted_with_the_account(office: Office) -> None:
    device = await member(office)
    office.world.directory.update({**_table("table1", device), "host": device.user.id}, False)
    made = [
        await office.do(device, "set_webhook", url="https://hooks.example/mine", form="json"),
        await office.do(device, "set_webhook", url="https://hooks.example/table", form="json", table="table1"),
    ]
    browser = PushBrowser()
    await office.do(device, "add_push", **push_fields(browser))
    stored = await office.people.service.download(device.user, device.token)
    text = json.dumps(stored["notifications"])
    for address in ("https://hooks.example/mine", "https://hooks.example/table", browser.endpoint):
        assert address in text
    for secret in (made[0]["secret"], made[1]["secret"], browser.secret):
        assert secret not in text
    await office.people.do(device, "delete_account", confirm="ada")
    assert await office.world.recipients.page("", 10) == []


async def test_the_keys_of_the_server_are_made_once(world: World) -> None:
    first, second = await Office.open(world), await Office.open(world)
    assert first.senders.keys == second.senders.keys
    assert first.senders.push is not None
    assert second.senders.push is not None
    assert first.senders.push.public_key == second.senders.push.public_key


async def test_a_switch_begins_anew(office: Office) -> None:
    device = await member(office)
    contact = (await office.do(device, "set_webhook", url="https://hooks.example/", form="json"))["contact"]
    key = user_key(device.user.id)
    await office.recipients.change(
        key, lambda each: each.with_contact(replace(each.contacts[0], error="gone", is_on=False, attempts=4))
    )
    await office.do(device, "switch_contact", contact=contact, on=True)
    (shown,) = (await office.shown(device))["contacts"]
    assert (shown["on"], shown["error"]) == (True, None)
