"""Messages by mail, through the SMTP server of the operator."""

from __future__ import annotations

import re
from email import policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from html import escape
from typing import Final
from urllib.parse import unquote, urlsplit

import aiosmtplib

from server.notifications.outcomes import Undeliverable
from server.notifications.recipients import Contact
from server.notifications.texts import Message, text
from server.rate_limit import FREE, Limiter

TIMEOUT_SECONDS: Final = 30.0

MAX_ADDRESS: Final = 254

_POLICY: Final = policy.SMTP.clone(cte_type="7bit", max_line_length=900)
"""Long lines: a link in a header must not be folded, since mail programs do not put it together again."""

_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{1,62}"
)


def is_mail_address(address: str) -> bool:
    """Return whether mail can be sent to an address: without quotes, comments and other alphabets."""
    return len(address) <= MAX_ADDRESS and _ADDRESS.fullmatch(address) is not None


class MailSender:
    """Sends mail through an SMTP server.

    `url` is like `smtps://user:password@host` (TLS from the beginning) or `smtp://host:587` (STARTTLS where the server
    offers it, and always if there is a password). `limit` bounds all mail together, `address_limit` that to an address.
    """

    def __init__(self, url: str, sender: str, limit: Limiter, address_limit: Limiter) -> None:
        self._server = urlsplit(url)
        self._sender = sender
        self._limit = limit
        self._address_limit = address_limit

    async def send(self, contact: Contact, message: Message, unsubscribe: str) -> None:
        """Send a message; raise `Undeliverable` if it was not accepted. `unsubscribe` is the link that ends them."""
        mail = self._mail(contact.address, message.title, message.id, message.language)
        mail["List-Unsubscribe"] = f"<{unsubscribe}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        say = message.language
        opens = contact.origin + message.path
        mail.set_content(
            "\n".join(
                [
                    *message.lines,
                    "",
                    f"{text(say, 'mail.open')}: {opens}",
                    "",
                    "-- ",
                    text(say, "mail.why"),
                    f"{text(say, 'mail.off')}: {unsubscribe}",
                    f"{text(say, 'mail.settings')}: {contact.origin}/you#notifications",
                    "",
                ]
            )
        )
        lines = "".join(f"<p>{escape(line)}</p>" for line in message.lines)
        mail.add_alternative(
            f'<!doctype html><html lang="{say}"><meta charset="utf-8"><title>{escape(message.title)}</title>'
            f'<body style="font: 16px/1.5 sans-serif; max-width: 36em">{lines}'
            f'<p><a href="{escape(opens)}">{escape(text(say, "mail.open"))}</a></p>'
            f'<hr><p style="font-size: 13px">{escape(text(say, "mail.why"))} '
            f'<a href="{escape(unsubscribe)}">{escape(text(say, "mail.off"))}</a>. '
            f'<a href="{escape(contact.origin)}/you#notifications">{escape(text(say, "mail.settings"))}</a>.</p>'
            "</html>",
            subtype="html",
        )
        await self._deliver(contact.address, mail)

    async def send_code(self, address: str, language: str, code: str, message_id: str) -> None:
        """Send the code that confirms an address; raise `Undeliverable` if it was not accepted."""
        mail = self._mail(address, text(language, "code.title", code=code), message_id, language)
        lines = (text(language, "code.line"), text(language, "code.why"))
        mail.set_content("\n\n".join([code, *lines, ""]))
        mail.add_alternative(
            f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{code}</title>'
            f'<body style="font: 16px/1.5 sans-serif; max-width: 36em"><p style="font-size: 24px">{code}</p>'
            f"{''.join(f'<p>{escape(line)}</p>' for line in lines)}</html>",
            subtype="html",
        )
        await self._deliver(address, mail)

    def _mail(self, address: str, subject: str, message_id: str, language: str) -> EmailMessage:
        mail = EmailMessage(_POLICY)
        mail["From"] = self._sender
        mail["To"] = address
        mail["Subject"] = subject
        mail["Date"] = formatdate()
        # The same for every attempt, so that mailboxes can drop repetitions.
        domain = self._sender.rpartition("@")[2].rstrip(">")
        mail["Message-ID"] = f"<{message_id}@{domain}>" if message_id else make_msgid(domain=domain)
        mail["Auto-Submitted"] = "auto-generated"
        mail["Content-Language"] = language
        return mail

    async def _deliver(self, address: str, mail: EmailMessage) -> None:
        for limit, key in ((self._address_limit, address.lower()), (self._limit, "")):
            wait = await limit.take(key)
            if wait != FREE:
                raise Undeliverable("too_many", retry_after=wait)
        server = self._server
        is_tls = server.scheme == "smtps"
        try:
            await aiosmtplib.send(
                mail.as_bytes(),
                sender=self._sender,
                recipients=[address],
                hostname=server.hostname,
                port=server.port or (465 if is_tls else 587),
                username=None if server.username is None else unquote(server.username),
                password=None if server.password is None else unquote(server.password),
                use_tls=is_tls,
                # None: where the server offers it. A password never goes over a plain connection.
                start_tls=False if is_tls else (True if server.password else None),
                timeout=TIMEOUT_SECONDS,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            is_final = all(500 <= refusal.code < 600 for refusal in error.recipients)
            raise Undeliverable("mail_refused", is_final=is_final) from None
        except aiosmtplib.SMTPTimeoutError:
            raise Undeliverable("timeout") from None
        except aiosmtplib.SMTPConnectError:
            raise Undeliverable("unreachable") from None
        except (aiosmtplib.SMTPException, OSError, ValueError):
            # Among them wrong passwords: the operator's business, so it is tried again.
            raise Undeliverable("server_error") from None
