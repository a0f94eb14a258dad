"""Requests about messages to people who are away: through which contacts, about what, and when."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StringConstraints

from protocol.base import Message, Request, TableId

NewsKind = Literal["move", "begun", "ended", "invited"]
"""A decision waits, a game has begun, a game is over, somebody invites the user."""

Minute = Annotated[int, Field(strict=True, ge=0, le=1439)]
"""A minute of the day, after midnight."""

Zone = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_+/-]{1,64}$")]
"""An IANA name of a time zone, like `Europe/Warsaw`."""

ContactId = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z0-9-]{1,64}$")]


class Hours(Message):
    """The time of the day from `begin` up to `end`, which may go past midnight."""

    begin: Minute
    end: Minute


class NotificationRequest(Request):
    """A request about the notifications of the user, or, with `table`, of a table whose host the user is."""

    table: TableId | None = None


class GetNotifications(NotificationRequest):
    """Get contacts and wishes, and what this server offers."""

    type: Literal["get_notifications"]


class SetNotifications(NotificationRequest):
    """Set about what the user wants to know, and the hours in which nothing is sent."""

    type: Literal["set_notifications"]
    about: Annotated[list[NewsKind], Field(max_length=4)]
    quiet: Hours | None = None
    zone: Zone = "UTC"


class AddPush(NotificationRequest):
    """Add the push subscription of this browser, or renew it."""

    type: Literal["add_push"]
    endpoint: Annotated[str, StringConstraints(strict=True, max_length=1000)]
    key: Annotated[str, StringConstraints(strict=True, max_length=100)]
    """The public key `p256dh`, in base64url."""

    secret: Annotated[str, StringConstraints(strict=True, max_length=40)]
    """The secret `auth`, in base64url."""

    name: Annotated[str, StringConstraints(strict=True, max_length=80)] = ""
    """The name of the browser, as the user sees it in the list."""

    zone: Zone | None = None
    """The time zone of the browser, unless the user has quiet hours."""


class SetMail(NotificationRequest):
    """Set the mail address; a code is sent to it, and nothing else before `confirm_mail`."""

    type: Literal["set_mail"]
    address: Annotated[str, StringConstraints(strict=True, max_length=254)]


class ConfirmMail(NotificationRequest):
    """Confirm the mail address with the code that was sent to it."""

    type: Literal["confirm_mail"]
    code: Annotated[str, StringConstraints(strict=True, max_length=20)]


class SetWebhook(NotificationRequest):
    """Set the webhook. `done` has the secret of its signatures, which is not shown again."""

    type: Literal["set_webhook"]
    url: Annotated[str, StringConstraints(strict=True, max_length=1000)]
    form: Literal["json", "discord"]


class RenewSecret(NotificationRequest):
    """Get another secret for the signatures of the webhook; the one before is void."""

    type: Literal["renew_secret"]
    contact: ContactId


class SwitchContact(NotificationRequest):
    """Switch a contact on or off."""

    type: Literal["switch_contact"]
    contact: ContactId
    on: StrictBool


class RemoveContact(NotificationRequest):
    """Remove a contact, with its address."""

    type: Literal["remove_contact"]
    contact: ContactId


class TryContact(NotificationRequest):
    """Send a test message; `done` says whether it was delivered, and why not."""

    type: Literal["try_contact"]
    contact: ContactId
