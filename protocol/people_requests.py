"""Requests about accounts, and about other people: following, blocking, inviting."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StringConstraints

from protocol.base import Handle, Language, Message, Request, TableId, TableKey, TableRequest, UserId

Privacy = Literal["public", "friends", "nobody"]
"""Who may see a profile and its games: everybody, the people whom its owner follows, or nobody else."""


class PeopleRequest(Request):
    """A request about the account of the user, or about other people."""


class AccountRequest(PeopleRequest):
    """A request that changes the account of the user."""


class GetAccount(PeopleRequest):
    """Get everything that the server has stored about the user, apart from games."""

    type: Literal["get_account"]


class KeepName(AccountRequest):
    """Reserve a handle for a quarter of an hour; the first passkey or the recovery codes make it the user's own.

    A user who has an account changes its handle.
    """

    type: Literal["keep_name"]
    handle: Handle


class BeginPasskey(AccountRequest):
    """Get the options for `navigator.credentials.create`, which are valid for five minutes."""

    type: Literal["begin_passkey"]


class AddPasskey(AccountRequest):
    """Add the passkey that the browser has created."""

    type: Literal["add_passkey"]
    credential: dict[str, Any]
    """`PublicKeyCredential.toJSON()`."""

    name: Annotated[str, StringConstraints(strict=True, max_length=80)]
    """What the user calls the device that holds the passkey."""


class RemovePasskey(AccountRequest):
    """Remove a passkey. The last way to sign in cannot be removed."""

    type: Literal["remove_passkey"]
    passkey: Annotated[str, StringConstraints(strict=True, max_length=64)]
    """Its id in `get_account`."""


class MakeRecoveryCodes(AccountRequest):
    """Get ten new recovery codes, of which each signs in once; earlier ones become void."""

    type: Literal["make_recovery_codes"]


class SignOut(AccountRequest):
    """End one session of the user, by the id that it has in `get_account`."""

    type: Literal["sign_out"]
    device: Annotated[str, StringConstraints(strict=True, max_length=64)]


class SetProfile(AccountRequest):
    """Change what the profile shows, and to whom."""

    type: Literal["set_profile"]
    motto: Annotated[str, StringConstraints(strict=True, max_length=400)]
    languages: Annotated[list[Language], Field(max_length=4)]
    privacy: Privacy


Minutes = Annotated[int, Field(strict=True, ge=0, le=1_439)]
"""Minutes after midnight."""


class WeeklyRhythm(Message):
    """The hours of the week in which the clock of a user runs at tables that are played by the day."""

    zone: Annotated[str, StringConstraints(strict=True, max_length=64)]
    """The IANA name of the time zone."""

    start: Minutes
    end: Minutes
    """A window whose end is not after its start ends on the next day."""

    days: Annotated[list[Annotated[int, Field(strict=True, ge=0, le=6)]], Field(min_length=1, max_length=7)]
    """The days on which a window starts; Monday is 0."""


class SetRhythm(PeopleRequest):
    """Keep the weekly rhythm of the user; null: their clock always runs.

    The tables at which the user plays by the day take it over; there it counts from the next decision.
    """

    type: Literal["set_rhythm"]
    rhythm: WeeklyRhythm | None


class DeleteAccount(AccountRequest):
    """Delete everything that is stored about the user. Their seats say "former player"; logs of games stay."""

    type: Literal["delete_account"]
    confirm: Annotated[str, StringConstraints(strict=True, max_length=200)]
    """The handle of the user, or the name of a guest."""


class Follow(PeopleRequest):
    """Follow a user who has an account, or stop following."""

    type: Literal["follow"]
    user: UserId
    follow: StrictBool


class Block(PeopleRequest):
    """Block a user, or unblock.

    Who is blocked cannot join the user's tables, write to them, or see whether they are online.
    """

    type: Literal["block"]
    user: UserId
    block: StrictBool


class ListPeople(PeopleRequest):
    """Subscribe to the people whom the user follows, and get those who are blocked.

    `done` has both; `people_changed` follows whenever somebody comes, goes, or begins or ends a game.
    """

    type: Literal["list_people"]


class Invite(TableRequest):
    """Invite somebody by their handle to a table at which the user sits."""

    type: Literal["invite"]
    handle: Handle
    key: TableKey | None = None
    """The key of a private table, which the invitation passes on."""


class DismissInvitation(PeopleRequest):
    """Remove an invitation from the own list."""

    type: Literal["dismiss_invitation"]
    table: TableId
