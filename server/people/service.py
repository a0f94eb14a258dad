"""Requests about accounts and other people, as connections send them, and the sign-ins that HTTP requests ask for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol

from protocol import messages
from protocol.messages import Invite, PeopleRequest
from server.lobby.identity import Identity
from server.model import Done, Refused, Reply, User
from server.people.accounts import Account, Accounts, Reservation
from server.people.circle import Circle
from server.people.deletion import Deletion
from server.people.passkeys import Passkeys
from server.people.recovery import Recovery
from server.people.rhythms import RhythmChanges, Rhythms
from server.people.sites import Site
from server.people.stored_data import Downloads, account_shown, passkey_shown
from server.tables.api import Subscriber
from server.tables.results import refused
from server.text import BadText, clean_line

MAX_MOTTO: Final = 120
"""Characters of a motto."""

_TABLE_UNREACHABLE: Final = Refused(
    "busy",
    "A table where you sit does not answer at the moment, so you were not deleted. Please try again.",
    "deletion",
)

GamesOfUser = Callable[[str], AsyncIterator[dict[str, Any]]]
"""Returns the finished games of a user, the latest first, as the download names them."""


class Sockets(Protocol):
    """The connections of all workers; see `server.gateway.connections`."""

    def end_session(self, user_id: str, token_hash: str | None) -> None:
        """Close the connections of one session of a user, or of all, in every process."""
        ...

    def renamed(self, user: User) -> None:
        """Show the new name or handle of a user everywhere."""
        ...


class _NoSockets:
    def end_session(self, user_id: str, token_hash: str | None) -> None:
        pass

    def renamed(self, user: User) -> None:
        pass


class AccountParts(NamedTuple):
    """What requests about accounts need."""

    identity: Identity
    accounts: Accounts
    passkeys: Passkeys
    recovery: Recovery
    deletion: Deletion
    downloads: Downloads
    rhythms: Rhythms
    rhythm_changes: RhythmChanges


class PeopleService:
    """Answers the requests of `protocol/people_requests.py`."""

    def __init__(self, parts: AccountParts, circle: Circle, games_of: GamesOfUser) -> None:
        self._parts = parts
        self._circle = circle
        self._games_of = games_of
        self.sockets: Sockets = _NoSockets()
        """Set later, since the connections need this service."""

    async def answer(self, subscriber: Subscriber, token: str, origin: str, request: PeopleRequest | Invite) -> Reply:
        """Return the reply to a request of the user of a connection, whose session has this token.

        `origin` is that of the page, which the gateway has checked.
        """
        user, site, parts = subscriber.user, Site(origin), self._parts
        match request:
            case messages.GetAccount():
                return await self._get_account(user, token)
            case messages.KeepName():
                return await self._keep_name(user, request.handle)
            case messages.BeginPasskey():
                options = await parts.passkeys.begin(user, site)
                return options if isinstance(options, Refused) else Done({"options": options})
            case messages.AddPasskey():
                return await self._add_passkey(user, site, request)
            case messages.RemovePasskey():
                return await self._changed(user, await parts.passkeys.remove(user.id, request.passkey))
            case messages.MakeRecoveryCodes():
                return await self._make_recovery_codes(user)
            case messages.SetProfile():
                return await self._set_profile(user, request)
            case messages.SetRhythm():
                return await parts.rhythm_changes.change(user, request.rhythm)
            case messages.SignOut():
                return await self._sign_out(user, request.device)
            case messages.DeleteAccount():
                return await self._delete(user, request.confirm)
            case (
                messages.Follow()
                | messages.Block()
                | messages.ListPeople()
                | messages.Invite()
                | messages.DismissInvitation()
            ):
                return await self._circle.answer(subscriber, request)
            case _:
                return refused("unknown_request")

    def connected(self, subscriber: Subscriber) -> None:
        """Send the invitations of the user to a new connection."""
        self._circle.connected(subscriber)

    def refresh(self, subscriber: Subscriber) -> None:
        """Send a connection its invitations and people again, after one of these messages was dropped."""
        self._circle.refresh(subscriber)

    def disconnected(self, subscriber: Subscriber) -> None:
        """Forget a connection."""
        self._circle.disconnected(subscriber)

    async def blocked_by(self, user: User) -> Collection[str]:
        """Return the ids of the people whom a user blocks."""
        return await self._circle.blocked_by(user)

    # -- requests over HTTP -----------------------------------------------------------------------------------

    async def begin_sign_in(self, origin: str) -> dict[str, Any] | Refused:
        """Return the options for `navigator.credentials.get`."""
        return await self._parts.passkeys.begin_sign_in(Site(origin))

    async def sign_in_with_passkey(
        self, origin: str, credential: dict[str, Any], device: str
    ) -> tuple[User, str] | None:
        """Return the user whose passkey has signed the challenge, with a new session; None if it is not valid."""
        user_id = await self._parts.passkeys.sign_in(Site(origin), credential)
        return None if user_id is None else await self._parts.identity.begin_session(user_id, device)

    async def sign_in_with_code(self, handle: str, code: str, device: str) -> tuple[User, str] | None:
        """Return the user of a recovery code, with a new session; None if the code is not valid."""
        user_id = await self._parts.recovery.redeem(handle, code)
        return None if user_id is None else await self._parts.identity.begin_session(user_id, device)

    async def end_session(self, token: str) -> None:
        """End the session of a token, and close its connections."""
        token_hash = await self._parts.identity.end(token)
        if token_hash is not None:
            self.sockets.end_session(token.partition(".")[0], token_hash)

    async def download(self, user: User, token: str) -> dict[str, Any]:
        """Return everything that is stored about a user."""
        account, shown = await self._account(user, token)
        return await self._parts.downloads.download(user, account, shown, self._games_of(user.id))

    # -- requests over a connection ---------------------------------------------------------------------------

    async def _get_account(self, user: User, token: str) -> Reply:
        _, shown = await self._account(user, token)
        return Done({"account": shown})

    async def _account(self, user: User, token: str) -> tuple[Account | None, dict[str, Any]]:
        """Return the account of a user, and what the page shows of it."""
        parts = self._parts
        account = await parts.accounts.get(user.id)
        reservation = await parts.accounts.reservation(user.id) if account is None else None
        # A connection knows the user as of its handshake; the language may have changed since.
        stored = await parts.identity.read_user(user.id) or user
        devices = await parts.identity.devices(user.id, token)
        rhythm = await parts.rhythms.shown(user.id)
        return account, account_shown(stored, account, reservation, devices) | {"rhythm": rhythm}

    async def _keep_name(self, user: User, typed: str) -> Reply:
        wanted = await self._parts.accounts.want_handle(user.id, typed)
        match wanted:
            case Refused():
                return wanted
            case Reservation(handle, until):
                return Done({"handle": handle, "until": until * 1000})
            case Account():
                await self._refresh(user)
                return Done({"handle": wanted.handle, "until": None})

    async def _add_passkey(self, user: User, site: Site, request: messages.AddPasskey) -> Reply:
        added = await self._parts.passkeys.add(user, site, request.credential, request.name)
        if isinstance(added, Refused):
            return added
        changed = await self._refresh(user)
        return Done({"passkey": passkey_shown(added), "handle": changed.handle})

    async def _make_recovery_codes(self, user: User) -> Reply:
        codes = await self._parts.recovery.make(user.id)
        if isinstance(codes, Refused):
            return codes
        changed = await self._refresh(user)
        return Done({"codes": codes, "handle": changed.handle})

    async def _set_profile(self, user: User, request: messages.SetProfile) -> Reply:
        try:
            motto = clean_line(request.motto, MAX_MOTTO) if request.motto.strip() else ""
        except BadText:
            sentence = f"A motto has at most {MAX_MOTTO} characters that can be seen."
            return Refused("bad_text", sentence, "motto", {"count": MAX_MOTTO})
        languages, privacy = tuple(dict.fromkeys(request.languages)), request.privacy
        changed = await self._parts.accounts.change(
            user.id, lambda account: replace(account, motto=motto, languages=languages, privacy=privacy)
        )
        return await self._changed(user, changed)

    async def _changed(self, user: User, changed: Account | Refused) -> Reply:
        if isinstance(changed, Refused):
            return changed
        await self._refresh(user)
        return Done()

    async def _refresh(self, user: User) -> User:
        """Let every part learn of a changed account; return the user as the account makes them."""
        changed = await self._parts.identity.refresh(user.id) or user
        if changed.handle != user.handle:
            self.sockets.renamed(changed)
        return changed

    async def _sign_out(self, user: User, device: str) -> Reply:
        token_hash = await self._parts.identity.end_device(user.id, device)
        if token_hash is None:
            return refused("no_such_device")
        self._close_after_reply(user.id, token_hash)
        return Done()

    def _close_after_reply(self, user_id: str, token_hash: str | None) -> None:
        """Close the connections of a session, or of all; one that has asked for it still gets its reply before."""
        asyncio.get_running_loop().call_soon(self.sockets.end_session, user_id, token_hash)

    async def _delete(self, user: User, confirm: str) -> Reply:
        account = await self._parts.accounts.get(user.id)
        confirmed = confirm.strip()
        if account is None and confirmed != user.name:
            return Refused("not_confirmed", "That is not your name, so nothing was deleted.", "name")
        if account is not None and confirmed.lower() != account.handle:
            return refused("not_confirmed")
        if not await self._parts.deletion.delete(user):
            return _TABLE_UNREACHABLE
        self._close_after_reply(user.id, None)
        return Done()
