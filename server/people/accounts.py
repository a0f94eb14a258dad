"""Accounts: a handle that belongs to a user, the ways to sign in, and what the profile shows.

An account is one value in the store, by user id, which every change replaces by compare-and-swap, so that several
workers can change it. A handle is another one, by its look-alike key. It is reserved for a quarter of an hour until its
user has a way to sign in, then kept, and after a change of handle or a deletion withheld from others for 30 days.

The handle is taken first and the account written second. A worker that is killed in between leaves a handle which no
account names; the next person who wants it finds that out, and it is withheld like one that was given up.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Self

from server.model import Refused
from server.people.directory import ACCOUNT, FORMER, HANDLE
from server.people.handles import clean_handle, handle_key
from server.store.api import KeyValueStore, StorageFailed
from server.tables.results import refused

RESERVED_SECONDS: Final = 15 * 60
WITHHELD_SECONDS: Final = 30 * 86_400
"""The time for which nobody else can take a handle that its owner has given up."""

STALE_SECONDS: Final = 3_600
"""The age from which a handle that no account names counts as given up, not as about to be kept."""

MAX_EARLIER_HANDLES: Final = 3
"""Handles that one account may have given up within 30 days; a change beyond that is refused."""

_RESERVATION: Final = "reservation"
_MAX_ATTEMPTS: Final = 20
"""Attempts to change a value that other workers change at the same time."""


@dataclass(frozen=True, slots=True)
class Passkey:
    """A public key of a device of the user, and its signature counter. Binary values are in base64url."""

    id: str
    """The id within the account."""

    credential: str
    public_key: str
    sign_count: int
    name: str
    created: int
    used: int | None = None
    is_synced: bool = False
    """The passkey is, or can be, on several devices."""

    transports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecoveryCodes:
    """What is stored of the unused recovery codes: the hash of each by its selector."""

    salt: str
    hashes: dict[str, str]
    made: int


@dataclass(frozen=True, slots=True)
class EarlierHandle:
    handle: str
    until: int
    """When others can take it, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Account:
    """Everything that is stored of an account."""

    handle: str
    since: int
    motto: str = ""
    languages: tuple[str, ...] = ()
    privacy: str = "public"
    passkeys: tuple[Passkey, ...] = ()
    recovery: RecoveryCodes | None = None
    earlier: tuple[EarlierHandle, ...] = ()

    @property
    def codes_left(self) -> int:
        return 0 if self.recovery is None else len(self.recovery.hashes)

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=False).encode()

    @classmethod
    def of_bytes(cls, stored: bytes) -> Self:
        value: dict[str, Any] = json.loads(stored)
        recovery = value.get("recovery")
        return cls(
            handle=value["handle"],
            since=value["since"],
            motto=value.get("motto", ""),
            languages=tuple(value.get("languages", ())),
            privacy=value.get("privacy", "public"),
            passkeys=tuple(
                Passkey(**{**passkey, "transports": tuple(passkey["transports"])})
                for passkey in value.get("passkeys", ())
            ),
            recovery=None if recovery is None else RecoveryCodes(**recovery),
            earlier=tuple(EarlierHandle(**earlier) for earlier in value.get("earlier", ())),
        )


@dataclass(frozen=True, slots=True)
class Reservation:
    """A handle that waits for its user to have a way to sign in, until a time in seconds since 1970."""

    handle: str
    until: int


Change = Callable[[Account], Account | Refused]
"""Returns the changed account, or why it cannot be changed. It may be called several times."""


