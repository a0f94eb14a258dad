"""Webhooks: the form of messages, and signatures that a receiver checks as the documentation says."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import replace

from server.notifications.addresses import AddressRules
from server.notifications.outbound import Outbound
from server.notifications.recipients import Contact, News
from server.notifications.texts import message_of, trial_message
from server.notifications.webhooks import WebhookSender
from tests.notifications.receivers import LOOPBACK, HttpServer, Request

SECRET = "whsec_secret"
NEWS = News("move", "k3q7m2xd", "investors", "Fog", 0, ("w",), decision="invest", since=5_000, deadline=86_405_000)


def contact(url: str, form: str) -> Contact:
    return Contact("w", "webhook", url, "https://play.example", 0, form=form, secret=SECRET)


async def sent(form: str, *news: News) -> Request:
    async with HttpServer().running() as server:
        message = message_of("message-1", "en", "UTC", news, {}) if news else trial_message("trial-1", "en")
        await WebhookSender(Outbound(AddressRules(LOOPBACK))).send(contact(server.url, form), message, 1_700_000_000.5)
        return server.requests[0]


async def test_json_has_the_news_and_a_text() -> None:
    request = await sent("json", NEWS)
    assert json.loads(request.body) == {
        "id": "message-1",
        "sent": 1_700_000_000_500,
        "test": False,
        "title": "Your move: Investors",
        "text": "Fog (Investors): Place a stick (until 2 Jan, 00:00 UTC)",
        "url": "https://play.example/t/k3q7m2xd",
        "news": [
            {
                "about": "move",
                "table": "k3q7m2xd",
                "url": "https://play.example/t/k3q7m2xd",
                "game": "investors",
                "name": "Fog",
                "decision": "invest",
                "since": 5_000,
                "deadline": 86_405_000,
            }
        ],
    }


async def test_a_receiver_can_check_the_signature() -> None:
    request = await sent("json", NEWS)
    fields = dict(part.split("=") for part in request.headers["sanfrancisco-signature"].split(","))
    expected = hmac.new(SECRET.encode(), f"{fields['t']}.".encode() + request.body, hashlib.sha256).hexdigest()
    assert fields == {"t": "1700000000", "v1": expected}
    assert request.headers["sanfrancisco-message"] == "message-1"


async def test_a_test_message_says_that_it_is_one() -> None:
    shown = json.loads((await sent("json")).body)
    assert (shown["test"], shown["news"]) == (True, [])


async def test_discord_gets_a_text_that_calls_nobody_and_has_no_markup_of_players() -> None:
    request = await sent("discord", replace(NEWS, name="@everyone **x**"))
    shown = json.loads(request.body)
    assert "\\@everyone \\*\\*x\\*\\*" in shown["content"]
    assert shown["allowed_mentions"] == {"parse": []}
    assert shown["content"].endswith("\nhttps://play.example/t/k3q7m2xd")


async def test_a_message_for_discord_is_never_too_long() -> None:
    news = [replace(NEWS, table=f"table{number}", name="*" * 40) for number in range(50)]
    assert len(json.loads((await sent("discord", *news)).body)["content"]) <= 2_000
