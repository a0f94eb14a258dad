"""Recovery codes: ten printed secrets of an account, of which each signs in once.

A code is a selector of four characters, by which it is found within its account, and a secret of twelve. The store has
only a slow hash (scrypt) of it. A guess with a wrong selector cannot succeed, so only guesses with the selector of an
existing code are counted, and only against that code: a stranger who knows no selector cannot keep the owner out, and
one who knows a selector delays the use of that code alone. SECURITY.md has the arithmetic.

Whether there is an account of a handle must not show: both cases read as much and get the same answer.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import math
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from server.lobby.one_time_codes import CODE_ALPHABET
from server.model import Refused
from server.people.accounts import Account, Accounts, RecoveryCodes
from server.people.directory import HANDLE
from server.people.handles import handle_key
from server.rate_limit import FREE, Limiter, LimiterSource, Rate
from server.store.api import KeyValueStore
from server.tables.results import refused

CODES: Final = 10
CODE_LENGTH: Final = 16
SELECTOR_LENGTH: Final = 4
GROUP_LENGTH: Final = 4

GUESSES: Final = Rate(5, 3_600, burst=5)
"""Attempts with the selector of one existing code."""

NEW_CODES: Final = Rate(1, 60, burst=5)
"""Sheets of new codes for one user: ten slow hashes each."""

_CODE: Final = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")
_USED: Final = Refused("no_account", "That code was used before.")
"""Why an account is not changed. It is never sent: the refusal is the same for every wrong code."""

_NOBODY: Final = "0" * 16
"""An id that no user has, to read as much for a handle that nobody has."""


class Recovery:
    """The recovery codes of all accounts. `clock` returns the seconds since 1970."""

    def __init__(
        self,
        accounts: Accounts,
        key_values: KeyValueStore,
        limits: LimiterSource,
        clock: Callable[[], float],
    ) -> None:
        self._accounts = accounts
        self._key_values = key_values
        self._guesses: Limiter = limits.limiter("recovery", GUESSES)
        self._clock = clock
        self._new_codes: Limiter = limits.limiter("recovery_sheets", NEW_CODES)
        # One hash at a time takes 8 MB, and 25 ms of one core. Making codes must not delay those who sign in.
        self._making, self._checking = asyncio.Semaphore(1), asyncio.Semaphore(1)

    async def make(self, user_id: str) -> list[str] | Refused:
        """Return ten new codes, which invalidate earlier ones; they make a reserved handle the user's own."""
        if await self._accounts.get(user_id) is None and await self._accounts.reservation(user_id) is None:
            return refused("no_account")
        wait = await self._new_codes.take(user_id)
        if wait != FREE:
            seconds = math.ceil(wait)
            unit = "second" if seconds == 1 else "seconds"
            sentence = f"You have just made codes. Please wait {seconds} {unit}."
            return Refused("too_fast", sentence, "codes", {"count": seconds})
        codes = _new_codes()
        salt = secrets.token_bytes(16)
        async with self._making:
            hashes = {code[:SELECTOR_LENGTH]: await asyncio.to_thread(_scrypt, salt, code) for code in codes}
        made = RecoveryCodes(salt.hex(), hashes, int(self._clock()))
        kept = await self._accounts.keep(user_id, lambda account: replace(account, recovery=made))
        return kept if isinstance(kept, Refused) else [_printed(code) for code in codes]

    async def redeem(self, handle: str, typed: str) -> str | None:
        """Return the id of the user whom a code signs in, and use the code up; None if it is wrong, or used before."""
        code, handle = re.sub(r"[\s-]", "", typed).upper(), handle.strip().lower()
        selector = code[:SELECTOR_LENGTH]
        user_id = await self._owner(handle)
        account = await self._accounts.get(user_id)
        recovery = None if account is None or account.handle != handle else account.recovery
        if recovery is None or not _CODE.fullmatch(code):
            return None
        stored = recovery.hashes.get(selector)
        if stored is None or await self._guesses.take(f"{user_id}.{selector}") != FREE:
            return None
        async with self._checking:
            hashed = await asyncio.to_thread(_scrypt, bytes.fromhex(recovery.salt), code)
        if not hmac.compare_digest(stored, hashed):
            return None

        def use(current: Account) -> Account | Refused:
            # Of several attempts at the same time, on any worker, one finds the code still there.
            if current.recovery is None or current.recovery.hashes.get(selector) != stored:
                return _USED
            rest = {each: value for each, value in current.recovery.hashes.items() if each != selector}
            return replace(current, recovery=replace(current.recovery, hashes=rest))

        used = await self._accounts.change(user_id, use)
        return user_id if isinstance(used, Account) else None

    async def _owner(self, handle: str) -> str:
        """Return the id of the user of a handle, or one that nobody has, after the same reads."""
        key = handle_key(handle) or "-"
        stored = await self._key_values.get(HANDLE, key)
        user_id: str | None = None if stored is None else json.loads(stored)["user"]
        return user_id or _NOBODY


def _scrypt(salt: bytes, code: str) -> str:
    return hashlib.scrypt(code.encode(), salt=salt, n=2**13, r=8, p=1, dklen=32).hex()


def _new_codes() -> list[str]:
    """Return ten codes with different selectors."""
    codes: dict[str, str] = {}
    while len(codes) < CODES:
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
        codes.setdefault(code[:SELECTOR_LENGTH], code)
    return list(codes.values())


def _printed(code: str) -> str:
    return "-".join(code[begin : begin + GROUP_LENGTH] for begin in range(0, CODE_LENGTH, GROUP_LENGTH))