class Accounts:
    """All accounts and handles. `clock` returns the seconds since 1970."""

    def __init__(self, key_values: KeyValueStore, clock: Callable[[], float]) -> None:
        self._key_values = key_values
        self._clock = clock

    async def get(self, user_id: str) -> Account | None:
        """Return the account of a user, or None."""
        stored = await self._key_values.get(ACCOUNT, user_id)
        return None if stored is None else Account.of_bytes(stored)

    async def reservation(self, user_id: str) -> Reservation | None:
        """Return the handle that is reserved for a user, or None."""
        stored = await self._key_values.get(_RESERVATION, user_id)
        return None if stored is None else Reservation(**json.loads(stored))

    async def change(self, user_id: str, change: Change) -> Account | Refused:
        """Change an account, and return it or the refusal."""
        for _ in range(_MAX_ATTEMPTS):
            stored = await self._key_values.get(ACCOUNT, user_id)
            if stored is None:
                return refused("no_account")
            changed = change(Account.of_bytes(stored))
            if isinstance(changed, Refused):
                return changed
            if await self._key_values.replace(ACCOUNT, user_id, stored, changed.to_bytes()):
                return changed
        raise StorageFailed("The account keeps changing.")

    async def want_handle(self, user_id: str, typed: str) -> Reservation | Account | Refused:
        """Reserve a handle for a guest, or change the handle of an account."""
        handle = clean_handle(typed)
        if isinstance(handle, Refused):
            return handle
        account = await self.get(user_id)
        if account is not None:
            return account if account.handle == handle else await self._change_handle(user_id, account, handle)
        earlier = await self.reservation(user_id)
        until = int(self._clock()) + RESERVED_SECONDS
        if not await self._take(handle, user_id, "reserved", until):
            return refused("handle_taken")
        reservation = Reservation(handle, until)
        await self._key_values.put(_RESERVATION, user_id, json.dumps(asdict(reservation)).encode(), until)
        if earlier is not None and handle_key(earlier.handle) != handle_key(handle):
            await self._give_up(earlier.handle, user_id, "reserved", self._clock())
        return reservation

    async def keep(self, user_id: str, change: Change) -> Account | Refused:
        """Change an account; one that does not exist yet is made with the reserved handle."""
        if await self._key_values.get(ACCOUNT, user_id) is not None:
            return await self.change(user_id, change)
        reservation = await self.reservation(user_id)
        if reservation is None:
            return refused("no_account")
        kept = change(Account(reservation.handle, int(self._clock())))
        if isinstance(kept, Refused):
            return kept
        if not await self._take(reservation.handle, user_id, "kept", None):
            return refused("handle_taken")
        if not await self._key_values.put_if_absent(ACCOUNT, user_id, kept.to_bytes()):
            # Another device of the same user was faster.
            changed = await self.change(user_id, change)
            await self._release_unless_named(kept.handle, user_id)
            return changed
        if await self._key_values.get(FORMER, user_id) is not None:
            # The user was deleted meanwhile.
            await self.delete(user_id)
            return refused("no_account")
        await self._key_values.delete(_RESERVATION, user_id)
        return kept

    async def delete(self, user_id: str) -> Account | None:
        """Delete an account and what is reserved, and return the account. Others cannot take its handles for a while.

        Idempotent: a deletion that was interrupted can be repeated.
        """
        account, reservation = await self.get(user_id), await self.reservation(user_id)
        if reservation is not None:
            await self._give_up(reservation.handle, user_id, "reserved", self._clock())
            await self._key_values.delete(_RESERVATION, user_id)
        if account is None:
            return None
        for handle, until in ((account.handle, self._clock() + WITHHELD_SECONDS), *map(_until, account.earlier)):
            # Without the user's id: nothing but the tombstone may name it any more.
            await self._give_up(handle, user_id, None, until, forgets_user=True)
        await self._key_values.delete(ACCOUNT, user_id)
        return account

    # -- handles ----------------------------------------------------------------------------------------------

    async def _change_handle(self, user_id: str, account: Account, handle: str) -> Account | Refused:
        key, now = handle_key(handle), int(self._clock())
        left = [each for each in account.earlier if each.until > now and handle_key(each.handle) != key]
        gives_up = handle_key(account.handle) != key
        if gives_up and len(left) >= MAX_EARLIER_HANDLES:
            days = -(-(min(each.until for each in left) - now) // 86_400)
            sentence = f"You have changed your handle often. You can change it again in {days} days."
            return Refused("too_fast", sentence, "handle", {"count": days})
        if not await self._take(handle, user_id, "kept", None):
            return refused("handle_taken")
        until = now + WITHHELD_SECONDS

        def change(current: Account) -> Account | Refused:
            if current.handle == handle:
                # Another device was faster, or the first of two equal requests.
                return current
            if (current.handle, current.earlier) != (account.handle, account.earlier):
                return refused("busy")
            given_up = (EarlierHandle(current.handle, until),) if gives_up else ()
            return replace(current, handle=handle, earlier=(*left, *given_up))

        changed = await self.change(user_id, change)
        if gives_up and isinstance(changed, Account):
            await self._give_up(account.handle, user_id, "kept", until)
        elif gives_up:
            await self._release_unless_named(handle, user_id)
        return changed

    async def _take(self, handle: str, user_id: str, state: str, expires_at: float | None) -> bool:
        """Take a handle for a user; return False if it belongs to another one."""
        key = handle_key(handle)
        assert key is not None
        value = _entry(user_id, handle, state, self._clock())
        for _ in range(_MAX_ATTEMPTS):
            if await self._key_values.put_if_absent(HANDLE, key, value, expires_at):
                return True
            found = await self._key_values.get(HANDLE, key)
            if found is None:
                continue
            entry = json.loads(found)
            if entry["user"] != user_id:
                await self._withhold_if_stale(key, found)
                return False
            if state == "reserved" and entry["state"] == "kept":
                # The user has it already: it must not expire.
                return True
            if await self._key_values.replace(HANDLE, key, found, value, expires_at):
                return True
        raise StorageFailed("The handle keeps changing.")

    async def _give_up(
        self, handle: str, user_id: str, state: str | None, until: float, *, forgets_user: bool = False
    ) -> None:
        """Withhold a handle of a user from others until a time, if it is in this state, or in any."""
        key = handle_key(handle)
        assert key is not None
        found = await self._key_values.get(HANDLE, key)
        if found is None:
            return
        entry = json.loads(found)
        if entry["user"] == user_id and (state is None or entry["state"] == state):
            value = _entry(None if forgets_user else user_id, entry["handle"], "given up", self._clock())
            # If another call was faster, the handle is somebody else's by now, or withheld already.
            await self._key_values.replace(HANDLE, key, found, value, until)

    async def _release_unless_named(self, handle: str, user_id: str) -> None:
        """Give up a handle that was taken for a change which did not happen, unless the account names it by now."""
        account, key = await self.get(user_id), handle_key(handle)
        if account is not None and handle_key(account.handle) == key:
            return
        earlier = () if account is None else account.earlier
        until = next((each.until for each in earlier if handle_key(each.handle) == key), self._clock())
        await self._give_up(handle, user_id, "kept", until)

    async def _withhold_if_stale(self, key: str, found: bytes) -> None:
        """Withhold a handle that is kept, but that no account names: a worker was killed on the way."""
        entry = json.loads(found)
        if entry["state"] != "kept" or self._clock() - entry["at"] < STALE_SECONDS:
            return
        account = await self.get(entry["user"])
        if account is None or handle_key(account.handle) != key:
            value = _entry(entry["user"], entry["handle"], "given up", self._clock())
            await self._key_values.replace(HANDLE, key, found, value, self._clock() + WITHHELD_SECONDS)


def _until(earlier: EarlierHandle) -> tuple[str, float]:
    return earlier.handle, earlier.until


def _entry(user_id: str | None, handle: str, state: str, at: float) -> bytes:
    return json.dumps({"user": user_id, "handle": handle, "state": state, "at": int(at)}).encode()
