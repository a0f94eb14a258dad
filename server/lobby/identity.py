"""Who somebody is: guests, their names, and the secrets by which their devices and programs are known again.

A session is a secret that one device or program holds. It reads `user.secret`, so that all sessions of a user lie
side by side in the records; there, only the hash of the whole is written. A one-time code is a short secret that
becomes a session on a second device.

What has been read of a user is cached until something about the user changes here. A process that shares its records
with others must call `forget` when another one has changed a user.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
import time
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakValueDictionary

from server.lobby.names import made_up_name
from server.model import Refused, User
from server.store.api import KeyValueStore, StorageFailed
from server.text import BadText, clean_name

DAY: Final = 86_400
SESSION_SECONDS: Final = 400 * DAY
"""How long a session lives after it was last used. Browsers keep no cookie for longer than this."""

CODE_SECONDS: Final = 5 * 60
CODE_LENGTH: Final = 8
CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Nothing that could be read as something else: no 0 and O, no 1, I and L, no U beside V."""

MAX_SESSIONS: Final = 50
"""Sessions that one user can have; a new one beyond that ends the one that was used least lately."""

MAX_CACHED: Final = 20_000
"""Users of whom something is cached; beyond that, those asked for least lately are read again."""

# Codes that are looked up for everybody together: so many at once, then so many a second; the others are wrong unseen.
# With ten codes waiting at any time, guessing at this pace without a pause finds one in 400 years.
GUESSES_AT_ONCE: Final = 60
GUESSES_PER_SECOND: Final = 5

_TOKEN: Final = re.compile(r"([a-z2-7]{16})\.[A-Za-z0-9_-]{43}")
_CODE: Final = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")


@dataclass(slots=True)
class _Known:
    """What is cached of a user: the name, and when each session seen here was last noted as used."""

    user: User
    used: dict[str, int] = field(default_factory=dict)


