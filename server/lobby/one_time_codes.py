"""One-time codes: short secrets, of which each signs one more device in as the user who made it.

A code is a selector, under which the store finds it, and a secret. Wrong secrets are counted for each code, and a
few of them invalidate it. So guessing does not pay however many addresses take part, and there is no limit of all users
together that a flood of guesses could use up. SECURITY.md has the arithmetic.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable
from typing import Any, Final

from server.store.api import KeyValueStore, StorageFailed

CODE_SECONDS: Final = 5 * 60
CODE_LENGTH: Final = 10
SELECTOR_LENGTH: Final = 4
"""Characters at the front of a code that find it: 810,000 selectors, so that a guess hardly ever finds a code."""

MAX_WRONG_SECRETS: Final = 5
"""Wrong secrets with the right selector that invalidate a code. The rest of a code is one of 729 million secrets."""

CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No character that looks like another one: no 0 and O, no 1, I and L, no U beside V."""

_MAX_SELECTORS_TRIED: Final = 20
_CODE: Final = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")


class OneTimeCodes:
    """The codes of all users, each of whom has one at most. `clock` returns the seconds since 1970."""

    def __init__(self, key_values: KeyValueStore, clock: Callable[[], float]) -> None:
        self._key_values = key_values
        self._clock = clock

    async def make(self, user_id: str) -> str:
        """Return a new code of a user; it invalidates an earlier one. Only one call for a user at a time."""
        expires_at = self._clock() + CODE_SECONDS
        earlier = await self._key_values.get("code_of", user_id)
        if earlier is not None:
            await self._key_values.delete("code", earlier.decode().partition(" ")[0])
        for _ in range(_MAX_SELECTORS_TRIED):
            code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
            selector, code_hash = code[:SELECTOR_LENGTH], _hash(code)
            stored = {"user": user_id, "hash": code_hash, "wrong": 0, "expires_at": expires_at}
            if await self._key_values.put_if_absent("code", selector, json.dumps(stored).encode(), expires_at):
                await self._key_values.put("code_of", user_id, f"{selector} {code_hash}".encode(), expires_at)
                return code
        raise StorageFailed("There is no free selector for a code.")

    async def take(self, code: str) -> tuple[str, bytes] | None:
        """Return the id of the user of a code, and the proof for `confirm`; None if the code is not valid.

        The code is not valid any more.
        """
        typed = re.sub(r"[\s-]", "", code).upper()
        if not _CODE.fullmatch(typed):
            return None
        selector, code_hash = typed[:SELECTOR_LENGTH], _hash(typed)
        # Only a read at first, since nearly every guess ends here; then one of several attempts gets the code.
        if await self._key_values.get("code", selector) is None:
            return None
        taken = await self._key_values.take("code", selector)
        if taken is None:
            return None
        stored = json.loads(taken)
        if not hmac.compare_digest(stored["hash"], code_hash):
            await self._count_wrong_secret(selector, stored)
            return None
        return stored["user"], f"{selector} {code_hash}".encode()

    async def confirm(self, user_id: str, proof: bytes) -> bool:
        """Return whether a code that was taken is the last one of its user, who has not ended all sessions since."""
        return await self._key_values.replace("code_of", user_id, proof, b"", self._clock())

    async def invalidate(self, user_id: str) -> None:
        """Invalidate the code of a user."""
        earlier = await self._key_values.get("code_of", user_id)
        if earlier is not None:
            # The code first: after an interruption it can still be found.
            await self._key_values.delete("code", earlier.decode().partition(" ")[0])
            await self._key_values.delete("code_of", user_id)

    async def _count_wrong_secret(self, selector: str, stored: dict[str, Any]) -> None:
        """Put a code back with one more wrong secret, unless that invalidates it."""
        counted = {**stored, "wrong": stored["wrong"] + 1}
        if counted["wrong"] < MAX_WRONG_SECRETS:
            await self._key_values.put_if_absent("code", selector, json.dumps(counted).encode(), stored["expires_at"])


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
