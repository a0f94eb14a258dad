"""Webhooks: a message as JSON, or in the form of Discord, signed with the secret of the webhook.

The header `Sanfrancisco-Signature: t=SECONDS,v1=HEX` is the HMAC-SHA256 of `SECONDS.BODY`. The time keeps somebody who
has seen a request from sending it again later.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from typing import Any, Final

from server.notifications.outbound import Outbound, check_status
from server.notifications.recipients import Contact, News
from server.notifications.texts import Message

SIGNATURE_HEADER: Final = "Sanfrancisco-Signature"
MESSAGE_HEADER: Final = "Sanfrancisco-Message"

MAX_DISCORD: Final = 2_000
"""Characters of a message that Discord accepts."""

_MARKDOWN: Final = re.compile(r"([\\*_~`|>#\[\]()<@-])")


def signature(secret: str, seconds: int, body: bytes) -> str:
    """Return the value of the signature header."""
    mac = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256)
    return f"t={seconds},v1={mac.hexdigest()}"


class WebhookSender:
    """Sends messages to webhooks."""

    def __init__(self, outbound: Outbound) -> None:
        self._outbound = outbound

    async def send(self, contact: Contact, message: Message, now: float) -> None:
        """Send a message; raise `Undeliverable` if it was not accepted."""
        shown = _discord(contact, message) if contact.form == "discord" else _json(contact, message, int(now * 1000))
        body = json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()
        headers = [
            ("Content-Type", "application/json"),
            (MESSAGE_HEADER, message.id),
            (SIGNATURE_HEADER, signature(contact.secret, int(now), body)),
        ]
        check_status(await self._outbound.post(contact.address, headers, body))


def _json(contact: Contact, message: Message, now: int) -> dict[str, Any]:
    return {
        "id": message.id,
        "sent": now,
        "test": message.tag == "test",
        "title": message.title,
        "text": "\n".join(message.lines),
        "url": contact.origin + message.path,
        "news": [_news(contact, each) for each in message.news],
    }


def _news(contact: Contact, news: News) -> dict[str, Any]:
    return {
        "about": news.about,
        "table": news.table,
        "url": f"{contact.origin}/t/{news.table}",
        "game": news.game,
        "name": news.name,
        "decision": news.decision,
        "since": news.since or None,
        "deadline": news.deadline,
    }


def _discord(contact: Contact, message: Message) -> dict[str, Any]:
    lines = [f"**{_plain(message.title)}**", *map(_plain, message.lines)]
    link = contact.origin + message.path
    text = "\n".join(lines)[: MAX_DISCORD - len(link) - 1]
    # The names of tables are chosen by people: they must not call everybody.
    return {"content": f"{text}\n{link}", "allowed_mentions": {"parse": []}}


def _plain(text: str) -> str:
    """Return a text in which Discord finds no markup."""
    return _MARKDOWN.sub(r"\\\1", text)