class Identity:
    """All users. `clock` gives the seconds since 1970, as the records count them."""

    def __init__(self, key_values: KeyValueStore, clock: Callable[[], float] = time.time) -> None:
        self._key_values = key_values
        self._clock = clock
        self.changed: Callable[[str], None] = lambda user_id: None
        """Told whose records have changed here, so that other processes can forget them too."""
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._forgotten = 0
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._guesses = _Allowance(GUESSES_AT_ONCE, GUESSES_PER_SECOND, clock)

    async def guest(self) -> tuple[User, str]:
        """Make a new user, and a session for the device that asked."""
        user = User(id=b32encode(secrets.token_bytes(10)).decode().lower(), name=made_up_name())
        return user, await self._new_session(user)

    async def user_of(self, token: str) -> User | None:
        """Give the user whose session this is, and note once a day that it is in use."""
        form = _TOKEN.fullmatch(token)
        if form is None:
            return None
        user_id, session = form[1], _session_key(token)
        known = self._known.get(user_id)
        if known is not None and session in known.used:
            self._known.move_to_end(user_id)
        else:
            known = await self._read(user_id, session)
            if known is None:
                return None
        if self._clock() - known.used[session] >= DAY:
            # That a session was used is worth noting, yet nobody is turned away because it could not be.
            with suppress(StorageFailed):
                if not await self._note_use(user_id, session):
                    return None
        return known.user

    async def rename(self, user: User, name: str) -> User | Refused:
        """Give the user another name."""
        try:
            renamed = User(user.id, clean_name(name))
        except BadText as reason:
            return Refused("bad_name", str(reason))
        async with self._lock(user.id):
            try:
                await self._write_user(renamed)
            finally:
                self._has_changed(user.id)
        return renamed

    async def make_code(self, user: User) -> str:
        """Give a code that makes one more device this user's, within minutes and once; an earlier one is void."""
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
        expires_at = self._clock() + CODE_SECONDS
        async with self._lock(user.id):
            await self._key_values.put("code_of", user.id, _hash(code).encode(), expires_at)
            await self._key_values.put("code", _hash(code), user.id.encode(), expires_at)
        return code

    async def redeem(self, code: str) -> tuple[User, str] | None:
        """Give the user who made the code and a new session; None if it is wrong, used, too old or guessed at."""
        typed = re.sub(r"[\s-]", "", code).upper()
        if not _CODE.fullmatch(typed) or not self._guesses.take():
            return None
        code_hash = _hash(typed)
        owner = await self._key_values.take("code", code_hash)
        if owner is None:
            return None
        user_id = owner.decode()
        async with self._lock(user_id):
            # The user may have made a newer code since, or ended everything.
            if await self._key_values.get("code_of", user_id) != code_hash.encode():
                return None
            await self._key_values.delete("code_of", user_id)
            user = await self._read_user(user_id)
            return None if user is None else (user, await self._new_session(user))

    async def make_token(self, user: User) -> str:
        """Give a session for a program that acts as this user."""
        async with self._lock(user.id):
            return await self._new_session(user)

    async def forget_others(self, user: User, keep_token: str) -> None:
        """End all sessions of the user but this one, and any code that waits to be redeemed."""
        kept = _session_key(keep_token)
        async with self._lock(user.id):
            try:
                await self._key_values.delete("code_of", user.id)
                for session, _ in await self._sessions(user.id):
                    if session != kept:
                        await self._key_values.delete("session", session)
            finally:
                self._has_changed(user.id)

    def _has_changed(self, user_id: str) -> None:
        self.forget(user_id)
        self.changed(user_id)

    def forget(self, user_id: str) -> None:
        """Drop what is cached of a user whose records have changed."""
        self._known.pop(user_id, None)
        self._forgotten += 1

    async def _read(self, user_id: str, session: str) -> _Known | None:
        """Read a session and its user, and cache both. What changes meanwhile is read again."""
        while True:
            forgotten = self._forgotten
            found = await self._key_values.get("session", session)
            if found is None:
                return None
            known = self._known.get(user_id)
            user = await self._read_user(user_id) if known is None else known.user
            if user is None:
                return None
            if forgotten == self._forgotten:
                break
        known = self._known.setdefault(user_id, _Known(user))
        known.used[session] = _loads(found)["used"]
        self._known.move_to_end(user_id)
        if len(self._known) > MAX_CACHED:
            self._known.popitem(last=False)
        return known

    async def _note_use(self, user_id: str, session: str) -> bool:
        """Write down that a session is in use today; False if it has ended meanwhile."""
        async with self._lock(user_id):
            user = await self._read_user(user_id)
            if user is None or await self._key_values.get("session", session) is None:
                return False
            await self._write_user(user)
            used = await self._write_session(session)
        if (known := self._known.get(user_id)) is not None and session in known.used:
            known.used[session] = used
        return True

    async def _new_session(self, user: User) -> str:
        sessions = await self._sessions(user.id)
        for session, _ in sorted(sessions, key=lambda found: found[1], reverse=True)[MAX_SESSIONS - 1 :]:
            await self._key_values.delete("session", session)
            self.forget(user.id)
        # The user first: no session may outlive its user. The name may have changed since the caller read it.
        await self._write_user(await self._read_user(user.id) or user)
        token = f"{user.id}.{secrets.token_urlsafe(32)}"
        await self._write_session(_session_key(token))
        return token

    async def _sessions(self, user_id: str) -> list[tuple[str, int]]:
        """Give all sessions of a user, each with the time of its last noted use."""
        found = await self._key_values.find("session", f"{user_id}.")
        return [(session, _loads(about)["used"]) for session, about in found]

    async def _write_session(self, session: str) -> int:
        used = int(self._clock())
        await self._key_values.put("session", session, _dumps({"used": used}), used + SESSION_SECONDS)
        return used

    async def _write_user(self, user: User) -> None:
        await self._key_values.put("user", user.id, _dumps({"name": user.name}), self._clock() + SESSION_SECONDS)

    async def _read_user(self, user_id: str) -> User | None:
        found = await self._key_values.get("user", user_id)
        return None if found is None else User(user_id, _loads(found)["name"])

    def _lock(self, user_id: str) -> asyncio.Lock:
        """Give the lock under which the records of a user are read and then written."""
        return self._locks.setdefault(user_id, asyncio.Lock())


class _Allowance:
    """So much at once, and so much more with every second."""

    def __init__(self, at_once: int, per_second: float, clock: Callable[[], float]) -> None:
        self._at_once = at_once
        self._per_second = per_second
        self._clock = clock
        self._left: float = at_once
        self._since = clock()

    def take(self) -> bool:
        """Tell whether there is one left, and take it."""
        now = self._clock()
        self._left = min(self._at_once, self._left + max(0.0, now - self._since) * self._per_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def _session_key(token: str) -> str:
    """Give the key under which a session is kept: its user, and the hash of all of it."""
    return f"{token.partition('.')[0]}.{_hash(token)}"


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _dumps(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode()


def _loads(value: bytes) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(value)
    return loaded
