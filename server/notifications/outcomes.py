"""What comes of an attempt to send a message."""

from __future__ import annotations

from typing import Final


class Undeliverable(Exception):
    """A message could not be delivered. `code` says why: the page has a sentence for each.

    `is_final`: the contact is gone. `retry_after` is the time in seconds for which the other side has asked.
    """

    def __init__(self, code: str, *, is_final: bool = False, retry_after: float = 0.0) -> None:
        super().__init__(code)
        self.code = code
        self.is_final = is_final
        self.retry_after = retry_after


CODES: Final = (
    "bad_url",
    "forbidden_address",
    "unresolved",
    "unreachable",
    "timeout",
    "tls",
    "malformed_answer",
    "redirected",
    "gone",
    "refused",
    "too_many",
    "server_error",
    "mail_refused",
    "signed_out",
    "unsubscribed",
)
"""All codes of failures, with the reasons why a contact was switched off."""
